//! Weak duality: no dual value is above any primal value.

mod common;

use common::{INTERCEPTS, gaussians, nystrom_like};
use ndarray::Array1;
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_solvers::Intercept;
use robust_svm_solvers::certificate::{
    dual_value, make_feasible, objective, optimal_intercept, worst_budget_loss,
};

proptest! {
    #[test]
    fn weak_duality_holds_for_any_pair(
        seed in any::<u64>(), rows in 2..30_usize, dim in 1..12_usize,
        separation in 0.0..8.0_f64, gamma in 0.0..5.0_f64,
        log_lambda in -3.0..3.0_f64, size in -3.0..1.0_f64, diagonal in any::<bool>(),
        rule in prop::sample::select(INTERCEPTS), budget in prop::sample::select(vec![0.0, 0.3, 20.0]),
    ) {
        let mut data = gaussians(seed, (rows, dim), separation, 0.4, gamma);
        if diagonal {
            nystrom_like(&mut data);
        }
        let problem = data.problem(10.0_f64.powf(log_lambda)).with_intercept(rule);
        let problem = problem.with_budget(budget).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(seed ^ 1);
        for _ in 0..5 {
            let mut alpha = Array1::from_shape_simple_fn(rows, || rng.gen_range(-0.2..1.2));
            make_feasible(&mut alpha, data.y.view(), rule);
            prop_assert!(alpha.iter().all(|a| (0.0..=1.0).contains(a)));
            prop_assert!(rule != Intercept::Free || alpha.dot(&data.y).abs() <= 1e-13 * rows as f64);
            let dual = dual_value(&problem, alpha.view());
            let random = Array1::from_shape_simple_fn(dim, || {
                10.0_f64.powf(size) * rng.gen_range(-1.0..1.0)
            });
            for zeta in [random, dual.zeta] {
                let primal = objective(&problem, zeta.view(), optimal_intercept(&problem, zeta.view()));
                prop_assert!(
                    dual.value <= primal * (1.0 + 1e-12) + 1e-12,
                    "{} above {primal}", dual.value
                );
            }
        }
    }
}

proptest! {
    /// The worst case over shared perturbations is no less than any sampled one, and is reached by spending
    /// all of the budget on one sample; it is the penalised sum of losses where some margin is at most 1, and less elsewhere.
    #[test]
    fn the_worst_case_of_a_total_budget(
        seed in any::<u64>(), separation in 0.0..8.0_f64, budget in 0.01..3.0_f64, size in 0.1..3.0_f64,
    ) {
        let data = gaussians(seed, (12, 3), separation, 0.4, 0.0);
        let problem = data.problem(1.0).with_budget(budget).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(seed ^ 2);
        let zeta = Array1::from_shape_simple_fn(3, || size * rng.gen_range(-1.0..1.0));
        let b = optimal_intercept(&problem, zeta.view());
        let norm = zeta.dot(&zeta).sqrt();
        // A perturbation of size r against the label takes r‖ζ‖ off a margin.
        let loss = |sizes: &[f64]| -> f64 {
            data.phi.outer_iter().zip(&data.y).zip(sizes)
                .map(|((row, y), r)| (1.0 - y * (row.dot(&zeta) + b) + r * norm).max(0.0))
                .sum()
        };
        let worst = worst_budget_loss(&problem, zeta.view(), b);
        for _ in 0..50 {
            let mut sizes: Vec<f64> = (0..12).map(|_| rng.r#gen::<f64>().powi(4)).collect();
            let total: f64 = sizes.iter().sum();
            for r in &mut sizes {
                *r *= budget / total;
            }
            prop_assert!(loss(&sizes) <= worst * (1.0 + 1e-12));
        }
        let concentrated = (0..12).map(|i| {
            let mut sizes = [0.0; 12];
            sizes[i] = budget;
            loss(&sizes)
        });
        let reached = concentrated.fold(0.0, f64::max);
        prop_assert!((worst - reached).abs() <= 1e-12 * (1.0 + reached), "{worst} and {reached}");
        let penalised = loss(&[0.0; 12]) + budget * norm;
        let least = data.phi.outer_iter().zip(&data.y)
            .map(|(row, y)| y * (row.dot(&zeta) + b))
            .fold(f64::INFINITY, f64::min);
        if least <= 1.0 {
            prop_assert!((worst - penalised).abs() <= 1e-12 * (1.0 + penalised));
        } else {
            prop_assert!(worst < penalised);
        }
    }
}
