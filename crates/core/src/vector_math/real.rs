//! The precisions that features are computed in.

use super::sincos_lanes::{LIMIT, near_lanes};
use super::sincos_lanes_f32::{LIMIT_F32, near_lanes_f32};
use faer::traits::ComplexField;
use ndarray::LinalgScalar;
use pulp::Simd;

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
    /// The phases of larger magnitude are left to the standard library.
    const LIMIT: Self;

    /// A vector of numbers.
    type Lanes<S: Simd>: Copy;

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

    /// Sine and cosine of the lanes within [`Vectors::LIMIT`]; of no meaning in the others.
    fn sincos_near<S: Simd>(simd: S, x: Self::Lanes<S>) -> (Self::Lanes<S>, Self::Lanes<S>);

    /// Sine and cosine of any number.
    fn sincos_any(self) -> (Self, Self);

    /// Whether the number is within [`Vectors::LIMIT`]; NaN is not.
    fn is_near(self) -> bool;
}

macro_rules! vectors {
    ($real:ty, $limit:expr, $lanes:ident, $near:ident, $any:expr, $split:ident, $split_mut:ident, $load:ident, $store:ident, $splat:ident, $mul_add:ident, $add:ident, $sum:ident) => {
        impl Vectors for $real {
            const LIMIT: Self = $limit;

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
            fn sincos_near<S: Simd>(
                simd: S,
                x: Self::Lanes<S>,
            ) -> (Self::Lanes<S>, Self::Lanes<S>) {
                $near(simd, x)
            }

            fn sincos_any(self) -> (Self, Self) {
                $any(self)
            }

            #[inline(always)]
            fn is_near(self) -> bool {
                self.abs() <= Self::LIMIT
            }
        }
    };
}

vectors!(
    f64,
    LIMIT,
    f64s,
    near_lanes,
    f64::sin_cos,
    as_simd_f64s,
    as_mut_simd_f64s,
    partial_load_f64s,
    partial_store_f64s,
    splat_f64s,
    mul_add_e_f64s,
    add_f64s,
    reduce_sum_f64s
);

vectors!(
    f32,
    LIMIT_F32,
    f32s,
    near_lanes_f32,
    // Rounded once more, from twice the digits.
    |x: f32| {
        let (sin, cos) = f64::from(x).sin_cos();
        (sin as f32, cos as f32)
    },
    as_simd_f32s,
    as_mut_simd_f32s,
    partial_load_f32s,
    partial_store_f32s,
    splat_f32s,
    mul_add_e_f32s,
    add_f32s,
    reduce_sum_f32s
);
