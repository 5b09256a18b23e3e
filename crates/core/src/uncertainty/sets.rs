//! The uncertainty sets of many points, `U_i = { Σ_i^{1/2} u : ‖u‖_p ≤ γ g_i }`: one norm p, a shape for all
//! points or one for each, and relative sizes g_i. The level γ is given with each question.

use super::{Factor, Norm, UncertaintySet};
use crate::CoreError;
use ndarray::{Array1, ArrayView1};
use std::ops::Range;

/// The uncertainty sets of many points.
#[derive(Debug, Clone, PartialEq)]
pub struct UncertaintySets {
    shapes: Shapes,
    sizes: Option<Array1<f64>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Shapes {
    Shared(UncertaintySet),
    Each(Vec<UncertaintySet>),
}

impl From<UncertaintySet> for UncertaintySets {
    /// The same set around every point.
    fn from(set: UncertaintySet) -> Self {
        Self {
            shapes: Shapes::Shared(set),
            sizes: None,
        }
    }
}

impl From<&UncertaintySet> for UncertaintySets {
    /// The same set around every point.
    fn from(set: &UncertaintySet) -> Self {
        set.clone().into()
    }
}

impl From<&Self> for UncertaintySets {
    fn from(sets: &Self) -> Self {
        sets.clone()
    }
}

impl UncertaintySets {
    /// A shape Σ_i for each point, in the order of the points.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] if there is none, or they differ in the norm p; [`CoreError::Shape`] if two of
    /// them have factors for inputs of different widths.
    pub fn each(shapes: Vec<UncertaintySet>) -> Result<Self, CoreError> {
        let Some(first) = shapes.first() else {
            return Err(CoreError::parameter("shapes", "one for each point", "none"));
        };
        let norm = first.norm();
        if let Some(other) = shapes.iter().find(|set| set.norm() != norm) {
            let expected = format!("all of the norm p of the first, {norm:?}");
            let found = format!("{:?}", other.norm());
            return Err(CoreError::parameter("shapes", expected, found));
        }
        let mut width = None;
        for found in shapes.iter().filter_map(|set| set.factor().width()) {
            let expected = *width.get_or_insert(found);
            if found != expected {
                return Err(CoreError::Shape {
                    what: "widths of the uncertainty sets",
                    expected,
                    found,
                });
            }
        }
        Ok(Self {
            shapes: Shapes::Each(shapes),
            sizes: None,
        })
    }

    /// With the relative sizes `sizes` = g (one a point, finite and ≥ 0) in the place of 1 each.
    ///
    /// # Errors
    /// [`CoreError::Parameter`] for a size that is negative or not finite; [`CoreError::Shape`] if there are
    /// shapes for another number of points.
    pub fn with_sizes(mut self, sizes: Array1<f64>) -> Result<Self, CoreError> {
        if let Shapes::Each(shapes) = &self.shapes
            && shapes.len() != sizes.len()
        {
            return Err(CoreError::Shape {
                what: "relative sizes of the uncertainty sets",
                expected: shapes.len(),
                found: sizes.len(),
            });
        }
        if let Some(bad) = sizes.iter().find(|g| !(g.is_finite() && **g >= 0.0)) {
            return Err(CoreError::parameter(
                "relative sizes",
                "finite and ≥ 0",
                bad,
            ));
        }
        self.sizes = Some(sizes);
        Ok(self)
    }

    /// The norm p.
    pub fn norm(&self) -> Norm {
        self.shapes()[0].norm()
    }

    /// The different shapes: one for all points, or one a point; never none.
    pub fn shapes(&self) -> &[UncertaintySet] {
        match &self.shapes {
            Shapes::Shared(set) => std::slice::from_ref(set),
            Shapes::Each(sets) => sets,
        }
    }

    /// The index in [`UncertaintySets::shapes`] of the shape around `point`.
    pub fn shape_index(&self, point: usize) -> usize {
        match &self.shapes {
            Shapes::Shared(_) => 0,
            Shapes::Each(_) => point,
        }
    }

    /// The shape around `point`.
    ///
    /// # Panics
    /// If the sets are for fewer points.
    pub fn shape(&self, point: usize) -> &UncertaintySet {
        &self.shapes()[self.shape_index(point)]
    }

    /// The one shape around every point; `None` if each has its own.
    pub fn shared(&self) -> Option<&UncertaintySet> {
        match &self.shapes {
            Shapes::Shared(set) => Some(set),
            Shapes::Each(_) => None,
        }
    }

    /// g_i, the size around `point` at level 1.
    ///
    /// # Panics
    /// If the sets are for fewer points.
    pub fn size(&self, point: usize) -> f64 {
        self.sizes.as_ref().map_or(1.0, |sizes| sizes[point])
    }

