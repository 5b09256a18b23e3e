//! For tests: the same work on every kind of vectors that the machine has.

use pulp::Arch;

/// The machine's vectors, the widest first; one number at a time, without FMA, last.
pub(super) fn each_arch() -> Vec<Arch> {
    let mut all = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        use pulp::x86::{V3, V4};
        all.extend(V4::try_new().map(Arch::V4));
        all.extend(V3::try_new().map(Arch::V3));
    }
    #[cfg(not(target_arch = "x86_64"))]
    all.push(Arch::new());
    all.push(Arch::Scalar);
    all
}

/// The results on each, once those of all kinds of vectors have been seen to have the same bits.
pub(super) fn on_each<R>(run: impl Fn(Arch) -> R, bits: impl Fn(&R) -> Vec<u64>) -> Vec<R> {
    let results: Vec<R> = each_arch().into_iter().map(run).collect();
    let of_vectors: Vec<_> = results[..results.len() - 1].iter().map(bits).collect();
    assert!(of_vectors.iter().all(|bits| *bits == of_vectors[0]));
    results
}
