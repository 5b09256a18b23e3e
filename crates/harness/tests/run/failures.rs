//! Cells without numbers: left out on purpose, or failed.

use crate::support::{OTHER_METHODS, SMALL, TIMES, Workspace, outliers, replaced};
use insta::assert_snapshot;
use robust_svm_harness::store::{CellRow, Status};

/// The distinct (dataset, method, status, reason) of `rows`, a line each.
fn outcomes(rows: &[CellRow]) -> String {
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let reason = row.reason.as_deref().unwrap_or("-");
            let status = row.status.name();
            format!("{} / {}: {status}, {reason}", row.dataset, row.method)
        })
        .collect();
    lines.sort();
    lines.dedup();
    lines.join("\n")
}

#[test]
fn rows_above_the_limit_are_skipped() {
    let limited = replaced(
        SMALL,
        "bound = \"geodesic\"",
        "bound = \"geodesic\"\nmax_train_rows = 57",
    );
    let both = replaced(&limited, "\"blobs\"", "\"blobs\", \"rings\"");
    let workspace = Workspace::new();
    workspace.write("small.toml", &both);
    workspace.run_well(&[]);
    let rows = workspace.rows("results/small");
    assert_eq!(rows.len(), 2 * 2 * 2 * 2);
    assert_snapshot!("skipped_rows", outcomes(&rows));
    for row in &rows {
        assert_eq!(row.measurement.is_none(), row.status == Status::Skipped);
    }
    let text = std::fs::read_to_string(workspace.path("results/small/manifest.toml")).unwrap();
    let manifest: toml::Table = toml::from_str(&text).unwrap();
    assert_eq!(manifest["cells"]["skipped"], 4.into());
    assert_eq!(manifest["cells"]["ok"], 12.into());
}

#[test]
fn methods_that_fail_do_not_take_others_with_them() {
    let workspace = Workspace::new();
    workspace.dataset("outliers", &outliers());
    let both = replaced(SMALL, "\"blobs\"", "\"blobs\", \"outliers\"");
    workspace.write("small.toml", &(both + OTHER_METHODS));
    let ended = workspace.run(&[]);
    assert_eq!(ended.code, 1, "{}", ended.told());
    insta::with_settings!({ filters => TIMES }, {
        assert_snapshot!("failed_run", ended.told());
    });
    let rows = workspace.rows("results/small");
    assert_snapshot!("failed_rows", outcomes(&rows));
    for row in &rows {
        assert_eq!(row.measurement.is_none(), row.status == Status::Failed);
        let linear = row.method.ends_with("linear");
        assert_eq!(row.status == Status::Ok, linear || row.dataset == "blobs");
    }
    assert_eq!(rows.len(), 2 * 7 * 2 * 2);
}

#[test]
fn a_run_without_a_number_is_no_success() {
    let workspace = Workspace::new();
    workspace.dataset("outliers", &outliers());
    let kernel = replaced(SMALL, "\"blobs\"", "\"outliers\"");
    let linear = "[[method]]\nname = \"linear\"\nfeatures = { map = \"identity\" }\n\
                  solver = \"interior-point\"\n";
    workspace.write("small.toml", &replaced(&kernel, linear, ""));
    let ended = workspace.run(&[]);
    assert_eq!(ended.code, 4, "{}", ended.told());
    let rows = workspace.rows("results/small");
    assert_eq!(rows.len(), 4, "two levels and two repeats");
    assert!(
        rows.iter()
            .all(|row| row.status == Status::Failed && row.reason.is_some())
    );
    assert_eq!(workspace.run(&["--quiet"]).code, 4);
}
