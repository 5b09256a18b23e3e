//! Values of the Gaussian kernel from inner products.

use super::exp::exp_lanes;
use pulp::{Arch, Simd, WithSimd};

/// `exp(scale · ‖x − z_j‖²)` in the place of each product `⟨x, z_j⟩`, with `‖x‖² + ‖z_j‖² − 2⟨x, z_j⟩` clipped at 0, from
/// `x_norm` = ‖x‖² and `z_norms` = ‖z_j‖². NaN where a distance is NaN.
///
/// # Panics
/// If the lengths differ.
pub(crate) fn gaussian_in_place(products: &mut [f64], x_norm: f64, z_norms: &[f64], scale: f64) {
    assert_eq!(products.len(), z_norms.len(), "a norm for each product");
    Arch::new().dispatch(Gaussian {
        products,
        x_norm,
        z_norms,
        scale,
    });
}

struct Gaussian<'a> {
    products: &'a mut [f64],
    x_norm: f64,
    z_norms: &'a [f64],
    scale: f64,
}

impl WithSimd for Gaussian<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (x_norm, scale) = (simd.splat_f64s(self.x_norm), simd.splat_f64s(self.scale));
        let (products, last_products) = S::as_mut_simd_f64s(self.products);
        let (norms, last_norms) = S::as_simd_f64s(self.z_norms);
        for (product, &z_norm) in products.iter_mut().zip(norms) {
            let sum = simd.add_f64s(x_norm, z_norm);
            *product = kernel_lanes(simd, *product, sum, scale);
        }
        if !last_products.is_empty() {
            let sum = simd.add_f64s(x_norm, simd.partial_load_f64s(last_norms));
            let product = simd.partial_load_f64s(last_products);
            let kernel = kernel_lanes(simd, product, sum, scale);
            simd.partial_store_f64s(last_products, kernel);
        }
    }
}

/// The kernel from inner products and the sums of squared norms.
#[inline(always)]
fn kernel_lanes<S: Simd>(simd: S, product: S::f64s, sum: S::f64s, scale: S::f64s) -> S::f64s {
    let zero = simd.splat_f64s(0.0);
    // The double of a number has no rounding: the same bits with FMA and without.
    let square = simd.negate_mul_add_e_f64s(simd.splat_f64s(2.0), product, sum);
    // Not `max`, which makes 0 of NaN: a point without a place would be on top of every other.
    let square = simd.select_f64s(simd.less_than_f64s(square, zero), zero, square);
    exp_lanes(simd, simd.mul_f64s(square, scale))
}

#[cfg(test)]
mod tests {
    use super::super::on_each::on_each;
    use super::Gaussian;
    use proptest::prelude::*;
    use pulp::Arch;

    fn kernels(products: &[f64], x_norm: f64, z_norms: &[f64], scale: f64) -> Vec<Vec<f64>> {
        let run = |arch: Arch| {
            let mut kernels = products.to_vec();
            arch.dispatch(Gaussian {
                products: &mut kernels,
                x_norm,
                z_norms,
                scale,
            });
            kernels
        };
        on_each(run, |kernels| kernels.iter().map(|k| k.to_bits()).collect())
    }

    proptest! {
        /// Against the standard library, one of the points far away, one without a place.
        #[test]
        fn is_the_exponential_of_the_clipped_distance(
            pairs in prop::collection::vec((-3.0..3.0_f64, 0.0..9.0_f64), 0..40),
            x_norm in 0.0..9.0_f64,
            scale in -2.0..-0.01_f64,
        ) {
            let mut pairs = pairs;
            pairs.extend([(1.0, 1e300), (f64::NAN, 1.0)]);
            let (products, norms): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            for kernel in kernels(&products, x_norm, &norms, scale) {
                for ((k, p), z) in kernel.iter().zip(&products).zip(&norms) {
                    let square = x_norm + z - 2.0 * p;
                    let expected = (scale * if square < 0.0 { 0.0 } else { square }).exp();
                    prop_assert_eq!(k.is_nan(), p.is_nan());
                    prop_assert!(p.is_nan() || (k - expected).abs() <= 2.3e-16 * expected);
                }
            }
        }
    }
}
