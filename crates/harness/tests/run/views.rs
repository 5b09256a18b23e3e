//! What the entries of every kind's tables rest on: each number again, from the cells that its entry names.

use crate::classifiers::NOISY;
use crate::safe_ellipsoid::SAFE;
use crate::studies::{BANDWIDTH, TIGHTNESS};
use crate::support::Workspace;
use polars::prelude::{AnyValue, DataFrame, ParquetReader, SerReader};
use robust_svm_harness::data::DataFolders;
use robust_svm_harness::spec::SpecFile;
use robust_svm_harness::stats::median;
use robust_svm_harness::store::{Cells, Record};
use robust_svm_harness::study::{bandwidth_rule, bound_tightness, classifiers, safe_ellipsoid};
use robust_svm_harness::table::{CellsOf, Document, Entry, csv};
use robust_svm_harness::views::Viewed;
use std::fs::File;

/// A finished run, its rows and its cells as they are stored.
struct Finished {
    workspace: Workspace,
    frame: DataFrame,
}

impl Finished {
    fn run(experiment: &str) -> Self {
        let workspace = Workspace::new();
        workspace.write("small.toml", experiment);
        workspace.run_well(&[]);
        let file = File::open(workspace.path("results/small/cells.parquet")).unwrap();
        let frame = ParquetReader::new(file).finish().unwrap();
        Self { workspace, frame }
    }

    fn spec(&self) -> SpecFile {
        SpecFile::read(&self.workspace.path("small.toml")).unwrap()
    }

    fn folders(&self) -> DataFolders {
        DataFolders::new([self.workspace.path("datasets")])
    }

    fn cells<R: Record>(&self) -> Cells<R> {
        Cells::open(&self.workspace.path("results/small/cells.parquet")).unwrap()
    }

    fn value(&self, column: &str, row: usize) -> Option<String> {
        match self.frame.column(column).unwrap().get(row).unwrap() {
            AnyValue::Null => None,
            AnyValue::String(text) => Some(text.to_owned()),
            AnyValue::Float64(number) => Some(number.to_string()),
            other => Some(other.to_string()),
        }
    }

    /// The rows that an entry rests on, found by the columns that it names and nothing else.
    fn of(&self, entry: &Entry) -> Vec<usize> {
        let agrees = |cells: &CellsOf, row: usize| {
            let level = cells.level.map(|level| level.to_string());
            let own = [
                ("dataset", &cells.dataset),
                ("method", &cells.method),
                ("level", &level),
            ];
            let own = own.into_iter().filter(|(_, value)| value.is_some());
            let further = cells
                .further
                .iter()
                .map(|(column, value)| (column.as_str(), value));
            own.chain(further)
                .all(|(column, value)| self.value(column, row) == *value)
        };
        let rows = 0..self.frame.height();
        rows.filter(|&row| entry.cells.iter().any(|cells| agrees(cells, row)))
            .collect()
    }

    fn numbers(&self, entry: &Entry, column: &str) -> Vec<f64> {
        let values = self
            .of(entry)
            .into_iter()
            .map(|row| self.value(column, row));
        values
            .map(|value| value.unwrap().parse().unwrap())
            .collect()
    }

    /// The file that the run wrote is the document's data.
    fn wrote(&self, document: &Document) {
        let path = format!("results/small/tables/{}.csv", document.name);
        let written = std::fs::read_to_string(self.workspace.path(&path)).unwrap();
        assert_eq!(written, csv(&document.data));
    }
}

fn results(line: &[Entry]) -> impl Iterator<Item = &Entry> {
    line.iter().filter(|entry| !entry.cells.is_empty())
}

