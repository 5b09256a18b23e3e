//! The precisions that features are computed in.

use super::{fourier_f32, fourier_f64, shuffles};
use faer::traits::ComplexField;
use ndarray::LinalgScalar;
use pulp::Simd;
use pulp::bytemuck::Pod;

/// f64 or f32.
pub trait Real: Vectors + LinalgScalar + ComplexField + PartialOrd + Default + Send + Sync {
    /// The number of this precision nearest `value`: ±∞ beyond the largest.
    fn nearest(value: f64) -> Self;

    /// Whether the number is neither infinite nor NaN.
    fn is_finite(&self) -> bool;
}

impl Real for f64 {
    fn nearest(value: f64) -> Self {
        value
    }

    fn is_finite(&self) -> bool {
        f64::is_finite(*self)
    }
}

impl Real for f32 {
    fn nearest(value: f64) -> Self {
        value as f32
    }

    fn is_finite(&self) -> bool {
        f32::is_finite(*self)
    }
}

/// What is done with several numbers at a time.
pub trait Vectors: Sized + Copy {
    /// Angles per radian: f64 has them in radians, f32 in half turns, of which whole ones are subtracted without a rounding.
    const PER_RADIAN: f64;

    /// A vector of numbers.
    type Lanes<S: Simd>: Pod;

    /// Numbers of a vector.
    fn lanes<S: Simd>() -> usize {
        size_of::<Self::Lanes<S>>() / size_of::<Self>()
    }

    /// The number in every lane.
    fn splat<S: Simd>(simd: S, value: Self) -> Self::Lanes<S>;

    /// `a b + c`, rounded once where the machine can and twice elsewhere.
    fn mul_add<S: Simd>(
        simd: S,
        a: Self::Lanes<S>,
        b: Self::Lanes<S>,
        c: Self::Lanes<S>,
    ) -> Self::Lanes<S>;

    /// The products of lanes.
    fn times<S: Simd>(simd: S, a: Self::Lanes<S>, b: Self::Lanes<S>) -> Self::Lanes<S>;

    /// The differences of lanes.
    fn minus<S: Simd>(simd: S, a: Self::Lanes<S>, b: Self::Lanes<S>) -> Self::Lanes<S>;

    /// The sums of lanes.
    fn plus<S: Simd>(simd: S, a: Self::Lanes<S>, b: Self::Lanes<S>) -> Self::Lanes<S>;

    /// The sum of all lanes.
    fn total<S: Simd>(simd: S, lanes: Self::Lanes<S>) -> Self;

    /// The whole vectors of a slice, and the numbers left over.
    fn split<S: Simd>(values: &[Self]) -> (&[Self::Lanes<S>], &[Self]);

    /// As [`Vectors::split`].
    fn split_mut<S: Simd>(values: &mut [Self]) -> (&mut [Self::Lanes<S>], &mut [Self]);

    /// A vector that begins with `values`, fewer than it has lanes, with 0 in the others.
    fn load<S: Simd>(simd: S, values: &[Self]) -> Self::Lanes<S>;

    /// The first lanes of `lanes` to `values`, fewer than it has.
    fn store<S: Simd>(simd: S, values: &mut [Self], lanes: Self::Lanes<S>);

    /// L, where vectors and lanes of L vectors of L lanes can change places, and 1 elsewhere.
    fn tile_lanes<S: Simd>() -> usize;

    /// L vectors whose k-th has the k-th lanes of these, L being [`Vectors::tile_lanes`].
    fn turned<S: Simd, const L: usize>(simd: S, tile: [Self::Lanes<S>; L]) -> [Self::Lanes<S>; L];

    /// `amplitude · (cos θ_1, sin θ_1, cos θ_2, …)` in the place of a row that ends with half as many angles θ.
    fn paired_row<S: Simd>(simd: S, row: &mut [Self], amplitude: Self);

    /// `amplitude · cos(θ_j + ν_j)` in the place of the angles θ, with as many `offsets` ν.
    fn phased_row<S: Simd>(simd: S, row: &mut [Self], offsets: &[Self], amplitude: Self);
}

