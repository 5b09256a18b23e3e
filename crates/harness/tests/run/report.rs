//! `robust-svm report`, and the report of a run.

use crate::studies::{BANDWIDTH, TIGHTNESS};
use crate::support::{OTHER_METHODS, SMALL, Workspace, outliers, replaced};
use insta::assert_snapshot;
use std::fs;

fn read(workspace: &Workspace, folder: &str) -> String {
    fs::read_to_string(workspace.path(folder).join("report.html")).expect("there is a report")
}

/// The text of the overview, without markup.
fn overview(html: &str) -> String {
    let start = html.find("<section id=\"overview\"").expect("it is there");
    let end = start + html[start..].find("</section>").unwrap() + "</section>".len();
    let document = roxmltree::Document::parse(&html[start..end]).expect("it is well-formed");
    let texts = document.descendants().filter(roxmltree::Node::is_text);
    let texts = texts.filter_map(|node| node.text());
    let texts = texts.map(str::trim).filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_run_writes_its_report_unless_told_not_to() {
    let workspace = Workspace::new();
    workspace.run_well(&["--out", "without", "--no-report"]);
    assert!(!workspace.path("without/report.html").exists());
    workspace.run_well(&["--out", "with"]);
    let html = read(&workspace, "with");
    insta::with_settings!({ filters => vec![
        (r"\d+\.\d\d s", "[seconds] s"), ("code [0-9a-f]{12}", "code [digest]"), (r"\d\.\de-\d+", "[gap]"),
    ] }, {
        assert_snapshot!("report_overview", overview(&html));
    });
    // The same bytes from the same results, and nothing that a browser would have to fetch.
    let ended = workspace.program(&["report", "with"]);
    assert_eq!(
        (ended.code, ended.stdout.as_str()),
        (0, "The report is with/report.html\n")
    );
    assert_eq!(read(&workspace, "with"), html);
    assert_eq!(html.matches("src=").count(), 0);
    let addresses = html.matches("http").count();
    assert_eq!(
        addresses,
        html.matches("http://www.w3.org/2000/svg").count()
    );
    // What is made anew is all of it.
    fs::remove_dir_all(workspace.path("with/tables")).unwrap();
    fs::remove_dir_all(workspace.path("with/plots")).unwrap();
    workspace.program(&["report", "with"]);
    assert!(workspace.path("with/tables/accuracy.csv").exists());
    assert!(workspace.path("with/plots/tradeoff.svg").exists());
}

#[test]
fn failures_and_other_code_are_told_first() {
    let workspace = Workspace::new();
    workspace.dataset("outliers", &outliers());
    let both = replaced(SMALL, "\"blobs\"", "\"blobs\", \"outliers\"");
    workspace.write("small.toml", &(both + OTHER_METHODS));
    assert_eq!(workspace.run(&[]).code, 1);
    let manifest = workspace.path("results/small/manifest.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let digest = text.split("sha256 = \"").nth(2).unwrap();
    fs::write(&manifest, text.replace(&digest[..12], "0123456789ab")).unwrap();
    let ended = workspace.program(&["report", "results/small"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    let told = overview(&read(&workspace, "results/small"));
    let rows = workspace.rows("results/small");
    let failed: Vec<_> = rows
        .iter()
        .filter(|row| row.measurement.is_none())
        .collect();
    assert!(
        told.contains(&format!("{} cells failed.", failed.len())),
        "{told}"
    );
    assert!(told.contains(failed[0].reason.as_ref().unwrap()), "{told}");
    assert!(
        told.contains("Made by another version of the code."),
        "{told}"
    );
    assert!(told.contains("0123456789ab"), "{told}");
}

#[test]
fn a_part_says_what_is_missing() {
    let workspace = Workspace::new();
    workspace.run_well(&["--only", "method=linear"]);
    let told = overview(&read(&workspace, "results/small"));
    assert!(told.contains("4 of 8 cells are missing."), "{told}");
}

#[test]
fn studies_have_reports() {
    for (text, table, figure) in [
        (TIGHTNESS, "tightness", "tightness-rff"),
        (BANDWIDTH, "bandwidth", "bandwidth"),
    ] {
        let workspace = Workspace::new();
        workspace.write("small.toml", text);
        workspace.run_well(&[]);
        let html = read(&workspace, "results/small");
        assert!(html.contains(&format!("id=\"table-{table}")), "{table}");
        assert!(html.contains(&format!("id=\"figure-{figure}")), "{figure}");
    }
}

#[test]
fn what_is_no_results_folder_is_told() {
    let workspace = Workspace::new();
    assert_snapshot!(
        "report_nowhere",
        workspace.program(&["report", "nowhere"]).told()
    );
    let workspace = Workspace::finished();
    fs::remove_file(workspace.path("datasets/blobs.csv")).unwrap();
    let ended = workspace.program(&["report", "results/small"]);
    assert_snapshot!("report_without_data", ended.told());
}
