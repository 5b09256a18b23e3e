//! Graph embeddings and kernel principal components against independent computations, and what they promise.
//!
//! `fixtures/embedding.json` has, of some rows of iris, wine and digits (averaged to 4 × 4 pixels), what scikit-learn 1.9 and scipy give:
//! `KernelPCA` of the Gaussian kernel, `LinearDiscriminantAnalysis` by its eigenvalue solver, and `scipy.linalg.eigh(A, B)` with
//! `A = KLK + rK`, `B = KBK`, with `+ rK` for LDA, written out densely, K the kernel of normal mean embeddings with the variances given, and with
//! `A = XᵀLX + Σ L_ii v_i + r` for GEU; ε = 10⁻³, MFA with k₁ = 3 and k₂ = 12.

use approx::assert_relative_eq;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use proptest::prelude::*;
use robust_svm_core::distribution::{Covariances, GaussianInputs};
use robust_svm_core::kernel::{GaussianKernel, squared_distances};
use robust_svm_core::linalg::symmetric_eigen;
use robust_svm_solvers::embedding::{Laplacian, gram_distances};
use robust_svm_solvers::{
    EmbeddingSettings, Graph, KernelEmbedding, KernelPca, LinearEmbedding, SolverError,
};
use serde::Deserialize;

type Rows = Vec<Vec<f64>>;

#[derive(Deserialize)]
struct Case {
    name: String,
    x: Rows,
    labels: Vec<usize>,
    classes: usize,
    new: Rows,
    sigma: f64,
    variances: Vec<f64>,
    components: Rows,
    component_values: Vec<f64>,
    discriminants: Rows,
    kda: InKernel,
    kmfa: InKernel,
    lda_geu: Linear,
    mfa_geu: Linear,
}

#[derive(Deserialize)]
struct InKernel {
    ratios: Vec<f64>,
    projections: Rows,
}

#[derive(Deserialize)]
struct Linear {
    ratios: Vec<f64>,
    directions: Rows,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("fixtures/embedding.json")).unwrap()
}

fn array(rows: &Rows) -> Array2<f64> {
    Array2::from_shape_fn((rows.len(), rows[0].len()), |(i, k)| rows[i][k])
}

fn ridge(ridge: f64) -> EmbeddingSettings {
    EmbeddingSettings { ridge }
}

/// `E k(X, Z)` of the Gaussian kernel for X ~ N(x_i, v_i I), Z ~ N(z_j, w_j I).
fn embedded(
    sigma: f64,
    (x, v): (ArrayView2<'_, f64>, ArrayView1<'_, f64>),
    (z, w): (ArrayView2<'_, f64>, ArrayView1<'_, f64>),
) -> Array2<f64> {
    let n = x.ncols() as f64;
    let squares = squared_distances(x, z);
    Array2::from_shape_fn(squares.dim(), |(i, j)| {
        let width = sigma * sigma + v[i] + w[j];
        (width / (sigma * sigma)).powf(-0.5 * n) * (-squares[(i, j)] / (2.0 * width)).exp()
    })
}

/// Columns that agree up to their signs.
fn assert_columns(found: &Array2<f64>, expected: &Array2<f64>, tolerance: f64, what: &str) {
    assert_eq!(found.dim(), expected.dim(), "{what}");
    for (found, expected) in found.columns().into_iter().zip(expected.columns()) {
        let scale = expected.dot(&expected).sqrt();
        let sign = found.dot(&expected).signum();
        let off = (&found * sign - expected).mapv(f64::abs);
        assert!(
            off.iter().all(|d| *d <= tolerance * scale),
            "{what}: {off} of {scale}"
        );
    }
}

