//! The families by their files.

use super::{Fitted, embedded, kernel_machines, margin, measured, neighbours, projections, tree};
use crate::run::failure::Failure;
use crate::study::classifiers::plan_method::{Family, Method};
use crate::study::classifiers::prepare::Prepared;

/// The best of `method`'s grid on `prepared`, trained for `level` where it is of a level.
pub(in crate::study::classifiers) fn fit(
    method: &Method,
    prepared: &Prepared,
    level: f64,
) -> Result<Fitted, Failure> {
    match &method.family {
        Family::Neighbours { k } => neighbours::fit(*k, prepared),
        Family::Embedding(embedding) => embedded::fit(embedding, prepared, level),
        Family::Projection { name, dims, k } => {
            projections::fit(*name, dims.on(&prepared.label), *k, prepared)
        }
        Family::Svm {
            kernels,
            lambdas,
            one_vs_all,
        } => kernel_machines::svm(kernels, lambdas, *one_vs_all, prepared),
        Family::Ridge { kernels, lambdas } => kernel_machines::ridge(kernels, lambdas, prepared),
        Family::Tree { depths } => tree::fit(depths, prepared),
        Family::Margin {
            map,
            lambdas,
            robust,
        } => margin::fit(map, lambdas, *robust, prepared, level),
        Family::Measure {
            kernels,
            lambdas,
            features,
        } => measured::fit(kernels, lambdas, *features, prepared, level),
    }
}
