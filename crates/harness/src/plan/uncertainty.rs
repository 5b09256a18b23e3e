//! The section `[uncertainty]`, checked.

use super::{PlanError, Task};
use crate::spec::Spanned;
use crate::spec::{NormName, PerSample, Shape, SpecFile, UncertaintySpec};
use ndarray::{Array1, Array2};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
use std::ops::Range;

/// The uncertainty sets of an experiment, before the rows of a split are known.
#[derive(Debug, Clone, PartialEq)]
pub struct UncertaintyPlan {
    /// The norm p.
    pub norm: Norm,
    /// The shape around validation and test points, and around training points unless each has its own.
    pub shape: ShapePlan,
    /// How the sets vary between training points.
    pub per_sample: PerSample,
}

/// Where the shape Σ comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum ShapePlan {
    /// Σ = I.
    Identity,
    /// Σ^{1/2}'s diagonal, on the features of the data.
    Diagonal(Array1<f64>),
    /// Σ itself (n × n), on the features of the data.
    Matrix(Array2<f64>),
    /// Σ is the covariance of the scaled training rows over its mean eigenvalue.
    TrainingCovariance,
}

impl UncertaintyPlan {
    /// Sets of this norm and this kind of shape around two training points, for what is known of them
    /// before any split.
    pub(super) fn representative(&self) -> UncertaintySets {
        let set = |factor| UncertaintySet::new(self.norm, factor).expect("checked when planning");
        let diagonal = |scale| set(Factor::Diagonal(Array1::from_elem(1, scale)));
        if self.per_sample == PerSample::NearestNeighbourFeatures {
            let each = UncertaintySets::each(vec![diagonal(1.0), diagonal(2.0)]);
            return each.expect("two shapes of one norm and width");
        }
        let shared = match &self.shape {
            ShapePlan::Identity => set(Factor::Identity),
            ShapePlan::Diagonal(scales) => set(Factor::Diagonal(scales.clone())),
            ShapePlan::Matrix(_) | ShapePlan::TrainingCovariance => {
                set(Factor::Full(Array2::eye(1)))
            }
        };
        shared.into()
    }
}

/// All of the section but the levels, without a look at the data.
pub(super) fn check_uncertainty(
    file: &SpecFile,
    spec: &UncertaintySpec,
) -> Result<UncertaintyPlan, PlanError> {
    let shape = spec.shape.as_ref().map_or(Shape::Sphere, |s| *s.get_ref());
    check_keys_of_shape(file, spec, shape)?;
    let norm = check_norm(file, spec, shape)?;
    let shape = match shape {
        Shape::Sphere => ShapePlan::Identity,
        Shape::Box | Shape::Diagonal => match &spec.scales {
            Some(scales) => ShapePlan::Diagonal(check_scales(file, scales)?),
            None => ShapePlan::Identity,
        },
        Shape::Full => match &spec.matrix {
            Some(matrix) => ShapePlan::Matrix(check_matrix(file, norm, matrix)?),
            None => ShapePlan::TrainingCovariance,
        },
    };
    let per_sample = match &spec.per_sample {
        Some(rule) => check_per_sample(file, rule, spec.shape.as_ref())?,
        None => PerSample::Uniform,
    };
    Ok(UncertaintyPlan {
        norm,
        shape,
        per_sample,
    })
}

/// That the shape has the keys it needs, and no others.
fn check_keys_of_shape(
    file: &SpecFile,
    spec: &UncertaintySpec,
    shape: Shape,
) -> Result<(), PlanError> {
    let refuse = |span: Range<usize>, message: &str, help: String| {
        Err(PlanError::from(file.error_at(span, message, help)))
    };
    let with_scales = matches!(shape, Shape::Box | Shape::Diagonal);
    let full = shape == Shape::Full;
    let (scales, covariance, matrix) = (
        spec.scales.as_ref().map(Spanned::span),
        spec.covariance.as_ref().map(Spanned::span),
        spec.matrix.as_ref().map(Spanned::span),
    );
    for (key, span, fits, shapes) in [
        ("scales", &scales, with_scales, "\"diagonal\" or \"box\""),
        ("covariance", &covariance, full, "\"full\""),
        ("matrix", &matrix, full, "\"full\""),
    ] {
        if let (Some(span), false) = (span, fits) {
            let message = format!("`{key}` has no meaning for this shape");
            let help = format!("write shape = {shapes} or leave `{key}` out");
            return refuse(span.clone(), &message, help);
        }
    }
    let place = || spec.shape.as_ref().map_or(0..0, Spanned::span);
    match (shape, scales, covariance, matrix) {
        (Shape::Diagonal, None, _, _) => refuse(
            place(),
            "shape = \"diagonal\" needs `scales`",
            "scales = [...]: the diagonal of Σ^{1/2}, one number ≥ 0 a feature".into(),
        ),
        (Shape::Full, _, None, None) => refuse(
            place(),
            "shape = \"full\" needs `covariance` or `matrix`",
            "covariance = \"training\", or matrix = [[...], ...]: Σ, a row a feature".into(),
        ),
        (Shape::Full, _, Some(_), Some(matrix)) => refuse(
            matrix,
            "`covariance` and `matrix` are both there",
            "they are two ways to give Σ: leave one of them out".into(),
        ),
        _ => Ok(()),
    }
}

