//! `robust-svm check`: results against a baseline.

use crate::support::{Ended, SMALL, Workspace, replaced};
use insta::assert_snapshot;
use robust_svm_harness::store::{CellRow, Measurement, Status, read_cells, write_cells};
use std::fs;

/// A finished run in `results/small`, which is the baseline in `baseline` too.
fn with_baseline() -> Workspace {
    let workspace = Workspace::finished();
    let ended = check(&workspace, &["--update"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    workspace
}

fn check(workspace: &Workspace, arguments: &[&str]) -> Ended {
    let all = [
        &["check", "results/small", "--baseline", "baseline"],
        arguments,
    ]
    .concat();
    workspace.program(&all)
}

/// What is told, without the numbers that another processor may give one test point away.
fn told(ended: &Ended) -> String {
    let text = ended.told();
    let is_share = |word: &&str| word.len() == 8 && word.starts_with("0.");
    let shares: Vec<&str> = text.split_whitespace().filter(is_share).collect();
    shares
        .iter()
        .fold(text.clone(), |text, share| text.replace(share, "[share]"))
}

/// Changes the rows in `folder`.
fn edit(workspace: &Workspace, folder: &str, change: impl Fn(&mut CellRow)) {
    let path = workspace.path(folder).join("cells.parquet");
    let mut rows = read_cells(&path).unwrap();
    rows.iter_mut().for_each(change);
    write_cells(&path, &rows).unwrap();
}

/// Changes the numbers of one cell of the baseline.
fn edit_one(workspace: &Workspace, change: impl Fn(&mut Measurement)) {
    edit(workspace, "baseline", |row| {
        if row.method == "linear" && row.level == 0.3 && row.repeat == 1 {
            change(row.measurement.as_mut().unwrap());
        }
    });
}

/// Lets the results say that other code made them than the baseline.
fn of_other_code(workspace: &Workspace) {
    let manifest = workspace.path("results/small/manifest.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let other = replaced(&text, "[code]\nversion = \"", "[code]\nversion = \"9");
    fs::write(&manifest, other).unwrap();
}

/// The same code cannot do better, nor worse.
#[test]
fn the_same_code_with_other_numbers_is_a_defect() {
    for change in [-0.2, 0.2] {
        let workspace = with_baseline();
        edit_one(&workspace, |m| m.accuracy += change);
        let ended = check(&workspace, &[]);
        assert_eq!(ended.code, 3, "{}", ended.told());
        let last = "8 cells compared, 1 number moved: differs, though the same code made both\n";
        assert!(ended.stdout.ends_with(last), "{}", ended.told());
        let ended = check(&workspace, &["--format", "json"]);
        assert_eq!(ended.code, 3);
        assert!(
            ended
                .stdout
                .contains(r#""verdict":"differs","basis":"tolerances""#)
        );
    }
}

#[test]
fn a_run_is_as_itself() {
    let workspace = with_baseline();
    let ended = check(&workspace, &[]);
    assert_eq!(ended.code, 0);
    assert_snapshot!("same", told(&ended));
}

#[test]
fn worse_than_the_baseline_is_a_regression() {
    let workspace = with_baseline();
    of_other_code(&workspace);
    edit_one(&workspace, |m| m.certified_error -= 0.2);
    let ended = check(&workspace, &[]);
    assert_eq!(ended.code, 3);
    assert_snapshot!("worse", told(&ended));
}

#[test]
fn better_than_the_baseline_is_told_apart() {
    let workspace = with_baseline();
    of_other_code(&workspace);
    edit_one(&workspace, |m| m.accuracy -= 0.2);
    let ended = check(&workspace, &[]);
    assert_eq!(ended.code, 6);
    assert_snapshot!("better", told(&ended));
}

#[test]
fn one_test_point_and_rounding_are_no_change() {
    let workspace = with_baseline();
    edit(&workspace, "baseline", |row| {
        let m = row.measurement.as_mut().unwrap();
        let point = 1.0 / f64::from(m.n_test);
        m.accuracy += point;
        m.certified_error -= point;
        m.objective *= 1.0 + 5e-7;
    });
    assert_eq!(check(&workspace, &[]).code, 0);
    edit_one(&workspace, |m| m.objective *= 1.0 + 2e-6);
    assert_eq!(check(&workspace, &[]).code, 3);
}

#[test]
fn a_number_that_is_none_is_no_pass() {
    let workspace = with_baseline();
    edit(&workspace, "results/small", |row| {
        row.measurement.as_mut().unwrap().objective = f64::NAN;
    });
    assert_eq!(check(&workspace, &[]).code, 3);
}

#[test]
fn a_cell_that_fails_is_a_regression() {
    let workspace = with_baseline();
    edit(&workspace, "results/small", |row| {
        if row.method == "robust-rff" && row.repeat == 0 {
            row.status = Status::Failed;
            row.reason = Some("for the test".into());
            row.measurement = None;
        }
    });
    let ended = check(&workspace, &[]);
    assert_eq!(ended.code, 3);
    assert_snapshot!("failed_cells", told(&ended));
}

#[test]
fn other_experiments_are_not_comparable() {
    let workspace = with_baseline();
    workspace.write("small.toml", &replaced(SMALL, "[0.0, 0.3]", "[0.0, 0.4]"));
    workspace.run_well(&["--fresh"]);
    let ended = check(&workspace, &[]);
    assert_eq!(ended.code, 5);
    assert_snapshot!("other_experiment", told(&ended));
    // Made the baseline, they are.
    assert_eq!(check(&workspace, &["--update"]).code, 0);
    assert_eq!(check(&workspace, &[]).code, 0);
}

/// Baselines from before they had their experiment file.
#[test]
fn a_baseline_without_its_experiment_works() {
    let workspace = with_baseline();
    fs::remove_file(workspace.path("baseline/experiment.toml")).unwrap();
    assert_eq!(check(&workspace, &[]).code, 0);
    workspace.write("small.toml", &replaced(SMALL, "seed = 7", "seed = 8"));
    workspace.run_well(&["--fresh"]);
    let ended = check(&workspace, &[]);
    assert_eq!(ended.code, 5);
    assert_snapshot!("no_experiment_in_the_baseline", told(&ended));
}

/// One test point less in every cell of a method is within the tolerances of each. Twelve repeats tell that it is no accident,
/// unless the same code made both and only the processor can differ.
#[test]
fn a_small_loss_everywhere_is_a_regression_of_other_code() {
    let workspace = Workspace::changed("repeats = 2", "repeats = 12");
    workspace.run_well(&[]);
    assert_eq!(check(&workspace, &["--update"]).code, 0);
    edit(&workspace, "results/small", |row| {
        let m = row.measurement.as_mut().unwrap();
        if row.method == "linear" {
            m.accuracy -= 1.0 / f64::from(m.n_test);
        }
    });
    let ended = check(&workspace, &[]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert_snapshot!("another_processor", ended.told());
    of_other_code(&workspace);
    let ended = check(&workspace, &[]);
    assert_eq!(ended.code, 3, "{}", ended.told());
    assert!(
        ended.stdout.contains("regressed (linear accuracy)"),
        "{}",
        ended.told()
    );
    // 2⁻¹² is the smallest p-value of twelve repeats: at a level below it there is nothing to test.
    let ended = check(&workspace, &["--alpha", "1e-4"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert_snapshot!("too_few_repeats", ended.told());
}

#[test]
fn a_level_is_a_probability() {
    let workspace = Workspace::new();
    for alpha in ["0", "0.6", "NaN", "five"] {
        assert_eq!(check(&workspace, &["--alpha", alpha]).code, 2, "{alpha}");
    }
}

#[test]
fn other_data_are_not_comparable() {
    let workspace = with_baseline();
    let data = fs::read_to_string(workspace.path("datasets/blobs.csv")).unwrap();
    workspace.dataset("blobs", &(data + "0.5,0.5,0.5,1\n"));
    workspace.run_well(&["--fresh"]);
    let ended = check(&workspace, &[]);
    assert_eq!(ended.code, 5);
    assert_snapshot!("other_data", told(&ended));
}

#[test]
fn nothing_measured_is_no_pass() {
    let workspace = with_baseline();
    for folder in ["results/small", "baseline"] {
        edit(&workspace, folder, |row| {
            row.status = Status::Skipped;
            row.measurement = None;
        });
    }
    let ended = check(&workspace, &[]);
    assert_eq!(ended.code, 4);
    assert_snapshot!("nothing_measured", told(&ended));
}

#[test]
fn update_makes_the_baseline() {
    let workspace = with_baseline();
    edit_one(&workspace, |m| m.certified_error -= 0.2);
    let ended = check(&workspace, &["--update"]);
    assert_eq!(ended.code, 0);
    assert_snapshot!("update", told(&ended));
    assert_eq!(
        workspace.cells("baseline"),
        workspace.cells("results/small")
    );
    assert_eq!(check(&workspace, &[]).code, 0);
}

/// The means are those of the rows, in a stable order.
#[test]
fn the_baseline_has_a_file_to_review() {
    let workspace = with_baseline();
    let text = fs::read_to_string(workspace.path("baseline/means.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "method,metric,cells,repeats,mean");
    let mut sorted = lines[1..].to_vec();
    sorted.sort_by_key(|line| line.split(',').next().unwrap().to_owned());
    assert_eq!(sorted, lines[1..]);
    let rows = workspace.rows("baseline");
    let of_method = rows.iter().filter(|row| row.method == "robust-rff");
    let accuracies: Vec<f64> = of_method
        .map(|row| row.measurement.as_ref().unwrap().accuracy)
        .collect();
    let mean = accuracies.iter().sum::<f64>() / 4.0;
    let line = format!("robust-rff,accuracy,4,2,{mean:.6}");
    assert!(lines.contains(&line.as_str()), "{line}\n{text}");
    let experiment = fs::read_to_string(workspace.path("baseline/experiment.toml")).unwrap();
    assert_eq!(experiment, SMALL);
}

#[test]
fn results_with_failed_cells_do_not_become_the_baseline() {
    let workspace = with_baseline();
    let before = workspace.files("baseline");
    edit(&workspace, "results/small", |row| {
        if row.repeat == 1 {
            row.status = Status::Diverged;
            row.measurement = None;
        }
    });
    let ended = check(&workspace, &["--update"]);
    assert_eq!(ended.code, 1, "{}", ended.told());
    assert!(
        ended.stderr.contains("4 of 8 cells failed"),
        "{}",
        ended.told()
    );
    assert_eq!(workspace.files("baseline"), before);
}

#[test]
fn an_unfinished_run_does_not_become_the_baseline() {
    let workspace = with_baseline();
    let before = workspace.files("baseline");
    workspace.write("small.toml", &replaced(SMALL, "seed = 7", "seed = 8"));
    workspace.run_well(&["--fresh"]);
    fs::remove_file(workspace.path("results/small/cells.parquet")).unwrap();
    let ended = check(&workspace, &["--update"]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    assert_eq!(workspace.files("baseline"), before);
}

/// The cells that are left out would never be looked at again: a part held against itself passes.
#[test]
fn a_part_does_not_become_the_baseline() {
    let workspace = with_baseline();
    let before = workspace.files("baseline");
    workspace.run_well(&["--fresh", "--only", "repeat=0"]);
    let ended = check(&workspace, &["--update"]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    assert!(
        ended.stderr.contains("it has 4 of the 8 cells"),
        "{}",
        ended.told()
    );
    assert_eq!(workspace.files("baseline"), before);
    let compared = check(&workspace, &[]);
    assert_eq!(compared.code, 5);
    let said = "results/small has a part of the experiment's cells\n  = help: run the rest of it";
    assert!(compared.stderr.contains(said), "{}", compared.told());
    assert!(!compared.stderr.contains("--update"));
    // With the rest it is the whole.
    workspace.run_well(&[]);
    assert_eq!(check(&workspace, &["--update"]).code, 0);
}

/// While a run goes on in a folder, its rows are those of an earlier one.
#[test]
fn rows_of_an_earlier_run_are_no_results_of_the_one_that_goes_on() {
    let workspace = with_baseline();
    let before = workspace.files("baseline");
    let path = workspace.path("results/small/manifest.toml");
    let mut manifest: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
    manifest.remove("cells").unwrap();
    fs::write(&path, manifest.to_string()).unwrap();
    for arguments in [&[][..], &["--update"]] {
        let ended = check(&workspace, arguments);
        assert_eq!(ended.code, 2, "{}", ended.told());
        let told = "has no finished results";
        assert!(ended.stderr.contains(told), "{}", ended.told());
    }
    assert_eq!(workspace.files("baseline"), before);
}

#[test]
fn numbers_that_are_none_do_not_become_the_baseline() {
    let workspace = with_baseline();
    let before = workspace.files("baseline");
    edit(&workspace, "results/small", |row| {
        if row.method == "robust-rff" {
            row.measurement.as_mut().unwrap().attack_error = f64::NAN;
        }
    });
    let ended = check(&workspace, &["--update"]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    let cell = "/ robust-rff / level";
    assert!(ended.stderr.contains(cell), "{}", ended.told());
    assert_eq!(workspace.files("baseline"), before);
}

#[test]
fn folders_without_results_are_told() {
    let workspace = with_baseline();
    fs::remove_file(workspace.path("results/small/cells.parquet")).unwrap();
    let ended = check(&workspace, &[]);
    assert_eq!(ended.code, 2);
    assert_snapshot!("unfinished_results", told(&ended));
    let workspace = Workspace::finished();
    let ended = check(&workspace, &[]);
    assert_eq!(ended.code, 2);
    assert_snapshot!("no_baseline", told(&ended));
}

#[test]
fn results_that_cannot_guard_do_not_become_the_baseline() {
    let workspace = with_baseline();
    let before = workspace.files("baseline");
    edit(&workspace, "results/small", |row| {
        row.status = Status::Failed;
        row.measurement = None;
    });
    let ended = check(&workspace, &["--update"]);
    assert_eq!(ended.code, 4, "{}", ended.told());
    assert_eq!(workspace.files("baseline"), before);
    workspace.write("results/small/cells.parquet", "not Parquet");
    let ended = check(&workspace, &["--update"]);
    assert_eq!(ended.code, 74, "{}", ended.told());
    assert_eq!(workspace.files("baseline"), before);
}

/// A device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_told() {
    let workspace = with_baseline();
    let mut command = std::process::Command::new(crate::support::PROGRAM);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command
        .current_dir(workspace.path(""))
        .args(["check", "results/small", "--baseline", "baseline"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(74));
}
