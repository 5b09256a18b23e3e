//! What a bound is asked, after the checks that all of them share.

use ndarray::{Array1, ArrayView2};
use robust_svm_core::CoreError;
use robust_svm_core::features::{FeatureMap, Features, Nystrom, Rff};
use robust_svm_core::uncertainty::{UncertaintySet, UncertaintySets};

use crate::{BoundError, check};

/// Points, their sets and a feature map that fit each other: only [`FeatureBound::penalty`] makes one.
///
/// [`FeatureBound::penalty`]: crate::FeatureBound::penalty
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    features: &'a Features,
    sets: &'a UncertaintySets,
    x: ArrayView2<'a, f64>,
    gamma: f64,
}

impl<'a> Question<'a> {
    pub(crate) fn new(
        features: &'a Features,
        sets: &'a UncertaintySets,
        x: ArrayView2<'a, f64>,
        gamma: f64,
    ) -> Result<Self, CoreError> {
        check::inputs(x, features.input_dim())?;
        sets.check(x.nrows(), x.ncols())?;
        check::sizes(sets, gamma)?;
        Ok(Self {
            features,
            sets,
            x,
            gamma,
        })
    }

    /// The map.
    pub fn features(&self) -> &'a Features {
        self.features
    }

    /// The map as random Fourier features.
    ///
    /// # Panics
    /// If it is another kind than the bound says it is for.
    pub fn rff(&self) -> &'a Rff {
        match self.features {
            Features::Rff(map) => map,
            other => panic!("{other:?} asked of a bound for random Fourier features"),
        }
    }

    /// The map as Nyström features.
    ///
    /// # Panics
    /// If it is another kind than the bound says it is for.
    pub fn nystrom(&self) -> &'a Nystrom {
        match self.features {
            Features::Nystrom(map) => map,
            other => panic!("{other:?} asked of a bound for Nyström features"),
        }
    }

    /// The sets around the points.
    pub fn sets(&self) -> &'a UncertaintySets {
        self.sets
    }

    /// The points, as rows (L × n).
    pub fn x(&self) -> ArrayView2<'a, f64> {
        self.x
    }

    /// `γ_i = γ g_i` of a point.
    pub fn size(&self, point: usize) -> f64 {
        self.gamma * self.sets.size(point)
    }

    /// `radius(s, point, γ_i)` of each point, with `s = of_shape(Σ_i^{1/2})` made once a shape.
    ///
    /// # Errors
    /// Those of `of_shape` and `radius`.
    pub fn radii_at<S>(
        &self,
        of_shape: impl Fn(&UncertaintySet) -> Result<S, BoundError>,
        mut radius: impl FnMut(&S, usize, f64) -> Result<f64, BoundError>,
    ) -> Result<Array1<f64>, BoundError> {
        let mut made: Option<(usize, S)> = None;
        let mut radii = Array1::zeros(self.x.nrows());
        for (point, value) in radii.iter_mut().enumerate() {
            let index = self.sets.shape_index(point);
            let shape = match made.take() {
                Some(shape) if shape.0 == index => shape,
                _ => (index, of_shape(self.sets.shape(point))?),
            };
            *value = radius(&shape.1, point, self.size(point))?;
            made = Some(shape);
        }
        Ok(radii)
    }

    /// As [`Question::radii_at`] where the radius depends on the shape and the size alone: computed once for
    /// neighbours of equal shape and size.
    ///
    /// # Errors
    /// Those of `of_shape`.
    pub fn radii<S>(
        &self,
        of_shape: impl Fn(&UncertaintySet) -> Result<S, BoundError>,
        radius: impl Fn(&S, f64) -> f64,
    ) -> Result<Array1<f64>, BoundError> {
        let mut last: Option<(usize, f64, f64)> = None;
        self.radii_at(of_shape, |shape, point, size| {
            let index = self.sets.shape_index(point);
            let value = match last {
                Some((i, s, value)) if i == index && s == size => value,
                _ => radius(shape, size),
            };
            last = Some((index, size, value));
            Ok(value)
        })
    }
}
