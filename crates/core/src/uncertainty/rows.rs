//! What an attack asks of the sets of many points, for many rows at a time: row k belongs to the point
//! `points[k]`, which may have several rows or none.

use super::set::{maximise, project_on_cross_polytope};
use super::{Factor, Norm, UncertaintySet, UncertaintySets};
use crate::linalg::{matmul_into, matmul_transposed_into};
use ndarray::{Array1, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Zip};

impl UncertaintySets {
    /// `Σ_i^{1/2} u` of each row of `u` (rows × n) into `out`: from coordinates to perturbations. One product
    /// for a full factor that all points share.
    ///
    /// # Panics
    /// If the shapes disagree or `out` is not in standard layout.
    pub fn scale_rows(
        &self,
        points: &[usize],
        u: ArrayView2<'_, f64>,
        mut out: ArrayViewMut2<'_, f64>,
    ) {
        if let Some(Factor::Full(f)) = self.shared().map(UncertaintySet::factor) {
            return matmul_transposed_into(u, f.view(), out);
        }
        for ((&point, u), mut out) in points.iter().zip(u.outer_iter()).zip(out.outer_iter_mut()) {
            match self.shape(point).factor() {
                Factor::Identity => out.assign(&u),
                Factor::Diagonal(s) => assign_product(out, u, s),
                Factor::Full(f) => {
                    for (value, row) in out.iter_mut().zip(f.outer_iter()) {
                        *value = row.dot(&u);
                    }
                }
            }
        }
    }

    /// `Σ_i^{⊤/2} g` of each row of `g` (rows × n) into `out`: from gradients by the inputs to gradients by u.
    /// One product for a full factor that all points share.
    ///
    /// # Panics
    /// If the shapes disagree or `out` is not in standard layout.
    pub fn pull_back_rows(
        &self,
        points: &[usize],
        g: ArrayView2<'_, f64>,
        mut out: ArrayViewMut2<'_, f64>,
    ) {
        if let Some(Factor::Full(f)) = self.shared().map(UncertaintySet::factor) {
            return matmul_into(g, f.view(), out);
        }
        for ((&point, g), mut out) in points.iter().zip(g.outer_iter()).zip(out.outer_iter_mut()) {
            match self.shape(point).factor() {
                Factor::Identity => out.assign(&g),
                Factor::Diagonal(s) => assign_product(out, g, s),
                Factor::Full(f) => {
                    out.fill(0.0);
                    for (row, &weight) in f.outer_iter().zip(g) {
                        out.scaled_add(weight, &row);
                    }
                }
            }
        }
    }

    /// The nearest point with `‖u‖_p ≤ γ g_i` to each row of `u` (rows × n), in place.
    ///
    /// # Panics
    /// If the sets are for fewer points.
    pub fn project_rows(&self, points: &[usize], mut u: ArrayViewMut2<'_, f64>, gamma: f64) {
        let mut sizes = Vec::with_capacity(u.ncols());
        for (&point, mut u) in points.iter().zip(u.outer_iter_mut()) {
            let size = gamma * self.size(point);
            match self.norm() {
                Norm::One => project_on_cross_polytope(u, size, &mut sizes),
                Norm::Two => {
                    let length = Norm::Two.of(u.view());
                    if length > size {
                        u *= size / length;
                    }
                }
                Norm::Infinity => u.mapv_inplace(|v| v.clamp(-size, size)),
            }
        }
    }

    /// From the gradients by u, the rows of `g` (rows × n), to the coordinates that maximise `⟨g, u⟩` over
    /// `‖u‖_p ≤ γ g_i`, in place; 0 where `g` is 0.
    ///
    /// # Panics
    /// If the sets are for fewer points.
    pub fn maximise_rows(&self, points: &[usize], mut g: ArrayViewMut2<'_, f64>, gamma: f64) {
        for (&point, g) in points.iter().zip(g.outer_iter_mut()) {
            maximise(self.norm(), g, gamma * self.size(point));
        }
    }
}

/// `out_k = a_k b_k`.
fn assign_product(out: ArrayViewMut1<'_, f64>, a: ArrayView1<'_, f64>, b: &Array1<f64>) {
    Zip::from(out)
        .and(&a)
        .and(b)
        .for_each(|out, a, b| *out = a * b);
}

#[cfg(test)]
mod tests {
    use crate::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2, Axis};
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;

    proptest! {
        /// Rows are what the set of their point says, one at a time.
        #[test]
        fn rows_are_those_of_their_points(seed in any::<u64>(), p in 0..3_usize, shared in any::<bool>()) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let norm = [Norm::One, Norm::Two, Norm::Infinity][p];
            let mut shape = |kind| {
                let mut random = |rows| Array2::from_shape_simple_fn((rows, 3), || rng.gen_range(0.0..2.0));
                let factor = match kind {
                    0 => Factor::Identity,
                    1 => Factor::Diagonal(random(1).row(0).to_owned()),
                    _ => Factor::Full(random(3) - 1.0),
                };
                UncertaintySet::new(norm, factor).unwrap()
            };
            let sets = if shared {
                UncertaintySets::from(shape(seed % 3))
            } else {
                UncertaintySets::each((0..4).map(|kind| shape(kind % 3)).collect()).unwrap()
            };
            let sizes = Array1::from_shape_simple_fn(4, || rng.gen_range(0.0..3.0));
            let sets = sets.with_sizes(sizes).unwrap();
            let points = [3, 0, 0, 2, 1];
            let rows = Array2::from_shape_simple_fn((5, 3), || rng.gen_range(-2.0..2.0));
            let (mut scaled, mut pulled) = (Array2::zeros((5, 3)), Array2::zeros((5, 3)));
            sets.scale_rows(&points, rows.view(), scaled.view_mut());
            sets.pull_back_rows(&points, rows.view(), pulled.view_mut());
            let (mut projected, mut worst) = (rows.clone(), rows.clone());
            sets.project_rows(&points, projected.view_mut(), 0.7);
            sets.maximise_rows(&points, worst.view_mut(), 0.7);
            for (k, &point) in points.iter().enumerate() {
                let (set, size, row) = (sets.shape(point), 0.7 * sets.size(point), rows.row(k));
                let mut one = row.to_owned();
                set.scale(one.view_mut());
                assert_relative_eq!(scaled.row(k), one.view(), epsilon = 1e-14);
                let one = set.pull_back(row.insert_axis(Axis(0)));
                assert_relative_eq!(pulled.row(k), one.row(0), epsilon = 1e-14);
                let mut one = row.to_owned();
                set.project(one.view_mut(), size);
                prop_assert_eq!(projected.row(k), one.view());
                let one = set.maximiser(row, size);
                prop_assert_eq!(worst.row(k), one.view());
                // The pairing of the two: ⟨g, Σ^{1/2}u⟩ = ⟨Σ^{⊤/2}g, u⟩.
                let (g, u) = (rows.row((k + 1) % 5), rows.row(k));
                let back = set.pull_back(g.insert_axis(Axis(0)));
                assert_relative_eq!(g.dot(&scaled.row(k)), back.row(0).dot(&u), epsilon = 1e-13);
            }
        }
    }
}
