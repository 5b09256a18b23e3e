//! What a results folder was made by, beside what this program would make it by.

use crate::run::Experiment;
use crate::store::{DatasetIdentity, Manifest, StoreError, cpu_features};
use serde::Serialize;
use std::path::Path;

/// A results folder's manifest, and what has changed since.
#[derive(Debug)]
pub(crate) struct Origin {
    /// The folder's.
    pub(crate) manifest: Manifest,
    /// What changed.
    pub(crate) changes: Changes,
}

/// What is not as it was when results were made.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Changes {
    /// Experiment file, code and data: another of them is another experiment.
    pub(crate) made_from: Vec<String>,
    /// Compiler, platform and processor: they may change last bits.
    pub(crate) made_on: Vec<String>,
    /// Datasets that results were made from and that are not here, changed or not.
    pub(crate) not_at_hand: Vec<String>,
}

impl Origin {
    /// Of the results of `experiment` in `folder`.
    ///
    /// # Errors
    /// [`StoreError`] if its manifest cannot be read.
    pub(crate) fn of<E: Experiment>(folder: &Path, experiment: &E) -> Result<Self, StoreError> {
        let manifest = Manifest::read(&folder.join("manifest.toml"))?;
        let now = experiment.manifest();
        let changes = Changes {
            made_from: made_from(&manifest, &now),
            made_on: made_on(&manifest, &now),
            not_at_hand: not_at_hand(&manifest, &now),
        };
        Ok(Self { manifest, changes })
    }
}

impl Changes {
    /// Whether equal bytes are promised.
    pub(crate) fn none(&self) -> bool {
        self.is_of_these() && self.made_on.is_empty()
    }

    /// Whether results were made from the experiment file, code and data that are here.
    pub(crate) fn is_of_these(&self) -> bool {
        self.made_from.is_empty() && self.not_at_hand.is_empty()
    }

    /// For people: what became of what.
    pub(crate) fn told(&self) -> Vec<(&'static str, String)> {
        let changed = self.made_from.iter().chain(&self.made_on);
        let changed = changed.map(|change| ("changed since", change.clone()));
        let gone = self.not_at_hand.iter();
        let gone = gone.map(|name| ("not at hand", format!("dataset `{name}`")));
        changed.chain(gone).collect()
    }
}

fn made_from(then: &Manifest, now: &Manifest) -> Vec<String> {
    let mut changes = Vec::new();
    if then.experiment != now.experiment {
        changes.push("the experiment file".to_owned());
    }
    if (&then.code.version, &then.code.sha256) != (&now.code.version, &now.code.sha256) {
        changes.push(format!(
            "the code (then {}, sources {}; now {}, sources {})",
            then.code.told(),
            short(&then.code.sha256),
            now.code.told(),
            short(&now.code.sha256),
        ));
    }
    for dataset in &then.dataset {
        let there = now.dataset.iter().find(|d| d.name == dataset.name);
        let is_other =
            |there: &DatasetIdentity| there.is_at_hand() && there.sha256 != dataset.sha256;
        if there.is_none_or(is_other) {
            changes.push(format!("dataset `{}`", dataset.name));
        }
    }
    changes
}

fn not_at_hand(then: &Manifest, now: &Manifest) -> Vec<String> {
    let gone = now.dataset.iter().filter(|dataset| !dataset.is_at_hand());
    let was_there = |name: &str| {
        then.dataset
            .iter()
            .any(|d| d.name == name && d.is_at_hand())
    };
    gone.filter(|dataset| was_there(&dataset.name))
        .map(|dataset| dataset.name.clone())
        .collect()
}

fn made_on(then: &Manifest, now: &Manifest) -> Vec<String> {
    let mut changes = Vec::new();
    let mut compare = |what: &str, then: &str, now: &str| {
        if then != now {
            changes.push(format!("{what} (then {then}; now {now})"));
        }
    };
    compare("the compiler", &then.code.rustc, &now.code.rustc);
    compare("the platform", &then.code.target, &now.code.target);
    let features = cpu_features();
    let mut others = then.run.iter().filter(|run| run.cpu_features != features);
    if let Some(run) = others.next_back() {
        compare(
            "the processor's features",
            &run.cpu_features.join(" "),
            &features.join(" "),
        );
    }
    changes
}

/// The beginning of a digest, for people.
pub(crate) fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}