#[test]
fn ratios_of_bounds() {
    let run = Finished::run(TIGHTNESS);
    let plan = bound_tightness::plan(run.spec(), &run.folders()).unwrap();
    let views = plan.views(&run.cells()).unwrap();
    let lines = &views.tables[0].tables[0].lines;
    assert_eq!(lines.len(), 8 + 2 + 3 + 5);
    for entry in lines.iter().flat_map(|line| results(line)) {
        let ratios = run.numbers(entry, "ratio_median");
        assert_eq!((ratios.len(), entry.numbers.len()), (2, 1), "{entry:?}");
        assert_eq!(median(&ratios), Some(entry.numbers[0]));
    }
    run.wrote(&views.tables[0]);
    // Three features, all or one of them; the rows of `blobs`.
    let data = &views.tables[0].data;
    let place = |name: &str| {
        data.header
            .iter()
            .position(|column| column == name)
            .unwrap()
    };
    let [n, used, rows] = ["n", "n_features", "rows"].map(place);
    let expected = plan.tasks[0].loaded.data.rows().to_string();
    for record in &data.records {
        assert_eq!(record[used], if record[n] == "all" { "3" } else { "1" });
        assert_eq!(record[rows], expected);
    }
}

#[test]
fn shares_of_the_bandwidth_rule() {
    let run = Finished::run(BANDWIDTH);
    let plan = bandwidth_rule::plan(run.spec()).unwrap();
    let views = plan.views(&run.cells()).unwrap();
    for line in &views.tables[0].tables[0].lines {
        let columns = ["separate", "joint", "separate", "joint"];
        for (entry, column) in results(line).zip(columns) {
            let ends = ["", "_low", "_high"].map(|end| format!("{column}{end}"));
            let stored: Vec<f64> = ends
                .iter()
                .flat_map(|end| run.numbers(entry, end))
                .collect();
            assert_eq!(stored, entry.numbers);
        }
    }
    run.wrote(&views.tables[0]);
}

#[test]
fn errors_of_the_safe_svm() {
    let run = Finished::run(SAFE);
    let plan = safe_ellipsoid::plan(run.spec(), &run.folders()).unwrap();
    let views = plan.views(&run.cells()).unwrap();
    let mean = |entry: &Entry, column: &str| {
        let values = run.numbers(entry, column);
        values.iter().sum::<f64>() / values.len() as f64
    };
    let columns = ["noisy_error", "robust_error", "clean_error"];
    for (table, column) in views.tables[0].tables.iter().zip(columns) {
        for line in &table.lines {
            for entry in results(line).take(3) {
                assert_eq!(run.of(entry).len(), 3);
                assert!((mean(entry, column) - entry.numbers[0]).abs() < 1e-12);
            }
            for entry in results(line).skip(3) {
                assert_eq!((run.of(entry).len(), entry.numbers.len()), (2 * 3, 3));
                assert!(
                    entry.numbers[1] <= entry.numbers[0] && entry.numbers[0] <= entry.numbers[2]
                );
            }
        }
    }
    let ellipsoids = &views.tables[0].tables[3];
    for line in &ellipsoids.lines {
        let volume = results(line).next().unwrap();
        assert!((mean(volume, "log_volume") - volume.numbers[0]).abs() < 1e-12);
    }
    run.wrote(&views.tables[0]);
}

#[test]
fn accuracies_of_classifiers() {
    let run = Finished::run(NOISY);
    let plan = classifiers::plan(run.spec(), &run.folders()).unwrap();
    let views = plan.views(&run.cells()).unwrap();
    let mean = |entry: &Entry| {
        let values = run.numbers(entry, "accuracy");
        values.iter().sum::<f64>() / values.len() as f64
    };
    let names: Vec<&str> = views
        .tables
        .iter()
        .map(|table| table.name.as_str())
        .collect();
    assert_eq!(names, ["accuracy", "noise", "confusion"]);
    // Two levels of five kinds of noise; then two levels, over both datasets.
    for (document, tables, cells) in [(&views.tables[0], 10, 2), (&views.tables[1], 2, 4)] {
        assert_eq!(document.tables.len(), tables);
        for line in document.tables.iter().flat_map(|table| &table.lines) {
            for entry in results(line) {
                assert_eq!(run.of(entry).len(), cells);
                assert!((mean(entry) - entry.numbers[0]).abs() < 1e-12);
            }
        }
        run.wrote(document);
    }
    run.wrote(&views.tables[2]);
}
