//! Includes, templates and lists of methods: they give what an experiment that is written out gives, and what is
//! wrong in them is told with its place.

use crate::rejected_experiments::{changed, refused};
use crate::support::{SMALL, Workspace, replaced};
use insta::assert_snapshot;
use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert_eq, proptest};
use proptest::sample::{select, subsequence};
use robust_svm_harness::data::DataFolders;
use robust_svm_harness::plan::{Plan, plan};
use robust_svm_harness::spec::SpecFile;
use std::fmt::Write as _;

/// [`SMALL`] with these sections in the place of its methods.
fn with_methods(methods: &str) -> String {
    let start = SMALL.find("[[method]]").expect("there are methods");
    format!("{}{methods}", &SMALL[..start])
}

fn told(methods: &str) -> String {
    let workspace = Workspace::new();
    workspace.write("small.toml", &with_methods(methods));
    refused(&workspace)
}

/// The digest of an experiment is that of what it says, however it says it.
fn digest(workspace: &Workspace, file: &str) -> String {
    let file = SpecFile::read(&workspace.path(file)).unwrap_or_else(|error| panic!("{error}"));
    file.digest
}

const TEMPLATES: &str = r#"
[template.solved]
solver = "interior-point"

[template.rff]
template = "solved"
features = { map = "rff", dim = 16 }

[[method]]
name = "linear"
template = "solved"
features = { map = "identity" }

[[method]]
name = "{bound}-{dim}"
template = "rff"
features = { dim = [8, 16] }
bound = ["geodesic", "paper"]

[[method]]
name = "rff"
template = "rff"
features.form = "phased"
"#;

const WRITTEN_OUT: &str = r#"
[[method]]
name = "linear"
features = { map = "identity" }
solver = "interior-point"

[[method]]
name = "geodesic-8"
features = { map = "rff", dim = 8 }
bound = "geodesic"
solver = "interior-point"

[[method]]
name = "geodesic-16"
features = { map = "rff", dim = 16 }
bound = "geodesic"
solver = "interior-point"

[[method]]
name = "paper-8"
features = { map = "rff", dim = 8 }
bound = "paper"
solver = "interior-point"

[[method]]
name = "paper-16"
features = { map = "rff", dim = 16 }
bound = "paper"
solver = "interior-point"

[[method]]
name = "rff"
features = { map = "rff", dim = 16, form = "phased" }
solver = "interior-point"
"#;

#[test]
fn templates_and_lists_give_the_same_cells_as_methods_written_out() {
    let workspace = Workspace::new();
    workspace.write("small.toml", &with_methods(TEMPLATES));
    workspace.run_well(&["--out", "short"]);
    let stored = std::fs::read_to_string(workspace.path("short/experiment.toml")).unwrap();
    assert_eq!(stored, with_methods(TEMPLATES));
    let short = digest(&workspace, "small.toml");
    workspace.write("small.toml", &with_methods(WRITTEN_OUT));
    assert_eq!(short, digest(&workspace, "small.toml"));
    workspace.run_well(&["--out", "long"]);
    assert_eq!(workspace.cells("short"), workspace.cells("long"));
}

