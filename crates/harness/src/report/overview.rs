//! The cards at the top of a report.

use crate::plan::PlannedCell;
use crate::store::{Manifest, Record, Status};
use crate::table::shown::scientific;
use polars::prelude::{Column, PolarsResult};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A number that sums the run up.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Card {
    label: String,
    value: String,
    note: String,
}

impl Card {
    fn new(label: &str, value: &impl ToString, note: impl Into<String>) -> Self {
        Self {
            label: label.to_owned(),
            value: value.to_string(),
            note: note.into(),
        }
    }
}

/// Axes that are counted, and what several of their values are called.
const COUNTED: [(&str, &str); 8] = [
    ("dataset", "datasets"),
    ("map", "feature maps"),
    ("bound", "bounds"),
    ("method", "methods"),
    ("noise", "noises"),
    ("level", "levels"),
    ("gamma", "levels γ"),
    ("repeat", "repeats"),
];

/// What sums up `rows`, with their `columns`, of the cells `planned`, which took `seconds` in the solver.
///
/// # Errors
/// If a column is not of the type it has in every kind of experiment.
pub(super) fn cards<R: Record>(
    rows: &[R],
    columns: &[Column],
    planned: &[PlannedCell],
    seconds: f64,
    manifest: &Manifest,
) -> PolarsResult<Vec<Card>> {
    let ok = rows.iter().filter(|row| row.status() == Status::Ok).count();
    let without = rows.len() - ok;
    let note = match (without, planned.len().saturating_sub(rows.len())) {
        (0, 0) => "all measured".to_owned(),
        (without, 0) => format!("of {}; {without} without numbers", rows.len()),
        (without, missing) => {
            format!(
                "of {}; {without} without numbers, {missing} missing",
                planned.len()
            )
        }
    };
    let mut cards = vec![Card::new("cells measured", &ok, note)];
    let values = axes(planned);
    for (axis, label) in COUNTED {
        if let Some(values) = values.get(axis) {
            cards.push(Card::new(label, &values.len(), ""));
        }
    }
    cards.push(Card::new(
        "solver time",
        &duration(seconds),
        "over all cells",
    ));
    if let Some((gap, id)) = largest_gap(columns)? {
        let place = rows
            .iter()
            .find(|row| row.cell_id() == id)
            .map(Record::place);
        let note = place.unwrap_or_default();
        cards.push(Card::new("largest certified gap", &scientific(gap), note));
    }
    cards.push(Card::new("seed", &manifest.experiment.seed, ""));
    let code = &manifest.code;
    let digest: String = code.sha256.chars().take(12).collect();
    let digest = format!("code {digest}");
    cards.push(Card::new("version", &code.version, digest));
    Ok(cards)
}

/// The values of each axis.
fn axes(planned: &[PlannedCell]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (axis, value) in planned.iter().flat_map(|cell| &cell.axes) {
        values.entry(axis).or_default().insert(value);
    }
    values
}

/// The largest relative gap, and the cell that has it.
fn largest_gap(columns: &[Column]) -> PolarsResult<Option<(f64, &str)>> {
    let named = |name: &str| columns.iter().find(|column| column.name() == name);
    let (Some(gaps), Some(ids)) = (named("relative_gap"), named("cell_id")) else {
        return Ok(None);
    };
    let both = gaps.f64()?.iter().zip(ids.str()?.iter());
    let both = both.filter_map(|(gap, id)| Some((gap?, id?)));
    Ok(both.max_by(|a, b| a.0.total_cmp(&b.0)))
}

/// Seconds in units that people read.
fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..10 => format!("{seconds:.2} s"),
        10..120 => format!("{whole} s"),
        120..7200 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::{duration, largest_gap};
    use crate::store::cell::column;

    #[test]
    fn durations() {
        let told = [0.25, 11.6, 125.0, 7265.0].map(duration);
        assert_eq!(told, ["0.25 s", "12 s", "2 min 5 s", "2 h 1 min"]);
    }

    #[test]
    fn the_largest_gap_is_that_of_a_cell_that_has_one() {
        let rows = [
            ("a", Some(1e-9)),
            ("b", None),
            ("c", Some(3e-7)),
            ("d", Some(0.0)),
        ];
        let columns = [
            column(&rows, "cell_id", |row| Some(row.0)),
            column(&rows, "relative_gap", |row| row.1),
        ];
        assert_eq!(largest_gap(&columns).unwrap(), Some((3e-7, "c")));
        assert_eq!(largest_gap(&columns[..1]).unwrap(), None);
    }
}
