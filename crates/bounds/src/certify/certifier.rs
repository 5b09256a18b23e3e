//! From a model and its uncertainty sets to what certificates need at any point.

use ndarray::{Array1, ArrayView1, ArrayView2, Axis, s};
use robust_svm_core::CoreError;
use robust_svm_core::features::Features;
use robust_svm_core::model::{DecisionFunction, Model};
use robust_svm_core::uncertainty::{UncertaintySet, UncertaintySets};

use super::arcs::Arcs;
use super::expansion::Expansion;
use super::landmarks::Landmarks;
use super::local::Local;
use super::norm::NormCertificate;
use super::points::PointCertificates;
use super::second_order;
use crate::{BoundError, check};
use std::sync::OnceLock;

/// Points evaluated in one product.
const BLOCK: usize = 512;

/// The certificates of one model against uncertainty sets of any norm p and shape.
#[derive(Debug, Clone)]
pub struct Certifier<'a> {
    model: &'a Model,
    sets: UncertaintySets,
    n: usize,
    /// One for each shape.
    reaches: Vec<Reach>,
    local: Local,
}

/// What sets of one shape can do to the model wherever they stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    pub(super) norm: NormCertificate,
    /// `C ≥ |d²/ds² f(x + sδ)|` for δ of the set of size 1.
    pub(super) curvature: f64,
}

impl<'a> Certifier<'a> {
    /// Computes what does not depend on the points: `‖ζ‖` or the Hilbert-space norm of f and, for each shape of
    /// set, the longest movement of the features and the largest second derivative.
    ///
    /// # Errors
    /// [`BoundError::Core`] if the model's weights do not fit its features or are not finite, or the sets
    /// are not ones of the model's inputs.
    pub fn new(model: &'a Model, sets: impl Into<UncertaintySets>) -> Result<Self, BoundError> {
        let n = check::model(model)?;
        let sets = sets.into();
        check::shapes(&sets, n)?;
        let (local, reaches) = match model {
            Model::Kernel(kernel) => {
                of_expansion(Expansion::kernel(kernel), kernel.intercept(), &sets, n)
            }
            Model::Radial(radial) => {
                of_expansion(Expansion::radial(radial), radial.intercept(), &sets, n)
            }
            Model::Feature(linear) => {
                let (zeta, intercept) = (linear.zeta.view(), linear.intercept);
                match &linear.features {
                    Features::Nystrom(map) => {
                        of_expansion(Expansion::nystrom(map, zeta), intercept, &sets, n)
                    }
                    Features::Identity(_) => {
                        let reach = |set| Reach {
                            norm: NormCertificate::linear(zeta, set),
                            curvature: 0.0,
                        };
                        (
                            Local::Linear(zeta.to_owned()),
                            sets.shapes().iter().map(reach).collect(),
                        )
                    }
                    Features::Rff(map) => {
                        let reach = |set| -> Result<Reach, CoreError> {
                            Ok(Reach {
                                norm: NormCertificate::rff(map, zeta, set)?,
                                curvature: second_order::rff(map, zeta, set)?,
                            })
                        };
                        let reaches = sets.shapes().iter().map(reach).collect::<Result<_, _>>()?;
                        (Local::Arcs(Arcs::new(map, zeta, intercept, &sets)), reaches)
                    }
                }
            }
        };
        Ok(Self {
            model,
            sets,
            n,
            reaches,
            local,
        })
    }

    /// Evaluates margins and gradients at the rows of `x` (p × n) with labels `y` (p) in {−1, +1}, once for
    /// every γ.
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
        self.sets.check(x.nrows(), self.n)?;
        let mut margins = Array1::zeros(x.nrows());
        let mut gradient_norms = Array1::zeros(x.nrows());
        for (block, rows) in x.axis_chunks_iter(Axis(0), BLOCK).enumerate() {
            let range = block * BLOCK..block * BLOCK + rows.nrows();
            let (values, gradients) = self.model.decision_and_gradient(rows);
            let of_block = values * y.slice(s![range.clone()]);
            margins.slice_mut(s![range.clone()]).assign(&of_block);
            let supports = self.supports(range.start, gradients.view());
            gradient_norms.slice_mut(s![range]).assign(&supports);
        }
        Ok(PointCertificates {
            margins,
            labels: y.to_owned(),
            inputs: x.to_owned(),
            sets: self.sets.clone(),
            gradient_norms,
            reaches: self.reaches.clone(),
            positions: vec![OnceLock::new(); x.nrows()],
            evaluation_errors: self.evaluation_errors(x),
            local: self.local.clone(),
        })
    }

    /// How far a computed f may be from the true one at each row of `x`.
    fn evaluation_errors(&self, x: ArrayView2<'_, f64>) -> Array1<f64> {
        let intercept = match self.model {
            Model::Feature(model) => model.intercept,
            Model::Kernel(model) => model.intercept(),
            Model::Radial(model) => model.intercept(),
        };
        let of_sums = f64::EPSILON * intercept.abs();
        x.outer_iter()
            .map(|x| self.local.evaluation_error(x) + of_sums)
            .collect()
    }

    /// `‖Σ_i^{⊤/2} g_i‖_q` for the rows g of `gradients`, those of the points from `first` on.
    fn supports(&self, first: usize, gradients: ArrayView2<'_, f64>) -> Array1<f64> {
        if let Some(set) = self.sets.shared() {
            return set.support(gradients);
        }
        let rows = gradients.axis_chunks_iter(Axis(0), 1).enumerate();
        rows.map(|(i, row)| self.sets.shape(first + i).support(row)[0])
            .collect()
    }
}

/// An expansion over points of `R^n` with intercept `b`.
fn of_expansion(f: Expansion, b: f64, sets: &UncertaintySets, n: usize) -> (Local, Vec<Reach>) {
    let reach = |set: &UncertaintySet| Reach {
        norm: NormCertificate::expansion(&f, set, n),
        curvature: second_order::expansion(&f, set, n),
    };
    let reaches = sets.shapes().iter().map(reach).collect();
    (Local::Landmarks(Landmarks::new(f, b, sets)), reaches)
}
