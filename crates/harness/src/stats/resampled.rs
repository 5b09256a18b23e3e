//! The corrected resampled t-test: whether a mean over random splits of one dataset is 0.

use super::{Interval, Moments};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The two-sided test that the mean difference of two methods over repeats of one dataset is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResampledT {
    /// Repeats.
    pub repeats: usize,
    /// Mean difference with its corrected 95 % interval; a mean alone where there is no p-value.
    pub interval: Interval,
    /// Sample standard deviation of the differences; none of one repeat.
    pub sd: Option<f64>,
    /// `t = mean/se`; none of one repeat, or where the differences do not vary.
    pub statistic: Option<f64>,
    /// `P(|T| ≥ |t|)` with n − 1 degrees of freedom; none of one repeat, and where the differences do not vary: 1 if all are 0,
    /// but else none. The limit t → ∞ would give 0, and so would two equal differences of a test point.
    pub p_value: Option<f64>,
}

/// Differences of shares of test rows whose standard deviation is no larger than this do not vary but for rounding.
const ROUNDING: f64 = 1e-12;

impl ResampledT {
    /// C. Nadeau and Y. Bengio, *Inference for the generalization error*, Machine Learning 52 (2003), §3.3: the paired t-test
    /// with `se² = (1/n + ratio) s²` in the place of s²/n, for the n repeats share rows and differ less than independent
    /// samples would. `ratio` ≥ 0 is test rows over training rows. None for no values.
    pub fn test(differences: &[f64], ratio: f64) -> Option<Self> {
        let n = differences.len();
        let Moments { mean, sd } = Moments::of(differences)?;
        let varying = sd.filter(|sd| *sd > ROUNDING);
        let statistic = varying.map(|sd| mean / standard_error(sd, n, ratio));
        let p_value = match (sd, statistic) {
            (Some(_), Some(t)) => Some((2.0 * student(n).sf(t.abs())).min(1.0)),
            (Some(_), None) if mean.abs() <= ROUNDING => Some(1.0),
            _ => None,
        };
        let mut interval = Interval::corrected(differences, ratio)?;
        interval.half = interval.half.filter(|_| p_value.is_some());
        Some(Self {
            repeats: n,
            interval,
            sd,
            statistic,
            p_value,
        })
    }

    /// Cohen's d_z, the mean difference in standard deviations of the differences [J. Cohen, *Statistical Power Analysis*,
    /// 1988, §2.3.5]; `None` without a spread.
    ///
    /// It describes repeats of this dataset. They share rows: no power or p-value follows from it.
    pub fn d_z(&self) -> Option<f64> {
        let sd = self.sd.filter(|sd| *sd > ROUNDING)?;
        Some(self.interval.mean / sd)
    }
}

/// `sqrt((1/n + ratio) s²)` of a mean over n repeats of one dataset with sample standard deviation s.
pub(super) fn standard_error(sd: f64, n: usize, ratio: f64) -> f64 {
    sd * (1.0 / n as f64 + ratio).sqrt()
}

/// Student's distribution of a mean over n ≥ 2 values.
pub(super) fn student(n: usize) -> StudentsT {
    StudentsT::new(0.0, 1.0, n as f64 - 1.0).expect("at least one degree of freedom")
}

#[cfg(test)]
mod tests {
    use super::ResampledT;
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    /// Mean 2, s² = 1, se² = 1/3 + 1/4 = 7/12, t = 2/sqrt(7/12); with 2 degrees of freedom
    /// P(|T| ≥ t) = 1 − t/sqrt(2 + t²).
    #[test]
    fn a_test_worked_by_hand() {
        let test = ResampledT::test(&[1.0, 2.0, 3.0], 0.25).unwrap();
        let t = 2.0 / (7.0_f64 / 12.0).sqrt();
        assert_relative_eq!(test.statistic.unwrap(), t, max_relative = 1e-14);
        let p = 1.0 - t / (2.0 + t * t).sqrt();
        assert_relative_eq!(test.p_value.unwrap(), p, max_relative = 1e-10);
        assert_eq!(test.d_z(), Some(2.0));
    }

    /// Without a correction it is scipy 1.17's `ttest_1samp(d, 0)`; the corrected p-value is `2*t.sf(abs(t), 7)` at
    /// `t = d.mean()/sqrt((1/8 + 1/3)*d.var(ddof=1))`.
    #[test]
    fn values_of_another_implementation() {
        let d = [0.03, -0.01, 0.02, 0.05, 0.0, 0.04, 0.01, 0.06];
        let plain = ResampledT::test(&d, 0.0).unwrap();
        assert_relative_eq!(
            plain.statistic.unwrap(),
            2.886_751_345_948_128_7,
            max_relative = 1e-12
        );
        assert_relative_eq!(
            plain.p_value.unwrap(),
            0.023_424_636_054_437_478,
            max_relative = 1e-9
        );
        let corrected = ResampledT::test(&d, 1.0 / 3.0).unwrap();
        assert_relative_eq!(
            corrected.p_value.unwrap(),
            0.175_399_548_242_805_01,
            max_relative = 1e-9
        );
    }

    #[test]
    fn differences_without_a_spread() {
        let constant = ResampledT::test(&[0.25; 6], 0.3).unwrap();
        assert_eq!((constant.statistic, constant.p_value), (None, None));
        assert_eq!(constant.interval.half, None);
        assert_eq!(ResampledT::test(&[0.25; 2], 0.3).unwrap().p_value, None);
        assert_eq!(constant.d_z(), None);
        assert_eq!(ResampledT::test(&[0.0; 6], 0.3).unwrap().p_value, Some(1.0));
        let one = ResampledT::test(&[0.5], 0.3).unwrap();
        assert_eq!((one.p_value, one.interval.half), (None, None));
        assert_eq!(ResampledT::test(&[], 0.3), None);
    }

    proptest! {
        /// Swapping the methods changes signs alone; the interval leaves out 0 where p < 0.05 and only there; a larger
        /// overlap never makes p smaller.
        #[test]
        fn what_holds_for_all_differences(
            d in prop::collection::vec(-1.0_f64..1.0, 2..30), ratio in 0.0_f64..1.0, more in 0.0_f64..1.0,
        ) {
            let test = ResampledT::test(&d, ratio).unwrap();
            let swapped: Vec<f64> = d.iter().map(|d| -d).collect();
            let swapped = ResampledT::test(&swapped, ratio).unwrap();
            let p = test.p_value.unwrap();
            prop_assert!((0.0..=1.0).contains(&p));
            prop_assert_eq!(swapped.p_value, test.p_value);
            prop_assert_eq!(swapped.interval.mean, -test.interval.mean);
            let leaves_out = test.interval.low() > 0.0 || test.interval.high() < 0.0;
            prop_assert!((p - 0.05).abs() < 1e-9 || leaves_out == (p < 0.05));
            let wider = ResampledT::test(&d, ratio + more).unwrap();
            prop_assert!(wider.p_value.unwrap() >= p - 1e-12);
        }
    }
}
