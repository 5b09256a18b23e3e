//! The bounds of one map at one point of the axes, against the movement that an attack finds.

use super::prepare::Mapped;
use super::row::Tightness;
use crate::run::failure::Failure;
use crate::run::stopwatch::Stopwatch;
use crate::stats::median;
use ndarray::{Array1, ArrayView1};
use robust_svm_bounds::attack::{AttackOptions, movement};
use robust_svm_bounds::rff::FeatureNorm;
use robust_svm_bounds::{BoundError, FeatureBound};
use robust_svm_core::features::Features;
use robust_svm_core::penalty::PenaltyMatrix;
use robust_svm_core::seed::CellSeed;
use robust_svm_core::uncertainty::{UncertaintySet, UncertaintySets};

/// Relative rounding of a bound beside the movement it bounds.
const ROUNDING: f64 = 1e-9;

/// The movements of the points of one map, searched once for each matrix.
pub(super) struct Study<'a> {
    pub(super) mapped: &'a Mapped,
    pub(super) gamma: f64,
    pub(super) attack: AttackOptions,
    pub(super) seeds: &'a CellSeed,
    /// Movements by the matrix they are measured with.
    pub(super) found: Vec<(PenaltyMatrix, Array1<f64>)>,
}

impl Study<'_> {
    /// How tight `bound` is.
    pub(super) fn measure(
        &mut self,
        bound: &dyn FeatureBound,
        watch: &mut Stopwatch,
    ) -> Result<Tightness, Failure> {
        let Mapped { features, x, sigma } = self.mapped;
        let sets = UncertaintySets::from(UncertaintySet::sphere());
        let penalty = watch.time(
            |s| &mut s.solve,
            || bound.penalty(features, &sets, x.view(), self.gamma),
        )?;
        let known = self
            .found
            .iter()
            .position(|(matrix, _)| *matrix == penalty.matrix);
        let index = if let Some(index) = known {
            index
        } else {
            let search = || self.search(&sets, &penalty.matrix);
            let moved = watch.time(|s| &mut s.attack, search)?;
            self.found.push((penalty.matrix, moved));
            self.found.len() - 1
        };
        let moved = self.found[index].1.view();
        let summary = Summary::new(penalty.radii.view(), moved, rounding(features));
        Ok(summary.tightness(x.ncols(), *sigma, bound.norm()))
    }

    fn search(
        &self,
        sets: &UncertaintySets,
        matrix: &PenaltyMatrix,
    ) -> Result<Array1<f64>, BoundError> {
        let Mapped { features, x, .. } = self.mapped;
        // Every matrix and point of the axes has the same starts.
        let mut rng = self.seeds.stream("movement");
        movement(
            features,
            matrix,
            sets,
            x.view(),
            self.gamma,
            self.attack,
            &mut rng,
        )
    }
}

/// Error of a movement: of sines and cosines, and of the kernel's values as Nyström's projection shows it.
fn rounding(features: &Features) -> f64 {
    match features {
        Features::Nystrom(map) => {
            let features = map.projection().nrows() as f64;
            1e-13 * (features.sqrt() * map.projection_norm()).max(1.0)
        }
        Features::Rff(_) | Features::Identity(_) => 1e-11,
    }
}

/// Γ ÷ movement; 1 where both are 0.
fn ratio((radius, moved): (&f64, &f64)) -> f64 {
    if radius == moved { 1.0 } else { radius / moved }
}

/// Radii and movements of points, with their ratios.
struct Summary<'a> {
    radii: ArrayView1<'a, f64>,
    moved: ArrayView1<'a, f64>,
    ratios: Vec<f64>,
    violations: usize,
}

impl<'a> Summary<'a> {
    fn new(radii: ArrayView1<'a, f64>, moved: ArrayView1<'a, f64>, rounding: f64) -> Self {
        let pairs = || radii.iter().zip(moved);
        let exceeds =
            |(radius, moved): &(&f64, &f64)| **moved > *radius * (1.0 + ROUNDING) + rounding;
        Self {
            radii,
            moved,
            ratios: pairs().map(ratio).collect(),
            violations: pairs().filter(exceeds).count(),
        }
    }

    fn tightness(&self, n: usize, sigma: f64, norm: FeatureNorm) -> Tightness {
        let mean = |values: ArrayView1<'_, f64>| values.mean().expect("a split has test rows");
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        Tightness {
            points: self.ratios.len() as u32,
            n_features: n as u32,
            sigma,
            feature_norm: match norm {
                FeatureNorm::One => "1",
                FeatureNorm::Two => "2",
                FeatureNorm::Infinity => "inf",
            }
            .to_owned(),
            radius_mean: mean(self.radii.view()),
            radius_max: largest(&mut self.radii.iter().copied()),
            movement_mean: mean(self.moved.view()),
            movement_max: largest(&mut self.moved.iter().copied()),
            ratio_mean: mean(ArrayView1::from(&self.ratios)),
            ratio_median: median(&self.ratios).expect("a split has test rows"),
            ratio_max: largest(&mut self.ratios.iter().copied()),
            violations: self.violations as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Summary;
    use ndarray::array;
    use robust_svm_bounds::rff::FeatureNorm;

    #[test]
    fn ratios_and_violations_by_hand() {
        let (radii, moved) = (
            array![2.0, 3.0, 1.0, 1.0],
            array![1.0, 1.0, 1.0 + 1e-8, 1.0 + 1e-10],
        );
        let summary = Summary::new(radii.view(), moved.view(), 0.0);
        let tightness = summary.tightness(5, 0.5, FeatureNorm::Infinity);
        assert_eq!((tightness.points, tightness.violations), (4, 1));
        assert_eq!((tightness.radius_mean, tightness.radius_max), (1.75, 3.0));
        assert_eq!(tightness.ratio_max, 3.0);
        assert!((tightness.ratio_median - 1.5).abs() < 1e-9);
        assert!((tightness.ratio_mean - 1.75).abs() < 1e-8);
        assert_eq!(tightness.feature_norm, "inf");
        assert_eq!(Summary::new(radii.view(), moved.view(), 1e-7).violations, 0);
    }
}
