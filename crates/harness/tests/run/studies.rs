//! Experiments that measure the theory: their numbers, and that they are run and stored as the others are.

use crate::support::{Workspace, replaced};
use insta::assert_snapshot;
use robust_svm_harness::store::{Record, read_cells};
use robust_svm_harness::study::bandwidth_rule::{BandwidthRow, Kept};
use robust_svm_harness::study::bound_tightness::{Tightness, TightnessRow, Width};
use std::fs;
use std::sync::LazyLock;

/// Every form of map on 3 inputs, with every bound that holds for it.
pub(crate) const TIGHTNESS: &str = r#"kind = "bound-tightness"
name = "small"
seed = 7
repeats = 2
points = 6
attack = { steps = 12, restarts = 3 }

[data]
datasets = ["blobs"]
split = { train = 0.6, validation = 0.2, test = 0.2 }

[axes]
n = { base = "all", vary = [1, "all"] }
sigma = { base = 1.0, vary = [0.5] }
gamma = { base = 0.3, vary = [1.5] }

[[map]]
map = "rff"
size = { base = 32, vary = [8] }

[[map]]
map = "orthogonal-rff"
size = { base = 32 }
bounds = ["paper", "geodesic"]

[[map]]
map = "phased-rff"
size = { base = 15 }

[[map]]
map = "nystrom"
size = { base = 12 }
"#;

/// Two dimensions, and everything else there is.
pub(crate) const BANDWIDTH: &str = r#"kind = "bandwidth-rule"
name = "small"
seed = 7
draws = 4000
gamma = 0.3
theta_max = 0.9
failure = 0.05
n = [1, 3]
dim = [8, 32]
shape = ["sphere", "falling"]
frequencies = ["gaussian", "orthogonal"]
"#;

fn workspace(experiment: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("small.toml", experiment);
    workspace
}

fn rows<R: Record>(workspace: &Workspace, folder: &str) -> Vec<R> {
    read_cells(&workspace.path(folder).join("cells.parquet")).expect("the run is finished")
}

/// The rows of [`TIGHTNESS`].
static TIGHTNESS_ROWS: LazyLock<Vec<TightnessRow>> = LazyLock::new(|| {
    let workspace = workspace(TIGHTNESS);
    workspace.run_well(&[]);
    rows(&workspace, "results/small")
});

fn tightness(row: &TightnessRow) -> &Tightness {
    row.measurement.as_ref().expect("all is well")
}

/// Cells, tables and figures of a run with one thread are those of a run with two; all files there are.
fn same_bytes_for_any_number_of_threads(experiment: &str) -> String {
    let workspace = workspace(experiment);
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
    let root = workspace.path("one");
    let files = workspace.files("one").into_keys();
    let names = files.map(|path| path.strip_prefix(&root).unwrap().display().to_string());
    names.collect::<Vec<_>>().join("\n")
}

#[test]
fn studies_give_the_same_bytes_and_write_what_they_promise() {
    let both = replaced(TIGHTNESS, "\"blobs\"", "\"blobs\", \"rings\"");
    assert_snapshot!(
        "tightness_files",
        same_bytes_for_any_number_of_threads(&both)
    );
    assert_snapshot!(
        "bandwidth_files",
        same_bytes_for_any_number_of_threads(BANDWIDTH)
    );
}

#[test]
fn no_point_moves_farther_than_a_bound() {
    let rows = &*TIGHTNESS_ROWS;
    // 8 + 2 + 3 + 5 bounds at the base, at n = 1, σ = 0.5 and γ = 1.5, and 8 at D = 8.
    assert_eq!(rows.len(), 2 * (4 * (8 + 2 + 3 + 5) + 8));
    for row in rows {
        let t = tightness(row);
        assert_eq!((t.points, t.violations), (6, 0), "{row:?}");
        assert!(t.movement_mean > 0.0 && t.movement_mean <= t.movement_max * (1.0 + 1e-9));
        // Means of equal numbers are these but for rounding.
        let at_most = |largest: f64| largest * (1.0 + 1e-9);
        assert!(t.radius_mean <= at_most(t.radius_max) && t.movement_max <= at_most(t.radius_max));
        assert!(t.ratio_median <= t.ratio_max && t.ratio_mean <= at_most(t.ratio_max));
        assert_eq!(
            t.n_features,
            if row.point.n == Width::Count(1) { 1 } else { 3 }
        );
    }
    let mut phased: Vec<&str> = rows
        .iter()
        .filter(|row| row.map == "phased-rff")
        .map(|row| row.bound.as_str())
        .collect();
    phased.sort_unstable();
    phased.dedup();
    assert_eq!(phased, ["arcs", "best", "geodesic"]);
}

