//! Where numbers come from: cells, entries of tables and points of figures of every kind.

use crate::classifiers::NOISY;
use crate::safe_ellipsoid::SAFE;
use crate::scaling::SCALING;
use crate::studies::{BANDWIDTH, TIGHTNESS};
use crate::support::{OTHER_METHODS, SMALL, Workspace, replaced};
use insta::assert_snapshot;
use robust_svm_core::data::{RowCap, SplitShares, stratified_split};
use robust_svm_core::seed::CellSeed;
use robust_svm_harness::data::{DataFolders, MissingPolicy, TaskSpec, load_task};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fs;

/// `explain` of `what` in `results/small`, as JSON.
fn explain(workspace: &Workspace, what: &str) -> Value {
    let ended = workspace.program(&["explain", "results/small", what, "--format", "json"]);
    assert_eq!(ended.code, 0, "{what}: {}", ended.told());
    serde_json::from_str(&ended.stdout).unwrap()
}

fn finished(experiment: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("small.toml", experiment);
    let isolated: &[&str] = if experiment == SCALING {
        &["--isolate"]
    } else {
        &[]
    };
    workspace.run_well(isolated);
    workspace
}

/// The results of the Markdown table `name`, whose first `names` columns name lines: title of the table, names, heading,
/// field.
fn entries(workspace: &Workspace, name: &str, names: usize) -> Vec<(String, Vec<String>, String)> {
    let path = workspace.path(&format!("results/small/tables/{name}.md"));
    let mut found = Vec::new();
    let (mut title, mut header) = (String::new(), Vec::new());
    for line in fs::read_to_string(path).unwrap().lines() {
        if let Some(text) = line.strip_prefix("## ") {
            text.clone_into(&mut title);
            header.clear();
        }
        let Some(fields) = line.strip_prefix("| ").and_then(|l| l.strip_suffix(" |")) else {
            if !line.starts_with('|') {
                header.clear();
            }
            continue;
        };
        let fields: Vec<String> = fields.split(" | ").map(|f| f.trim().to_owned()).collect();
        if header.is_empty() {
            header = fields;
            continue;
        }
        if fields[0].starts_with(":-") {
            continue;
        }
        for column in names..header.len() {
            let mut place = fields[..names].to_vec();
            place.push(header[column].clone());
            found.push((title.clone(), place, fields[column].clone()));
        }
    }
    assert!(!found.is_empty(), "{name} has no entry");
    found
}

/// Explains every `step`-th entry of a table and compares what it shows and what comes of the cells. Gives the number of
/// derivations seen.
fn explain_table(workspace: &Workspace, name: &str, names: usize, step: usize) -> usize {
    let mut derived = 0;
    let all = entries(workspace, name, names).into_iter();
    // Its lines have other names than those of the first table.
    let all = all.filter(|(title, ..)| title != "Widths over datasets");
    for (title, place, field) in all.step_by(step) {
        let alone = format!("tables/{name}:{}", place.join("/"));
        let ended = workspace.program(&["explain", "results/small", &alone, "--format", "json"]);
        let report: Value = if ended.code == 0 {
            serde_json::from_str(&ended.stdout).unwrap()
        } else {
            assert!(ended.stderr.contains(&title), "{}", ended.told());
            explain(
                workspace,
                &format!("tables/{name}:{title}/{}", place.join("/")),
            )
        };
        let number = &report["number"];
        let text = number["text"].as_str().unwrap().trim_end_matches(" %");
        let field = field.trim_matches('*');
        assert!(field.starts_with(text), "{alone}: {field} and {text}");
        assert_eq!(number["file_agrees"], true, "{alone}");
        assert_eq!(
            report["made_by"]["changes"]["made_from"]
                .as_array()
                .map(Vec::len),
            Some(0)
        );
        if text == "—" {
            continue;
        }
        assert!(!number["cells"].as_array().unwrap().is_empty(), "{alone}");
        for derivation in number["derivations"].as_array().unwrap() {
            let (number, shown) = (&derivation["number"], &derivation["shown"]);
            assert!(number.is_number(), "{alone}: {derivation}");
            assert_eq!(number, shown, "{alone}: {derivation}");
            derived += 1;
        }
    }
    derived
}

