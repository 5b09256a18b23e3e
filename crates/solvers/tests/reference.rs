//! Our solvers against Clarabel on the same problems as cone programs, and what the references are made of.

mod common;

use approx::assert_relative_eq;
use common::{Data, INTERCEPTS, NORMS, gaussians, normals, rotations, shapes};
use ndarray::{Array1, ArrayView1};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
use robust_svm_solvers::reference::{
    ReferenceSolution, SolverStatus, solve_many_cones, solve_one_cone,
};
use robust_svm_solvers::{
    BundleSettings, InteriorPointSettings, SolverError, SublinearPenalty, SublinearProblem,
    SupportPenalty, solve, solve_bundle,
};

/// The penalty of a linear model over sets of the norm p: Σ_i is I, diagonal, full, or each sample has its own.
fn linear(seed: u64, data: &Data, p: Norm, shape: usize) -> SupportPenalty {
    let mut rng = ChaCha20Rng::seed_from_u64(seed ^ 0x51);
    let (rows, dim) = data.phi.dim();
    let factor = match shape {
        0 => Factor::Identity,
        1 => Factor::Diagonal(normals(&mut rng, (1, dim)).row(0).mapv(f64::abs)),
        2 => Factor::Full(normals(&mut rng, (dim, dim))),
        _ => return shapes(seed, data, p, 0.2),
    };
    let sizes = Array1::from_shape_simple_fn(rows, || rng.gen_range(0.0..1.0));
    let sets = UncertaintySets::from(UncertaintySet::new(p, factor).unwrap());
    SupportPenalty {
        sets: sets.with_sizes(sizes).unwrap(),
        gamma: 0.3,
    }
}

/// A feature bound with p̄ = 2: A is orthogonal, diagonal or dense.
fn common_matrix(seed: u64, data: &Data, kind: usize) -> FeaturePenalty {
    let mut rng = ChaCha20Rng::seed_from_u64(seed ^ 0x52);
    let dim = data.phi.ncols();
    let matrix = match kind {
        0 => PenaltyMatrix::Orthogonal,
        1 => PenaltyMatrix::Diagonal(normals(&mut rng, (1, dim)).row(0).to_owned()),
        _ => PenaltyMatrix::Dense(normals(&mut rng, (dim + 1, dim))),
    };
    FeaturePenalty {
        matrix,
        ..data.penalty.clone()
    }
}

/// The linear model's penalty with p = 2 and one Σ as a feature bound: `A = Σ^{⊤/2}`, `Γ_i = γg_i`.
fn as_feature_penalty(penalty: &SupportPenalty, rows: usize) -> Option<FeaturePenalty> {
    let shared = penalty
        .sets
        .shared()
        .filter(|set| set.norm() == Norm::Two)?;
    Some(FeaturePenalty {
        radii: (0..rows)
            .map(|i| penalty.gamma * penalty.sets.size(i))
            .collect(),
        matrix: match shared.factor() {
            Factor::Identity => PenaltyMatrix::Orthogonal,
            Factor::Diagonal(s) => PenaltyMatrix::Diagonal(s.clone()),
            Factor::Full(f) => PenaltyMatrix::Dense(f.t().to_owned()),
        },
    })
}

/// Neither is above the other by more than 1e−6 of it.
fn assert_agree(ours: f64, reference: &ReferenceSolution, what: &str) {
    assert_eq!(reference.status, SolverStatus::Solved, "{what}");
    assert!(reference.iterations > 0 && reference.seconds >= 0.0);
    let theirs = reference.objective;
    assert_relative_eq!(theirs, reference.reported_objective, max_relative = 1e-6);
    assert!(
        (ours - theirs).abs() <= 1e-6 * theirs,
        "{what}: {ours} and {theirs}"
    );
}