    /// g, if it is not 1 for every point.
    pub fn sizes(&self) -> Option<ArrayView1<'_, f64>> {
        self.sizes.as_ref().map(Array1::view)
    }

    /// Whether every point has a set of the same shape and size.
    pub fn is_uniform(&self) -> bool {
        let same_size = |sizes: &Array1<f64>| sizes.iter().all(|g| *g == sizes[0]);
        self.shapes().len() == 1 && self.sizes.as_ref().is_none_or(same_size)
    }

    /// That the sets can stand around `points` points of `R^n`.
    ///
    /// # Errors
    /// [`CoreError::Shape`] if they are for another number of points, or inputs of another width.
    pub fn check(&self, points: usize, n: usize) -> Result<(), CoreError> {
        let shape = |what, expected, found| {
            if expected == found {
                Ok(())
            } else {
                Err(CoreError::Shape {
                    what,
                    expected,
                    found,
                })
            }
        };
        for width in self.shapes().iter().filter_map(|set| set.factor().width()) {
            shape("factor of the uncertainty set", n, width)?;
        }
        if let Shapes::Each(sets) = &self.shapes {
            shape("uncertainty sets, one a point", points, sets.len())?;
        }
        if let Some(sizes) = &self.sizes {
            shape("relative sizes, one a point", points, sizes.len())?;
        }
        Ok(())
    }

    /// The sets of the points in `range`.
    ///
    /// # Panics
    /// If there are fewer points.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        let shapes = match &self.shapes {
            Shapes::Shared(set) => Shapes::Shared(set.clone()),
            Shapes::Each(sets) => Shapes::Each(sets[range.clone()].to_vec()),
        };
        Self {
            shapes,
            sizes: self
                .sizes
                .as_ref()
                .map(|sizes| sizes.slice(ndarray::s![range]).to_owned()),
        }
    }
}

impl Factor {
    /// The width n of the inputs that the factor is for; `None` for the identity, which fits any.
    pub fn width(&self) -> Option<usize> {
        match self {
            Self::Identity => None,
            Self::Diagonal(scales) => Some(scales.len()),
            Self::Full(f) => Some(f.nrows()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UncertaintySets;
    use crate::CoreError;
    use crate::uncertainty::{Factor, Norm, UncertaintySet};
    use ndarray::{Array2, array};

    fn diagonal(scales: &[f64]) -> UncertaintySet {
        UncertaintySet::new(Norm::Two, Factor::Diagonal(scales.to_vec().into())).unwrap()
    }

    #[test]
    fn each_point_has_its_shape_and_size() {
        let shapes = vec![diagonal(&[1.0, 2.0]), UncertaintySet::sphere()];
        let sets = UncertaintySets::each(shapes.clone()).unwrap();
        let sets = sets.with_sizes(array![0.5, 3.0]).unwrap();
        assert_eq!((sets.shape(0), sets.size(0)), (&shapes[0], 0.5));
        let second = sets.slice(1..2);
        assert_eq!((second.shape(0), second.size(0)), (&shapes[1], 3.0));
        assert!(second.check(1, 2).is_ok());
        assert!(!sets.is_uniform() && sets.shared().is_none());
        let shared = UncertaintySets::from(shapes[0].clone());
        assert_eq!((shared.shape(7), shared.size(7)), (&shapes[0], 1.0));
        assert!(shared.is_uniform() && shared.check(9, 2).is_ok());
        assert!(!shared.with_sizes(array![1.0, 2.0]).unwrap().is_uniform());
    }

    #[test]
    fn sets_that_do_not_fit_are_refused() {
        assert!(UncertaintySets::each(Vec::new()).is_err());
        let cube = UncertaintySet::new(Norm::Infinity, Factor::Identity).unwrap();
        let mixed = UncertaintySets::each(vec![UncertaintySet::sphere(), cube]);
        assert!(matches!(mixed, Err(CoreError::Parameter { .. })));
        let full = Factor::Full(Array2::eye(3));
        let full = UncertaintySet::new(Norm::Two, full).unwrap();
        let widths = UncertaintySets::each(vec![diagonal(&[1.0, 2.0]), full]);
        assert!(matches!(widths, Err(CoreError::Shape { .. })));
        let sets = UncertaintySets::each(vec![diagonal(&[1.0]), diagonal(&[2.0])]).unwrap();
        assert!(sets.clone().with_sizes(array![1.0]).is_err());
        assert!(sets.clone().with_sizes(array![1.0, -1.0]).is_err());
        assert!(sets.check(3, 1).is_err() && sets.check(2, 2).is_err());
        assert!(sets.check(2, 1).is_ok());
    }
}
