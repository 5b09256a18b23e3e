//! The interior-point method on rows in blocks.

use super::samples::StreamSamples;
use super::{Radii, StreamError, StreamProblem};
use crate::{InteriorPointSettings, Problem, Solution, solve};
use ndarray::Array1;
use robust_svm_core::penalty::FeaturePenalty;

/// [`solve`] on rows in blocks: the same method, to the same certified gap, in which every product by the features is a pass
/// over the source that makes them anew.
///
/// Memory holds some 260 bytes a row, for the iterates and their like, and (D + 2)² numbers; never Φ. An iteration takes 8 to 13
/// passes: one for the weighted Gram matrix, block by block; one for both products at the iterate; two for each of its
/// directions and one for each round of refinement; and one or two for the certificate. The bits are those of one thread whatever `parallel`
/// is, but not those of the features in memory, as sums are cut elsewhere.
///
/// # Errors
/// [`StreamError::Source`] and [`StreamError::Contract`] for what the source does, whenever it does it;
/// [`StreamError::Solver`] for what [`solve`] and [`Problem::new`] refuse. A solve that does not reach the tolerance is not an error.
pub fn solve_stream(
    problem: &StreamProblem<'_>,
    settings: &InteriorPointSettings,
) -> Result<Solution, StreamError> {
    settings.check()?;
    let mut y = Array1::zeros(problem.rows());
    let order: Vec<usize> = (0..problem.source().blocks()).collect();
    problem.read(&order, &mut |block| {
        for (row, label) in (block.first_row..).zip(block.y) {
            y[row] = f64::from(*label);
        }
        Ok(())
    })?;
    let penalty = FeaturePenalty {
        radii: match problem.radii() {
            Radii::Equal(radius) => Array1::from_elem(problem.rows(), radius),
            Radii::Each(radii) => radii.iter().map(|radius| f64::from(*radius)).collect(),
        },
        matrix: problem.matrix().clone(),
    };
    let samples = StreamSamples::new(*problem);
    let solution = Problem::new(&samples, y.view(), &penalty, problem.lambda())
        .and_then(|conic| solve(&conic.with_intercept(problem.intercept()), settings));
    match samples.into_failure() {
        Some(failure) => Err(failure),
        None => Ok(solution?),
    }
}
