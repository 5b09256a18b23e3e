//! Frequencies of orthogonal random features [Yu, Suresh, Choromanski, Holtmann-Rice & Kumar, NeurIPS
//! 2016, "Orthogonal Random Features", §3]: `W = S Q / σ` with Q uniform among the orthogonal matrices and
//! S diagonal, its entries chi-distributed with n degrees of freedom, so that each row by itself is a
//! Gaussian vector still.

use crate::uncertainty::Norm;
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut1, Axis};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

/// A Gaussian vector that keeps less than this share of its length beside the rows before it is drawn
/// again: its direction would carry rounding. The direction does not depend on the length, so nothing is
/// biased.
const LEAST_REMAINDER: f64 = 1e-6;

/// `rows` frequencies of `R^n` at σ = 1 as rows (rows × n, n ≥ 1), in blocks of n mutually orthogonal ones;
/// the last block has what is left over. Fewer rows from the same stream are the first of more.
pub(super) fn orthogonal_frequencies(rows: usize, n: usize, rng: &mut impl Rng) -> Array2<f64> {
    let mut frequencies = Array2::zeros((rows, n));
    let mut lengths = Array1::zeros(rows);
    for (mut block, mut lengths) in frequencies
        .axis_chunks_iter_mut(Axis(0), n)
        .zip(lengths.axis_chunks_iter_mut(Axis(0), n))
    {
        for (k, length) in lengths.iter_mut().enumerate() {
            let (before, rest) = block.view_mut().split_at(Axis(0), k);
            draw_direction(before.view(), rest.index_axis_move(Axis(0), 0), rng);
            let gaussian: Array1<f64> = (0..n).map(|_| StandardNormal.sample(rng)).collect();
            *length = Norm::Two.of(gaussian.view());
        }
    }
    frequencies *= &lengths.insert_axis(Axis(1));
    frequencies
}

