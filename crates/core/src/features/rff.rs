//! Random Fourier features, `ω_j ~ N(0, I/σ²)`, in two forms [Sutherland & Schneider, UAI 2015; Couellan &
//! Jan §2]:
//!
//! - paired: `φ(x) = sqrt(2/D) [cos ω_jᵀx, sin ω_jᵀx]_j`, j = 1..D/2, so `‖φ(x)‖ = 1`;
//! - phased: `φ(x) = sqrt(2/D) [cos(ω_jᵀx + ν_j)]_j`, `ν_j ~ U[0, 2π)`, j = 1..D.

use super::orthogonal::orthogonal_frequencies;
use super::structured::Structured;
use super::{BLOCK_ROWS, FeatureMap, FourierTransform};
use crate::CoreError;
use crate::check::{check_finite, check_length};
use crate::kernel::GaussianKernel;
use crate::linalg::{
    into_standard_layout, matmul, matmul_into, matmul_transposed, matmul_transposed_into,
};
use crate::uncertainty::Norm;
use crate::vector_math::{sincos, waves_and_slopes};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, s};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
use sprs::CsMatView;
use std::f64::consts::{PI, TAU};

/// A random Fourier feature map. Paired features come in the order cos ω₁ᵀx, sin ω₁ᵀx, cos ω₂ᵀx, ….
#[derive(Debug, Clone, PartialEq)]
pub struct Rff {
    fourier: FourierTransform<f64>,
}

/// A function of random Fourier features as a sum of waves: `⟨ζ, φ(x)⟩ = Σ_j a_j cos(ω_jᵀx − s_j)`, one for
/// each frequency.
#[derive(Debug, Clone, PartialEq)]
pub struct Waves {
    /// `a_j ≥ 0`.
    pub amplitudes: Array1<f64>,
    /// `s_j`, in radians.
    pub shifts: Array1<f64>,
}

impl Rff {
    /// Draws the frequencies for `dim` = D features of `R^n` approximating `kernel`. The draws scale
    /// with 1/σ: streams equal at the start give the same directions at every bandwidth.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if `dim` is odd or 0, as features come in pairs, or `n` is 0.
    pub fn draw(
        kernel: GaussianKernel,
        n: usize,
        dim: usize,
        rng: &mut impl Rng,
    ) -> Result<Self, CoreError> {
        check_dim(dim)?;
        check_inputs(n)?;
        let frequencies = gaussian_frequencies(kernel, dim / 2, n, rng);
        Ok(Self::of(FourierTransform::new(frequencies, None)))
    }

    /// The phased form with `dim` = D features of `R^n`: D frequencies drawn as in [`Rff::draw`], then D
    /// phases ν uniform on [0, 2π).
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if `dim` or `n` is 0.
    pub fn draw_phased(
        kernel: GaussianKernel,
        n: usize,
        dim: usize,
        rng: &mut impl Rng,
    ) -> Result<Self, CoreError> {
        check_phased_dim(dim)?;
        check_inputs(n)?;
        let frequencies = gaussian_frequencies(kernel, dim, n, rng);
        Ok(Self::of(with_phases(frequencies, rng)))
    }

    /// As [`Rff::draw`], with frequencies that are orthogonal in blocks of n: orthogonal random features
    /// [Yu et al., NeurIPS 2016, §3]. Each ω_j is distributed as before, so the kernel is estimated without
    /// bias; together they cover the directions more evenly, which lowers the estimate's variance at
    /// distances of the order of σ and below, and the largest eigenvalue of `WᵀW`.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if `dim` is odd or 0, or `n` is 0.
    pub fn draw_orthogonal(
        kernel: GaussianKernel,
        n: usize,
        dim: usize,
        rng: &mut impl Rng,
    ) -> Result<Self, CoreError> {
        check_dim(dim)?;
        check_inputs(n)?;
        let frequencies = orthogonal_frequencies(dim / 2, n, rng) / kernel.sigma();
        Ok(Self::of(FourierTransform::new(frequencies, None)))
    }

