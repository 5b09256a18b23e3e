//! The dual value: with `v = Σ α_i y_i φ_i` and `G = c + Σ α_i Γ_i`,
//!
//! ```text
//! D(α) = Σ α_i − (1/2λ) min{ ‖v − G Aᵀu‖² : ‖u‖₂ ≤ 1 },   0 ≤ α_i ≤ 1,   Σ α_i y_i = 0.
//! ```
//!
//! Weak duality, `D(α) ≤ P(ζ, b)`: a hinge is at least α_i times its argument, and
//! `G‖Aζ‖ ≥ ⟨ζ, G Aᵀu⟩`, so `P ≥ Σα_i + λ/2‖ζ‖² − ⟨ζ, v − G Aᵀu⟩ − bΣα_iy_i`, whose minimum over ζ is D, at
//! `ζ = (v − G Aᵀu)/λ`. The last term is 0 for a free b by the equality and without b by b = 0, and neither asks for
//! the other; a penalised b has `λ/2 b² − bΣα_iy_i ≥ −(Σα_iy_i)²/2λ` instead of the equality.

use crate::interior_point::PrincipalAxes;
use crate::{Intercept, Problem};
use ndarray::{Array1, ArrayView1, ArrayView2};
use robust_svm_core::penalty::PenaltyMatrix;
use robust_svm_core::uncertainty::Norm;

/// The dual value of a feasible α.
#[derive(Debug, Clone, PartialEq)]
pub struct DualPoint {
    /// `D(α)`, a lower bound on the optimal value.
    pub value: f64,
    /// `(v − G Aᵀu*)/λ` (D), optimal if α is, a candidate otherwise.
    pub zeta: Array1<f64>,
}

/// `D(α)` for feasible multipliers `alpha` (L); see [`make_feasible`].
///
/// For `AᵀA = I` the distance is `(‖v‖ − G)_+`; for diagonal A it is found by Newton's method on the
/// secular equation, for dense A so in its principal axes. Any u in the ball gives a lower bound, so an inexact one only loosens it.
///
/// # Panics
/// If `alpha` is not L long.
pub fn dual_value(problem: &Problem<'_>, alpha: ArrayView1<'_, f64>) -> DualPoint {
    let weighted = &alpha * &problem.y();
    let mut zeta = problem.samples().weighted_sum(weighted.view());
    let terms = evaluate_dual(problem, alpha, zeta.as_slice_mut().expect("a fresh array"));
    DualPoint {
        value: terms.value(),
        zeta,
    }
}

/// The terms of `D(α)`, where `v` (D) holds `Σα_iy_iφ_i` on entry and the candidate ζ on return.
pub(crate) fn evaluate_dual(
    problem: &Problem<'_>,
    alpha: ArrayView1<'_, f64>,
    v: &mut [f64],
) -> DualTerms {
    let penalty = problem.penalty();
    let sums = DualSums {
        multipliers: alpha.sum(),
        balance: alpha.dot(&problem.y()),
        radius: alpha.dot(&penalty.radii),
    };
    let rule = (problem.intercept(), problem.lambda());
    sums.terms(rule, (&penalty.matrix, problem.budget()), v)
}

/// What D(α) needs of α beside `Σα_iy_iφ_i`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DualSums {
    /// `Σα_i`.
    pub(crate) multipliers: f64,
    /// `Σα_iy_i`.
    pub(crate) balance: f64,
    /// `Σα_iΓ_i`.
    pub(crate) radius: f64,
}

impl DualSums {
    /// The terms of `D(α)` in a problem with this intercept and λ, A and c, where `v` (D) holds `Σα_iy_iφ_i` on entry and
    /// the candidate ζ on return.
    pub(crate) fn terms(
        self,
        (intercept, λ): (Intercept, f64),
        (matrix, budget): (&PenaltyMatrix, f64),
        v: &mut [f64],
    ) -> DualTerms {
        let g = budget + self.radius;
        match matrix {
            _ if g == 0.0 => {}
            PenaltyMatrix::Orthogonal => {
                let norm = sum_of_squares(v).sqrt();
                let kept = if norm > g { 1.0 - g / norm } else { 0.0 };
                for v in v.iter_mut() {
                    *v *= kept;
                }
            }
            PenaltyMatrix::Diagonal(a) => subtract_nearest_in_ellipsoid(v, g, a.view()),
            PenaltyMatrix::Dense(a) => subtract_nearest_in_image(v, g, a.view()),
            PenaltyMatrix::Rotations { .. } => unreachable!("refused by the problem"),
        }
        let of_intercept = intercept.dual_regularisation(λ, self.balance);
        let half_square = sum_of_squares(v) / (2.0 * λ) + of_intercept;
        for v in v.iter_mut() {
            *v /= λ;
        }
        DualTerms {
            sum: self.multipliers,
            half_square,
            homogeneous: budget == 0.0,
        }
    }
}

