//! `h_i(ζ) = Γ_i ‖A_i ζ‖_q̄` of feature-uncertainty bounds.

use super::{NormForm, SublinearPenalty};
use crate::SolverError;
use crate::problem::{check_diagonal_or_dense, check_length, check_radii};
use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut1, Axis};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix, rotated_norm};
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
        if let PenaltyMatrix::Rotations {
            angles,
            norm: norm @ (Norm::One | Norm::Infinity),
        } = &self.matrix
        {
            let mut z = Array2::zeros((angles.nrows(), zeta.len()));
            for ((z, angles), radius) in
                z.outer_iter_mut().zip(angles.outer_iter()).zip(&self.radii)
            {
                add_rotated_subgradient(*radius, angles, *norm, zeta, z);
            }
            return z;
        }
        let mut direction = Array1::zeros(zeta.len());
        add_common_subgradient(1.0, &self.matrix, zeta, direction.view_mut());
        let columns = self.radii.view().insert_axis(Axis(1));
        &columns * &direction
    }

    fn values_of(
        &self,
        rows: &[usize],
        zeta: ArrayView1<'_, f64>,
        _samples: usize,
        out: &mut [f64],
    ) {
        let PenaltyMatrix::Rotations { angles, norm } = &self.matrix else {
            let norm = self
                .matrix
                .common_norm(zeta)
                .expect("one A for all samples");
            for (out, &row) in out.iter_mut().zip(rows) {
                *out = self.radii[row] * norm;
            }
            return;
        };
        for (out, &row) in out.iter_mut().zip(rows) {
            *out = self.radii[row] * rotated_norm(zeta, angles.row(row), *norm);
        }
    }

    fn add_subgradients_of(
        &self,
        rows: &[usize],
        weights: &[f64],
        zeta: ArrayView1<'_, f64>,
        _samples: usize,
        mut out: ArrayViewMut1<'_, f64>,
    ) {
        let weighted = rows.iter().zip(weights);
        if let PenaltyMatrix::Rotations {
            angles,
            norm: norm @ (Norm::One | Norm::Infinity),
        } = &self.matrix
        {
            for (&row, weight) in weighted {
                let size = weight * self.radii[row];
                add_rotated_subgradient(size, angles.row(row), *norm, zeta, out.view_mut());
            }
            return;
        }
        let size: f64 = weighted
            .map(|(&row, weight)| weight * self.radii[row])
            .sum();
        add_common_subgradient(size, &self.matrix, zeta, out);
    }

    /// `M = Γ_iA_i`.
    fn norm_form(&self, sample: usize, dim: usize) -> Option<NormForm> {
        let (matrix, norm) = match &self.matrix {
            PenaltyMatrix::Orthogonal => (Array2::eye(dim), Norm::Two),
            PenaltyMatrix::Diagonal(a) => (Array2::from_diag(a), Norm::Two),
            PenaltyMatrix::Dense(a) => (a.clone(), Norm::Two),
            PenaltyMatrix::Rotations { angles, norm } => (rotation(angles.row(sample)), *norm),
        };
        Some(NormForm {
            matrix: matrix * self.radii[sample],
            norm,
        })
    }
}

/// The matrix that turns the pair j by `−angles[j]`.
fn rotation(angles: ArrayView1<'_, f64>) -> Array2<f64> {
    let mut matrix = Array2::zeros((2 * angles.len(), 2 * angles.len()));
    for (j, angle) in angles.iter().enumerate() {
        let (sin, cos) = angle.sin_cos();
        matrix[(2 * j, 2 * j)] = cos;
        matrix[(2 * j, 2 * j + 1)] = sin;
        matrix[(2 * j + 1, 2 * j)] = -sin;
        matrix[(2 * j + 1, 2 * j + 1)] = cos;
    }
    matrix
}

/// `out += size · Aᵀu` with `⟨u, Aζ⟩ = ‖Aζ‖₂` and `‖u‖₂ ≤ 1`, where q̄ = 2: the same direction for all samples, as
/// rotations leave ‖·‖₂ as it is.
fn add_common_subgradient(
    size: f64,
    matrix: &PenaltyMatrix,
    zeta: ArrayView1<'_, f64>,
    mut out: ArrayViewMut1<'_, f64>,
) {
    match matrix {
        PenaltyMatrix::Rotations { .. } | PenaltyMatrix::Orthogonal => {
            out.scaled_add(size / nonzero(Norm::Two.of(zeta)), &zeta);
        }
        PenaltyMatrix::Diagonal(a) => {
            let norm = matrix.common_norm(zeta).expect("one A for all samples");
            let scale = size / nonzero(norm);
            for ((out, ζ), a) in out.iter_mut().zip(zeta).zip(a) {
                *out += scale * a * a * ζ;
            }
        }
        PenaltyMatrix::Dense(a) => {
            let turned = a.dot(&zeta);
            let scale = size / nonzero(Norm::Two.of(turned.view()));
            for (row, turned) in a.outer_iter().zip(&turned) {
                out.scaled_add(scale * turned, &row);
            }
        }
    }
}

/// `norm`, or 1 where it is 0 and so is what it divides.
fn nonzero(norm: f64) -> f64 {
    if norm == 0.0 { 1.0 } else { norm }
}

/// `out += size · R^⊤u`, where R turns the pair j by `−angles[j]`, and u is the vector of signs of Rζ (q̄ = 1), or the
/// sign of its first largest entry (q̄ = ∞).
fn add_rotated_subgradient(
    size: f64,
    angles: ArrayView1<'_, f64>,
    norm: Norm,
    zeta: ArrayView1<'_, f64>,
    mut out: ArrayViewMut1<'_, f64>,
) {
    let signed = |v: f64| if v == 0.0 { 0.0 } else { size * v.signum() };
    let turned = |j: usize, sin: f64, cos: f64| {
        let (a, b) = (zeta[2 * j], zeta[2 * j + 1]);
        (cos * a + sin * b, cos * b - sin * a)
    };
    let mut add = |j: usize, (sin, cos): (f64, f64), (u, v): (f64, f64)| {
        out[2 * j] += cos * u - sin * v;
        out[2 * j + 1] += sin * u + cos * v;
    };
    if norm == Norm::One {
        for (j, angle) in angles.iter().enumerate() {
            let (sin, cos) = angle.sin_cos();
            let (a, b) = turned(j, sin, cos);
            add(j, (sin, cos), (signed(a), signed(b)));
        }
        return;
    }
    // The pair of the first largest entry, its turn, and what u is there.
    let mut largest = 0.0;
    let mut vertex = None;
    for (j, angle) in angles.iter().enumerate() {
        let (sin, cos) = angle.sin_cos();
        let (a, b) = turned(j, sin, cos);
        if a.abs() > largest {
            largest = a.abs();
            vertex = Some((j, (sin, cos), (signed(a), 0.0)));
        }
        if b.abs() > largest {
            largest = b.abs();
            vertex = Some((j, (sin, cos), (0.0, signed(b))));
        }
    }
    if let Some((j, turn, u)) = vertex {
        add(j, turn, u);
    }
}
