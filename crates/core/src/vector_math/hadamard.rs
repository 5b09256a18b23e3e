//! Products with structured orthogonal matrices, by the fast Walsh–Hadamard transform.
//!
//! A vector of m numbers is cut into tiles of L² neighbours, L vectors of L lanes. In a tile the transform is that of the vectors, then, after lanes
//! and vectors have changed places, that of the vectors again: the Hadamard matrix of L² is the Kronecker product of that of L with
//! itself. So a tile comes out turned if it went in upright and the other way round, and the signs of the odd matrices are kept
//! turned. Steps from tile to tile follow. Where the machine has no such tiles, L is 1; with AVX-512 they are those of AVX2.

use super::narrow::dispatch_narrow;
use super::real::Real;
use crate::memory::Lines;
use pulp::{Simd, WithSimd};

/// The most lanes of a tile.
const MAX_LANES: usize = 8;

/// The matrices `scale · F S₁ F S₂ F S₃` of several blocks, with F the Hadamard matrix of width m, `F_ij = (−1)^{number of bits set in both
/// i and j}`, and S_k diagonal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SignedHadamard<T> {
    /// m.
    width: usize,
    /// The diagonals of `scale · S₁`, S₂ and S₃ of the first block, then of the next; the odd ones with turned tiles.
    diagonals: Vec<T>,
}

impl<T: Real> SignedHadamard<T> {
    /// `diagonals` has S₁, S₂ and S₃ of the first block, then of the next.
    ///
    /// # Panics
    /// If the width is no power of two, or a diagonal is missing.
    pub(crate) fn new(width: usize, mut diagonals: Vec<T>, scale: T) -> Self {
        assert!(width.is_power_of_two(), "a power of two");
        assert!(diagonals.len().is_multiple_of(3 * width), "three a block");
        let lanes = dispatch_narrow(Lanes(width, std::marker::PhantomData::<T>));
        for (k, diagonal) in diagonals.chunks_exact_mut(width).enumerate() {
            if k % 3 != 1 {
                turn_tiles(diagonal, lanes);
            }
            if k % 3 == 0 {
                for sign in diagonal.iter_mut() {
                    *sign *= scale;
                }
            }
        }
        Self { width, diagonals }
    }

    /// Writes the first `count` entries of the products of all blocks with the rows of `table`, n numbers each and zeros behind them, to the
    /// beginnings of rows of `out` that are `stride` long, the last one at least `count`.
    ///
    /// # Panics
    /// If rows are wider than the blocks, or there are fewer than `count` entries.
    pub(crate) fn multiply(
        &self,
        table: &[T],
        n: usize,
        out: &mut [T],
        (count, stride): (usize, usize),
    ) {
        assert!(n <= self.width, "no wider than the blocks");
        assert!(3 * count <= self.diagonals.len(), "no more than there are");
        dispatch_narrow(Multiply {
            product: self,
            rows: (table, n),
            out,
            count,
            stride,
        });
    }
}

/// Exchanges lanes and vectors of each tile.
fn turn_tiles<T: Copy>(values: &mut [T], lanes: usize) {
    for tile in values.chunks_exact_mut(lanes * lanes) {
        for i in 0..lanes {
            for j in 0..i {
                tile.swap(i * lanes + j, j * lanes + i);
            }
        }
    }
}

/// L on this machine, for a width.
struct Lanes<T>(usize, std::marker::PhantomData<T>);

impl<T: Real> WithSimd for Lanes<T> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        let lanes = T::tile_lanes::<S>();
        if lanes * lanes <= self.0 { lanes } else { 1 }
    }
}

struct Multiply<'a, T> {
    product: &'a SignedHadamard<T>,
    rows: (&'a [T], usize),
    out: &'a mut [T],
    count: usize,
    stride: usize,
}

impl<T: Real> WithSimd for Multiply<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match Lanes(self.product.width, std::marker::PhantomData::<T>).with_simd(simd) {
            1 => self.by_tiles::<S, 1>(simd),
            4 => self.by_tiles::<S, 4>(simd),
            MAX_LANES => self.by_tiles::<S, MAX_LANES>(simd),
            lanes => unreachable!("tiles of {lanes} lanes"),
        }
    }
}

