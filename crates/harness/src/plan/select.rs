//! A part of an experiment's cells: `--only` and `--shard`.

use super::PlannedCell;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// The cells that are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    only: Vec<Axis>,
    shard: Option<Shard>,
}

/// An axis and the values on it that are asked for: each is an alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Axis {
    key: String,
    values: Vec<String>,
}

/// Every `of`-th group from the `index`-th on, 1 ≤ index ≤ of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    of: usize,
}

/// Why cells cannot be selected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectError {
    /// A piece of `--only` is not KEY=VALUE.
    #[error("`{0}` is not KEY=VALUE\n  = help: for example --only dataset=wine,level=0.5")]
    NotAnAxis(String),
    /// `--shard` is not I/N.
    #[error(
        "`{0}` is not a shard I/N with 1 ≤ I ≤ N\n  = help: for example --shard 1/3, --shard 2/3 and --shard 3/3"
    )]
    NotAShard(String),
    /// The experiment has no such axis.
    #[error("the cells have no `{key}`\n  = help: they have {there}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The axes, listed.
        there: String,
    },
    /// No cell has this value on the axis.
    #[error("no cell has {key} = {value}\n  = help: {key} is {there}")]
    UnknownValue {
        /// The axis.
        key: String,
        /// The value.
        value: String,
        /// The values, listed.
        there: String,
    },
    /// Every value is there, and no cell has them together.
    #[error(
        "no cell has all of {only}\n  = help: leave some of it out; `robust-svm plan FILE --cells` lists the cells"
    )]
    NoCells {
        /// What was asked.
        only: String,
    },
    /// There are more shards than groups.
    #[error(
        "shard {shard} is empty: there are {groups} groups\n  = help: use at most {groups} shards"
    )]
    EmptyShard {
        /// The shard.
        shard: Shard,
        /// The groups with cells that are asked for.
        groups: usize,
    },
}

/// The most values that an error lists.
const LISTED: usize = 20;

impl Selection {
    /// Of `only`, each `K=V[,K=V…]`, and `shard`. In a value `\,` is a comma and `\\` a backslash.
    ///
    /// # Errors
    /// [`SelectError::NotAnAxis`].
    pub fn new(only: &[String], shard: Option<Shard>) -> Result<Self, SelectError> {
        let mut axes: Vec<Axis> = Vec::new();
        for piece in only.iter().flat_map(|text| pieces(text)) {
            let bad = || SelectError::NotAnAxis(piece.clone());
            let (key, value) = piece.split_once('=').ok_or_else(bad)?;
            let (key, value) = (key.trim(), value.trim().to_owned());
            if key.is_empty() || value.is_empty() {
                return Err(bad());
            }
            match axes.iter_mut().find(|axis| axis.key == key) {
                Some(axis) if axis.values.contains(&value) => {}
                Some(axis) => axis.values.push(value),
                None => axes.push(Axis {
                    key: key.to_owned(),
                    values: vec![value],
                }),
            }
        }
        Ok(Self { only: axes, shard })
    }

    /// Whether every cell is asked for.
    pub fn is_whole(&self) -> bool {
        self.only.is_empty() && self.shard.is_none_or(|shard| shard.of == 1)
    }

