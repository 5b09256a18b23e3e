//! What bounds say of all maps and points, asked at the smallest ones there are.

use ndarray::Array2;
use robust_svm_bounds::{BoundError, FeatureBound, MapKind};
use robust_svm_core::features::{Features, Identity, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::penalty::PenaltyMatrix;
use robust_svm_core::seed::CellSeed;
use robust_svm_core::uncertainty::{UncertaintySet, UncertaintySets};
use std::sync::Arc;

/// Asks `bound` about the smallest phased map there is.
pub(crate) fn holds_for_phased(bound: &dyn FeatureBound) -> Result<(), BoundError> {
    let mut rng = CellSeed::new(0, "phased", 0).stream("probe");
    let map = Rff::draw_phased(GaussianKernel::new(1.0)?, 1, 1, &mut rng)?;
    let sets = UncertaintySet::sphere().into();
    let x = Array2::zeros((1, 1));
    let penalty = bound.penalty(&Features::Rff(Arc::new(map)), &sets, x.view(), 1.0);
    penalty.map(|_| ())
}

/// Whether `bound` has an orthogonal A, and one Γ for two points with the set `set` around each.
pub(super) fn is_uniform(
    bound: &dyn FeatureBound,
    set: &UncertaintySet,
) -> Result<bool, BoundError> {
    let sets = UncertaintySets::from(set);
    let n = set.factor().width().unwrap_or(1);
    let kernel = GaussianKernel::new(1.0)?;
    let x = Array2::from_shape_fn((2, n), |(i, _)| i as f64);
    let features = match bound.map() {
        MapKind::Identity => Features::Identity(Identity::new(n)),
        MapKind::Rff => {
            let mut rng = CellSeed::new(0, "uniform", 0).stream("probe");
            Features::Rff(Arc::new(Rff::draw(kernel, n, 2, &mut rng)?))
        }
        MapKind::Nystrom => Features::Nystrom(Arc::new(Nystrom::new(kernel, x.clone())?)),
    };
    let penalty = bound.penalty(&features, &sets, x.view(), 0.1)?;
    let one_radius = penalty.radii[0] == penalty.radii[1];
    Ok(one_radius && penalty.matrix == PenaltyMatrix::Orthogonal)
}

#[cfg(test)]
mod tests {
    use super::is_uniform;
    use ndarray::array;
    use robust_svm_bounds::{FeatureBound, MapKind, bounds_for};
    use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};

    #[test]
    fn which_bounds_are_uniform() {
        let uniform = |map, set: &UncertaintySet| -> Vec<&str> {
            bounds_for(map)
                .filter(|bound| is_uniform(*bound, set).unwrap_or(false))
                .map(FeatureBound::name)
                .collect()
        };
        let sphere = UncertaintySet::sphere();
        let axes = Factor::Diagonal(array![1.0, 0.2, 3.0]);
        let ellipsoid = UncertaintySet::new(Norm::Two, axes.clone()).unwrap();
        let cube = UncertaintySet::new(Norm::Infinity, axes).unwrap();
        assert_eq!(uniform(MapKind::Identity, &sphere), ["exact"]);
        assert!(uniform(MapKind::Identity, &ellipsoid).is_empty());
        for set in [&sphere, &ellipsoid, &cube] {
            let of_rff = uniform(MapKind::Rff, set);
            assert_eq!(of_rff, ["paper", "arcs", "geodesic", "best"]);
            assert_eq!(uniform(MapKind::Nystrom, set), ["projection", "best"]);
        }
    }
}