/// In one dimension every frequency turns as far as its arc allows, at the same end of the interval: `arcs` is
/// exact, and the attack finds it.
#[test]
fn arcs_are_exact_in_one_dimension() {
    let rows = &*TIGHTNESS_ROWS;
    let of = |bound: &str| -> Vec<&TightnessRow> {
        let one = |row: &&TightnessRow| {
            row.point.n == Width::Count(1) && row.map == "rff" && row.bound == bound
        };
        rows.iter().filter(one).collect()
    };
    for (arcs, paper) in of("arcs").into_iter().zip(of("paper")) {
        let ratio = tightness(arcs).ratio_max;
        assert!((ratio - 1.0).abs() < 1e-9, "{ratio}");
        assert!(tightness(paper).ratio_max > 1.0 + 1e-6);
    }
    assert_eq!(of("arcs").len(), 2);
}

/// σ is a multiple of one median distance, which shrinks with the root of the number of inputs.
#[test]
fn bandwidths_follow_their_axis_and_the_number_of_inputs() {
    let rows = &*TIGHTNESS_ROWS;
    let of_bound = |row: &&TightnessRow| {
        row.map == "rff" && row.bound == "geodesic" && row.repeat == 0 && row.point.size == 32
    };
    let median = |row: &TightnessRow| {
        let t = tightness(row);
        t.sigma / row.point.sigma / (f64::from(t.n_features) / 3.0).sqrt()
    };
    let medians: Vec<f64> = rows.iter().filter(of_bound).map(median).collect();
    assert_eq!(medians.len(), 4);
    // Three standardised inputs: √6 is the root mean square of the distances.
    assert!((1.8..3.0).contains(&medians[0]), "{medians:?}");
    assert!(medians.iter().all(|m| (m - medians[0]).abs() < 1e-12));
}

#[test]
fn a_cell_of_a_study_does_not_depend_on_the_cells_around_it() {
    let workspace = workspace(TIGHTNESS);
    workspace.run_well(&["--out", "among-others"]);
    let nystrom = TIGHTNESS.find("[[map]]").expect("there are maps");
    let alone = TIGHTNESS[..nystrom].to_owned()
        + "[[map]]\nmap = \"nystrom\"\nsize = { base = 12 }\nbounds = [\"landmark\"]\n";
    let alone = replaced(&alone, "vary = [1, \"all\"]", "vary = [\"all\"]");
    let alone = replaced(&alone, ", vary = [0.5]", "");
    workspace.write(
        "small.toml",
        &replaced(&alone, "repeats = 2", "repeats = 1"),
    );
    workspace.run_well(&["--out", "alone"]);
    let among: Vec<TightnessRow> = rows(&workspace, "among-others");
    let alone: Vec<TightnessRow> = rows(&workspace, "alone");
    assert_eq!(alone.len(), 2);
    assert!(alone.iter().all(|row| among.contains(row)));
}

/// A share found in `trials` is that far from `expected` by chance once in 15,000 times.
fn assert_share(found: f64, expected: f64, trials: f64) {
    let deviation = (expected * (1.0 - expected) / trials).sqrt();
    assert!(
        (found - expected).abs() < 4.0 * deviation,
        "{found} {expected}"
    );
}

