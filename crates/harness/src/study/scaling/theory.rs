//! What training should cost, by counting operations and what is held.
//!
//! L rows, n inputs, d features: n of identity, D of random Fourier features, m of Nyström features. A law is a sum of terms, written as they are
//! read here. A slope is the exponent of a size; where terms differ in it, 0 of those without it, the slope lies between the least and the
//! largest of theirs, and nears the largest as that size grows. Maps first (sizes of products):
//!
//! - random Fourier features take `O(L n D)` time, a product with the frequencies [A. Rahimi, B. Recht, *Random features for large-scale
//!   kernel machines*, NIPS 2007];
//! - Nyström features `O(L n m + L m² + m³)`: kernels of rows and landmarks, their product with `K_mm^{−1/2}`, and its
//!   eigenvalues [C. Williams, M. Seeger, *Using the Nyström method to speed up kernel machines*, NIPS 2000].
//!
//! Solvers, for k iterations or E epochs:
//!
//! - an interior-point method with one cone forms a weighted Gram matrix of the features and factors it: `O(k (L d² + d³))` [M. Ferris,
//!   T. Munson, *Interior-point methods for massive support vector machines*, SIAM J. Optim. 13 (2002)]; so do cutting planes in their
//!   master problems, the local bound and each lower problem of the safe SVM. On blocks it makes the features anew in each pass;
//! - dual coordinate descent and stochastic gradients touch each value once in an epoch: `O(E L d)` [C.-J. Hsieh et al., *A dual
//!   coordinate descent method for large-scale linear SVM*, ICML 2008; S. Shalev-Shwartz et al., Math. Program. 127 (2011)];
//! - sequential minimal optimisation on an exact kernel takes between L² and L³ [L. Bottou, C.-J. Lin, *Support vector machine
//!   solvers*, in Large Scale Kernel Machines (2007), §1.4], of which the kernel matrix is `O(L² n)`;
//! - eigenvalues or a Cholesky factor of the kernel matrix `O(L³)` [G. Golub, C. Van Loan, *Matrix Computations*, 4th ed. (2013), §4.2, §8.3].
//!
//! Iterations of interior-point methods hardly depend on sizes; epochs and pairs to a gap do, in ways that depend on the
//! data, so that laws with k fixed are no more than a rule there.
//!
//! Memory: rows, features and the matrix of the solver, `O(L (n + d) + d²)`; the kernel matrix `O(L²)`; on blocks of B = 8192 rows their inputs, the map, some
//! bytes a row, and of the interior-point method the features of one block and its matrix.

use super::measured::Quantity;
use super::method::MethodPlan;
use super::size::AxisName;
use super::solver::TrainerName;
use crate::spec::MapName;

/// How a cost grows: a sum of terms such as `kLD²`, in which sizes are L, n, D and m, and other letters do not grow with them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Law {
    terms: Vec<&'static str>,
}

