//! The schema of experiment files: what is committed is what the types give, and an independent validator agrees with
//! the program.

use crate::classifiers::{MANY, NOISY};
use crate::studies::{BANDWIDTH, TIGHTNESS};
use crate::support::{OTHER_METHODS, SMALL, Workspace, replaced};
use robust_svm_harness::schema::{reference, schema};
use robust_svm_harness::spec::Kind;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn shipped(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Compares the file `path` with what it should be; with the environment variable `UPDATE_DOCS` it is written.
fn assert_committed(path: &str, expected: &str) {
    let file = shipped(path);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&file, expected).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap();
    let remedy = format!("{path} is not what the types give: run the tests with UPDATE_DOCS=1");
    assert!(found == expected, "{remedy}");
}

#[test]
fn the_committed_schema_is_that_of_the_types() {
    let text = format!("{:#}\n", schema(None));
    assert_committed("docs/experiment.schema.json", &text);
    let ended = Workspace::new().program(&["schema"]);
    assert_eq!((ended.code, ended.stdout), (0, text));
}

#[test]
fn the_reference_of_keys_is_that_of_the_types() {
    let path = "docs/experiments.md";
    let document = fs::read_to_string(shipped(path)).unwrap();
    let (begin, end) = ("<!-- keys: begin -->\n", "<!-- keys: end -->\n");
    let (before, rest) = document.split_once(begin).expect("the reference begins");
    let (_, after) = rest.split_once(end).expect("the reference ends");
    let expected = format!("{before}{begin}\n{}\n{end}{after}", reference());
    assert_committed(path, &expected);
    let ended = Workspace::new().program(&["schema", "--markdown"]);
    assert_eq!((ended.code, ended.stdout), (0, reference()));
}

/// What is wrong in `text` by the schema.
fn faults(schema: &Value, text: &str) -> Vec<String> {
    let content: toml::Table = text.parse().expect("it is TOML");
    let content = serde_json::to_value(content).unwrap();
    let validator = jsonschema::draft202012::new(schema).expect("it is a schema");
    validator
        .iter_errors(&content)
        .map(|error| error.to_string())
        .collect()
}

#[test]
fn shipped_experiments_are_valid() {
    let all = schema(None);
    jsonschema::draft202012::meta::validate(&all).unwrap_or_else(|error| panic!("{error}"));
    let mut kinds = Vec::new();
    for entry in fs::read_dir(shipped("experiments")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(
            faults(&all, &text),
            Vec::<String>::new(),
            "{}",
            path.display()
        );
        let line = "#:schema ../docs/experiment.schema.json\n";
        assert!(
            text.starts_with(line),
            "{} does not name its schema",
            path.display()
        );
        let content: toml::Table = text.parse().unwrap();
        let kind = content
            .get("kind")
            .and_then(toml::Value::as_str)
            .unwrap_or("classification");
        kinds.push(kind.to_owned());
        for other in [
            Kind::Classification,
            Kind::BoundTightness,
            Kind::BandwidthRule,
            Kind::SafeEllipsoid,
            Kind::Classifiers,
            Kind::Scaling,
        ] {
            let valid = faults(&schema(Some(other)), &text).is_empty();
            assert_eq!(
                valid,
                other.to_string() == kind,
                "{} as {other}",
                path.display()
            );
        }
    }
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), 6, "{kinds:?}");
}

#[test]
fn what_the_language_allows_is_valid() {
    let all = schema(None);
    let start = SMALL.find("[[method]]").expect("there are methods");
    let head = &SMALL[..start];
    let templates = "[template.a]\nfeatures = { map = \"rff\", dim = 8 }\n[template.b]\ntemplate = \"a\"\nsolver = \"interior-point\"\n\
                     [[method]]\nname = \"{bound}\"\ntemplate = \"b\"\nbound = [\"paper\", \"arcs\"]\nfeatures.dim = [8, 16]\n";
    let entry = "{ name = \"blobs\", max_rows = { test = 20 }, lambda = [1], sigma = { times_median = [1.0] } }";
    for text in [
        SMALL.to_owned(),
        format!("{SMALL}{OTHER_METHODS}"),
        format!("{head}{templates}"),
        "include = [\"common.toml\"]\nname = \"a\"\n[data]\nscale = \"none\"\n[[method]]\nname = \"a\"\ntemplate = \"t\"\n".to_owned(),
        "include = [\"common.toml\"]\nkind = \"bandwidth-rule\"\n".to_owned(),
        replaced(SMALL, "\"blobs\"", entry),
        TIGHTNESS.to_owned(),
        BANDWIDTH.to_owned(),
        NOISY.to_owned(),
        MANY.to_owned(),
    ] {
        assert_eq!(faults(&all, &text), Vec::<String>::new(), "{text}");
    }
}

