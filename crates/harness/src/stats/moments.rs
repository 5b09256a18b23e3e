//! Mean, standard deviation and median of a sample.

/// Mean and spread of a metric over repeats, in the metric's own unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation `sqrt(Σ(v − mean)²/(n − 1))`; `None` for n < 2.
    pub sd: Option<f64>,
}

impl Moments {
    /// Moments of a sample, summed in the order given; `None` for an empty one.
    ///
    /// The deviations are taken from the mean in a second pass: the one-pass form cancels where the spread is small.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let sd = (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt());
        Some(Self { mean, sd })
    }
}

/// Median of a sample: the mean of the two middle values where their number is even; `None` for an empty one.
pub fn median(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    Some(if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    })
}
