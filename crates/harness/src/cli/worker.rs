//! `robust-svm worker`: what `run --isolate` starts. It is no command for people, and not shown.

use super::exit::{Ended, Exit};
use super::kinds::{Visitor, with_experiment};
use crate::run::{Attached, WorkerCommand, attach};
use crate::spec::SpecFile;
use crate::views::Viewed;
use std::io;

/// The command's name.
const WORKER: &str = "worker";

/// What starts a worker of this program.
pub(super) fn worker_command() -> Result<WorkerCommand, Ended> {
    WorkerCommand::this_program(&[WORKER]).map_err(internal)
}

pub(super) fn worker() -> Result<Exit, Ended> {
    let attached = attach().map_err(internal)?;
    let planned = SpecFile::from_text(&attached.path, attached.text.clone());
    // The experiment is handed on with the pipes, or else what is wrong with it.
    let mut attached = Some(attached);
    let served = planned
        .map_err(super::exit::spec_error)
        .and_then(|file| with_experiment(file, Serve(&mut attached)));
    match (served, attached) {
        (Err(ended), Some(attached)) => attached.refuse(ended.message).map_err(internal)?,
        (served, _) => served?,
    }
    Ok(Exit::Ok)
}

struct Serve<'a>(&'a mut Option<Attached>);

impl Visitor for Serve<'_> {
    type Out = ();

    fn visit<E: Viewed>(self, experiment: &E) -> Result<(), Ended> {
        let attached = self.0.take().expect("it is served once");
        attached.serve(experiment).map_err(internal)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn internal(error: io::Error) -> Ended {
    Ended::new(Exit::Internal, format!("worker: {error}"))
}