/// The program and the schema refuse the same files.
#[test]
fn broken_files_are_refused_by_both() {
    let all = schema(None);
    let small = [
        ("seed = 7\n", ""),
        ("seed = 7", "sede = 7"),
        ("seed = 7", "seed = -7"),
        ("repeats = 2", "repeats = 0"),
        ("repeats = 2", "repeats = \"2\""),
        ("repeats = 2", "repeats = 2.5"),
        ("repeats = 2", "repeats = 100001"),
        ("name = \"small\"", "name = \"../small\""),
        ("seed = 7", "seed = 7\nkind = \"regression\""),
        ("seed = 7", "seed = 7\nkind = \"bandwidth-rule\""),
        ("[\"blobs\"]", "[]"),
        ("[\"blobs\"]", "[3]"),
        ("\"blobs\"", "{ nmae = \"blobs\" }"),
        ("\"blobs\"", "{ name = \"blobs\", levels = [1] }"),
        ("\"blobs\"", "{ name = \"blobs\", lambda = [0] }"),
        ("train = 0.6, ", ""),
        ("train = 0.6", "train = -0.6"),
        ("norm = 2", "norm = 3"),
        ("norm = 2", "norm = \"two\""),
        ("norm = 2", "shape = \"cube\""),
        ("[0.0, 0.3]", "[0.0, -0.3]"),
        ("[0.0, 0.3]", "0.3"),
        ("noise_draws = 3", "noise_draws = 0"),
        ("steps = 5, ", ""),
        ("[0.1, 1.0]", "[0.1, 0.0]"),
        ("[0.1, 1.0]", "[]"),
        ("{ times_median = [1.0] }", "[1.0]"),
        ("{ times_median = [1.0] }", "{ times_median = [-1.0] }"),
        ("map = \"rff\"", "map = \"fourier\""),
        ("dim = 16", "dim = 0"),
        ("dim = 16", "dim = []"),
        ("dim = 16", "dmi = 16"),
        ("bound = \"geodesic\"", "bound = 3"),
        ("bound = \"geodesic\"", "bound = []"),
        ("bound = \"geodesic\"", "train_level = -1"),
        ("bound = \"geodesic\"", "template = 3"),
        ("solver = \"interior-point\"", "solver = \"simplex\""),
        ("solver = \"interior-point\"\n", ""),
        ("[data]", "include = \"a.toml\"\n[data]"),
        (
            "[data]",
            "[template.a]\ncolour = 3\n[[method]]\nname = \"a\"\ntemplate = \"a\"\n[data]",
        ),
    ];
    let small = small.map(|(old, new)| (SMALL, old, new));
    let studies = [
        (BANDWIDTH, "kind = \"bandwidth-rule\"\n", ""),
        (BANDWIDTH, "failure = 0.05", "failure = 1.0"),
        (TIGHTNESS, "base = 0.3", "bsae = 0.3"),
        (TIGHTNESS, "base = \"all\"", "base = \"every\""),
    ];
    for (text, old, new) in small.into_iter().chain(studies) {
        let text = replaced(text, old, new);
        assert!(
            !faults(&all, &text).is_empty(),
            "the schema takes {new:?} for {old:?}"
        );
        let workspace = Workspace::new();
        workspace.write("small.toml", &text);
        let ended = workspace.run(&[]);
        assert_eq!(ended.code, 2, "{new:?} for {old:?}: {}", ended.told());
    }
}
