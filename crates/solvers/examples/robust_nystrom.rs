//! Nyström features on random training rows, robust to boxes of features.
#![allow(clippy::print_stdout, reason = "examples print")]

mod data;

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::{FeatureBound, nystrom::Projection};
use robust_svm_core::features::{FeatureMap, Features, Nystrom, uniform_landmarks};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use robust_svm_solvers::{InteriorPointSettings, Problem, solve};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (train, test) = (data::rings(1, 200), data::rings(2, 1000));
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let landmarks = uniform_landmarks(train.x.view(), 60, &mut rng)?;
    let map = Nystrom::new(GaussianKernel::new(1.5)?, landmarks)?;
    let features = Features::Nystrom(Arc::new(map));
    let phi = features.transform(train.x.view());
    let cube = UncertaintySet::new(Norm::Infinity, Factor::Identity)?;
    for gamma in [0.0, 0.1] {
        println!("trained at γ = {gamma}");
        let sets = (&cube).into();
        let penalty = Projection.penalty(&features, &sets, train.x.view(), gamma)?;
        let problem = Problem::new(phi.view(), train.y.view(), &penalty, 0.1)?;
        let solution = solve(&problem, &InteriorPointSettings::default())?;
        data::print_solution(solution.objective, solution.relative_gap);
        let model = data::model(&features, solution.zeta, solution.intercept);
        data::print_errors(&model, &cube, 0.1, &test)?;
    }
    Ok(())
}
