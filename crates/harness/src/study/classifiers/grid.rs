//! Grids of kernels and counts.

use super::spec_method::KernelSpec;
use crate::plan::PlanError;
use crate::plan::numbers::{Allowed, check_numbers};
use crate::spec::{Spanned, SpecFile};

/// A larger count is a slip.
const MAX_COUNT: usize = 100_000;

/// A kernel, but for the unit of its bandwidth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KernelGrid {
    /// `⟨x, z⟩`.
    Linear,
    /// `(⟨x, z⟩ + 1)²`.
    Quadratic,
    /// Gaussian of bandwidth σ.
    Gaussian(f64),
    /// Gaussian, σ so many times the median distance between training rows.
    GaussianTimesMedian(f64),
}

impl KernelGrid {
    /// Whether it is Gaussian.
    pub fn is_gaussian(&self) -> bool {
        matches!(self, Self::Gaussian(_) | Self::GaussianTimesMedian(_))
    }
}

/// The kernels of a list, in its order.
pub(super) fn check_kernels(
    file: &SpecFile,
    list: &Spanned<Vec<KernelSpec>>,
) -> Result<Vec<KernelGrid>, PlanError> {
    let numbers = |key: &str, numbers: &[Spanned<f64>]| {
        let numbers = Spanned::new(list.span(), numbers.to_vec());
        check_numbers(file, key, &numbers, Allowed::Positive)
    };
    let mut kernels = Vec::new();
    for kernel in list.get_ref() {
        let more: Vec<KernelGrid> = match kernel {
            KernelSpec::Linear => vec![KernelGrid::Linear],
            KernelSpec::Quadratic => vec![KernelGrid::Quadratic],
            KernelSpec::Gaussian(sigmas) => {
                let sigmas = numbers("gaussian", sigmas)?.into_iter();
                sigmas.map(KernelGrid::Gaussian).collect()
            }
            KernelSpec::GaussianTimesMedian(times) => {
                let times = numbers("gaussian-times-median", times)?.into_iter();
                times.map(KernelGrid::GaussianTimesMedian).collect()
            }
        };
        if let Some(twice) = more.iter().find(|kernel| kernels.contains(*kernel)) {
            let message = format!("`kernel` has {twice:?} twice");
            let help = "remove one of them";
            return Err(file.error_at(list.span(), message, help).into());
        }
        kernels.extend(more);
    }
    if kernels.is_empty() {
        let message = "`kernel` is empty";
        let help = "for example kernel = [\"linear\"]";
        return Err(file.error_at(list.span(), message, help).into());
    }
    Ok(kernels)
}

/// A list of different counts ≥ 1 with at least one entry.
pub(super) fn check_counts(
    file: &SpecFile,
    key: &str,
    list: &Spanned<Vec<Spanned<usize>>>,
) -> Result<Vec<usize>, PlanError> {
    let mut counts: Vec<usize> = Vec::new();
    for entry in list.get_ref() {
        let count = *entry.get_ref();
        if !(1..=MAX_COUNT).contains(&count) || counts.contains(&count) {
            let message = format!("`{key}` cannot have the entry {count}");
            let help = format!("entries are different and from 1 to {MAX_COUNT}");
            return Err(file.error_at(entry.span(), message, help).into());
        }
        counts.push(count);
    }
    if counts.is_empty() {
        let message = format!("`{key}` is empty");
        return Err(file
            .error_at(list.span(), message, "give at least one number")
            .into());
    }
    Ok(counts)
}
