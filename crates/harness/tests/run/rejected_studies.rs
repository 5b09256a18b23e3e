//! Studies that are wrong: said with the place, before anything is written.

use crate::rejected_experiments::refused;
use crate::studies::{BANDWIDTH, TIGHTNESS};
use crate::support::{Workspace, replaced};
use insta::assert_snapshot;

fn changed(experiment: &str, old: &str, new: &str) -> String {
    let workspace = Workspace::new();
    workspace.write("small.toml", &replaced(experiment, old, new));
    refused(&workspace)
}

fn tightness(old: &str, new: &str) -> String {
    changed(TIGHTNESS, old, new)
}

fn bandwidth(old: &str, new: &str) -> String {
    changed(BANDWIDTH, old, new)
}

#[test]
fn bounds() {
    let bounds = |new: &str| tightness("[\"paper\", \"geodesic\"]", new);
    assert_snapshot!("study_misspelt_bound", bounds("[\"paper\", \"geodesik\"]"));
    assert_snapshot!("study_bound_of_another_map", bounds("[\"landmark\"]"));
    assert_snapshot!("study_bound_twice", bounds("[\"arcs\", \"arcs\"]"));
    assert_snapshot!("study_no_bounds", bounds("[]"));
    let phased = "size = { base = 15 }";
    let with_paper = format!("{phased}\nbounds = [\"paper\"]");
    assert_snapshot!(
        "study_bound_of_paired_features",
        tightness(phased, &with_paper)
    );
}

#[test]
fn axes() {
    let n = |new: &str| tightness("n = { base = \"all\", vary = [1, \"all\"] }", new);
    assert_snapshot!("study_no_inputs", n("n = { base = \"all\", vary = [0] }"));
    assert_snapshot!("study_inputs_in_words", n("n = { base = \"every\" }"));
    assert_snapshot!("study_missing_axis", n(""));
    assert_snapshot!("study_missing_base", n("n = { vary = [1, 2] }"));
    let gamma = |new: &str| tightness("gamma = { base = 0.3, vary = [1.5] }", new);
    assert_snapshot!("study_zero_gamma", gamma("gamma = { base = 0.0 }"));
    assert_snapshot!(
        "study_gamma_twice",
        gamma("gamma = { base = 0.3, vary = [1.5, 1.50] }")
    );
    assert_snapshot!("study_list_for_an_axis", gamma("gamma = [0.3, 1.5]"));
    assert_snapshot!(
        "study_misspelt_key_of_an_axis",
        gamma("gamma = { base = 0.3, vayr = [1.5] }")
    );
    assert_snapshot!(
        "study_infinite_sigma",
        tightness("vary = [0.5]", "vary = [inf]")
    );
}

#[test]
fn maps() {
    assert_snapshot!(
        "study_odd_dimension",
        tightness("base = 32, vary = [8]", "base = 32, vary = [9]")
    );
    assert_snapshot!(
        "study_too_many_landmarks",
        tightness("base = 12", "base = 12, vary = [8, 99]")
    );
    assert_snapshot!(
        "study_map_twice",
        tightness("\"orthogonal-rff\"", "\"rff\"")
    );
    assert_snapshot!(
        "study_unknown_map",
        tightness("\"nystrom\"", "\"nystroem\"")
    );
    let maps = TIGHTNESS.find("[[map]]").expect("there are maps");
    let workspace = Workspace::new();
    workspace.write("small.toml", &TIGHTNESS[..maps]);
    assert_snapshot!("study_missing_maps", refused(&workspace));
}

#[test]
fn points() {
    assert_snapshot!("study_no_points", tightness("points = 6", "points = 0"));
    assert_snapshot!("study_missing_points", tightness("points = 6\n", ""));
    let both = "[data]\nmax_rows = { test = 9 }";
    assert_snapshot!("study_points_twice", tightness("[data]", both));
    assert_snapshot!(
        "study_key_of_a_classification",
        tightness("points = 6", "points = 6\nselection = 3")
    );
}

#[test]
fn the_bandwidth_rule() {
    assert_snapshot!(
        "bandwidth_certain_failure",
        bandwidth("failure = 0.05", "failure = 1.0")
    );
    assert_snapshot!(
        "bandwidth_negative_range",
        bandwidth("theta_max = 0.9", "theta_max = -0.9")
    );
    assert_snapshot!("bandwidth_odd_dimension", bandwidth("[8, 32]", "[8, 33]"));
    assert_snapshot!("bandwidth_no_inputs", bandwidth("[1, 3]", "[0, 3]"));
    assert_snapshot!("bandwidth_inputs_twice", bandwidth("[1, 3]", "[3, 3]"));
    assert_snapshot!("bandwidth_empty_dimensions", bandwidth("[8, 32]", "[]"));
    assert_snapshot!(
        "bandwidth_unknown_shape",
        bandwidth("\"falling\"", "\"fallign\"")
    );
    assert_snapshot!("bandwidth_missing_draws", bandwidth("draws = 4000\n", ""));
    assert_snapshot!("bandwidth_no_draws", bandwidth("draws = 4000", "draws = 0"));
    assert_snapshot!(
        "bandwidth_with_data",
        bandwidth("draws = 4000", "draws = 4000\ndata = 3")
    );
}
