//! The kind `safe-ellipsoid`: its numbers against independent ones, and that it is run, stored and refused as the others.

use crate::rejected_experiments::refused;
use crate::support::{Workspace, replaced};
use insta::assert_snapshot;
use robust_svm_harness::store::read_cells;
use robust_svm_harness::study::safe_ellipsoid::{Measurement, SafeRow};
use std::sync::LazyLock;

/// Three features, two of them with noise.
pub(crate) const SAFE: &str = r#"kind = "safe-ellipsoid"
name = "small"
seed = 7
repeats = 3
levels = [0.0, 0.8]
noise = { shape = "half", draws = 5 }
lambda = [0.1, 1.0]
gamma = [0.05, 0.2]
scales = { least = 0.01, most = 1.5 }
max_solves = 40

[data]
datasets = ["blobs", "rings"]
split = { train = 0.5, validation = 0.25, test = 0.25 }
"#;

fn workspace(experiment: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("small.toml", experiment);
    workspace
}

fn rows(workspace: &Workspace, folder: &str) -> Vec<SafeRow> {
    read_cells(&workspace.path(folder).join("cells.parquet")).expect("the run is finished")
}

static ROWS: LazyLock<Vec<SafeRow>> = LazyLock::new(|| {
    let workspace = workspace(SAFE);
    workspace.run_well(&[]);
    rows(&workspace, "results/small")
});

fn measured(row: &SafeRow) -> &Measurement {
    row.measurement.as_ref().expect("all is well")
}

#[test]
fn the_same_bytes_for_any_number_of_threads_and_continued() {
    let workspace = workspace(SAFE);
    workspace.run_well(&["--out", "one", "--threads", "1"]);
    workspace.run_well(&["--out", "two", "--threads", "2"]);
    assert_eq!(workspace.cells("one"), workspace.cells("two"));
    for folder in ["tables", "plots"] {
        let contents = |run: &str| -> Vec<Vec<u8>> {
            let files = workspace.files(&format!("{run}/{folder}"));
            files.into_values().collect()
        };
        assert_eq!(contents("one"), contents("two"));
    }
    let again = workspace.run_well(&["--out", "one"]);
    assert!(
        again.stderr.contains("36 cells (36 were there)"),
        "{}",
        again.told()
    );
    let root = workspace.path("one");
    let files = workspace.files("one").into_keys();
    let names = files.map(|path| path.strip_prefix(&root).unwrap().display().to_string());
    assert_snapshot!("safe_files", names.collect::<Vec<_>>().join("\n"));
}

#[test]
fn cells_are_what_their_method_says() {
    assert_eq!(ROWS.len(), 2 * 2 * 3 * 3);
    for row in &*ROWS {
        let m = measured(row);
        assert_eq!((row.sizes.features, row.sizes.noisy_features), (3, 2));
        assert!(m.relative_gap <= 1e-6);
        assert!(m.errors.clean <= m.errors.robust);
        if row.level == 0.0 {
            assert_eq!(m.errors.noisy, m.errors.clean);
            assert_eq!(m.errors.robust, m.errors.clean);
        }
        match row.method.as_str() {
            "safe" => {
                let descent = m.descent.as_ref().expect("a descent");
                let learnt = m.learnt.expect("scales");
                assert!(m.validation_loss <= descent.start_loss);
                assert!(descent.lower_solves > 0);
                assert!((0.01_f64.ln()..=1.5_f64.ln()).contains(&learnt.log_volume));
            }
            "robust" => {
                let learnt = m.learnt.expect("a radius");
                let radius = learnt.s_noisy.expect("two features have noise");
                assert!(radius == 0.05 || radius == 0.2);
                // A mean of equal numbers is these but for rounding.
                assert!((learnt.log_volume - radius.ln()).abs() < 1e-12);
                assert_eq!(learnt.s_clean, learnt.s_noisy);
            }
            _ => assert!(m.learnt.is_none() && m.descent.is_none()),
        }
    }
}

/// Safe starts at the best sphere of each λ and never rises from there, so its validation loss is no larger than that
/// of robust.
#[test]
fn safe_is_never_worse_than_robust_on_validation_rows() {
    let mut lower = 0;
    let safe = ROWS.iter().filter(|row| row.method == "safe");
    for row in safe {
        let is_partner = |other: &&SafeRow| {
            let axes = |row: &SafeRow| (row.dataset.clone(), row.level, row.repeat);
            other.method == "robust" && axes(other) == axes(row)
        };
        let partner = ROWS.iter().find(is_partner).expect("it has one");
        let (safe, robust) = (
            measured(row).validation_loss,
            measured(partner).validation_loss,
        );
        assert!(safe <= robust * (1.0 + 1e-12), "{row:?}");
        lower += usize::from(safe < 0.999 * robust);
    }
    assert!(lower >= 6, "{lower}");
}

/// A cell keeps its numbers when levels, repeats and datasets are added around it: the noise of a level is that of
/// another, scaled.
#[test]
fn a_cell_does_not_depend_on_the_cells_around_it() {
    let alone = replaced(SAFE, "repeats = 3", "repeats = 1");
    let alone = replaced(&alone, "[0.0, 0.8]", "[0.8]");
    let workspace = workspace(&replaced(&alone, "\"blobs\", \"rings\"", "\"rings\""));
    workspace.run_well(&[]);
    let alone = rows(&workspace, "results/small");
    assert_eq!(alone.len(), 3);
    assert!(alone.iter().all(|row| ROWS.contains(row)));
}

#[test]
fn noise_on_all_features_leaves_none_clean() {
    let workspace = workspace(&replaced(SAFE, "\"half\"", "\"all\""));
    workspace.run_well(&[]);
    for row in rows(&workspace, "results/small") {
        assert_eq!(row.sizes.noisy_features, 3);
        let learnt = measured(&row).learnt;
        assert!(learnt.is_none_or(|learnt| learnt.s_clean.is_none() && learnt.s_noisy.is_some()));
    }
}

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    let changed = |old: &str, new: &str| refused(&workspace(&replaced(SAFE, old, new)));
    assert_snapshot!(
        "safe_scales_in_wrong_order",
        changed("least = 0.01", "least = 1.5")
    );
    assert_snapshot!(
        "safe_no_lower_scale",
        changed("least = 0.01", "least = 0.0")
    );
    assert_snapshot!("safe_unknown_shape", changed("\"half\"", "\"halves\""));
    assert_snapshot!("safe_zero_gamma", changed("[0.05, 0.2]", "[0.0, 0.2]"));
    assert_snapshot!("safe_no_draws", changed("draws = 5", "draws = 0"));
    assert_snapshot!(
        "safe_missing_noise",
        changed("noise = { shape = \"half\", draws = 5 }\n", "")
    );
    assert_snapshot!(
        "safe_no_solves",
        changed("max_solves = 40", "max_solves = 0")
    );
}
