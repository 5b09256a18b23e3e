//! The errors on the rows held out.

use super::row_file::RowFile;
use super::train::StreamTrainError;
use crate::modelling::in_order::in_order;
use crate::modelling::train::PartErrors;
use ndarray::{Array1, Array2};
use robust_svm_bounds::certify::Certifier;
use robust_svm_core::model::Model;
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::stream::BlockSource as _;

/// Clean error of `model`, and what is certified at γ = `gamma`, on all rows of `file`; `None` if it has none.
pub(super) fn errors(
    model: &Model,
    set: &UncertaintySet,
    gamma: f64,
    file: &RowFile,
) -> Result<Option<PartErrors>, StreamTrainError> {
    let rows = file.rows();
    if rows == 0 {
        return Ok(None);
    }
    let certifier = Certifier::new(model, set).map_err(StreamTrainError::numerical)?;
    let mut open = file.open()?;
    let mut next = 0;
    let (mut right, mut certified) = (0, 0);
    in_order::<_, _, StreamTrainError>(
        || {
            if next == file.blocks() {
                return Ok(None);
            }
            let mut numbers = Vec::new();
            file.load(&mut open, next, &mut numbers)?;
            next += 1;
            Ok(Some((next - 1, numbers)))
        },
        |(index, numbers): (usize, Vec<f32>)| {
            let block = file.block(index, &numbers);
            let x: Array2<f64> = block.x.mapv(f64::from);
            let y: Array1<f64> = block.y.mapv(f64::from);
            let points = certifier.points(x.view(), y.view());
            let points = points.map_err(StreamTrainError::numerical)?;
            let right = points.margins().iter().filter(|m| **m > 0.0).count();
            let certified = points.verdicts(gamma).iter().filter(|v| **v).count();
            Ok((right, certified))
        },
        |of_block: (usize, usize)| {
            right += of_block.0;
            certified += of_block.1;
            Ok(())
        },
    )?;
    let wrong = |right: usize| 1.0 - right as f64 / rows as f64;
    Ok(Some(PartErrors {
        rows,
        clean: wrong(right),
        certified: wrong(certified),
    }))
}
