//! The numbers of a cell.

use super::attack::Candidates;
use super::confusion::Confusion;
use super::method::Fitted;
use super::noise::copies;
use super::plan::{CellAxes, NoisePlan};
use super::prepare::Prepared;
use super::risk::bounds;
use super::row::Measurement;
use super::spec_noise::NoiseKind;
use crate::run::failure::Failure;
use ndarray::ArrayBase;

/// What is told of `fitted` under the noise of `axes`; `candidates` are the worst-case perturbations at its level.
pub(super) fn measure(
    fitted: &Fitted,
    axes: CellAxes,
    prepared: &Prepared,
    noise: &NoisePlan,
    candidates: Option<&Candidates>,
) -> Result<Measurement, Failure> {
    let test = &prepared.test;
    let mut confusion = Confusion::new(test.classes());
    match (axes.noise, candidates) {
        (NoiseKind::WorstCase, Some(candidates)) => {
            let predicted = candidates.worst(&*fitted.classifier, prepared)?;
            confusion.count(test.labels(), &predicted);
        }
        (NoiseKind::WorstCase, None) => {
            return Err(Failure::failed("no perturbation was searched for"));
        }
        (kind, _) => {
            let copies = copies(kind, axes.level, prepared, noise);
            let x = copies
                .as_ref()
                .map_or_else(|| test.x().view(), ArrayBase::view);
            let predicted = fitted.classifier.predict(x)?;
            for predicted in predicted.chunks(test.rows()) {
                confusion.count(test.labels(), predicted);
            }
        }
    }
    Ok(Measurement {
        chosen: fitted.chosen.clone(),
        validation_accuracy: fitted.validation_accuracy,
        accuracy: confusion.accuracy(),
        confusion,
        bounds: bounds(fitted, prepared)?,
    })
}
