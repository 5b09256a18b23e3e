//! What the parts of a split know of each other, and how large they are.

use crate::support::{OTHER_METHODS, SMALL, Workspace, blobs, replaced};
use robust_svm_core::data::Split;
use robust_svm_harness::data::DataFolders;
use robust_svm_harness::plan::{GroupKey, plan};
use robust_svm_harness::spec::SpecFile;
use robust_svm_harness::store::{CellRow, Measurement};

/// Every map, nearest-neighbour radii and missing values, on one split.
fn experiment(lambda: &str) -> String {
    let once = replaced(SMALL, "repeats = 2", "repeats = 1");
    let nearest = replaced(&once, "norm = 2", "per_sample = \"nearest-neighbour\"");
    let missing = replaced(&nearest, "[data]", "[data]\nmissing = \"median\"");
    replaced(&missing, "lambda = [0.1, 1.0]", lambda) + OTHER_METHODS
}

/// [`blobs`] with the second feature of every fourth row missing.
fn with_gaps() -> String {
    let lines = blobs(90);
    let lines = lines.lines().enumerate().map(|(index, line)| {
        let mut cells: Vec<&str> = line.split(',').collect();
        if index % 4 == 1 {
            cells[1] = "";
        }
        cells.join(",") + "\n"
    });
    lines.collect()
}

/// `csv` with the features of `rows` moved far away.
fn moved(csv: &str, rows: &[usize]) -> String {
    let lines = csv.lines().enumerate().map(|(line, text)| {
        if line == 0 || !rows.contains(&(line - 1)) {
            return text.to_owned() + "\n";
        }
        let mut cells: Vec<String> = text.split(',').map(str::to_owned).collect();
        let label = cells.pop().expect("a row has a label");
        for cell in cells.iter_mut().filter(|cell| !cell.is_empty()) {
            *cell = (5.0 - 3.0 * cell.parse::<f64>().unwrap()).to_string();
        }
        format!("{},{label}\n", cells.join(","))
    });
    lines.collect()
}

fn split(workspace: &Workspace) -> Split {
    let file = SpecFile::read(&workspace.path("small.toml")).unwrap();
    let plan = plan(file, &DataFolders::new([workspace.path("datasets")])).unwrap();
    let key = GroupKey { task: 0, repeat: 0 };
    plan.tasks[0].split(&plan.seeds(key)).unwrap()
}

/// The numbers that follow from the training rows and, for λ and σ, the validation rows.
fn trained(row: &CellRow) -> (String, [Option<f64>; 7], [Option<u32>; 3]) {
    let m = numbers(row);
    let values = [
        Some(m.lambda),
        m.sigma,
        Some(m.objective),
        Some(m.dual_objective),
        Some(m.gamma_mean),
        m.nominal_lambda,
        m.nominal_gap,
    ];
    let counts = [m.feature_dim, m.iterations, Some(m.n_features)];
    (row.cell_id.clone(), values, counts)
}

fn numbers(row: &CellRow) -> &Measurement {
    row.measurement.as_ref().expect("every cell is measured")
}

/// Moves the rows that `which` picks of the split, and compares what was trained before and after.
fn nothing_is_learnt_from(lambda: &str, which: impl Fn(Split) -> Vec<usize>) {
    let workspace = Workspace::new();
    workspace.write("small.toml", &experiment(lambda));
    let data = with_gaps();
    workspace.dataset("blobs", &data);
    workspace.run_well(&["--out", "before"]);
    let rows = which(split(&workspace));
    workspace.dataset("blobs", &moved(&data, &rows));
    workspace.run_well(&["--out", "after"]);
    let (before, after) = (workspace.rows("before"), workspace.rows("after"));
    let all = |rows: &[CellRow]| rows.iter().map(trained).collect::<Vec<_>>();
    assert_eq!(all(&before), all(&after));
    let accuracies =
        |rows: &[CellRow]| -> Vec<f64> { rows.iter().map(|row| numbers(row).accuracy).collect() };
    assert_ne!(accuracies(&before), accuracies(&after), "nothing was moved");
}

/// Medians, scaling, neighbour distances, median distance, landmarks and fits.
#[test]
fn models_see_training_rows_only() {
    nothing_is_learnt_from("lambda = [0.5]", |split| {
        [split.validation, split.test].concat()
    });
}

#[test]
fn the_selection_does_not_see_test_rows() {
    nothing_is_learnt_from("lambda = [0.01, 0.1, 1.0, 10.0]", |split| split.test);
}

#[test]
fn parts_have_no_more_rows_than_allowed() {
    let limits = "[data]\nmax_rows = { train = 20, validation = 10, test = 8 }";
    let workspace = Workspace::changed("[data]", limits);
    workspace.run_well(&[]);
    for row in workspace.rows("results/small") {
        let m = numbers(&row);
        assert_eq!((m.n_train, m.n_validation, m.n_test), (20, 10, 8));
    }
}

#[test]
fn a_fixed_training_level_holds_at_every_level() {
    for (written, expected) in [("0.2", 0.2), ("-0.0", 0.0)] {
        let bound = format!("bound = \"geodesic\"\ntrain_level = {written}");
        let fixed = replaced(SMALL, "bound = \"geodesic\"", &bound);
        let workspace = Workspace::new();
        let one = replaced(&fixed, "lambda = [0.1, 1.0]", "lambda = [0.5]");
        workspace.write("small.toml", &one);
        workspace.run_well(&[]);
        let mut rows = workspace.rows("results/small");
        rows.retain(|row| row.method == "robust-rff" && row.repeat == 0);
        assert_eq!(rows.len(), 2);
        for row in &rows {
            assert_eq!(row.train_level.to_bits(), f64::to_bits(expected));
            assert!((numbers(row).gamma_mean - expected).abs() <= 1e-12);
            assert_eq!(numbers(row).objective, numbers(&rows[0]).objective);
        }
    }
}
