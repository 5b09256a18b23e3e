//! The bundle method at the sizes of experiments: time to a certified gap of 1e−6.
//!
//! `cargo bench -p robust-svm-solvers --bench bundle`. Before the times, a line for each problem says how many
//! master problems and Newton steps it takes, and how many pieces the last master problem has.

#![allow(missing_docs, reason = "benchmarks are read, not called")]
#![allow(clippy::print_stdout, reason = "iterations are shown beside times")]

use divan::Bencher;
use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::StandardNormal;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
use robust_svm_solvers::{
    BundleSettings, BundleSolution, SublinearPenalty, SublinearProblem, SupportPenalty,
    solve_bundle,
};

const SIZES: [(usize, usize); 2] = [(600, 256), (2000, 512)];

fn main() {
    for size in SIZES {
        for (name, case) in [
            ("rotations, p̄ = 1", rotations(size)),
            ("shapes, p = 2", shapes(size)),
        ] {
            let found = case.solve();
            println!(
                "{name} {size:?}: {} master problems, {} Newton steps, {} pieces, gap {}, {:?}",
                found.iterations,
                found.newton_steps,
                found.pieces,
                found.relative_gap,
                found.status
            );
        }
    }
    divan::main();
}

struct Case {
    phi: Array2<f64>,
    y: Array1<f64>,
    penalty: Box<dyn SublinearPenalty>,
}

impl Case {
    fn solve(&self) -> BundleSolution {
        let (phi, y) = (self.phi.view(), self.y.view());
        let problem =
            SublinearProblem::new(phi, y, self.penalty.as_ref(), 1.0).expect("a valid problem");
        solve_bundle(&problem, &BundleSettings::default()).expect("valid settings")
    }
}

/// Rows of about unit length with the classes 0.6 apart along the first feature.
fn data((rows, dim): (usize, usize), rng: &mut ChaCha20Rng) -> (Array2<f64>, Array1<f64>) {
    let y = Array1::from_shape_fn(rows, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
    let scale = 1.0 / (dim as f64).sqrt();
    let mut phi =
        Array2::from_shape_simple_fn((rows, dim), || scale * rng.sample::<f64, _>(StandardNormal));
    phi.column_mut(0).scaled_add(0.3, &y);
    (phi, y)
}

/// p̄ = 1, q̄ = ∞: a rotation of each sample's own, Γ in 0..1.
fn rotations((rows, dim): (usize, usize)) -> Case {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let (phi, y) = data((rows, dim), &mut rng);
    let angles = Array2::from_shape_simple_fn((rows, dim / 2), || rng.gen_range(-3.0..3.0));
    let penalty = Box::new(FeaturePenalty {
        radii: Array1::from_shape_simple_fn(rows, || rng.r#gen()),
        matrix: PenaltyMatrix::Rotations {
            angles,
            norm: Norm::Infinity,
        },
    });
    Case { phi, y, penalty }
}

/// An ellipsoid of each sample's own, half-axes of 0.02..0.4.
fn shapes((rows, dim): (usize, usize)) -> Case {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let (phi, y) = data((rows, dim), &mut rng);
    let mut ellipsoid = || {
        let scales = Array1::from_shape_simple_fn(dim, || rng.gen_range(0.1..2.0));
        UncertaintySet::new(Norm::Two, Factor::Diagonal(scales)).expect("positive scales")
    };
    let sets = (0..rows).map(|_| ellipsoid()).collect();
    let sets = UncertaintySets::each(sets).expect("sets of one norm and width");
    let penalty = Box::new(SupportPenalty { sets, gamma: 0.2 });
    Case { phi, y, penalty }
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn rotations_one_norm(bencher: Bencher, size: (usize, usize)) {
    let case = rotations(size);
    bencher.bench_local(|| case.solve());
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn shapes_of_each(bencher: Bencher, size: (usize, usize)) {
    let case = shapes(size);
    bencher.bench_local(|| case.solve());
}