#[test]
fn probabilities_of_the_bandwidth_rule_by_hand() {
    let workspace = workspace(BANDWIDTH);
    workspace.run_well(&[]);
    let rows: Vec<BandwidthRow> = rows(&workspace, "results/small");
    assert_eq!(rows.len(), 2 * 2 * 2 * 2 * 2);
    // 2Φ(3) − 1.
    let each: f64 = 0.997_300_2;
    for row in &rows {
        let Kept {
            sigma,
            separate,
            joint,
        } = row.kept.expect("all is well");
        let pairs = row.dim / 2;
        for share in [separate, joint] {
            assert!(0.0 <= share.low && share.low <= share.value);
            assert!(share.value <= share.high && share.high <= 1.0);
        }
        let printed = row.rule == "each-frequency";
        assert_eq!(row.promised, if printed { 0.997 } else { 0.95 });
        let kept_of_rule = if printed { separate } else { joint };
        assert!(kept_of_rule.high >= row.promised, "{row:?}");
        if printed {
            // 3γ‖Σ^{1/2}‖_F/θ_max = ‖Σ^{1/2}‖_F.
            let squares: f64 = match row.shape.as_str() {
                "sphere" => f64::from(row.n),
                _ => (1..=row.n).map(|k| f64::from(k).powi(-2)).sum(),
            };
            assert!((sigma - squares.sqrt()).abs() < 1e-12, "{row:?}");
        }
        let trials = f64::from(row.draws * pairs);
        match (row.n, printed) {
            (1, true) => {
                assert_share(separate.value, each, trials);
                assert_share(
                    joint.value,
                    each.powf(f64::from(pairs)),
                    f64::from(row.draws),
                );
            }
            (1, false) => {
                let each = 1.0 - 0.05 / f64::from(pairs);
                assert_share(separate.value, each, trials);
                assert_share(
                    joint.value,
                    each.powf(f64::from(pairs)),
                    f64::from(row.draws),
                );
            }
            // P[χ²₃ > 27] = 5.9e−6.
            _ if row.shape == "sphere" && printed => assert!(separate.value > 0.9998),
            _ => {}
        }
    }
}

/// Of one input a structured frequency is a sum of 32 numbers of random signs whose squares sum to 1, so its tails are lighter than the normal
/// one's: a simulation by matrices has 0.9991 of them within three standard deviations, where the normal one has 0.9973.
#[test]
fn structured_frequencies_are_measured_too() {
    let of_normal = "frequencies = [\"gaussian\", \"orthogonal\"]";
    let text = replaced(BANDWIDTH, of_normal, "frequencies = [\"structured\"]");
    let text = replaced(&text, "draws = 4000", "draws = 40000");
    let workspace = workspace(&replaced(&text, "n = [1, 3]", "n = [1]"));
    workspace.run_well(&[]);
    let rows: Vec<BandwidthRow> = rows(&workspace, "results/small");
    assert_eq!(rows.len(), 2 * 2 * 2);
    for row in rows.iter().filter(|row| row.rule == "each-frequency") {
        let separate = row.kept.expect("all is well").separate;
        assert!((0.9985..0.9997).contains(&separate.value), "{separate:?}");
    }
}

#[test]
fn studies_are_continued() {
    let workspace = workspace(BANDWIDTH);
    let first = workspace.run_well(&[]);
    assert!(
        first.stderr.contains("32 cells (0 were there)"),
        "{}",
        first.told()
    );
    let before = workspace.cells("results/small");
    let again = workspace.run_well(&[]);
    assert!(
        again.stderr.contains("32 cells (32 were there)"),
        "{}",
        again.told()
    );
    assert_eq!(workspace.cells("results/small"), before);
}

#[test]
fn a_study_is_no_baseline() {
    for experiment in [TIGHTNESS, BANDWIDTH] {
        let workspace = workspace(experiment);
        workspace.run_well(&[]);
        for arguments in [&[][..], &["--update"]] {
            let check = [
                &["check", "results/small", "--baseline", "baseline"],
                arguments,
            ]
            .concat();
            let ended = workspace.program(&check);
            assert_eq!(ended.code, 2, "{}", ended.told());
            assert!(!workspace.path("baseline").exists());
            if experiment == TIGHTNESS {
                assert_snapshot!("check_of_a_study", ended.told());
            }
        }
    }
}

/// A baseline of a study's folder is not overwritten with results of another kind.
#[test]
fn a_study_does_not_become_a_baseline_of_others() {
    let workspace = workspace(BANDWIDTH);
    workspace.run_well(&["--out", "study"]);
    workspace.write("small.toml", crate::support::SMALL);
    workspace.run_well(&[]);
    let before = workspace.files("study");
    let ended = workspace.program(&["check", "results/small", "--baseline", "study", "--update"]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    assert_eq!(workspace.files("study"), before);
}

#[test]
fn manifests_from_before_there_were_kinds_are_of_classifications() {
    let workspace = Workspace::finished();
    let baseline = ["check", "results/small", "--baseline", "baseline"];
    assert_eq!(
        workspace
            .program(&[&baseline[..], &["--update"]].concat())
            .code,
        0
    );
    let text = fs::read_to_string(workspace.path("baseline/manifest.toml")).unwrap();
    let older = replaced(&text, "kind = \"classification\"\n", "");
    workspace.write("baseline/manifest.toml", &older);
    let ended = workspace.program(&baseline);
    assert_eq!(ended.code, 0, "{}", ended.told());
}
