//! Identities of the cells of studies.

use crate::plan::PlannedCell;
use sha2::{Digest, Sha256};

/// The cell of `axes` before it is run.
pub(super) fn planned(kind: &str, axes: Vec<(&'static str, String)>) -> PlannedCell {
    let values: Vec<&str> = axes.iter().map(|(_, value)| value.as_str()).collect();
    PlannedCell {
        id: cell_id(kind, &values),
        axes,
    }
}

/// SHA-256 of the kind of experiment and a cell's axes, its first 16 hexadecimal digits: the same cell keeps its
/// identity when the experiment around it grows.
fn cell_id(kind: &str, axes: &[&str]) -> String {
    let mut hash = Sha256::new();
    hash.update(b"robust-svm study cell 1");
    for text in std::iter::once(&kind).chain(axes) {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    let digest = format!("{:x}", hash.finalize());
    digest[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::cell_id;

    #[test]
    fn axes_do_not_run_together() {
        let id = |axes: &[&str]| cell_id("k", axes);
        assert_ne!(id(&["ab", "c"]), id(&["a", "bc"]));
        assert_ne!(id(&["a"]), id(&["a", ""]));
        assert_eq!(id(&["a", "b"]).len(), 16);
    }
}
