//! The transform of random Fourier features, at double or single precision: products with the frequencies a few rows at
//! a time, then sines and cosines in their place while they are near.

use super::blocks;
use super::sparse::RowProducts;
use super::structured::Structured;
use crate::CoreError;
use crate::check::check_finite;
use crate::memory;
use crate::vector_math::{Panels, Real, Vectors, paired_features, phased_features};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, s};
use sprs::CsMatView;
use std::ops::Range;

/// Rows of phases that wait for their sines and cosines: two times as many as are multiplied together.
const WAITING_ROWS: usize = 12;

/// What computes the features of an [`super::Rff`], at the precision `T`: f64 is the map's own, f32 takes half the memory
/// and time.
#[derive(Debug, Clone, PartialEq)]
pub struct FourierTransform<T> {
    /// ω_j as rows, [`Vectors::PER_RADIAN`] times.
    frequencies: Array2<T>,
    /// ν of the phased form, as often.
    phases: Option<Array1<T>>,
    products: Products<T>,
}

/// What multiplies inputs by the frequencies.
#[derive(Debug, Clone, PartialEq)]
enum Products<T> {
    Dense(Panels<T>),
    /// The frequencies are structured, and their products so faster.
    Structured(Structured<T>),
}

impl FourierTransform<f64> {
    /// The paired form of structured frequencies of `R^n`, `rows` of them.
    pub(super) fn of_structured(structured: Structured<f64>, rows: usize, n: usize) -> Self {
        let frequencies = structured.frequencies(rows, n);
        Self::with(frequencies, None, Some(structured))
    }

    /// The same at single precision.
    pub(super) fn to_f32(&self) -> Result<FourierTransform<f32>, CoreError> {
        let nearest = |radians: f64| f32::nearest(radians * f32::PER_RADIAN);
        let frequencies = self.frequencies.mapv(nearest);
        let phases = self.phases.as_ref().map(|phases| phases.mapv(nearest));
        check_finite("frequencies in f32", frequencies.view())?;
        if let Some(phases) = &phases {
            check_finite("phases in f32", phases.view().insert_axis(Axis(0)))?;
        }
        let structured = match &self.products {
            Products::Dense(_) => None,
            Products::Structured(structured) => Some(structured.to_f32()),
        };
        Ok(FourierTransform::with(frequencies, phases, structured))
    }

    /// W, with the frequencies ω_j as rows: D/2 × n in the paired form, D × n in the phased one.
    pub fn frequencies(&self) -> ArrayView2<'_, f64> {
        self.frequencies.view()
    }

    /// The phases ν (D) of the phased form; `None` in the paired one.
    pub fn phases(&self) -> Option<ArrayView1<'_, f64>> {
        self.phases.as_ref().map(Array1::view)
    }
}

impl<T: Real> FourierTransform<T> {
    /// `frequencies` in standard layout; at least one frequency and input; as many `phases`.
    pub(super) fn new(frequencies: Array2<T>, phases: Option<Array1<T>>) -> Self {
        Self::with(frequencies, phases, None)
    }

    /// The same, of frequencies that may be `structured`: products are so where that is faster.
    fn with(
        frequencies: Array2<T>,
        phases: Option<Array1<T>>,
        structured: Option<Structured<T>>,
    ) -> Self {
        let (count, n) = frequencies.dim();
        let products = match structured.filter(|structured| structured.is_faster(count, n)) {
            Some(structured) => Products::Structured(structured),
            None => Products::Dense(Panels::new(frequencies.view())),
        };
        Self {
            frequencies,
            phases,
            products,
        }
    }

    /// n, the width of the inputs.
    pub fn input_dim(&self) -> usize {
        self.frequencies.ncols()
    }

    /// D, the width of the features.
    pub fn dim(&self) -> usize {
        match self.phases {
            None => 2 * self.frequencies.nrows(),
            Some(_) => self.frequencies.nrows(),
        }
    }

    /// `sqrt(2/D)`, the amplitude of each feature.
    pub fn amplitude(&self) -> T {
        T::nearest((2.0 / self.dim() as f64).sqrt())
    }