    /// The phased form of D frequencies drawn as in [`Rff::draw_orthogonal`] [Yu et al. §3], then D phases ν uniform on [0, 2π): without bias, as
    /// each frequency by itself is normal.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if `dim` or `n` is 0.
    pub fn draw_orthogonal_phased(
        kernel: GaussianKernel,
        n: usize,
        dim: usize,
        rng: &mut impl Rng,
    ) -> Result<Self, CoreError> {
        check_phased_dim(dim)?;
        check_inputs(n)?;
        let frequencies = orthogonal_frequencies(dim, n, rng) / kernel.sigma();
        Ok(Self::of(with_phases(frequencies, rng)))
    }

    /// As [`Rff::draw`], with structured orthogonal frequencies [Yu et al., NeurIPS 2016, §4], whose features of many
    /// inputs are computed faster: `O(D log n)` a point, by the fast Walsh–Hadamard transform. All frequencies are about √n/σ long, so the
    /// kernel's estimate is biased, by a value that vanishes with n; inputs are padded by zeros to a power of two, 32 at least, and
    /// frequencies are orthogonal only with these zeros. The map of
    /// the same frequencies by [`Rff::from_parts`] computes the same features to rounding, in the time of others.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if `dim` is odd or 0, or `n` is 0.
    pub fn draw_structured(
        kernel: GaussianKernel,
        n: usize,
        dim: usize,
        rng: &mut impl Rng,
    ) -> Result<Self, CoreError> {
        check_dim(dim)?;
        check_inputs(n)?;
        let structured = Structured::draw(kernel, n, dim / 2, rng);
        Ok(Self::of(FourierTransform::of_structured(
            structured,
            dim / 2,
            n,
        )))
    }

    /// The map with these frequencies as rows (D/2 × n, or D × n where there are `phases`, D of them).
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if there is no frequency, [`CoreError::Shape`] if there are not as many phases as
    /// frequencies, [`CoreError::NotFinite`] if one of them is not finite.
    pub fn from_parts(
        frequencies: Array2<f64>,
        phases: Option<Array1<f64>>,
    ) -> Result<Self, CoreError> {
        if frequencies.is_empty() {
            return Err(CoreError::parameter("frequencies", "at least one", 0));
        }
        check_finite("frequencies", frequencies.view())?;
        if let Some(phases) = &phases {
            check_length("phases", frequencies.nrows(), phases.len())?;
            check_finite("phases", phases.view().insert_axis(Axis(0)))?;
        }
        let frequencies = into_standard_layout(frequencies);
        Ok(Self::of(FourierTransform::new(frequencies, phases)))
    }

    fn of(fourier: FourierTransform<f64>) -> Self {
        Self { fourier }
    }

    /// What computes the features in f32, of the frequencies and phases in half turns, over π, rounded to f32.
    ///
    /// # Errors
    /// [`CoreError::NotFinite`] if one of them is then beyond the largest number of f32.
    pub fn to_f32(&self) -> Result<FourierTransform<f32>, CoreError> {
        self.fourier.to_f32()
    }

