//! Which rows of a dataset were trained on, selected on and tested on.

use robust_svm_core::data::Split;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The rows of each part of a split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct PartDigests {
    pub(crate) train: PartDigest,
    pub(crate) validation: PartDigest,
    pub(crate) test: PartDigest,
}

/// The rows of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct PartDigest {
    /// How many.
    pub(crate) rows: usize,
    /// SHA-256 of their numbers.
    pub(crate) sha256: String,
}

impl PartDigests {
    /// Of `split`.
    pub(crate) fn of(split: &Split) -> Self {
        Self {
            train: PartDigest::of(&split.train),
            validation: PartDigest::of(&split.validation),
            test: PartDigest::of(&split.test),
        }
    }
}

impl PartDigest {
    /// Of `rows`, in increasing order: SHA-256 of their numbers (from 0, among the rows of the task) as
    /// 64-bit integers, least significant byte first.
    fn of(rows: &[usize]) -> Self {
        let mut hash = Sha256::new();
        for &row in rows {
            hash.update((row as u64).to_le_bytes());
        }
        Self {
            rows: rows.len(),
            sha256: format!("{:x}", hash.finalize()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PartDigest;

    #[test]
    fn the_digest_is_that_of_another_program() {
        // numpy: sha256(array([0, 5, 258], "<u8").tobytes()).
        let part = PartDigest::of(&[0, 5, 258]);
        assert_eq!(part.rows, 3);
        assert_eq!(
            part.sha256,
            "8e2cf56e44ccbd1ec05cc20a4adba614548ff168365e910c9c412d8406e188c1"
        );
    }
}
