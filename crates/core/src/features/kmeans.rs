//! Landmarks at the centres of clusters [Zhang, Tsang & Kwok, ICML 2008, "Improved Nyström Low-Rank
//! Approximation and Error Analysis"]: k-means from a k-means++ start [Arthur & Vassilvitskii, SODA 2007],
//! by Lloyd's iteration [Lloyd 1982].

use super::landmarks::{check_count, check_finite, draw_by_weight};
use crate::CoreError;
use crate::kernel::{distance, squared_distances};
use ndarray::{Array2, ArrayView2, Axis};
use rand::Rng;

/// Lloyd's iterations at most.
const ITERATIONS: usize = 100;

/// Rows whose distances to all centres are computed in one product.
const BLOCK: usize = 512;

/// The `m` centres (m × n) that k-means finds for the rows of `x` (L × n): a local minimum of
/// `Σ_i min_j ‖x_i − c_j‖²`, or where 100 iterations came to. Centres are means of rows, not rows. Where `x`
/// has fewer than m different rows, centres repeat.
///
/// # Errors
/// [`CoreError::Parameter`] if `m` is 0 or above L; [`CoreError::NotFinite`] if `x` is not finite.
pub fn kmeans_landmarks(
    x: ArrayView2<'_, f64>,
    m: usize,
    rng: &mut impl Rng,
) -> Result<Array2<f64>, CoreError> {
    check_count(x, m)?;
    check_finite(x)?;
    let mut centres = plus_plus(x, m, rng);
    let mut previous = Vec::new();
    for _ in 0..ITERATIONS {
        let clusters = clusters(x, centres.view());
        if clusters == previous {
            break;
        }
        move_to_means(x, &clusters, &mut centres);
        previous = clusters;
    }
    Ok(centres)
}

/// The k-means++ start: rows drawn one after the other, the first uniformly, the others with probability
/// proportional to the squared distance to the nearest one so far. Once every row is at a centre, the
/// first row again and again.
fn plus_plus(x: ArrayView2<'_, f64>, m: usize, rng: &mut impl Rng) -> Array2<f64> {
    let mut chosen = vec![rng.gen_range(0..x.nrows())];
    let mut nearest = vec![f64::INFINITY; x.nrows()];
    while chosen.len() < m {
        let centre = x.row(chosen[chosen.len() - 1]);
        for (nearest, row) in nearest.iter_mut().zip(x.outer_iter()) {
            let d = distance(row, centre);
            *nearest = nearest.min(d * d);
        }
        chosen.push(draw_by_weight(&nearest, rng).unwrap_or(0));
    }
    x.select(Axis(0), &chosen)
}

/// The centre that each row belongs to: the nearest, the first of equally near ones. A centre without
/// rows gets the row that is furthest from its own centre, which lowers the objective; it stays empty
/// where no row is away from its centre.
fn clusters(x: ArrayView2<'_, f64>, centres: ArrayView2<'_, f64>) -> Vec<usize> {
    let mut clusters = Vec::with_capacity(x.nrows());
    let mut distances = Vec::with_capacity(x.nrows());
    for block in x.axis_chunks_iter(Axis(0), BLOCK) {
        for row in squared_distances(block, centres).outer_iter() {
            let mut nearest = 0;
            for (j, d) in row.iter().enumerate() {
                if *d < row[nearest] {
                    nearest = j;
                }
            }
            clusters.push(nearest);
            distances.push(row[nearest]);
        }
    }
    refill(&mut clusters, &mut distances, centres.nrows());
    clusters
}

/// Gives each empty cluster, in order, the row with the largest of `distances` in a cluster of several.
fn refill(clusters: &mut [usize], distances: &mut [f64], m: usize) {
    let mut sizes = vec![0_usize; m];
    for &cluster in clusters.iter() {
        sizes[cluster] += 1;
    }
    for empty in 0..m {
        if sizes[empty] > 0 {
            continue;
        }
        let mut furthest: Option<usize> = None;
        for i in 0..clusters.len() {
            if sizes[clusters[i]] > 1 && distances[i] > furthest.map_or(0.0, |f| distances[f]) {
                furthest = Some(i);
            }
        }
        let Some(i) = furthest else { return };
        sizes[clusters[i]] -= 1;
        sizes[empty] = 1;
        clusters[i] = empty;
        distances[i] = 0.0;
    }
}

