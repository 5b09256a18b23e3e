//! Cells computed again, and what is said of those that are not what is stored.

use crate::support::{OTHER_METHODS, SMALL, Workspace, outliers, replaced};
use insta::assert_snapshot;
use robust_svm_harness::store::{CellRow, Status, write_cells};

/// Rewrites the rows of `results/small` after `change`.
fn change_rows(workspace: &Workspace, change: impl Fn(&mut Vec<CellRow>)) {
    let mut rows = workspace.rows("results/small");
    change(&mut rows);
    write_cells(&workspace.path("results/small/cells.parquet"), &rows).unwrap();
}

/// Rewrites the manifest of `results/small` with `old` replaced.
fn change_manifest(workspace: &Workspace, old: &str, new: &str) {
    let path = workspace.path("results/small/manifest.toml");
    let manifest = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, replaced(&manifest, old, new)).unwrap();
}

#[test]
fn a_finished_folder_is_equal_to_the_bit() {
    let workspace = Workspace::finished();
    let before = workspace.files("results");
    let ended = workspace.program(&["verify", "results/small", "--all"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert_snapshot!("verify_all", ended.told());
    let drawn = ["verify", "results/small", "--cells", "3", "--threads", "1"];
    let three = workspace.program(&drawn);
    assert_eq!(three.code, 0, "{}", three.told());
    assert!(
        three.stdout.contains("3 of 8 cells were computed again"),
        "{}",
        three.told()
    );
    assert_eq!(workspace.program(&drawn).stdout, three.stdout);
    let other = workspace.program(&[&drawn[..], &["--seed", "5"]].concat());
    assert_ne!(other.stdout, three.stdout);
    assert_eq!(workspace.files("results"), before);
}

/// Every map and bound, a failure and a skipped cell: they fail again, for the same reason.
#[test]
fn failures_fail_again() {
    let workspace = Workspace::new();
    workspace.dataset("outliers", &outliers());
    let small = replaced(SMALL, "[\"blobs\"]", "[\"blobs\", \"outliers\"]");
    let limited = replaced(
        OTHER_METHODS,
        "solver = \"linfa-svm\"",
        "solver = \"linfa-svm\"\nmax_train_rows = 10",
    );
    workspace.write("small.toml", &(small + &limited));
    assert_eq!(workspace.run(&[]).code, 1);
    let rows = workspace.rows("results/small");
    for status in [Status::Failed, Status::Skipped, Status::Ok] {
        assert!(rows.iter().any(|row| row.status == status), "{status:?}");
    }
    let ended = workspace.program(&["verify", "results/small", "--all", "--quiet"]);
    assert_eq!(
        (ended.code, ended.stdout.as_str()),
        (0, ""),
        "{}",
        ended.told()
    );
    let failed = rows.iter().position(|row| row.status == Status::Failed);
    change_rows(&workspace, |rows| {
        rows[failed.unwrap()].reason = Some("another".into());
    });
    let ended = workspace.program(&["verify", "results/small", "--all"]);
    assert_eq!(ended.code, 3, "{}", ended.told());
    assert!(
        ended
            .stdout
            .contains("reason: stored another, computed again"),
        "{}",
        ended.told()
    );
}

#[test]
fn one_bit_of_one_column_is_found() {
    let workspace = Workspace::finished();
    let victim = workspace.rows("results/small")[5].cell_id.clone();
    change_rows(&workspace, |rows| {
        let objective = &mut rows[5].measurement.as_mut().unwrap().objective;
        *objective = f64::from_bits(objective.to_bits() ^ 1);
    });
    let ended = workspace.program(&["verify", "results/small", "--all"]);
    assert_eq!(ended.code, 3, "{}", ended.told());
    let lines: Vec<&str> = ended.stdout.lines().collect();
    let named: Vec<&&str> = lines
        .iter()
        .filter(|l| l.contains("computed again "))
        .collect();
    assert_eq!(named.len(), 1, "{}", ended.told());
    assert!(
        named[0].starts_with(&format!("{victim} objective: stored ")),
        "{}",
        ended.told()
    );
    assert!(
        ended
            .stdout
            .contains("8 of 8 cells were computed again: 1 differ, 7 equal")
    );
    let alone = workspace.program(&["verify", "results/small", "--id", &victim[..6]]);
    assert_eq!(alone.code, 3, "{}", alone.told());
    let others: Vec<String> = workspace
        .rows("results/small")
        .into_iter()
        .map(|r| r.cell_id)
        .collect();
    let fine = workspace.program(&[
        "verify",
        "results/small",
        "--id",
        &others[0],
        "--id",
        &others[1],
    ]);
    assert_eq!(fine.code, 0, "{}", fine.told());
    assert!(fine.stdout.contains("2 of 8 cells"), "{}", fine.told());
}

#[test]
fn a_row_that_is_nobodys_is_found() {
    let workspace = Workspace::finished();
    change_rows(&workspace, |rows| {
        rows[0].cell_id = "0000000000000000".into();
    });
    let ended = workspace.program(&["verify", "results/small", "--all"]);
    assert_eq!(ended.code, 3, "{}", ended.told());
    assert!(
        ended
            .stdout
            .contains("0000000000000000: no cell of this experiment"),
        "{}",
        ended.told()
    );
    assert!(
        ended
            .stdout
            .contains("1 cells of the experiment are not there"),
        "{}",
        ended.told()
    );
}

#[test]
fn what_is_not_of_this_code_or_data_is_not_compared() {
    let workspace = Workspace::finished();
    let manifest = std::fs::read_to_string(workspace.path("results/small/manifest.toml")).unwrap();
    let line = manifest.split("[code]").nth(1).unwrap();
    let line = line
        .lines()
        .find(|line| line.starts_with("sha256"))
        .unwrap();
    change_manifest(&workspace, line, "sha256 = \"0123456789abcdef\"");
    let refused = workspace.program(&["verify", "results/small"]);
    assert_eq!(refused.code, 5, "{}", refused.told());
    assert!(
        refused.stderr.contains("Changed since: the code (then"),
        "{}",
        refused.told()
    );
    // The numbers are those of this program all the same.
    let anyway = workspace.program(&["verify", "results/small", "--anyway"]);
    assert_eq!(anyway.code, 0, "{}", anyway.told());
    assert!(
        anyway
            .stdout
            .contains("equal within the tolerances (0 values"),
        "{}",
        anyway.told()
    );
    change_rows(&workspace, |rows| {
        rows[3].measurement.as_mut().unwrap().objective *= 1.0 + 1e-7;
    });
    let near = workspace.program(&["verify", "results/small", "--anyway"]);
    assert_eq!(near.code, 0, "{}", near.told());
    assert!(
        near.stdout
            .contains("(1 values are not equal in every bit)"),
        "{}",
        near.told()
    );
    change_rows(&workspace, |rows| {
        rows[3].measurement.as_mut().unwrap().objective *= 1.01;
    });
    assert_eq!(
        workspace
            .program(&["verify", "results/small", "--anyway"])
            .code,
        3
    );
}

#[test]
fn other_data_are_another_origin() {
    let workspace = Workspace::finished();
    workspace.dataset("blobs", &crate::support::blobs(88));
    let refused = workspace.program(&["verify", "results/small"]);
    assert_eq!(refused.code, 5, "{}", refused.told());
    assert!(
        refused.stderr.contains("Changed since: dataset `blobs`"),
        "{}",
        refused.told()
    );
}

/// Another processor, compiler or platform promises the tolerances, not the bits.
#[test]
fn another_processor_is_told() {
    let workspace = Workspace::finished();
    change_manifest(
        &workspace,
        "cpu_features = [",
        "cpu_features = [\"abacus\", ",
    );
    let ended = workspace.program(&["verify", "results/small", "--cells", "2"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert!(
        ended
            .stdout
            .contains("changed since: the processor's features (then abacus"),
        "{}",
        ended.told()
    );
}

#[test]
fn what_cannot_be_verified_is_said() {
    let workspace = Workspace::finished();
    for (arguments, name) in [
        (&["verify", "nowhere"][..], "verify_nowhere"),
        (
            &["verify", "results/small", "--id", "xyz"],
            "verify_unknown_id",
        ),
        (&["verify", "results/small", "--id", ""], "verify_empty_id"),
        (
            &["verify", "results/small", "--cells", "0"],
            "verify_no_cells",
        ),
        (
            &["verify", "results/small", "--all", "--seed", "1"],
            "verify_all_and_seed",
        ),
    ] {
        let ended = workspace.program(arguments);
        assert_eq!(ended.code, 2, "{arguments:?}: {}", ended.told());
        assert_snapshot!(name, ended.told());
    }
}

#[test]
fn the_report_is_one_json_object() {
    let workspace = Workspace::finished();
    change_rows(&workspace, |rows| {
        rows[2].measurement.as_mut().unwrap().accuracy = 0.125;
    });
    let ended = workspace.program(&["verify", "results/small", "--all", "--format", "json"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (3, ""));
    let report: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(report["command"], "verify");
    assert_eq!(report["strictness"], "bits");
    let cells = report["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 8);
    let differing: Vec<_> = cells
        .iter()
        .filter(|cell| {
            cell["differences"]
                .as_array()
                .is_some_and(|d| !d.is_empty())
        })
        .collect();
    assert_eq!(differing.len(), 1);
    assert_eq!(differing[0]["differences"][0]["column"], "accuracy");
    assert_eq!(differing[0]["differences"][0]["stored"], 0.125);
}

/// Rows of `cells.parquet` alone are not what the folder holds.
#[test]
fn cells_that_wait_to_be_joined_are_not_passed_over() {
    let workspace = Workspace::finished();
    let commands = [
        &["verify", "results/small"][..],
        &["explain", "results/small"],
        &["check", "results/small", "--baseline", "results/small"],
    ];
    for command in commands {
        assert_eq!(workspace.program(command).code, 0, "{command:?}");
    }
    workspace.write("results/small/parts/0123456789abcdef.part", "torn");
    for (command, said) in commands.into_iter().zip([
        "wait to be joined",
        "wait to be joined",
        "no finished results",
    ]) {
        let ended = workspace.program(command);
        assert_eq!(ended.code, 2, "{command:?}: {}", ended.told());
        assert!(ended.stderr.contains(said), "{}", ended.told());
    }
    workspace.run_well(&[]);
    for command in commands {
        assert_eq!(workspace.program(command).code, 0, "{command:?}");
    }
}

#[test]
fn rows_that_all_met_a_limit_are_said_to_have() {
    let workspace = Workspace::finished();
    change_rows(&workspace, |rows| {
        for row in rows {
            row.status = Status::TimedOut;
            row.reason = Some("not done after 1 s, the run's limit for a cell".into());
            row.measurement = None;
        }
    });
    let ended = workspace.program(&["verify", "results/small"]);
    assert_eq!(ended.code, 4, "{}", ended.told());
    let said = "has only cells that a limit of their run stopped";
    assert!(ended.stderr.contains(said), "{}", ended.told());
    let id = workspace.rows("results/small")[0].cell_id.clone();
    let one = workspace.program(&["verify", "results/small", "--id", &id]);
    assert_eq!(one.code, 3, "{}", one.told());
}