#[test]
fn every_entry_of_a_classification_follows_from_its_cells() {
    let both = replaced(SMALL, "[\"blobs\"]", "[\"rings\", \"blobs\"]");
    let exact = replaced(
        &both,
        "[evaluation]\n",
        "[evaluation]\nexact = { cells = 20, tolerance = 1e-3 }\n",
    );
    let workspace = finished(&exact);
    // Mean and deviation of two methods on two levels of two datasets and of all.
    assert_eq!(explain_table(&workspace, "accuracy", 2, 1), 2 * 2 * 2 * 3);
    assert_eq!(explain_table(&workspace, "noisy_accuracy", 2, 3), 2 * 4);
    assert_eq!(
        explain_table(&workspace, "robust_error", 2, 1),
        2 * 2 * 2 * 3
    );
    assert!(explain_table(&workspace, "certificates", 3, 1) >= 4 * 8);
    assert_eq!(explain_table(&workspace, "selection", 2, 1), 3 * 2 + 2 * 2);
    assert!(explain_table(&workspace, "path_equivalence", 3, 1) > 0);
}

#[test]
fn entries_of_studies_follow_from_their_cells() {
    let tightness = finished(TIGHTNESS);
    assert_eq!(explain_table(&tightness, "tightness", 3, 4), 5);
    let bandwidth = finished(BANDWIDTH);
    assert!(explain_table(&bandwidth, "bandwidth", 4, 3) >= 3);
    let safe = finished(SAFE);
    assert!(explain_table(&safe, "safe", 2, 3) >= 3);
}

/// Every column of every cell of every kind, and the commands that compute it again.
#[test]
fn cells_of_every_kind() {
    for (experiment, kind, streams) in [
        (SMALL, "classification", true),
        (TIGHTNESS, "bound-tightness", true),
        (BANDWIDTH, "bandwidth-rule", false),
        (SAFE, "safe-ellipsoid", true),
        (NOISY, "classifiers", true),
        (SCALING, "scaling", true),
    ] {
        let workspace = finished(experiment);
        let folder = workspace.program(&["explain", "results/small", "--format", "json"]);
        let folder: Value = serde_json::from_str(&folder.stdout).unwrap();
        assert_eq!(folder["made_by"]["kind"], kind);
        assert_eq!(folder["missing"], 0);
        assert_eq!(folder["stored"]["ok"], folder["planned"]);
        let verified = workspace.program(&[
            "verify",
            "results/small",
            "--cells",
            "1",
            "--format",
            "json",
        ]);
        let verified: Value = serde_json::from_str(&verified.stdout).unwrap();
        let id = verified["cells"][0]["cell_id"].as_str().unwrap();
        let report = explain(&workspace, &id[..10]);
        let cell = &report["cell"];
        assert_eq!(cell["cell_id"], id);
        assert_eq!(cell["axes"], verified["cells"][0]["axes"]);
        assert_eq!(cell["values"]["status"], "ok");
        assert_eq!(cell["stream"].is_u64(), streams, "{kind}");
        let has_parts = streams && kind != "scaling";
        assert_eq!(cell["parts"].is_object(), has_parts, "{kind}");
        let run = cell["run"].as_str().unwrap();
        assert!(
            run.starts_with("robust-svm run results/small/experiment.toml --only "),
            "{run}"
        );
        let verify: Vec<&str> = cell["verify"]
            .as_str()
            .unwrap()
            .split(' ')
            .skip(1)
            .collect();
        let ended = workspace.program(&verify);
        assert_eq!(ended.code, 0, "{}", ended.told());
        assert!(ended.stdout.contains("1 of "), "{}", ended.told());
    }
}

/// Made afresh from the data and the documented streams.
#[test]
fn rows_of_the_parts_are_those_of_the_split() {
    let workspace = Workspace::finished();
    let row = workspace.rows("results/small").remove(3);
    let report = explain(&workspace, &row.cell_id);
    let folders = DataFolders::new([workspace.path("datasets")]);
    let task = TaskSpec {
        positive: None,
        negative: None,
        missing: MissingPolicy::Error,
    };
    let task = load_task("blobs", &folders, &task).unwrap();
    let shares = SplitShares {
        train: 0.6,
        validation: 0.2,
        test: 0.2,
    };
    let seeds = CellSeed::new(7, "blobs", row.repeat);
    let mut rng = seeds.stream("split");
    let split = stratified_split(&task.data, shares, RowCap::default(), &mut rng).unwrap();
    let parts = &report["cell"]["parts"];
    for (name, rows) in [
        ("train", split.train),
        ("validation", split.validation),
        ("test", split.test),
    ] {
        let bytes: Vec<u8> = rows
            .iter()
            .flat_map(|&row| (row as u64).to_le_bytes())
            .collect();
        assert_eq!(parts[name]["rows"], rows.len());
        assert_eq!(
            parts[name]["sha256"],
            format!("{:x}", Sha256::digest(bytes))
        );
    }
    assert_eq!(report["cell"]["stream"], row.seed);
    assert_eq!(report["cell"]["dataset"]["sha256"], task.digest);
    let measured = row.measurement.unwrap();
    assert_eq!(report["cell"]["values"]["lambda"], measured.lambda);
    assert_eq!(report["cell"]["values"]["objective"], measured.objective);
}