    /// W, with the frequencies ω_j as rows: D/2 × n in the paired form, D × n in the phased one.
    pub fn frequencies(&self) -> ArrayView2<'_, f64> {
        self.fourier.frequencies()
    }

    /// The phases ν (D) of the phased form; `None` in the paired one.
    pub fn phases(&self) -> Option<ArrayView1<'_, f64>> {
        self.fourier.phases()
    }

    /// `sqrt(2/D)`, the amplitude of each feature.
    pub fn amplitude(&self) -> f64 {
        self.fourier.amplitude()
    }

    /// `⟨ζ, φ(·)⟩` as a sum of waves. Paired: `a_j = sqrt(2/D) ‖(ζ_{2j−1}, ζ_{2j})‖`,
    /// `s_j = atan2(ζ_{2j}, ζ_{2j−1})`; phased: `a_j = sqrt(2/D) |ζ_j|`, `s_j = −ν_j`, and π less where ζ_j < 0.
    ///
    /// # Panics
    /// If `zeta` is not D long.
    pub fn waves(&self, zeta: ArrayView1<'_, f64>) -> Waves {
        assert_eq!(zeta.len(), self.dim(), "one weight a feature");
        let amplitude = self.amplitude();
        let Some(phases) = self.phases() else {
            let pairs = || zeta.exact_chunks(2).into_iter();
            return Waves {
                amplitudes: pairs().map(|pair| amplitude * Norm::Two.of(pair)).collect(),
                shifts: pairs().map(|pair| pair[1].atan2(pair[0])).collect(),
            };
        };
        let turn = |ζ: f64| if ζ < 0.0 { PI } else { 0.0 };
        Waves {
            amplitudes: zeta.mapv(|ζ| amplitude * ζ.abs()),
            shifts: zeta
                .iter()
                .zip(phases)
                .map(|(&ζ, phase)| -phase - turn(ζ))
                .collect(),
        }
    }
}

impl Rff {
    /// The derivative of each feature by its own phase at each row of `x` (p × n), `sqrt(2/D)` times −sin of a cosine
    /// and cos of a sine: p × D. The Jacobian of φ is this times the frequencies.
    ///
    /// # Panics
    /// If `x` is not n wide.
    pub fn phase_derivatives(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        let amplitude = self.amplitude();
        let mut derivatives = Array2::zeros((x.nrows(), self.dim()));
        let mut phases = matmul_transposed(x, self.frequencies());
        let (mut sin, mut cos) = (self.frequency_row(), self.frequency_row());
        for (mut angles, mut row) in phases.outer_iter_mut().zip(derivatives.outer_iter_mut()) {
            if let Some(offsets) = self.phases() {
                angles += &offsets;
            }
            let angles = angles.as_slice().expect("rows in one piece");
            sincos(angles, &mut sin, &mut cos);
            if self.phases().is_some() {
                row.zip_mut_with(&ArrayView1::from(&sin), |d, sin| *d = -amplitude * sin);
                continue;
            }
            let pairs = row.exact_chunks_mut(2).into_iter();
            for ((mut pair, sin), cos) in pairs.zip(&sin).zip(&cos) {
                pair[0] = -amplitude * sin;
                pair[1] = amplitude * cos;
            }
        }
        derivatives
    }
}

impl Rff {
    /// Room for the phases of a block of rows.
    fn phase_block(&self) -> Array2<f64> {
        Array2::zeros((BLOCK_ROWS, self.frequencies().nrows()))
    }

    /// Room for a number for each frequency.
    fn frequency_row(&self) -> Vec<f64> {
        vec![0.0; self.frequencies().nrows()]
    }