/// The two terms of `D(α) = Σα_i − dist²/2λ`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DualTerms {
    /// `Σα_i`.
    pub(crate) sum: f64,
    /// `dist²/2λ`, and `(Σα_iy_i)²/2λ` where b is penalised.
    pub(crate) half_square: f64,
    /// Whether the distance is homogeneous in α: there is no total budget.
    pub(crate) homogeneous: bool,
}

impl DualTerms {
    /// `D(α)`.
    pub(crate) fn value(self) -> f64 {
        self.scaled_value(1.0)
    }

    /// `D(cα)`; c must be 1 where the distance is not homogeneous.
    pub(crate) fn scaled_value(self, c: f64) -> f64 {
        if c == 0.0 {
            // D(0), whatever overflowed in the terms of α.
            return 0.0;
        }
        c * self.sum - c * c * self.half_square
    }

    /// The factor c in [0, `limit`] of largest `D(cα) = cΣα_i − c² dist²/2λ` where the distance is homogeneous, 1 elsewhere.
    /// It makes `D ≥ 0` of any α, and matters on separable data, where α is far below 1.
    pub(crate) fn best_factor(self, limit: f64) -> f64 {
        if !self.homogeneous {
            1.0
        } else if self.sum < 2.0 * limit * self.half_square {
            self.sum / (2.0 * self.half_square)
        } else {
            limit
        }
    }
}

/// Replaces `v` by `v − g a∘u`, u the nearest in the unit ball: `u = g a∘v/(g²a² + ν)` with the ν ≥ 0 that
/// makes ‖u‖ = 1, or ν = 0 if v is in the ellipsoid already.
///
/// Newton's method on `1/‖u(ν)‖ = 1`, which is concave and increasing in ν, climbs to the root from
/// ν = 0 without passing it; where a_k = 0 the component of v stays as it is. The iterate keeps
/// ‖u‖ ≥ 1 up to rounding, so u is scaled back into the ball at the end.
fn subtract_nearest_in_ellipsoid(v: &mut [f64], g: f64, a: ArrayView1<'_, f64>) {
    // ‖u(ν)‖² and −½ of its derivative.
    let norms = |v: &[f64], nu: f64| {
        let (mut norm, mut slope) = (0.0, 0.0);
        for (v, a) in v.iter().zip(a) {
            if *a != 0.0 {
                let u = g * a * v / (g * g * a * a + nu);
                norm += u * u;
                slope += u * u / (g * g * a * a + nu);
            }
        }
        (norm, slope)
    };
    let mut nu = 0.0;
    let (mut norm, mut slope) = norms(v, nu);
    for _ in 0..100 {
        if norm <= 1.0 + 1e-14 {
            break;
        }
        let next = nu + (norm.sqrt() - 1.0) * norm / slope;
        if next == nu {
            break;
        }
        nu = next;
        (norm, slope) = norms(v, nu);
    }
    let shrink = 1.0 / norm.sqrt().max(1.0);
    for (v, a) in v.iter_mut().zip(a) {
        if *a != 0.0 {
            // v − g a u, with u = shrink · g a v/(g²a² + ν), without cancellation.
            let squared = g * g * a * a;
            *v *= (nu + (1.0 - shrink) * squared) / (squared + nu);
        }
    }
}

/// Replaces `v` by `v − g Aᵀu`, u near the nearest in the unit ball: found in the principal axes of A, where
/// `w = s∘u′` belongs to `u = AV(w/s²)`, and brought back into the ball, so that what is left is `v − g Aᵀu`
/// of a u in the ball whatever the rounding of the axes. Without axes u = 0.
fn subtract_nearest_in_image(v: &mut [f64], g: f64, a: ArrayView2<'_, f64>) {
    let Ok(PrincipalAxes { lengths, axes }) = PrincipalAxes::of(a) else {
        return;
    };
    let turned = axes.t().dot(&ArrayView1::from(&*v));
    let mut left = turned.to_vec();
    subtract_nearest_in_ellipsoid(&mut left, g, lengths.view());
    let smallest = SMALLEST_AXIS * lengths.iter().copied().fold(0.0, f64::max);
    let w: Array1<f64> = ndarray::Zip::from(&turned)
        .and(&ArrayView1::from(&left))
        .and(&lengths)
        .map_collect(|before, after, &s| {
            if s > smallest {
                (before - after) / (g * s * s)
            } else {
                0.0
            }
        });
    let mut u = a.dot(&axes.dot(&w));
    u /= Norm::Two.of(u.view()).max(1.0);
    for (v, step) in v.iter_mut().zip(&a.t().dot(&u)) {
        *v -= g * step;
    }
}

/// Axes of A below this share of the longest carry rounding.
const SMALLEST_AXIS: f64 = 1e-7;

