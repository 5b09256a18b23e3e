//! Memory for large matrices, and memory for vectors.

use ndarray::{Array2, LinalgScalar};
use std::ops::{Deref, DerefMut};

/// Bytes below which large pages gain nothing: twice the size of one.
const LARGE: usize = 1 << 22;

/// A matrix of zeros that is about to be written whole. On Linux the system is asked to give a large one its memory in large pages
/// (2 MiB in the place of 4 KiB), where it has them: the first writing of 800 MB then takes a third of the time.
pub fn zeros<T: LinalgScalar>(shape: (usize, usize)) -> Array2<T> {
    // Memory asked for as zeros comes from the system untouched, so that its pages are still to be given.
    let mut matrix = Array2::zeros(shape);
    if let Some(values) = matrix.as_slice_mut()
        && size_of_val(values) >= LARGE
    {
        ask_for_large_pages(values);
    }
    matrix
}

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// Numbers that begin with a line of the cache, so that no vector of them, counted from the first, lies in two lines: those take longer to write.
#[derive(Debug)]
pub struct Lines<T> {
    memory: Vec<T>,
    first: usize,
}

impl<T: LinalgScalar> Lines<T> {
    /// Zeros.
    pub fn zeros(len: usize) -> Self {
        let mut memory = vec![T::zero(); len + LINE / size_of::<T>()];
        // Of no effect where the offset is not known.
        let first = memory
            .as_ptr()
            .align_offset(LINE)
            .min(LINE / size_of::<T>());
        memory.truncate(first + len);
        Self { memory, first }
    }
}

impl<T: Clone> Clone for Lines<T> {
    fn clone(&self) -> Self {
        let mut memory: Vec<T> = Vec::with_capacity(self.len() + LINE / size_of::<T>());
        let first = memory
            .as_ptr()
            .align_offset(LINE)
            .min(LINE / size_of::<T>());
        // What is before the first line is never seen; without a number nothing is.
        memory.extend(self.iter().cycle().take(first).cloned());
        let first = memory.len();
        memory.extend_from_slice(self);
        Self { memory, first }
    }
}

impl<T: PartialEq> PartialEq for Lines<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T> Deref for Lines<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.memory[self.first..]
    }
}

impl<T> DerefMut for Lines<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.memory[self.first..]
    }
}

/// Tells the system that the memory of `values` is best given in large pages. An advice that it does not take changes nothing.
#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "the only way to the system call; the advice changes no content"
)]
fn ask_for_large_pages<T>(values: &mut [T]) {
    let page = rustix::param::page_size();
    let range = values.as_mut_ptr_range();
    let first = (range.start as usize).next_multiple_of(page);
    let last = range.end as usize / page * page;
    let skipped = first - range.start as usize;
    if let Some(length) = last.checked_sub(first) {
        let start = range.start.wrapping_byte_add(skipped).cast();
        // SAFETY: `start..start + length` lies inside of `values`, which is borrowed alone, and begins and ends with a page.
        // MADV_HUGEPAGE says how pages are to be given; no byte of a page that is there is changed or taken away.
        let _ = unsafe { rustix::mm::madvise(start, length, rustix::mm::Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages<T>(_: &mut [T]) {}

#[cfg(test)]
mod tests {
    use super::{LARGE, LINE, Lines, zeros};

    #[test]
    fn lines_begin_where_lines_do() {
        for len in [1, 5, 64, 100_000] {
            let lines = Lines::<f32>::zeros(len);
            for lines in [lines.clone(), lines] {
                assert_eq!(&*lines, vec![0.0; len]);
                assert!((lines.as_ptr() as usize).is_multiple_of(LINE));
            }
        }
    }

    /// Below and above the size from which large pages are asked for, and ends inside of a page.
    #[test]
    fn matrices_are_zeros_of_the_shape() {
        let long = LARGE / 8;
        for shape in [(0, 3), (3, 0), (5, 7), (1, long), (long + 1, 3)] {
            let matrix = zeros::<f64>(shape);
            assert_eq!(matrix.dim(), shape);
            assert!(matrix.iter().all(|v| v.to_bits() == 0));
        }
    }
}
