//! The attack on a model of any kind.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Zip};
use rand::Rng;
use robust_svm_core::features::Features;
use robust_svm_core::metrics::error_rate;
use robust_svm_core::model::{DecisionFunction, Model};
use robust_svm_core::uncertainty::UncertaintySets;

use super::margin::Margin;
use super::{AttackOptions, linear, search};
use crate::{BoundError, check};

/// What an attack found.
#[derive(Debug, Clone, PartialEq)]
pub struct Attack {
    /// A perturbation δ of each point, as rows (p × n).
    pub perturbations: Array2<f64>,
    /// `y f(x+δ)` of each point, never above `y f(x)`. A point's search ends at the first margin ≤ 0.
    pub margins: Array1<f64>,
}

impl Attack {
    /// The attacked error: the share of points with margin ≤ 0, in [0, 1], never above the robust error;
    /// NaN for no points.
    pub fn error(&self) -> f64 {
        error_rate(self.margins.view(), Array1::ones(self.margins.len()).view())
    }
}

/// Searches the sets of size `gamma · g_i` around the rows of `x` (p × n) with labels `y` (p) in {−1, +1} for the
/// perturbations that lower `y f(x+δ)` most; δ = 0 is always a candidate.
///
/// Projected gradient descent from several starts, drawn from `rng` for every point in order; for linear
/// models the closed form, with the certificate's margins, so that attacked and certified errors are
/// equal.
///
/// # Errors
/// [`BoundError::Core`] for shapes that disagree, inputs or weights that are not finite, labels other than
/// ±1 and sizes that are negative or not finite.
pub fn attack(
    model: &Model,
    sets: &UncertaintySets,
    gamma: f64,
    x: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    options: AttackOptions,
    rng: &mut impl Rng,
) -> Result<Attack, BoundError> {
    let n = check::model(model)?;
    check::inputs(x, n)?;
    sets.check(x.nrows(), n)?;
    check::labels(y, x.nrows())?;
    check::sizes(sets, gamma)?;
    if let Model::Feature(model_in_features) = model
        && let Features::Identity(_) = model_in_features.features
    {
        return Ok(Attack {
            perturbations: linear::perturbations(model_in_features.zeta.view(), sets, gamma, y),
            margins: linear::margins(model, sets, gamma, x, y)?,
        });
    }
    let found = if gamma == 0.0 {
        Array2::zeros(x.raw_dim())
    } else {
        let objective = Margin {
            model,
            y: y.reborrow(),
        };
        search::perturbations(&objective, sets, gamma, x, options, rng)
    };
    Ok(measured(model, x, y, found))
}

/// The margins of the perturbations `found`, evaluated anew; δ = 0 where that is no worse.
fn measured(
    model: &Model,
    x: ArrayView2<'_, f64>,
    y: ArrayView1<'_, f64>,
    found: Array2<f64>,
) -> Attack {
    let clean = model.decision(x) * y;
    let mut margins = model.decision((&x + &found).view()) * y;
    let mut perturbations = found;
    Zip::from(&mut margins)
        .and(perturbations.rows_mut())
        .and(&clean)
        .for_each(|margin, mut δ, &clean| {
            if clean <= *margin {
                *margin = clean;
                δ.fill(0.0);
            }
        });
    Attack {
        perturbations,
        margins,
    }
}