    /// As [`super::FeatureMap::transform_into`].
    ///
    /// # Panics
    /// If `x` is not n wide, or `out` not p × D with rows in one piece of memory.
    pub fn transform_into(&self, x: ArrayView2<'_, T>, out: ArrayViewMut2<'_, T>) {
        self.check(x.dim(), out.dim());
        let (count, n) = self.frequencies.dim();
        match &self.products {
            Products::Dense(panels) => {
                let x = x.as_standard_layout();
                let x = x.as_slice().expect("standard layout");
                self.in_blocks(out, |rows, out, stride| {
                    panels.multiply(&x[rows.start * n..rows.end * n], out, stride);
                });
            }
            Products::Structured(structured) => self.in_blocks(out, |rows, out, stride| {
                structured.write_phases(x.slice(s![rows, ..]), out, count, stride);
            }),
        }
    }

    /// As [`super::FeatureMap::transform_sparse_into`].
    ///
    /// # Panics
    /// As [`FourierTransform::transform_into`].
    pub fn transform_sparse_into(&self, x: CsMatView<'_, T>, out: ArrayViewMut2<'_, T>) {
        self.check(x.shape(), out.dim());
        let products = RowProducts::new(x, self.frequencies.view());
        self.in_blocks(out, |rows, out, stride| products.write(rows, out, stride));
    }

    /// That inputs and features have the shapes of the map.
    fn check(&self, inputs: (usize, usize), features: (usize, usize)) {
        assert_eq!(
            inputs.1,
            self.input_dim(),
            "x is as wide as the map's inputs"
        );
        assert_eq!(
            features,
            (inputs.0, self.dim()),
            "one row of features a point"
        );
    }

    /// Features of a few rows at a time: `write` puts the phases of the rows it is given at the beginnings of rows of a
    /// stride, which are the ends of the rows of features.
    fn in_blocks(
        &self,
        mut out: ArrayViewMut2<'_, T>,
        write: impl Fn(Range<usize>, &mut [T], usize),
    ) {
        let (rows, width) = out.dim();
        let before = width - self.frequencies.nrows();
        let out = out.as_slice_mut().expect("rows of out in one piece");
        for (block, out) in out.chunks_mut(WAITING_ROWS * width).enumerate() {
            let first = block * WAITING_ROWS;
            write(
                first..rows.min(first + WAITING_ROWS),
                &mut out[before..],
                width,
            );
            self.finish(out);
        }
    }

    /// Features in the place of phases at the ends of whole rows.
    fn finish(&self, rows: &mut [T]) {
        match &self.phases {
            None => paired_features(rows, self.dim(), self.amplitude()),
            Some(phases) => {
                let phases = phases.as_slice().expect("phases in one piece");
                phased_features(rows, phases, self.amplitude());
            }
        }
    }

    /// As [`super::FeatureMap::transform`].
    ///
    /// # Panics
    /// If `x` is not n wide.
    pub fn transform(&self, x: ArrayView2<'_, T>) -> Array2<T> {
        let mut features = memory::zeros((x.nrows(), self.dim()));
        self.transform_into(x, features.view_mut());
        features
    }

    /// As [`super::FeatureMap::transform_parallel_into`].
    ///
    /// # Panics
    /// As [`FourierTransform::transform_into`].
    pub fn transform_parallel_into(&self, x: ArrayView2<'_, T>, out: ArrayViewMut2<'_, T>) {
        blocks::transform_parallel(x, out, |x, out| self.transform_into(x, out));
    }

    /// As [`super::FeatureMap::transform_parallel`].
    ///
    /// # Panics
    /// If `x` is not n wide.
    pub fn transform_parallel(&self, x: ArrayView2<'_, T>) -> Array2<T> {
        let mut features = memory::zeros((x.nrows(), self.dim()));
        self.transform_parallel_into(x, features.view_mut());
        features
    }