/// Moves each centre to the mean of its rows; centres without rows stay.
fn move_to_means(x: ArrayView2<'_, f64>, clusters: &[usize], centres: &mut Array2<f64>) {
    let mut sums = Array2::<f64>::zeros(centres.raw_dim());
    let mut sizes = vec![0_usize; centres.nrows()];
    for (row, &cluster) in x.outer_iter().zip(clusters) {
        let mut sum = sums.row_mut(cluster);
        sum += &row;
        sizes[cluster] += 1;
    }
    for ((mut centre, sum), &size) in centres.outer_iter_mut().zip(sums.outer_iter()).zip(&sizes) {
        if size > 0 {
            centre.assign(&sum);
            centre /= size as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{clusters, kmeans_landmarks, move_to_means, plus_plus, refill};
    use crate::kernel::distance;
    use ndarray::{Array2, ArrayView2, Axis, array};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, StandardNormal};

    fn normal(rows: usize, n: usize, rng: &mut ChaCha20Rng) -> Array2<f64> {
        Array2::from_shape_simple_fn((rows, n), || StandardNormal.sample(rng))
    }

    /// `Σ_i min_j ‖x_i − c_j‖²`, by differences.
    fn objective(x: ArrayView2<'_, f64>, centres: ArrayView2<'_, f64>) -> f64 {
        x.outer_iter()
            .map(|row| {
                let nearest = |low: f64, c| low.min(distance(row, c));
                centres.outer_iter().fold(f64::INFINITY, nearest).powi(2)
            })
            .sum()
    }

    proptest! {
        /// Repeated rows (small `kinds`) make empty clusters.
        #[test]
        fn no_iteration_raises_the_objective(
            seed in any::<u64>(), rows in 2..60_usize, n in 1..4_usize, kinds in 1..60_usize,
            share in 0.0..1.0_f64,
        ) {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            let different = normal(kinds, n, &mut rng);
            let picked: Vec<usize> = (0..rows).map(|i| i * 7 % kinds).collect();
            let x = different.select(Axis(0), &picked);
            let m = 1 + (share * (rows - 1) as f64) as usize;
            let mut centres = plus_plus(x.view(), m, &mut rng);
            let mut before = objective(x.view(), centres.view());
            for _ in 0..20 {
                let clusters = clusters(x.view(), centres.view());
                move_to_means(x.view(), &clusters, &mut centres);
                let after = objective(x.view(), centres.view());
                prop_assert!(after <= before + 1e-12 * rows as f64);
                before = after;
            }
            let found = kmeans_landmarks(x.view(), m, &mut rng).unwrap();
            prop_assert!(found.iter().all(|v| v.is_finite()));
            let mean = x.mean_axis(Axis(0)).unwrap().insert_axis(Axis(0));
            if m == 1 {
                approx::assert_relative_eq!(found, mean, epsilon = 1e-12);
            }
        }
    }

    /// Four clusters of radius about 0.1, ten apart: their means are found.
    #[test]
    fn clusters_far_apart_are_separated() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let corners = array![[0.0, 0.0], [0.0, 10.0], [10.0, 0.0], [10.0, 10.0]];
        let x = Array2::from_shape_fn((80, 2), |(i, j)| {
            let noise: f64 = StandardNormal.sample(&mut rng);
            corners[(i % 4, j)] + 0.1 * noise
        });
        let found = kmeans_landmarks(x.view(), 4, &mut rng).unwrap();
        for corner in 0..4 {
            let rows: Vec<usize> = (corner..80).step_by(4).collect();
            let mean = x.select(Axis(0), &rows).mean_axis(Axis(0)).unwrap();
            let nearest = found
                .outer_iter()
                .map(|c| distance(c, mean.view()))
                .fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-12);
        }
    }

    #[test]
    fn an_empty_cluster_takes_the_furthest_row() {
        let mut clusters = vec![0, 0, 1, 0];
        let mut distances = vec![0.5, 2.0, 9.0, 1.0];
        refill(&mut clusters, &mut distances, 4);
        assert_eq!(clusters, [0, 2, 1, 3]);
        // Nothing to give: a cluster of one keeps its row, and rows at their centre stay.
        let mut clusters = vec![0, 1, 1];
        refill(&mut clusters, &mut [5.0, 0.0, 0.0], 3);
        assert_eq!(clusters, [0, 1, 1]);
    }

    #[test]
    fn the_same_stream_gives_the_same_centres() {
        let x = normal(300, 5, &mut ChaCha20Rng::seed_from_u64(2));
        let run =
            |seed| kmeans_landmarks(x.view(), 20, &mut ChaCha20Rng::seed_from_u64(seed)).unwrap();
        assert_eq!(run(3), run(3));
        assert_ne!(run(3), run(4));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let mut rng = ChaCha20Rng::seed_from_u64(4);
        let x = array![[0.0], [f64::NAN]];
        assert!(kmeans_landmarks(x.view(), 1, &mut rng).is_err());
        let x = array![[0.0], [1.0]];
        assert!(kmeans_landmarks(x.view(), 0, &mut rng).is_err());
        assert!(kmeans_landmarks(x.view(), 3, &mut rng).is_err());
    }
}
