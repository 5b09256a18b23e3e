//! Feature maps, checked.

use super::PlanError;
use crate::spec::Spanned;
use crate::spec::{
    ChooseName, FeaturesSpec, FormName, FrequenciesName, MapName, MethodSpec, OneOrMany, SpecFile,
};
use std::ops::Range;

/// The most features or landmarks: more do not fit into memory.
pub(crate) const MAX_SIZE: usize = 1_000_000;

/// A feature map and its part of the selection grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MapPlan {
    /// φ(x) = x.
    Identity,
    /// Random Fourier features, D in increasing order.
    Rff {
        /// D.
        dims: Vec<usize>,
        /// A cosine and a sine of each frequency, or a cosine at a random phase.
        form: FormName,
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

impl MapPlan {
    /// Whether each of its frequencies is normal, if it has any.
    pub(super) fn has_normal_frequencies(&self) -> bool {
        let structured = FrequenciesName::Structured;
        !matches!(self, Self::Rff { frequencies, .. } if *frequencies == structured)
    }

    /// The most frequencies of the map's random Fourier features; `None` for other maps.
    pub fn frequencies(&self) -> Option<usize> {
        match self {
            Self::Rff { dims, form, .. } => dims.last().map(|dim| match form {
                FormName::Paired => dim / 2,
                FormName::Phased => *dim,
            }),
            _ => None,
        }
    }
}

pub(super) fn check_map(file: &SpecFile, spec: &MethodSpec) -> Result<MapPlan, PlanError> {
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
        unused("form", features.form.as_ref().map(Spanned::span))?;
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
            check_rff(file, features, dim)
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

fn check_rff(
    file: &SpecFile,
    features: &FeaturesSpec,
    dim: &Spanned<OneOrMany>,
) -> Result<MapPlan, PlanError> {
    let dims = check_sizes(file, "dim", dim)?;
    let form = name_or_default(features.form.as_ref());
    let frequencies = name_or_default(features.frequencies.as_ref());
    match (form, dims.iter().find(|d| !d.is_multiple_of(2))) {
        (FormName::Paired, Some(odd)) => {
            let message = format!("`dim` must be even, found {odd}");
            let help = "paired random Fourier features come in pairs of a cosine and a sine; write \
                        form = \"phased\" for an odd number";
            Err(file.error_at(dim.span(), message, help).into())
        }
        (FormName::Phased, _) if frequencies == FrequenciesName::Structured => {
            let span = features.frequencies.as_ref().map_or(0..0, Spanned::span);
            let message = "structured frequencies are for the paired form";
            let help = "write form = \"paired\", or frequencies = \"orthogonal\"";
            Err(file.error_at(span, message, help).into())
        }
        _ => Ok(MapPlan::Rff {
            dims,
            form,
            frequencies,
        }),
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
