//! Imputation and scaling fitted on training rows only.

use crate::CoreError;
use crate::check::{check_finite, check_length};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// How features are brought to a common scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scaling {
    /// Mean 0 and standard deviation 1 (divisor L) on the training rows.
    Standardize,
    /// Training range onto [−1, 1].
    MinMax,
    /// As they are.
    None,
}

/// A fitted scaling: missing values become the training median, columns that are constant on the
/// training rows are dropped, and the rest is shifted and divided.
#[derive(Debug, Clone, PartialEq)]
pub struct Scaler {
    kept: Vec<usize>,
    medians: Array1<f64>,
    offset: Array1<f64>,
    divisor: Array1<f64>,
}

impl Scaler {
    /// Fits to the training rows `x` (L × n, NaN = missing).
    pub fn fit(x: ArrayView2<'_, f64>, scaling: Scaling) -> Self {
        let columns: Vec<(usize, Column)> = x
            .axis_iter(Axis(1))
            .enumerate()
            .filter_map(|(k, column)| Some((k, Column::fit(column, scaling)?)))
            .collect();
        Self {
            kept: columns.iter().map(|(k, _)| *k).collect(),
            medians: columns.iter().map(|(_, c)| c.median).collect(),
            offset: columns.iter().map(|(_, c)| c.offset).collect(),
            divisor: columns.iter().map(|(_, c)| c.divisor).collect(),
        }
    }

    /// The scaling with the parts of another: the columns kept, in increasing order, and for each its training
    /// median, what is subtracted and what is divided by.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if the columns are not increasing or a divisor is not positive,
    /// [`CoreError::Shape`] if the lengths differ, [`CoreError::NotFinite`] if a number is not finite.
    pub fn from_parts(
        kept: Vec<usize>,
        medians: Array1<f64>,
        offset: Array1<f64>,
        divisor: Array1<f64>,
    ) -> Result<Self, CoreError> {
        if let Some([a, b]) = kept.array_windows().find(|[a, b]| a >= b) {
            let found = format!("{a} before {b}");
            return Err(CoreError::parameter("columns kept", "increasing", found));
        }
        for (what, numbers) in [
            ("medians", &medians),
            ("offsets", &offset),
            ("divisors", &divisor),
        ] {
            check_length(what, kept.len(), numbers.len())?;
            check_finite(what, numbers.view().insert_axis(Axis(0)))?;
        }
        if let Some(bad) = divisor.iter().find(|d| **d <= 0.0) {
            return Err(CoreError::parameter("divisors", "positive", bad));
        }
        Ok(Self {
            kept,
            medians,
            offset,
            divisor,
        })
    }

    /// The training medians of the columns kept.
    pub fn medians(&self) -> ArrayView1<'_, f64> {
        self.medians.view()
    }

    /// What is subtracted from the columns kept.
    pub fn offsets(&self) -> ArrayView1<'_, f64> {
        self.offset.view()
    }

    /// What the columns kept are divided by.
    pub fn divisors(&self) -> ArrayView1<'_, f64> {
        self.divisor.view()
    }

    /// The columns that are not constant on the training rows, in increasing order.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Rows `x` (p × n, NaN = missing) imputed, without the dropped columns, and scaled.
    ///
    /// # Panics
    /// If `x` is narrower than the training rows.
    pub fn apply(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut scaled = x.select(Axis(1), &self.kept);
        for mut row in scaled.outer_iter_mut() {
            for (k, value) in row.iter_mut().enumerate() {
                if value.is_nan() {
                    *value = self.medians[k];
                }
                *value = (*value - self.offset[k]) / self.divisor[k];
            }
        }
        scaled
    }
}

/// The fit of one column.
struct Column {
    median: f64,
    offset: f64,
    divisor: f64,
}

impl Column {
    /// `None` if the column has fewer than two different values that are present.
    fn fit(column: ArrayView1<'_, f64>, scaling: Scaling) -> Option<Self> {
        let mut present: Vec<f64> = column.iter().copied().filter(|v| !v.is_nan()).collect();
        present.sort_unstable_by(f64::total_cmp);
        let (low, high) = (*present.first()?, *present.last()?);
        if low == high {
            return None;
        }
        let middle = present.len() / 2;
        let median = if present.len() % 2 == 1 {
            present[middle]
        } else {
            0.5 * (present[middle - 1] + present[middle])
        };
        let (offset, divisor) = match scaling {
            Scaling::Standardize => {
                // The moments of the imputed column, which is what the models see.
                let imputed = || column.iter().map(|v| if v.is_nan() { median } else { *v });
                let count = column.len() as f64;
                let mean = imputed().sum::<f64>() / count;
                let variance = imputed().map(|v| (v - mean) * (v - mean)).sum::<f64>() / count;
                (mean, variance.sqrt())
            }
            Scaling::MinMax => (0.5 * (low + high), 0.5 * (high - low)),
            Scaling::None => (0.0, 1.0),
        };
        Some(Self {
            median,
            offset,
            divisor,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Scaler, Scaling};
    use approx::assert_relative_eq;
    use ndarray::{Array1, array};

    #[test]
    fn standardizing_a_hand_worked_case() {
        let train = array![
            [1.0, 7.0, 0.0],
            [3.0, 7.0, f64::NAN],
            [5.0, 7.0, 2.0],
            [f64::NAN, 7.0, 4.0]
        ];
        let scaler = Scaler::fit(train.view(), Scaling::Standardize);
        assert_eq!(scaler.kept(), [0, 2]);
        // Column 0 imputed is 1, 3, 5, 3: mean 3, variance 2. Column 2: 0, 2, 2, 4.
        let scaled = scaler.apply(array![[5.0, 9.0, f64::NAN]].view());
        assert_relative_eq!(scaled, array![[2.0_f64.sqrt(), 0.0]], epsilon = 1e-15);
    }

    #[test]
    fn min_max_maps_the_training_range_onto_plus_minus_one() {
        let train = array![[0.0], [10.0], [4.0]];
        let scaler = Scaler::fit(train.view(), Scaling::MinMax);
        assert_eq!(
            scaler.apply(array![[0.0], [10.0], [20.0]].view()),
            array![[-1.0], [1.0], [3.0]]
        );
    }

    #[test]
    fn parts_make_the_scaling_they_come_from() {
        let x = array![[1.0, 5.0, f64::NAN], [2.0, 5.0, 3.0], [4.0, 5.0, 9.0]];
        let scaler = Scaler::fit(x.view(), Scaling::Standardize);
        let numbers = [scaler.medians(), scaler.offsets(), scaler.divisors()];
        let parts = |kept: &[usize], [m, o, d]: [Array1<f64>; 3]| {
            Scaler::from_parts(kept.to_vec(), m, o, d)
        };
        let owned = || numbers.map(|n| n.to_owned());
        assert_eq!(parts(scaler.kept(), owned()).unwrap(), scaler);
        let [m, o, d] = owned();
        assert!(parts(&[2, 0], owned()).is_err());
        assert!(parts(&[0], owned()).is_err());
        assert!(parts(&[0, 2], [m.clone(), o.clone(), 0.0 * &d]).is_err());
        assert!(parts(&[0, 2], [m * f64::NAN, o, d]).is_err());
    }
}
