//! Identities of the cells of studies.

use sha2::{Digest, Sha256};

/// SHA-256 of the kind of experiment and a cell's axes, its first 16 hexadecimal digits: the same cell keeps its
/// identity when the experiment around it grows.
pub(super) fn cell_id(kind: &str, axes: &[String]) -> String {
    let mut hash = Sha256::new();
    hash.update(b"robust-svm study cell 1");
    for text in std::iter::once(kind).chain(axes.iter().map(String::as_str)) {
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
        let id = |axes: &[&str]| {
            cell_id(
                "k",
                &axes.iter().map(|a| (*a).to_owned()).collect::<Vec<_>>(),
            )
        };
        assert_ne!(id(&["ab", "c"]), id(&["a", "bc"]));
        assert_ne!(id(&["a"]), id(&["a", ""]));
        assert_eq!(id(&["a", "b"]).len(), 16);
    }
}
