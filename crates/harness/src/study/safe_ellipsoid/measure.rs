//! The numbers of a cell.

use super::prepare::{Noisy, Prepared};
use super::row::{Learnt, Measurement, TestErrors};
use super::select::Candidate;
use ndarray::{Array1, ArrayView1};
use robust_svm_core::metrics::error_rate;

/// What is told of `candidate` at `level`; `noisy` are the noisy copies of the test rows.
pub(super) fn measure(
    candidate: &Candidate,
    prepared: &Prepared,
    noisy: &Noisy,
    level: f64,
) -> Measurement {
    let [_, n_validation, _] = prepared.rows();
    let solution = &candidate.solution;
    let learnt = candidate.s.as_ref().map(|s| Learnt {
        log_volume: s.mapv(f64::ln).mean().unwrap_or(0.0),
        s_noisy: mean_over(s, &prepared.noisy, 1.0),
        s_clean: mean_over(s, &prepared.noisy, 0.0),
    });
    Measurement {
        lambda: candidate.lambda,
        objective: solution.objective,
        relative_gap: solution.relative_gap.value(),
        validation_loss: candidate.loss / n_validation as f64,
        learnt,
        descent: candidate.descent.map(|d| super::row::Descent {
            status: d.status.name().to_owned(),
            combined_gradient: d.combined_gradient,
            start_loss: d.start_loss / n_validation as f64,
            lower_solves: d.lower_solves as u32,
        }),
        errors: errors(candidate, prepared, noisy, level),
    }
}

/// Errors on the test rows.
fn errors(candidate: &Candidate, prepared: &Prepared, noisy: &Noisy, level: f64) -> TestErrors {
    let solution = &candidate.solution;
    let (w, b) = (&solution.zeta, solution.intercept);
    let test = prepared.test();
    let f = test.x().dot(w) + b;
    TestErrors {
        clean: error_rate(f.view(), test.y().view()),
        noisy: error_rate((noisy.x.dot(w) + b).view(), noisy.y.view()),
        robust: robust_error(&f, test.y(), w, &(&prepared.noisy * level)),
    }
}

/// The share of points with decision values `f` and labels `y` that are wrong at the worst input of the ellipsoid
/// `{diag(axes) u : ‖u‖₂ ≤ 1}`, which lowers `y f` of weights `w` by `‖axes∘w‖₂` [Couellan & Jan (4)].
fn robust_error(f: &Array1<f64>, y: &Array1<f64>, w: &Array1<f64>, axes: &Array1<f64>) -> f64 {
    let moved = axes * w;
    let margins = f * y - moved.dot(&moved).sqrt();
    error_rate(margins.view(), Array1::ones(margins.len()).view())
}

/// The mean of `s` over the features for which `noisy` is `kind`; none where there are none.
fn mean_over(s: &Array1<f64>, noisy: &Array1<f64>, kind: f64) -> Option<f64> {
    let chosen = s.iter().zip(noisy).filter(|(_, noisy)| **noisy == kind);
    let chosen: Vec<f64> = chosen.map(|(s, _)| *s).collect();
    ArrayView1::from(&chosen).mean()
}

#[cfg(test)]
mod tests {
    use super::{mean_over, robust_error};
    use ndarray::array;

    /// ‖(0.5·3, 0.5·4)‖ = 2.5, and 2 with the second axis alone.
    #[test]
    fn the_worst_input_of_an_ellipsoid() {
        let (f, y) = (array![2.6, -2.2, 1.9, -3.0], array![1.0, -1.0, 1.0, 1.0]);
        let error = |axes| robust_error(&f, &y, &array![3.0, 4.0], &axes);
        assert_eq!(error(array![0.5, 0.5]), 0.75);
        assert_eq!(error(array![0.0, 0.5]), 0.5);
        assert_eq!(error(array![0.0, 0.0]), 0.25);
    }

    #[test]
    fn means_over_features_of_a_kind() {
        let (s, noisy) = (array![1.0, 2.0, 4.0], array![1.0, 0.0, 1.0]);
        assert_eq!(mean_over(&s, &noisy, 1.0), Some(2.5));
        assert_eq!(mean_over(&s, &noisy, 0.0), Some(2.0));
        assert_eq!(mean_over(&s, &array![1.0, 1.0, 1.0], 0.0), None);
    }
}
