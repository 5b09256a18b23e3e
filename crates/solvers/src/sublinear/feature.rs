//! `h_i(ζ) = Γ_i ‖A_i ζ‖_q̄` of feature-uncertainty bounds.

use super::SublinearPenalty;
use crate::SolverError;
use crate::problem::{check_diagonal_or_dense, check_length, check_radii};
use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut1, Axis};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::Norm;

impl SublinearPenalty for FeaturePenalty {
    fn check(&self, samples: usize, dim: usize) -> Result<(), SolverError> {
        check_radii(&self.radii, samples)?;
        let PenaltyMatrix::Rotations { angles, .. } = &self.matrix else {
            return check_diagonal_or_dense(&self.matrix, dim);
        };
        check_length("rows of angles", samples, angles.nrows())?;
        check_length("features turned by angles", dim, 2 * angles.ncols())?;
        match angles.indexed_iter().find(|(_, a)| !a.is_finite()) {
            Some(((row, column), _)) => Err(SolverError::NotFinite {
                what: "angles",
                row,
                column,
            }),
            None => Ok(()),
        }
    }

    fn values(&self, zeta: ArrayView1<'_, f64>, _samples: usize) -> Array1<f64> {
        self.losses(zeta)
    }

    /// `z_i = Γ_i A_i^⊤ u_i` with `⟨u_i, A_iζ⟩ = ‖A_iζ‖_q̄` and `‖u_i‖_p̄ ≤ 1`.
    fn subgradients(&self, zeta: ArrayView1<'_, f64>, _samples: usize) -> Array2<f64> {
        let direction = match &self.matrix {
            PenaltyMatrix::Rotations {
                angles,
                norm: norm @ (Norm::One | Norm::Infinity),
            } => return rotated_subgradients(&self.radii, angles, *norm, zeta),
            // Rotations leave ‖·‖₂ as it is.
            PenaltyMatrix::Rotations { .. } | PenaltyMatrix::Orthogonal => {
                &zeta / nonzero(Norm::Two.of(zeta))
            }
            PenaltyMatrix::Diagonal(a) => {
                let turned = a * &zeta;
                &turned * a / nonzero(Norm::Two.of(turned.view()))
            }
            PenaltyMatrix::Dense(a) => {
                let turned = a.dot(&zeta);
                a.t().dot(&turned) / nonzero(Norm::Two.of(turned.view()))
            }
        };
        let columns = self.radii.view().insert_axis(Axis(1));
        &columns * &direction
    }
}

/// `norm`, or 1 where it is 0 and so is what it divides.
fn nonzero(norm: f64) -> f64 {
    if norm == 0.0 { 1.0 } else { norm }
}

/// `Γ_i R_i^⊤ u_i`, where `R_i` turns the pair j by `−angles[i, j]`, and `u_i` is the vector of signs of
/// `R_iζ` (q̄ = 1), or the sign of its first largest entry (q̄ = ∞).
fn rotated_subgradients(
    radii: &Array1<f64>,
    angles: &Array2<f64>,
    norm: Norm,
    zeta: ArrayView1<'_, f64>,
) -> Array2<f64> {
    let mut z = Array2::zeros((angles.nrows(), zeta.len()));
    let mut turns = vec![(0.0, 0.0); angles.ncols()];
    let rows = z.outer_iter_mut().zip(angles.outer_iter());
    for ((mut z, angles), &radius) in rows.zip(radii) {
        for (j, ((sin, cos), angle)) in turns.iter_mut().zip(angles).enumerate() {
            (*sin, *cos) = angle.sin_cos();
            z[2 * j] = *cos * zeta[2 * j] + *sin * zeta[2 * j + 1];
            z[2 * j + 1] = *cos * zeta[2 * j + 1] - *sin * zeta[2 * j];
        }
        maximise(z.view_mut(), norm, radius);
        for (j, (sin, cos)) in turns.iter().enumerate() {
            let (u, v) = (z[2 * j], z[2 * j + 1]);
            z[2 * j] = cos * u - sin * v;
            z[2 * j + 1] = sin * u + cos * v;
        }
    }
    z
}

/// From r to `radius` times the u of dual norm at most 1 that maximises `⟨u, r⟩`, in place.
fn maximise(mut r: ArrayViewMut1<'_, f64>, norm: Norm, radius: f64) {
    let signed = |v: f64| if v == 0.0 { 0.0 } else { radius * v.signum() };
    if norm == Norm::One {
        r.mapv_inplace(signed);
        return;
    }
    let largest = norm.of(r.view());
    let vertex = r.iter().position(|v| v.abs() == largest);
    let value = vertex.map_or(0.0, |k| signed(r[k]));
    r.fill(0.0);
    if let Some(k) = vertex {
        r[k] = value;
    }
}