/// Sets `row` to a direction uniform among those orthogonal to the orthonormal rows `before`.
fn draw_direction(
    before: ArrayView2<'_, f64>,
    mut row: ArrayViewMut1<'_, f64>,
    rng: &mut impl Rng,
) {
    loop {
        row.mapv_inplace(|_| StandardNormal.sample(rng));
        let drawn = Norm::Two.of(row.view());
        // Gram–Schmidt twice is orthogonal to rounding [Giraud, Langou & Rozložník 2005].
        for _ in 0..2 {
            for earlier in before.outer_iter() {
                let overlap = earlier.dot(&row);
                row.scaled_add(-overlap, &earlier);
            }
        }
        let left = Norm::Two.of(row.view());
        if left > LEAST_REMAINDER * drawn {
            row /= left;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::orthogonal_frequencies;
    use crate::features::{FeatureMap, Rff};
    use crate::kernel::GaussianKernel;
    use crate::linalg::spectral_norm;
    use crate::uncertainty::Norm;
    use ndarray::{Array1, Array2, Axis, array, s};
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    #[test]
    fn the_rows_of_a_block_are_orthogonal() {
        for (rows, n) in [(1, 1), (7, 1), (3, 5), (25, 10), (64, 64)] {
            let mut rng = ChaCha20Rng::seed_from_u64(3);
            let w = orthogonal_frequencies(rows, n, &mut rng);
            for block in w.axis_chunks_iter(Axis(0), n) {
                for (i, a) in block.outer_iter().enumerate() {
                    for b in block.outer_iter().skip(i + 1) {
                        let lengths = Norm::Two.of(a) * Norm::Two.of(b);
                        assert!(a.dot(&b).abs() <= 1e-12 * lengths);
                    }
                }
            }
        }
    }

    #[test]
    fn fewer_rows_are_the_first_of_more() {
        let draw = |rows| orthogonal_frequencies(rows, 4, &mut ChaCha20Rng::seed_from_u64(5));
        assert_eq!(draw(6), draw(11).slice(s![..6, ..]));
    }

    /// The chi distribution with 3 degrees of freedom: mean `2 sqrt(2/π)`, second moment 3. And each
    /// coordinate has the moments of a Gaussian: 0, 1, and 3 for the fourth.
    #[test]
    fn lengths_are_chi_and_coordinates_gaussian() {
        let rows = 30_000;
        let w = orthogonal_frequencies(rows, 3, &mut ChaCha20Rng::seed_from_u64(8));
        let lengths = w.map_axis(Axis(1), |row| Norm::Two.of(row));
        let mean = lengths.sum() / rows as f64;
        let chi = 2.0 * (2.0 / std::f64::consts::PI).sqrt();
        let error = ((3.0 - chi * chi) / rows as f64).sqrt();
        assert!((mean - chi).abs() < 5.0 * error, "{mean} against {chi}");
        for column in w.axis_iter(Axis(1)) {
            // Standard errors sqrt(1/N), sqrt(2/N), sqrt(96/N).
            for (power, moment, variance) in [(1, 0.0, 1.0), (2, 1.0, 2.0), (4, 3.0, 96.0)] {
                let found = column.mapv(|v: f64| v.powi(power)).sum() / rows as f64;
                assert!((found - moment).abs() < 5.0 * (variance / rows as f64).sqrt());
            }
        }
    }

    /// Mean and variance of `⟨φ(x), φ(z)⟩` over `draws` maps.
    fn moments(draws: u32, mut map: impl FnMut() -> Rff, points: &Array2<f64>) -> (f64, f64) {
        let products: Array1<f64> = (0..draws)
            .map(|_| {
                let phi = map().transform(points.view());
                phi.row(0).dot(&phi.row(1))
            })
            .collect();
        let mean = products.sum() / f64::from(draws);
        let variance = products.mapv(|p| (p - mean).powi(2)).sum() / f64::from(draws - 1);
        (mean, variance)
    }

    /// Without bias to five standard errors, in full and cut blocks; and where Yu et al. say so, at a
    /// distance of the order of σ, with less variance than independent draws: here n = 8, 16 frequencies,
    /// ‖x − z‖ = σ.
    #[test]
    fn the_kernel_is_estimated_without_bias_and_with_less_variance() {
        let kernel = GaussianKernel::new(1.3).unwrap();
        let mut points = Array2::zeros((2, 8));
        points.row_mut(0).fill(0.4);
        points.row_mut(1).fill(0.4 + 1.3 / 8.0_f64.sqrt());
        let exact = kernel.at_distance(1.3);
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let draws = 2000;
        let orthogonal = |dim, rng: &mut ChaCha20Rng| {
            moments(
                draws,
                || Rff::draw_orthogonal(kernel, 8, dim, rng).unwrap(),
                &points,
            )
        };
        let (cut_mean, cut_variance) = orthogonal(20, &mut rng);
        assert!((cut_mean - exact).abs() < 5.0 * (cut_variance / f64::from(draws)).sqrt());
        let (mean, variance) = orthogonal(32, &mut rng);
        assert!((mean - exact).abs() < 5.0 * (variance / f64::from(draws)).sqrt());
        // The phased form, with blocks that are full and one that is cut.
        let phased = || Rff::draw_orthogonal_phased(kernel, 8, 33, &mut rng).unwrap();
        let (phased_mean, phased_variance) = moments(draws, phased, &points);
        assert!((phased_mean - exact).abs() < 5.0 * (phased_variance / f64::from(draws)).sqrt());
        let independent = || Rff::draw(kernel, 8, 32, &mut rng).unwrap();
        let (_, independent) = moments(draws, independent, &points);
        eprintln!("variance {variance:.3e}, of independent frequencies {independent:.3e}");
        // The ratio of two variances of 2000 draws each is known to about 5%.
        assert!(variance < 0.8 * independent);
    }

    /// What the geodesic bound is made of: `λ_max(WᵀW)` is lower on average.
    #[test]
    fn the_largest_eigenvalue_is_lower_on_average() {
        let kernel = GaussianKernel::new(1.0).unwrap();
        let mut rng = ChaCha20Rng::seed_from_u64(2);
        let mut totals = [0.0, 0.0];
        for _ in 0..40 {
            let maps = [
                Rff::draw_orthogonal(kernel, 16, 128, &mut rng).unwrap(),
                Rff::draw(kernel, 16, 128, &mut rng).unwrap(),
            ];
            for (total, map) in totals.iter_mut().zip(maps) {
                *total += spectral_norm(map.frequencies()).unwrap().powi(2) / 40.0;
            }
        }
        eprintln!("largest eigenvalues {totals:?}");
        assert!(totals[0] < 0.8 * totals[1]);
    }

    #[test]
    fn the_bandwidth_divides_and_what_cannot_be_is_refused() {
        let draw = |sigma, n, dim| {
            let kernel = GaussianKernel::new(sigma).unwrap();
            Rff::draw_orthogonal(kernel, n, dim, &mut ChaCha20Rng::seed_from_u64(4))
        };
        let (narrow, wide) = (draw(1.0, 2, 6).unwrap(), draw(4.0, 2, 6).unwrap());
        assert_eq!(narrow.frequencies(), 4.0 * &wide.frequencies());
        assert_eq!(array![narrow.dim(), narrow.input_dim()], array![6, 2]);
        assert!(draw(1.0, 2, 5).is_err());
        assert!(draw(1.0, 2, 0).is_err());
        assert!(draw(1.0, 0, 4).is_err());
    }

    /// The frequencies are those of the paired form from the same stream, as many as features.
    #[test]
    fn the_phased_form_has_a_frequency_a_feature() {
        let kernel = GaussianKernel::new(1.7).unwrap();
        let rng = || ChaCha20Rng::seed_from_u64(5);
        let phased = Rff::draw_orthogonal_phased(kernel, 3, 7, &mut rng()).unwrap();
        let paired = Rff::draw_orthogonal(kernel, 3, 14, &mut rng()).unwrap();
        assert_eq!(phased.frequencies(), paired.frequencies());
        assert_eq!(phased.dim(), 7);
        let phases = phased.phases().unwrap();
        assert!(
            phases
                .iter()
                .all(|phase| (0.0..std::f64::consts::TAU).contains(phase))
        );
        assert!(Rff::draw_orthogonal_phased(kernel, 3, 0, &mut rng()).is_err());
        assert!(Rff::draw_orthogonal_phased(kernel, 0, 7, &mut rng()).is_err());
    }
}
