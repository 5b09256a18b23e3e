//! `robust-svm figures`.

use crate::support::{SMALL, Workspace, blobs, replaced};
use std::fs;
use std::process::Command;

/// The words of a PDF; none, with the reason told, where the program that reads them is not installed.
fn words_of(workspace: &Workspace, pdf: &str) -> Option<Vec<String>> {
    let path = workspace.path(pdf);
    let Ok(output) = Command::new("pdftotext").arg(path).arg("-").output() else {
        eprintln!("skipped: pdftotext is not installed");
        return None;
    };
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    Some(text.split_whitespace().map(str::to_owned).collect())
}

/// The three files of a figure, which show these words.
fn check(workspace: &Workspace, name: &str, shown: &[&str]) {
    let read = |end: &str| fs::read(workspace.path(&format!("{name}.{end}"))).expect(end);
    let svg = String::from_utf8(read("svg")).unwrap();
    let document = roxmltree::Document::parse(&svg).expect("an SVG");
    let texts: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.text())
        .collect();
    let all = texts.join(" ");
    for shown in shown {
        assert!(all.contains(shown), "{shown} is not in {all}");
    }
    assert!(read("pdf").starts_with(b"%PDF"));
    assert!(read("png").starts_with(b"\x89PNG"));
    if let Some(words) = words_of(workspace, &format!("{name}.pdf")) {
        for word in shown.iter().flat_map(|shown| shown.split_whitespace()) {
            assert!(
                words.iter().any(|w| w.contains(word)),
                "{word} is not in {words:?}"
            );
        }
    }
}

#[test]
fn the_toy_comes_from_its_seed_with_the_same_bytes() {
    let workspace = Workspace::new();
    for out in ["one", "two"] {
        let ended = workspace.program(&["figures", "rff-toy", "--out", out, "--quiet"]);
        assert_eq!(ended.told(), "exit code 0\n");
    }
    check(
        &workspace,
        "one/rff-toy",
        &["first input", "second input", "cos ω·x", "sin ω·x", "class"],
    );
    for end in ["svg", "png", "pdf"] {
        let read = |out: &str| fs::read(workspace.path(&format!("{out}/rff-toy.{end}"))).unwrap();
        assert!(read("one") == read("two"), "{end}");
    }
}

/// A figure is as wide as a column or the text of a paper.
#[test]
fn figures_have_the_width_of_print() {
    let workspace = Workspace::new();
    workspace.program(&["figures", "rff-toy", "--out", "out"]);
    let svg = fs::read_to_string(workspace.path("out/rff-toy.svg")).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let width: f64 = document
        .root_element()
        .attribute("width")
        .unwrap()
        .parse()
        .unwrap();
    assert!((width / 96.0 - 7.0).abs() < 0.005, "{width}");
}

/// The experiment is run, then drawn; the second time it is there.
#[test]
fn an_experiment_is_run_for_its_figure() {
    let workspace = Workspace::new();
    workspace.dataset("ionosphere", &blobs(90));
    let text = replaced(SMALL, "name = \"small\"", "name = \"noise-grid\"");
    workspace.write(
        "experiments/noise-grid.toml",
        &replaced(&text, "blobs", "ionosphere"),
    );
    let ended = workspace.program(&["figures", "noise"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert!(
        ended.stderr.contains("8 cells (0 were there)"),
        "{}",
        ended.told()
    );
    let shown = [
        "ionosphere",
        "robust-RFF",
        "linear",
        "noisy accuracy (%)",
        "robust error (%)",
        "level γ",
    ];
    check(&workspace, "results/figures/noise", &shown);
    assert!(
        workspace
            .path("results/noise-grid/plots/robust_error.pdf")
            .exists()
    );
    let svg = |name: &str| fs::read(workspace.path(&format!("{name}/noise.svg"))).unwrap();
    let ended = workspace.program(&["figures", "noise", "--out", "again"]);
    assert!(
        ended.stderr.contains("8 cells (8 were there)"),
        "{}",
        ended.told()
    );
    assert!(svg("results/figures") == svg("again"));
}

#[test]
fn what_cannot_be_made_says_so_and_the_others_go_on() {
    let workspace = Workspace::new();
    let text = replaced(SMALL, "name = \"small\"", "name = \"certificates\"");
    workspace.write("experiments/certificates.toml", &text);
    let ended = workspace.program(&["figures", "noise", "certificates", "rff-toy"]);
    assert_eq!(ended.code, 1, "{}", ended.told());
    let told = |words: &str| assert!(ended.stderr.contains(words), "{}", ended.told());
    told("figure noise is not made: ");
    told("experiments/noise-grid.toml");
    told("figure certificates is not made: experiments/certificates.toml has none of the datasets");
    told("wrote results/figures/rff-toy.svg");
    assert!(workspace.path("results/figures/rff-toy.pdf").exists());
    assert!(!workspace.path("results/figures/noise.svg").exists());
}

#[test]
fn figures_are_listed_and_others_are_usage_errors() {
    let workspace = Workspace::new();
    let ended = workspace.program(&["figures", "--list"]);
    assert_eq!(
        (ended.code, ended.stdout.lines().count()),
        (0, 6),
        "{}",
        ended.told()
    );
    let ended = workspace.program(&["figures", "nois"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("'noise'"), "{}", ended.told());
}