fn check_norm(file: &SpecFile, spec: &UncertaintySpec, shape: Shape) -> Result<Norm, PlanError> {
    let Some(written) = &spec.norm else {
        return Ok(match shape {
            Shape::Box => Norm::Infinity,
            _ => Norm::Two,
        });
    };
    match *written.get_ref() {
        NormName::Infinity => Ok(Norm::Infinity),
        _ if shape == Shape::Box => {
            let message = "shape = \"box\" is a set of norm infinity";
            let help = "leave `norm` out, or write shape = \"diagonal\" for this norm";
            Err(file.error_at(written.span(), message, help).into())
        }
        NormName::One => Ok(Norm::One),
        NormName::Two => Ok(Norm::Two),
    }
}

fn check_scales(file: &SpecFile, scales: &Spanned<Vec<f64>>) -> Result<Array1<f64>, PlanError> {
    let values = scales.get_ref();
    if let Some(bad) = values.iter().find(|s| !(s.is_finite() && **s >= 0.0)) {
        let message = format!("`scales` must be finite and at least 0, found {bad}");
        let help = "they are the diagonal of Σ^{1/2}";
        return Err(file.error_at(scales.span(), message, help).into());
    }
    Ok(values.iter().copied().collect())
}

fn check_matrix(
    file: &SpecFile,
    norm: Norm,
    matrix: &Spanned<Vec<Vec<f64>>>,
) -> Result<Array2<f64>, PlanError> {
    let refuse = |message: String, help: &str| {
        Err(PlanError::from(file.error_at(matrix.span(), message, help)))
    };
    let rows = matrix.get_ref();
    let n = rows.len();
    if let Some(i) = rows.iter().position(|row| row.len() != n) {
        let message = format!(
            "`matrix` has {n} rows, and row {} has {} entries",
            i + 1,
            rows[i].len()
        );
        return refuse(message, "it is square: a row and a column a feature");
    }
    let sigma = Array2::from_shape_fn((n, n), |(i, j)| rows[i][j]);
    match UncertaintySet::from_covariance(norm, sigma.view()) {
        Ok(_) => Ok(sigma),
        Err(error) => refuse(
            format!("`matrix` is no covariance matrix: {error}"),
            "it must be finite and symmetric, without a negative eigenvalue",
        ),
    }
}

fn check_per_sample(
    file: &SpecFile,
    rule: &Spanned<PerSample>,
    shape: Option<&Spanned<Shape>>,
) -> Result<PerSample, PlanError> {
    let own_shapes = *rule.get_ref() == PerSample::NearestNeighbourFeatures;
    if own_shapes && shape.is_some_and(|shape| *shape.get_ref() != Shape::Sphere) {
        let message = "\"nearest-neighbour-features\" gives each point a shape of its own";
        let help = "write shape = \"sphere\" or leave `shape` out";
        return Err(file.error_at(rule.span(), message, help).into());
    }
    Ok(*rule.get_ref())
}

/// That the shape is as wide as every dataset.
pub(super) fn check_width(
    file: &SpecFile,
    spec: &UncertaintySpec,
    plan: &UncertaintyPlan,
    tasks: &[Task],
) -> Result<(), PlanError> {
    let (width, written, span) = match (&plan.shape, &spec.scales, &spec.matrix) {
        (ShapePlan::Diagonal(scales), Some(key), _) => {
            let n = scales.len();
            (n, format!("`scales` has {n} entries"), key.span())
        }
        (ShapePlan::Matrix(sigma), _, Some(key)) => {
            let n = sigma.nrows();
            (n, format!("`matrix` is {n} × {n}"), key.span())
        }
        _ => return Ok(()),
    };
    for task in tasks {
        let n = task.loaded.data.features();
        if n != width {
            let message = format!("{written}, and dataset `{}` has {n} features", task.label);
            let help = "give one number a feature, and only datasets of that width";
            return Err(file.error_at(span, message, help).into());
        }
    }
    Ok(())
}