    /// That each key and value of `--only` is one of `cells`.
    ///
    /// # Errors
    /// [`SelectError::UnknownKey`] and [`SelectError::UnknownValue`].
    pub(crate) fn check(
        &self,
        cells: impl Iterator<Item = PlannedCell>,
    ) -> Result<(), SelectError> {
        if self.only.is_empty() {
            return Ok(());
        }
        // The axes and the values on each, in the order of the cells.
        let mut there: Vec<(&'static str, Vec<String>)> = Vec::new();
        let mut seen: BTreeSet<(&'static str, String)> = BTreeSet::new();
        for (key, value) in cells.flat_map(|cell| cell.axes) {
            if !seen.insert((key, value.clone())) {
                continue;
            }
            match there.iter_mut().find(|(known, _)| *known == key) {
                Some((_, values)) => values.push(value),
                None => there.push((key, vec![value])),
            }
        }
        for Axis { key, values } in &self.only {
            let Some((_, known)) = there.iter().find(|(known, _)| known == key) else {
                let keys: Vec<&str> = there.iter().map(|(key, _)| *key).collect();
                return Err(SelectError::UnknownKey {
                    key: key.clone(),
                    there: listed(&keys),
                });
            };
            let unknown = |value: &&String| !known.iter().any(|known| same(known, value));
            if let Some(value) = values.iter().find(unknown) {
                return Err(SelectError::UnknownValue {
                    key: key.clone(),
                    value: value.clone(),
                    there: listed(known),
                });
            }
        }
        Ok(())
    }

    /// Whether `--only` asks for `cell`.
    pub(crate) fn takes(&self, cell: &PlannedCell) -> bool {
        self.only.iter().all(|axis| {
            let here = cell.axes.iter().find(|(key, _)| *key == axis.key);
            here.is_some_and(|(_, value)| axis.values.iter().any(|asked| same(asked, value)))
        })
    }

    /// Of the groups with cells that `--only` takes, those of the shard.
    ///
    /// # Errors
    /// [`SelectError::NoCells`] and [`SelectError::EmptyShard`].
    pub(crate) fn of_shard<G>(&self, groups: Vec<G>) -> Result<Vec<G>, SelectError> {
        let count = groups.len();
        if count == 0 {
            let only = self.to_string();
            return Err(SelectError::NoCells { only });
        }
        let Some(shard) = self.shard else {
            return Ok(groups);
        };
        let indexed = groups.into_iter().enumerate();
        let kept: Vec<G> = indexed
            .filter(|(index, _)| index % shard.of + 1 == shard.index)
            .map(|(_, group)| group)
            .collect();
        if kept.is_empty() {
            return Err(SelectError::EmptyShard {
                shard,
                groups: count,
            });
        }
        Ok(kept)
    }
}

/// As on the command line; empty for the whole.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "--only ";
        for Axis { key, values } in &self.only {
            for value in values {
                write!(f, "{separator}{key}={}", escaped(value))?;
                separator = ",";
            }
        }
        if let Some(shard) = self.shard {
            let space = if self.only.is_empty() { "" } else { " " };
            write!(f, "{space}--shard {shard}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = SelectError;

    fn from_str(text: &str) -> Result<Self, SelectError> {
        let parse = || {
            let (index, of) = text.split_once('/')?;
            let (index, of) = (index.parse().ok()?, of.parse().ok()?);
            (1..=of).contains(&index).then_some(Self { index, of })
        };
        parse().ok_or_else(|| SelectError::NotAShard(text.to_owned()))
    }
}

/// What is between the commas of `text`, but for those behind a backslash.
fn pieces(text: &str) -> Vec<String> {
    let (mut pieces, mut piece) = (Vec::new(), String::new());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            ',' => pieces.push(std::mem::take(&mut piece)),
            '\\' => piece.push(rest.next_if(|c| matches!(c, ',' | '\\')).unwrap_or('\\')),
            c => piece.push(c),
        }
    }
    pieces.push(piece);
    pieces
}

/// A value as `--only` takes it.
pub(crate) fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace(',', "\\,")
}

/// Whether two values of an axis are the same: as numbers where both are, else as text.
fn same(a: &str, b: &str) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

fn listed<S: AsRef<str>>(values: &[S]) -> String {
    let shown: Vec<&str> = values.iter().take(LISTED).map(AsRef::as_ref).collect();
    let more = values.len() - shown.len();
    let shown = shown.join(", ");
    match more {
        0 => shown,
        _ => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::{SelectError, Selection, Shard};
    use crate::plan::PlannedCell;
    use proptest::prelude::*;

    fn cell(dataset: &str, level: f64) -> PlannedCell {
        PlannedCell {
            id: String::new(),
            axes: vec![("dataset", dataset.into()), ("level", level.to_string())],
        }
    }

    fn only(text: &str) -> Selection {
        Selection::new(&[text.to_owned()], None).expect("it is well formed")
    }

    #[test]
    fn values_of_a_key_are_alternatives_and_keys_all_hold() {
        let selection = only("dataset=a,level=0.50,dataset=b");
        let taken = |dataset, level| selection.takes(&cell(dataset, level));
        assert!(taken("a", 0.5) && taken("b", 0.5));
        assert!(!taken("c", 0.5) && !taken("a", 0.25));
        assert_eq!(
            selection.to_string(),
            "--only dataset=a,dataset=b,level=0.50"
        );
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        assert!(only("level=1e-1").takes(&cell("a", 0.1)));
        assert!(only("level=-0").takes(&cell("a", 0.0)));
        assert!(!only("dataset=A").takes(&cell("a", 0.0)));
    }

    #[test]
    fn a_backslash_keeps_a_comma_in_its_value() {
        let selection = only(r"dataset=a\,b,dataset=c\\,level=0.5,dataset=d\e");
        for name in ["a,b", r"c\", r"d\e"] {
            assert!(selection.takes(&cell(name, 0.5)), "{name}");
        }
        assert!(!selection.takes(&cell("a", 0.5)) && !selection.takes(&cell("a,b", 1.0)));
        let written = selection.to_string();
        let again = only(written.strip_prefix("--only ").unwrap());
        assert_eq!(again, selection, "{written}");
    }

    #[test]
    fn shards_that_are_none() {
        for text in ["0/3", "4/3", "1", "1/0", "-1/2", "a/b", "1/2/3", ""] {
            let error = text.parse::<Shard>().unwrap_err();
            assert_eq!(error, SelectError::NotAShard(text.into()));
        }
    }

    proptest! {
        /// Every group is in one shard, and shards differ by at most one group.
        #[test]
        fn shards_part_the_groups(of in 1_usize..12, more in 0_usize..40) {
            let groups: Vec<usize> = (0..of + more).collect();
            let mut all = Vec::new();
            for index in 1..=of {
                let shard = Selection { only: Vec::new(), shard: Some(Shard { index, of }) };
                let kept = shard.of_shard(groups.clone()).unwrap();
                prop_assert!((kept.len() as f64 - groups.len() as f64 / of as f64).abs() < 1.0);
                all.extend(kept);
            }
            all.sort_unstable();
            prop_assert_eq!(all, groups);
        }
    }
}
