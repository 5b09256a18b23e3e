//! The kind `classifiers`: its numbers against independent ones, and that it is run, stored and refused as the others.

use crate::rejected_experiments::refused;
use crate::support::{Workspace, replaced};
use insta::assert_snapshot;
use robust_svm_harness::store::{Status, read_cells};
use robust_svm_harness::study::classifiers::{ClassifierRow, Measurement};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// Two datasets of two classes, noise of every kind, a method of most families.
pub(crate) const NOISY: &str = r#"kind = "classifiers"
name = "small"
seed = 7
repeats = 2

[data]
datasets = ["blobs", "rings"]
split = { train = 0.5, validation = 0.25, test = 0.25 }

[noise]
kinds = ["uniform", "gaussian", "worst-case", "dropout"]
levels = [0.3, 0.9]
draws = 4
directions = 3

[[method]]
name = "k-nn"
classifier = "k-nn"
k = 3

[[method]]
name = "linear"
classifier = "linear"
lambda = [0.1, 1.0]

[[method]]
name = "robust-linear"
classifier = "linear"
robust = true
lambda = [0.1, 1.0]

[[method]]
name = "robust-rff"
classifier = "rff"
robust = true
features = 16
kernel = [{ gaussian-times-median = [1.0] }]
lambda = [0.1]

[[method]]
name = "smm"
classifier = "smm"
kernel = [{ gaussian-times-median = [0.5, 1.0] }]
lambda = [0.1]

[[method]]
name = "KDA-NGEU"
classifier = "k-nn"
k = 3
embedding = { graph = "lda", form = "ngeu" }
kernel = [{ gaussian-times-median = [1.0] }]
dims = [1]
uncertainty = "level"
"#;

/// Three classes, folds, and a method for each classifier and embedding of many classes.
pub(crate) const MANY: &str = r#"kind = "classifiers"
name = "small"
seed = 3
repeats = 1

[data]
scale = "none"

[[data.datasets]]
name = "three"
folds = { count = 2, rows = 80, validation = 0.3 }

[[method]]
name = "k-nn"
classifier = "k-nn"
k = 1

[[method]]
name = "KMFA-GE"
classifier = "k-nn"
embedding = { graph = "mfa", form = "ge", within = 3, between = 10 }
kernel = ["linear", "quadratic", { gaussian = [1.0] }]
dims = [1, 2]

[[method]]
name = "PCA-GEU"
classifier = "k-nn"
embedding = { graph = "pca", form = "geu" }
dims = [1, 2]
uncertainty = { nearest-neighbour = [0.1, 1.0] }

[[method]]
name = "KDA-NGEU-N"
classifier = "k-nn"
embedding = { graph = "lda", form = "ngeu" }
kernel = ["linear", { gaussian = [1.0] }]
dims = [1, 2, 3]
uncertainty = { isotropic = [0.01] }

[[method]]
name = "tree"
classifier = "tree"
depth = [1, 4]

[[method]]
name = "svm"
classifier = "svm"
kernel = ["linear", { gaussian = [1.0] }]
lambda = [0.1, 1.0]

[[method]]
name = "svm-all"
classifier = "svm"
scheme = "one-vs-all"
kernel = ["quadratic"]
lambda = [1.0]

[[method]]
name = "ridge"
classifier = "kernel-ridge"
kernel = ["linear", { gaussian = [1.0] }]
lambda = [0.1]

[[method]]
name = "rslda"
classifier = "k-nn"
projection = "rslda"
dims = [2]

[[method]]
name = "trpca"
classifier = "k-nn"
projection = "trpca"
dims = [2]

[[method]]
name = "fastsda"
classifier = "k-nn"
projection = "fastsda"
dims = [2]
"#;

/// Three clouds in a row, which overlap.
fn three(rows: usize) -> String {
    let mut text = "a,b,label\n".to_owned();
    for i in 0..rows {
        let spread = |irrational: f64| 2.0 * ((i + 1) as f64 * irrational).fract() - 1.0;
        let (a, b) = (spread(2.0_f64.sqrt()), spread(3.0_f64.sqrt()));
        let _ = writeln!(text, "{:.4},{b:.4},{}", a + 1.6 * (i % 3) as f64, i % 3);
    }
    text
}

