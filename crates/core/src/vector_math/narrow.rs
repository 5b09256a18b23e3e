//! Vectors of no more than 256 bits, for sums over the rows of a table.

use pulp::{Arch, WithSimd};

/// Runs `op` on vectors of AVX2 where the processor has AVX-512 too, and on the machine's own elsewhere. Rows of a table are mostly short and begin
/// anywhere: long vectors end in remainders and cross cache lines at each step, which costs more than they gain. Sums over the lanes have the same
/// bits on both kinds of processor.
#[inline]
pub fn dispatch_narrow<Op: WithSimd>(op: Op) -> Op::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = pulp::x86::V3::try_new() {
        return Arch::V3(avx2).dispatch(op);
    }
    Arch::new().dispatch(op)
}
