//! Graph embeddings, of points or of normal inputs, and nearest neighbours behind them.

use super::Fitted;
use super::fitted::{Candidate, Capacity, Chosen, Selection};
use super::projected::{ProjectedNeighbours, Projector};
use crate::run::failure::Failure;
use crate::study::classifiers::plan_method::{Embedding, Form, Graph as GraphPlan, Widths};
use crate::study::classifiers::prepare::Prepared;
use ndarray::{Array1, Array2, Axis, s};
use robust_svm_core::data::nearest_neighbour_distances;
use robust_svm_core::distribution::{Covariances, GaussianInputs, InputKernel};
use robust_svm_core::kernel::squared_distances;
use robust_svm_solvers::embedding::gram_distances;
use robust_svm_solvers::{
    Classifier, Graph, KNearest, KernelEmbedding, LinearEmbedding, SolverError,
};

/// The best of the grid: kernels outermost, then variances, then dimensions, for which one embedding is fitted. Test and
/// validation rows are points.
pub(super) fn fit(plan: &Embedding, prepared: &Prepared, level: f64) -> Result<Fitted, Failure> {
    let mut search = Search {
        plan,
        prepared,
        selection: Selection::new(prepared),
    };
    let inputs = inputs(plan, prepared, level)?;
    for (width, inputs) in &inputs {
        if plan.form == Form::Linear {
            search.linear(*width, inputs);
        }
    }
    for kernel in &plan.kernels {
        let kernel = match kernel.kernel(prepared) {
            Ok(kernel) => kernel,
            Err(failure) => {
                search.selection.fail(&Chosen::default(), &failure);
                continue;
            }
        };
        for (width, inputs) in &inputs {
            search.by_kernel(kernel, *width, inputs);
        }
    }
    search.selection.finish()
}

/// The training inputs with each of the plan's variances.
fn inputs(
    plan: &Embedding,
    prepared: &Prepared,
    level: f64,
) -> Result<Vec<(Option<f64>, GaussianInputs)>, Failure> {
    let x = prepared.train.x();
    let with = |width, covariances| -> Result<_, Failure> {
        let inputs = GaussianInputs::new(x.clone(), covariances);
        Ok((Some(width), inputs.map_err(Failure::failed)?))
    };
    let isotropic = |width: f64| {
        let variances = Array1::from_elem(x.nrows(), width);
        with(width, Covariances::Isotropic(variances))
    };
    let by_neighbours = |widths: &[f64], features: f64| {
        let squares = nearest_neighbour_distances(x.view()).mapv(|d| d * d / features);
        let of = |width: &f64| with(*width, Covariances::Isotropic(&squares * *width));
        widths.iter().map(of).collect()
    };
    match &plan.widths {
        Widths::Points => {
            let points = GaussianInputs::points(x.clone()).map_err(Failure::failed)?;
            Ok(vec![(None, points)])
        }
        Widths::NearestNeighbour(widths) => by_neighbours(widths, 1.0),
        Widths::NearestNeighbourTotal(widths) => by_neighbours(widths, x.ncols() as f64),
        Widths::Isotropic(widths) => widths.iter().copied().map(isotropic).collect(),
        Widths::Level => Ok(vec![isotropic(prepared.variance(level))?]),
    }
}

struct Search<'a> {
    plan: &'a Embedding,
    prepared: &'a Prepared,
    selection: Selection<'a>,
}