/// A folder with `three` besides the other datasets, and `experiment`.
pub(crate) fn workspace(experiment: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.dataset_of("three", &three(90), r#"["x", "y", "z"]"#);
    workspace.write("small.toml", experiment);
    workspace
}

fn rows(workspace: &Workspace, folder: &str) -> Vec<ClassifierRow> {
    read_cells(&workspace.path(folder).join("cells.parquet")).expect("the run is finished")
}

fn finished(experiment: &str) -> Vec<ClassifierRow> {
    let workspace = workspace(experiment);
    workspace.run_well(&[]);
    rows(&workspace, "results/small")
}

static NOISY_ROWS: LazyLock<Vec<ClassifierRow>> = LazyLock::new(|| finished(NOISY));
static MANY_ROWS: LazyLock<Vec<ClassifierRow>> = LazyLock::new(|| finished(MANY));

fn measured(row: &ClassifierRow) -> &Measurement {
    let reason = row.reason.as_deref().unwrap_or_default();
    row.measurement
        .as_ref()
        .unwrap_or_else(|| panic!("{}: {reason}", row.method))
}

#[test]
fn the_same_bytes_for_any_number_of_threads_shards_and_continued() {
    for (experiment, snapshot) in [
        (NOISY, "classifiers_noisy_files"),
        (MANY, "classifiers_files"),
    ] {
        let workspace = workspace(experiment);
        workspace.run_well(&["--out", "one", "--threads", "1"]);
        workspace.run_well(&["--out", "two", "--threads", "2"]);
        assert_eq!(workspace.promised("one"), workspace.promised("two"));
        for shard in ["1", "2"] {
            workspace.run_well(&["--shard", &format!("{shard}/2"), "--out", shard]);
        }
        let merged = workspace.program(&["merge", "2", "1", "--out", "merged"]);
        assert_eq!(merged.code, 0, "{}", merged.told());
        assert_eq!(workspace.promised("merged"), workspace.promised("one"));
        let root = workspace.path("one");
        let files = workspace.files("one").into_keys();
        let names = files.map(|path| path.strip_prefix(&root).unwrap().display().to_string());
        assert_snapshot!(snapshot, names.collect::<Vec<_>>().join("\n"));
    }
}

#[test]
fn cells_are_what_their_method_says() {
    // Datasets × repeats × methods × levels × kinds of noise.
    assert_eq!(NOISY_ROWS.len(), 2 * 2 * 6 * 2 * 5);
    for row in &*NOISY_ROWS {
        let m = measured(row);
        assert_eq!(m.confusion.accuracy(), m.accuracy);
        assert_eq!((row.sizes.features, row.sizes.classes), (3, 2));
        let counted: u64 = (0..4).map(|k| m.confusion.entry(k / 2, k % 2)).sum();
        let copies = match row.noise.as_str() {
            "none" | "worst-case" => 1,
            _ => 4,
        };
        assert_eq!(counted, copies * u64::from(row.sizes.test));
        let has_norm = row.method != "k-nn";
        assert_eq!(m.bounds.is_some(), has_norm, "{}", row.method);
    }
    // One repeat, two folds.
    assert_eq!(MANY_ROWS.len(), 2 * 11);
    for row in &*MANY_ROWS {
        let m = measured(row);
        let lots = [row.sizes.train, row.sizes.validation, row.sizes.test];
        assert!(
            lots[0].abs_diff(28) <= 2 && lots[2].abs_diff(40) <= 2,
            "{lots:?}"
        );
        assert_eq!(lots.iter().sum::<u32>(), 80);
        assert_eq!(m.confusion.classes(), 3);
        // The clouds overlap by a fifth.
        assert!(m.accuracy > 0.6, "{}: {}", row.method, m.accuracy);
        assert_eq!(
            m.chosen.dims.is_some(),
            row.method.contains('-') && row.method != "k-nn" && row.method != "svm-all"
                || ["rslda", "trpca", "fastsda"].contains(&&*row.method)
        );
        if row.method == "KDA-NGEU-N" {
            // Three classes have two discriminants.
            assert!(m.chosen.dims <= Some(2));
        }
    }
}

/// Worst-case perturbations include none at all, and every method is tried by all of them: no accuracy is above that without noise. A method
/// that is not of a level has the same model at each.
#[test]
fn noise_is_compared_on_equal_terms() {
    let mut clean: BTreeMap<_, f64> = BTreeMap::new();
    let of = |row: &ClassifierRow| {
        let level = row.level.to_string();
        (row.dataset.clone(), row.method.clone(), row.repeat, level)
    };
    for row in NOISY_ROWS.iter().filter(|row| row.noise == "none") {
        clean.insert(of(row), measured(row).accuracy);
    }
    let mut lower = 0;
    for row in NOISY_ROWS.iter().filter(|row| row.noise == "worst-case") {
        let (worst, clean) = (measured(row).accuracy, clean[&of(row)]);
        assert!(worst <= clean);
        lower += usize::from(worst < clean);
    }
    assert!(lower > 20, "{lower}");
    for ((dataset, method, repeat, level), accuracy) in &clean {
        if ["k-nn", "linear"].contains(&method.as_str()) && level == "0.3" {
            let other = (dataset.clone(), method.clone(), *repeat, "0.9".to_owned());
            assert_eq!(*accuracy, clean[&other]);
        }
    }
}

/// The accuracy of one neighbour on fixed rows, computed anew from the file.
#[test]
fn nearest_neighbours_by_hand() {
    let text = MANY;
    let fixed = replaced(
        text,
        "folds = { count = 2, rows = 80, validation = 0.3 }",
        "rows = { train = \"0..50\", validation = \"50..60\", test = \"60..90\" }",
    );
    let rows = finished(&fixed);
    let row = rows.iter().find(|row| row.method == "k-nn").unwrap();
    let points: Vec<([f64; 2], usize)> = three(90)
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            ([cells[0], cells[1]], cells[2] as usize)
        })
        .collect();
    let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
    let right = points[60..].iter().filter(|(point, class)| {
        let nearest = points[..50]
            .iter()
            .min_by(|a, b| distance(a.0, *point).total_cmp(&distance(b.0, *point)));
        nearest.unwrap().1 == *class
    });
    assert_eq!(measured(row).accuracy, right.count() as f64 / 30.0);
    // Fixed rows have one repeat, whatever is asked for.
    assert_eq!(rows.len(), 11);
}

