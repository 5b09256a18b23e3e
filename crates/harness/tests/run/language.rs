//! Templates and lists of methods: they give what an experiment that is written out gives, and what is wrong in them
//! is told with its place.

use crate::rejected_experiments::refused;
use crate::support::{SMALL, Workspace};
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
pub(crate) fn digest(workspace: &Workspace, file: &str) -> String {
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
