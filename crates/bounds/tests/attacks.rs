//! Attacks on sets of many points.

mod support;

use ndarray::{Array1, Axis, s};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::attack::{AttackOptions, attack};
use robust_svm_core::model::DecisionFunction;
use robust_svm_core::uncertainty::{Norm, UncertaintySets};
use support::{models, normal_matrix, sets};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    /// With two starts nothing is drawn: a point is then attacked as if it stood alone, with its own shape and
    /// size, however many others are attacked and broken beside it.
    #[test]
    fn points_are_attacked_by_themselves(seed in any::<u64>(), n in 1..5_usize, p in 0..3_usize) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let norm = [Norm::One, Norm::Two, Norm::Infinity][p];
        let points = 9;
        let shapes: Vec<_> = (0..points)
            .map(|_| sets(norm, n, &mut rng)[rng.gen_range(0..3)].clone())
            .collect();
        let sizes = Array1::from_shape_simple_fn(points, || rng.gen_range(0.0..2.0));
        let many = UncertaintySets::each(shapes).unwrap().with_sizes(sizes).unwrap();
        let x = normal_matrix(points, n, &mut rng);
        let y = Array1::from_shape_simple_fn(points, || if rng.r#gen() { 1.0 } else { -1.0 });
        let options = AttackOptions::new(15, 2).unwrap();
        for model in models(n, 0.9, 0.1, &mut rng) {
            let found = attack(&model, &many, 0.6, x.view(), y.view(), options, &mut rng).unwrap();
            let clean = model.decision(x.view()) * &y;
            for point in 0..points {
                let (at, label) = (x.slice(s![point..=point, ..]), y.slice(s![point..=point]));
                let own = many.slice(point..point + 1);
                let alone = attack(&model, &own, 0.6, at, label, options, &mut rng).unwrap();
                approx::assert_relative_eq!(
                    found.margins[point], alone.margins[0], epsilon = 1e-8, max_relative = 1e-8
                );
                prop_assert!(found.margins[point] <= clean[point]);
                // In the point's own set: no direction exceeds its support.
                let size = 0.6 * many.size(point);
                let delta = found.perturbations.row(point);
                for _ in 0..20 {
                    let w = normal_matrix(1, n, &mut rng);
                    let support = size * many.shape(point).support(w.view())[0];
                    prop_assert!(w.row(0).dot(&delta) <= support * (1.0 + 1e-9) + 1e-12);
                }
                let own = delta.insert_axis(Axis(0));
                let support = size * many.shape(point).support(own)[0];
                prop_assert!(delta.dot(&delta) <= support * (1.0 + 1e-9) + 1e-12);
            }
        }
    }
}
