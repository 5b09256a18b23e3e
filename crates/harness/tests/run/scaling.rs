//! The kind `scaling`: every solver trains, cells have processes of their own, and what is wrong is refused.

use crate::rejected_experiments::refused;
use crate::support::{Workspace, replaced};
use insta::assert_snapshot;
use polars::prelude::*;
use robust_svm_harness::run::Experiment;
use robust_svm_harness::spec::SpecFile;
use robust_svm_harness::store::{Status, read_cells};
use robust_svm_harness::study::scaling::{self, AxisName, ScalingRow};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// One method of each sort along all axes that it has.
pub(crate) const SCALING: &str = r#"kind = "scaling"
name = "small"
seed = 7
repeats = 2
mean_lambda = 1e-3
gamma = 0.1
tolerance = 1e-3
epochs = 2

[sizes]
rows = { base = 200, vary = [100, 200, 400, 800] }
inputs = { base = 4, vary = [2, 4, 8] }
dim = { base = 16 }
landmarks = { base = 12, vary = [6, 12, 24] }

[[method]]
name = "linear"
solver = "interior-point"
map = "identity"
most = { rows = 400 }

[[method]]
name = "blocks"
solver = "stream"
map = "nystrom"
robust = true
base = { rows = 300 }
"#;

/// Maps and solvers that take them, with whether they guard against uncertainty if asked.
const EVERY: [(&str, &[&str], bool); 4] = [
    (
        "interior-point dual-coordinate bundle stochastic stream stream-interior-point",
        &["identity", "rff", "nystrom"],
        true,
    ),
    ("local", &["rff", "nystrom"], false),
    ("safe", &["identity"], false),
    (
        "linfa-svm smo kernel-primal kernel-ridge smm",
        &["exact-kernel"],
        false,
    ),
];

/// Every solver on every map, robust and not where it may be either, along rows.
fn every_solver() -> String {
    let (head, _) = SCALING.split_once("[sizes]").expect("a section");
    let mut text = head.replace("repeats = 2", "repeats = 1");
    text.push_str(
        "[sizes]\nrows = { base = 60, vary = [60, 80, 100] }\ninputs = { base = 3 }\ndim = { base = 8 }\nlandmarks = { base = 6 }\n",
    );
    for (solvers, maps, maybe) in EVERY {
        for solver in solvers.split(' ') {
            for map in maps {
                for robust in if maybe { &[false, true][..] } else { &[false] } {
                    let _ = write!(
                        text,
                        "\n[[method]]\nname = \"{solver} {map} {robust}\"\nsolver = \"{solver}\"\nmap = \"{map}\"\n"
                    );
                    if *robust {
                        text.push_str("robust = true\n");
                    }
                }
            }
        }
    }
    text + "\n[[method]]\nname = \"smm rff\"\nsolver = \"smm\"\nmap = \"rff\"\n"
}

fn workspace(experiment: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("small.toml", experiment);
    workspace
}

fn rows(workspace: &Workspace, folder: &str) -> Vec<ScalingRow> {
    read_cells(&workspace.path(folder).join("cells.parquet")).expect("the run is finished")
}

#[test]
fn cells_are_methods_by_axes_by_sizes_by_repeats() {
    let file = SpecFile::from_text(Path::new("small.toml"), SCALING.to_owned()).unwrap();
    let plan = scaling::plan(file).unwrap();
    let cells = plan.groups();
    let of = |method: usize, axis| -> Vec<usize> {
        let own = cells
            .iter()
            .filter(|c| c.method == method && c.axis == axis && c.repeat == 1);
        own.map(|cell| match axis {
            AxisName::Rows => cell.sizes.rows,
            AxisName::Inputs => cell.sizes.inputs,
            AxisName::Dim => cell.sizes.dim,
            AxisName::Landmarks => cell.sizes.landmarks,
        })
        .collect()
    };
    assert_eq!(of(0, AxisName::Rows), [100, 200, 400]);
    assert_eq!(of(0, AxisName::Inputs), [2, 4, 8]);
    assert_eq!(of(0, AxisName::Landmarks), [0; 0]);
    assert_eq!(of(1, AxisName::Rows), [100, 200, 400, 800]);
    assert_eq!(of(1, AxisName::Landmarks), [6, 12, 24]);
    assert_eq!(of(1, AxisName::Dim), [0; 0]);
    assert_eq!(cells.len(), 2 * (6 + 10));
    // The others stand at their bases.
    let inputs = cells.iter().filter(|cell| cell.axis == AxisName::Inputs);
    for cell in inputs {
        assert_eq!(cell.sizes.rows, [200, 300][cell.method]);
        assert_eq!(cell.sizes.landmarks, 12);
    }
    let ids: BTreeSet<String> = cells.iter().map(|cell| plan.part(*cell)).collect();
    assert_eq!(ids.len(), cells.len());
}

