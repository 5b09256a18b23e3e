//! TRPCA, fastSDA and RSLDA by properties they must have.

mod common;

use approx::assert_relative_eq;
use common::normals;
use ndarray::{Array2, ArrayView2, Axis, array, s};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::data::LabelledDataset;
use robust_svm_core::linalg::{positive_definite_solve, symmetric_eigen};
use robust_svm_solvers::SolverError;
use robust_svm_solvers::baselines::{
    FastSdaSettings, RsldaSettings, TrpcaSettings, fit_fast_sda, fit_rslda, fit_trpca,
};

fn stream(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// The orthogonal projector on the span of the columns, which are scaled to length 1 first.
fn projector(columns: ArrayView2<'_, f64>) -> Array2<f64> {
    let lengths = columns.map_axis(Axis(0), |c| c.dot(&c).sqrt());
    let unit = &columns / &lengths;
    let (values, vectors) = symmetric_eigen(unit.dot(&unit.t()).view()).unwrap();
    let first = values.iter().take_while(|v| **v < 1e-9).count();
    let span = vectors.slice(s![.., first..]);
    span.dot(&span.t())
}

fn scatter(x: &Array2<f64>) -> Array2<f64> {
    let rows = x - &x.mean_axis(Axis(0)).unwrap();
    rows.t().dot(&rows)
}

/// Rows of three classes with different means.
fn classes(seed: u64, rows: usize, n: usize) -> LabelledDataset {
    let mut rng = stream(seed);
    let means = normals(&mut rng, (3, n)) * 2.0;
    let labels: Vec<usize> = (0..rows)
        .map(|i| if i < 6 { i % 3 } else { rng.gen_range(0..3) })
        .collect();
    let x = normals(&mut rng, (rows, n)) + &means.select(Axis(0), &labels);
    LabelledDataset::new(x, labels, 3).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn trpca_descends_on_the_stiefel_manifold(
        seed in any::<u64>(), rows in 2..40_usize, n in 1..7_usize, d in 1..7_usize, share in 0.0..1.0_f64,
    ) {
        let d = d.min(n);
        let mut rng = stream(seed);
        let mut x = normals(&mut rng, (rows, n));
        x.row_mut(0).mapv_inplace(|v| 1e3 * v);
        let kept = 1 + (share * (rows - 1) as f64) as usize;
        let settings = TrpcaSettings { kept: Some(kept), random_starts: 2, ..TrpcaSettings::new(d) };
        let found = fit_trpca(x.view(), &settings, &mut rng).unwrap();
        let u = &found.projection.components;
        assert_relative_eq!(u.t().dot(u), Array2::eye(d), epsilon = 1e-12);
        prop_assert!(found.objectives.windows(2).all(|pair| pair[1] <= pair[0]));
        // R by its definition.
        let rows = &x - &found.projection.mean;
        let rest = &rows - &rows.dot(u).dot(&u.t());
        let mut residuals: Vec<f64> = rest.map_axis(Axis(1), |r| r.dot(&r)).to_vec();
        residuals.sort_by(f64::total_cmp);
        let sum: f64 = residuals[..kept].iter().sum();
        prop_assert!((sum - found.objective).abs() <= 1e-7 * (1.0 + sum), "{sum} {}", found.objective);
        prop_assert_eq!(found.kept.len(), kept);
    }

    /// With all rows kept it is principal component analysis.
    #[test]
    fn trpca_of_all_rows_is_pca(seed in any::<u64>(), rows in 5..40_usize, n in 2..6_usize) {
        let mut rng = stream(seed);
        let x = normals(&mut rng, (rows, n));
        let settings = TrpcaSettings { kept: Some(rows), ..TrpcaSettings::new(1) };
        let found = fit_trpca(x.view(), &settings, &mut rng).unwrap();
        let (values, vectors) = symmetric_eigen(scatter(&x).view()).unwrap();
        let least: f64 = values.slice(s![..n - 1]).sum();
        assert_relative_eq!(found.objective, least, max_relative = 1e-9);
        let along = found.projection.components.column(0).dot(&vectors.column(n - 1)).abs();
        prop_assert!(along > 1.0 - 1e-6, "{along}");
    }

    /// With one subclass a class the space is that of linear discriminant analysis, `S_t⁻¹` times the means of classes.
    #[test]
    fn fast_sda_of_whole_classes_is_lda(seed in any::<u64>(), rows in 20..60_usize, n in 2..6_usize) {
        let data = classes(seed, rows, n);
        let settings = FastSdaSettings { ridge: 1e-12, ..FastSdaSettings::new(n, 1) };
        let found = fit_fast_sda(&data, &settings, &mut stream(seed)).unwrap();
        prop_assert_eq!(found.components.ncols(), 2);
        let centre = data.x().mean_axis(Axis(0)).unwrap();
        let mut means = Array2::zeros((n, 3));
        for class in 0..3 {
            let own: Vec<usize> = (0..rows).filter(|&i| data.labels()[i] == class).collect();
            let mean = data.x().select(Axis(0), &own).mean_axis(Axis(0)).unwrap();
            means.column_mut(class).assign(&(mean - &centre));
        }
        let lda = positive_definite_solve(scatter(data.x()), means).unwrap();
        assert_relative_eq!(projector(found.components.view()), projector(lda.view()), epsilon = 1e-5);
    }
}

/// Two fifths of the rows are far away along one direction: principal components follow them, TRPCA the others.
#[test]
fn trpca_is_not_moved_by_outliers() {
    let mut rng = stream(1);
    let mut x = normals(&mut rng, (200, 8)) * 0.01;
    for mut row in x.slice_mut(s![..120, ..]).outer_iter_mut() {
        row[0] += 3.0 * rng.gen_range(-1.0..1.0);
        row[1] += 2.0 * rng.gen_range(-1.0..1.0);
        row[2] += 5.0;
    }
    for mut row in x.slice_mut(s![120.., ..]).outer_iter_mut() {
        row[7] += 50.0 + 20.0 * rng.gen_range(-1.0..1.0);
    }
    let found = fit_trpca(x.view(), &TrpcaSettings::new(2), &mut rng).unwrap();
    let truth = projector(
        array![
            [1.0, 0.0],
            [0.0, 1.0],
            [0., 0.],
            [0., 0.],
            [0., 0.],
            [0., 0.],
            [0., 0.],
            [0., 0.]
        ]
        .view(),
    );
    let distance = |p: Array2<f64>| (&p - &truth).mapv(|v| v * v).sum().sqrt();
    let own = distance(projector(found.projection.components.view()));
    let (_, vectors) = symmetric_eigen(scatter(&x).view()).unwrap();
    let pca = distance(projector(vectors.slice(s![.., 6..])));
    assert!(own < 0.01 && pca > 1.0, "{own} {pca}");
    assert!(found.kept.iter().all(|&i| i < 120));
    assert!((found.projection.mean[2] - 5.0).abs() < 0.1);
    // The axis of larger spread is first.
    assert!(found.projection.components[(0, 0)] > 0.9);
    let again = fit_trpca(x.view(), &TrpcaSettings::new(2), &mut stream(7)).unwrap();
    assert_eq!(
        again,
        fit_trpca(x.view(), &TrpcaSettings::new(2), &mut stream(7)).unwrap()
    );
}

/// Where the rows are independent the regression is exact: all rows of a subclass fall on one point, and each component solves
/// `S_bw = ρS_tw`, both scatters by their definition. Subclasses differ in size.
#[test]
fn fast_sda_solves_subclass_discriminant_analysis() {
    let mut rng = stream(3);
    // Two clouds a class, far apart.
    let clouds = [0, 1, 2, 3, 0, 0, 0, 1, 2, 2, 0, 3, 1, 0, 0, 2];
    let labels: Vec<usize> = clouds.iter().map(|cloud| cloud % 2).collect();
    let mut x = normals(&mut rng, (16, 20)) * 0.1;
    for (i, &cloud) in clouds.iter().enumerate() {
        x[(i, cloud)] += 10.0;
    }
    let data = LabelledDataset::new(x.clone(), labels, 2).unwrap();
    let settings = FastSdaSettings {
        ridge: 1e-10,
        ..FastSdaSettings::new(5, 2)
    };
    let found = fit_fast_sda(&data, &settings, &mut rng).unwrap();
    let projected = found.project(x.view()).unwrap();
    assert_eq!(projected.dim(), (16, 3));
    for (row, &cloud) in projected.outer_iter().zip(&clouds) {
        assert_relative_eq!(row, projected.row(cloud), epsilon = 1e-4);
    }
    let apart = |i: usize, j: usize| (&projected.row(i) - &projected.row(j)).mapv(f64::abs).sum();
    assert!(apart(0, 1) > 0.1 && apart(0, 2) > 0.1 && apart(1, 3) > 0.1);
}

/// Clouds of 7, 3, 4 and 2 rows, of the classes 0, 1, 0, 1: components solve `S_bw = ρS_tw`, S_b summed over pairs of clouds, in the
/// order of ρ.
#[test]
fn fast_sda_components_are_eigenvectors_of_the_scatter_between_clouds() {
    let mut rng = stream(6);
    let clouds: Vec<usize> = [7, 3, 4, 2]
        .iter()
        .enumerate()
        .flat_map(|(z, size)| vec![z; *size])
        .collect();
    let mut x = normals(&mut rng, (16, 20)) * 0.1;
    for (i, cloud) in clouds.iter().enumerate() {
        x[(i, *cloud)] += 10.0;
    }
    let labels = clouds.iter().map(|cloud| cloud % 2).collect();
    let data = LabelledDataset::new(x.clone(), labels, 2).unwrap();
    let settings = FastSdaSettings {
        ridge: 1e-10,
        ..FastSdaSettings::new(5, 2)
    };
    let found = fit_fast_sda(&data, &settings, &mut rng).unwrap();
    let mean_and_share = |z: usize| {
        let own: Vec<usize> = (0..16).filter(|&i| clouds[i] == z).collect();
        let mean = x.select(Axis(0), &own).mean_axis(Axis(0)).unwrap();
        (mean, own.len() as f64 / 16.0)
    };
    let mut between = Array2::<f64>::zeros((20, 20));
    for (a, b) in [(0, 1), (0, 3), (1, 2), (2, 3)] {
        let ((left, p), (right, q)) = (mean_and_share(a), mean_and_share(b));
        let d = (left - right).insert_axis(Axis(1));
        between.scaled_add(p * q, &d.dot(&d.t()));
    }
    let total = scatter(&x);
    let mut before = f64::INFINITY;
    assert_eq!(found.components.ncols(), 3);
    for w in found.components.columns() {
        let (of_between, of_total) = (between.dot(&w), total.dot(&w));
        let ratio = w.dot(&of_between) / w.dot(&of_total);
        let apart = &of_between - &(&of_total * ratio);
        assert!(
            apart.dot(&apart) <= 1e-10 * of_between.dot(&of_between),
            "{ratio}"
        );
        assert!(ratio > 0.0 && ratio < before);
        before = ratio;
    }
}

/// Rows of a plane in R^8, two classes apart in it, a twentieth of the entries spoilt: the constraint is met, P orthonormal, and E
/// finds the spoilt entries.
#[test]
fn rslda_finds_spoilt_entries() {
    let mut rng = stream(4);
    let labels: Vec<usize> = (0..100).map(|i| i % 2).collect();
    let mut inside = normals(&mut rng, (100, 2));
    for (i, mut row) in inside.outer_iter_mut().enumerate() {
        row[0] += if i % 2 == 0 { 3.0 } else { -3.0 };
    }
    let clean = inside.dot(&normals(&mut rng, (2, 8)));
    let mut x = clean.clone();
    let mut spoilt = Array2::from_elem((100, 8), false);
    for _ in 0..40 {
        let at = (rng.gen_range(0..100), rng.gen_range(0..8));
        x[at] += if rng.r#gen() { 30.0 } else { -30.0 };
        spoilt[at] = true;
    }
    let data = LabelledDataset::new(x, labels, 2).unwrap();
    let found = fit_rslda(&data, &RsldaSettings::new(2, 1e-3, 0.1)).unwrap();
    assert!(found.converged, "{:?}", found.residuals.last());
    assert_relative_eq!(
        found.basis.t().dot(&found.basis),
        Array2::eye(2),
        epsilon = 1e-12
    );
    let tail = &found.objectives[found.objectives.len() - 20..];
    assert!(
        tail.windows(2)
            .all(|pair| (pair[1] - pair[0]).abs() <= 1e-3 * pair[0].abs()),
        "{tail:?}"
    );
    let large = found.errors.mapv(|e| e.abs() > 10.0);
    let agree = large.iter().zip(&spoilt).filter(|(a, b)| a == b).count();
    assert!(agree >= 790, "{agree} of 800");
    // The classes are apart in the projection of clean rows.
    let projected = found.projection.project(clean.view()).unwrap();
    let mean = |side: usize| {
        projected
            .slice(s![side..;2, ..])
            .mean_axis(Axis(0))
            .unwrap()
    };
    assert!((mean(0) - mean(1)).mapv(f64::abs).sum() > 2.0);
}

/// The conditions of a stationary point: `2(S_w − μS_b)Q + λ₁DQ = XᵀYP`, and Y a sub-gradient of `λ₂‖E‖₁`.
#[test]
fn rslda_comes_to_rest_at_a_stationary_point() {
    let data = classes(8, 60, 5);
    let (sparsity, price, between) = (0.5, 0.2, 1e-3);
    let settings = RsldaSettings {
        between,
        weight: 1.0,
        growth: 1.0,
        max_iterations: 20_000,
        tolerance: 1e-10,
        ..RsldaSettings::new(2, sparsity, price)
    };
    let found = fit_rslda(&data, &settings).unwrap();
    let q = &found.projection.components;
    let x = data.x() - &found.projection.mean;
    let mut discriminant = Array2::<f64>::zeros((5, 5));
    for class in 0..3 {
        let own: Vec<usize> = (0..60).filter(|&i| data.labels()[i] == class).collect();
        let rows = x.select(Axis(0), &own);
        discriminant += &(scatter(&rows) / own.len() as f64);
        let mean = rows.mean_axis(Axis(0)).unwrap().insert_axis(Axis(0));
        discriminant -= &(mean.t().dot(&mean) * (between * own.len() as f64));
    }
    let lengths = q
        .map_axis(Axis(1), |row| row.dot(&row).sqrt())
        .insert_axis(Axis(1));
    let left = discriminant.dot(q) * 2.0 + (q / &lengths) * sparsity;
    let right = x.t().dot(&found.multipliers).dot(&found.basis);
    let size = right.mapv(f64::abs).sum();
    let rest = (&left - &right).mapv(f64::abs).sum();
    assert!(rest <= 1e-2 * size, "{rest} {size}");
    for (e, y) in found.errors.iter().zip(&found.multipliers) {
        assert!(y.abs() <= price * (1.0 + 1e-9));
        assert!(*e == 0.0 || (y - price * e.signum()).abs() <= 1e-9);
    }
}

/// `tr Qᵀ(S_w − μS_b)Q + λ₁ Σ‖q_k‖ + λ₂ Σ|X − XQPᵀ|`, the scatters from pairs of rows.
fn rslda_objective(
    data: &LabelledDataset,
    settings: &RsldaSettings,
    q: &Array2<f64>,
    p: &Array2<f64>,
) -> f64 {
    let x = data.x() - &data.x().mean_axis(Axis(0)).unwrap();
    let projected = x.dot(q);
    let squares = |a: usize, b: usize| {
        (&projected.row(a) - &projected.row(b))
            .mapv(|v| v * v)
            .sum()
    };
    let (sizes, labels) = (data.class_sizes(), data.labels());
    // A class's covariance is half the mean square over its pairs; what the total scatter has beyond the scatters within is between.
    let (mut within, mut between) = (0.0, 0.0);
    for a in 0..data.rows() {
        for b in 0..data.rows() {
            between += squares(a, b) / (2.0 * data.rows() as f64);
            if labels[a] == labels[b] {
                let size = sizes[labels[a]] as f64;
                within += squares(a, b) / (2.0 * size * size);
                between -= squares(a, b) / (2.0 * size);
            }
        }
    }
    let lengths = q.map_axis(Axis(1), |row| row.dot(&row).sqrt()).sum();
    let errors = (&x - &projected.dot(&p.t())).mapv(f64::abs).sum();
    within - settings.between * between
        + settings.sparsity * lengths
        + settings.error_price * errors
}

/// At a constant weight the method comes to rest at a Q that no other Q near it is better than for its P.
#[test]
fn rslda_rests_where_no_step_lowers_the_objective() {
    let data = classes(8, 60, 5);
    let settings = RsldaSettings {
        between: 1e-3,
        weight: 10.0,
        growth: 1.0,
        max_iterations: 20_000,
        tolerance: 1e-9,
        ..RsldaSettings::new(2, 2.0, 0.5)
    };
    let found = fit_rslda(&data, &settings).unwrap();
    assert!(found.converged);
    let (q, p) = (&found.projection.components, &found.basis);
    let least = rslda_objective(&data, &settings, q, p);
    let reported = *found.objectives.last().unwrap();
    assert_relative_eq!(reported, least, max_relative = 1e-5);
    let mut rng = stream(9);
    for size in [1e-1, 1e-2, 1e-3] {
        for _ in 0..100 {
            let moved = q + &(normals(&mut rng, (5, 2)) * size * q.mapv(f64::abs).sum());
            let value = rslda_objective(&data, &settings, &moved, p);
            assert!(value >= least * (1.0 - 1e-6), "{size}: {value} {least}");
        }
        let scaled = rslda_objective(&data, &settings, &(q * (1.0 - size)), p);
        assert!(scaled >= least * (1.0 - 1e-6), "{size}: {scaled} {least}");
    }
}

/// A higher price of features empties rows of Q; hardly any price of errors empties all of Q where S_w − μS_b is positive definite.
#[test]
fn rslda_prices_do_what_they_say() {
    let data = classes(5, 90, 6);
    let fit = |sparsity, price| fit_rslda(&data, &RsldaSettings::new(2, sparsity, price)).unwrap();
    let lengths = |q: &Array2<f64>| q.map_axis(Axis(1), |row| row.dot(&row).sqrt()).sum();
    let [low, high] =
        [1e-4, 300.0].map(|sparsity| lengths(&fit(sparsity, 1.0).projection.components));
    assert!(high < 0.8 * low, "{high} {low}");
    // With a growing β the method would freeze before it is there.
    let steady = RsldaSettings {
        growth: 1.0,
        max_iterations: 2000,
        ..RsldaSettings::new(2, 1e-4, 1e-6)
    };
    let free = fit_rslda(&data, &steady).unwrap();
    assert!(
        lengths(&free.projection.components) < 1e-3,
        "{}",
        lengths(&free.projection.components)
    );
}

#[test]
fn bad_input_is_refused() {
    let data = classes(1, 20, 3);
    let x = data.x().view();
    let rng = || stream(0);
    assert!(fit_trpca(x, &TrpcaSettings::new(4), &mut rng()).is_err());
    assert!(fit_trpca(x, &TrpcaSettings::new(0), &mut rng()).is_err());
    let kept = TrpcaSettings {
        kept: Some(21),
        ..TrpcaSettings::new(1)
    };
    assert!(fit_trpca(x, &kept, &mut rng()).is_err());
    assert!(fit_fast_sda(&data, &FastSdaSettings::new(2, 0), &mut rng()).is_err());
    let ridge = FastSdaSettings {
        ridge: 0.0,
        ..FastSdaSettings::new(2, 1)
    };
    assert!(fit_fast_sda(&data, &ridge, &mut rng()).is_err());
    let one = LabelledDataset::new(data.x().clone(), vec![1; 20], 3).unwrap();
    let refused = fit_fast_sda(&one, &FastSdaSettings::new(2, 1), &mut rng());
    assert!(matches!(refused, Err(SolverError::OneClass { .. })));
    assert!(matches!(
        fit_rslda(&one, &RsldaSettings::new(1, 1.0, 1.0)),
        Err(SolverError::OneClass { .. })
    ));
    assert!(fit_rslda(&data, &RsldaSettings::new(1, 1.0, 0.0)).is_err());
    let between = RsldaSettings {
        between: 1e6,
        ..RsldaSettings::new(1, 1e-3, 1.0)
    };
    assert!(matches!(
        fit_rslda(&data, &between),
        Err(SolverError::Setting {
            name: "between",
            ..
        })
    ));
    let found = fit_trpca(x, &TrpcaSettings::new(1), &mut rng()).unwrap();
    assert!(
        found
            .projection
            .project(Array2::zeros((1, 2)).view())
            .is_err()
    );
}
