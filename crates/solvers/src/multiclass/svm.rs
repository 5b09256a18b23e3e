//! The exact-kernel SVM of any number of classes, its machines for two by [`crate::fit_gram_svm`].

use super::input::{check_all_finite, check_gram, check_rows};
use super::scheme::{Pair, Scheme, winners};
use crate::{Classifier, GramSettings, RelativeGap, SolverError, fit_gram_svm};
use ndarray::{Array1, Array2, ArrayView2, Axis, CowArray, Ix2};
use robust_svm_core::data::LabelledDataset;
use robust_svm_core::distribution::InputKernel;
use robust_svm_core::linalg::matmul;

/// Rows classified at a time.
const BLOCK: usize = 512;

/// A kernel SVM of C classes: machines for two, which share their support points, and what they decide together.
#[derive(Debug, Clone)]
pub struct MulticlassSvm {
    kernel: InputKernel,
    pairs: Vec<Pair>,
    classes: usize,
    /// Rows that are a support point of some machine (S × n).
    support: Array2<f64>,
    /// β of each machine (S × machines).
    coefficients: Array2<f64>,
    intercepts: Array1<f64>,
    gaps: Vec<RelativeGap>,
}

impl MulticlassSvm {
    /// Trains a machine for each task of `scheme`, `min λ/2‖f − b‖² + Σ max{0, 1 − y_if(x_i)}` over its rows, b free. Classes
    /// without rows take no part and are never predicted. The kernel matrix of all rows is made once. Takes O(L²) memory.
    ///
    /// # Errors
    /// [`SolverError`] for a λ whose reciprocal is not positive and finite, no input columns, rows of one class only,
    /// inputs so large that their kernel overflows, and settings out of range.
    pub fn fit(
        kernel: InputKernel,
        data: &LabelledDataset,
        lambda: f64,
        scheme: Scheme,
        settings: &GramSettings,
    ) -> Result<Self, SolverError> {
        let classes = check(data, lambda)?;
        let x = data.x().view();
        let gram = kernel.at_points(x, x);
        check_gram(gram.view())?;
        let pairs = scheme.pairs(&classes);
        let mut coefficients = Array2::zeros((data.rows(), pairs.len()));
        let mut intercepts = Array1::zeros(pairs.len());
        let mut gaps = Vec::with_capacity(pairs.len());
        for (machine, pair) in pairs.iter().enumerate() {
            let (rows, y) = pair.rows(data.labels());
            let own = own_part(gram.view(), &rows);
            let found = fit_gram_svm(own.view(), Array1::from_vec(y).view(), lambda, settings)?;
            for (&row, &beta) in rows.iter().zip(&found.beta) {
                coefficients[(row, machine)] = beta;
            }
            intercepts[machine] = found.intercept;
            gaps.push(found.relative_gap);
        }
        let in_use = |row: &usize| coefficients.row(*row).iter().any(|beta| *beta != 0.0);
        let support: Vec<usize> = (0..data.rows()).filter(in_use).collect();
        Ok(Self {
            kernel,
            pairs,
            classes: data.classes(),
            support: x.select(Axis(0), &support),
            coefficients: coefficients.select(Axis(0), &support),
            intercepts,
            gaps,
        })
    }

    /// The certified relative gap `(P − D)/P` of each machine, in the order of [`MulticlassSvm::decisions`].
    pub fn gaps(&self) -> &[RelativeGap] {
        &self.gaps
    }

    /// The number of training rows that are a support point of some machine.
    pub fn support_points(&self) -> usize {
        self.support.nrows()
    }

    /// The decision values (p × machines) at the rows of `x` (p × n). Machines are those of classes (0, 1), (0, 2), …,
    /// (1, 2), … or of classes 0, 1, …, classes without rows left out.
    ///
    /// # Errors
    /// As [`Classifier::predict`]; [`SolverError::NotFinite`] too for inputs so large that their kernel overflows.
    pub fn decisions(&self, x: ArrayView2<'_, f64>) -> Result<Array2<f64>, SolverError> {
        check_rows(x, self.support.ncols())?;
        let mut decisions = Array2::zeros((x.nrows(), self.pairs.len()));
        let blocks = decisions.axis_chunks_iter_mut(Axis(0), BLOCK);
        for (mut block, x) in blocks.zip(x.axis_chunks_iter(Axis(0), BLOCK)) {
            let kernels = self.kernel.at_points(x, self.support.view());
            block.assign(&matmul(kernels.view(), self.coefficients.view()));
            block += &self.intercepts;
        }
        check_all_finite("decision values", decisions.view())?;
        Ok(decisions)
    }
}

impl Classifier for MulticlassSvm {
    fn predict(&self, x: ArrayView2<'_, f64>) -> Result<Vec<usize>, SolverError> {
        let decisions = self.decisions(x)?;
        Ok(winners(&self.pairs, self.classes, decisions.view()))
    }
}

/// The part of the kernel matrix of the given rows; the whole without a copy.
fn own_part<'a>(gram: ArrayView2<'a, f64>, rows: &[usize]) -> CowArray<'a, f64, Ix2> {
    if rows.len() == gram.nrows() {
        return CowArray::from(gram);
    }
    let entry = |(i, j): (usize, usize)| gram[(rows[i], rows[j])];
    CowArray::from(Array2::from_shape_fn((rows.len(), rows.len()), entry))
}

/// The classes that have rows, if the input is one to train on.
fn check(data: &LabelledDataset, lambda: f64) -> Result<Vec<usize>, SolverError> {
    if !(lambda > 0.0 && lambda.is_finite() && lambda.recip().is_finite()) {
        return Err(SolverError::Lambda(lambda));
    }
    if data.features() == 0 {
        return Err(SolverError::Shape {
            what: "input columns",
            expected: 1,
            found: 0,
        });
    }
    let sizes = data.class_sizes();
    let present: Vec<usize> = (0..sizes.len()).filter(|&class| sizes[class] > 0).collect();
    if present.len() < 2 {
        return Err(SolverError::OneClass { rows: data.rows() });
    }
    Ok(present)
}