/// A dataset that is not at hand costs its cells only, and no error.
#[test]
fn optional_datasets_may_be_missing() {
    let entry = "[[data.datasets]]\nname = \"elsewhere\"\noptional = true\nfolds = { count = 2, validation = 0.3 }\n\n[[method]]\nname = \"k-nn\"";
    let rows = finished(&replaced(MANY, "[[method]]\nname = \"k-nn\"", entry));
    let (skipped, others): (Vec<_>, Vec<_>) =
        rows.iter().partition(|row| row.dataset == "elsewhere");
    assert_eq!((skipped.len(), others.len()), (22, 22));
    for row in skipped {
        assert_eq!(row.status, Status::Skipped);
        assert!(
            row.reason.as_ref().unwrap().contains("`elsewhere`"),
            "{row:?}"
        );
    }
    assert!(others.iter().all(|row| MANY_ROWS.contains(row)));
    let needed = replaced(MANY, "\"three\"", "\"elsewhere\"");
    assert_snapshot!("classifiers_unknown_dataset", refused(&workspace(&needed)));
}

/// A slip in the name of an optional dataset looks like one that is not at hand.
#[test]
fn an_optional_dataset_that_may_be_misspelt_is_told() {
    let entry = "name = \"{}\"\noptional = true\nfolds = { count = 2, validation = 0.3 }";
    let of = |name: &str| {
        let entry = entry.replace("{}", name);
        let two = format!("[[data.datasets]]\n{entry}\n\n[[method]]\nname = \"k-nn\"");
        let workspace = workspace(&replaced(MANY, "[[method]]\nname = \"k-nn\"", &two));
        let planned = workspace.program(&["plan", "small.toml"]);
        assert_eq!(planned.code, 0, "{}", planned.told());
        planned.stderr
    };
    assert_eq!(
        of("thre"),
        "warning: there is no dataset `thre`, which is optional: its cells are skipped; did you mean `three`?\n"
    );
    assert_eq!(of("elsewhere"), "");
}

/// A dataset without its data has not changed: it is not at hand.
#[test]
fn a_dataset_that_is_gone_is_not_at_hand() {
    let optional = replaced(
        MANY,
        "name = \"three\"",
        "name = \"three\"\noptional = true",
    );
    let workspace = workspace(&optional);
    workspace.run_well(&[]);
    std::fs::remove_file(workspace.path("datasets/three.csv")).unwrap();
    let explained = workspace.program(&["explain", "results/small"]);
    assert_eq!(explained.code, 0, "{}", explained.told());
    assert!(
        explained.stdout.contains("NOT AT HAND: dataset `three`\n"),
        "{}",
        explained.told()
    );
    assert!(
        !explained.stdout.contains("CHANGED"),
        "{}",
        explained.told()
    );
    let verified = workspace.program(&["verify", "results/small"]);
    assert_eq!(verified.code, 5, "{}", verified.told());
    let told = "was made from what is not here now. Not at hand: three\n";
    assert!(verified.stderr.contains(told), "{}", verified.told());
}