impl Law {
    fn of(terms: &[&'static str]) -> Self {
        Self {
            terms: terms.to_vec(),
        }
    }

    /// The law as it is written.
    pub(super) fn formula(&self) -> String {
        self.terms.join(" + ")
    }

    /// The exponents of `axis`: the least and the largest.
    pub(super) fn slopes(&self, axis: AxisName) -> (f64, f64) {
        let size = match axis {
            AxisName::Rows => 'L',
            AxisName::Inputs => 'n',
            AxisName::Dim => 'D',
            AxisName::Landmarks => 'm',
        };
        let exponents = self.terms.iter().map(|term| exponent(term, size));
        exponents.fold((f64::INFINITY, 0.0), |(least, most), e| {
            (e.min(least), e.max(most))
        })
    }
}

/// The exponent of `size` in a term.
fn exponent(term: &str, size: char) -> f64 {
    let Some((_, after)) = term.split_once(size) else {
        return 0.0;
    };
    match after.chars().next() {
        Some('²') => 2.0,
        Some('³') => 3.0,
        _ => 1.0,
    }
}

/// A solver's own part of the time, whatever the map.
#[derive(Clone, Copy)]
enum Work {
    /// `k (L d² + d³)`.
    Gram,
    /// `E L d`.
    Passes,
}

/// How `quantity` of `method` grows.
pub(super) fn law(method: &MethodPlan, quantity: Quantity) -> Law {
    match quantity {
        Quantity::Time => time(method.solver, method.map),
        Quantity::Memory => memory(method.solver, method.map),
    }
}

fn time(solver: TrainerName, map: MapName) -> Law {
    let work = match solver {
        TrainerName::DualCoordinate | TrainerName::Stochastic | TrainerName::Stream => Work::Passes,
        _ => Work::Gram,
    };
    Law::of(match (map, work, solver.is_streamed()) {
        (MapName::ExactKernel, ..) => return kernel_time(solver),
        (MapName::Identity, Work::Gram, _) => &["kLn²", "kn³"],
        (MapName::Identity, Work::Passes, _) => &["ELn"],
        (MapName::Rff, Work::Gram, false) => &["LnD", "kLD²", "kD³"],
        (MapName::Rff, Work::Gram, true) => &["kLnD", "kLD²", "kD³"],
        (MapName::Rff, Work::Passes, false) => &["LnD", "ELD"],
        (MapName::Rff, Work::Passes, true) => &["ELnD"],
        (MapName::Nystrom, Work::Gram, false) => &["Lnm", "kLm²", "km³"],
        (MapName::Nystrom, Work::Gram, true) => &["kLnm", "kLm²", "km³"],
        (MapName::Nystrom, Work::Passes, false) => &["Lnm", "Lm²", "m³", "ELm"],
        (MapName::Nystrom, Work::Passes, true) => &["ELnm", "ELm²", "m³"],
    })
}

fn kernel_time(solver: TrainerName) -> Law {
    Law::of(match solver {
        TrainerName::KernelPrimal => &["L²n", "kL³"],
        _ => &["L²n", "L³"],
    })
}

fn memory(solver: TrainerName, map: MapName) -> Law {
    Law::of(match (map, solver) {
        (MapName::ExactKernel, _) => &["L²", "Ln"],
        (MapName::Identity, TrainerName::Stream) => &["L", "Bn"],
        (MapName::Rff, TrainerName::Stream) => &["L", "Bn", "nD"],
        (MapName::Nystrom, TrainerName::Stream) => &["L", "Bn", "nm", "m²"],
        (MapName::Identity, TrainerName::StreamInteriorPoint) => &["L", "Bn", "n²"],
        (MapName::Rff, TrainerName::StreamInteriorPoint) => &["L", "Bn", "BD", "D²"],
        (MapName::Nystrom, TrainerName::StreamInteriorPoint) => &["L", "Bn", "Bm", "m²"],
        (MapName::Identity, _) => &["Ln", "n²"],
        (MapName::Rff, _) => &["Ln", "LD", "D²"],
        (MapName::Nystrom, _) => &["Ln", "Lm", "m²"],
    })
}

#[cfg(test)]
mod tests {
    use super::{memory, time};
    use crate::spec::MapName;
    use crate::study::scaling::{AxisName, TrainerName};

    #[test]
    fn slopes_are_the_exponents_of_the_terms() {
        let (point, rff) = (TrainerName::InteriorPoint, MapName::Rff);
        let law = time(point, rff);
        assert_eq!(law.formula(), "LnD + kLD² + kD³");
        assert_eq!(law.slopes(AxisName::Rows), (0.0, 1.0));
        assert_eq!(law.slopes(AxisName::Inputs), (0.0, 1.0));
        assert_eq!(law.slopes(AxisName::Dim), (1.0, 3.0));
        assert_eq!(law.slopes(AxisName::Landmarks), (0.0, 0.0));
        let smo = time(TrainerName::Smo, MapName::ExactKernel);
        assert_eq!(smo.slopes(AxisName::Rows), (2.0, 3.0));
        let stream = time(TrainerName::Stream, rff);
        assert_eq!(stream.slopes(AxisName::Dim), (1.0, 1.0));
        let memory = memory(TrainerName::Stream, MapName::Nystrom);
        assert_eq!(memory.slopes(AxisName::Landmarks), (0.0, 2.0));
    }

    /// Every solver's time grows with each size that it has, and with the rows of memory at hand its memory too.
    #[test]
    fn costs_grow_with_the_sizes_that_there_are() {
        for solver in TrainerName::ALL {
            for &map in solver.maps() {
                let laws = [time(solver, map), memory(solver, map)];
                for axis in AxisName::ALL {
                    let is_there = match axis {
                        AxisName::Rows | AxisName::Inputs => true,
                        AxisName::Dim => map == MapName::Rff,
                        AxisName::Landmarks => map == MapName::Nystrom,
                    };
                    for law in &laws {
                        let grows = law.slopes(axis).1 >= 1.0;
                        assert_eq!(grows, is_there, "{solver:?} {map:?} {axis:?} {law:?}");
                    }
                }
            }
        }
    }
}
