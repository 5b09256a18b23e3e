//! The uncertainty sets of one split, on the features that vary on its training rows.

use crate::plan::{ShapePlan, UncertaintyPlan};
use crate::spec::PerSample;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use robust_svm_core::CoreError;
use robust_svm_core::data::{nearest_neighbour_distances, nearest_neighbours};
use robust_svm_core::linalg::matmul;
use robust_svm_core::uncertainty::{Factor, UncertaintySet, UncertaintySets};

/// The set around validation and test points, given the columns `kept` of the data and the scaled training
/// rows `train` on them.
pub(super) fn shared_set(
    plan: &UncertaintyPlan,
    kept: &[usize],
    train: ArrayView2<'_, f64>,
) -> Result<UncertaintySet, CoreError> {
    match &plan.shape {
        ShapePlan::Identity => UncertaintySet::new(plan.norm, Factor::Identity),
        ShapePlan::Diagonal(scales) => {
            UncertaintySet::new(plan.norm, Factor::Diagonal(scales.select(Axis(0), kept)))
        }
        ShapePlan::Matrix(sigma) => {
            let sigma = sigma.select(Axis(0), kept).select(Axis(1), kept);
            UncertaintySet::from_covariance(plan.norm, sigma.view())
        }
        ShapePlan::TrainingCovariance => {
            UncertaintySet::from_covariance(plan.norm, unit_covariance(train).view())
        }
    }
}

/// The sets around the training points `x`: `shared` with the relative sizes of the rule, or a shape each.
pub(super) fn training_sets(
    rule: PerSample,
    shared: &UncertaintySet,
    x: ArrayView2<'_, f64>,
) -> Result<UncertaintySets, CoreError> {
    match rule {
        PerSample::Uniform => UncertaintySets::from(shared).with_sizes(Array1::ones(x.nrows())),
        PerSample::NearestNeighbour => UncertaintySets::from(shared).with_sizes(neighbour_sizes(x)),
        PerSample::NearestNeighbourFeatures => match neighbour_scales(x) {
            Some(scales) => {
                let shape =
                    |row: Array1<f64>| UncertaintySet::new(shared.norm(), Factor::Diagonal(row));
                let rows = scales.outer_iter().map(|row| shape(row.to_owned()));
                UncertaintySets::each(rows.collect::<Result<_, _>>()?)
            }
            None => Ok(shared.into()),
        },
    }
}

/// The covariance matrix (divisor L) of the rows of `x` (L × n) over its mean eigenvalue `tr Σ/n`, so that
/// γ keeps its unit: `tr Σ = n`, as of Σ = I.
fn unit_covariance(x: ArrayView2<'_, f64>) -> Array2<f64> {
    let mean = x
        .mean_axis(Axis(0))
        .unwrap_or_else(|| Array1::zeros(x.ncols()));
    let centred = &x - &mean;
    let products = matmul(centred.t(), centred.view());
    // Products of blocks are symmetric to rounding only.
    let symmetric = &products + &products.t();
    let trace = symmetric.diag().sum();
    symmetric * (x.ncols() as f64 / trace)
}

/// g_i: the distance to the nearest other training row over the mean of these distances (1 each where all
/// are 0).
fn neighbour_sizes(x: ArrayView2<'_, f64>) -> Array1<f64> {
    let distances = nearest_neighbour_distances(x);
    match distances.mean() {
        Some(mean) if mean > 0.0 => distances / mean,
        _ => Array1::ones(x.nrows()),
    }
}

/// The diagonals of `Σ_i^{1/2}`, as rows: `|x_i − x_nn(i)|` by features over the root of their mean square, so
/// that γ keeps its unit; `None` where all are 0. Each feature is as uncertain as it differs at the nearest
/// neighbour [after Laakom, Raitoharju, Passalis, Iosifidis & Gabbouj 2022].
fn neighbour_scales(x: ArrayView2<'_, f64>) -> Option<Array2<f64>> {
    let nearest = x.select(Axis(0), &nearest_neighbours(x));
    let differences = (&x - &nearest).mapv(f64::abs);
    let squares: f64 = differences.iter().map(|d| d * d).sum();
    let root = (squares / differences.len() as f64).sqrt();
    (root > 0.0).then(|| differences / root)
}

