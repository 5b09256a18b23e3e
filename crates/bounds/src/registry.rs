//! The registry of feature-uncertainty bounds: a new one is a line here.

use crate::rff::FeatureNorm::{Infinity, One, Two};
use crate::{FeatureBound, MapKind, linear, nystrom, rff};

/// Every bound.
pub static BOUNDS: &[&dyn FeatureBound] = &[
    &linear::Exact,
    &rff::Paper(Two),
    &rff::Paper(One),
    &rff::Paper(Infinity),
    &rff::Arcs(Two),
    &rff::Arcs(One),
    &rff::Arcs(Infinity),
    &rff::Geodesic,
    &rff::Best,
    &nystrom::Paper(nystrom::Rank::Factor),
    &nystrom::Paper(nystrom::Rank::Dropped),
    &nystrom::Landmark,
    &nystrom::Projection,
    &nystrom::Best,
];

/// The bounds there are for `map`.
pub fn bounds_for(map: MapKind) -> impl Iterator<Item = &'static dyn FeatureBound> {
    BOUNDS
        .iter()
        .copied()
        .filter(move |bound| bound.map() == map)
}

/// The bound for `map` that users write as `name`.
pub fn find(name: &str, map: MapKind) -> Option<&'static dyn FeatureBound> {
    bounds_for(map).find(|bound| bound.name() == name)
}

/// The names of the bounds for `map`.
pub fn names(map: MapKind) -> Vec<&'static str> {
    bounds_for(map).map(FeatureBound::name).collect()
}

/// Every name, once.
pub fn all_names() -> Vec<&'static str> {
    let mut names: Vec<_> = BOUNDS.iter().map(|bound| bound.name()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::{BOUNDS, all_names, find, names};
    use crate::MapKind;

    #[test]
    fn a_name_means_one_bound_of_a_map() {
        for bound in BOUNDS {
            let found = find(bound.name(), bound.map()).unwrap();
            assert!(found == *bound);
            let same = |other: &&&dyn crate::FeatureBound| **other == *bound;
            assert_eq!(BOUNDS.iter().filter(same).count(), 1, "{bound:?}");
        }
        assert!(find("Geodesic", MapKind::Rff).is_none());
        assert!(find("geodesic", MapKind::Nystrom).is_none());
        assert_eq!(names(MapKind::Identity), ["exact"]);
        assert_eq!(all_names().len(), 12);
        let (rff, nystrom) = (find("best", MapKind::Rff), find("best", MapKind::Nystrom));
        assert!(rff != nystrom);
    }
}
