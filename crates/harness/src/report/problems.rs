//! What is wrong with a run, for the top of its report.

use crate::store::{Record, Status};
use crate::table::shown::counted;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong with some cells.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Problem {
    /// How many cells, and how they ended.
    title: String,
    /// Why, most frequent first.
    reasons: Vec<Reason>,
}

/// Why cells have no numbers.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Reason {
    text: String,
    count: usize,
    /// The first of them.
    places: Vec<String>,
}

/// Places told of each reason.
const PLACES: usize = 3;

/// The cells of `rows` without numbers, by how they ended, and the cells `planned` that have no row.
pub(super) fn problems<R: Record>(rows: &[R], planned: &BTreeSet<String>) -> Vec<Problem> {
    let mut ended: BTreeMap<&str, BTreeMap<&str, Vec<&R>>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.status() != Status::Ok) {
        let reason = row.reason().unwrap_or("no reason is given");
        let of_status = ended.entry(row.status().name()).or_default();
        of_status.entry(reason).or_default().push(row);
    }
    let mut problems: Vec<Problem> = ended
        .into_iter()
        .map(|(status, reasons)| {
            let count = reasons.values().map(Vec::len).sum();
            let title = format!("{} {status}", counted(count, "cell"));
            Problem {
                title,
                reasons: by_frequency(reasons),
            }
        })
        .collect();
    let there: BTreeSet<&str> = rows.iter().map(Record::cell_id).collect();
    let missing = planned
        .iter()
        .filter(|id| !there.contains(id.as_str()))
        .count();
    if missing > 0 {
        problems.push(Problem {
            title: format!(
                "{missing} of {} are missing",
                counted(planned.len(), "cell")
            ),
            reasons: Vec::new(),
        });
    }
    problems
}

fn by_frequency<R: Record>(reasons: BTreeMap<&str, Vec<&R>>) -> Vec<Reason> {
    let reason = |(text, rows): (&str, Vec<&R>)| {
        let mut places: Vec<String> = Vec::new();
        for row in &rows {
            let place = row.place();
            if places.len() < PLACES && !places.contains(&place) {
                places.push(place);
            }
        }
        Reason {
            text: text.to_owned(),
            count: rows.len(),
            places,
        }
    };
    let mut reasons: Vec<Reason> = reasons.into_iter().map(reason).collect();
    // Stable: equally frequent ones stay in the order of their texts.
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
    reasons
}
