//! From a model and a set to what its certificates need at any point.

use ndarray::{Array1, ArrayView1, ArrayView2, Axis, s};
use robust_svm_core::features::Features;
use robust_svm_core::model::{DecisionFunction, Model};
use robust_svm_core::uncertainty::UncertaintySet;

use super::arcs::Arcs;
use super::expansion::Expansion;
use super::local::Local;
use super::norm::NormCertificate;
use super::points::PointCertificates;
use super::second_order;
use crate::{BoundError, check};

/// Points evaluated in one product.
const BLOCK: usize = 512;

/// The certificates of one model against one shape of uncertainty set, of any norm p.
#[derive(Debug, Clone)]
pub struct Certifier<'a> {
    model: &'a Model,
    set: &'a UncertaintySet,
    n: usize,
    norm: NormCertificate,
    curvature: f64,
    local: Local,
    evaluation_error: f64,
}

impl<'a> Certifier<'a> {
    /// Computes what does not depend on the points: `‖ζ‖` or the Hilbert-space norm of f, the longest
    /// movement of the features, and the largest second derivative.
    ///
    /// # Errors
    /// [`BoundError::Core`] if the model's weights do not fit its features or are not finite, or the set
    /// is not one of the model's inputs.
    pub fn new(model: &'a Model, set: &'a UncertaintySet) -> Result<Self, BoundError> {
        let n = check::model(model)?;
        check::set(set, n)?;
        let of_expansion = |f: Expansion| Self {
            model,
            set,
            n,
            norm: NormCertificate::expansion(&f, set, n),
            curvature: second_order::expansion(&f, set, n),
            evaluation_error: f.evaluation_error,
            local: Local::Landmarks(f.landmarks(set)),
        };
        let (features, zeta) = match model {
            Model::Kernel(model) => return Ok(of_expansion(Expansion::kernel(model))),
            Model::Feature(model) => (&model.features, model.zeta.view()),
        };
        let (norm, curvature, local) = match features {
            Features::Nystrom(map) => return Ok(of_expansion(Expansion::nystrom(map, zeta))),
            Features::Rff(map) if map.phases().is_some() => {
                return Err(BoundError::NotValid {
                    bound: "certificate",
                    reason: "it is for random Fourier features in the paired form".into(),
                });
            }
            Features::Identity(_) => (NormCertificate::linear(zeta, set), 0.0, Local::Linear),
            Features::Rff(map) => (
                NormCertificate::rff(map, zeta, set)?,
                second_order::rff(map, zeta, set)?,
                Local::Arcs(Arcs::new(map, zeta, set)),
            ),
        };
        Ok(Self {
            model,
            set,
            n,
            norm,
            curvature,
            local,
            evaluation_error: 0.0,
        })
    }

    /// Evaluates margins, gradients and positions (phases in the waves of random Fourier features, distances
    /// to the centres of kernel expansions) at the rows of `x` (p × n) with labels `y` (p) in {−1, +1}, once
    /// for every γ.
    ///
    /// # Errors
    /// [`BoundError::Core`] for shapes that disagree, inputs that are not finite and other labels.
    pub fn points(
        &self,
        x: ArrayView2<'_, f64>,
        y: ArrayView1<'_, f64>,
    ) -> Result<PointCertificates, BoundError> {
        check::inputs(x, self.n)?;
        check::labels(y, x.nrows())?;
        let mut margins = Array1::zeros(x.nrows());
        let mut gradient_norms = Array1::zeros(x.nrows());
        for (block, rows) in x.axis_chunks_iter(Axis(0), BLOCK).enumerate() {
            let range = s![block * BLOCK..block * BLOCK + rows.nrows()];
            let (values, gradients) = self.model.decision_and_gradient(rows);
            margins
                .slice_mut(range)
                .assign(&(&values * &y.slice(range)));
            gradient_norms
                .slice_mut(range)
                .assign(&self.set.support(gradients.view()));
        }
        Ok(PointCertificates {
            margins,
            labels: y.to_owned(),
            gradient_norms,
            norm: self.norm,
            curvature: self.curvature,
            local: self.local.clone(),
            positions: self.local.positions(x, y),
            evaluation_error: self.evaluation_error,
        })
    }
}
