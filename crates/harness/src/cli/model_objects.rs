//! What `train`, `predict` and `certify` print as JSON.

use crate::modelling::certify::Certificates;
use crate::modelling::predict::{PredictedRow, Predictions};
use crate::modelling::summary::DataTold;
use crate::modelling::train::{PartErrors, Trained};
use serde::Serialize;
use std::path::Path;

/// A model that was trained.
#[derive(Serialize)]
pub(super) struct TrainObject<'a> {
    command: &'static str,
    model: &'a Path,
    lambda: f64,
    sigma: Option<f64>,
    feature_dim: Option<usize>,
    bound: Option<&'a str>,
    gamma: f64,
    solver: &'a str,
    relative_gap: f64,
    /// Whether the rows were streamed; the others of this group are `None` where they were not.
    streamed: bool,
    /// The gap that was asked for.
    tolerance: Option<f64>,
    /// What ended training: `tolerance`, `epochs`, `iterations`, `stalled` or `not-finite`.
    ended: Option<&'static str>,
    /// Rows of the task; those trained on, and those held out.
    rows: usize,
    training_rows: usize,
    validation_rows: usize,
    candidates: usize,
    candidates_failed: usize,
    /// `None` where the rows do not fit into memory.
    training: Option<PartErrors>,
    validation: Option<PartErrors>,
}

/// The predictions of a file; they are in the file `out` where one is named, else in `predictions`.
#[derive(Serialize)]
pub(super) struct PredictObject<'a> {
    command: &'static str,
    rows: usize,
    rows_used: usize,
    accuracy: Option<f64>,
    out: Option<&'a Path>,
    predictions: Option<&'a [PredictedRow]>,
}

/// The certificates of a file; those of each row are in the file `out`.
#[derive(Serialize)]
pub(super) struct CertifyObject<'a> {
    command: &'static str,
    rows: usize,
    rows_used: usize,
    labelled: bool,
    levels: Vec<LevelObject>,
    out: Option<&'a Path>,
}

#[derive(Serialize)]
struct LevelObject {
    gamma: f64,
    /// `None` where there are no labels.
    clean_error: Option<f64>,
    attack_error: f64,
    certified_error: f64,
}

impl<'a> TrainObject<'a> {
    pub(super) fn new(data: &DataTold, trained: &'a Trained, out: &'a Path) -> Self {
        let training = &trained.model.training;
        Self {
            command: "train",
            model: out,
            lambda: training.lambda,
            sigma: trained.model.sigma,
            feature_dim: trained.feature_dim,
            bound: training.bound.as_deref(),
            gamma: training.gamma,
            solver: &training.solver,
            relative_gap: training.relative_gap,
            streamed: trained.streamed.is_some(),
            tolerance: trained.streamed.map(|streamed| streamed.tolerance),
            ended: trained.streamed.map(|streamed| streamed.ended.name()),
            rows: data.rows,
            training_rows: training.rows,
            validation_rows: training.validation_rows,
            candidates: trained.candidates,
            candidates_failed: trained.failures.len(),
            training: trained.training,
            validation: trained.validation,
        }
    }
}

impl<'a> PredictObject<'a> {
    pub(super) fn new(
        predictions: &Predictions,
        rows: Option<&'a [PredictedRow]>,
        out: Option<&'a Path>,
    ) -> Self {
        Self {
            command: "predict",
            rows: predictions.rows,
            rows_used: predictions.used,
            accuracy: predictions.error.map(|error| 1.0 - error),
            out,
            predictions: rows,
        }
    }
}

impl<'a> CertifyObject<'a> {
    pub(super) fn new(found: &Certificates, out: Option<&'a Path>) -> Self {
        let level = |level: &crate::modelling::certify::Level| LevelObject {
            gamma: level.gamma,
            clean_error: found.labelled.then_some(found.clean),
            attack_error: level.attacked,
            certified_error: level.certified,
        };
        Self {
            command: "certify",
            rows: found.rows,
            rows_used: found.used,
            labelled: found.labelled,
            levels: found.levels.iter().map(level).collect(),
            out,
        }
    }
}
