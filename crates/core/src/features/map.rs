//! The interface of a feature map, and the registry of those there are.

use super::{Identity, Nystrom, Rff, blocks};
use crate::memory;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2};
use sprs::CsMatView;
use std::sync::Arc;

/// A differentiable map `φ: R^n → R^D`, applied to the rows of a matrix.
pub trait FeatureMap: Sync {
    /// n, the width of the inputs.
    fn input_dim(&self) -> usize;

    /// D, the width of the features.
    fn dim(&self) -> usize;

    /// Writes `φ(x_i)` for each row of `x` (p × n) into `out` (p × D), a block of rows at a time: what `out` held before is of no account.
    ///
    /// # Panics
    /// If `x` is not n wide, or `out` not p × D with rows in one piece of memory.
    fn transform_into(&self, x: ArrayView2<'_, f64>, out: ArrayViewMut2<'_, f64>);

    /// `φ(x_i)` for each row of `x` (p × n): p × D.
    ///
    /// # Panics
    /// If `x` is not n wide.
    fn transform(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut features = memory::zeros((x.nrows(), self.dim()));
        self.transform_into(x, features.view_mut());
        features
    }

    /// [`FeatureMap::transform_into`] on the rayon pool of the calling thread: the same bits for any number of threads.
    ///
    /// # Panics
    /// As [`FeatureMap::transform_into`].
    fn transform_parallel_into(&self, x: ArrayView2<'_, f64>, out: ArrayViewMut2<'_, f64>) {
        blocks::transform_parallel(x, out, |x, out| self.transform_into(x, out));
    }

    /// [`FeatureMap::transform`] on the rayon pool of the calling thread: the same bits for any number of threads.
    ///
    /// # Panics
    /// As [`FeatureMap::transform`].
    fn transform_parallel(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut features = memory::zeros((x.nrows(), self.dim()));
        self.transform_parallel_into(x, features.view_mut());
        features
    }

    /// [`FeatureMap::transform_into`] for the rows of a sparse `x` (p × n), by rows or by columns; its entries are added in
    /// their order, so that features differ from those of a dense `x` by the rounding of sums. What depends on the map
    /// alone is laid out anew for each call: call it for many rows.
    ///
    /// # Panics
    /// As [`FeatureMap::transform_into`].
    fn transform_sparse_into(&self, x: CsMatView<'_, f64>, out: ArrayViewMut2<'_, f64>);

