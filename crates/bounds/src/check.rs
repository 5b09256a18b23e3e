//! Checks of what callers hand in: the numerical code behind them may then rely on shapes and ranges.

use ndarray::{ArrayView1, ArrayView2};
use robust_svm_core::CoreError;
use robust_svm_core::features::FeatureMap;
use robust_svm_core::model::Model;
use robust_svm_core::uncertainty::{Factor, UncertaintySet, UncertaintySets};

/// That `found` is `expected`.
pub(crate) fn length(what: &'static str, expected: usize, found: usize) -> Result<(), CoreError> {
    if expected == found {
        Ok(())
    } else {
        Err(CoreError::Shape {
            what,
            expected,
            found,
        })
    }
}

/// That the rows of `x` are `n` wide and finite.
pub(crate) fn inputs(x: ArrayView2<'_, f64>, n: usize) -> Result<(), CoreError> {
    length("width of the inputs", n, x.ncols())?;
    match x.indexed_iter().find(|(_, v)| !v.is_finite()) {
        Some(((row, column), _)) => Err(CoreError::NotFinite {
            what: "inputs",
            row,
            column,
        }),
        None => Ok(()),
    }
}

/// That there are `points` labels, each −1 or +1.
pub(crate) fn labels(y: ArrayView1<'_, f64>, points: usize) -> Result<(), CoreError> {
    length("labels", points, y.len())?;
    match y.iter().find(|y| y.abs() != 1.0) {
        Some(label) => Err(CoreError::parameter("labels", "−1 or +1", label)),
        None => Ok(()),
    }
}

/// That `gamma` is a size of an uncertainty set.
pub(crate) fn size(gamma: f64) -> Result<(), CoreError> {
    if gamma.is_finite() && gamma >= 0.0 {
        Ok(())
    } else {
        Err(CoreError::parameter("gamma", "finite and ≥ 0", gamma))
    }
}

/// That `gamma` and every `γ g_i` are sizes.
pub(crate) fn sizes(sets: &UncertaintySets, gamma: f64) -> Result<(), CoreError> {
    size(gamma)?;
    sets.sizes()
        .into_iter()
        .flatten()
        .try_for_each(|g| size(gamma * g))
}

/// That `set` is one of `R^n`.
pub(crate) fn set(set: &UncertaintySet, n: usize) -> Result<(), CoreError> {
    match set.factor() {
        Factor::Identity => Ok(()),
        Factor::Diagonal(scales) => length("scales of the uncertainty set", n, scales.len()),
        Factor::Full(f) => length("factor of the uncertainty set", n, f.nrows()),
    }
}

/// That the shapes of `sets` are ones of `R^n`.
pub(crate) fn shapes(sets: &UncertaintySets, n: usize) -> Result<(), CoreError> {
    sets.shapes().iter().try_for_each(|shape| set(shape, n))
}

/// That the weights of `model` fit its features and are finite; returns n.
pub(crate) fn model(model: &Model) -> Result<usize, CoreError> {
    let (n, weights, intercept) = match model {
        Model::Feature(model) => {
            length("weights ζ", model.features.dim(), model.zeta.len())?;
            let zeta = model.zeta.view();
            (model.features.input_dim(), zeta, model.intercept)
        }
        Model::Kernel(model) => (
            model.centres().ncols(),
            model.coefficients(),
            model.intercept(),
        ),
        Model::Radial(model) => (
            model.centres().ncols(),
            model.coefficients(),
            model.intercept(),
        ),
    };
    if let Some(row) = weights.iter().position(|w| !w.is_finite()) {
        return Err(CoreError::NotFinite {
            what: "weights of the model",
            row,
            column: 0,
        });
    }
    if !intercept.is_finite() {
        return Err(CoreError::parameter("intercept", "finite", intercept));
    }
    Ok(n)
}
