//! What is known of a number of a table or figure: the cells it rests on, and how it follows from them.

use super::{
    CellExplanation, Derivation, Folder, Rule, Value, isolated, rules, run_command, verify_command,
};
use crate::plan::PlannedCell;
use crate::run::Experiment;
use crate::store::StoreError;
use serde::Serialize;

/// An entry of a table, or a point of a figure.
#[derive(Debug, Serialize)]
pub(crate) struct NumberExplanation {
    /// The file, as `tables/accuracy`.
    pub(crate) file: String,
    /// The place in it, as `wine/0.5/linear`.
    pub(crate) place: String,
    /// What is displayed there; `None` of a figure.
    pub(crate) text: Option<String>,
    /// How the table says it is to be read.
    pub(crate) caption: Option<String>,
    /// Whether the table's files in the folder are what the stored cells give; `None` of a figure.
    pub(crate) file_agrees: Option<bool>,
    /// Those that are not, or not there.
    pub(crate) differing: Vec<String>,
    /// How each of its numbers follows; none where they are not single statistics of columns.
    pub(crate) derivations: Vec<Derivation>,
    /// The cells it rests on.
    pub(crate) cells: Vec<CellExplanation>,
    /// The command line that computes them into a new folder.
    pub(crate) run: Option<String>,
    /// The command line that computes them again and compares.
    pub(crate) verify: String,
}

/// Where a number stands and what it shows.
pub(crate) struct Place<'a> {
    /// `tables` or `plots`.
    pub(crate) folder: &'static str,
    /// The file's name without its ending.
    pub(crate) name: &'a str,
    /// The names of line and column.
    pub(crate) names: String,
    /// The column's key.
    pub(crate) key: &'a str,
    /// The numbers shown; none of a figure.
    pub(crate) numbers: &'a [f64],
    /// Whether it is over all datasets, each with the same weight.
    pub(crate) over_datasets: bool,
}

impl NumberExplanation {
    /// Of the number at `place`, which rests on `cells`.
    ///
    /// # Errors
    /// [`StoreError`] if the stored file is damaged.
    pub(crate) fn of<E: Experiment>(
        folder: &Folder<'_, E>,
        place: Place<'_>,
        cells: &[&PlannedCell],
    ) -> Result<Self, StoreError> {
        let explained = cells.iter().map(|cell| folder.explain(cell));
        let explained: Vec<CellExplanation> = explained.collect::<Result<_, _>>()?;
        let values = |rule: Rule| values(&explained, rule.column, place.over_datasets);
        let mean = |column| {
            let statistic = super::Statistic::Mean;
            statistic.of(&values(Rule { statistic, column }))
        };
        let rules = rules(place.name, place.key, |a, b| mean(a) != mean(b));
        let derivation = |(index, rule): (usize, &Rule)| {
            let values = values(*rule);
            Derivation {
                statistic: rule.statistic,
                column: rule.column,
                over_datasets: place.over_datasets,
                number: rule.statistic.of(&values),
                shown: place.numbers.get(index).copied(),
                values,
            }
        };
        Ok(Self {
            file: format!("{}/{}", place.folder, place.name),
            text: None,
            caption: None,
            file_agrees: None,
            differing: Vec::new(),
            derivations: rules.iter().enumerate().map(derivation).collect(),
            run: run_command(folder.path, cells, folder.planned.cells(), "again")
                .map(|command| isolated(command, folder.experiment)),
            verify: verify_command(folder.path, cells),
            place: place.names,
            cells: explained,
        })
    }
}

/// The values in `column` of the cells that were measured, or their means over the datasets of each repeat.
fn values(cells: &[CellExplanation], column: &str, over_datasets: bool) -> Vec<f64> {
    let mut repeats: Vec<(Option<&Value>, Vec<f64>)> = Vec::new();
    for cell in cells {
        let measured = cell.values.get("status").is_some_and(|s| s.is("ok"));
        let number = cell.values.get(column).and_then(Value::number);
        let Some(number) = number.filter(|_| measured) else {
            continue;
        };
        let repeat = cell.axes.get("repeat");
        match repeats.iter_mut().find(|(own, _)| *own == repeat) {
            Some((_, values)) if over_datasets => values.push(number),
            _ => repeats.push((repeat, vec![number])),
        }
    }
    let mean = |(_, values): &(_, Vec<f64>)| values.iter().sum::<f64>() / values.len() as f64;
    repeats.iter().map(mean).collect()
}
