//! The quadratic certificate (derived): around each point, in coordinates u of the set, a model is at least a
//! quadratic, `y f(x+Σ^{1/2}u) ≥ y f(x) + ⟨g, u⟩ − ½ uᵀMu`, with its own gradient g and a curvature M that
//! is its own but for a term of third order. The worst case of the quadratic is a trust-region problem.

use ndarray::{Array1, ArrayView1, ArrayView2};
use robust_svm_core::CoreError;
use robust_svm_core::linalg::symmetric_eigen;
use robust_svm_core::uncertainty::Norm;

/// A computed eigenvalue is off by at most this share of the matrix's Frobenius norm.
const EIGENVALUE_ERROR: f64 = 1e-13;

/// Halvings of the interval of the multiplier: to 12 digits of it. Each end is a bound.
const HALVINGS: usize = 40;

/// `B ≥ max { −⟨g, u⟩ + ½ uᵀMu : ‖u‖_p ≤ γ }` for `gamma` > 0, `g` (n) and symmetric `m` (n × n).
///
/// - p = 2: the Lagrangian dual `min { ½ gᵀ(μI − M)⁻¹g + ½ μγ² : μ ≥ 0, μI ≻ M }`, which has no gap
///   [Yakubovich's S-lemma] and bounds from above at every μ.
/// - p = ∞: `2|u_ku_l| ≤ u_k² + u_l²` leaves one coordinate at a time, with `r_k = M_kk + Σ_l |M_kl|`.
/// - p = 1: `γ‖g‖_∞ + ½γ² max(max_k M_kk, max_{k≠l} |M_kl|, 0)`, because `Σ_kl |u_k||u_l| = ‖u‖₁²`.
///
/// # Errors
/// [`CoreError::Numerical`] if g or M is not finite.
pub(super) fn loss(
    p: Norm,
    gamma: f64,
    g: ArrayView1<'_, f64>,
    m: ArrayView2<'_, f64>,
) -> Result<f64, CoreError> {
    if !g.iter().chain(m.iter()).all(|entry| entry.is_finite()) {
        return Err(CoreError::Numerical(
            "a quadratic that is not finite".into(),
        ));
    }
    match p {
        Norm::Two => trust_region(gamma, g, m),
        Norm::Infinity => Ok((0..g.len())
            .map(|k| interval_loss(g[k], dominated(m, k, |_| 1.0), gamma))
            .sum()),
        Norm::One => {
            let steepest = m.indexed_iter().fold(0.0_f64, |most, ((k, l), &entry)| {
                most.max(if k == l { entry } else { entry.abs() })
            });
            Ok(gamma * Norm::Infinity.of(g) + 0.5 * gamma * gamma * steepest)
        }
    }
}

/// `M_kk + Σ_{l≠k} |M_kl| w_l`: with weights `w_l = h_l/h_k`, `uᵀMu ≤ Σ_k u_k² (that)` for every u, because
/// `2|u_ku_l| ≤ u_k² h_l/h_k + u_l² h_k/h_l`.
pub(super) fn dominated(m: ArrayView2<'_, f64>, k: usize, weight: impl Fn(usize) -> f64) -> f64 {
    let row = m.row(k);
    let others = row.iter().enumerate().filter(|(l, _)| *l != k);
    row[k]
        + others
            .map(|(l, entry)| entry.abs() * weight(l))
            .sum::<f64>()
}

/// `max { −gu + ½ru² : |u| ≤ h }`; NaN where the arithmetic fails.
pub(super) fn interval_loss(g: f64, r: f64, h: f64) -> f64 {
    if g.abs() < -r * h {
        g * g / (-2.0 * r)
    } else {
        // The end that g falls towards; at g = 0 both are alike, and 0 is in between.
        let end = g.abs() * h + 0.5 * r * h * h;
        // Not `max`, which makes 0 of NaN: what is unknown would be no loss.
        if end < 0.0 { 0.0 } else { end }
    }
}