#[test]
fn kernel_components_are_those_of_scikit_learn() {
    for case in cases() {
        let (x, new) = (array(&case.x), array(&case.new));
        let kernel = GaussianKernel::new(case.sigma).unwrap();
        let pca = KernelPca::fit(kernel.matrix(x.view(), x.view()).view(), 4).unwrap();
        let found = pca
            .project(kernel.matrix(new.view(), x.view()).view())
            .unwrap();
        assert_columns(&found, &array(&case.components), 1e-6, &case.name);
        let values = Array1::from(case.component_values);
        assert_relative_eq!(pca.eigenvalues(), &values, max_relative = 1e-9);
        for (alpha, λ) in pca.alpha().columns().into_iter().zip(pca.eigenvalues()) {
            assert_relative_eq!(λ * alpha.dot(&alpha), 1.0, max_relative = 1e-9);
        }
    }
}

/// As the ridge vanishes: directions of the same eigenvalues, each up to its length.
#[test]
fn discriminants_are_those_of_scikit_learn() {
    for case in cases() {
        let x = array(&case.x);
        let graph = Graph::lda(&case.labels, case.classes).unwrap();
        let inputs = GaussianInputs::points(x.clone()).unwrap();
        let linear = LinearEmbedding::fit(&graph, &inputs, 99, &ridge(1e-12)).unwrap();
        let unit = |rows: Array2<f64>| {
            let lengths = rows.map_axis(ndarray::Axis(0), |column| column.dot(&column).sqrt());
            rows / lengths
        };
        let expected = unit(array(&case.discriminants).reversed_axes());
        assert_columns(
            &unit(linear.directions().to_owned()),
            &expected,
            1e-6,
            &case.name,
        );
        // And by the kernel ⟨x, z⟩, whose Gram matrix is singular.
        let kernel = KernelEmbedding::fit(&graph, x.dot(&x.t()).view(), 99, &ridge(1e-9)).unwrap();
        let found = unit(x.t().dot(&kernel.coefficients()));
        assert_columns(&found, &expected, 1e-5, &case.name);
    }
}

/// Of lengths `pᵀ(S_L + r I)p = 1`, in the plane and in the kernel's space; the directions are the same.
#[test]
fn directions_may_have_unit_length_in_what_is_kept_together() {
    for case in cases() {
        let x = array(&case.x);
        let graph = Graph::lda(&case.labels, case.classes).unwrap();
        let (together, inputs) = (graph.together().unwrap(), x.nrows() as f64);
        let gram = x.dot(&x.t()) + 0.5 * Array2::<f64>::eye(x.nrows());
        let r = 1e-3 * gram.diag().sum() * together.degrees().sum() / (inputs * inputs);
        let fitted = || KernelEmbedding::fit(&graph, gram.view(), 2, &ridge(1e-3)).unwrap();
        let embedding = fitted().with_unit_together();
        assert_columns(
            &(embedding.coefficients().to_owned() * &fitted().ratios().mapv(f64::sqrt)),
            &fitted().coefficients().to_owned(),
            1e-9,
            &case.name,
        );
        let values = embedding.project(gram.view()).unwrap();
        let own = (&values * &embedding.coefficients()).sum_axis(ndarray::Axis(0));
        let scattered = together.apply(values.t()).t().to_owned();
        let extents = (&values * &scattered).sum_axis(ndarray::Axis(0)) + r * own;
        assert!(extents.iter().all(|e| (e - 1.0).abs() < 1e-6), "{extents}");

        let points = GaussianInputs::points(x.clone()).unwrap();
        let linear = LinearEmbedding::fit(&graph, &points, 2, &ridge(1e-3)).unwrap();
        let linear = linear.with_unit_together();
        let trace = x.iter().map(|value| value * value).sum::<f64>();
        let r = 1e-3 * trace * together.degrees().sum() / (inputs * inputs);
        let values = linear.project(x.view()).unwrap();
        let own = linear
            .directions()
            .mapv(|p| p * p)
            .sum_axis(ndarray::Axis(0));
        let scattered = together.apply(values.t()).t().to_owned();
        let extents = (&values * &scattered).sum_axis(ndarray::Axis(0)) + r * own;
        assert!(extents.iter().all(|e| (e - 1.0).abs() < 1e-6), "{extents}");
    }
}

