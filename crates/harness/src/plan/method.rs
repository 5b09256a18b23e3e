//! Methods: features × bound × solver, checked against each other.

use super::PlanError;
use crate::source_error::nearest_name;
use crate::spec::{
    ChooseName, FrequenciesName, MapName, MethodSpec, OneOrMany, SolverName, SpecFile,
};
use robust_svm_bounds::rff::FeatureNorm;
use robust_svm_bounds::{BoundError, FeatureBound, MapKind, all_names, bounds_for, find};
use robust_svm_core::uncertainty::UncertaintySets;
use std::ops::Range;
use toml::Spanned;

/// The most features or landmarks: more do not fit into memory.
pub(crate) const MAX_SIZE: usize = 1_000_000;

/// A validated method.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodPlan {
    /// The name in tables and plots.
    pub name: String,
    /// The feature map.
    pub map: MapPlan,
    /// The bound trained with; nominal without.
    pub bound: Option<&'static dyn FeatureBound>,
    /// The solver.
    pub solver: SolverName,
    /// Trains at this level whatever the evaluation level.
    pub fixed_train_level: Option<f64>,
    /// Cells with more training rows are skipped.
    pub max_train_rows: Option<usize>,
}

/// A feature map and its part of the selection grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MapPlan {
    /// φ(x) = x.
    Identity,
    /// Random Fourier features, D in increasing order.
    Rff {
        /// D.
        dims: Vec<usize>,
        /// How the frequencies are drawn.
        frequencies: FrequenciesName,
    },
    /// Nyström features, m in increasing order.
    Nystrom {
        /// m.
        landmarks: Vec<usize>,
        /// How the landmarks are chosen.
        choose: ChooseName,
    },
    /// The exact Gaussian kernel.
    ExactKernel,
}

impl MethodPlan {
    /// The level the model evaluated at `level` is trained at: 0 for nominal methods.
    pub fn train_level(&self, level: f64) -> f64 {
        match self.bound {
            None => 0.0,
            Some(_) => self.fixed_train_level.unwrap_or(level),
        }
    }

    /// Checks one `[[method]]` of `file`.
    pub(super) fn check(file: &SpecFile, spec: &MethodSpec) -> Result<Self, PlanError> {
        let map = check_map(file, spec)?;
        let bound = check_bound(file, spec)?;
        check_solver(file, spec)?;
        if let Some(level) = &spec.train_level {
            let value = *level.get_ref();
            if !(value.is_finite() && value >= 0.0) {
                return Err(file
                    .error_at(
                        level.span(),
                        format!("`train_level` must be at least 0, found {value}"),
                        "levels are γ in units of the scaled features",
                    )
                    .into());
            }
            if bound.is_none() {
                return Err(file
                    .error_at(
                        level.span(),
                        "`train_level` needs a `bound`",
                        "a method without a bound is nominal: it is trained at level 0",
                    )
                    .into());
            }
        }
        Ok(Self {
            name: spec.name.get_ref().clone(),
            map,
            bound,
            solver: *spec.solver.get_ref(),
            // Adding 0.0 makes −0.0 equal to 0.0, in cell ids too.
            fixed_train_level: spec.train_level.as_ref().map(|l| *l.get_ref() + 0.0),
            max_train_rows: spec.max_train_rows.as_ref().map(|rows| *rows.get_ref()),
        })
    }

    /// Checks that the bound holds for `sets`, the sets trained on; `spec` is the method's section of `file`.
    pub(super) fn check_sets(
        &self,
        file: &SpecFile,
        spec: &MethodSpec,
        sets: &UncertaintySets,
    ) -> Result<(), PlanError> {
        let (Some(bound), Some(written)) = (self.bound, &spec.bound) else {
            return Ok(());
        };
        bound.holds_for(sets).map_err(|error| {
            let help = match error {
                BoundError::NotValid { reason, .. } => reason,
                BoundError::Core(error) => error.to_string(),
            };
            let name = bound.name();
            let message = format!("bound `{name}` does not hold for these uncertainty sets");
            file.error_at(written.span(), message, help).into()
        })
    }
}

