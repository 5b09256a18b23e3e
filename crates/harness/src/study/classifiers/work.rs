//! How much work the cells of a group are, as far as it is known before they are run.

use super::plan::{ClassifiersGroup, ClassifiersPlan};
use super::plan_method::{Family, MarginMap, Widths};
use super::spec_noise::NoiseKind;
use crate::store::Work;

/// The work of each cell of `group`, in their order.
pub(super) fn works(plan: &ClassifiersPlan, group: ClassifiersGroup, part: &str) -> Vec<Work> {
    let task = &plan.tasks[group.task];
    let split = plan.split_of(group.task, group.repeat).and_then(Result::ok);
    let (train, test) = split.map_or((0, 0), |split| (split.train.len(), split.test.len()));
    let features = task.loaded.as_ref().map_or(0, |task| task.data.features());
    let keys = plan.keys(group).into_iter();
    keys.map(|axes| {
        let family = &plan.methods[axes.method].family;
        let probes = match axes.noise {
            NoiseKind::None => test,
            NoiseKind::WorstCase => test * (plan.noise.directions + 7),
            NoiseKind::Uniform | NoiseKind::Gaussian | NoiseKind::Dropout => {
                test * plan.noise.draws
            }
        };
        Work {
            group: part.to_owned(),
            dataset: task.label.clone(),
            key: format!("classifiers {}", name(family)),
            map: name(family).to_owned(),
            rows: train as u32,
            dim: dimension(family, train, features) as u32,
            candidates: candidates(family, &task.label) as u32,
            blocks: 1,
            probes: probes as u64,
        }
    })
    .collect()
}

fn name(family: &Family) -> &'static str {
    match family {
        Family::Neighbours { .. } => "k-nn",
        Family::Embedding(_) => "embedding",
        Family::Projection { .. } => "projection",
        Family::Svm { .. } => "svm",
        Family::Ridge { .. } => "kernel-ridge",
        Family::Tree { .. } => "tree",
        Family::Margin { .. } => "margin",
        Family::Measure { .. } => "measure",
    }
}

/// Columns of what is trained on: of kernels the training rows.
fn dimension(family: &Family, train: usize, features: usize) -> usize {
    match family {
        Family::Neighbours { .. } | Family::Projection { .. } | Family::Tree { .. } => features,
        Family::Embedding(embedding) if embedding.kernels.is_empty() => features,
        Family::Embedding(_) | Family::Svm { .. } | Family::Ridge { .. } => train,
        Family::Margin { map, .. } => match map {
            MarginMap::Identity => features,
            MarginMap::Rff(dim, _) | MarginMap::Nystrom(dim, _) => *dim,
        },
        Family::Measure { features, .. } => features.unwrap_or(train),
    }
}

/// Models that are trained to choose from.
fn candidates(family: &Family, label: &str) -> usize {
    match family {
        Family::Neighbours { .. } => 1,
        Family::Embedding(embedding) => {
            let widths = match &embedding.widths {
                Widths::NearestNeighbour(list)
                | Widths::NearestNeighbourTotal(list)
                | Widths::Isotropic(list) => list.len(),
                Widths::Points | Widths::Level => 1,
            };
            widths * embedding.kernels.len().max(1)
        }
        Family::Projection { dims, .. } => dims.on(label).len(),
        Family::Svm {
            kernels, lambdas, ..
        }
        | Family::Ridge { kernels, lambdas }
        | Family::Measure {
            kernels, lambdas, ..
        } => kernels.len() * lambdas.len(),
        Family::Tree { depths } => depths.len(),
        Family::Margin { map, lambdas, .. } => {
            let kernels = match map {
                MarginMap::Identity => 1,
                MarginMap::Rff(_, kernels) | MarginMap::Nystrom(_, kernels) => kernels.len(),
            };
            kernels * lambdas.len()
        }
    }
}
