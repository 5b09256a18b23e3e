//! A trained model with all that belongs to it.

use super::features::{entries_of, matrix, model_of, rows_of};
use super::format::{
    FORMAT, MissingEntry, ModelFile, NormEntry, ScalingEntry, ScalingRule, ShapeEntry,
    TrainingEntry, UncertaintyEntry, VERSION,
};
use super::{Classes, ModelFault};
use crate::data::MissingPolicy;
use ndarray::{Array1, Array2, ArrayView2};
use robust_svm_core::data::{Scaler, Scaling};
use robust_svm_core::model::{DecisionFunction, Model};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use std::collections::BTreeSet;

/// A trained model with what takes raw rows to decisions and certificates.
#[derive(Debug, Clone)]
pub struct SavedModel {
    /// The names of the input columns, in the order of [`SavedModel::scale`]'s columns.
    pub columns: Vec<String>,
    /// The name of the column that the labels were in.
    pub label: String,
    /// What becomes of rows with missing values.
    pub missing: MissingPolicy,
    /// What it tells apart.
    pub classes: Classes,
    /// How the features were scaled: it says the unit of γ.
    pub scaling: Scaling,
    /// That scaling, fitted to the training rows.
    pub scaler: Scaler,
    /// The shape of the uncertainty sets, on the scaled features that are kept.
    pub set: UncertaintySet,
    /// The model, on the scaled features.
    pub model: Model,
    /// Its kernel's bandwidth σ, in units of the scaled features; `None` for linear models.
    pub sigma: Option<f64>,
    /// Where it comes from.
    pub training: Training,
}

/// How a model was trained.
#[derive(Debug, Clone, PartialEq)]
pub struct Training {
    /// The program and its version.
    pub program: String,
    /// SHA-256 of the data file, in hexadecimal digits.
    pub data_sha256: String,
    /// The seed of every random choice.
    pub seed: u64,
    /// Training rows.
    pub rows: usize,
    /// Validation rows.
    pub validation_rows: usize,
    /// The solver.
    pub solver: String,
    /// The bound trained with; `None` for nominal models.
    pub bound: Option<String>,
    /// γ, in units of the scaled features: what was trained against where there is a bound, and what candidates
    /// were compared at.
    pub gamma: f64,
    /// λ.
    pub lambda: f64,
    /// The certified relative gap of the training problem.
    pub relative_gap: f64,
}

impl SavedModel {
    /// Raw rows `x` (p × columns, NaN = missing) on the scale of the model: p × n, with the training medians
    /// where values are missing.
    ///
    /// # Panics
    /// If `x` is narrower than there are columns.
    pub fn scale(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        self.scaler.apply(x)
    }

    /// The decision values of raw rows (p × columns).
    ///
    /// # Panics
    /// As [`SavedModel::scale`].
    pub fn decision(&self, x: ArrayView2<'_, f64>) -> Array1<f64> {
        self.model.decision(self.scale(x).view())
    }

    /// The entries of the file.
    pub(super) fn to_file(&self) -> ModelFile {
        let (features, weights, intercept) = entries_of(&self.model, self.sigma);
        let training = &self.training;
        ModelFile {
            format: FORMAT.to_owned(),
            version: VERSION,
            columns: self.columns.clone(),
            label: self.label.clone(),
            missing: match self.missing {
                MissingPolicy::Drop => MissingEntry::Drop,
                MissingPolicy::Median => MissingEntry::Median,
                MissingPolicy::Error => MissingEntry::Error,
            },
            classes: self.classes.clone(),
            scaling: ScalingEntry {
                rule: match self.scaling {
                    Scaling::Standardize => ScalingRule::Standardize,
                    Scaling::MinMax => ScalingRule::MinMax,
                    Scaling::None => ScalingRule::None,
                },
                kept: self.scaler.kept().to_vec(),
                medians: self.scaler.medians().to_vec(),
                offsets: self.scaler.offsets().to_vec(),
                divisors: self.scaler.divisors().to_vec(),
            },
            uncertainty: UncertaintyEntry {
                norm: match self.set.norm() {
                    Norm::One => NormEntry::One,
                    Norm::Two => NormEntry::Two,
                    Norm::Infinity => NormEntry::Infinity,
                },
                shape: match self.set.factor() {
                    Factor::Identity => ShapeEntry::Identity,
                    Factor::Diagonal(scales) => ShapeEntry::Diagonal(scales.to_vec()),
                    Factor::Full(factor) => ShapeEntry::Full(rows_of(factor.view())),
                },
            },
            training: TrainingEntry {
                program: training.program.clone(),
                data_sha256: training.data_sha256.clone(),
                seed: training.seed,
                rows: training.rows,
                validation_rows: training.validation_rows,
                solver: training.solver.clone(),
                bound: training.bound.clone(),
                gamma: training.gamma,
                lambda: training.lambda,
                relative_gap: training.relative_gap,
            },
            intercept,
            features,
            weights,
        }
    }