fn trust_region(
    gamma: f64,
    g: ArrayView1<'_, f64>,
    m: ArrayView2<'_, f64>,
) -> Result<f64, CoreError> {
    let (eigenvalues, axes) = symmetric_eigen(m)?;
    let frobenius = m.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
    let turned: Array1<f64> = axes.t().dot(&g);
    let least = eigenvalues.last().copied().unwrap_or(0.0).max(0.0);
    let length = Norm::Two.of(g);
    let terms = || turned.iter().zip(&eigenvalues);
    // ‖u(μ)‖ falls from there on, and is at most γ at the far end.
    let (mut near, mut far) = (least, least + length / gamma);
    for _ in 0..HALVINGS {
        let μ = f64::midpoint(near, far);
        let square: f64 = terms().map(|(g, λ)| (g / (μ - λ)).powi(2)).sum();
        if square > gamma * gamma {
            near = μ;
        } else if square.is_nan() {
            break;
        } else {
            far = μ;
        }
    }
    let value = |(g, λ): (&f64, &f64)| if *g == 0.0 { 0.0 } else { g * g / (far - λ) };
    let quadratic: f64 = terms().map(value).sum();
    let bound = 0.5 * (quadratic + gamma * gamma * (far + EIGENVALUE_ERROR * frobenius));
    if bound.is_finite() {
        Ok(bound)
    } else {
        Err(CoreError::Numerical(
            "a trust-region problem left the finite range".into(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{interval_loss, loss};
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2, array};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};
    use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};

    #[test]
    fn trust_regions_worked_by_hand() {
        let two = |g, m: Array2<f64>, gamma| {
            let g: Array1<f64> = g;
            loss(Norm::Two, gamma, g.view(), m.view()).unwrap()
        };
        // Linear; a bowl whose bottom is inside; a dome, with its top at the edge; the hard case g ⊥ dome.
        assert_relative_eq!(
            two(array![3.0, 4.0], Array2::zeros((2, 2)), 2.0),
            10.0,
            epsilon = 1e-9
        );
        assert_relative_eq!(
            two(array![1.0, 0.0], -Array2::eye(2), 9.0),
            0.5,
            epsilon = 1e-9
        );
        assert_relative_eq!(
            two(array![1.0, 0.0], Array2::eye(2), 2.0),
            4.0,
            epsilon = 1e-9
        );
        // −u₁ − ½u₁² + ½u₂² on the disc of radius 2: u₁ = −½, u₂² = 4 − ¼.
        let saddle = array![[-1.0, 0.0], [0.0, 1.0]];
        assert_relative_eq!(two(array![1.0, 0.0], saddle, 2.0), 2.25, epsilon = 1e-8);
        assert_eq!(interval_loss(1.0, -2.0, 3.0), 0.25);
        assert_eq!(interval_loss(-1.0, 2.0, 3.0), 12.0);
    }

    /// NaN is not "no loss".
    #[test]
    fn what_is_not_finite_is_an_error() {
        assert!(interval_loss(0.0, f64::NAN, 1.0).is_nan());
        let (g, m) = (array![1.0, 2.0], Array2::eye(2));
        for p in [Norm::One, Norm::Two, Norm::Infinity] {
            for bad in [f64::NAN, f64::INFINITY] {
                let curved = Array2::from_elem((2, 2), bad);
                assert!(loss(p, 1.0, g.view(), curved.view()).is_err());
                assert!(loss(p, 1.0, array![bad, 0.0].view(), m.view()).is_err());
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// No point of the ball is worse; at p = 2 ascent from many starts comes near.
        #[test]
        fn the_worst_of_the_quadratic_is_bounded(
            seed in any::<u64>(), n in 1..6_usize, gamma in 0.01..5.0_f64, curvature in -8.0..3.0_f64,
        ) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
            let g = Array1::from_shape_simple_fn(n, &mut normal);
            let half = Array2::from_shape_simple_fn((n, n), &mut normal);
            let m = (&half + &half.t()) * 10.0_f64.powf(curvature);
            let value = |u: &Array1<f64>| -g.dot(u) + 0.5 * u.dot(&m.dot(u));
            for p in [Norm::One, Norm::Two, Norm::Infinity] {
                let set = UncertaintySet::new(p, Factor::Identity).unwrap();
                let bound = loss(p, gamma, g.view(), m.view()).unwrap();
                let mut reached = 0.0_f64;
                for _ in 0..10 {
                    let mut u = set.sample_coordinates(gamma, n, &mut rng);
                    let step = 1.0 / (0.01 * Norm::Two.of(g.view()) + m.iter().map(|v| v.abs()).sum::<f64>());
                    for _ in 0..30 {
                        let rounding = 1e-14 * gamma * (1.0 + gamma * 1e3) * 25.0;
                        prop_assert!(value(&u) <= bound * (1.0 + 1e-12) + rounding, "{p:?} {} {bound}", value(&u));
                        reached = reached.max(value(&u));
                        let slope = m.dot(&u) - &g;
                        u.scaled_add(step, &slope);
                        set.project(u.view_mut(), gamma);
                    }
                }
                if p == Norm::Two && curvature < -3.0 {
                    prop_assert!(reached >= 0.98 * bound, "{reached} of {bound}");
                }
            }
        }
    }
}