/// Fifty-four random problems: every (p, Σ) of linear models and every (p̄, A) of feature bounds under every rule for
/// the intercept. The interior-point method solves those that one cone serves, the bundle method all of them.
#[test]
fn our_solvers_agree_with_clarabel() {
    let mut compared = (0, 0);
    for (rule_seed, &rule) in (0..).zip(INTERCEPTS) {
        for form in 0..18 {
            let seed = 100 * rule_seed + form as u64;
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let size = (rng.gen_range(15..40), 2 * rng.gen_range(1..5));
            let separation = rng.gen_range(0.5..3.0);
            let lambda = 10.0_f64.powf(rng.gen_range(-1.0..1.0));
            let data = gaussians(seed, size, separation, rng.gen_range(0.3..0.7), 0.4);
            let (support, feature);
            let (penalty, common): (&dyn SublinearPenalty, Option<FeaturePenalty>) = match form {
                0..12 => {
                    support = linear(seed, &data, NORMS[form % 3], form / 3);
                    (&support, as_feature_penalty(&support, size.0))
                }
                12..15 => {
                    feature = rotations(seed, &data, NORMS[form % 3], 0.2);
                    (&feature, None)
                }
                _ => {
                    feature = common_matrix(seed, &data, form % 3);
                    (&feature, Some(feature.clone()))
                }
            };
            let what = format!("form {form}, {rule:?}");
            let problem = SublinearProblem::new(data.phi.view(), data.y.view(), penalty, lambda)
                .unwrap()
                .with_intercept(rule);
            let many = solve_many_cones(&problem).unwrap();
            let settings = BundleSettings {
                tolerance: 5e-7,
                ..BundleSettings::default()
            };
            let bundle = solve_bundle(&problem, &settings).unwrap();
            assert_agree(bundle.objective, &many, &what);
            compared.0 += 1;
            if let Some(penalty) = common {
                let data = Data {
                    penalty,
                    ..data.clone()
                };
                let problem = data.problem(lambda).with_intercept(rule);
                let one = solve_one_cone(&problem).unwrap();
                let ours = solve(&problem, &InteriorPointSettings::default()).unwrap();
                assert_agree(ours.objective, &one, &what);
                assert_agree(ours.objective, &many, &what);
                compared.1 += 1;
            }
        }
    }
    assert_eq!(compared, (54, 18));
}

#[test]
fn total_budgets_agree_with_clarabel() {
    for (seed, (&rule, budget)) in (0..).zip(INTERCEPTS.iter().zip([0.5, 4.0, 30.0])) {
        for kind in 0..3 {
            let mut data = gaussians(seed, (40, 4), 1.0, 0.4, 0.2);
            data.penalty = common_matrix(seed, &data, kind);
            let problem = data
                .problem(0.5)
                .with_intercept(rule)
                .with_budget(budget)
                .unwrap();
            let ours = solve(&problem, &InteriorPointSettings::default()).unwrap();
            let reference = solve_one_cone(&problem).unwrap();
            assert_agree(ours.objective, &reference, &format!("{rule:?}, {kind}"));
        }
    }
}

/// A penalty that is no norm is refused by name.
#[test]
fn penalties_without_a_norm_are_refused() {
    struct Forwarded<'p>(&'p dyn SublinearPenalty);
    impl SublinearPenalty for Forwarded<'_> {
        fn check(&self, samples: usize, dim: usize) -> Result<(), SolverError> {
            self.0.check(samples, dim)
        }
        fn values(&self, zeta: ArrayView1<'_, f64>, samples: usize) -> Array1<f64> {
            self.0.values(zeta, samples)
        }
        fn subgradients(&self, zeta: ArrayView1<'_, f64>, samples: usize) -> ndarray::Array2<f64> {
            self.0.subgradients(zeta, samples)
        }
    }
    let data = gaussians(1, (10, 4), 1.0, 0.5, 0.3);
    let penalty = Forwarded(&data.penalty);
    let problem = SublinearProblem::new(data.phi.view(), data.y.view(), &penalty, 1.0).unwrap();
    assert_eq!(
        solve_many_cones(&problem),
        Err(SolverError::NoNorm { row: 0 })
    );
}

proptest! {
    /// The norm that the reference sees is the penalty.
    #[test]
    fn norm_forms_are_the_penalty(seed in any::<u64>(), form in 0..18_usize) {
        let data = gaussians(seed, (7, 6), 1.0, 0.5, 0.8);
        let (support, feature);
        let penalty: &dyn SublinearPenalty = match form {
            0..12 => { support = linear(seed, &data, NORMS[form % 3], form / 3); &support }
            12..15 => { feature = rotations(seed, &data, NORMS[form % 3], 0.7); &feature }
            _ => { feature = common_matrix(seed, &data, form % 3); &feature }
        };
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let zeta = normals(&mut rng, (1, 6)).row(0).to_owned();
        let values = penalty.values(zeta.view(), 7);
        for (i, value) in values.iter().enumerate() {
            let form = penalty.norm_form(i, 6).unwrap();
            let norm = form.norm.of(form.matrix.dot(&zeta).view());
            prop_assert!((norm - value).abs() <= 1e-12 * (1.0 + value), "{norm} {value}");
        }
    }
}
