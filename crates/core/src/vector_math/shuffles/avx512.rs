//! On vectors of 512 bits, by AVX-512.

use pulp::cast;
use pulp::x86::V4;
use std::arch::x86_64::{__m512, __m512d, __m512i};

#[inline(always)]
pub(super) fn interleave(simd: V4, [even, odd]: [__m512; 2]) -> [__m512; 2] {
    // Places of the second vector begin at 16.
    const LOW: [u32; 16] = [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23];
    const HIGH: [u32; 16] = [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31];
    [LOW, HIGH].map(|places| {
        let places: __m512i = cast(places);
        simd.avx512f._mm512_permutex2var_ps(even, places, odd)
    })
}

#[inline(always)]
pub(super) fn interleave_f64(simd: V4, [even, odd]: [__m512d; 2]) -> [__m512d; 2] {
    // Places of the second vector begin at 8.
    const LOW: [u64; 8] = [0, 8, 1, 9, 2, 10, 3, 11];
    const HIGH: [u64; 8] = [4, 12, 5, 13, 6, 14, 7, 15];
    [LOW, HIGH].map(|places| {
        let places: __m512i = cast(places);
        simd.avx512f._mm512_permutex2var_pd(even, places, odd)
    })
}