impl<T: Real> Multiply<'_, T> {
    #[inline(always)]
    fn by_tiles<S: Simd, const L: usize>(self, simd: S) {
        let SignedHadamard { width, diagonals } = self.product;
        let (table, n) = self.rows;
        let mut memory = Lines::zeros(3 * width);
        let (x, memory) = memory.split_at_mut(*width);
        let (u, v) = memory.split_at_mut(*width);
        for (row, out) in table.chunks_exact(n).zip(self.out.chunks_mut(self.stride)) {
            x[..n].copy_from_slice(row);
            x[n..].fill(T::zero());
            turn_tiles(x, L);
            let blocks = diagonals.chunks_exact(3 * width);
            for (out, diagonals) in out[..self.count].chunks_mut(*width).zip(blocks) {
                let (first, rest) = diagonals.split_at(*width);
                let (second, third) = rest.split_at(*width);
                signed_transform::<S, T, L>(simd, (x, third), u);
                signed_transform::<S, T, L>(simd, (u, second), v);
                if out.len() == *width {
                    signed_transform::<S, T, L>(simd, (v, first), out);
                } else {
                    signed_transform::<S, T, L>(simd, (v, first), u);
                    out.copy_from_slice(&u[..out.len()]);
                }
            }
        }
    }
}

/// The product of F, a diagonal and x, with its tiles turned.
#[inline(always)]
fn signed_transform<S: Simd, T: Real, const L: usize>(
    simd: S,
    (x, diagonal): (&[T], &[T]),
    out: &mut [T],
) {
    if L == 1 {
        for ((out, &x), &sign) in out.iter_mut().zip(x).zip(diagonal) {
            *out = x * sign;
        }
        transform(out);
        return;
    }
    let (x, signs) = (T::split::<S>(x).0, T::split::<S>(diagonal).0);
    let tiles = T::split_mut::<S>(out).0.as_chunks_mut::<L>().0;
    let of_tiles = x.as_chunks::<L>().0.iter().zip(signs.as_chunks::<L>().0);
    for (tile, (x, signs)) in tiles.iter_mut().zip(of_tiles) {
        let mut v = *x;
        for i in 0..L {
            v[i] = T::times(simd, x[i], signs[i]);
        }
        transform_vectors::<S, T, L>(simd, &mut v);
        v = T::turned::<S, L>(simd, v);
        transform_vectors::<S, T, L>(simd, &mut v);
        *tile = v;
    }
    add_and_subtract(out, L * L);
}

/// `F v` for the vector v of the numbers in each lane, in its place.
#[inline(always)]
fn transform_vectors<S: Simd, T: Real, const L: usize>(simd: S, v: &mut [T::Lanes<S>; L]) {
    let mut half = 1;
    while half < L {
        for i in 0..L {
            if i & half == 0 {
                let (a, b) = (v[i], v[i + half]);
                (v[i], v[i + half]) = (T::plus(simd, a, b), T::minus(simd, a, b));
            }
        }
        half *= 2;
    }
}

/// `F v` in the place of v.
#[inline(always)]
fn transform<T: Real>(v: &mut [T]) {
    if v.len() < 4 {
        return add_and_subtract(v, 1);
    }
    for four in v.chunks_exact_mut(4) {
        let (sum, difference) = (four[0] + four[1], four[0] - four[1]);
        let (other_sum, other_difference) = (four[2] + four[3], four[2] - four[3]);
        four[0] = sum + other_sum;
        four[1] = difference + other_difference;
        four[2] = sum - other_sum;
        four[3] = difference - other_difference;
    }
    add_and_subtract(v, 4);
}