#[test]
fn embeddings_are_those_of_a_dense_generalised_eigenproblem() {
    for case in cases() {
        let (x, new) = (array(&case.x), array(&case.new));
        let variances = Array1::from(case.variances.clone());
        let gram = embedded(
            case.sigma,
            (x.view(), variances.view()),
            (x.view(), variances.view()),
        );
        let points = Array1::zeros(new.nrows());
        let cross = embedded(
            case.sigma,
            (new.view(), points.view()),
            (x.view(), variances.view()),
        );
        let graph = |distances: Array2<f64>| {
            Graph::mfa(distances.view(), &case.labels, case.classes, 3, 12).unwrap()
        };
        let lda = Graph::lda(&case.labels, case.classes).unwrap();
        for (graph, expected) in [
            (&lda, &case.kda),
            (&graph(gram_distances(gram.view())), &case.kmfa),
        ] {
            let dims = expected.ratios.len();
            let found = KernelEmbedding::fit(graph, gram.view(), dims, &ridge(1e-3)).unwrap();
            let ratios = Array1::from(expected.ratios.clone());
            assert_relative_eq!(found.ratios(), &ratios, max_relative = 1e-7);
            let projections = found.project(cross.view()).unwrap();
            assert_columns(
                &projections,
                &array(&expected.projections),
                1e-6,
                &case.name,
            );
        }
        let covariances = Covariances::Isotropic(variances);
        let inputs = GaussianInputs::new(x.clone(), covariances).unwrap();
        let mfa = graph(squared_distances(x.view(), x.view()));
        for (graph, expected) in [(&lda, &case.lda_geu), (&mfa, &case.mfa_geu)] {
            let dims = expected.ratios.len();
            let found = LinearEmbedding::fit(graph, &inputs, dims, &ridge(1e-3)).unwrap();
            let ratios = Array1::from(expected.ratios.clone());
            assert_relative_eq!(found.ratios(), &ratios, max_relative = 1e-9);
            let directions = array(&expected.directions).reversed_axes();
            assert_columns(
                &found.directions().to_owned(),
                &directions,
                1e-6,
                &case.name,
            );
        }
    }
}

/// The scatter `½ Σ_{i≠j} W_ij ((m_i − m_j)(m_i − m_j)ᵀ + Σ_i + Σ_j)` pair by pair, W read off the Laplacian.
fn scatter_of_pairs(
    laplacian: &Laplacian,
    inputs: &GaussianInputs,
    own: &[Array2<f64>],
) -> Array2<f64> {
    let (means, n) = (inputs.means(), inputs.means().ncols());
    let weights = laplacian.apply(Array2::eye(inputs.len()).view());
    let mut sum = Array2::zeros((n, n));
    for ((i, j), entry) in weights.indexed_iter() {
        if i != j {
            let d = (&means.row(i) - &means.row(j)).insert_axis(ndarray::Axis(1));
            sum.scaled_add(-0.5 * entry, &(d.dot(&d.t()) + &own[i] + &own[j]));
        }
    }
    sum
}

