//! What the paper's own bounds certify of a trained model, for comparison.

use ndarray::{ArrayView1, ArrayView2, Axis};
use robust_svm_bounds::{BoundError, FeatureBound, MapKind, bounds_for};
use robust_svm_core::model::{FeatureModel, Model};
use robust_svm_core::uncertainty::UncertaintySet;

/// The bounds of Couellan & Jan, Prop. 4.1 and 4.2, at every p̄.
const NAMES: [&str; 3] = ["paper", "paper-1", "paper-inf"];

/// Whether `y f(x) − Γ_i ‖A_i ζ‖_q̄ > 0` at each row of `x` (p × n), Γ and A by the best of the paper's bounds at
/// the row [Couellan & Jan, Prop. 4.1, 4.2]; `margins` are `y f(x)` (p). `None` where the paper has no bound:
/// exact kernels, phased features, Nyström features with p ≠ 2, radii that overflow.
///
/// # Errors
/// Those of a bound, but for that it does not hold here.
pub(super) fn verdicts(
    model: &Model,
    set: &UncertaintySet,
    level: f64,
    x: ArrayView2<'_, f64>,
    margins: ArrayView1<'_, f64>,
) -> Result<Option<Vec<bool>>, BoundError> {
    let Model::Feature(model) = model else {
        return Ok(None);
    };
    // Points that no bound has certified so far.
    let mut open: Vec<usize> = (0..x.nrows()).collect();
    let mut holds = false;
    let kind = MapKind::of(&model.features);
    for bound in bounds_for(kind).filter(|bound| NAMES.contains(&bound.name())) {
        if let Some(still) = left_open(bound, model, set, level, x, margins, &open)? {
            (open, holds) = (still, true);
        }
    }
    let mut verdicts = vec![true; x.nrows()];
    for point in open {
        verdicts[point] = false;
    }
    Ok(holds.then_some(verdicts))
}

/// Those of the points `open` that `bound` does not certify; `None` where it does not hold.
fn left_open(
    bound: &dyn FeatureBound,
    model: &FeatureModel,
    set: &UncertaintySet,
    level: f64,
    x: ArrayView2<'_, f64>,
    margins: ArrayView1<'_, f64>,
    open: &[usize],
) -> Result<Option<Vec<usize>>, BoundError> {
    let rows = x.select(Axis(0), open);
    match bound.penalty(&model.features, &set.into(), rows.view(), level) {
        Ok(penalty) => {
            let losses = penalty.losses(model.zeta.view());
            let points = open.iter().copied().zip(losses);
            let is_open = |&(point, loss): &(usize, f64)| {
                let left = margins[point] - loss;
                // A number that is none certifies nothing.
                left <= 0.0 || left.is_nan()
            };
            Ok(Some(points.filter(is_open).map(|(i, _)| i).collect()))
        }
        Err(BoundError::NotValid { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
