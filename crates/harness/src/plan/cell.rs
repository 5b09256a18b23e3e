//! The axes of a cell and its identity.

use super::PlannedCell;
use sha2::{Digest, Sha256};

/// What tells one cell from another.
#[derive(Debug, Clone, PartialEq)]
pub struct CellKey {
    /// The dataset's name in the experiment.
    pub dataset: String,
    /// The method's name.
    pub method: String,
    /// The evaluation level.
    pub level: f64,
    /// The training level.
    pub train_level: f64,
    /// The repeat, from 0.
    pub repeat: u32,
}

impl CellKey {
    /// SHA-256 of the axes, its first 16 hexadecimal digits: the same cell keeps its identity when the
    /// experiment around it grows.
    pub fn id(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(b"robust-svm cell 1");
        for text in [&self.dataset, &self.method] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        hash.update(self.level.to_bits().to_le_bytes());
        hash.update(self.train_level.to_bits().to_le_bytes());
        hash.update(self.repeat.to_le_bytes());
        let digest = format!("{:x}", hash.finalize());
        digest[..16].to_owned()
    }

    /// The cell before it is run.
    pub(crate) fn planned(&self) -> PlannedCell {
        PlannedCell {
            id: self.id(),
            axes: vec![
                ("dataset", self.dataset.clone()),
                ("method", self.method.clone()),
                ("level", self.level.to_string()),
                ("train_level", self.train_level.to_string()),
                ("repeat", self.repeat.to_string()),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CellKey;

    #[test]
    fn the_identity_is_the_same_for_ever() {
        let key = CellKey {
            dataset: "ionosphere".into(),
            method: "robust-rff".into(),
            level: 0.5,
            train_level: 0.5,
            repeat: 3,
        };
        // From an independent implementation of the hash.
        assert_eq!(key.id(), "60e60ce1afa11758");
    }
}
