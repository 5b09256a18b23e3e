//! The exponent of a power law, from sizes and what they took.

/// `y ∝ x^value` on the upper half of the sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    /// The exponent.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The least size that it is fitted to.
    pub from: f64,
    /// The largest.
    pub to: f64,
}

impl Slope {
    /// Least squares of ln y on ln x over the points at the larger half of the sizes, the middle one included, and at least
    /// three of them; x and y are positive. The standard error is that of ordinary least squares [e.g. N. Draper, H. Smith, *Applied
    /// Regression Analysis*, 3rd ed. (1998), §1.4]: with `S = Σ(ln x − mean)²` and residuals r of k points
    ///
    /// ```text
    /// se² = Σr² / ((k − 2) S).
    /// ```
    ///
    /// `None` where there are fewer than three sizes.
    pub fn of(points: &[(f64, f64)]) -> Option<Self> {
        let mut sizes: Vec<f64> = points.iter().map(|point| point.0).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let half = sizes.len().div_ceil(2).max(LEAST_SIZES);
        let from = sizes[sizes.len().checked_sub(half)?];
        let upper = points.iter().filter(|point| point.0 >= from);
        let logs: Vec<(f64, f64)> = upper.map(|(x, y)| (x.ln(), y.ln())).collect();
        let count = logs.len() as f64;
        let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / count;
        let mean_y = logs.iter().map(|(_, y)| y).sum::<f64>() / count;
        let spread: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
        let together: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        let value = together / spread;
        let residual = |(x, y): &(f64, f64)| (y - mean_y - value * (x - mean_x)).powi(2);
        let residuals: f64 = logs.iter().map(residual).sum();
        Some(Self {
            value,
            standard_error: (residuals / ((count - 2.0) * spread)).sqrt(),
            from,
            to: sizes[sizes.len() - 1],
        })
    }
}

/// A slope through two sizes would say nothing of how well it fits.
const LEAST_SIZES: usize = 3;

#[cfg(test)]
mod tests {
    use super::Slope;
    use approx::assert_relative_eq;

    const SIZES: [f64; 6] = [1e3, 3e3, 1e4, 3e4, 1e5, 3e5];

    #[test]
    fn exact_power_laws_are_recovered() {
        for exponent in [0.0, 0.5, 1.0, 2.0, 3.0] {
            let points = SIZES.map(|x| (x, 1e-7 * x.powf(exponent)));
            let slope = Slope::of(&points).unwrap();
            assert_relative_eq!(slope.value, exponent, epsilon = 1e-10);
            assert!(slope.standard_error < 1e-7, "{slope:?}");
            assert_eq!((slope.from, slope.to), (3e4, 3e5));
        }
    }

    /// A constant that small sizes pay has no say.
    #[test]
    fn the_lower_half_is_left_out() {
        let points = SIZES.map(|x| (x, if x < 3e4 { 1.0 } else { 1e-9 * x * x }));
        assert_relative_eq!(Slope::of(&points).unwrap().value, 2.0, epsilon = 1e-10);
        let five = Slope::of(&SIZES.map(|x| (x, x))[..5]).unwrap();
        assert_eq!((five.from, five.to), (1e4, 1e5));
    }

    /// ln y = 0, 1, 5 at ln x = 0, 1, 2: slope 5/2, residuals 1/2, −1, 1/2, so se² = (3/2)/(1 · 2).
    #[test]
    fn the_standard_error_is_that_of_least_squares() {
        let at = |x: f64, y: f64| (x.exp(), y.exp());
        let slope = Slope::of(&[at(0.0, 0.0), at(1.0, 1.0), at(2.0, 5.0)]).unwrap();
        assert_relative_eq!(slope.value, 2.5, epsilon = 1e-12);
        assert_relative_eq!(slope.standard_error, 0.75_f64.sqrt(), epsilon = 1e-12);
    }

    #[test]
    fn repeats_count_and_two_sizes_are_none() {
        let points = [(1.0, 1.0), (1.0, 1.2), (2.0, 2.0), (2.0, 2.2), (4.0, 4.0)];
        let slope = Slope::of(&points).unwrap();
        assert!(slope.standard_error > 0.0 && (slope.value - 0.93).abs() < 0.02);
        assert_eq!(Slope::of(&points[..4]), None);
        assert_eq!(Slope::of(&[]), None);
    }
}
