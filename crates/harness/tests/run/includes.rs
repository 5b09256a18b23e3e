//! Files that include others: they give what one file gives, which is what is stored; errors show the file that they
//! are in.

use crate::language::digest;
use crate::rejected_experiments::refused;
use crate::support::{OTHER_METHODS, SMALL, Workspace, replaced};
use insta::assert_snapshot;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};
use robust_svm_harness::spec::SpecFile;
use std::fmt::Write as _;
use toml::{Table, Value};

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
    assert_snapshot!(
        "included_first_byte",
        with("grid.toml", "[selection]", "colour = 3\n[selection]")
    );
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

/// Deals the keys of `table` to an included file and to the one that includes it, so that the two say the same: each
/// to one, to both with another value in the first, or a part of it to either.
fn dealt(table: &Table, choices: &mut dyn FnMut() -> u8) -> (Table, Table) {
    let (mut base, mut own) = (Table::new(), Table::new());
    for (key, value) in table {
        match (choices() % 4, value) {
            (0, _) => drop(base.insert(key.clone(), value.clone())),
            (1, Value::Table(inner)) => {
                let (first, second) = dealt(inner, choices);
                base.insert(key.clone(), Value::Table(first));
                own.insert(key.clone(), Value::Table(second));
            }
            (1, Value::Array(list)) if list.iter().all(Value::is_table) => {
                let (first, second) = list.split_at(usize::from(choices()) % (list.len() + 1));
                base.insert(key.clone(), Value::Array(first.to_vec()));
                own.insert(key.clone(), Value::Array(second.to_vec()));
            }
            (2, value) if !value.is_table() && key != "method" => {
                base.insert(key.clone(), Value::Integer(999));
                own.insert(key.clone(), value.clone());
            }
            _ => drop(own.insert(key.clone(), value.clone())),
        }
    }
    (base, own)
}

/// `table` as a file, some of its sections inline.
fn written(table: &Table, choices: &mut dyn FnMut() -> u8) -> String {
    let (mut text, mut sections) = (String::new(), Table::new());
    for (key, value) in table {
        if (value.is_table() || key == "method") && choices().is_multiple_of(2) {
            sections.insert(key.clone(), value.clone());
        } else {
            let _ = writeln!(text, "# about {key}\n{key} = {value} # behind {key}");
        }
    }
    format!("{text}\n{}# end\n", toml::to_string(&sections).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// However keys are dealt to two files, and however these are written, both together and the one file that is
    /// stored for them say what the whole says.
    #[test]
    fn a_file_in_two_parts_says_the_same(choices in vec(any::<u8>(), 1..60)) {
        let whole: Table = format!("{SMALL}{OTHER_METHODS}").parse().unwrap();
        let mut next = choices.iter().copied().cycle();
        let mut choose = move || next.next().unwrap_or_default();
        let (base, own) = dealt(&whole, &mut choose);
        let workspace = Workspace::new();
        workspace.write("common.toml", &written(&base, &mut choose));
        let own = format!("include = [\"common.toml\"]\n{}", written(&own, &mut choose));
        workspace.write("small.toml", &own);
        workspace.write("whole.toml", &whole.to_string());
        let expected = digest(&workspace, "whole.toml");
        let file = SpecFile::read(&workspace.path("small.toml")).unwrap_or_else(|error| panic!("{error}"));
        prop_assert_eq!(&file.digest, &expected);
        workspace.write("stored.toml", &file.text);
        prop_assert_eq!(digest(&workspace, "stored.toml"), expected);
        prop_assert_eq!(file.text.matches("# end").count(), 2);
    }
}