/// Makes `alpha` (L) feasible for the dual: NaN becomes 0, entries are clipped to [0, 1], and for a free intercept
/// the class with the larger sum is scaled down so that `Σ α_i y_i = 0`.
///
/// # Panics
/// If the lengths differ.
pub fn make_feasible(alpha: &mut Array1<f64>, y: ArrayView1<'_, f64>, intercept: Intercept) {
    let (mut positive, mut negative) = (0.0, 0.0);
    for (alpha, &y) in alpha.iter_mut().zip(y) {
        *alpha = if alpha.is_nan() {
            0.0
        } else {
            alpha.clamp(0.0, 1.0)
        };
        if y > 0.0 {
            positive += *alpha;
        } else {
            negative += *alpha;
        }
    }
    if intercept != Intercept::Free {
        return;
    }
    let (larger_label, ratio) = if positive > negative {
        (1.0, negative / positive)
    } else if negative > positive {
        (-1.0, positive / negative)
    } else {
        return;
    };
    ndarray::Zip::from(alpha).and(y).for_each(|alpha, &y| {
        if y == larger_label {
            *alpha *= ratio;
        }
    });
}

fn sum_of_squares(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum()
}

#[cfg(test)]
mod tests {
    use super::{DualTerms, dual_value, make_feasible, subtract_nearest_in_ellipsoid};
    use crate::{Intercept, Problem};
    use approx::assert_relative_eq;
    use ndarray::{Array1, array};
    use proptest::prelude::*;
    use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};

    #[test]
    fn a_hand_worked_value() {
        let phi = array![[3.0, 0.0], [0.0, -4.0], [1.0, 1.0]];
        let y = array![1.0, -1.0, -1.0];
        let mut penalty = FeaturePenalty {
            radii: array![1.0, 2.0, 7.0],
            matrix: PenaltyMatrix::Orthogonal,
        };
        let alpha = array![1.0, 1.0, 0.0];
        let problem = Problem::new(phi.view(), y.view(), &penalty, 2.0).unwrap();
        // v = (3, 4), G = 3: D = 2 − (5 − 3)²/4.
        let point = dual_value(&problem, alpha.view());
        assert_relative_eq!(point.value, 1.0, epsilon = 1e-15);
        assert_relative_eq!(point.zeta, array![0.6, 0.8], epsilon = 1e-15);
        // A as a diagonal of ones is orthogonal, too.
        penalty.matrix = PenaltyMatrix::Diagonal(array![1.0, -1.0]);
        let problem = Problem::new(phi.view(), y.view(), &penalty, 2.0).unwrap();
        let point = dual_value(&problem, alpha.view());
        assert_relative_eq!(point.value, 1.0, epsilon = 1e-13);
        // Without the penalty: D = 2 − 25/4.
        penalty = FeaturePenalty::none(3);
        let problem = Problem::new(phi.view(), y.view(), &penalty, 2.0).unwrap();
        assert_eq!(dual_value(&problem, alpha.view()).value, -4.25);
    }

    #[test]
    fn the_bound_of_no_multipliers_is_zero_though_the_distance_overflowed() {
        let terms = DualTerms {
            sum: 3.0,
            half_square: f64::INFINITY,
            homogeneous: true,
        };
        assert_eq!(terms.scaled_value(terms.best_factor(1.0)), 0.0);
    }

    #[test]
    fn the_larger_class_is_scaled_down() {
        let mut alpha = array![0.5, 2.0, f64::NAN, -1.0, 0.5];
        make_feasible(
            &mut alpha,
            array![1.0, 1.0, 1.0, -1.0, -1.0].view(),
            Intercept::Free,
        );
        assert_relative_eq!(alpha, array![1.0 / 6.0, 1.0 / 3.0, 0.0, 0.0, 0.5]);
    }

    proptest! {
        /// The residual is the shortest of all v − g a∘u: shorter than at any sampled u, and equal to
        /// v − g a∘u for a u of norm at most 1.
        #[test]
        fn the_nearest_point_of_the_ellipsoid(
            rows in prop::collection::vec((-3.0..3.0_f64, -6.0..0.0_f64, -1.0..1.0_f64), 1..8),
            g in 1e-3..10.0_f64,
        ) {
            let v: Vec<f64> = rows.iter().map(|r| r.0).collect();
            let a: Array1<f64> = rows.iter().map(|r| 10.0_f64.powf(r.1)).collect();
            let mut residual = v.clone();
            subtract_nearest_in_ellipsoid(&mut residual, g, a.view());
            let length = |r: &[f64]| r.iter().map(|r| r * r).sum::<f64>().sqrt();
            let u: Vec<f64> = (0..v.len()).map(|k| (v[k] - residual[k]) / (g * a[k])).collect();
            prop_assert!(length(&u) <= 1.0 + 1e-8, "{}", length(&u));
            let sample: Vec<f64> = rows.iter().map(|r| r.2).collect();
            for size in [1.0, 0.9, 0.5, 0.0] {
                let scale = size / length(&sample).max(1e-300);
                let other: Vec<f64> = (0..v.len()).map(|k| v[k] - g * a[k] * scale * sample[k]).collect();
                prop_assert!(length(&residual) <= length(&other) + 1e-12);
            }
        }
    }
}
