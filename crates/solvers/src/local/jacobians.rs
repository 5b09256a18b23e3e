//! The derivatives `C_i = Σ^{⊤/2} J_iᵀ` (n × D) of a feature map at all samples, without a matrix for each.

use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, MatMut, MatRef, Par};
use std::ops::Range;

/// Samples whose rows are held at a time: few enough for the cache, enough for a product to run at full speed.
pub(super) const BLOCK_ROWS: usize = 512;

/// Products by the C_i. Matrices are slices, row after row.
pub(super) trait Jacobians {
    /// `C_i ζ` of every sample (L × n).
    fn pull_back(&mut self, zeta: &[f64], out: &mut [f64]);

    /// `C_iᵀ u_i` of the samples `rows`, at most [`BLOCK_ROWS`] of them, with `u` a row for each of these: rows × D.
    fn push_forward(&mut self, rows: Range<usize>, u: &[f64], out: &mut [f64]);

    /// `out += Σ_i C_iᵀ u_i` (D), `u` a row for each sample (L × n).
    fn add_sum(&mut self, u: &[f64], out: &mut [f64]);

    /// Adds `Σ_i e_i C_iᵀC_i` to the first D rows and columns of `matrix` (width × width, column after column), lower
    /// half, for weights `e` (L) ≥ 0.
    fn add_weighted_squares(&mut self, weights: &[f64], matrix: &mut [f64], width: usize);
}

/// The blocks of `samples` samples.
pub(super) fn blocks(samples: usize) -> impl Iterator<Item = Range<usize>> {
    (0..samples)
        .step_by(BLOCK_ROWS)
        .map(move |first| first..samples.min(first + BLOCK_ROWS))
}

/// `a` as a matrix of `columns` columns, row after row.
pub(super) fn rows_of(a: &[f64], columns: usize) -> MatRef<'_, f64> {
    MatRef::from_row_major_slice(a, a.len() / columns, columns)
}

/// [`rows_of`] to be written.
pub(super) fn rows_of_mut(a: &mut [f64], columns: usize) -> MatMut<'_, f64> {
    let rows = a.len() / columns;
    MatMut::from_row_major_slice_mut(a, rows, columns)
}

/// `out = a b`, or `out += a b`.
pub(super) fn multiply(
    a: MatRef<'_, f64>,
    b: MatRef<'_, f64>,
    accumulate: Accum,
    out: MatMut<'_, f64>,
) {
    matmul(out, accumulate, a, b, 1.0, Par::Seq);
}

/// `out += factor aᵀb` in the lower half, for an aᵀb that is symmetric.
pub(super) fn add_gram(a: MatRef<'_, f64>, b: MatRef<'_, f64>, factor: f64, out: MatMut<'_, f64>) {
    triangular::matmul(
        out,
        BlockStructure::TriangularLower,
        Accum::Add,
        a.transpose(),
        BlockStructure::Rectangular,
        b,
        BlockStructure::Rectangular,
        factor,
        Par::Seq,
    );
}

