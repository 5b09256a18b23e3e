//! What `robust-svm explain` tells, as text.

use super::columns::columns as aligned;
use super::explain_report::{CellReport, FolderReport, MadeBy, NumberReport, Report};
use crate::provenance::{CellExplanation, Derivation, Fields, Value, short};
use crate::store::DatasetIdentity;
use std::fmt::Write as _;

impl Report<'_> {
    /// A few paragraphs for a terminal.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Folder(report) => folder(report),
            Self::Cell(report) => cell(report),
            Self::Number(report) => number(report),
        }
    }
}

/// A name and what it is, one line.
fn line(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "  {name:<21} {value}");
}

fn folder(report: &FolderReport<'_>) -> String {
    let results = report.results.display();
    let mut text = format!("{results}: {}\n\n", report.made_by.experiment);
    let counts = report.stored.iter();
    let counts: Vec<String> = counts.map(|(name, n)| format!("{n} {name}")).collect();
    line(
        &mut text,
        "cells",
        &format!(
            "{} of the experiment; stored: {}",
            report.planned,
            counts.join(", ")
        ),
    );
    line(&mut text, "missing", &report.missing.to_string());
    for dataset in report.dataset {
        line(&mut text, "data", &data(dataset));
    }
    made_by(&mut text, &report.made_by);
    let _ = write!(
        text,
        "\nTo verify it:\n  robust-svm verify {results}\n\
         To trace a number, for example the cell of a row of cells.parquet, or an entry of a table:\n  \
         robust-svm explain {results} CELL_ID\n  \
         robust-svm explain {results} tables/NAME:LINE/COLUMN\n"
    );
    text
}

fn cell(report: &CellReport<'_>) -> String {
    let cell = &report.cell;
    let mut text = format!("cell {} of {}\n\n", cell.cell_id, report.results.display());
    fields(&mut text, &cell.axes);
    text.push('\n');
    fields(&mut text, &cell.values);
    text.push_str("\nDrawn from\n");
    let seed = report.made_by.experiment_seed;
    line(&mut text, "experiment's seed", &seed.to_string());
    if let Some(stream) = &cell.stream {
        let number = format!("{stream}, of the seed, the dataset and the repeat");
        line(&mut text, "number of its streams", &number);
    }
    if let Some(dataset) = &cell.dataset {
        line(&mut text, "data", &data(dataset));
    }
    if let Some(parts) = &cell.parts {
        for (name, part) in [
            ("training rows", &parts.train),
            ("validation rows", &parts.validation),
            ("test rows", &parts.test),
        ] {
            line(
                &mut text,
                name,
                &format!("{}, sha256 {}", part.rows, part.sha256),
            );
        }
    }
    made_by(&mut text, &report.made_by);
    commands(&mut text, cell.run.as_deref(), &cell.verify);
    text
}

fn number(report: &NumberReport<'_>) -> String {
    let number = &report.number;
    let mut text = format!(
        "{}:{} of {}\n\n",
        number.file,
        number.place,
        report.results.display()
    );
    if let Some(shown) = &number.text {
        line(&mut text, "shown", shown);
    }
    text.push_str(&derivations(&number.derivations));
    if let (true, Some(caption)) = (number.derivations.is_empty(), &number.caption) {
        let _ = writeln!(text, "  It is not one statistic of one column. {caption}");
    }
    for file in &number.differing {
        let _ = write!(
            text,
            "\n{file} is not what the stored cells give: `robust-svm report` writes it anew\n"
        );
    }
    let _ = writeln!(text, "\nIt rests on {} cells", number.cells.len());
    text.push_str(&cells(&number.cells, &number.derivations));
    parts(&mut text, &number.cells);
    made_by(&mut text, &report.made_by);
    commands(&mut text, number.run.as_deref(), &number.verify);
    text
}

/// A line a derivation: what of what, what comes of it, and whether the table has it.
fn derivations(derivations: &[Derivation]) -> String {
    if derivations.is_empty() {
        return String::new();
    }
    let row = |derivation: &Derivation| {
        let agrees = match derivation.agrees() {
            Some(true) => "the table's, to the bit".to_owned(),
            Some(false) => format!("the table has {}", shown(derivation.shown)),
            None => String::new(),
        };
        let of = if derivation.over_datasets {
            let values = derivation.values.iter().map(|&v| shown(Some(v)));
            let values: Vec<String> = values.collect();
            format!(
                "{} means over datasets: {}",
                values.len(),
                values.join(", ")
            )
        } else {
            format!("{} values", derivation.values.len())
        };
        vec![
            String::new(),
            format!("{} of {}", derivation.statistic.name(), derivation.column),
            shown(derivation.number),
            agrees,
            of,
        ]
    };
    let header = ["", "computed again", "", "", "from"].map(str::to_owned);
    let rows: Vec<Vec<String>> = derivations.iter().map(row).collect();
    format!("\n{}", aligned(&header, &rows))
}

fn shown(number: Option<f64>) -> String {
    number.map_or_else(|| "—".to_owned(), |n| Value::Number(n).to_string())
}

/// Columns that say how a cell's numbers came about, where the kind of experiment has them.
const CHOSEN: [&str; 7] = [
    "lambda",
    "sigma",
    "feature_dim",
    "bound",
    "solver",
    "relative_gap",
    "reason",
];