    /// As [`super::FeatureMap::map_blocks`].
    ///
    /// # Panics
    /// If `x` is not n wide.
    pub fn map_blocks<R: Send>(
        &self,
        x: ArrayView2<'_, T>,
        work: impl Fn(usize, ArrayView2<'_, T>) -> R + Sync,
    ) -> Vec<R> {
        blocks::map_parallel(x, self.dim(), |x, out| self.transform_into(x, out), work)
    }

    /// As [`super::FeatureMap::for_each_block`].
    ///
    /// # Panics
    /// If `x` is not n wide.
    pub fn for_each_block(
        &self,
        x: ArrayView2<'_, T>,
        visit: &mut dyn FnMut(usize, ArrayView2<'_, T>),
    ) {
        blocks::for_each(x, self.dim(), |x, out| self.transform_into(x, out), visit);
    }
}

#[cfg(test)]
mod tests {
    use crate::features::{FeatureMap, Features, Identity, Nystrom, Rff};
    use crate::kernel::GaussianKernel;
    use ndarray::{Array2, s};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};
    use sprs::CsMat;
    use std::sync::Arc;

    fn normal(rows: usize, n: usize, seed: u64) -> Array2<f64> {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        Array2::from_shape_simple_fn((rows, n), || StandardNormal.sample(&mut rng))
    }

    /// Both forms, and structured frequencies computed both ways.
    fn maps(sigma: f64) -> [(usize, Rff); 4] {
        let kernel = GaussianKernel::new(sigma).unwrap();
        let rng = &mut ChaCha20Rng::seed_from_u64(6);
        [
            (7, Rff::draw(kernel, 7, 38, rng).unwrap()),
            (7, Rff::draw_phased(kernel, 7, 301, rng).unwrap()),
            (7, Rff::draw_structured(kernel, 7, 38, rng).unwrap()),
            (256, Rff::draw_structured(kernel, 256, 700, rng).unwrap()),
        ]
    }

    /// Features of single precision are those of the map to the rounding of phases: n + 4 roundings of 6e−8 times the
    /// largest sum of magnitudes, and one of the result.
    #[test]
    fn single_precision_is_the_map_to_rounding() {
        for sigma in [0.05, 1.0, 30.0] {
            for (n, map) in maps(sigma) {
                let single = map.to_f32().unwrap();
                assert_eq!((single.input_dim(), single.dim()), (n, map.dim()));
                let x = normal(150, n, 7).mapv(|v| v as f32);
                let double = x.mapv(f64::from);
                let features = single.transform(x.view());
                let expected = map.transform(double.view());
                let sums = double
                    .mapv(f64::abs)
                    .dot(&map.frequencies().mapv(f64::abs).t());
                let largest = sums.fold(7.0_f64, |m, &v| m.max(v));
                let room = map.amplitude() * (1.2e-7 + (n + 4) as f64 * 6e-8 * largest);
                for (single, double) in features.iter().zip(&expected) {
                    assert!((f64::from(*single) - double).abs() < room, "σ = {sigma}");
                }
                let mut seen = Array2::zeros(features.raw_dim());
                single.for_each_block(x.view(), &mut |first, block| {
                    seen.slice_mut(s![first..first + block.nrows(), ..])
                        .assign(&block);
                });
                assert_eq!(seen, features);
                let mut out = Array2::zeros(features.raw_dim());
                single.transform_parallel_into(x.view(), out.view_mut());
                assert_eq!(out, features);
            }
        }
    }

    #[test]
    fn frequencies_beyond_single_precision_are_refused() {
        let map = Rff::from_parts(Array2::from_elem((1, 1), 1e40), None).unwrap();
        assert!(map.to_f32().is_err());
    }

    /// Sparse inputs, by rows and by columns, empty rows among them, have the features of the same dense ones.
    #[test]
    fn sparse_inputs_have_the_features_of_dense_ones() {
        let mut rng = ChaCha20Rng::seed_from_u64(4);
        let kernel = GaussianKernel::new(2.0).unwrap();
        let mut all: Vec<Features> = maps(2.0)
            .map(|(_, map)| Features::Rff(Arc::new(map)))
            .into();
        all.push(Features::Identity(Identity::new(7)));
        let nystrom = Nystrom::new(kernel, normal(20, 7, 3)).unwrap();
        all.push(Features::Nystrom(Arc::new(nystrom)));
        for map in all {
            for rows in [0, 1, 600] {
                let mut x = normal(rows, map.input_dim(), 9);
                x.mapv_inplace(|v| if rng.gen_bool(0.3) { v } else { 0.0 });
                if rows > 3 {
                    x.row_mut(3).fill(0.0);
                }
                let expected = map.transform(x.view());
                let sparse = CsMat::csr_from_dense(x.view(), 0.0);
                for sparse in [sparse.to_csc(), sparse] {
                    let mut out = Array2::from_elem(expected.raw_dim(), f64::NAN);
                    map.transform_sparse_into(sparse.view(), out.view_mut());
                    for (sparse, dense) in out.iter().zip(&expected) {
                        assert!((sparse - dense).abs() < 1e-11);
                    }
                }
            }
        }
    }
}