#[cfg(test)]
mod tests {
    use super::super::kernels::Kernels;
    use super::super::waves::Waves;
    use super::{BLOCK_ROWS, Jacobians};
    use approx::assert_relative_eq;
    use ndarray::{Array1, Array2, s};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;
    use rand_distr::StandardNormal;
    use robust_svm_core::features::{FeatureMap, Nystrom, Rff};
    use robust_svm_core::kernel::GaussianKernel;
    use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};

    const N: usize = 3;
    /// More than a block, the last one short.
    const SAMPLES: usize = BLOCK_ROWS + 41;

    fn normal(rng: &mut ChaCha20Rng, shape: (usize, usize)) -> Array2<f64> {
        Array2::from_shape_simple_fn(shape, || rng.sample(StandardNormal))
    }

    /// Every product against the map's own adjoint, which makes the C_i one by one.
    fn agrees(
        jacobians: &mut dyn Jacobians,
        map: &dyn FeatureMap,
        set: &UncertaintySet,
        x: &Array2<f64>,
    ) {
        let mut rng = ChaCha20Rng::seed_from_u64(11);
        let dim = map.dim();
        // C_iᵀ (D × n), column after column.
        let columns: Vec<Array2<f64>> = (0..N)
            .map(|k| {
                let mut unit = Array1::zeros(N);
                unit[k] = 1.0;
                set.scale(unit.view_mut());
                map.push_forward(x.view(), unit.broadcast(x.raw_dim()).unwrap())
            })
            .collect();
        let (zeta, u) = (normal(&mut rng, (1, dim)), normal(&mut rng, (SAMPLES, N)));
        let weights = Array1::from_shape_simple_fn(SAMPLES, || rng.r#gen::<f64>());
        let tolerance = 1e-9;

        let mut pulled = vec![0.0; SAMPLES * N];
        jacobians.pull_back(zeta.as_slice().unwrap(), &mut pulled);
        let pulled = Array2::from_shape_vec((SAMPLES, N), pulled).unwrap();
        for (k, column) in columns.iter().enumerate() {
            let expected = column.dot(&zeta.row(0));
            assert_relative_eq!(pulled.column(k), expected.view(), epsilon = tolerance);
        }

        let rows = BLOCK_ROWS - 7..SAMPLES;
        let part = u.slice(s![rows.clone(), ..]).to_owned();
        let mut pushed = vec![0.0; rows.len() * dim];
        jacobians.push_forward(rows.clone(), part.as_slice().unwrap(), &mut pushed);
        let mut all = Array2::<f64>::zeros((SAMPLES, dim));
        for (column, u) in columns.iter().zip(u.columns()) {
            all += &(column * &u.insert_axis(ndarray::Axis(1)));
        }
        let pushed = Array2::from_shape_vec((rows.len(), dim), pushed).unwrap();
        assert_relative_eq!(
            pushed,
            all.slice(s![rows, ..]).to_owned(),
            epsilon = tolerance
        );

        let mut sum = vec![1.0; dim];
        jacobians.add_sum(u.as_slice().unwrap(), &mut sum);
        assert_relative_eq!(
            Array1::from_vec(sum),
            all.sum_axis(ndarray::Axis(0)) + 1.0,
            epsilon = SAMPLES as f64 * tolerance
        );

        let width = dim + 2;
        let mut matrix = vec![1.0; width * width];
        jacobians.add_weighted_squares(weights.as_slice().unwrap(), &mut matrix, width);
        let mut expected = Array2::<f64>::zeros((dim, dim));
        for column in &columns {
            let weighted = column * &weights.view().insert_axis(ndarray::Axis(1));
            expected += &column.t().dot(&weighted);
        }
        for k in 0..dim {
            for l in k..dim {
                assert_relative_eq!(
                    matrix[k * width + l],
                    expected[(k, l)] + 1.0,
                    epsilon = SAMPLES as f64 * tolerance
                );
            }
        }
    }

    #[test]
    fn products_are_those_of_the_jacobians_one_by_one() {
        let mut rng = ChaCha20Rng::seed_from_u64(4);
        let kernel = GaussianKernel::new(1.5).unwrap();
        // Far from the origin, where the Nyström form would cancel without its centre.
        let x = normal(&mut rng, (SAMPLES, N)) + 20.0;
        let landmarks = x.slice(s![..20, ..]).to_owned();
        for factor in [Factor::Identity, Factor::Full(normal(&mut rng, (N, N)))] {
            let set = UncertaintySet::new(Norm::Two, factor).unwrap();
            let paired = Rff::draw(kernel, N, 16, &mut rng).unwrap();
            let phased = Rff::draw_phased(kernel, N, 9, &mut rng).unwrap();
            for map in [paired, phased] {
                agrees(&mut Waves::new(&map, &set, x.view()), &map, &set, &x);
            }
            let map = Nystrom::new(kernel, landmarks.clone()).unwrap();
            agrees(&mut Kernels::new(&map, &set, x.view()), &map, &set, &x);
        }
    }
}