    /// The weights a and b in `⟨ζ, φ(x)⟩ = Σ_j (a_j cos ω_jᵀx + b_j sin ω_jᵀx)`, by
    /// `⟨ζ, φ(x_i)⟩` for each row of `x`, a block of rows at a time: `slopes` gets the first row of each block and
    /// the derivatives by the phases, while they are in the cache.
    fn sums(
        &self,
        x: ArrayView2<'_, f64>,
        zeta: ArrayView1<'_, f64>,
        mut slopes: impl FnMut(usize, ArrayView2<'_, f64>),
    ) -> Array1<f64> {
        let (cosine, sine) = self.wave_weights(zeta);
        let mut values = Array1::zeros(x.nrows());
        let mut phases = self.phase_block();
        let blocks = x.axis_chunks_iter(Axis(0), BLOCK_ROWS);
        let results = values.axis_chunks_iter_mut(Axis(0), BLOCK_ROWS);
        for (block, (x, mut values)) in blocks.zip(results).enumerate() {
            let mut phases = phases.slice_mut(s![..x.nrows(), ..]);
            matmul_transposed_into(x, self.frequencies(), phases.view_mut());
            for (value, mut row) in values.iter_mut().zip(phases.outer_iter_mut()) {
                let row = row.as_slice_mut().expect("rows in one piece");
                *value = waves_and_slopes(row, &cosine, &sine);
            }
            slopes(block * BLOCK_ROWS, phases.view());
        }
        values
    }

    /// `cos(θ + ν) = cos ν cos θ − sin ν sin θ` in the phased form.
    fn wave_weights(&self, zeta: ArrayView1<'_, f64>) -> (Vec<f64>, Vec<f64>) {
        let amplitude = self.amplitude();
        match self.phases() {
            None => zeta
                .exact_chunks(2)
                .into_iter()
                .map(|pair| (amplitude * pair[0], amplitude * pair[1]))
                .unzip(),
            Some(offsets) => zeta
                .iter()
                .zip(offsets)
                .map(|(ζ, offset)| (amplitude * ζ * offset.cos(), -amplitude * ζ * offset.sin()))
                .unzip(),
        }
    }
}

/// `rows` independent frequencies `N(0, I/σ²)` of `R^n`.
fn gaussian_frequencies(
    kernel: GaussianKernel,
    rows: usize,
    n: usize,
    rng: &mut impl Rng,
) -> Array2<f64> {
    Array2::from_shape_simple_fn((rows, n), || {
        let z: f64 = StandardNormal.sample(rng);
        z / kernel.sigma()
    })
}

/// The transform of these frequencies with a phase each, uniform on [0, 2π).
fn with_phases(frequencies: Array2<f64>, rng: &mut impl Rng) -> FourierTransform<f64> {
    let phases = Array1::from_shape_simple_fn(frequencies.nrows(), || rng.gen_range(0.0..TAU));
    FourierTransform::new(frequencies, Some(phases))
}

fn check_phased_dim(dim: usize) -> Result<(), CoreError> {
    if dim == 0 {
        return Err(CoreError::parameter("dim", "at least 1", dim));
    }
    Ok(())
}

/// That D is a number of pairs.
fn check_dim(dim: usize) -> Result<(), CoreError> {
    if dim == 0 || !dim.is_multiple_of(2) {
        return Err(CoreError::parameter("dim", "even and at least 2", dim));
    }
    Ok(())
}

/// That there are inputs.
fn check_inputs(n: usize) -> Result<(), CoreError> {
    if n == 0 {
        return Err(CoreError::parameter("inputs", "at least one column", n));
    }
    Ok(())
}

impl FeatureMap for Rff {
    fn input_dim(&self) -> usize {
        self.fourier.input_dim()
    }

    fn dim(&self) -> usize {
        self.fourier.dim()
    }

    fn transform_into(&self, x: ArrayView2<'_, f64>, out: ArrayViewMut2<'_, f64>) {
        self.fourier.transform_into(x, out);
    }

    fn transform_sparse_into(&self, x: CsMatView<'_, f64>, out: ArrayViewMut2<'_, f64>) {
        self.fourier.transform_sparse_into(x, out);
    }

    fn value(&self, x: ArrayView2<'_, f64>, zeta: ArrayView1<'_, f64>) -> Array1<f64> {
        self.sums(x, zeta, |_, _| ())
    }

    fn value_and_gradient(
        &self,
        x: ArrayView2<'_, f64>,
        zeta: ArrayView1<'_, f64>,
    ) -> (Array1<f64>, Array2<f64>) {
        // The chain rule through θ_j = ω_jᵀx.
        let mut gradient = Array2::zeros(x.raw_dim());
        let values = self.sums(x, zeta, |first, slopes| {
            let rows = gradient.slice_mut(s![first..first + slopes.nrows(), ..]);
            matmul_into(slopes, self.frequencies(), rows);
        });
        (values, gradient)
    }

