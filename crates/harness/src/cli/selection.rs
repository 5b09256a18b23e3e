//! The arguments that ask for a part of an experiment.

use super::exit::{Ended, Exit, select_error};
use crate::plan::{Selection, Shard};
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct SelectionArguments {
    /// Only cells with these values, for example dataset=wine,level=0.5; values of one key are alternatives, and
    /// \, is a comma in a value
    #[arg(long, value_name = "K=V[,K=V…]")]
    only: Vec<String>,
    /// Only each N-th group of cells from the I-th on; `robust-svm merge` joins the shards
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
}

impl SelectionArguments {
    /// The selection of a run that cuts the shards itself.
    pub(super) fn without_shard(&self) -> Result<Selection, Ended> {
        if self.shard.is_some() {
            let message = "--shard cannot be asked of a cluster, whose tasks are shards themselves\n  \
                           = help: say with --jobs how many; --only asks for a part of the cells";
            return Err(Ended::new(Exit::BadInput, message));
        }
        self.selection()
    }

    /// What `--only` asks for, as words of a command line.
    pub(super) fn words(&self) -> Vec<String> {
        self.only
            .iter()
            .map(|only| format!("--only={only}"))
            .collect()
    }

    pub(super) fn selection(&self) -> Result<Selection, Ended> {
        let shard = self.shard.as_deref().map(str::parse::<Shard>);
        let shard = shard.transpose().map_err(select_error)?;
        Selection::new(&self.only, shard).map_err(select_error)
    }
}