impl Search<'_> {
    fn dims(&self) -> &[usize] {
        self.plan.dims.on(&self.prepared.label)
    }

    fn most(&self) -> usize {
        self.dims().iter().copied().max().unwrap_or(1)
    }

    /// The graph; distances for marginal Fisher analysis are asked for where they are needed.
    fn graph(&self, distances: impl FnOnce() -> Array2<f64>) -> Result<Graph, SolverError> {
        let train = &self.prepared.train;
        match self.plan.graph {
            GraphPlan::Pca => Graph::pca(train.rows()),
            GraphPlan::Lda => Graph::lda(train.labels(), train.classes()),
            GraphPlan::Mfa { within, between } => {
                let distances = distances();
                let (labels, classes) = (train.labels(), train.classes());
                Graph::mfa(distances.view(), labels, classes, within, between)
            }
        }
    }

    fn linear(&mut self, width: Option<f64>, inputs: &GaussianInputs) {
        let chosen = Chosen {
            width,
            ..Chosen::default()
        };
        let x = self.prepared.train.x().view();
        let fitted = || -> Result<(Projector, Array2<f64>, usize), SolverError> {
            let graph = self.graph(|| squared_distances(x, x))?;
            let settings = self.plan.settings;
            let mut embedding = LinearEmbedding::fit(&graph, inputs, self.most(), &settings)?;
            if self.plan.unit_together {
                embedding = embedding.with_unit_together();
            }
            let (coordinates, dims) = (embedding.project(x)?, embedding.dims());
            Ok((Projector::Linear(embedding), coordinates, dims))
        };
        let fitted = fitted();
        self.offer(&chosen, fitted, |_, _| None);
    }

    fn by_kernel(&mut self, kernel: InputKernel, width: Option<f64>, inputs: &GaussianInputs) {
        let chosen = Chosen {
            width,
            ..Chosen::of_kernel(kernel)
        };
        let gram = match kernel.gram(inputs) {
            Ok(gram) => gram,
            Err(error) => return self.selection.fail(&chosen, &Failure::failed(error)),
        };
        let fitted = || -> Result<(Projector, Array2<f64>, usize), SolverError> {
            let graph = self.graph(|| gram_distances(gram.view()))?;
            let settings = self.plan.settings;
            let mut embedding = KernelEmbedding::fit(&graph, gram.view(), self.most(), &settings)?;
            if self.plan.unit_together {
                embedding = embedding.with_unit_together();
            }
            let (coordinates, dims) = (embedding.project(gram.view())?, embedding.dims());
            let projector = Projector::Kernel {
                kernel,
                inputs: inputs.clone(),
                embedding,
            };
            Ok((projector, coordinates, dims))
        };
        let fitted = fitted();
        let linear = kernel == InputKernel::Linear;
        self.offer(&chosen, fitted, |projector, dims| {
            let Projector::Kernel { embedding, .. } = projector else {
                return None;
            };
            Some(Capacity {
                norm: longest(embedding, dims, &gram),
                trace: gram.diag().sum(),
                uncertain: linear.then(|| inputs.traces().sum()),
                hinge: None,
            })
        });
    }

    /// Takes the dimension that is best on the validation rows, if one is better than what was best before.
    fn offer(
        &mut self,
        chosen: &Chosen,
        fitted: Result<(Projector, Array2<f64>, usize), SolverError>,
        capacity: impl FnOnce(&Projector, usize) -> Option<Capacity>,
    ) {
        let (projector, train, most) = match fitted {
            Ok(fitted) => fitted,
            Err(error) => return self.selection.fail(chosen, &error.into()),
        };
        let best = match self.best_dimension(&projector, &train, most) {
            Ok(best) => best,
            Err(error) => return self.selection.fail(chosen, &error.into()),
        };
        let Some((dims, accuracy, neighbours)) = best else {
            return;
        };
        let chosen = Chosen {
            dims: Some(dims as u32),
            ..chosen.clone()
        };
        let capacity = capacity(&projector, dims);
        let classifier = ProjectedNeighbours {
            projector,
            dims,
            neighbours,
        };
        let candidate = Candidate {
            capacity,
            ..Candidate::plain(classifier)
        };
        self.selection.take(chosen, candidate, accuracy);
    }

    /// The first dimension of those with the best accuracy, with its neighbours, if that is better than what was best before.
    /// Dimensions that the embedding has not are left out.
    fn best_dimension(
        &self,
        projector: &Projector,
        train: &Array2<f64>,
        most: usize,
    ) -> Result<Option<(usize, f64, KNearest)>, SolverError> {
        let validation = projector.project(self.prepared.validation.x().view())?;
        let data = &self.prepared.train;
        let mut best: Option<(usize, f64, KNearest)> = None;
        for &dims in self.dims().iter().filter(|dims| **dims <= most) {
            let first = train.slice(s![.., ..dims]).to_owned();
            let labels = data.labels().to_vec();
            let neighbours = KNearest::new(first, labels, data.classes(), self.plan.k)?;
            let predicted = neighbours.predict(validation.slice(s![.., ..dims]))?;
            let accuracy = self.selection.accuracy(&predicted);
            let is_better = best.as_ref().is_none_or(|(_, best, _)| accuracy > *best);
            if is_better && self.selection.is_better(accuracy) {
                best = Some((dims, accuracy, neighbours));
            }
        }
        Ok(best)
    }
}

/// The largest norm `sqrt(aᵀKa)` of the first `dims` directions.
fn longest(embedding: &KernelEmbedding, dims: usize, gram: &Array2<f64>) -> f64 {
    let coefficients = embedding.coefficients();
    let first = coefficients.slice(s![.., ..dims]);
    let squares = (&gram.dot(&first) * &first).sum_axis(Axis(0));
    squares
        .iter()
        .fold(0.0_f64, |most, square| most.max(*square))
        .sqrt()
}
