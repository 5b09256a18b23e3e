//! The sum of hinge losses as a function of the intercept, in one pass and a fixed amount of memory.

use crate::Intercept;

/// Values of the intercept in a unit.
const STEPS: f64 = 1024.0;
/// How many units to each side of the centre.
const REACH: usize = 2;
/// Bins between the values, and one on each side.
const BINS: usize = 2 * REACH * STEPS as usize + 2;

/// The losses `(1 − m_i − y_ib)_+ = (y_i(t_i − b))_+`, `t_i = y_i(1 − m_i)`, summed for all b of a grid at once (derived): the sum
/// over positive labels with t_i > b of t_i − b and over negative ones with t_i < b of b − t_i needs of the t_i between two
/// values of the grid but their number and sum. At the grid it is exact up to rounding.
pub(super) struct InterceptGrid {
    /// The least value of the grid.
    least: f64,
    /// Number and sum of the t_i − least of each bin, of the negative and of the positive class.
    bins: [Vec<(f64, f64)>; 2],
}

impl InterceptGrid {
    /// A grid around `centre`, which is on it.
    pub(super) fn around(centre: f64) -> Self {
        Self {
            least: centre - REACH as f64,
            bins: [vec![(0.0, 0.0); BINS], vec![(0.0, 0.0); BINS]],
        }
    }

    /// Adds the loss of a row with the margin m without the intercept.
    pub(super) fn add(&mut self, positive: bool, margin: f64) {
        let t = if positive { 1.0 - margin } else { margin - 1.0 } - self.least;
        // The bin k > 0 has the t in [k − 1, k) steps from the least value; what is not a number goes to the first.
        let bin = ((t * STEPS).floor() + 1.0).clamp(0.0, (BINS - 1) as f64) as usize;
        let (count, sum) = &mut self.bins[usize::from(positive)][bin];
        *count += 1.0;
        *sum += t;
    }

    /// The b of the grid with the least sum of losses and `λ/2 b²` where b is penalised, 0 without an intercept; and the
    /// sum of losses there, NaN if a margin was.
    pub(super) fn best(&self, rule: Intercept, lambda: f64) -> (f64, f64) {
        let mut losses = vec![0.0; BINS - 1];
        let [negative, positive] = &self.bins;
        let (mut count, mut sum) = (0.0, 0.0);
        for (k, bin) in negative[..BINS - 1].iter().enumerate() {
            (count, sum) = (count + bin.0, sum + bin.1);
            losses[k] += count * (k as f64 / STEPS) - sum;
        }
        (count, sum) = (0.0, 0.0);
        for (k, bin) in positive[1..].iter().enumerate().rev() {
            (count, sum) = (count + bin.0, sum + bin.1);
            losses[k] += sum - count * (k as f64 / STEPS);
        }
        if negative[0].1.is_nan() || positive[0].1.is_nan() {
            return (f64::NAN, f64::NAN);
        }
        let mut best = (f64::NAN, f64::NAN, f64::INFINITY);
        for (k, losses) in losses.into_iter().enumerate() {
            let b = self.least + k as f64 / STEPS;
            let value = losses + rule.regularisation(lambda, b);
            if value < best.2 && (rule != Intercept::None || b == 0.0) {
                best = (b, losses, value);
            }
        }
        (best.0, best.1)
    }
}

#[cfg(test)]
mod tests {
    use super::{InterceptGrid, REACH, STEPS};
    use crate::Intercept;
    use crate::certificate::{hinge_sum, intercept_of_margins};
    use ndarray::Array1;
    use proptest::prelude::*;

    proptest! {
        /// The sum is that of the definition at the b found, no b of the grid is better, and where the exact optimum is
        /// within reach it is better by no more than the losses change in a step.
        #[test]
        fn the_grid_has_the_sums_of_the_definition(
            mut rows in prop::collection::vec((-3.0..3.0_f64, any::<bool>()), 2..40),
            centre in -1.0..1.0_f64, log_lambda in -3.0..3.0_f64,
            rule in prop::sample::select(vec![Intercept::Free, Intercept::Penalised, Intercept::None]),
        ) {
            (rows[0].1, rows[1].1) = (true, false);
            let centre = if rule == Intercept::None { 0.0 } else { centre };
            let lambda = 10.0_f64.powf(log_lambda);
            let y: Array1<f64> = rows.iter().map(|r| if r.1 { 1.0 } else { -1.0 }).collect();
            let margins = || rows.iter().map(|r| r.0);
            let mut grid = InterceptGrid::around(centre);
            for (margin, positive) in &rows {
                grid.add(*positive, *margin);
            }
            let (b, losses) = grid.best(rule, lambda);
            let value = |b: f64| hinge_sum(margins(), y.view(), b) + rule.regularisation(lambda, b);
            let found = losses + rule.regularisation(lambda, b);
            prop_assert!((found - value(b)).abs() < 1e-10);
            if rule == Intercept::None {
                prop_assert_eq!(b, 0.0);
                return Ok(());
            }
            for k in -(2 * 1024)..=(2 * 1024) {
                prop_assert!(found <= value(centre + f64::from(k) / STEPS) + 1e-10);
            }
            let mut memory = vec![0.0; rows.len()];
            let exact = intercept_of_margins(margins(), y.view(), (rule, lambda), &mut memory);
            if (exact - centre).abs() < REACH as f64 {
                let slope = rows.len() as f64 + lambda * 3.0;
                prop_assert!(found <= value(exact) + slope / STEPS);
            }
        }
    }

    #[test]
    fn what_is_not_a_number_spoils_the_sum() {
        let mut grid = InterceptGrid::around(0.0);
        grid.add(true, 0.5);
        assert_eq!(grid.best(Intercept::None, 1.0), (0.0, 0.5));
        grid.add(false, f64::NAN);
        assert!(grid.best(Intercept::Free, 1.0).1.is_nan());
    }
}
