//! Numbers outside their range, in experiment files.

use crate::rejected_experiments::changed;
use insta::assert_snapshot;

fn levels(new: &str) -> String {
    changed("levels = [0.0, 0.3]", new)
}

fn lambda(new: &str) -> String {
    changed("lambda = [0.1, 1.0]", new)
}

fn sigma(new: &str) -> String {
    changed("times_median = [1.0]", new)
}

#[test]
fn levels_are_finite_and_not_negative() {
    assert_snapshot!("negative_level", levels("levels = [0.0, -0.3]"));
    assert_snapshot!("nan_level", levels("levels = [0.0, nan]"));
    assert_snapshot!("empty_levels", levels("levels = []"));
    assert_snapshot!("level_twice", levels("levels = [0.0, 0.3, 0.30]"));
    assert_snapshot!("zero_level_twice", levels("levels = [0.0, -0.0]"));
}

#[test]
fn lambda_is_finite_and_positive() {
    assert_snapshot!("negative_lambda", lambda("lambda = [0.1, -1.0]"));
    assert_snapshot!("zero_lambda", lambda("lambda = [0.1, 0.0]"));
    assert_snapshot!("nan_lambda", lambda("lambda = [nan, 1.0]"));
    assert_snapshot!("infinite_lambda", lambda("lambda = [0.1, inf]"));
    assert_snapshot!("empty_lambda", lambda("lambda = []"));
    assert_snapshot!("lambda_twice", lambda("lambda = [1.0, 1.0]"));
}

#[test]
fn sigma_is_finite_and_positive() {
    assert_snapshot!("negative_sigma", sigma("times_median = [-1.0]"));
    assert_snapshot!("zero_sigma", sigma("times_median = [0.0]"));
    assert_snapshot!("nan_sigma", sigma("times_median = [nan]"));
    assert_snapshot!("infinite_sigma", sigma("times_median = [-inf]"));
    assert_snapshot!("empty_sigma", sigma("times_median = []"));
    assert_snapshot!("sigma_twice", sigma("times_median = [2.0, 2.0]"));
    assert_snapshot!(
        "no_sigma",
        changed("sigma = { times_median = [1.0] }\n", "")
    );
}

#[test]
fn norms() {
    assert_snapshot!("norm_1", changed("norm = 2", "norm = 1"));
}

#[test]
fn shapes() {
    let shape = |lines: &str| changed("norm = 2", lines);
    let diagonal = |scales: &str| shape(&format!("shape = \"diagonal\"\nscales = {scales}"));
    assert_snapshot!("scales_of_wrong_length", diagonal("[1.0, 2.0]"));
    assert_snapshot!("negative_scales", diagonal("[1.0, -2.0, 1.0]"));
    assert_snapshot!("nan_scales", diagonal("[1.0, nan, 1.0]"));
    assert_snapshot!("scales_of_a_sphere", shape("scales = [1.0, 2.0, 1.0]"));
    assert_snapshot!("diagonal_without_scales", shape("shape = \"diagonal\""));
    assert_snapshot!("unknown_shape", shape("shape = \"box\""));
}

#[test]
fn splits_and_counts() {
    let shares = |new: &str| changed("test = 0.2", new);
    assert_snapshot!("shares_do_not_sum_to_1", shares("test = 0.3"));
    assert_snapshot!("negative_share", shares("test = -0.2"));
    assert_snapshot!("nan_share", shares("test = nan"));
    assert_snapshot!("no_repeats", changed("repeats = 2", "repeats = 0"));
    assert_snapshot!("no_draws", changed("noise_draws = 3", "noise_draws = 0"));
    assert_snapshot!("no_restarts", changed("restarts = 2", "restarts = 0"));
    let cap = "[data]\nmax_rows = { train = 1 }";
    assert_snapshot!("cap_of_one_row", changed("[data]", cap));
}

#[test]
fn counts_that_would_not_end() {
    for (name, old, new) in [
        ("too_many_repeats", "repeats = 2", "repeats = 100001"),
        ("too_many_draws", "noise_draws = 3", "noise_draws = 10001"),
        ("too_many_steps", "steps = 5", "steps = 100001"),
        ("too_many_restarts", "restarts = 2", "restarts = 10001"),
        ("dim_too_large", "dim = 16", "dim = [16, 1000002]"),
        (
            "too_many_landmarks",
            "map = \"rff\", dim = 16",
            "map = \"nystrom\", landmarks = 1000001",
        ),
    ] {
        assert_snapshot!(name, changed(old, new));
    }
}
