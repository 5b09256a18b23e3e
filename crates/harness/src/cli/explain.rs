//! `robust-svm explain`.

use super::exit::{Ended, Exit, spec_error, store_error, views_error};
use super::explain_report::{FolderReport, MadeBy, Report};
use super::kinds::{Visitor, with_experiment};
use super::output::OutputFormat;
use super::say::{say, say_json};
use super::verify::require_finished;
use crate::plan::PlannedCell;
use crate::provenance::{
    Address, Folder, NumberExplanation, Place, What, columns_of, find_cell, find_entry, names_in,
    with_values,
};
use crate::spec::SpecFile;
use crate::store::Cells;
use crate::table::forms;
use crate::views::Viewed;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  robust-svm explain results/noise-grid
  robust-svm explain results/noise-grid 60e60ce1
  robust-svm explain results/noise-grid tables/accuracy:ionosphere/0.5/robust-rff
  robust-svm explain results/noise-grid plots/robust_error:ionosphere/robust-rff/0.5

A cell is named by its identity (the column cell_id) or the beginning of it; an entry of a table by
the names of its line and its column as the table has them, in any order; a point of a figure by its
values on the axes of cells, alone or as axis=value. Without any, the folder as a whole is told.";

#[derive(Debug, Args)]
pub(super) struct ExplainArguments {
    /// The results folder
    #[arg(value_name = "DIR")]
    results: PathBuf,
    /// A cell, an entry of a table, or a point of a figure [default: the folder]
    what: Option<String>,
}

pub(super) fn explain(arguments: &ExplainArguments, format: OutputFormat) -> Result<Exit, Ended> {
    require_finished(&arguments.results)?;
    let file = SpecFile::read(&arguments.results.join("experiment.toml")).map_err(spec_error)?;
    with_experiment(file, Explain { arguments, format })
}

struct Explain<'a> {
    arguments: &'a ExplainArguments,
    format: OutputFormat,
}

impl Visitor for Explain<'_> {
    type Out = Exit;

    fn visit<E: Viewed>(self, experiment: &E) -> Result<Exit, Ended> {
        let path = &self.arguments.results;
        let folder = Folder::read(path, experiment).map_err(store_error)?;
        let what = self.arguments.what.as_deref().map(What::of);
        let made_by = || MadeBy::of(&folder.origin);
        let report = match &what {
            None => Report::Folder(FolderReport::of(&folder)),
            Some(What::Cell(prefix)) => {
                let cell = cell(&folder, prefix)?;
                let cell = folder.explain(cell).map_err(store_error)?;
                Report::cell(path, cell, made_by())
            }
            Some(What::Entry(address)) => Report::number(path, entry(&folder, address)?, made_by()),
            Some(What::Point(address)) => Report::number(path, point(&folder, address)?, made_by()),
        };
        match self.format {
            OutputFormat::Json => say_json(&report)?,
            OutputFormat::Text => say(report.text().trim_end())?,
        }
        Ok(Exit::Ok)
    }
}

/// The stored cell whose identity begins with `prefix`.
fn cell<'a, E: Viewed>(folder: &'a Folder<'_, E>, prefix: &str) -> Result<&'a PlannedCell, Ended> {
    let id = find_cell(folder.stored.ids(), prefix).map_err(|e| Ended::new(Exit::BadInput, e))?;
    folder.planned.cell(id).ok_or_else(|| {
        let message = format!(
            "{}: the cell {id} is none of its experiment\n  = help: `robust-svm verify` tells what else is wrong",
            folder.path.display()
        );
        Ended::new(Exit::BadInput, message)
    })
}

/// The entry of the table at `address`.
fn entry<E: Viewed>(folder: &Folder<'_, E>, address: &Address) -> Result<NumberExplanation, Ended> {
    let path = folder.path.join("cells.parquet");
    let cells = Cells::open(&path).map_err(store_error)?;
    let views = folder.experiment.views_in(folder.path, &cells);
    let views = views.map_err(views_error)?;
    let found = find_entry(&views.tables, address);
    let found = found.map_err(|error| Ended::new(Exit::BadInput, error))?;
    let mut cells = Vec::new();
    for of in &found.entry.cells {
        let planned = folder.planned.cells();
        cells.extend(with_values(planned, &folder.stored, &columns_of(of)).map_err(store_error)?);
    }
    let mut once: Vec<&PlannedCell> = Vec::new();
    for cell in cells {
        if !once.iter().any(|other| other.id == cell.id) {
            once.push(cell);
        }
    }
    let place = Place {
        folder: "tables",
        name: &found.document.name,
        names: found.place(),
        key: &found.column.key,
        numbers: &found.entry.numbers,
        over_datasets: found.is_average(),
    };
    let mut number = NumberExplanation::of(folder, place, &once).map_err(store_error)?;
    let unit = found.column.unit.iter().map(|unit| format!(" {unit}"));
    number.text = Some(found.entry.text.clone() + &unit.collect::<String>());
    number.caption = Some(found.document.caption.clone());
    for (ending, text) in forms(found.document, folder.experiment.name()) {
        let file = format!("tables/{}.{ending}", found.document.name);
        if std::fs::read(folder.path.join(&file)).ok().as_deref() != Some(text.as_bytes()) {
            number.differing.push(file);
        }
    }
    number.file_agrees = Some(number.differing.is_empty());
    Ok(number)
}

/// The point of the figure at `address`.
fn point<E: Viewed>(folder: &Folder<'_, E>, address: &Address) -> Result<NumberExplanation, Ended> {
    require_name(folder, "plots", &address.name)?;
    let there = || {
        folder
            .planned
            .cells()
            .filter(|cell| folder.stored.has(&cell.id))
    };
    let cells: Vec<&PlannedCell> = there().filter(|c| address.is_on_axes(c)).collect();
    if cells.is_empty() || address.parts.is_empty() {
        let named = address.parts.join("/");
        let message = format!(
            "no point of plots/{} is named `{named}`\n  = help: a point is named by values of its cells: {}",
            address.name,
            axes(&there().collect::<Vec<_>>())
        );
        return Err(Ended::new(Exit::BadInput, message));
    }
    let place = Place {
        folder: "plots",
        name: &address.name,
        names: address.parts.join("/"),
        key: "",
        numbers: &[],
        over_datasets: false,
    };
    NumberExplanation::of(folder, place, &cells).map_err(store_error)
}

/// An error that lists the files of `of` unless `name` is one.
fn require_name<E: Viewed>(folder: &Folder<'_, E>, of: &str, name: &str) -> Result<(), Ended> {
    let names = names_in(&folder.path.join(of)).map_err(store_error)?;
    if names.iter().any(|own| own == name) {
        return Ok(());
    }
    let message = format!(
        "there is no {of}/{name} in {}\n  = help: there are {}",
        folder.path.display(),
        names.join(", ")
    );
    Err(Ended::new(Exit::BadInput, message))
}

/// The axes of `cells` and their values, as far as a line holds them.
fn axes(cells: &[&PlannedCell]) -> String {
    let Some(first) = cells.first() else {
        return "there is none".to_owned();
    };
    let of_axis = |(index, (axis, _)): (usize, &(&str, String))| {
        let mut values: Vec<&str> = Vec::new();
        for cell in cells {
            let value = cell.axes[index].1.as_str();
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let more = if values.len() > 12 { ", …" } else { "" };
        values.truncate(12);
        format!("{axis} ({}{more})", values.join(", "))
    };
    let axes: Vec<String> = first.axes.iter().enumerate().map(of_axis).collect();
    axes.join(", ")
}