fn check_map(file: &SpecFile, spec: &MethodSpec) -> Result<MapPlan, PlanError> {
    let features = &spec.features;
    let name = *features.map.get_ref();
    let needs = |key: &str, example: &str| -> PlanError {
        file.error_at(
            features.map.span(),
            format!("this map needs `{key}`"),
            format!("for example {key} = {example}"),
        )
        .into()
    };
    let unused = |key: &str, span: Option<Range<usize>>| match span {
        Some(span) => Err(PlanError::from(file.error_at(
            span,
            format!("`{key}` has no meaning for this map"),
            format!("leave `{key}` out"),
        ))),
        None => Ok(()),
    };
    let of_rff = || {
        unused("dim", features.dim.as_ref().map(Spanned::span))?;
        unused(
            "frequencies",
            features.frequencies.as_ref().map(Spanned::span),
        )
    };
    let of_nystrom = || {
        unused("landmarks", features.landmarks.as_ref().map(Spanned::span))?;
        unused("choose", features.choose.as_ref().map(Spanned::span))
    };
    match name {
        MapName::Identity | MapName::ExactKernel => {
            of_rff()?;
            of_nystrom()?;
            Ok(if name == MapName::Identity {
                MapPlan::Identity
            } else {
                MapPlan::ExactKernel
            })
        }
        MapName::Rff => {
            of_nystrom()?;
            let dim = features.dim.as_ref().ok_or_else(|| needs("dim", "256"))?;
            let dims = check_sizes(file, "dim", dim)?;
            if let Some(odd) = dims.iter().find(|d| !d.is_multiple_of(2)) {
                return Err(file
                    .error_at(
                        dim.span(),
                        format!("`dim` must be even, found {odd}"),
                        "random Fourier features come in pairs of a cosine and a sine",
                    )
                    .into());
            }
            Ok(MapPlan::Rff {
                dims,
                frequencies: name_or_default(features.frequencies.as_ref()),
            })
        }
        MapName::Nystrom => {
            of_rff()?;
            let landmarks = features
                .landmarks
                .as_ref()
                .ok_or_else(|| needs("landmarks", "128"))?;
            Ok(MapPlan::Nystrom {
                landmarks: check_sizes(file, "landmarks", landmarks)?,
                choose: name_or_default(features.choose.as_ref()),
            })
        }
    }
}

/// The name written, or the one that stands where none is.
fn name_or_default<T: Copy + Default>(name: Option<&Spanned<T>>) -> T {
    name.map_or_else(T::default, |name| *name.get_ref())
}

/// Sizes in increasing order; an error unless there is one and all are positive and different.
fn check_sizes(
    file: &SpecFile,
    key: &str,
    sizes: &Spanned<OneOrMany>,
) -> Result<Vec<usize>, PlanError> {
    let mut sorted = sizes.get_ref().as_slice().to_vec();
    sorted.sort_unstable();
    let distinct = sorted.windows(2).all(|pair| pair[0] < pair[1]);
    if sorted.first().is_none_or(|smallest| *smallest == 0) || !distinct {
        let message = format!("`{key}` must be positive, or a list of different positive numbers");
        let help = format!("for example {key} = 128 or {key} = [64, 128]");
        return Err(file.error_at(sizes.span(), message, help).into());
    }
    if let Some(largest) = sorted.last().filter(|size| **size > MAX_SIZE) {
        let message = format!("`{key}` must be at most {MAX_SIZE}, found {largest}");
        let help = format!("use {MAX_SIZE} or less");
        return Err(file.error_at(sizes.span(), message, help).into());
    }
    Ok(sorted)
}

fn check_bound(
    file: &SpecFile,
    spec: &MethodSpec,
) -> Result<Option<&'static dyn FeatureBound>, PlanError> {
    let Some(written) = &spec.bound else {
        return Ok(None);
    };
    let kind = match spec.features.map.get_ref() {
        MapName::Identity => Some(MapKind::Identity),
        MapName::Rff => Some(MapKind::Rff),
        MapName::Nystrom => Some(MapKind::Nystrom),
        MapName::ExactKernel => None,
    };
    let name = written.get_ref();
    let refuse = |message: String, help: String| {
        Err(PlanError::from(file.error_at(
            written.span(),
            message,
            help,
        )))
    };
    // The interior-point method solves p̄ = 2 only.
    let solved = |bound: &&dyn FeatureBound| bound.norm() == FeatureNorm::Two;
    let bounds = || kind.into_iter().flat_map(bounds_for).filter(solved);
    let Some(bound) = kind.and_then(|kind| find(name, kind)) else {
        let help = match nearest_name(name, bounds().map(FeatureBound::name)) {
            _ if kind.is_none() => {
                "the exact kernel is trained without uncertainty here: leave `bound` out".to_owned()
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("bounds of this map: {}", listed(bounds())),
        };
        let message = if all_names().contains(&name.as_str()) {
            format!("bound `{name}` does not hold for this feature map")
        } else {
            format!("unknown bound `{name}`")
        };
        return refuse(message, help);
    };
    if !solved(&bound) {
        let message = format!("bound `{name}` is in a norm that the solver does not take");
        let help = format!("solver `interior-point` solves p̄ = 2: {}", listed(bounds()));
        return refuse(message, help);
    }
    Ok(Some(bound))
}

/// The names of `bounds` in a row.
pub(crate) fn listed<'a>(bounds: impl Iterator<Item = &'a dyn FeatureBound>) -> String {
    let names: Vec<&str> = bounds.map(FeatureBound::name).collect();
    names.join(", ")
}

fn check_solver(file: &SpecFile, spec: &MethodSpec) -> Result<(), PlanError> {
    let needed = match spec.features.map.get_ref() {
        MapName::ExactKernel => SolverName::LinfaSvm,
        _ => SolverName::InteriorPoint,
    };
    if *spec.solver.get_ref() == needed {
        return Ok(());
    }
    Err(file
        .error_at(
            spec.solver.span(),
            format!(
                "solver `{}` does not solve models on this feature map",
                spec.solver.get_ref().name()
            ),
            format!("write solver = \"{}\"", needed.name()),
        )
        .into())
}
