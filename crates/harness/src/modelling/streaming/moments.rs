//! Means and variances of columns, row by row.

use ndarray::{Array1, ArrayView1, Zip};
use robust_svm_core::CoreError;
use robust_svm_core::data::{Scaler, Scaling};

/// What a scaling needs to know of the rows so far: their number, and of each column the mean, the sum of squared
/// distances from it [B. P. Welford, Technometrics 4 (1962)], and the range. It does not depend on how rows are cut
/// into blocks.
#[derive(Debug, Clone)]
pub(super) struct Moments {
    count: usize,
    means: Array1<f64>,
    squares: Array1<f64>,
    lows: Array1<f64>,
    highs: Array1<f64>,
}

impl Moments {
    /// Of no rows of `width` columns.
    pub(super) fn new(width: usize) -> Self {
        Self {
            count: 0,
            means: Array1::zeros(width),
            squares: Array1::zeros(width),
            lows: Array1::from_elem(width, f64::INFINITY),
            highs: Array1::from_elem(width, f64::NEG_INFINITY),
        }
    }

    /// Adds a row without missing values.
    pub(super) fn add(&mut self, row: ArrayView1<'_, f64>) {
        self.count += 1;
        let count = self.count as f64;
        Zip::from(&mut self.means)
            .and(&mut self.squares)
            .and(&mut self.lows)
            .and(&mut self.highs)
            .and(row)
            .for_each(|mean, square, low, high, &v| {
                let before = v - *mean;
                *mean += before / count;
                *square += before * (v - *mean);
                *low = low.min(v);
                *high = high.max(v);
            });
    }

    /// The scaling of these rows, with `medians` of all columns.
    ///
    /// # Errors
    /// [`CoreError::NotFinite`] if a mean or variance is not finite.
    pub(super) fn scaler(&self, scaling: Scaling, medians: &[f64]) -> Result<Scaler, CoreError> {
        let varies = |column: &usize| self.lows[*column] < self.highs[*column];
        let kept: Vec<usize> = (0..self.means.len()).filter(varies).collect();
        let offset = |&k: &usize| match scaling {
            Scaling::Standardize => self.means[k],
            Scaling::MinMax => 0.5 * (self.lows[k] + self.highs[k]),
            Scaling::None => 0.0,
        };
        let divisor = |&k: &usize| match scaling {
            Scaling::Standardize => (self.squares[k] / self.count as f64).sqrt(),
            Scaling::MinMax => 0.5 * (self.highs[k] - self.lows[k]),
            Scaling::None => 1.0,
        };
        Scaler::from_parts(
            kept.clone(),
            kept.iter().map(|k| medians[*k]).collect(),
            kept.iter().map(offset).collect(),
            kept.iter().map(divisor).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Moments;
    use ndarray::Array2;
    use proptest::prelude::*;
    use robust_svm_core::data::{Scaler, Scaling};

    proptest! {
        /// As from all rows at once, to 1e−12 of the largest value.
        #[test]
        fn scalings_are_those_of_rows_in_memory(
            rows in 1_usize..400,
            values in prop::collection::vec(-1e3_f64..1e3, 1200),
            shift in prop::sample::select(vec![0.0, 1.0, -40.0]),
            constant in any::<bool>(),
        ) {
            let x = Array2::from_shape_fn((rows, 3), |(i, k)| match k {
                1 if constant => 2.5,
                _ => shift + values[3 * i + k],
            });
            let mut moments = Moments::new(3);
            x.outer_iter().for_each(|row| moments.add(row));
            for scaling in [Scaling::Standardize, Scaling::MinMax, Scaling::None] {
                let expected = Scaler::fit(x.view(), scaling);
                let mut medians = vec![0.0; 3];
                for (k, median) in expected.kept().iter().zip(expected.medians()) {
                    medians[*k] = *median;
                }
                let found = moments.scaler(scaling, &medians).unwrap();
                prop_assert_eq!(found.kept(), expected.kept());
                prop_assert_eq!(found.medians(), expected.medians());
                for (found, expected) in [
                    (found.offsets(), expected.offsets()),
                    (found.divisors(), expected.divisors()),
                ] {
                    for (a, b) in found.iter().zip(expected) {
                        prop_assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()) * 10.0, "{a} {b}");
                    }
                }
            }
        }
    }
}
