//! The transform of random Fourier features, at double or single precision: a product with the frequencies a block of rows at
//! a time, then sines and cosines in its place while it is in the cache.

use super::BLOCK_ROWS;
use super::blocks;
use crate::CoreError;
use crate::check::check_finite;
use crate::linalg::matmul_transposed_in_rows;
use crate::vector_math::{Real, paired_features, phased_features};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis};

/// What computes the features of an [`super::Rff`], at the precision `T`: f64 is the map's own, f32 takes half the memory
/// and time.
#[derive(Debug, Clone, PartialEq)]
pub struct FourierTransform<T> {
    /// One a row.
    frequencies: Array2<T>,
    /// ν of the phased form.
    phases: Option<Array1<T>>,
}

impl FourierTransform<f64> {
    /// The same at single precision.
    pub(super) fn to_f32(&self) -> Result<FourierTransform<f32>, CoreError> {
        let frequencies = self.frequencies.mapv(f32::nearest);
        let phases = self.phases.as_ref().map(|phases| phases.mapv(f32::nearest));
        check_finite("frequencies in f32", frequencies.view())?;
        if let Some(phases) = &phases {
            check_finite("phases in f32", phases.view().insert_axis(Axis(0)))?;
        }
        Ok(FourierTransform::new(frequencies, phases))
    }
}

impl<T: Real> FourierTransform<T> {
    /// `frequencies` in standard layout; at least one frequency and input; as many `phases`.
    pub(super) fn new(frequencies: Array2<T>, phases: Option<Array1<T>>) -> Self {
        Self {
            frequencies,
            phases,
        }
    }

    /// W, with the frequencies ω_j as rows: D/2 × n in the paired form, D × n in the phased one.
    pub fn frequencies(&self) -> ArrayView2<'_, T> {
        self.frequencies.view()
    }

    /// The phases ν (D) of the phased form; `None` in the paired one.
    pub fn phases(&self) -> Option<ArrayView1<'_, T>> {
        self.phases.as_ref().map(Array1::view)
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

    /// As [`super::FeatureMap::transform_into`], without any memory but `out`'s.
    ///
    /// # Panics
    /// If `x` is not n wide, or `out` not p × D with rows in one piece of memory.
    pub fn transform_into(&self, x: ArrayView2<'_, T>, mut out: ArrayViewMut2<'_, T>) {
        let width = self.dim();
        assert_eq!(
            x.ncols(),
            self.input_dim(),
            "x is as wide as the map's inputs"
        );
        assert_eq!(out.dim(), (x.nrows(), width), "one row of features a point");
        let out = out.as_slice_mut().expect("rows of out in one piece");
        let blocks = out.chunks_mut(BLOCK_ROWS * width);
        for (x, out) in x.axis_chunks_iter(Axis(0), BLOCK_ROWS).zip(blocks) {
            // Phases to the ends of the rows.
            let before = width - self.frequencies.nrows();
            matmul_transposed_in_rows(x, self.frequencies.view(), &mut out[before..], width);
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
        let mut features = Array2::zeros((x.nrows(), self.dim()));
        self.transform_into(x, features.view_mut());
        features
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