#[cfg(test)]
mod tests {
    use super::{neighbour_scales, shared_set, training_sets, unit_covariance};
    use crate::plan::{ShapePlan, UncertaintyPlan};
    use crate::spec::PerSample;
    use approx::assert_relative_eq;
    use ndarray::{Array1, array};
    use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};

    fn plan(norm: Norm, shape: ShapePlan) -> UncertaintyPlan {
        UncertaintyPlan {
            norm,
            shape,
            per_sample: PerSample::Uniform,
        }
    }

    #[test]
    fn a_covariance_worked_by_hand() {
        // Means 1 and 2; deviations (−1, −2), (1, 0), (0, 2): sums of products 2, 8 and 2, trace 10.
        let x = array![[0.0, 0.0], [2.0, 2.0], [1.0, 4.0]];
        let expected = array![[0.4, 0.4], [0.4, 1.6]];
        assert_relative_eq!(unit_covariance(x.view()), expected, epsilon = 1e-15);
        // γ keeps its unit: the mean square of the support along the axes is 1.
        let plan = plan(Norm::Two, ShapePlan::TrainingCovariance);
        let set = shared_set(&plan, &[0, 1], x.view()).unwrap();
        let support = set.support(array![[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].view());
        let expected = array![0.4, 1.6, 2.8].mapv(f64::sqrt);
        assert_relative_eq!(support, expected, epsilon = 1e-12);
    }

    #[test]
    fn columns_that_are_left_out_have_no_scale() {
        let x = array![[0.0, 0.0]];
        let diagonal = plan(Norm::Infinity, ShapePlan::Diagonal(array![1.0, 2.0, 3.0]));
        let set = shared_set(&diagonal, &[0, 2], x.view()).unwrap();
        assert_eq!(set.norm(), Norm::Infinity);
        assert_eq!(set.factor(), &Factor::Diagonal(array![1.0, 3.0]));
        let sigma = array![[4.0, 9.0, 0.0], [9.0, 100.0, 9.0], [0.0, 9.0, 9.0]];
        let full = plan(Norm::One, ShapePlan::Matrix(sigma));
        let set = shared_set(&full, &[0, 2], x.view()).unwrap();
        let support = set.support(array![[1.0, 0.0], [0.0, 1.0]].view());
        assert_relative_eq!(support, array![2.0, 3.0], epsilon = 1e-14);
    }

    /// Rows 0 and 1 differ by (3, 1), row 2 from its nearest, 1, by (0, 5): squares 9, 1, 9, 1, 0, 25 of mean
    /// 7.5.
    #[test]
    fn shapes_by_neighbours_worked_by_hand() {
        let x = array![[0.0, 0.0], [3.0, 1.0], [3.0, 6.0]];
        let expected = array![[3.0, 1.0], [3.0, 1.0], [0.0, 5.0]] / 7.5_f64.sqrt();
        let scales = neighbour_scales(x.view()).unwrap();
        assert_relative_eq!(scales, expected, epsilon = 1e-15);
        let squares = scales.mapv(|s| s * s).mean().unwrap();
        assert_relative_eq!(squares, 1.0, epsilon = 1e-15);
        let box_ = UncertaintySet::new(Norm::Infinity, Factor::Identity).unwrap();
        let rule = PerSample::NearestNeighbourFeatures;
        let sets = training_sets(rule, &box_, x.view()).unwrap();
        assert_eq!((sets.shapes().len(), sets.norm()), (3, Norm::Infinity));
        let of_row = Factor::Diagonal(scales.row(2).to_owned());
        assert_eq!(sets.shape(2).factor(), &of_row);
        assert!(sets.sizes().is_none());
        let equal = Array1::<f64>::zeros(4).insert_axis(ndarray::Axis(1));
        let sets = training_sets(rule, &box_, equal.view()).unwrap();
        assert_eq!(sets.shared(), Some(&box_));
    }
}