fn planned(workspace: &Workspace, text: &str) -> Plan {
    workspace.write("small.toml", text);
    let file = SpecFile::read(&workspace.path("small.toml"));
    let file = file.unwrap_or_else(|error| panic!("{error}"));
    let folders = DataFolders::new([workspace.path("datasets")]);
    plan(file, &folders).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A list as it is written: some of `all`, at least one.
fn some_of(all: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    subsequence(all, 1..=all.len()).prop_shuffle()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Any lists, in any order of placeholders, some keys in a template or in one that it extends: the plan is that
    /// of the methods written out one by one, the first placeholder's list outermost.
    #[test]
    fn lists_and_templates_are_the_methods_written_out(
        bounds in some_of(&["\"geodesic\"", "\"arcs\"", "\"best\"", "\"paper\""]),
        dims in some_of(&["8", "16", "0x20"]),
        levels in some_of(&["0.3", "1", "0.50"]),
        bound_first in any::<bool>(),
        template in select(vec!["none", "one", "two"]),
    ) {
        let name = if bound_first { "{bound}/{dim}/{train_level}" } else { "{dim}/{bound}/{train_level}" };
        let list = |entries: &[&str]| format!("[{}]", entries.join(", "));
        let (solver, map) = ("solver = \"interior-point\"\n", "features = { map = \"rff\" }\n");
        let bound = format!("bound = {}\n", list(&bounds));
        let own = format!("train_level = {}\nfeatures.dim = {}\n", list(&levels), list(&dims));
        let short = match template {
            "none" => format!(
                "[[method]]\nname = \"{name}\"\n{solver}{bound}{own}features.map = \"rff\"\n"
            ),
            "one" => format!(
                "[template.t]\n{solver}{bound}{map}\n[[method]]\nname = \"{name}\"\ntemplate = \"t\"\n{own}"
            ),
            _ => format!(
                "[template.t]\ntemplate = \"s\"\n{bound}features.dim = 64\n[template.s]\n{solver}{map}bound = \"exact\"\n\
                 [[method]]\nname = \"{name}\"\ntemplate = \"t\"\n{own}"
            ),
        };
        let mut long = String::new();
        let (outer, inner) = if bound_first { (&bounds, &dims) } else { (&dims, &bounds) };
        for first in outer {
            for second in inner {
                let (bound, dim) = if bound_first { (first, second) } else { (second, first) };
                for level in &levels {
                    let told = |text: &str| match text {
                        "0x20" => "32".to_owned(),
                        "0.50" => "0.5".to_owned(),
                        text => text.trim_matches('"').to_owned(),
                    };
                    let name = [told(first), told(second), told(level)].join("/");
                    let _ = write!(
                        long,
                        "[[method]]\nname = \"{name}\"\nfeatures = {{ map = \"rff\", dim = {dim} }}\n\
                         bound = {bound}\ntrain_level = {level}\n{solver}\n"
                    );
                }
            }
        }
        let workspace = Workspace::new();
        let short = planned(&workspace, &with_methods(&short));
        let long = planned(&workspace, &with_methods(&long));
        prop_assert_eq!(&short.methods, &long.methods);
        prop_assert_eq!(short.file.digest, long.file.digest);
    }
}

/// A list of D is a grid that the selection chooses from, unless the name has its placeholder.
#[test]
fn lists_of_sizes_stay_grids_of_the_selection() {
    let workspace = Workspace::changed("dim = 16", "dim = [8, 16]");
    workspace.run_well(&[]);
    let rows = workspace.rows("results/small");
    let methods = rows.iter().filter(|row| row.method == "robust-rff");
    assert_eq!(methods.count(), 4, "two levels, two repeats");
}

#[test]
fn lists_that_are_wrong() {
    let method = |name: &str, keys: &str| {
        told(&format!(
            "[[method]]\nname = \"{name}\"\nfeatures = {{ map = \"rff\", dim = [8, 16] }}\n\
             solver = \"interior-point\"\n{keys}\n"
        ))
    };
    assert_snapshot!(
        "list_without_a_placeholder",
        method("rff", "bound = [\"geodesic\", \"paper\"]")
    );
    assert_snapshot!("misspelt_placeholder", method("rff-{dmi}", ""));
    assert_snapshot!("unknown_placeholder", method("rff-{colour}", ""));
    assert_snapshot!("placeholder_without_a_key", method("rff-{bound}", ""));
    assert_snapshot!("empty_list_of_bounds", method("{bound}", "bound = []"));
    assert_snapshot!(
        "list_in_a_list_of_bounds",
        method("{bound}", "bound = [[\"paper\"]]")
    );
    assert_snapshot!(
        "wrong_bound_in_a_list",
        method("{bound}", "bound = [\"paper\", \"geodesik\"]")
    );
    assert_snapshot!(
        "the_same_entry_twice",
        method("{bound}", "bound = [\"paper\", \"paper\"]")
    );
    let numbers: Vec<String> = (0..1001).map(|n| n.to_string()).collect();
    assert_snapshot!(
        "too_many_methods",
        method(
            "{train_level}",
            &format!("train_level = [{}]", numbers.join(","))
        )
    );
}

#[test]
fn templates_that_are_wrong() {
    assert_snapshot!(
        "misspelt_template",
        told("[template.rff]\n\n[[method]]\nname = \"a\"\ntemplate = \"rf\"\n")
    );
    assert_snapshot!(
        "unknown_template",
        told("[template.rff]\n\n[[method]]\nname = \"a\"\ntemplate = \"svm\"\n")
    );
    assert_snapshot!(
        "no_templates",
        told("[[method]]\nname = \"a\"\ntemplate = \"svm\"\n")
    );
    assert_snapshot!(
        "templates_in_a_circle",
        told(
            "[template.a]\ntemplate = \"b\"\n[template.b]\ntemplate = \"a\"\n\
             [[method]]\nname = \"a\"\ntemplate = \"a\"\n"
        )
    );
    assert_snapshot!(
        "number_for_a_template",
        told("[[method]]\nname = \"a\"\ntemplate = 3\n")
    );
    assert_snapshot!(
        "value_for_a_template",
        told("[template]\nrff = 3\n[[method]]\nname = \"a\"\n")
    );
    assert_snapshot!(
        "misspelt_key_of_a_template",
        told(
            "[template.rff]\nfeatures = { map = \"rff\", dmi = 16 }\n\
             [[method]]\nname = \"a\"\ntemplate = \"rff\"\nsolver = \"interior-point\"\n"
        )
    );
}

/// What [`SMALL`] and others may have in common.
const COMMON: &str = r#"# What all experiments have in common.
seed = 7
repeats = 3 # of each dataset

# The data.
[data]
datasets = ["blobs"] # clouds
split = { train = 0.6, validation = 0.2, test = 0.2 }

# Small sets.
[uncertainty]
norm = 2
levels = [0.0, 0.3]

[evaluation]
noise_draws = 3
attack = { steps = 5, restarts = 2 }

# The first method.
[[method]]
name = "linear"
features = { map = "identity" }
solver = "interior-point"
"#;

const INCLUDING: &str = r#"# The experiment itself.
include = ["parts/common.toml", "grid.toml"] # below
name = "small"
# Fewer than in the common file.
repeats = 2

# The second method.
[[method]] # of two
name = "robust-rff"
features = { map = "rff", dim = 16 }
bound = "geodesic"
solver = "interior-point"
# The end.
"#;

const GRID: &str =
    "[selection]\nlambda = [0.1, 1.0] # λ\n\n[selection.sigma]\ntimes_median = [1.0]\n";

fn including() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("small.toml", INCLUDING);
    workspace.write("parts/common.toml", COMMON);
    workspace.write("grid.toml", GRID);
    workspace
}