/// Directions of inputs with covariances of every kind solve the eigenproblem of the mean scatter between pairs.
#[test]
fn linear_embeddings_see_covariances_of_every_kind() {
    let case = &cases()[1];
    let x = array(&case.x);
    let (rows, n) = x.dim();
    let value = |i: usize, k: usize| ((i * 7 + k * 3) as f64 * 0.7).sin();
    let isotropic = Array1::from_shape_fn(rows, |i| value(i, 0).abs());
    let diagonal = Array2::from_shape_fn((rows, n), |(i, k)| value(i, k).abs());
    let full = |i: usize| {
        let half = Array2::from_shape_fn((n, n), |(k, l)| value(i + 5 * l, k));
        let product = half.dot(&half.t());
        (&product + &product.t()) * 0.5
    };
    let full: Vec<Array2<f64>> = (0..rows).map(full).collect();
    let round = |i: usize| Array2::eye(n) * isotropic[i];
    let kinds = [
        (
            Covariances::Isotropic(isotropic.clone()),
            (0..rows).map(round).collect(),
        ),
        (
            Covariances::Diagonal(diagonal.clone()),
            diagonal
                .outer_iter()
                .map(|row| Array2::from_diag(&row))
                .collect(),
        ),
        (Covariances::Full(full.clone()), full),
    ];
    let distances = squared_distances(x.view(), x.view());
    for (covariances, own) in kinds {
        let inputs = GaussianInputs::new(x.clone(), covariances).unwrap();
        let trace =
            x.iter().map(|v| v * v).sum::<f64>() + own.iter().map(|Σ| Σ.diag().sum()).sum::<f64>();
        for graph in [
            Graph::pca(rows).unwrap(),
            Graph::lda(&case.labels, case.classes).unwrap(),
            Graph::mfa(distances.view(), &case.labels, case.classes, 3, 12).unwrap(),
        ] {
            let found = LinearEmbedding::fit(&graph, &inputs, 2, &ridge(1e-2)).unwrap();
            let apart = scatter_of_pairs(graph.apart(), &inputs, &own);
            let eye = Array2::<f64>::eye(n);
            let (left, right) = match graph.together() {
                None => (apart, eye),
                Some(together) => {
                    let count = rows as f64;
                    let r = 1e-2 * trace / count * together.degrees().sum() / count;
                    let left = scatter_of_pairs(together, &inputs, &own) + &eye * r;
                    let lda = matches!(together, Laplacian::Classes { .. });
                    (left, apart + eye * if lda { r } else { 0.0 })
                }
            };
            for (direction, ratio) in found.directions().columns().into_iter().zip(found.ratios()) {
                let (of_left, of_right) = (left.dot(&direction), right.dot(&direction) * *ratio);
                let size = of_left.dot(&of_left).sqrt();
                assert_relative_eq!(of_left, of_right, epsilon = 1e-7 * size);
                let length = direction.dot(&right.dot(&direction));
                assert_relative_eq!(length, 1.0, epsilon = 1e-7);
            }
        }
    }
}

/// The first directions of many are those of few, and the same input gives the same bits.
#[test]
fn directions_are_prefixes_and_signs_are_fixed() {
    let case = &cases()[2];
    let x = array(&case.x);
    let gram = GaussianKernel::new(case.sigma)
        .unwrap()
        .matrix(x.view(), x.view());
    let distances = gram_distances(gram.view());
    for graph in [
        Graph::pca(x.nrows()).unwrap(),
        Graph::lda(&case.labels, case.classes).unwrap(),
        Graph::mfa(distances.view(), &case.labels, case.classes, 4, 9).unwrap(),
    ] {
        let fit = |dims| KernelEmbedding::fit(&graph, gram.view(), dims, &ridge(1e-3)).unwrap();
        let (many, few) = (fit(3), fit(2));
        assert_eq!((many.dims(), few.dims()), (3, 2));
        let first = many.coefficients().slice(ndarray::s![.., ..2]).to_owned();
        assert_columns(&few.coefficients().to_owned(), &first, 1e-8, &case.name);
        assert_eq!(fit(3), many);
        for column in many.coefficients().columns() {
            let largest = column
                .iter()
                .fold(0.0_f64, |m, v| if v.abs() > m.abs() { *v } else { m });
            assert!(largest > 0.0);
        }
    }
}

/// A linear kernel's mean embeddings add tr Σ_i to the diagonal, and none of them is none.
#[test]
fn a_linear_kernel_is_the_linear_embedding() {
    let case = &cases()[0];
    let x = array(&case.x);
    let points = GaussianInputs::points(x.clone()).unwrap();
    let gram = x.dot(&x.t()) + Array2::from_diag(&points.traces());
    let distances = squared_distances(x.view(), x.view());
    for (graph, tolerance) in [
        (Graph::pca(x.nrows()).unwrap(), 1e-9),
        (Graph::lda(&case.labels, case.classes).unwrap(), 1e-8),
        (
            Graph::mfa(distances.view(), &case.labels, case.classes, 4, 9).unwrap(),
            1e-5,
        ),
    ] {
        let linear = LinearEmbedding::fit(&graph, &points, 2, &ridge(1e-3)).unwrap();
        let kernel = KernelEmbedding::fit(&graph, gram.view(), 2, &ridge(1e-3)).unwrap();
        let found = kernel.project(x.dot(&x.t()).view()).unwrap();
        let expected = linear.project(x.view()).unwrap();
        assert_columns(&found, &expected, tolerance, &format!("{graph:?}"));
    }
}