#[test]
fn published_figures_stand_beside_ours() {
    let table = replaced(
        MANY,
        "repeats = 1",
        "repeats = 1\npublished = \"ngeu-table2\"",
    );
    let table = replaced(
        &table,
        "name = \"three\"",
        "name = \"three\"\nlabel = \"AWGN-MNIST\"\nawgn = { snr_db = 20.0 }",
    );
    let workspace = workspace(&table);
    workspace.run_well(&[]);
    let read = |name: &str| {
        let path = workspace.path(&format!("results/small/tables/{name}"));
        std::fs::read_to_string(path).unwrap()
    };
    assert_snapshot!("classifiers_published", read("published.md"));
    assert_snapshot!("classifiers_accuracy", read("accuracy.md"));
}

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    let noisy = |old: &str, new: &str| refused(&workspace(&replaced(NOISY, old, new)));
    let many = |old: &str, new: &str| refused(&workspace(&replaced(MANY, old, new)));
    assert_snapshot!("classifiers_no_parts", {
        many("folds = { count = 2, rows = 80, validation = 0.3 }\n", "")
    });
    assert_snapshot!("classifiers_one_fold", many("count = 2", "count = 1"));
    assert_snapshot!("classifiers_two_parts", {
        many(
            "folds = {",
            "per_class = { train = 1, validation = 1, test = 1 }\nfolds = {",
        )
    });
    assert_snapshot!("classifiers_rows_that_meet", {
        let rows = "rows = { train = \"0..50\", validation = \"49..60\", test = \"60..90\" }";
        many("folds = { count = 2, rows = 80, validation = 0.3 }", rows)
    });
    assert_snapshot!("classifiers_too_many_rows", {
        let rows = "per_class = { train = 20, validation = 8, test = 8 }";
        many("folds = { count = 2, rows = 80, validation = 0.3 }", rows)
    });
    assert_snapshot!("classifiers_no_rows_of_a_class", {
        let rows = "per_class = { train = 20, validation = 0, test = 8 }";
        many("folds = { count = 2, rows = 80, validation = 0.3 }", rows)
    });
    assert_snapshot!("classifiers_power_below_0", {
        let noise = "awgn = { snr_db = 9.5, signal_power = -1.0 }\n";
        many("name = \"three\"\n", &format!("name = \"three\"\n{noise}"))
    });
    assert_snapshot!("classifiers_key_without_meaning", {
        many("depth = [1, 4]", "depth = [1, 4]\nlambda = [1.0]")
    });
    assert_snapshot!("classifiers_missing_grid", many("depth = [1, 4]\n", ""));
    assert_snapshot!("classifiers_kernel_of_geu", {
        many(
            "dims = [1, 2]\nuncertainty = { near",
            "dims = [1, 2]\nkernel = [\"linear\"]\nuncertainty = { near",
        )
    });
    assert_snapshot!("classifiers_ridge_of_pca", {
        many(
            "{ graph = \"pca\", form = \"geu\" }",
            "{ graph = \"pca\", form = \"geu\", ridge = 0.1 }",
        )
    });
    assert_snapshot!("classifiers_no_neighbours_within", {
        many("within = 3", "within = 0")
    });
    assert_snapshot!("classifiers_two_classes_only", {
        many(
            "classifier = \"tree\"\ndepth = [1, 4]",
            "classifier = \"linear\"\nlambda = [1.0]",
        )
    });
    assert_snapshot!("classifiers_level_without_noise", {
        many("{ isotropic = [0.01] }", "\"level\"")
    });
    assert_snapshot!("classifiers_linear_rff", {
        noisy(
            "features = 16\nkernel = [{ gaussian-times-median = [1.0] }]",
            "features = 16\nkernel = [\"linear\"]",
        )
    });
    assert_snapshot!(
        "classifiers_unknown_noise",
        noisy("\"dropout\"", "\"droput\"")
    );
    assert_snapshot!("classifiers_zero_level", noisy("[0.3, 0.9]", "[0.0, 0.9]"));
}

/// Lines and columns of counts have the same names: an address in the table's own order is that entry's.
#[test]
fn counts_off_the_diagonal_are_explained() {
    let workspace = workspace(MANY);
    workspace.run_well(&["--only", "method=k-nn"]);
    for place in ["y/x", "x/y"] {
        let address = format!("tables/confusion:{place}");
        let ended = workspace.program(&["explain", "results/small", &address]);
        assert_eq!(ended.code, 0, "{}", ended.told());
        assert!(ended.stdout.contains(place), "{}", ended.told());
    }
}