#[test]
fn files_put_together_give_the_cells_of_one() {
    let workspace = including();
    let expected = Workspace::new();
    assert_eq!(
        digest(&workspace, "small.toml"),
        digest(&expected, "small.toml")
    );
    workspace.run_well(&[]);
    expected.run_well(&[]);
    let cells = workspace.cells("results/small");
    assert_eq!(cells, expected.cells("results/small"));
}

/// The stored file stands alone, plans to the same experiment, and has the comments of all its parts.
#[test]
fn the_stored_file_is_one_with_all_comments() {
    let workspace = including();
    workspace.run_well(&[]);
    let path = "results/small/experiment.toml";
    let stored = std::fs::read_to_string(workspace.path(path)).unwrap();
    assert_eq!(digest(&workspace, path), digest(&workspace, "small.toml"));
    assert_snapshot!("stored_from_three_files", stored);
    for text in [COMMON, INCLUDING, GRID] {
        for comment in text.lines().filter_map(|line| line.split_once('#')) {
            let comment = comment.1.trim();
            assert!(stored.contains(comment), "{comment}");
        }
    }
    let ended = workspace.program(&["run", path, "--out", "again"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert_eq!(workspace.cells("again"), workspace.cells("results/small"));
}

/// Sections of one name in other notations: inline, dotted, by header.
#[test]
fn notations_may_differ_between_files() {
    let parts = [
        (
            "data.split.train = 0.6\ndata.datasets = [\"blobs\"]\n",
            "[data.split]\nvalidation = 0.2\ntest = 0.2\n",
        ),
        (
            "[data]\ndatasets = [\"rings\"]\nsplit = { train = 0.5, validation = 0.2 }\n",
            "data.datasets = [\"blobs\"]\ndata.split.train = 0.6\ndata.split.test = 0.2\n",
        ),
        (
            "data = { split = { train = 0.6, validation = 0.2, test = 0.2 } }\n",
            "[data]\ndatasets = [\"blobs\"]\n",
        ),
        (
            "[data.split]\ntrain = 0.6\nvalidation = 0.1\ntest = 0.2\n[data]\ndatasets = [\"blobs\"]\n",
            "data.split = { validation = 0.2 }\n",
        ),
    ];
    let data =
        "[data]\ndatasets = [\"blobs\"]\nsplit = { train = 0.6, validation = 0.2, test = 0.2 }\n";
    let rest = replaced(SMALL, data, "");
    let expected = digest(&Workspace::new(), "small.toml");
    for (included, own) in parts {
        let workspace = Workspace::new();
        workspace.write("common.toml", included);
        workspace.write("rest.toml", &rest);
        let text = format!("include = [\"common.toml\", \"rest.toml\"]\n{own}");
        workspace.write("small.toml", &text);
        assert_eq!(
            digest(&workspace, "small.toml"),
            expected,
            "{included}{own}"
        );
        let file = SpecFile::read(&workspace.path("small.toml")).unwrap();
        workspace.write("stored.toml", &file.text);
        assert_eq!(digest(&workspace, "stored.toml"), expected, "{}", file.text);
    }
}

#[test]
fn methods_in_lists_of_either_notation_are_appended() {
    let workspace = Workspace::new();
    let start = SMALL.find("[[method]]").expect("there are methods");
    let inline = "method = [{ name = \"linear\", features = { map = \"identity\" }, solver = \"interior-point\" }]\n";
    let second = SMALL.rfind("[[method]]").expect("there are methods");
    let own = "include = [\"common.toml\"]\n".to_owned() + &SMALL[..start] + &SMALL[second..];
    workspace.write("common.toml", inline);
    workspace.write("small.toml", &own);
    let expected = digest(&Workspace::new(), "small.toml");
    assert_eq!(digest(&workspace, "small.toml"), expected);
    let file = SpecFile::read(&workspace.path("small.toml")).unwrap();
    workspace.write("stored.toml", &file.text);
    assert_eq!(digest(&workspace, "stored.toml"), expected, "{}", file.text);
}

#[test]
fn errors_show_the_file_that_they_are_in() {
    let with = |file: &str, old: &str, new: &str| {
        let workspace = including();
        let text = match file {
            "small.toml" => INCLUDING,
            "grid.toml" => GRID,
            _ => COMMON,
        };
        workspace.write(file, &replaced(text, old, new));
        refused(&workspace)
    };
    let common = "parts/common.toml";
    assert_snapshot!("included_syntax", with(common, "seed = 7", "seed ="));
    assert_snapshot!("included_key", with(common, "norm = 2", "nrom = 2"));
    assert_snapshot!("included_value", with("grid.toml", "0.1, 1.0", "0.1, -1.0"));
    assert_snapshot!("included_type", with(common, "repeats = 3", "seed = 3"));
    assert_snapshot!(
        "included_dataset",
        with(
            common,
            "\"blobs\"",
            "{ name = \"blobs\", positive = [\"up\"] }"
        )
    );
    assert_snapshot!("own_key_beside_includes", with("small.toml", "dim", "dmi"));
    assert_snapshot!("missing_include", with("small.toml", "grid", "gird"));
    assert_snapshot!(
        "include_is_no_list",
        with(
            "small.toml",
            "[\"parts/common.toml\", \"grid.toml\"]",
            "\"grid.toml\""
        )
    );
    assert_snapshot!(
        "include_of_a_number",
        with("small.toml", "\"grid.toml\"", "3")
    );
    assert_snapshot!(
        "include_in_a_circle",
        with(
            common,
            "seed = 7",
            "seed = 7\ninclude = [\"../small.toml\"]"
        )
    );
    assert_snapshot!(
        "include_not_at_the_top",
        with(common, "norm = 2", "norm = 2\ninclude = [\"a.toml\"]")
    );
}

#[test]
fn studies_that_do_not_say_so() {
    let study = |keys: &str| changed(SMALL, &format!("name = \"small\"\nseed = 1\n{keys}"));
    assert_snapshot!("study_without_a_kind", {
        study("draws = 10\ngamma = 0.3\ntheta_max = 1.0\n")
    });
    assert_snapshot!("axes_without_a_kind", {
        study("repeats = 2\npoints = 10\n[data]\n[axes]\n")
    });
    assert_snapshot!(
        "misplaced_key_is_no_study",
        changed("seed = 7", "seed = 7\nattack = { steps = 5, restarts = 2 }")
    );
}

#[test]
fn values_that_are_often_tried() {
    let bound = |new: &str| changed("bound = \"geodesic\"\nsolver = \"interior-point\"", new);
    assert_snapshot!(
        "bound_without_its_hyphen",
        bound("bound = \"arcs1\"\nsolver = \"interior-point\"")
    );
    assert_snapshot!(
        "bound_without_its_hyphen_for_bundle",
        bound("bound = \"ArcsInf\"\nsolver = \"bundle\"")
    );
    let compare = "\n[[compare]]\nmethod = \"robust-rff\"\nwith = [\"linear\"]\nmetric = ";
    let workspace = Workspace::new();
    workspace.write("small.toml", &format!("{SMALL}{compare}\"robust-error\"\n"));
    assert_snapshot!("robust_error_for_a_metric", refused(&workspace));
}