    fn pull_back(&self, x: ArrayView2<'_, f64>, v: ArrayView2<'_, f64>) -> Array2<f64> {
        assert_eq!((x.nrows(), self.dim()), v.dim(), "one row of v a point");
        let amplitude = self.amplitude();
        let mut slopes = matmul_transposed(x, self.frequencies());
        let (mut sin, mut cos) = (vec![0.0; slopes.ncols()], vec![0.0; slopes.ncols()]);
        for (mut row, v) in slopes.outer_iter_mut().zip(v.outer_iter()) {
            if let Some(offsets) = self.phases() {
                row += &offsets;
            }
            sincos(
                row.as_slice().expect("rows in one piece"),
                &mut sin,
                &mut cos,
            );
            if self.phases().is_some() {
                for ((slope, sin), v) in row.iter_mut().zip(&sin).zip(v) {
                    *slope = -amplitude * v * sin;
                }
            } else {
                let angles = sin.iter().zip(&cos);
                for ((slope, (sin, cos)), pair) in row.iter_mut().zip(angles).zip(v.exact_chunks(2))
                {
                    *slope = amplitude * (pair[1] * cos - pair[0] * sin);
                }
            }
        }
        matmul(slopes.view(), self.frequencies())
    }

    fn push_forward(&self, x: ArrayView2<'_, f64>, u: ArrayView2<'_, f64>) -> Array2<f64> {
        assert_eq!(x.dim(), u.dim(), "one row of u a point");
        let mut image = self.phase_derivatives(x);
        let speeds = matmul_transposed(u, self.frequencies());
        let features_of_each = self.dim() / self.frequencies().nrows();
        for (mut row, speeds) in image.outer_iter_mut().zip(speeds.outer_iter()) {
            let waves = row.exact_chunks_mut(features_of_each);
            for (mut wave, speed) in waves.into_iter().zip(speeds) {
                wave *= *speed;
            }
        }
        image
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_ROWS, FeatureMap, GaussianKernel, PI, Rff};
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2, array};
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};

    /// A map of each form.
    fn both_forms(kernel: GaussianKernel, n: usize, rng: &mut ChaCha20Rng) -> [Rff; 2] {
        let paired = Rff::draw(kernel, n, 64, rng).unwrap();
        [paired, Rff::draw_phased(kernel, n, 64, rng).unwrap()]
    }

    #[test]
    fn inner_products_estimate_the_kernel_without_bias() {
        for form in 0..2 {
            unbiased(|kernel, rng| both_forms(kernel, 3, rng)[form].clone());
        }
    }

    /// Mean over independent maps: E⟨φ(x), φ(z)⟩ = k(x, z), to five standard errors.
    fn unbiased(map: impl Fn(GaussianKernel, &mut ChaCha20Rng) -> Rff) {
        let kernel = GaussianKernel::new(1.3).unwrap();
        let x = array![[0.2, -0.4, 1.0], [1.1, 0.3, 0.4]];
        let exact = kernel.matrix(x.view(), x.view())[(0, 1)];
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let draws: Vec<f64> = (0..400)
            .map(|_| {
                let phi = map(kernel, &mut rng).transform(x.view());
                phi.row(0).dot(&phi.row(1))
            })
            .collect();
        let count = draws.len() as f64;
        let mean = draws.iter().sum::<f64>() / count;
        let variance = draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (count - 1.0);
        assert!((mean - exact).abs() < 5.0 * (variance / count).sqrt());
        assert!(
            variance.sqrt() < 0.2,
            "the map must be close for a single draw too"
        );
    }

    /// Against the definition by the standard library, over several blocks of rows, the last one short.
    #[test]
    fn features_values_and_gradients_are_those_of_the_definition() {
        let mut rng = ChaCha20Rng::seed_from_u64(5);
        let kernel = GaussianKernel::new(0.9).unwrap();
        let rows = 2 * BLOCK_ROWS + 7;
        let mut normal = |shape| -> Array2<f64> {
            Array2::from_shape_simple_fn(shape, || StandardNormal.sample(&mut rng))
        };
        let (x, zeta) = (normal((rows, 3)), normal((1, 22)));
        let zeta = zeta.row(0);
        for map in [
            Rff::draw(kernel, 3, 22, &mut rng).unwrap(),
            Rff::draw_phased(kernel, 3, 22, &mut rng).unwrap(),
        ] {
            let features = map.transform(x.view());
            let (values, gradient) = map.value_and_gradient(x.view(), zeta);
            for (i, x) in x.outer_iter().enumerate() {
                let (mut value, mut slope) = (0.0, Array1::zeros(3));
                for (k, ζ) in zeta.iter().enumerate() {
                    // Feature k is a cosine moved by ν, or by −π/2 for a sine.
                    let (j, shift) = match map.phases() {
                        Some(phases) => (k, phases[k]),
                        None => (k / 2, if k % 2 == 1 { -PI / 2.0 } else { 0.0 }),
                    };
                    let omega = map.frequencies().row(j).to_owned();
                    let angle = omega.dot(&x) + shift;
                    let feature = map.amplitude() * angle.cos();
                    assert_relative_eq!(features[(i, k)], feature, epsilon = 1e-14);
                    value += ζ * feature;
                    slope += &(omega * (-ζ * map.amplitude() * angle.sin()));
                }
                assert_relative_eq!(values[i], value, epsilon = 1e-13);
                assert_relative_eq!(gradient.row(i), slope.view(), epsilon = 1e-13);
            }
        }
    }

    #[test]
    fn features_have_unit_norm() {
        let kernel = GaussianKernel::new(0.7).unwrap();
        let map = Rff::draw(kernel, 2, 10, &mut ChaCha20Rng::seed_from_u64(2)).unwrap();
        let phi = map.transform(array![[0.3, 5.0], [-2.0, 0.1]].view());
        for row in phi.outer_iter() {
            assert_relative_eq!(row.dot(&row), 1.0, epsilon = 1e-14);
        }
    }

    #[test]
    fn waves_sum_to_the_function() {
        let kernel = GaussianKernel::new(0.9).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(4);
        let x = array![[0.3, 2.0], [-2.0, 0.1]];
        for map in both_forms(kernel, 2, &mut rng) {
            let zeta = ndarray::Array1::from_shape_fn(64, |j| (j as f64).sin() - 0.2);
            let waves = map.waves(zeta.view());
            let phases = x.dot(&map.frequencies().t()) - &waves.shifts;
            let sums = phases.mapv(f64::cos).dot(&waves.amplitudes);
            assert_relative_eq!(sums, map.transform(x.view()).dot(&zeta), epsilon = 1e-13);
            assert!(waves.amplitudes.iter().all(|a| *a >= 0.0));
        }
    }

    #[test]
    fn an_odd_dimension_and_no_inputs_are_refused() {
        let kernel = GaussianKernel::new(1.0).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        assert!(Rff::draw(kernel, 2, 7, &mut rng).is_err());
        assert!(Rff::draw_phased(kernel, 2, 7, &mut rng).is_ok());
        assert!(Rff::draw_phased(kernel, 2, 0, &mut rng).is_err());
        assert!(Rff::draw(kernel, 0, 8, &mut rng).is_err());
        assert!(Rff::draw_phased(kernel, 0, 7, &mut rng).is_err());
    }

    #[test]
    fn parts_make_the_map_they_come_from() {
        let kernel = GaussianKernel::new(1.5).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(9);
        let paired = Rff::draw(kernel, 3, 8, &mut rng).unwrap();
        let phased = Rff::draw_phased(kernel, 3, 8, &mut rng).unwrap();
        for map in [paired, phased] {
            let phases = map.phases().map(|phases| phases.to_owned());
            let parts = Rff::from_parts(map.frequencies().to_owned(), phases);
            assert_eq!(parts.unwrap(), map);
        }
        let w = || Array2::<f64>::ones((4, 2));
        assert!(Rff::from_parts(w(), Some(Array1::zeros(3))).is_err());
        assert!(Rff::from_parts(w() * f64::NAN, None).is_err());
        assert!(Rff::from_parts(w(), Some(Array1::from_elem(4, f64::INFINITY))).is_err());
        assert!(Rff::from_parts(Array2::zeros((0, 2)), None).is_err());
    }
}
