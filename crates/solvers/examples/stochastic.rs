//! The stochastic proximal gradient, whose gap is certified as it goes.
#![allow(clippy::print_stdout, reason = "examples print")]

mod data;

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::{FeatureBound, rff::Best};
use robust_svm_core::features::FeatureMap;
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::{StochasticSettings, SublinearProblem, solve_stochastic};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (train, test) = (data::rings(1, 500), data::rings(2, 1000));
    let (features, sphere) = (data::fourier(2, 64)?, UncertaintySet::sphere());
    let phi = features.transform(train.x.view());
    let penalty = Best.penalty(&features, &(&sphere).into(), train.x.view(), 0.1)?;
    let problem = SublinearProblem::new(phi.view(), train.y.view(), &penalty, 1.0)?;
    let settings = StochasticSettings {
        epochs: 200,
        batch: 10,
        certify_every: 25,
        ..StochasticSettings::default()
    };
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let solution = solve_stochastic(&problem, &settings, &mut rng)?;
    for point in &solution.trace {
        println!("epoch {:4}: gap {}", point.iteration, point.relative_gap);
    }
    println!("{:?}", solution.status);
    data::print_solution(solution.objective, solution.relative_gap);
    let model = data::model(&features, solution.zeta, solution.intercept);
    data::print_errors(&model, &sphere, 0.1, &test)
}
