//! Exchanges of lanes between vectors.

use pulp::Simd;
use pulp::bytemuck::{cast, cast_slice, cast_slice_mut};
#[cfg(target_arch = "x86_64")]
use pulp::{
    f32x8, f64x4,
    x86::{V3, V4},
};

#[cfg(target_arch = "x86_64")]
mod avx;
#[cfg(target_arch = "x86_64")]
mod avx512;

/// `simd`, if it is of the kind V.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn as_kind<S: Simd, V: Copy + 'static>(simd: S) -> Option<V> {
    (&simd as &dyn std::any::Any).downcast_ref().copied()
}

/// The lanes of both in turns, those of `even` first.
#[inline(always)]
pub(super) fn interleave<S: Simd>(simd: S, [even, odd]: [S::f32s; 2]) -> [S::f32s; 2] {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx) = as_kind::<_, V3>(simd) {
        return cast(avx::interleave(avx, cast([even, odd])));
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = as_kind::<_, V4>(simd) {
        return cast(avx512::interleave(avx512, cast([even, odd])));
    }
    let mut out = [simd.splat_f32s(0.0); 2];
    let pairs = cast_slice_mut::<_, f32>(&mut out).as_chunks_mut::<2>().0;
    let (even, odd) = ([even], [odd]);
    for (i, pair) in pairs.iter_mut().enumerate() {
        *pair = [cast_slice(&even)[i], cast_slice(&odd)[i]];
    }
    out
}

/// As [`interleave`].
#[inline(always)]
pub(super) fn interleave_f64<S: Simd>(simd: S, [even, odd]: [S::f64s; 2]) -> [S::f64s; 2] {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx) = as_kind::<_, V3>(simd) {
        return cast(avx::interleave_f64(avx, cast([even, odd])));
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = as_kind::<_, V4>(simd) {
        return cast(avx512::interleave_f64(avx512, cast([even, odd])));
    }
    let mut out = [simd.splat_f64s(0.0); 2];
    let pairs = cast_slice_mut::<_, f64>(&mut out).as_chunks_mut::<2>().0;
    let (even, odd) = ([even], [odd]);
    for (i, pair) in pairs.iter_mut().enumerate() {
        *pair = [cast_slice(&even)[i], cast_slice(&odd)[i]];
    }
    out
}

/// Whether the vectors of S can be turned.
#[inline(always)]
pub(super) fn has_tiles<S: Simd>() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::any::TypeId::of::<S>() == std::any::TypeId::of::<V3>();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Eight vectors of eight whose k-th has the k-th lanes of `tile`; `tile` itself if it is one vector.
#[inline(always)]
pub(super) fn turned_f32<S: Simd, const L: usize>(simd: S, mut tile: [S::f32s; L]) -> [S::f32s; L] {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx) = as_kind::<_, V3>(simd)
        && let [tile] = cast_slice_mut::<_, f32x8>(&mut tile).as_chunks_mut::<8>().0
    {
        *tile = avx::transpose_f32(avx, *tile);
    }
    tile
}

/// Four vectors of four whose k-th has the k-th lanes of `tile`; `tile` itself if it is one vector.
#[inline(always)]
pub(super) fn turned_f64<S: Simd, const L: usize>(simd: S, mut tile: [S::f64s; L]) -> [S::f64s; L] {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx) = as_kind::<_, V3>(simd)
        && let [tile] = cast_slice_mut::<_, f64x4>(&mut tile).as_chunks_mut::<4>().0
    {
        *tile = avx.deinterleave_shfl_f64s(*tile);
    }
    tile
}