    /// The model of these entries, checked.
    pub(super) fn from_file(file: ModelFile) -> Result<Self, ModelFault> {
        check_columns(&file.columns)?;
        file.classes.check()?;
        let scaling = file.scaling;
        let scaler = Scaler::from_parts(
            scaling.kept,
            scaling.medians.into(),
            scaling.offsets.into(),
            scaling.divisors.into(),
        );
        let scaler = scaler.map_err(ModelFault::core("scaling"))?;
        let n = scaler.kept().len();
        match scaler.kept().last() {
            None => return Err(ModelFault::entry("scaling", "no column is kept")),
            Some(last) if *last >= file.columns.len() => {
                let problem = format!("column {last} of {} is kept", file.columns.len());
                return Err(ModelFault::entry("scaling", problem));
            }
            Some(_) => {}
        }
        let set = set_of(file.uncertainty, n)?;
        let training = training_of(file.training)?;
        let (model, sigma) = model_of(file.features, file.weights, file.intercept, n)?;
        Ok(Self {
            columns: file.columns,
            label: file.label,
            missing: match file.missing {
                MissingEntry::Drop => MissingPolicy::Drop,
                MissingEntry::Median => MissingPolicy::Median,
                MissingEntry::Error => MissingPolicy::Error,
            },
            classes: file.classes,
            scaling: match scaling.rule {
                ScalingRule::Standardize => Scaling::Standardize,
                ScalingRule::MinMax => Scaling::MinMax,
                ScalingRule::None => Scaling::None,
            },
            scaler,
            set,
            model,
            sigma,
            training,
        })
    }
}

/// That there are columns and no two of one name.
fn check_columns(columns: &[String]) -> Result<(), ModelFault> {
    let mut seen = BTreeSet::new();
    match columns.iter().find(|column| !seen.insert(*column)) {
        Some(twice) => {
            let problem = format!("`{twice}` is there twice");
            Err(ModelFault::entry("columns", problem))
        }
        None if columns.is_empty() => Err(ModelFault::entry("columns", "there are none")),
        None => Ok(()),
    }
}

/// The set of the entry, on `n` features.
fn set_of(entry: UncertaintyEntry, n: usize) -> Result<UncertaintySet, ModelFault> {
    let factor = match entry.shape {
        ShapeEntry::Identity => Factor::Identity,
        ShapeEntry::Diagonal(scales) if scales.len() == n => Factor::Diagonal(scales.into()),
        ShapeEntry::Diagonal(scales) => {
            let problem = format!("expected {n} scales, found {}", scales.len());
            return Err(ModelFault::entry("uncertainty", problem));
        }
        ShapeEntry::Full(rows) => Factor::Full(matrix("uncertainty", &rows, n)?),
    };
    let norm = match entry.norm {
        NormEntry::One => Norm::One,
        NormEntry::Two => Norm::Two,
        NormEntry::Infinity => Norm::Infinity,
    };
    let square = factor.width().is_none_or(|width| width == n);
    if !square {
        let problem = format!("expected {n} rows of Σ^{{1/2}}");
        return Err(ModelFault::entry("uncertainty", problem));
    }
    UncertaintySet::new(norm, factor).map_err(ModelFault::core("uncertainty"))
}

fn training_of(entry: TrainingEntry) -> Result<Training, ModelFault> {
    for (name, value, least) in [
        ("gamma", entry.gamma, 0.0),
        ("lambda", entry.lambda, f64::MIN_POSITIVE),
        ("relative_gap", entry.relative_gap, f64::NEG_INFINITY),
    ] {
        if !(value.is_finite() && value >= least) {
            return Err(ModelFault::entry("training", format!("{name} is {value}")));
        }
    }
    Ok(Training {
        program: entry.program,
        data_sha256: entry.data_sha256,
        seed: entry.seed,
        rows: entry.rows,
        validation_rows: entry.validation_rows,
        solver: entry.solver,
        bound: entry.bound,
        gamma: entry.gamma,
        lambda: entry.lambda,
        relative_gap: entry.relative_gap,
    })
}
