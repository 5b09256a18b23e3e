//! The margin of a model, to be made negative.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use robust_svm_core::model::{DecisionFunction, Model};

use super::objective::Objective;

/// `y_i f(x)` with the labels `y`. A point whose margin is not positive is broken: nothing is left to find.
pub(super) struct Margin<'a> {
    pub(super) model: &'a Model,
    pub(super) y: ArrayView1<'a, f64>,
}

impl Objective for Margin<'_> {
    const FLOOR: f64 = 0.0;
    const GUIDED: bool = true;

    fn linearised_steps(_: usize) -> usize {
        0
    }

    fn evaluate(
        &self,
        points: &[usize],
        inputs: ArrayView2<'_, f64>,
    ) -> (Array1<f64>, Array2<f64>) {
        let (mut values, mut gradients) = self.model.decision_and_gradient(inputs);
        for ((&point, value), mut gradient) in points
            .iter()
            .zip(&mut values)
            .zip(gradients.outer_iter_mut())
        {
            let label = self.y[point];
            *value *= label;
            gradient *= label;
        }
        (values, gradients)
    }
}