/// [Laakom et al., Theorem 3]: the matrices of linear NGEU have rank at least those of GE.
#[test]
fn uncertainty_does_not_lower_the_rank() {
    let rank = |matrix: Array2<f64>| {
        let (values, _) = symmetric_eigen(matrix.view()).unwrap();
        let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        values.iter().filter(|v| **v > 1e-10 * largest).count()
    };
    for case in cases() {
        let x = array(&case.x);
        let gram = x.dot(&x.t());
        let uncertain = &gram + &Array2::from_diag(&Array1::from(case.variances.clone()));
        let graph = Graph::lda(&case.labels, case.classes).unwrap();
        for laplacian in [graph.together().unwrap(), graph.apart()] {
            let scatter = |k: &Array2<f64>| k.dot(&laplacian.apply(k.view()).t());
            let (points, embedded) = (rank(scatter(&gram)), rank(scatter(&uncertain)));
            assert!(
                points <= x.ncols() && embedded > points,
                "{points} {embedded}"
            );
        }
    }
}

/// Class 0 at (0, 0), (4, 1) and class 1 at (0, 2), (4, 3): the first coordinate spreads classes, the second parts them.
#[test]
fn margins_worked_by_hand() {
    let x = ndarray::array![[0.0, 0.0], [4.0, 1.0], [0.0, 2.0], [4.0, 3.0]];
    let distances = squared_distances(x.view(), x.view());
    // Together 0–1 and 2–3, apart both pairs of distance 2: S_L = 2·(4, 1)(4, 1)ᵀ, S_B = 2·(0, 2)(0, 2)ᵀ.
    let graph = Graph::mfa(distances.view(), &[0, 0, 1, 1], 2, 1, 2).unwrap();
    let inputs = GaussianInputs::points(x).unwrap();
    let found = LinearEmbedding::fit(&graph, &inputs, 1, &ridge(1e-10)).unwrap();
    // p ⟂ (4, 1) and pᵀS_Bp = 8p₂² = 1.
    let p = ndarray::array![[-0.25], [1.0]] * 8.0_f64.sqrt().recip();
    assert_relative_eq!(found.directions().to_owned(), p, epsilon = 1e-6);
    assert!(found.ratios()[0] < 1e-8);
}

