//! The identity: linear models.

use super::FeatureMap;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2};
use sprs::CsMatView;

/// `φ(x) = x` on `R^n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    n: usize,
}

impl Identity {
    /// The identity of `R^n`.
    pub fn new(n: usize) -> Self {
        Self { n }
    }
}

impl FeatureMap for Identity {
    fn input_dim(&self) -> usize {
        self.n
    }

    fn dim(&self) -> usize {
        self.n
    }

    fn transform_into(&self, x: ArrayView2<'_, f64>, mut out: ArrayViewMut2<'_, f64>) {
        assert_eq!(x.dim(), out.dim(), "one row of features a point");
        out.assign(&x);
    }

    /// A copy in the order that `x` is stored in, which decides the order of later sums.
    fn transform(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        assert_eq!(x.ncols(), self.n, "inputs of n columns");
        x.to_owned()
    }

    fn transform_sparse_into(&self, x: CsMatView<'_, f64>, mut out: ArrayViewMut2<'_, f64>) {
        assert_eq!(x.shape(), out.dim(), "one row of features a point");
        out.fill(0.0);
        for (&value, place) in &x {
            out[place] += value;
        }
    }

    fn value(&self, x: ArrayView2<'_, f64>, zeta: ArrayView1<'_, f64>) -> Array1<f64> {
        x.dot(&zeta)
    }

    fn value_and_gradient(
        &self,
        x: ArrayView2<'_, f64>,
        zeta: ArrayView1<'_, f64>,
    ) -> (Array1<f64>, Array2<f64>) {
        let gradient = zeta
            .broadcast(x.raw_dim())
            .expect("x is as wide as ζ is long")
            .to_owned();
        (x.dot(&zeta), gradient)
    }

    fn pull_back(&self, x: ArrayView2<'_, f64>, v: ArrayView2<'_, f64>) -> Array2<f64> {
        assert_eq!(x.dim(), v.dim(), "one row of v a point");
        v.to_owned()
    }

    fn push_forward(&self, x: ArrayView2<'_, f64>, u: ArrayView2<'_, f64>) -> Array2<f64> {
        assert_eq!(x.dim(), u.dim(), "one row of u a point");
        u.to_owned()
    }
}
