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

/// Errors on the test rows. The worst input of the ellipsoid `{level · diag(m) u : ‖u‖₂ ≤ 1}`, m the features that the
/// noise sits on, lowers `y f` by `level ‖m∘w‖₂` [Couellan & Jan (4)]: the robust error is exact.
fn errors(candidate: &Candidate, prepared: &Prepared, noisy: &Noisy, level: f64) -> TestErrors {
    let solution = &candidate.solution;
    let (w, b) = (&solution.zeta, solution.intercept);
    let test = prepared.test();
    let f = test.x().dot(w) + b;
    let moved = &prepared.noisy * w;
    let worst = level * moved.dot(&moved).sqrt();
    let margins = &f * test.y() - worst;
    let ones = Array1::ones(margins.len());
    TestErrors {
        clean: error_rate(f.view(), test.y().view()),
        noisy: error_rate((noisy.x.dot(w) + b).view(), noisy.y.view()),
        robust: error_rate(margins.view(), ones.view()),
    }
}

/// The mean of `s` over the features for which `noisy` is `kind`; none where there are none.
fn mean_over(s: &Array1<f64>, noisy: &Array1<f64>, kind: f64) -> Option<f64> {
    let chosen = s.iter().zip(noisy).filter(|(_, noisy)| **noisy == kind);
    let chosen: Vec<f64> = chosen.map(|(s, _)| *s).collect();
    ArrayView1::from(&chosen).mean()
}
