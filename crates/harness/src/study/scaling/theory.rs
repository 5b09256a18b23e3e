//! What training should cost, by counting operations and what is held.
//!
//! L rows, n inputs, d features: n of identity, D of random Fourier features, m of Nyström features. A slope is the exponent of a size
//! in the law; where terms differ in it, the slope lies between the least and the largest of theirs, and nears the largest
//! as that size grows. Maps first (sizes of products):
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
//! Memory: rows, features and the matrix of the solver, `O(L (n + d) + d²)`; the kernel matrix `O(L²)`; on blocks two features'
//! worth of a few hundred rows, a block of 8192 inputs, and some bytes a row, so that it is constant until these are as large.

use super::measured::Quantity;
use super::method::MethodPlan;
use super::size::AxisName;
use super::solver::TrainerName;
use crate::spec::MapName;

/// How a cost grows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Law {
    /// The law in L, n and D or m.
    pub(super) formula: String,
    /// Exponents of L, n and d: the least and the largest of its terms.
    rows: (f64, f64),
    inputs: (f64, f64),
    features: (f64, f64),
}

impl Law {
    /// The exponents of `axis`: the least and the largest.
    pub(super) fn slopes(&self, axis: AxisName) -> (f64, f64) {
        match axis {
            AxisName::Rows => self.rows,
            AxisName::Inputs => self.inputs,
            AxisName::Dim | AxisName::Landmarks => self.features,
        }
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

fn law_of(formula: &str, rows: (f64, f64), inputs: (f64, f64), features: (f64, f64)) -> Law {
    Law {
        formula: formula.to_owned(),
        rows,
        inputs,
        features,
    }
}

fn time(solver: TrainerName, map: MapName) -> Law {
    let work = match solver {
        TrainerName::DualCoordinate | TrainerName::Stochastic | TrainerName::Stream => Work::Passes,
        _ => Work::Gram,
    };
    let again = solver.is_streamed();
    match (map, work) {
        (MapName::ExactKernel, _) => kernel_time(solver),
        (MapName::Identity, Work::Gram) => {
            law_of("k(Ln² + n³)", (1.0, 1.0), (2.0, 3.0), (0.0, 0.0))
        }
        (MapName::Identity, Work::Passes) => law_of("E·L·n", (1.0, 1.0), (1.0, 1.0), (0.0, 0.0)),
        (MapName::Rff, Work::Gram) => {
            let formula = if again {
                "k(LnD + LD² + D³)"
            } else {
                "LnD + k(LD² + D³)"
            };
            law_of(formula, (1.0, 1.0), (0.0, 1.0), (2.0, 3.0))
        }
        (MapName::Rff, Work::Passes) => {
            let formula = if again { "E·L(nD + D)" } else { "LnD + E·LD" };
            law_of(formula, (1.0, 1.0), (0.0, 1.0), (1.0, 1.0))
        }
        (MapName::Nystrom, Work::Gram) => {
            let formula = if again {
                "m³ + k(Lnm + Lm² + m³)"
            } else {
                "Lnm + Lm² + m³ + k(Lm² + m³)"
            };
            law_of(formula, (1.0, 1.0), (0.0, 1.0), (2.0, 3.0))
        }
        (MapName::Nystrom, Work::Passes) => {
            let formula = if again {
                "m³ + E·L(nm + m²)"
            } else {
                "Lnm + Lm² + m³ + E·Lm"
            };
            law_of(formula, (1.0, 1.0), (0.0, 1.0), (1.0, 3.0))
        }
    }
}

fn kernel_time(solver: TrainerName) -> Law {
    let (formula, rows) = match solver {
        TrainerName::KernelPrimal => ("L²n + L³ + k·L³", (3.0, 3.0)),
        TrainerName::KernelRidge => ("L²n + L³", (2.0, 3.0)),
        _ => ("L²n + k·L, L² to L³", (2.0, 3.0)),
    };
    law_of(formula, rows, (0.0, 1.0), (0.0, 0.0))
}

fn memory(solver: TrainerName, map: MapName) -> Law {
    match (map, solver) {
        (MapName::ExactKernel, _) => law_of("L² + Ln", (1.0, 2.0), (0.0, 1.0), (0.0, 0.0)),
        (MapName::Identity, TrainerName::Stream) => {
            law_of("L + n", (0.0, 1.0), (0.0, 1.0), (0.0, 0.0))
        }
        (_, TrainerName::Stream) => law_of("L + n + nd", (0.0, 1.0), (0.0, 1.0), (0.0, 1.0)),
        (MapName::Identity, TrainerName::StreamInteriorPoint) => {
            law_of("L + n²", (0.0, 1.0), (0.0, 2.0), (0.0, 0.0))
        }
        (_, TrainerName::StreamInteriorPoint) => {
            law_of("L + nd + d²", (0.0, 1.0), (0.0, 1.0), (0.0, 2.0))
        }
        (MapName::Identity, _) => law_of("Ln + n²", (1.0, 1.0), (1.0, 2.0), (0.0, 0.0)),
        _ => law_of("L(n + d) + d²", (1.0, 1.0), (0.0, 1.0), (1.0, 2.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::{law_of, memory, time};
    use crate::spec::MapName;
    use crate::study::scaling::{AxisName, TrainerName};

    #[test]
    fn laws_have_the_exponents_of_their_formulas() {
        let of = |solver, map, axis| time(solver, map).slopes(axis);
        let (point, rff) = (TrainerName::InteriorPoint, MapName::Rff);
        assert_eq!(of(point, rff, AxisName::Rows), (1.0, 1.0));
        assert_eq!(of(point, rff, AxisName::Dim), (2.0, 3.0));
        let smo = (TrainerName::Smo, MapName::ExactKernel);
        assert_eq!(of(smo.0, smo.1, AxisName::Rows), (2.0, 3.0));
        assert_eq!(memory(smo.0, smo.1).slopes(AxisName::Rows).1, 2.0);
        assert_eq!(of(TrainerName::Stream, rff, AxisName::Dim), (1.0, 1.0));
    }

    /// No solver is without a law on a map that it takes, and no exponents are in the wrong order.
    #[test]
    fn every_solver_has_a_law() {
        let none = law_of("", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0));
        for solver in TrainerName::ALL {
            for &map in solver.maps() {
                for law in [time(solver, map), memory(solver, map)] {
                    assert_ne!(law.formula, none.formula);
                    for axis in AxisName::ALL {
                        let (least, most) = law.slopes(axis);
                        assert!(least <= most, "{law:?}");
                    }
                }
            }
        }
    }
}