macro_rules! vectors {
    ($real:ty, $per_radian:expr, $rows:ident, $lanes:ident, $split:ident, $split_mut:ident, $load:ident, $store:ident, $splat:ident, $mul_add:ident, $add:ident, $sub:ident, $mul:ident, $sum:ident, $lanes_of_tile:expr, $turned:ident) => {
        impl Vectors for $real {
            const PER_RADIAN: f64 = $per_radian;

            type Lanes<S: Simd> = S::$lanes;

            #[inline(always)]
            fn splat<S: Simd>(simd: S, value: Self) -> Self::Lanes<S> {
                simd.$splat(value)
            }

            #[inline(always)]
            fn mul_add<S: Simd>(
                simd: S,
                a: Self::Lanes<S>,
                b: Self::Lanes<S>,
                c: Self::Lanes<S>,
            ) -> Self::Lanes<S> {
                simd.$mul_add(a, b, c)
            }

            #[inline(always)]
            fn times<S: Simd>(simd: S, a: Self::Lanes<S>, b: Self::Lanes<S>) -> Self::Lanes<S> {
                simd.$mul(a, b)
            }

            #[inline(always)]
            fn minus<S: Simd>(simd: S, a: Self::Lanes<S>, b: Self::Lanes<S>) -> Self::Lanes<S> {
                simd.$sub(a, b)
            }

            #[inline(always)]
            fn plus<S: Simd>(simd: S, a: Self::Lanes<S>, b: Self::Lanes<S>) -> Self::Lanes<S> {
                simd.$add(a, b)
            }

            #[inline(always)]
            fn total<S: Simd>(simd: S, lanes: Self::Lanes<S>) -> Self {
                simd.$sum(lanes)
            }

            #[inline(always)]
            fn split<S: Simd>(values: &[Self]) -> (&[Self::Lanes<S>], &[Self]) {
                S::$split(values)
            }

            #[inline(always)]
            fn split_mut<S: Simd>(values: &mut [Self]) -> (&mut [Self::Lanes<S>], &mut [Self]) {
                S::$split_mut(values)
            }

            #[inline(always)]
            fn load<S: Simd>(simd: S, values: &[Self]) -> Self::Lanes<S> {
                simd.$load(values)
            }

            #[inline(always)]
            fn store<S: Simd>(simd: S, values: &mut [Self], lanes: Self::Lanes<S>) {
                simd.$store(values, lanes);
            }

            #[inline(always)]
            fn tile_lanes<S: Simd>() -> usize {
                if shuffles::has_tiles::<S>() {
                    $lanes_of_tile
                } else {
                    1
                }
            }

            #[inline(always)]
            fn turned<S: Simd, const L: usize>(
                simd: S,
                tile: [Self::Lanes<S>; L],
            ) -> [Self::Lanes<S>; L] {
                shuffles::$turned(simd, tile)
            }

            #[inline(always)]
            fn paired_row<S: Simd>(simd: S, row: &mut [Self], amplitude: Self) {
                $rows::paired_row(simd, row, amplitude);
            }

            #[inline(always)]
            fn phased_row<S: Simd>(simd: S, row: &mut [Self], offsets: &[Self], amplitude: Self) {
                $rows::phased_row(simd, row, offsets, amplitude);
            }
        }
    };
}

vectors!(
    f64,
    1.0,
    fourier_f64,
    f64s,
    as_simd_f64s,
    as_mut_simd_f64s,
    partial_load_f64s,
    partial_store_f64s,
    splat_f64s,
    mul_add_e_f64s,
    add_f64s,
    sub_f64s,
    mul_f64s,
    reduce_sum_f64s,
    4,
    turned_f64
);

vectors!(
    f32,
    std::f64::consts::FRAC_1_PI,
    fourier_f32,
    f32s,
    as_simd_f32s,
    as_mut_simd_f32s,
    partial_load_f32s,
    partial_store_f32s,
    splat_f32s,
    mul_add_e_f32s,
    add_f32s,
    sub_f32s,
    mul_f32s,
    reduce_sum_f32s,
    8,
    turned_f32
);
