//! From a file to scaled rows on disk.

use super::apart::Apart;
use super::error::ScratchError;
use super::scatter::{self, Copy, scatter};
use super::scratch::Scratch;
use super::space;
use super::survey::{Question, Survey, survey};
use super::train::{StreamPlan, StreamTrainError};
use crate::data::{BlockReader, DataError, MissingPolicy};
use crate::model_file::Classes;
use crate::modelling::progress::RowProgress;
use crate::modelling::train::TrainError;
use crate::modelling::user_file::{TaskQuestion, UserFile};
use crate::plan::MapPlan;
use crate::run::Show;
use crate::run::prepare::MEDIAN_ROWS;
use crate::store::write_atomically;
use robust_svm_core::seed::CellSeed;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::SystemTime;

/// What was found in the first pass; it is there when the copy is whole.
pub(super) const SURVEY: &str = "survey.json";

/// A file and what is asked of it.
pub(super) struct Input<'a> {
    pub(super) file: &'a UserFile,
    pub(super) question: &'a TaskQuestion<'a>,
    pub(super) plan: &'a StreamPlan<'a>,
    pub(super) seeds: &'a CellSeed,
    pub(super) apart: Apart,
    /// At least as many as the file has rows.
    pub(super) most: usize,
    /// What the file was like before it was read.
    pub(super) stamp: Stamp,
}

/// Length and time of the last change of a file.
pub(super) type Stamp = (u64, Option<SystemTime>);

pub(super) fn stamp(path: &Path) -> Result<Stamp, DataError> {
    let found = fs::metadata(path).map_err(|source| DataError::Io {
        path: path.to_owned(),
        source,
    })?;
    Ok((found.len(), found.modified().ok()))
}

impl Input<'_> {
    /// Survey, classes and the copy of the rows; those that were made before a kill, if they were.
    pub(super) fn prepare(
        &self,
        scratch: &Scratch,
    ) -> Result<(Survey, Classes, Copy), StreamTrainError> {
        let made = scratch.file(SURVEY);
        let before = fs::read(&made)
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Survey>(&bytes).ok())
            .filter(|_| Copy::is_in(scratch));
        let survey = match &before {
            Some(survey) => survey.clone(),
            None => self.survey()?,
        };
        let labels = survey.labels.keys().cloned();
        let classes = self.file.classes(self.question, labels)?;
        self.check_sides(&survey, &classes)?;
        let scaler = survey.scaler().map_err(StreamTrainError::numerical)?;
        if scaler.kept().is_empty() {
            return Err(TrainError::Constant.into());
        }
        let rows = [0, 1].map(|part| survey.rows_of(part, |_| true));
        self.check_landmarks(&survey)?;
        let plan = scatter::Plan {
            scaler: &scaler,
            classes: &classes,
            apart: self.apart,
            seeds: self.seeds,
            rows,
        };
        if before.is_some() {
            let copy = Copy::found(scratch, rows, scaler.kept().len());
            return Ok((survey, classes, copy));
        }
        let needs = plan.bytes();
        let free = space::free(scratch.path());
        if free.is_some_and(|free| free < needs) {
            let path = scratch.path().to_owned();
            return Err(ScratchError::NoSpace { path, needs, free }.into());
        }
        if self.plan.show != Show::Nothing {
            let folder = scratch.path().display();
            // Nobody listening is no reason to stop.
            let _ = writeln!(
                std::io::stderr(),
                "the copy of {} rows in {folder} takes {} of disk until the model is there",
                survey.rows_used(),
                indicatif::BinaryBytes(needs)
            );
        }
        let reader = self.reader()?;
        let mut progress = RowProgress::start(self.plan.show, "copying", survey.rows_read, 0);
        let copy = scatter(reader, &self.file.path, &plan, scratch, &mut progress)?;
        if stamp(&self.file.path)? != self.stamp {
            return Err(scatter::changed(&self.file.path).into());
        }
        let text = serde_json::to_vec(&survey).map_err(StreamTrainError::numerical)?;
        write_atomically(&made, &text).map_err(ScratchError::writing(&made, needs))?;
        Ok((survey, classes, copy))
    }

    fn reader(&self) -> Result<BlockReader, DataError> {
        let wanted = self.file.wanted(self.question);
        BlockReader::open(&self.file.path, self.file.format, &wanted)
    }

    fn survey(&self) -> Result<Survey, StreamTrainError> {
        let landmarks = match &self.plan.train.map {
            MapPlan::Nystrom { landmarks, .. } => landmarks[0],
            _ => 0,
        };
        let question = Question {
            path: &self.file.path,
            label: self.question.label,
            apart: self.apart,
            scaling: self.plan.train.scaling,
            sample: MEDIAN_ROWS.max(landmarks),
        };
        let rng = self.seeds.stream("sample");
        let mut progress = RowProgress::start(self.plan.show, "reading", self.most, 0);
        let found = survey(self.reader()?, &question, rng, &mut progress)?;
        // Faults of the classes come first.
        self.file
            .classes(self.question, found.survey.labels.keys().cloned())?;
        match found.missing {
            Some((place, column)) if self.question.missing == MissingPolicy::Error => {
                Err(DataError::MissingValue {
                    path: self.file.path.clone(),
                    place,
                    column: found.survey.columns[column].clone(),
                    count: found.survey.missing_values,
                    remedy: "--missing drop leaves such rows out",
                }
                .into())
            }
            _ => Ok(found.survey),
        }
    }

    /// That both sides have training rows.
    fn check_sides(&self, survey: &Survey, classes: &Classes) -> Result<(), DataError> {
        for (side, name, sign) in [
            (&classes.positive, "positive", 1.0),
            (&classes.negative, "negative", -1.0),
        ] {
            if survey.rows_of(0, |label| classes.side_of(label) == Some(sign)) == 0 {
                let stem = self.file.path.file_stem().unwrap_or_default();
                return Err(DataError::EmptySide {
                    dataset: stem.to_string_lossy().into_owned(),
                    side: name,
                    reason: format!("no row of {} is left to train on", side.labels.join(", ")),
                });
            }
        }
        Ok(())
    }

    fn check_landmarks(&self, survey: &Survey) -> Result<(), TrainError> {
        let rows = survey.sample.len();
        match &self.plan.train.map {
            MapPlan::Nystrom { landmarks, .. } if landmarks[0] > rows => {
                Err(TrainError::Landmarks {
                    landmarks: landmarks[0],
                    rows,
                })
            }
            _ => Ok(()),
        }
    }
}