/// `F v` in the place of v, from those of its parts of `half` numbers, two steps of the recursion at a time.
#[inline(always)]
fn add_and_subtract<T: Real>(v: &mut [T], mut half: usize) {
    while 4 * half <= v.len() {
        for block in v.chunks_exact_mut(4 * half) {
            let (low, high) = block.split_at_mut(2 * half);
            let (a, b) = low.split_at_mut(half);
            let (c, d) = high.split_at_mut(half);
            for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
                let (sum, difference) = (*a + *b, *a - *b);
                let (other_sum, other_difference) = (*c + *d, *c - *d);
                *a = sum + other_sum;
                *b = difference + other_difference;
                *c = sum - other_sum;
                *d = difference - other_difference;
            }
        }
        half *= 4;
    }
    while 2 * half <= v.len() {
        for block in v.chunks_exact_mut(2 * half) {
            let (a, b) = block.split_at_mut(half);
            for (a, b) in a.iter_mut().zip(b) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::{Lanes, Multiply, SignedHadamard, dispatch_narrow, turn_tiles};
    use crate::vector_math::Real;
    use proptest::prelude::*;
    use pulp::{Scalar, WithSimd};

    /// `F v` by the definition.
    fn by_definition(v: &[f64]) -> Vec<f64> {
        let entry = |i: usize, j: usize| {
            if (i & j).count_ones().is_multiple_of(2) {
                1.0
            } else {
                -1.0
            }
        };
        let sum = |i| v.iter().enumerate().map(|(j, v)| entry(i, j) * v).sum();
        (0..v.len()).map(sum).collect()
    }

    /// The products on the machine's vectors, then one number at a time; what is between rows stays.
    fn products<T: Real>(
        (width, diagonals): (usize, &[T]),
        (table, n): (&[T], usize),
        (count, stride): (usize, usize),
    ) -> [Vec<T>; 2] {
        let scale = T::nearest(0.25);
        let mut both = [(); 2].map(|()| vec![T::nearest(-0.5); table.len() / n * stride]);
        let [by_tiles, one_by_one] = &mut both;
        SignedHadamard::new(width, diagonals.to_vec(), scale).multiply(
            table,
            n,
            by_tiles,
            (count, stride),
        );
        let mut diagonals = diagonals.to_vec();
        for of_block in diagonals.chunks_mut(3 * width) {
            for sign in &mut of_block[..width] {
                *sign *= scale;
            }
        }
        let product = &SignedHadamard { width, diagonals };
        let out = one_by_one;
        let rows = (table, n);
        Multiply {
            product,
            rows,
            out,
            count,
            stride,
        }
        .with_simd(Scalar::new());
        both
    }

    proptest! {
        /// Entries are small whole numbers, of which sums are exact, at single precision up to a width of 128.
        #[test]
        fn products_are_those_of_the_definition(
            (log, blocks, rows) in (0..10_u32, 1..4_usize, 1..4_usize),
            (given, shown, between) in (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3_usize),
            seed in 0..1000_usize,
        ) {
            let width = 2_usize.pow(log);
            let (n, count) = (given.index(width) + 1, shown.index(blocks * width) + 1);
            let number = |k: usize| ((k * 7919 + seed) % 5) as f64 - 2.0;
            let diagonals: Vec<f64> = (0..3 * width * blocks)
                .map(|k| if (k * k + k / 3 + seed) % 7 < 3 { -1.0 } else { 1.0 })
                .collect();
            let table: Vec<f64> = (0..n * rows).map(number).collect();
            let stride = count + between;
            let narrow = |v: &[f64]| v.iter().map(|v| *v as f32).collect::<Vec<f32>>();
            let found = products((width, &diagonals), (&table, n), (count, stride));
            let single = products((width, &narrow(&diagonals)), (&narrow(&table), n), (count, stride));
            for (i, row) in table.chunks(n).enumerate() {
                let of_blocks = diagonals.chunks(3 * width).flat_map(|diagonals| {
                    let mut v = row.to_vec();
                    v.resize(width, 0.0);
                    for diagonal in diagonals.chunks(width).rev() {
                        let signed: Vec<f64> = v.iter().zip(diagonal).map(|(v, s)| v * s).collect();
                        v = by_definition(&signed);
                    }
                    v
                });
                let mut expected: Vec<f64> = of_blocks.take(count).map(|v| 0.25 * v).collect();
                expected.resize(stride, -0.5);
                for (found, single) in found.iter().zip(&single) {
                    let own = i * stride..(i + 1) * stride;
                    prop_assert_eq!(&found[own.clone()], &expected[..]);
                    if width <= 128 {
                        prop_assert_eq!(&single[own], &narrow(&expected)[..]);
                    }
                }
            }
        }
    }

    #[test]
    fn turned_tiles_are_turned_back() {
        let mut values: Vec<usize> = (0..32).collect();
        turn_tiles(&mut values, 4);
        assert_eq!(values[..6], [0, 4, 8, 12, 1, 5]);
        assert_eq!(values[16..18], [16, 20]);
        turn_tiles(&mut values, 4);
        assert_eq!(values, (0..32).collect::<Vec<_>>());
    }

    /// Without this the tests above would go one number at a time twice.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn tiles_are_used_where_vectors_are() {
        if pulp::x86::V3::try_new().is_some() {
            let lanes = |width| dispatch_narrow(Lanes::<f32>(width, std::marker::PhantomData));
            assert_eq!((lanes(32), lanes(64), lanes(1024)), (1, 8, 8));
            let lanes = |width| dispatch_narrow(Lanes::<f64>(width, std::marker::PhantomData));
            assert_eq!((lanes(8), lanes(16), lanes(32)), (1, 4, 4));
        }
    }
}
