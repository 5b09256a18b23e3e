//! The interior-point method where its matrices are cut into blocks, are sparse, or nearly singular.

mod common;

use approx::assert_relative_eq;
use common::{Data, gaussians};
use ndarray::Array1;
use robust_svm_solvers::{InteriorPointSettings, Problem, Solution, solve, solve_from};
use sprs::CsMat;

/// Tall and narrow (several pieces of rows, and of vectors of them), tiles of columns, panels of the factor, and wide.
const SHAPES: [(usize, usize); 5] = [(3000, 20), (9000, 6), (700, 260), (620, 600), (200, 420)];

fn settings(parallel: bool) -> InteriorPointSettings {
    InteriorPointSettings {
        tolerance: 1e-6,
        parallel,
        ..InteriorPointSettings::default()
    }
}

fn on_threads(threads: usize, problem: &Problem<'_>) -> Solution {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build().unwrap();
    pool.install(|| solve(problem, &settings(true)).unwrap())
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    for (seed, shape) in (1..).zip(SHAPES) {
        let mut data = gaussians(seed, shape, 1.5, 0.5, 0.2);
        sparsify(&mut data);
        let csr = CsMat::csr_from_dense(data.phi.view(), 0.0);
        let sparse = Problem::new(csr.view(), data.y.view(), &data.penalty, 0.5).unwrap();
        for problem in [data.problem(0.5), sparse] {
            let alone = solve(&problem, &settings(false)).unwrap();
            for threads in [1, 2, 4] {
                assert!(
                    on_threads(threads, &problem) == alone,
                    "{shape:?}, {threads}"
                );
            }
            // From outside of a pool, on the threads of all.
            let shared = settings(true);
            assert!(solve(&problem, &shared).unwrap() == alone, "{shape:?}");
            let again = [false, true].map(|p| solve_from(&problem, &settings(p), &alone).unwrap());
            assert!(again[0] == again[1], "{shape:?}");
        }
    }
}

/// Keeps one value in twenty, and the first column.
fn sparsify(data: &mut Data) {
    for ((i, k), value) in data.phi.indexed_iter_mut() {
        if k > 0 && (7 * i + 3 * k) % 20 != 0 {
            *value = 0.0;
        }
    }
}

#[test]
fn sparse_features_have_the_dense_solution() {
    for (seed, shape) in (1..).zip(SHAPES) {
        let mut data = gaussians(seed, shape, 1.5, 0.5, 0.2);
        sparsify(&mut data);
        let csr = CsMat::csr_from_dense(data.phi.view(), 0.0);
        let sparse = Problem::new(csr.view(), data.y.view(), &data.penalty, 0.5).unwrap();
        let sparse = solve(&sparse, &InteriorPointSettings::default()).unwrap();
        let dense = solve(&data.problem(0.5), &InteriorPointSettings::default()).unwrap();
        for solution in [&sparse, &dense] {
            assert!(solution.relative_gap.value() <= 1e-8, "{shape:?}");
        }
        assert_relative_eq!(sparse.objective, dense.objective, max_relative = 2e-8);
    }
}

/// Columns twice, a constant one, and columns 1e8 times as long or as short as the others: tall and wide.
#[test]
fn nearly_singular_systems_are_certified() {
    for shape in [(200, 12), (30, 12), (20, 40)] {
        for gamma in [0.0, 0.3] {
            for fault in 0..4 {
                let mut data = gaussians(5, shape, 1.5, 0.5, gamma);
                let first = data.phi.column(0).to_owned();
                match fault {
                    0 => (1..shape.1)
                        .step_by(2)
                        .for_each(|k| data.phi.column_mut(k).assign(&first)),
                    1 => data.phi.column_mut(3).fill(7.0),
                    2 => data.phi.column_mut(3).mapv_inplace(|v| 1e8 * v),
                    _ => data.phi.column_mut(3).mapv_inplace(|v| 1e-8 * v),
                }
                for lambda in [1e-2, 1.0] {
                    let solution = solve(&data.problem(lambda), &InteriorPointSettings::default());
                    let solution = solution.unwrap();
                    let gap = solution.relative_gap.value();
                    assert!(
                        gap <= 1e-8,
                        "{shape:?} {gamma} {fault} {lambda}: {gap:e} {:?}",
                        solution.status
                    );
                }
            }
        }
    }
}

/// A pool's worker may solve, too: problems side by side, each on the pool they run on.
#[test]
fn solves_nested_in_a_pool_have_the_same_bits() {
    use rayon::prelude::*;
    let data = gaussians(3, (1500, 30), 1.5, 0.5, 0.2);
    let lambdas = Array1::from_vec(vec![0.1, 1.0, 10.0, 100.0]);
    let solve =
        |lambda: &f64, parallel| solve(&data.problem(*lambda), &settings(parallel)).unwrap();
    let alone: Vec<Solution> = lambdas.iter().map(|λ| solve(λ, false)).collect();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(3)
        .build()
        .unwrap();
    let side_by_side: Vec<Solution> = pool.install(|| {
        let lambdas = lambdas.as_slice().unwrap();
        lambdas.par_iter().map(|λ| solve(λ, true)).collect()
    });
    assert!(alone == side_by_side);
}