#[test]
fn runs_have_the_same_bytes_and_their_cells_are_computed_again() {
    let workspace = workspace(SCALING);
    workspace.run_well(&["--isolate", "--out", "one"]);
    workspace.run_well(&["--isolate", "--out", "two"]);
    assert_eq!(workspace.cells("one"), workspace.cells("two"));
    // In this process, without workers.
    let verified = workspace.program(&["verify", "one", "--cells", "32"]);
    assert_eq!(verified.code, 0, "{}", verified.told());
    let root = workspace.path("one");
    let files = workspace.files("one").into_keys();
    let names = files.map(|path| path.strip_prefix(&root).unwrap().display().to_string());
    assert_snapshot!("scaling_files", names.collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_solver_does_its_work() {
    let workspace = workspace(&every_solver());
    workspace.run_well(&["--isolate"]);
    let rows = rows(&workspace, "results/small");
    assert_eq!(rows.len(), 3 * (6 * 3 * 2 + 2 + 1 + 5 + 1));
    let trained = |method: &str, size: u32| {
        let row = rows
            .iter()
            .find(|row| row.method == method && row.rows == size);
        let row = row.unwrap_or_else(|| panic!("{method} at {size}"));
        assert_eq!(row.status, Status::Ok, "{row:?}");
        row.trained.unwrap()
    };
    for row in &rows {
        let trained = trained(&row.method, row.rows);
        assert!(
            trained.relative_gap >= -1e-12 && trained.objective > 0.0,
            "{row:?}"
        );
        assert_eq!(trained.lambda, 1e-3 * f64::from(row.rows));
        let by_gap = !["stochastic", "stream", "linfa-svm"].contains(&&*row.solver);
        assert!(!by_gap || trained.relative_gap <= 1e-3, "{row:?}");
    }
    // Solvers of one problem, in memory and on blocks, agree within their gaps; a robust model costs more than a nominal one.
    for map in ["identity", "rff", "nystrom"] {
        for size in [60, 80, 100] {
            let values = |robust: bool| {
                ["interior-point", "stream-interior-point", "bundle"].map(|solver| {
                    let found = trained(&format!("{solver} {map} {robust}"), size);
                    (found.dual_objective, found.objective)
                })
            };
            for robust in [false, true] {
                let values = values(robust);
                for (dual, _) in values {
                    for (_, primal) in values {
                        assert!(dual <= primal * (1.0 + 1e-9), "{map} {size} {robust}");
                    }
                }
            }
            assert!(values(true)[0].0 > values(false)[0].1, "{map} {size}");
        }
    }
    // So do those of the exact kernel.
    let [smo, primal] =
        ["smo", "kernel-primal"].map(|s| trained(&format!("{s} exact-kernel false"), 100));
    assert!(smo.dual_objective <= primal.objective && primal.dual_objective <= smo.objective);
}

/// What cells took is told beside the cells: their own memory holds at least their rows.
#[test]
#[cfg(target_os = "linux")]
fn each_cell_has_a_process_of_its_own() {
    let sizes = "rows = { base = 200, vary = [100, 200, 400, 800] }";
    let large = "rows = { base = 200, vary = [100, 400, 400000] }";
    let text = replaced(SCALING, sizes, large).replace("most = { rows = 400 }\n", "");
    let workspace = workspace(&text.replace("repeats = 2", "repeats = 1"));
    workspace.run_well(&["--isolate", "--only", "axis=rows"]);
    let read = |name: &str| {
        let path = workspace.path("results/small").join(name);
        let file = std::fs::File::open(path).unwrap();
        ParquetReader::new(file).finish().unwrap()
    };
    let timings = read("timings.parquet");
    let column = |name: &str| -> Vec<u64> {
        timings
            .column(name)
            .unwrap()
            .u64()
            .unwrap()
            .iter()
            .flatten()
            .collect()
    };
    let (starts, peaks) = (column("start_bytes"), column("peak_bytes"));
    assert_eq!((starts.len(), peaks.len()), (6, 6));
    let cells = rows(&workspace, "results/small");
    let own = |method: &str, size: u32| {
        let place = cells
            .iter()
            .position(|row| row.method == method && row.rows == size);
        let place = place.unwrap();
        peaks[place] - starts[place]
    };
    // 400,000 rows of 4 inputs, in double precision; on blocks they are never there.
    assert!(own("linear", 400_000) >= 400_000 * 4 * 8);
    assert!(own("blocks", 400_000) < own("linear", 400_000));
    // A process that has trained on many rows keeps memory, so that one after it would seem to need none. How many pages of the
    // program are there when it begins is the system's affair.
    let (least, most) = (starts.iter().min().unwrap(), starts.iter().max().unwrap());
    assert!(most - least < 8 << 20, "{starts:?}");
    let text = std::fs::read_to_string(workspace.path("results/small/tables/scaling.csv")).unwrap();
    assert_eq!(text.lines().count(), 1 + 2 * (2 + 3), "{text}");
}

#[test]
fn a_run_without_processes_of_its_own_is_refused() {
    let workspace = workspace(SCALING);
    assert_snapshot!("scaling_without_isolation", refused(&workspace));
    let side_by_side = workspace.run(&["--isolate", "--threads", "2"]);
    assert_snapshot!("scaling_side_by_side", side_by_side.told());
    assert!(!workspace.path("results").exists());
}

fn changed(old: &str, new: &str) -> String {
    refused(&workspace(&replaced(SCALING, old, new)))
}

#[test]
fn sizes_without_a_slope_are_refused() {
    let rows = |new: &str| changed("vary = [100, 200, 400, 800]", new);
    assert_snapshot!(
        "scaling_unknown_axis",
        changed("dim = { base = 16 }", "dims = { base = 16 }")
    );
    assert_snapshot!("scaling_falling", rows("vary = [100, 400, 200, 800]"));
    assert_snapshot!("scaling_twice", rows("vary = [100, 200, 200, 800]"));
    assert_snapshot!("scaling_too_few", rows("vary = [100, 200]"));
    assert_snapshot!(
        "scaling_too_few_within",
        changed("rows = 400", "rows = 200")
    );
    assert_snapshot!("scaling_few_rows", rows("vary = [10, 100, 200]"));
    assert_snapshot!(
        "scaling_odd_dim",
        changed("dim = { base = 16 }", "dim = { base = 15 }")
    );
    assert_snapshot!(
        "scaling_more_landmarks_than_rows",
        changed("vary = [6, 12, 24]", "vary = [6, 12, 301]")
    );
    assert_snapshot!(
        "scaling_fewer_rows_than_landmarks",
        changed("landmarks = { base = 12,", "landmarks = { base = 120,")
    );
}

#[test]
fn methods_that_cannot_be_are_refused() {
    assert_snapshot!(
        "scaling_map_of_another_solver",
        changed("map = \"identity\"", "map = \"exact-kernel\"")
    );
    assert_snapshot!(
        "scaling_size_of_another_map",
        changed("most = { rows = 400 }", "most = { dim = 16 }")
    );
    assert_snapshot!(
        "scaling_unknown_solver",
        changed("\"interior-point\"", "\"interior\"")
    );
    let kernel = "solver = \"smo\"\nmap = \"exact-kernel\"\nrobust = true";
    assert_snapshot!(
        "scaling_robust_kernel",
        changed("solver = \"interior-point\"\nmap = \"identity\"", kernel)
    );
    let again = "name = \"again\"\nsolver = \"interior-point\"\nmap = \"identity\"\n\n[[method]]\nname = \"blocks\"";
    assert_snapshot!("scaling_method_twice", changed("name = \"blocks\"", again));
    assert_snapshot!(
        "scaling_tolerance",
        changed("tolerance = 1e-3", "tolerance = 1.0")
    );
}
