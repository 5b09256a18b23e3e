//! Training on the local bound at the sizes of experiments (n = 30): time to a certified gap of 1e−8.
//!
//! `cargo bench -p robust-svm-solvers --bench local`. Beside the times, a line for each problem says how many
//! iterations it takes and what gap it ends with.

#![allow(missing_docs, reason = "benchmarks are read, not called")]
#![allow(clippy::print_stdout, reason = "iterations are shown beside times")]

use divan::Bencher;
use ndarray::{Array1, Array2, s};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::StandardNormal;
use robust_svm_core::features::{FeatureMap, Features, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::uncertainty::UncertaintySet;
use robust_svm_solvers::{
    Intercept, InteriorPointSettings, LocalPenalty, LocalSolution, solve_local,
};
use std::sync::Arc;

const SIZES: [(usize, usize); 3] = [(600, 256), (2000, 512), (10_000, 1024)];
const INPUTS: usize = 30;

fn main() {
    divan::main();
}

struct Case {
    phi: Array2<f64>,
    y: Array1<f64>,
    penalty: LocalPenalty,
}

/// Two Gaussian classes 3 apart, spheres of radius 0.3 around the samples, σ the median distance.
fn case((rows, dim): (usize, usize), nystrom: bool) -> Case {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let y = Array1::from_shape_fn(rows, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
    let mut x =
        Array2::from_shape_simple_fn((rows, INPUTS), || rng.sample::<f64, _>(StandardNormal));
    x.column_mut(0).scaled_add(1.5, &y);
    let kernel = GaussianKernel::new((2.0 * INPUTS as f64).sqrt()).expect("σ > 0");
    let features = if nystrom {
        let landmarks = x.slice(s![..dim, ..]).to_owned();
        Features::Nystrom(Arc::new(
            Nystrom::new(kernel, landmarks).expect("finite landmarks"),
        ))
    } else {
        Features::Rff(Arc::new(
            Rff::draw(kernel, INPUTS, dim, &mut rng).expect("an even D"),
        ))
    };
    let sets = UncertaintySet::sphere().into();
    let penalty = LocalPenalty::new(&features, &sets, x.view(), 0.3).expect("sets that fit");
    let phi = features.transform(x.view());
    Case { phi, y, penalty }
}

impl Case {
    fn solve(&self) -> LocalSolution {
        let settings = InteriorPointSettings {
            tolerance: 1e-8,
            ..InteriorPointSettings::default()
        };
        solve_local(
            self.phi.view(),
            self.y.view(),
            &self.penalty,
            1.0,
            Intercept::Free,
            &settings,
        )
        .expect("a valid problem")
    }

    fn bench(&self, bencher: Bencher) {
        let mut last = None;
        bencher.bench_local(|| last = Some(self.solve()));
        let found = last.expect("at least one sample");
        println!(
            "\n{:?}: {} iterations, gap {}, {:?}",
            self.phi.dim(),
            found.iterations,
            found.relative_gap,
            found.status
        );
    }
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn random_features(bencher: Bencher, size: (usize, usize)) {
    case(size, false).bench(bencher);
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn nystrom(bencher: Bencher, size: (usize, usize)) {
    case(size, true).bench(bencher);
}