#[test]
fn what_cannot_be_embedded_is_refused() {
    let gram = Array2::eye(3);
    let settings = EmbeddingSettings::default();
    let lda = Graph::lda(&[0, 1, 0], 2).unwrap();
    let fit = |gram: &Array2<f64>, dims| KernelEmbedding::fit(&lda, gram.view(), dims, &settings);
    assert!(matches!(
        fit(&gram, 0),
        Err(SolverError::Setting { name: "dims", .. })
    ));
    assert!(matches!(
        fit(&Array2::eye(2), 1),
        Err(SolverError::Shape { .. })
    ));
    assert!(matches!(
        fit(&(&gram * f64::NAN), 1),
        Err(SolverError::NotFinite { .. })
    ));
    assert!(matches!(
        fit(&Array2::zeros((3, 3)), 1),
        Err(SolverError::Backend(_))
    ));
    assert!(matches!(
        fit(&(&gram * -1.0), 1),
        Err(SolverError::Backend(_))
    ));
    let none = KernelEmbedding::fit(&lda, gram.view(), 1, &ridge(0.0));
    assert!(matches!(
        none,
        Err(SolverError::Setting { name: "ridge", .. })
    ));
    let embedding = fit(&gram, 5).unwrap();
    assert_eq!(embedding.dims(), 1);
    assert!(matches!(
        embedding.project(Array2::eye(2).view()),
        Err(SolverError::Shape { .. })
    ));
    assert!(matches!(
        Graph::lda(&[0, 0], 2),
        Err(SolverError::OneClass { rows: 2 })
    ));
    assert!(matches!(
        Graph::lda(&[0, 2], 2),
        Err(SolverError::Setting { name: "labels", .. })
    ));
    assert!(Graph::pca(1).is_err());
    assert!(Graph::mfa(gram.view(), &[0, 1, 0], 2, 0, 1).is_err());
    let equal = GaussianInputs::points(Array2::ones((3, 2))).unwrap();
    let components = LinearEmbedding::fit(&Graph::pca(3).unwrap(), &equal, 1, &settings);
    assert!(matches!(components, Err(SolverError::Backend(_))));
    assert!(KernelPca::fit(Array2::ones((3, 3)).view(), 1).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]
    /// No function in the kernel's space has a smaller ratio than the first direction, which has the one it says; and the
    /// directions are orthogonal in the scatter of the right side.
    #[test]
    fn no_direction_does_better_than_the_first(
        points in prop::collection::vec((-2.0..2.0_f64, -2.0..2.0_f64, 0..3_usize), 8..40),
        attempt in prop::collection::vec(-1.0..1.0_f64, 40),
        sigma in 0.3..3.0_f64, log_ridge in -4.0..1.0_f64, variance in 0.0..1.0_f64, margins in any::<bool>(),
    ) {
        let x = Array2::from_shape_fn((points.len(), 2), |(i, k)| if k == 0 { points[i].0 } else { points[i].1 });
        let mut labels: Vec<usize> = points.iter().map(|(_, _, label)| *label).collect();
        labels[..4].copy_from_slice(&[0, 0, 1, 2]);
        let v = Array1::from_elem(x.nrows(), variance);
        let gram = embedded(sigma, (x.view(), v.view()), (x.view(), v.view()));
        let graph = if margins {
            Graph::mfa(gram_distances(gram.view()).view(), &labels, 3, 2, 4).unwrap()
        } else {
            Graph::lda(&labels, 3).unwrap()
        };
        let epsilon = 10.0_f64.powf(log_ridge);
        let found = KernelEmbedding::fit(&graph, gram.view(), 2, &ridge(epsilon)).unwrap();
        let n = x.nrows() as f64;
        let together = graph.together().unwrap();
        let r = epsilon * gram.diag().sum() / n * together.degrees().sum() / n;
        let left = |a: ArrayView1<'_, f64>| {
            let u = gram.dot(&a).insert_axis(ndarray::Axis(0));
            (&together.apply(u.view()) * &u).sum() + r * a.dot(&u.row(0))
        };
        let right = |a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>| {
            let (u, w) = (gram.dot(&a).insert_axis(ndarray::Axis(0)), gram.dot(&b));
            graph.apart().apply(u.view()).row(0).dot(&w) + if margins { 0.0 } else { r * a.dot(&w) }
        };
        let first = found.coefficients().column(0).to_owned();
        prop_assert!((right(first.view(), first.view()) - 1.0).abs() <= 1e-5);
        prop_assert!((left(first.view()) / found.ratios()[0] - 1.0).abs() <= 1e-4, "{} {}", left(first.view()), found.ratios()[0]);
        if found.dims() == 2 {
            let second = found.coefficients().column(1).to_owned();
            prop_assert!(right(first.view(), second.view()).abs() <= 1e-5);
        }
        let attempt = Array1::from(attempt[..x.nrows()].to_vec());
        for size in [1.0, 1e-2, 1e-4] {
            let a = &first + &(&attempt * size);
            let (above, below) = (left(a.view()), right(a.view(), a.view()));
            prop_assert!(above >= (found.ratios()[0] * (1.0 - 1e-6)) * below - 1e-12);
        }
    }
}
