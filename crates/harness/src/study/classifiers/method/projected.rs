//! Nearest neighbours of projected inputs.

use ndarray::{Array2, ArrayView2, Axis, s};
use robust_svm_core::distribution::{GaussianInputs, InputKernel};
use robust_svm_solvers::baselines::Projection;
use robust_svm_solvers::{Classifier, KNearest, KernelEmbedding, LinearEmbedding, SolverError};

/// Rows whose kernel with the training inputs is in memory at a time.
const BLOCK: usize = 1024;

/// From inputs to coordinates.
pub(super) enum Projector {
    /// Of points, by their kernel with the training inputs.
    Kernel {
        kernel: InputKernel,
        inputs: GaussianInputs,
        embedding: KernelEmbedding,
    },
    /// Linear, of the uncentred inputs.
    Linear(LinearEmbedding),
    /// Linear, of the centred inputs.
    Affine(Projection),
}

impl Projector {
    /// The coordinates of the points in the rows of `x`.
    pub(super) fn project(&self, x: ArrayView2<'_, f64>) -> Result<Array2<f64>, SolverError> {
        match self {
            Self::Kernel {
                kernel,
                inputs,
                embedding,
            } => {
                let points = GaussianInputs::points(x.to_owned())?;
                embedding.project(kernel.matrix(&points, inputs)?.view())
            }
            Self::Linear(embedding) => embedding.project(x),
            Self::Affine(projection) => projection.project(x),
        }
    }
}

/// The first coordinates of inputs, and their nearest neighbours there.
pub(super) struct ProjectedNeighbours {
    pub(super) projector: Projector,
    pub(super) dims: usize,
    pub(super) neighbours: KNearest,
}

impl Classifier for ProjectedNeighbours {
    fn predict(&self, x: ArrayView2<'_, f64>) -> Result<Vec<usize>, SolverError> {
        let mut classes = Vec::with_capacity(x.nrows());
        for block in x.axis_chunks_iter(Axis(0), BLOCK) {
            let coordinates = self.projector.project(block)?;
            let first = coordinates.slice(s![.., ..self.dims]);
            classes.extend(self.neighbours.predict(first)?);
        }
        Ok(classes)
    }
}