#[test]
fn points_of_figures() {
    let workspace = finished(&(SMALL.to_owned() + OTHER_METHODS));
    let report = explain(&workspace, "plots/robust_error:blobs/robust-rff/0.3");
    let cells = report["number"]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    let certified: Vec<f64> = cells
        .iter()
        .map(|cell| cell["values"]["certified_error"].as_f64().unwrap())
        .collect();
    let mean = f64::midpoint(certified[0], certified[1]);
    let derivations = report["number"]["derivations"].as_array().unwrap();
    let of_certified = derivations
        .iter()
        .find(|d| d["column"] == "certified_error");
    assert_eq!(of_certified.unwrap()["number"].as_f64(), Some(mean));
    let tightness = finished(TIGHTNESS);
    let name = fs::read_dir(tightness.path("results/small/plots"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let name = name
        .path()
        .file_stem()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    let report = explain(
        &tightness,
        &format!("plots/{name}.svg:blobs/rff/geodesic/repeat=1"),
    );
    let cells = report["number"]["cells"].as_array().unwrap();
    assert!(!cells.is_empty());
    assert!(
        cells
            .iter()
            .all(|cell| cell["axes"]["bound"] == "geodesic" && cell["axes"]["repeat"] == "1")
    );
}

#[test]
fn what_is_told_of_a_small_run() {
    let workspace = Workspace::finished();
    let filters = vec![
        (
            r"(, revision .*)?; sources sha256 [0-9a-f]{64}",
            "[revision]; sources sha256 [digest]",
        ),
        (r"rustc .* for .*", "[compiler]"),
        (r"; \d{4}-.*", "; [times, threads and processor]"),
        // Their last digits are the processor's.
        (r"(objective|gap|nominal_lambda) +\S+", "$1 [number]"),
        (r"sigma +\d\S+", "sigma [number]"),
        (r"\d\.\d{4,}(e-?\d+)?", "[number]"),
        (r" {2,}", "  "),
    ];
    insta::with_settings!({ filters => filters }, {
        for (what, name) in [
            (None, "explain_folder"),
            (Some("a9be4f"), "explain_cell"),
            (Some("tables/accuracy:blobs/0.3/robust-rff"), "explain_entry"),
            (Some("tables/comparison"), "explain_no_table"),
            (Some("tables/accuracy:blobs/0.3/robust-rf"), "explain_no_entry"),
            (Some("tables/accuracy:blobs/linear"), "explain_part_of_an_entry"),
            (Some("plots/accuracies:blobs"), "explain_no_plot"),
            (Some("plots/accuracy:blobs/0.4/linear"), "explain_no_point"),
            (Some("0123"), "explain_no_cell"),
        ] {
            let arguments = ["explain", "results/small"].into_iter().chain(what);
            let ended = workspace.program(&arguments.collect::<Vec<_>>());
            assert_snapshot!(name, ended.told());
        }
    });
}

#[test]
fn a_table_that_was_edited_and_code_that_changed_are_told() {
    let workspace = Workspace::finished();
    let table = workspace.path("results/small/tables/accuracy.md");
    let text = fs::read_to_string(&table).unwrap();
    fs::write(&table, text.replacen(" 0.3 ", " 0.3  ", 1)).unwrap();
    fs::remove_file(workspace.path("results/small/tables/accuracy.csv")).unwrap();
    let manifest = workspace.path("results/small/manifest.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(
        &manifest,
        text.replace("version = \"0.1.0\"", "version = \"0.0.9\""),
    )
    .unwrap();
    let ended = workspace.program(&[
        "explain",
        "results/small",
        "tables/accuracy:blobs/0.3/linear",
    ]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert!(
        ended
            .stdout
            .contains("tables/accuracy.md is not what the stored cells give"),
        "{}",
        ended.told()
    );
    let csv = "tables/accuracy.csv is not what the stored cells give";
    assert!(ended.stdout.contains(csv), "{}", ended.told());
    assert!(!ended.stdout.contains("tables/accuracy.tex is not"));
    assert!(
        ended.stdout.contains("CHANGED SINCE: the code (then 0.0.9"),
        "{}",
        ended.told()
    );
}
