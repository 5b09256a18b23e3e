//! What part of an experiment a folder holds, where that is not the whole.

use serde::{Deserialize, Serialize};

/// The part of an experiment's cells that were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Portion {
    /// The cells of the whole experiment.
    pub planned: usize,
    /// What was asked for, as on the command line, in the order it was first asked.
    pub asked: Vec<String>,
}

impl Portion {
    /// `self` and what `other` asked for.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        for asked in &other.asked {
            if !self.asked.contains(asked) {
                self.asked.push(asked.clone());
            }
        }
        self
    }
}
