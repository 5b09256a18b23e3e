//! Weak duality: no dual value is above any primal value.

mod common;

use common::{gaussians, nystrom_like};
use ndarray::Array1;
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_solvers::certificate::{dual_value, make_feasible, objective, optimal_intercept};

proptest! {
    #[test]
    fn weak_duality_holds_for_any_pair(
        seed in any::<u64>(), rows in 2..30_usize, dim in 1..12_usize,
        separation in 0.0..8.0_f64, gamma in 0.0..5.0_f64,
        log_lambda in -3.0..3.0_f64, size in -3.0..1.0_f64, diagonal in any::<bool>(),
    ) {
        let mut data = gaussians(seed, (rows, dim), separation, 0.4, gamma);
        if diagonal {
            nystrom_like(&mut data);
        }
        let problem = data.problem(10.0_f64.powf(log_lambda));
        let mut rng = ChaCha20Rng::seed_from_u64(seed ^ 1);
        for _ in 0..5 {
            let mut alpha = Array1::from_shape_simple_fn(rows, || rng.gen_range(-0.2..1.2));
            make_feasible(&mut alpha, data.y.view());
            prop_assert!(alpha.iter().all(|a| (0.0..=1.0).contains(a)));
            prop_assert!(alpha.dot(&data.y).abs() <= 1e-13 * rows as f64);
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
