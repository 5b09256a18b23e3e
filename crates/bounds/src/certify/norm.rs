//! The norm certificate: Cauchy–Schwarz between the weights and the longest movement of the features, here
//! by the bounds that are the same at every point and cost a few operations (geodesic, projection).

use ndarray::ArrayView1;
use robust_svm_core::CoreError;
use robust_svm_core::features::Rff;
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::uncertainty::UncertaintySet;

use super::expansion::Expansion;
use crate::rff::geodesic;
use std::f64::consts::SQRT_2;

/// `B` as a function of γ.
#[derive(Debug, Clone, Copy)]
pub(super) enum NormCertificate {
    /// `γ · slope`.
    Linear { slope: f64 },
    /// `weight` times the chord of an arc of length `γ · speed` on the unit sphere.
    Arc { weight: f64, speed: f64 },
    /// `norm` times the movement of the kernel function under `‖δ‖ = γ · longest`.
    Kernel {
        kernel: GaussianKernel,
        norm: f64,
        longest: f64,
    },
}

impl NormCertificate {
    /// Linear models: `γ ‖Σ^{⊤/2} w‖_q`, which is exact.
    pub(super) fn linear(w: ArrayView1<'_, f64>, set: &UncertaintySet) -> Self {
        let rows = w.insert_axis(ndarray::Axis(0));
        Self::Linear {
            slope: set.support(rows)[0],
        }
    }

    /// Random Fourier features: `Γ ‖ζ‖`, Γ the geodesic bound. Phased features are coordinates of a curve on
    /// the sphere of radius √2.
    pub(super) fn rff(
        map: &Rff,
        zeta: ArrayView1<'_, f64>,
        set: &UncertaintySet,
    ) -> Result<Self, CoreError> {
        let radius = if map.phases().is_some() { SQRT_2 } else { 1.0 };
        Ok(Self::Arc {
            weight: radius * zeta.dot(&zeta).sqrt(),
            speed: geodesic::speed(map, set)? / radius,
        })
    }

    /// Expansions over points of `R^n`: `‖f‖_H sqrt(2 − 2κ(ρ))`, for Nyström the projection bound.
    pub(super) fn expansion(f: &Expansion, set: &UncertaintySet, n: usize) -> Self {
        Self::Kernel {
            kernel: f.kernel,
            norm: f.norm,
            longest: set.longest(n),
        }
    }

    /// `B` for sets of size γ ≥ 0.
    pub(super) fn loss(&self, gamma: f64) -> f64 {
        match *self {
            Self::Linear { slope } => gamma * slope,
            Self::Arc { weight, speed } => weight * geodesic::chord(gamma * speed),
            Self::Kernel {
                kernel,
                norm,
                longest,
            } => norm * kernel.movement(gamma * longest),
        }
    }
}
