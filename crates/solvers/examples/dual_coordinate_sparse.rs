//! Sparse features by dual coordinate descent, robust to a ball around each row.
#![allow(clippy::print_stdout, reason = "examples print")]

mod data;

use ndarray::{Array1, Array2};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use robust_svm_core::features::{Features, Identity};
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::{DualCoordinateSettings, Intercept, Problem, solve_dual_coordinate};
use sprs::CsMat;

/// Six features of ten values each, one-hot.
fn one_hot(dense: &Array2<f64>) -> CsMat<f64> {
    let value = |v: f64| (2.0 * v + 5.0).clamp(0.0, 9.0) as usize;
    let columns = dense.indexed_iter().map(|((_, k), v)| 10 * k + value(*v));
    let starts = (0..=dense.nrows()).map(|i| 6 * i).collect();
    CsMat::new(
        (dense.nrows(), 60),
        starts,
        columns.collect(),
        vec![1.0; dense.len()],
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (train, mut test) = (data::clouds(1, (5000, 6)), data::clouds(2, (1000, 6)));
    let (phi, gamma) = (one_hot(&train.x), 0.3);
    let penalty = FeaturePenalty {
        radii: Array1::from_elem(5000, gamma),
        matrix: PenaltyMatrix::Orthogonal,
    };
    let problem = Problem::new(phi.view(), train.y.view(), &penalty, 1.0)?
        .with_intercept(Intercept::Penalised);
    let settings = DualCoordinateSettings::new(ChaCha20Rng::seed_from_u64(4));
    let solution = solve_dual_coordinate(&problem, &settings)?;
    data::print_solution(solution.objective, solution.relative_gap);
    println!(
        "{} epochs, {} stored values",
        solution.iterations,
        phi.nnz()
    );
    let linear = Features::Identity(Identity::new(60));
    let model = data::model(&linear, solution.zeta, solution.intercept);
    test.x = one_hot(&test.x).to_dense();
    data::print_errors(&model, UncertaintySet::sphere(), gamma, &test)
}