    /// Calls `visit` with the first row and the features of one block of [`super::BLOCK_ROWS`] rows of `x` (p × n) after
    /// the other, the last one may be shorter: the numbers of [`FeatureMap::transform`] in the memory of one block. They have
    /// its bits too but for Nyström features, whose products are cut in other blocks there.
    ///
    /// # Panics
    /// If `x` is not n wide.
    fn for_each_block(
        &self,
        x: ArrayView2<'_, f64>,
        visit: &mut dyn FnMut(usize, ArrayView2<'_, f64>),
    ) {
        blocks::for_each(x, self.dim(), |x, out| self.transform_into(x, out), visit);
    }

    /// What `work` makes of the blocks of [`FeatureMap::for_each_block`], given their first rows and features, in the order of
    /// the blocks; on the rayon pool of the calling thread. Each block has the same bits for any number of threads, and so
    /// has a sum over the results in their order.
    ///
    /// # Panics
    /// If `x` is not n wide.
    fn map_blocks<R: Send>(
        &self,
        x: ArrayView2<'_, f64>,
        work: impl Fn(usize, ArrayView2<'_, f64>) -> R + Sync,
    ) -> Vec<R>
    where
        Self: Sized,
    {
        blocks::map_parallel(x, self.dim(), |x, out| self.transform_into(x, out), work)
    }

    /// `⟨ζ, φ(x_i)⟩` for each row of `x` (p × n): p.
    ///
    /// # Panics
    /// If `x` is not n wide or `zeta` not D long.
    fn value(&self, x: ArrayView2<'_, f64>, zeta: ArrayView1<'_, f64>) -> Array1<f64>;

    /// `⟨ζ, φ(x_i)⟩` and its gradient `J_iᵀ ζ` by x for each row of `x` (p × n): p, and p × n.
    ///
    /// # Panics
    /// If `x` is not n wide or `zeta` not D long.
    fn value_and_gradient(
        &self,
        x: ArrayView2<'_, f64>,
        zeta: ArrayView1<'_, f64>,
    ) -> (Array1<f64>, Array2<f64>);

    /// `J_iᵀ v_i`, the adjoint of the Jacobian of φ at each row of `x` (p × n) applied to the same row of `v`
    /// (p × D): p × n.
    ///
    /// # Panics
    /// If `x` is not n wide, `v` not D wide, or they have different numbers of rows.
    fn pull_back(&self, x: ArrayView2<'_, f64>, v: ArrayView2<'_, f64>) -> Array2<f64>;

    /// `J_i u_i`, the Jacobian of φ at each row of `x` (p × n) applied to the same row of `u` (p × n): p × D.
    ///
    /// # Panics
    /// If `x` or `u` is not n wide, or they have different numbers of rows.
    fn push_forward(&self, x: ArrayView2<'_, f64>, u: ArrayView2<'_, f64>) -> Array2<f64>;
}

/// The feature maps there are. The larger ones are shared between the models that use them.
#[derive(Debug, Clone)]
pub enum Features {
    /// `φ(x) = x`.
    Identity(Identity),
    /// Random Fourier features.
    Rff(Arc<Rff>),
    /// Nyström features.
    Nystrom(Arc<Nystrom>),
}

impl Features {
    fn map(&self) -> &dyn FeatureMap {
        match self {
            Self::Identity(map) => map,
            Self::Rff(map) => map.as_ref(),
            Self::Nystrom(map) => map.as_ref(),
        }
    }
}

impl FeatureMap for Features {
    fn input_dim(&self) -> usize {
        self.map().input_dim()
    }

    fn dim(&self) -> usize {
        self.map().dim()
    }

    fn transform(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        self.map().transform(x)
    }

    fn transform_into(&self, x: ArrayView2<'_, f64>, out: ArrayViewMut2<'_, f64>) {
        self.map().transform_into(x, out);
    }

    fn transform_sparse_into(&self, x: CsMatView<'_, f64>, out: ArrayViewMut2<'_, f64>) {
        self.map().transform_sparse_into(x, out);
    }

    fn value(&self, x: ArrayView2<'_, f64>, zeta: ArrayView1<'_, f64>) -> Array1<f64> {
        self.map().value(x, zeta)
    }

    fn value_and_gradient(
        &self,
        x: ArrayView2<'_, f64>,
        zeta: ArrayView1<'_, f64>,
    ) -> (Array1<f64>, Array2<f64>) {
        self.map().value_and_gradient(x, zeta)
    }

    fn pull_back(&self, x: ArrayView2<'_, f64>, v: ArrayView2<'_, f64>) -> Array2<f64> {
        self.map().pull_back(x, v)
    }

    fn push_forward(&self, x: ArrayView2<'_, f64>, u: ArrayView2<'_, f64>) -> Array2<f64> {
        self.map().push_forward(x, u)
    }
}

#[cfg(test)]
mod tests {
    use super::{FeatureMap, Features};
    use crate::features::{Identity, Nystrom, Rff};
    use crate::kernel::GaussianKernel;
    use approx::assert_relative_eq;
    use ndarray::{Array2, array};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};
    use std::sync::Arc;

    /// Every map of `R^2`; the landmarks are apart, so that Nyström features are smooth.
    fn maps(sigma: f64, rng: &mut ChaCha20Rng) -> [Features; 6] {
        let kernel = GaussianKernel::new(sigma).unwrap();
        let landmarks = array![[0.0, 0.0], [3.0, 0.5], [-2.5, 2.0], [0.3, -3.0]];
        [
            Features::Identity(Identity::new(2)),
            Features::Rff(Arc::new(Rff::draw(kernel, 2, 12, rng).unwrap())),
            Features::Rff(Arc::new(Rff::draw_phased(kernel, 2, 7, rng).unwrap())),
            Features::Rff(Arc::new(Rff::draw_orthogonal(kernel, 2, 12, rng).unwrap())),
            Features::Rff(Arc::new(Rff::draw_structured(kernel, 2, 12, rng).unwrap())),
            Features::Nystrom(Arc::new(Nystrom::new(kernel, landmarks).unwrap())),
        ]
    }

    proptest! {
        /// `J_iᵀ v_i` is the gradient of `⟨v_i, φ(·)⟩` at x_i: by central differences, and by the one of a model
        /// whose weights are the same at every point.
        #[test]
        fn the_adjoint_agrees_with_central_differences(seed in any::<u64>(), sigma in 0.8..2.0_f64) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let h = 1e-5;
            for map in maps(sigma, &mut rng) {
                let mut normal = |rows, columns| -> Array2<f64> {
                    Array2::from_shape_simple_fn((rows, columns), || StandardNormal.sample(&mut rng))
                };
                let (x, v) = (normal(5, 2), normal(5, map.dim()));
                let pulled = map.pull_back(x.view(), v.view());
                let scale = pulled.iter().fold(1.0_f64, |m, g| m.max(g.abs()));
                for k in 0..2 {
                    let step = |sign: f64| {
                        let mut moved = x.clone();
                        moved.column_mut(k).mapv_inplace(|x| x + sign * h);
                        (map.transform(moved.view()) * &v).sum_axis(ndarray::Axis(1))
                    };
                    let difference = (step(1.0) - step(-1.0)) / (2.0 * h);
                    for (g, d) in pulled.column(k).iter().zip(&difference) {
                        prop_assert!((g - d).abs() <= 1e-6 * scale, "{g} against {d}");
                    }
                }
                let zeta = v.row(0);
                let same = zeta.broadcast(v.raw_dim()).unwrap();
                let (_, gradient) = map.value_and_gradient(x.view(), zeta);
                assert_relative_eq!(
                    map.pull_back(x.view(), same), gradient, epsilon = 1e-12, max_relative = 1e-9
                );
            }
        }

        /// `⟨J_i u_i, v_i⟩ = ⟨u_i, J_iᵀ v_i⟩`.
        #[test]
        fn the_jacobian_and_its_adjoint_agree(seed in any::<u64>(), sigma in 0.8..2.0_f64) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            for map in maps(sigma, &mut rng) {
                let mut normal = |rows, columns| -> Array2<f64> {
                    Array2::from_shape_simple_fn((rows, columns), || StandardNormal.sample(&mut rng))
                };
                let (x, u, v) = (normal(5, 2), normal(5, 2), normal(5, map.dim()));
                let products = |a: Array2<f64>, b: &Array2<f64>| (a * b).sum_axis(ndarray::Axis(1));
                assert_relative_eq!(
                    products(map.push_forward(x.view(), u.view()), &v),
                    products(map.pull_back(x.view(), v.view()), &u),
                    epsilon = 1e-11, max_relative = 1e-9
                );
            }
        }
    }
}
