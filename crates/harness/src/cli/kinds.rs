//! From an experiment file of any kind to what is done with its experiment: the one place that knows every kind.

use super::exit::{Ended, plan_error, spec_error};
use crate::data::DataFolders;
use crate::plan::plan;
use crate::spec::{Kind, SpecFile};
use crate::study::{bandwidth_rule, bound_tightness, classifiers, safe_ellipsoid, scaling};
use crate::views::Viewed;

/// Something that is done with an experiment, whatever its kind.
pub(super) trait Visitor {
    /// What comes of it.
    type Out;

    /// Does it.
    fn visit<E: Viewed>(self, experiment: &E) -> Result<Self::Out, Ended>;
}

/// Plans the experiment in `file` on the data folders of the environment and hands it to `visitor`.
pub(super) fn with_experiment<V: Visitor>(file: SpecFile, visitor: V) -> Result<V::Out, Ended> {
    let folders = DataFolders::from_env();
    match file.kind().map_err(spec_error)? {
        Kind::Classification => visitor.visit(&plan(file, &folders).map_err(plan_error)?),
        Kind::BoundTightness => {
            visitor.visit(&bound_tightness::plan(file, &folders).map_err(plan_error)?)
        }
        Kind::BandwidthRule => visitor.visit(&bandwidth_rule::plan(file).map_err(plan_error)?),
        Kind::SafeEllipsoid => {
            visitor.visit(&safe_ellipsoid::plan(file, &folders).map_err(plan_error)?)
        }
        Kind::Classifiers => visitor.visit(&classifiers::plan(file, &folders).map_err(plan_error)?),
        Kind::Scaling => visitor.visit(&scaling::plan(file).map_err(plan_error)?),
    }
}
