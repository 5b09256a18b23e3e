//! A cell by the beginning of its identity.

/// Why no one cell is meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FindError {
    /// No identity begins so.
    #[error(
        "no cell's identity begins with `{0}`\n  \
         = help: identities are in the column cell_id of cells.parquet: 16 digits from 0 to f"
    )]
    Unknown(String),
    /// Several do.
    #[error(
        "{count} cells' identities begin with `{prefix}`\n  = help: give more digits, for example {first}"
    )]
    Several {
        /// What was given.
        prefix: String,
        /// How many cells it may mean.
        count: usize,
        /// The first of them.
        first: String,
    },
}

/// The one identity of `ids` that begins with `prefix`.
pub(crate) fn find_cell<'a>(
    ids: impl Iterator<Item = &'a str>,
    prefix: &str,
) -> Result<&'a str, FindError> {
    let matching: Vec<&str> = ids.filter(|id| id.starts_with(prefix)).collect();
    match matching[..] {
        [id] if !prefix.is_empty() => Ok(id),
        [] => Err(FindError::Unknown(prefix.to_owned())),
        [first, ..] => Err(FindError::Several {
            prefix: prefix.to_owned(),
            count: matching.len(),
            first: first.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::{FindError, find_cell};

    #[test]
    fn a_prefix_must_be_of_one_cell() {
        let find = |prefix| find_cell(["ab12", "ab34", "cd56"].into_iter(), prefix);
        assert_eq!(find("c"), Ok("cd56"));
        assert_eq!(find("ab34"), Ok("ab34"));
        assert_eq!(find("x"), Err(FindError::Unknown("x".into())));
        let several = |prefix: &str, count| FindError::Several {
            prefix: prefix.into(),
            count,
            first: "ab12".into(),
        };
        assert_eq!(find("ab"), Err(several("ab", 2)));
        assert_eq!(find(""), Err(several("", 3)));
    }
}
