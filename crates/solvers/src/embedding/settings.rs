//! The regularisation of graph embeddings.

use crate::SolverError;

/// How a graph embedding is regularised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmbeddingSettings {
    /// ε > 0: the ridge is `r = ε · tr(K)/N · tr(L)/N`, N inputs with the Gram matrix K and the Laplacian L of the graph
    /// to keep together; ε is free of the units of inputs and weights. PCA has none.
    pub ridge: f64,
}

impl Default for EmbeddingSettings {
    fn default() -> Self {
        Self { ridge: 1e-3 }
    }
}

impl EmbeddingSettings {
    /// That ε is positive and finite.
    pub(super) fn check(self) -> Result<(), SolverError> {
        if self.ridge > 0.0 && self.ridge.is_finite() {
            return Ok(());
        }
        Err(SolverError::Setting {
            name: "ridge",
            expected: "positive and finite",
            found: format!("{:e}", self.ridge),
        })
    }
}
