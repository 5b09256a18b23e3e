//! A vector in the product of all cones of the problem.

use super::data::ConicData;

/// One vector for each cone, or a slack, a multiplier or a direction in it.
#[derive(Clone)]
pub(super) struct Blocks {
    /// The samples' cones: L vectors of n + 1.
    pub(super) samples: Vec<f64>,
    /// The cones of the curvature.
    pub(super) curvature: Vec<f64>,
    /// The matrix of the curvature (n × n); empty for Nyström features.
    pub(super) matrix: Vec<f64>,
}

impl Blocks {
    pub(super) fn zeros(data: &ConicData) -> Self {
        let curvature = &data.curvature;
        Self {
            samples: vec![0.0; data.samples * (data.n + 1)],
            curvature: vec![0.0; curvature.count * (curvature.tail + 1)],
            matrix: vec![0.0; curvature.matrix_dim().pow(2)],
        }
    }

    /// `self += factor · other`.
    pub(super) fn add(&mut self, factor: f64, other: &Self) {
        for (own, other) in [
            (&mut self.samples, &other.samples),
            (&mut self.curvature, &other.curvature),
            (&mut self.matrix, &other.matrix),
        ] {
            for (own, other) in own.iter_mut().zip(other) {
                *own += factor * other;
            }
        }
    }

    pub(super) fn fill(&mut self, value: f64) {
        self.samples.fill(value);
        self.curvature.fill(value);
        self.matrix.fill(value);
    }
}
