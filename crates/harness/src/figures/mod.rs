//! Figures for a paper, each from a seed or from the rows of a shipped experiment.

mod certificates;
mod curves;
mod ngeu_uncertainty;
mod ngeu_uncertainty_drawing;
mod noise;
mod rff_toy;
mod rff_toy_drawing;
mod safe_ellipsoid;
mod tightness;

pub(crate) use certificates::certificates;
pub(crate) use ngeu_uncertainty::{GraphDirections, NGEU_SEED, UncertainPlane};
pub(crate) use ngeu_uncertainty_drawing::ngeu_drawing;
pub(crate) use noise::noise;
pub(crate) use rff_toy::{RffToy, SEED};
pub(crate) use rff_toy_drawing::drawing;
pub(crate) use safe_ellipsoid::safe_ellipsoid;
pub(crate) use tightness::tightness;
