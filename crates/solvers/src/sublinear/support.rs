//! The support functions of the uncertainty sets, for models linear in the inputs.

use super::{NormForm, SublinearPenalty};
use crate::SolverError;
use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut1, Axis};
use robust_svm_core::uncertainty::{Factor, UncertaintySets};

/// `h_i(w) = max_{δ∈U_i} ⟨w, δ⟩ = γ g_i ‖Σ_i^{⊤/2}w‖_q` [Couellan & Jan (4)]: of a linear model exactly the
/// worst loss of margin over the set.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportPenalty {
    /// The sets `U_i` at level 1: any p, a shape for all samples or one for each, relative sizes g_i.
    pub sets: UncertaintySets,
    /// The level γ ≥ 0.
    pub gamma: f64,
}

impl SupportPenalty {
    /// `Σ_i^{⊤/2} w` for each of `points` (rows).
    fn pulled_back(&self, w: ArrayView1<'_, f64>, points: &[usize]) -> Array2<f64> {
        let shape = (points.len(), w.len());
        let rows = w.broadcast(shape).expect("w for each row");
        let mut out = Array2::zeros(shape);
        self.sets.pull_back_rows(points, rows, out.view_mut());
        out
    }

    /// The rows whose `Σ_i^{⊤/2} w` differ: one of them where they share a shape.
    fn distinct<'r>(&self, rows: &'r [usize]) -> &'r [usize] {
        match self.sets.shared() {
            Some(_) => &rows[..rows.len().min(1)],
            None => rows,
        }
    }
}

impl SublinearPenalty for SupportPenalty {
    fn check(&self, samples: usize, dim: usize) -> Result<(), SolverError> {
        if !(self.gamma >= 0.0 && self.gamma.is_finite()) {
            return Err(SolverError::Setting {
                name: "gamma",
                expected: "finite and ≥ 0",
                found: self.gamma.to_string(),
            });
        }
        Ok(self.sets.check(samples, dim)?)
    }

    fn values(&self, w: ArrayView1<'_, f64>, samples: usize) -> Array1<f64> {
        let points: Vec<usize> = (0..samples).collect();
        let q = self.sets.norm().dual();
        let mut values = self
            .pulled_back(w, &points)
            .map_axis(Axis(1), |row| q.of(row));
        for (value, point) in values.iter_mut().zip(points) {
            *value *= self.gamma * self.sets.size(point);
        }
        values
    }

    /// The worst perturbations `z_i = Σ_i^{1/2} u_i`.
    fn subgradients(&self, w: ArrayView1<'_, f64>, samples: usize) -> Array2<f64> {
        let points: Vec<usize> = (0..samples).collect();
        let mut u = self.pulled_back(w, &points);
        self.sets.maximise_rows(&points, u.view_mut(), self.gamma);
        let mut z = Array2::zeros(u.dim());
        self.sets.scale_rows(&points, u.view(), z.view_mut());
        z
    }

    fn values_of(&self, rows: &[usize], w: ArrayView1<'_, f64>, _samples: usize, out: &mut [f64]) {
        let q = self.sets.norm().dual();
        // Σ^{⊤/2}w is the same for all rows where they share a shape.
        let distinct = self.distinct(rows);
        let pulled = self.pulled_back(w, distinct);
        let norms = pulled.map_axis(Axis(1), |row| q.of(row));
        for (k, (out, &row)) in out.iter_mut().zip(rows).enumerate() {
            *out = self.gamma * self.sets.size(row) * norms[k.min(distinct.len() - 1)];
        }
    }

    fn add_subgradients_of(
        &self,
        rows: &[usize],
        weights: &[f64],
        w: ArrayView1<'_, f64>,
        _samples: usize,
        mut out: ArrayViewMut1<'_, f64>,
    ) {
        let distinct = self.distinct(rows);
        let mut u = self.pulled_back(w, distinct);
        for (&point, mut u) in distinct.iter().zip(u.outer_iter_mut()) {
            let unit = self.sets.shape(point).maximiser(u.view(), 1.0);
            u.assign(&unit);
        }
        let mut z = Array2::zeros(u.dim());
        self.sets.scale_rows(distinct, u.view(), z.view_mut());
        for (k, (&row, weight)) in rows.iter().zip(weights).enumerate() {
            let size = weight * self.gamma * self.sets.size(row);
            out.scaled_add(size, &z.row(k.min(distinct.len() - 1)));
        }
    }

    /// `M = γ g_i Σ_i^{⊤/2}`, q dual to p.
    fn norm_form(&self, sample: usize, dim: usize) -> Option<NormForm> {
        let matrix = match self.sets.shape(sample).factor() {
            Factor::Identity => Array2::eye(dim),
            Factor::Diagonal(scales) => Array2::from_diag(scales),
            Factor::Full(f) => f.t().to_owned(),
        };
        Some(NormForm {
            matrix: matrix * (self.gamma * self.sets.size(sample)),
            norm: self.sets.norm().dual(),
        })
    }
}