/// A line a cell: axes, the columns derived from, what was chosen, and the streams. What several cells have in common is told
/// once, above.
fn cells(cells: &[CellExplanation], derivations: &[Derivation]) -> String {
    let Some(first) = cells.first() else {
        return String::new();
    };
    let names = |fields: &Fields| -> Vec<String> {
        fields.0.iter().map(|(name, _)| name.clone()).collect()
    };
    let axes = names(&first.axes);
    let mut columns = vec!["status".to_owned()];
    if derivations.is_empty() {
        columns = names(&first.values);
    } else {
        columns.extend(derivations.iter().map(|d| d.column.to_owned()));
        columns.extend(CHOSEN.map(str::to_owned));
    }
    let is_there = |column: &String| {
        let values = cells.iter().filter_map(|cell| cell.values.get(column));
        values.into_iter().any(|value| *value != Value::Null)
    };
    columns.retain(is_there);
    columns.dedup();
    let mut header = vec!["cell".to_owned()];
    header.extend(axes.iter().chain(&columns).cloned());
    header.push("streams".to_owned());
    let text = |value: Option<&Value>| value.unwrap_or(&Value::Null).to_string();
    let row = |cell: &CellExplanation| {
        let mut row = vec![cell.cell_id.clone()];
        row.extend(axes.iter().map(|axis| text(cell.axes.get(axis))));
        row.extend(columns.iter().map(|column| text(cell.values.get(column))));
        row.push(text(cell.stream.as_ref()));
        row
    };
    let mut rows: Vec<Vec<String>> = cells.iter().map(row).collect();
    let mut common = Vec::new();
    for column in (1..header.len()).rev() {
        let first = &rows[0][column];
        if rows.len() > 1 && rows.iter().all(|row| row[column] == *first) {
            common.push(format!("{} {first}", header.remove(column)));
            for row in &mut rows {
                row.remove(column);
            }
        }
    }
    common.reverse();
    let told = if common.is_empty() {
        String::new()
    } else {
        format!("All have {}\n", common.join(", "))
    };
    told + &aligned(&header, &rows)
}

/// The rows that each dataset and repeat of `cells` was trained, selected and tested on.
fn parts(text: &mut String, cells: &[CellExplanation]) {
    let mut lines: Vec<Vec<String>> = Vec::new();
    for cell in cells {
        let (Some(dataset), Some(parts)) = (&cell.dataset, &cell.parts) else {
            continue;
        };
        let repeat = cell.axes.get("repeat").unwrap_or(&Value::Null);
        let mut line = vec![dataset.name.clone(), repeat.to_string()];
        let of = [&parts.train, &parts.validation, &parts.test];
        line.extend(of.map(|part| format!("{}, sha256 {}…", part.rows, short(&part.sha256))));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if !lines.is_empty() {
        let header = [
            "dataset",
            "repeat",
            "training rows",
            "validation rows",
            "test rows",
        ];
        text.push('\n');
        text.push_str(&aligned(&header.map(str::to_owned), &lines));
    }
    text.push('\n');
    let mut told: Vec<&str> = Vec::new();
    for dataset in cells.iter().filter_map(|cell| cell.dataset.as_ref()) {
        if !told.contains(&dataset.name.as_str()) {
            told.push(&dataset.name);
            line(text, "data", &data(dataset));
        }
    }
}

fn fields(text: &mut String, fields: &Fields) {
    for (name, value) in &fields.0 {
        line(text, name, &value.to_string());
    }
}

fn data(dataset: &DatasetIdentity) -> String {
    let sides = dataset.positive.map(|rows| format!(" ({rows} positive)"));
    let classes = dataset.classes.map(|count| format!(" of {count} classes"));
    format!(
        "{}: {} rows{}, {} features, sha256 {}",
        dataset.name,
        dataset.rows,
        sides.or(classes).unwrap_or_default(),
        dataset.features,
        dataset.sha256
    )
}

fn made_by(text: &mut String, made_by: &MadeBy<'_>) {
    text.push_str("\nMade by\n");
    line(
        text,
        "experiment",
        &format!(
            "{} ({}), seed {}, sha256 {}",
            made_by.experiment, made_by.kind, made_by.experiment_seed, made_by.experiment_sha256
        ),
    );
    let code = &made_by.code;
    line(
        text,
        "code",
        &format!("robust-svm {}; sources sha256 {}", code.told(), code.sha256),
    );
    line(
        text,
        "compiler",
        &format!("{} for {}", code.rustc, code.target),
    );
    for run in made_by.run {
        let noun = if run.threads == 1 {
            "thread"
        } else {
            "threads"
        };
        let ended = run.ended.as_deref().unwrap_or("(interrupted)");
        line(
            text,
            "run",
            &format!(
                "{}; {} to {ended}, {} {noun}; {}",
                run.command.join(" "),
                run.started,
                run.threads,
                run.cpu_features.join(" ")
            ),
        );
    }
    let changes = &made_by.changes;
    if changes.none() {
        text.push_str("Experiment file, code, data and processor are the same now.\n");
    }
    for (became, what) in changes.told() {
        let _ = writeln!(text, "{}: {what}", became.to_uppercase());
    }
}

fn commands(text: &mut String, run: Option<&str>, verify: &str) {
    text.push_str("\nTo compute it again:\n");
    if let Some(run) = run {
        let _ = writeln!(text, "  {run}");
    }
    let _ = writeln!(text, "  {verify}");
}
