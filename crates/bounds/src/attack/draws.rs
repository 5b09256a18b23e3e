//! What an attack draws, for attacks on points some at a time.

use rand::Rng;
use robust_svm_core::features::Features;
use robust_svm_core::model::Model;
use robust_svm_core::uncertainty::UncertaintySet;

use super::margin::Margin;
use super::{AttackOptions, search};

/// Points whose starts are drawn together: an attack on all points is one on parts after another with the same `rng`,
/// where all parts but the last have a multiple of this many points.
pub fn points_together(options: AttackOptions) -> usize {
    search::block(options)
}

/// Draws from `rng` what [`attack`](super::attack) on `points` points draws with sets of this shape, whatever points and
/// γ > 0: `rng` is then where the attack on the points after them begins.
pub fn skip(
    model: &Model,
    set: &UncertaintySet,
    points: usize,
    options: AttackOptions,
    rng: &mut impl Rng,
) {
    let n = match model {
        Model::Feature(model) => match &model.features {
            Features::Identity(_) => return,
            Features::Rff(map) => map.frequencies().ncols(),
            Features::Nystrom(map) => map.landmarks().ncols(),
        },
        Model::Kernel(model) => model.centres().ncols(),
        Model::Radial(model) => model.centres().ncols(),
    };
    let drawn =
        options.restarts() - search::guided::<Margin>(set.norm(), n).min(options.restarts());
    for _ in 0..points * drawn {
        set.sample_coordinates(1.0, n, rng);
    }
}

#[cfg(test)]
mod tests {
    use super::{points_together, skip};
    use crate::attack::{AttackOptions, attack};
    use ndarray::{Array1, Array2, s};
    use proptest::prelude::*;
    use rand::{RngCore as _, SeedableRng as _};
    use rand_chacha::ChaCha20Rng;
    use robust_svm_core::features::{FeatureMap as _, Features, Rff};
    use robust_svm_core::kernel::GaussianKernel;
    use robust_svm_core::model::{FeatureModel, Model};
    use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
    use std::sync::Arc;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Part by part, each from where its draws begin, as all at once.
        #[test]
        fn an_attack_may_be_cut(
            norm in prop::sample::select(vec![Norm::One, Norm::Two, Norm::Infinity]),
            n in 1_usize..5,
            restarts in 100_usize..140,
            seed in any::<u64>(),
        ) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let kernel = GaussianKernel::new(0.7).unwrap();
            let map = Rff::draw(kernel, n, 8, &mut rng).unwrap();
            let features = Features::Rff(Arc::new(map));
            let model = Model::Feature(FeatureModel {
                zeta: Array1::from_shape_fn(features.dim(), |k| (k as f64 + 1.0).sin()),
                features,
                intercept: 0.1,
            });
            let set = UncertaintySet::new(norm, Factor::Identity).unwrap();
            let options = AttackOptions::new(3, restarts).unwrap();
            let part = points_together(options);
            let points = 2 * part + 3;
            let x = Array2::from_shape_fn((points, n), |(i, k)| ((i * n + k) as f64).cos());
            let y = Array1::from_shape_fn(points, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
            let sets = (&set).into();
            let mut all = rng.clone();
            let whole = attack(&model, &sets, 0.2, x.view(), y.view(), options, &mut all).unwrap();
            let mut first = 0;
            while first < points {
                let rows = s![first..(first + part).min(points), ..];
                let (x, y) = (x.slice(rows), y.slice(s![first..(first + part).min(points)]));
                let mut own = rng.clone();
                let found = attack(&model, &sets, 0.2, x, y, options, &mut own).unwrap();
                prop_assert_eq!(found.perturbations, whole.perturbations.slice(rows));
                skip(&model, &set, x.nrows(), options, &mut rng);
                prop_assert_eq!(rng.get_word_pos(), own.get_word_pos());
                first += part;
            }
            prop_assert_eq!(rng.next_u64(), all.next_u64());
        }
    }
}
