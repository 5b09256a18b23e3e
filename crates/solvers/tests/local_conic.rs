//! Training on the local bound against Clarabel, which gets the conic program written out.

mod common;

use approx::assert_relative_eq;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus,
    SupportedConeT,
};
use common::local::{Setting, setting};
use ndarray::Array1;
use robust_svm_core::features::{FeatureMap, Features};
use robust_svm_core::uncertainty::Norm;
use robust_svm_solvers::{Intercept, InteriorPointSettings, LocalPenalty, solve_local};

/// A line (a, c) says `⟨a, x⟩ + c ≥ 0`, or is a coordinate of a cone.
type Line = (Vec<(usize, f64)>, f64);

/// The lines of `C_iζ`, each n rows of D, times γ_i.
fn slopes(case: &Setting, i: usize) -> Vec<Vec<(usize, f64)>> {
    let n = case.x.ncols();
    let size = case.gamma * case.sets.size(i);
    let x = case.x.slice(ndarray::s![i..=i, ..]);
    (0..n)
        .map(|k| {
            let mut unit = Array1::zeros(n);
            unit[k] = size;
            case.sets.shape(i).scale(unit.view_mut());
            let image = case
                .features
                .push_forward(x, unit.insert_axis(ndarray::Axis(0)).view());
            image.iter().copied().enumerate().collect()
        })
        .collect()
}

/// The optimal value of `min λ/2‖ζ‖² + Σξ_i`, `y_i(⟨ζ,φ_i⟩+b) + ξ_i − t_i − ½γ_i² r ≥ 1`, ξ ≥ 0, `‖γ_iC_iζ‖ ≤ t_i` and
/// `√3(ρ/σ)²‖ζ‖ ≤ r` (Nyström) or, in one dimension, where the matrix is a number, `Σ_j ω̃_j² a_j ≤ r`,
/// `sqrt(2/D)‖ζ_j‖ ≤ a_j`. The variables are ζ, b, r, ξ, t and a.
fn clarabel_value(case: &Setting, lambda: f64) -> f64 {
    let phi = case.features.transform(case.x.view());
    let (rows, dim) = phi.dim();
    let (b, r, xi, t) = (dim, dim + 1, dim + 2, dim + 2 + rows);
    let mut width = t + rows;
    let mut linear: Vec<Line> = Vec::new();
    let mut conic: Vec<Line> = Vec::new();
    let mut cones = Vec::new();
    for i in 0..rows {
        let (y, γ_i) = (case.y[i], case.gamma * case.sets.size(i));
        let mut hinge: Vec<_> = (0..dim).map(|k| (k, y * phi[(i, k)])).collect();
        hinge.extend([(b, y), (r, -0.5 * γ_i * γ_i), (xi + i, 1.0), (t + i, -1.0)]);
        linear.push((hinge, -1.0));
        linear.push((vec![(xi + i, 1.0)], 0.0));
        conic.push((vec![(t + i, 1.0)], 0.0));
        conic.extend(slopes(case, i).into_iter().map(|line| (line, 0.0)));
        cones.push(SecondOrderConeT(case.x.ncols() + 1));
    }
    let set = case.sets.shared().unwrap();
    match &case.features {
        Features::Nystrom(map) => {
            let ratio = set.longest(case.x.ncols()) / map.kernel().sigma();
            let scale = 3.0_f64.sqrt() * ratio * ratio;
            conic.push((vec![(r, 1.0)], 0.0));
            conic.extend((0..dim).map(|k| (vec![(k, scale)], 0.0)));
            cones.push(SecondOrderConeT(dim + 1));
        }
        Features::Rff(map) => {
            assert_eq!(case.x.ncols(), 1, "where the matrix is a number");
            let frequencies = set.pull_back(map.frequencies());
            let each = dim / frequencies.nrows();
            let mut largest = vec![(r, 1.0)];
            for (j, ω) in frequencies.column(0).iter().enumerate() {
                largest.push((width, -ω * ω));
                conic.push((vec![(width, 1.0)], 0.0));
                let wave = j * each..(j + 1) * each;
                conic.extend(wave.map(|k| (vec![(k, map.amplitude())], 0.0)));
                cones.push(SecondOrderConeT(each + 1));
                width += 1;
            }
            linear.push((largest, 0.0));
        }
        Features::Identity(_) => linear.push((vec![(r, 1.0)], 0.0)),
    }
    let mut all: Vec<SupportedConeT<f64>> = vec![NonnegativeConeT(linear.len())];
    all.extend(cones);
    let lines: Vec<Line> = linear.into_iter().chain(conic).collect();
    let (mut i, mut j, mut v) = (vec![], vec![], vec![]);
    for (row, (line, _)) in lines.iter().enumerate() {
        for (column, value) in line {
            i.push(row);
            j.push(*column);
            v.push(-value);
        }
    }
    let a = CscMatrix::new_from_triplets(lines.len(), width, i, j, v);
    let c: Vec<f64> = lines.iter().map(|line| line.1).collect();
    let weights = (0..dim).collect::<Vec<_>>();
    let p = CscMatrix::new_from_triplets(width, width, weights.clone(), weights, vec![lambda; dim]);
    let mut cost = vec![0.0; width];
    cost[xi..t].fill(1.0);
    let settings = DefaultSettings {
        verbose: false,
        ..DefaultSettings::default()
    };
    let mut solver = DefaultSolver::new(&p, &cost, &a, &c, &all, settings).unwrap();
    solver.solve();
    assert_eq!(solver.solution.status, SolverStatus::Solved);
    solver.solution.obj_val
}

/// Identity and Nyström in three dimensions, random features in one.
#[test]
fn clarabel_finds_the_same_value() {
    let cases = [(0, 3), (1, 1), (2, 1), (4, 3)];
    for (map, n) in cases {
        for (seed, gamma, lambda) in [(1, 0.05, 0.01), (2, 0.3, 0.1), (3, 0.1, 5.0)] {
            let case = setting(seed, (40, n), map, Norm::Two, true, gamma);
            let phi = case.features.transform(case.x.view());
            let penalty =
                LocalPenalty::new(&case.features, &case.sets, case.x.view(), gamma).unwrap();
            let settings = InteriorPointSettings::default();
            let found = solve_local(
                phi.view(),
                case.y.view(),
                &penalty,
                lambda,
                Intercept::Free,
                &settings,
            )
            .unwrap();
            let expected = clarabel_value(&case, lambda);
            assert_relative_eq!(found.objective, expected, max_relative = 1e-6);
            // Something is learnt.
            assert!(found.zeta.dot(&found.zeta) > 1e-4, "{map} {seed}");
        }
    }
}
