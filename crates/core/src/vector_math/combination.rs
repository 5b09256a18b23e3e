//! Sums of a few rows of a table.

use super::real::Real;
use pulp::{Arch, Simd, WithSimd};

/// `out = Σ_k values_k · table[indices_k]`, the rows of `table` as long as `out`, added in order.
///
/// # Panics
/// If there are not as many values as indices, or an index is beyond the table.
pub(crate) fn combine_rows<T: Real>(indices: &[usize], values: &[T], table: &[T], out: &mut [T]) {
    assert_eq!(indices.len(), values.len(), "a value for each index");
    Arch::new().dispatch(Combination {
        indices,
        values,
        table,
        out,
    });
}

struct Combination<'a, T> {
    indices: &'a [usize],
    values: &'a [T],
    table: &'a [T],
    out: &'a mut [T],
}

impl<T: Real> WithSimd for Combination<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let width = self.out.len();
        self.out.fill(T::zero());
        for (&index, &value) in self.indices.iter().zip(self.values) {
            add_scaled(value, &self.table[index * width..][..width], self.out);
        }
    }
}

/// `out ← out + weight · row`.
#[inline(always)]
fn add_scaled<T: Real>(weight: T, row: &[T], out: &mut [T]) {
    for (out, &entry) in out.iter_mut().zip(row) {
        *out += weight * entry;
    }
}
