//! The largest second derivative of `⟨ζ, φ(·)⟩` along an uncertainty set of size 1, convex in ζ.

use ndarray::{Array1, Array2, ArrayView1, Axis};
use robust_svm_core::CoreError;
use robust_svm_core::features::{Features, Rff};
use robust_svm_core::linalg::{matmul, symmetric_eigen};
use robust_svm_core::uncertainty::{Norm, UncertaintySet};

/// `R(ζ) ≥ |d²/ds² ⟨ζ, φ(x + sδ)⟩|` at every x and for every δ of the set of size 1 (derived: the second-order
/// certificate in the form that is convex in ζ).
///
/// - Identity: 0.
/// - Random Fourier features, a sum of waves of amplitudes a_j(ζ), `H = Σ_j a_j ω̃_jω̃_jᵀ`, `ω̃ = Σ^{⊤/2}ω`: p = 2
///   `λ_max(H)`, p = 1 `max_k H_kk`, p = ∞ `n λ_max(H)`. A convex function of the `a_j ≥ 0` that grows with each of
///   them, and they are convex in ζ.
/// - Nyström: `√3 ‖ζ‖ ρ²/σ²`, ρ the longest vector of the set.
pub(super) struct Curvature<'a> {
    features: &'a Features,
    zeta: ArrayView1<'a, f64>,
    /// `Σ_j a_j ω_jω_jᵀ` of random Fourier features (n × n).
    hessian: Option<Array2<f64>>,
}

impl<'a> Curvature<'a> {
    pub(super) fn new(features: &'a Features, zeta: &'a ArrayView1<'_, f64>) -> Self {
        let zeta = zeta.view();
        let hessian = match features {
            Features::Rff(map) => {
                let amplitudes = map.waves(zeta).amplitudes.insert_axis(Axis(1));
                let weighted = &map.frequencies() * &amplitudes;
                Some(matmul(weighted.t(), map.frequencies()))
            }
            Features::Identity(_) | Features::Nystrom(_) => None,
        };
        Self {
            features,
            zeta,
            hessian,
        }
    }

    /// `R(ζ)` of the shape `set`; NaN where ζ is not finite.
    pub(super) fn value(&self, set: &UncertaintySet) -> f64 {
        match (self.features, &self.hessian) {
            (Features::Nystrom(_), _) => self.nystrom_factor(set) * Norm::Two.of(self.zeta),
            (_, Some(hessian)) => steepest(hessian, set).map_or(f64::NAN, |top| top.value),
            _ => 0.0,
        }
    }

    /// A sub-gradient of R at ζ (D), whose product with ζ is `R(ζ)`; NaN where ζ is not finite.
    pub(super) fn subgradient(&self, set: &UncertaintySet) -> Array1<f64> {
        match (self.features, &self.hessian) {
            (Features::Nystrom(_), _) => {
                let norm = Norm::Two.of(self.zeta);
                let factor = self.nystrom_factor(set);
                self.zeta
                    .mapv(|ζ| if ζ == 0.0 { 0.0 } else { factor * ζ / norm })
            }
            (Features::Rff(map), Some(hessian)) => match steepest(hessian, set) {
                Ok(top) => rff_subgradient(map, self.zeta, &top),
                Err(_) => Array1::from_elem(self.zeta.len(), f64::NAN),
            },
            _ => Array1::zeros(self.zeta.len()),
        }
    }

    /// `√3 ρ²/σ²`.
    fn nystrom_factor(&self, set: &UncertaintySet) -> f64 {
        match self.features {
            Features::Nystrom(map) => {
                let ratio = set.longest(map.landmarks().ncols()) / map.kernel().sigma();
                3.0_f64.sqrt() * ratio * ratio
            }
            Features::Identity(_) | Features::Rff(_) => 0.0,
        }
    }
}

/// Where the second derivative bound of random Fourier features is attained: `R = factor · dᵀ(Σ_j a_jω_jω_jᵀ)d`.
struct Steepest {
    value: f64,
    /// 1, or n at p = ∞.
    factor: f64,
    /// `d = Σ^{1/2}v`, v a unit vector.
    direction: Array1<f64>,
}

/// That of `hessian` = `Σ_j a_jω_jω_jᵀ` over `set`.
fn steepest(hessian: &Array2<f64>, set: &UncertaintySet) -> Result<Steepest, CoreError> {
    let half = set.pull_back(hessian.view());
    let h = set.pull_back(half.t());
    let n = h.nrows();
    let factor = if set.norm() == Norm::Infinity {
        n as f64
    } else {
        1.0
    };
    let (value, mut direction) = if set.norm() == Norm::One {
        let last = n.saturating_sub(1);
        let largest = (0..last).fold(last, |k, j| if h[(j, j)] >= h[(k, k)] { j } else { k });
        let unit = Array1::from_shape_fn(n, |j| f64::from(u8::from(j == largest)));
        (h.diag().get(largest).copied().unwrap_or(0.0), unit)
    } else {
        let (values, vectors) = symmetric_eigen(h.view())?;
        (
            values.last().map_or(0.0, |λ| λ.max(0.0)),
            vectors.column(n - 1).to_owned(),
        )
    };
    set.scale(direction.view_mut());
    Ok(Steepest {
        value: factor * value,
        factor,
        direction,
    })
}

/// Wave j: `factor sqrt(2/D) (ω_jᵀd)² ζ_j/‖ζ_j‖`, 0 where ζ_j = 0.
fn rff_subgradient(map: &Rff, zeta: ArrayView1<'_, f64>, top: &Steepest) -> Array1<f64> {
    let speeds = map.frequencies().dot(&top.direction);
    let mut z = zeta.to_owned();
    let features_of_each = zeta.len() / speeds.len();
    let waves = z.exact_chunks_mut(features_of_each).into_iter();
    for (mut wave, speed) in waves.zip(&speeds) {
        let norm = Norm::Two.of(wave.view());
        if norm > 0.0 {
            wave *= top.factor * map.amplitude() * speed * speed / norm;
        }
    }
    z
}
