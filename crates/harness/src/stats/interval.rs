//! Confidence intervals over repeats that share a dataset.

use super::Moments;
use super::resampled::{standard_error, student};
use statrs::distribution::ContinuousCDF;

/// A mean over repeats with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// Half the interval's width; none of one repeat.
    pub half: Option<f64>,
}

impl Interval {
    /// The corrected resampled t-interval of C. Nadeau and Y. Bengio, *Inference for the generalization error*, Machine
    /// Learning 52 (2003): mean ± t_{0.975, J−1} `sqrt((1/J + ratio) s²)` over J repeats with sample variance s².
    ///
    /// Repeats of one dataset share rows, so that s²/J is too small; `ratio` is test rows over training rows. None for
    /// no values.
    pub fn corrected(values: &[f64], ratio: f64) -> Option<Self> {
        let Moments { mean, sd } = Moments::of(values)?;
        let n = values.len();
        let half = sd.map(|sd| student(n).inverse_cdf(0.975) * standard_error(sd, n, ratio));
        Some(Self { mean, half })
    }

    /// Lower end.
    pub fn low(&self) -> f64 {
        self.mean - self.half.unwrap_or(0.0)
    }

    /// Upper end.
    pub fn high(&self) -> f64 {
        self.mean + self.half.unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Interval;

    #[test]
    fn hand_worked_intervals() {
        // Mean 2, s² = 1; t_{0.975, 2} = 4.302652730 from tables.
        let interval = Interval::corrected(&[1.0, 2.0, 3.0], 0.25).unwrap();
        assert_eq!(interval.mean, 2.0);
        let expected = 4.302_652_730 * (1.0_f64 / 3.0 + 0.25).sqrt();
        approx::assert_relative_eq!(interval.half.unwrap(), expected, max_relative = 1e-8);
        approx::assert_relative_eq!(interval.low(), 2.0 - expected, max_relative = 1e-7);
        // t_{0.975, 11} = 2.200985160.
        let twelve: Vec<f64> = (0..12).map(|k| f64::from(k % 2)).collect();
        let half = Interval::corrected(&twelve, 0.0).unwrap().half.unwrap();
        let expected = 2.200_985_160 * (3.0_f64 / 11.0 / 12.0).sqrt();
        approx::assert_relative_eq!(half, expected, max_relative = 1e-8);
    }

    #[test]
    fn one_repeat_has_no_interval() {
        let one = Interval::corrected(&[0.5], 0.3).unwrap();
        assert_eq!((one.mean, one.half), (0.5, None));
        assert_eq!(Interval::corrected(&[], 0.3), None);
    }
}
