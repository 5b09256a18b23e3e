//! On vectors of 256 bits, by AVX.

use pulp::x86::V3;
use pulp::{cast, f32x8};
use std::arch::x86_64::{__m256, __m256d};

#[inline(always)]
pub(super) fn interleave(simd: V3, [even, odd]: [__m256; 2]) -> [__m256; 2] {
    let avx = simd.avx;
    // e0 o0 e1 o1 e4 o4 e5 o5 and e2 o2 e3 o3 e6 o6 e7 o7.
    let low = avx._mm256_unpacklo_ps(even, odd);
    let high = avx._mm256_unpackhi_ps(even, odd);
    halves(simd, low, high)
}

#[inline(always)]
pub(super) fn interleave_f64(simd: V3, [even, odd]: [__m256d; 2]) -> [__m256d; 2] {
    let avx = simd.avx;
    // e0 o0 e2 o2 and e1 o1 e3 o3.
    let low = avx._mm256_unpacklo_pd(even, odd);
    let high = avx._mm256_unpackhi_pd(even, odd);
    [
        avx._mm256_permute2f128_pd::<0x20>(low, high),
        avx._mm256_permute2f128_pd::<0x31>(low, high),
    ]
}

/// The first halves of both, and the second ones.
#[inline(always)]
fn halves(simd: V3, a: __m256, b: __m256) -> [__m256; 2] {
    let avx = simd.avx;
    [
        avx._mm256_permute2f128_ps::<0x20>(a, b),
        avx._mm256_permute2f128_ps::<0x31>(a, b),
    ]
}

/// The vectors whose k-th has the k-th lanes of these.
#[inline(always)]
pub(super) fn transpose_f32(simd: V3, [a, b, c, d, e, f, g, h]: [f32x8; 8]) -> [f32x8; 8] {
    // Fours of rows, of which the first halves have the columns 0 to 3 and the second ones 4 to 7.
    let [ab, cd, ef, gh] = [[a, b], [c, d], [e, f], [g, h]];
    let [upper, lower] = [quarters(simd, ab, cd), quarters(simd, ef, gh)];
    let [[k0, k4], [k1, k5], [k2, k6], [k3, k7]] = [
        halves(simd, upper[0], lower[0]),
        halves(simd, upper[1], lower[1]),
        halves(simd, upper[2], lower[2]),
        halves(simd, upper[3], lower[3]),
    ];
    [
        cast(k0),
        cast(k1),
        cast(k2),
        cast(k3),
        cast(k4),
        cast(k5),
        cast(k6),
        cast(k7),
    ]
}

/// The lanes `k` and `k + 4` of four vectors, together, for k from 0 to 3.
#[inline(always)]
fn quarters(simd: V3, [a, b]: [f32x8; 2], [c, d]: [f32x8; 2]) -> [__m256; 4] {
    let avx = simd.avx;
    let ab: [__m256d; 2] = [
        cast(avx._mm256_unpacklo_ps(cast(a), cast(b))),
        cast(avx._mm256_unpackhi_ps(cast(a), cast(b))),
    ];
    let cd: [__m256d; 2] = [
        cast(avx._mm256_unpacklo_ps(cast(c), cast(d))),
        cast(avx._mm256_unpackhi_ps(cast(c), cast(d))),
    ];
    [
        cast(avx._mm256_unpacklo_pd(ab[0], cd[0])),
        cast(avx._mm256_unpackhi_pd(ab[0], cd[0])),
        cast(avx._mm256_unpacklo_pd(ab[1], cd[1])),
        cast(avx._mm256_unpackhi_pd(ab[1], cd[1])),
    ]
}

#[cfg(test)]
mod tests {
    use super::transpose_f32;
    use pulp::x86::V3;
    use pulp::{cast, f32x8};

    #[test]
    fn lanes_and_vectors_change_places() {
        let Some(simd) = V3::try_new() else { return };
        let table: [[f32; 8]; 8] =
            std::array::from_fn(|i| std::array::from_fn(|j| (8 * i + j) as f32));
        let vectors: [f32x8; 8] = cast(table);
        let turned: [[f32; 8]; 8] = cast(simd.vectorize(Turn(simd, vectors)));
        for (i, row) in turned.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                assert_eq!(*entry, table[j][i]);
            }
        }
    }

    struct Turn(V3, [f32x8; 8]);

    impl pulp::NullaryFnOnce for Turn {
        type Output = [f32x8; 8];

        #[inline(always)]
        fn call(self) -> [f32x8; 8] {
            transpose_f32(self.0, self.1)
        }
    }
}
