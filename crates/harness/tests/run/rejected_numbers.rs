//! Numbers outside their range, in experiment files.

use crate::rejected_experiments::{changed, refused};
use crate::support::{OTHER_METHODS, SMALL, Workspace, replaced};
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
fn chances_are_probabilities_of_noise() {
    let keys = |keys: &str| levels(&format!("chance = {{ {keys} }}"));
    let chance = |epsilon: &str| {
        keys(&format!(
            "epsilon = {epsilon}, noise = \"any\", scale = 0.1"
        ))
    };
    assert_snapshot!("zero_epsilon", chance("[0.1, 0.0]"));
    assert_snapshot!("epsilon_1", chance("[1.0]"));
    assert_snapshot!("nan_epsilon", chance("[nan]"));
    assert_snapshot!("empty_epsilon", chance("[]"));
    assert_snapshot!("epsilon_twice", chance("[0.1, 0.10]"));
    assert_snapshot!("epsilon_missing", keys("noise = \"any\", scale = 0.1"));
    assert_snapshot!(
        "misspelt_epsilon",
        keys("epsilons = [0.1], noise = \"any\", scale = 0.1")
    );
    let noise = |noise: &str| keys(&format!("epsilon = [0.1], noise = {noise}, scale = 0.1"));
    assert_snapshot!("misspelt_noise", noise("\"gausian\""));
    assert_snapshot!("unknown_noise", noise("\"cauchy\""));
    assert_snapshot!("noise_missing", keys("epsilon = [0.1], scale = 0.1"));
    let scale = |scale: &str| keys(&format!("epsilon = [0.1], noise = \"any\"{scale}"));
    assert_snapshot!("zero_scale", scale(", scale = 0.0"));
    assert_snapshot!("infinite_scale", scale(", scale = inf"));
    assert_snapshot!("scale_missing", scale(""));
    assert_snapshot!("no_levels", levels(""));
    let any = "chance = { epsilon = [0.1], noise = \"any\", scale = 0.1 }";
    assert_snapshot!(
        "levels_and_a_chance",
        levels(&format!("levels = [0.1]\n{any}"))
    );
    let text = replaced(SMALL, "levels = [0.0, 0.3]", any);
    let refused_with = |old: &str, new: &str| {
        let workspace = Workspace::new();
        workspace.write("small.toml", &replaced(&text, old, new));
        refused(&workspace)
    };
    assert_snapshot!("chance_of_norm_1", refused_with("norm = 2", "norm = 1"));
    assert_snapshot!(
        "chance_of_a_box",
        refused_with("norm = 2", "shape = \"box\"")
    );
    assert_snapshot!("train_level_of_a_chance", {
        refused_with("\"geodesic\"", "\"geodesic\"\ntrain_level = 0.1")
    });
    let gaussian = any.replace("any", "gaussian").replace("0.1]", "0.1, 0.6]");
    let linear = "{ map = \"identity\" }";
    let robust = replaced(SMALL, linear, &format!("{linear}\nbound = \"exact\""));
    let workspace = Workspace::new();
    workspace.write(
        "small.toml",
        &replaced(&robust, "levels = [0.0, 0.3]", &gaussian),
    );
    assert_snapshot!("likely_chance_of_a_linear_model", refused(&workspace));
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

fn uncertainty(lines: &str) -> String {
    changed("norm = 2", lines)
}

#[test]
fn norms() {
    assert_snapshot!("norm_3", uncertainty("norm = 3"));
    assert_snapshot!("misspelt_norm", uncertainty("norm = \"infinty\""));
    assert_snapshot!("norm_of_a_box", uncertainty("norm = 1\nshape = \"box\""));
}

#[test]
fn shapes() {
    let diagonal = |scales: &str| uncertainty(&format!("shape = \"diagonal\"\nscales = {scales}"));
    assert_snapshot!("scales_of_wrong_length", diagonal("[1.0, 2.0]"));
    assert_snapshot!("negative_scales", diagonal("[1.0, -2.0, 1.0]"));
    assert_snapshot!("nan_scales", diagonal("[1.0, nan, 1.0]"));
    assert_snapshot!("scales_of_a_sphere", {
        uncertainty("scales = [1.0, 2.0, 1.0]")
    });
    assert_snapshot!("diagonal_without_scales", {
        uncertainty("shape = \"diagonal\"")
    });
    assert_snapshot!("unknown_shape", uncertainty("shape = \"cube\""));
}

#[test]
fn covariances() {
    let full = |lines: &str| uncertainty(&format!("shape = \"full\"\n{lines}"));
    let matrix = |rows: &str| full(&format!("matrix = {rows}"));
    assert_snapshot!("full_without_covariance", full(""));
    assert_snapshot!("unknown_covariance", full("covariance = \"test\""));
    assert_snapshot!("covariance_of_a_box", {
        uncertainty("shape = \"box\"\ncovariance = \"training\"")
    });
    assert_snapshot!("covariance_and_matrix", {
        full("covariance = \"training\"\nmatrix = [[1.0]]")
    });
    assert_snapshot!("scales_of_a_full_shape", {
        full("covariance = \"training\"\nscales = [1.0, 1.0, 1.0]")
    });
    assert_snapshot!("ragged_matrix", matrix("[[1.0, 0.0], [0.0]]"));
    assert_snapshot!("lopsided_matrix", matrix("[[1.0, 0.5], [0.0, 1.0]]"));
    assert_snapshot!("indefinite_matrix", matrix("[[1.0, 0.0], [0.0, -2.0]]"));
    assert_snapshot!("nan_matrix", matrix("[[nan]]"));
    assert_snapshot!("matrix_of_wrong_size", matrix("[[1.0, 0.5], [0.5, 1.0]]"));
}

#[test]
fn shapes_of_each_point() {
    let rule = "per_sample = \"nearest-neighbour-features\"";
    assert_snapshot!("own_shapes_of_a_box", {
        uncertainty(&format!("shape = \"box\"\n{rule}"))
    });
    assert_snapshot!("misspelt_per_sample", {
        uncertainty("per_sample = \"nearest-neighbor\"")
    });
}

#[test]
fn bandwidth_rules() {
    let sigma = |keys: &str| changed("times_median = [1.0]", keys);
    assert_snapshot!("two_grids_of_sigma", {
        sigma("times_median = [1.0], theta_max = [1.0]")
    });
    assert_snapshot!("theta_max_without_gamma", sigma("theta_max = [1.0]"));
    assert_snapshot!("gamma_without_theta_max", sigma("gamma = 0.5"));
    assert_snapshot!("zero_theta_max", sigma("theta_max = [0.0], gamma = 0.5"));
    assert_snapshot!("zero_gamma", sigma("theta_max = [1.0], gamma = 0.0"));
    assert_snapshot!("failure_of_one_frequency", {
        sigma("theta_max = [1.0], gamma = 0.5, failure = 0.01")
    });
    assert_snapshot!("certain_failure", {
        sigma("theta_max = [1.0], gamma = 0.5, failure = 1.0, jointly = true")
    });
    assert_snapshot!("bandwidth_rule_of_norm_1", {
        let rule = "theta_max = [1.0], gamma = 0.5";
        let norm = replaced(SMALL, "norm = 2", "norm = 1");
        let workspace = Workspace::new();
        workspace.write("small.toml", &replaced(&norm, "times_median = [1.0]", rule));
        refused(&workspace)
    });
    assert_snapshot!("bandwidth_rule_of_structured_frequencies", {
        let rule = "theta_max = [1.0], gamma = 0.5";
        let structured = "map = \"rff\", frequencies = \"structured\"";
        let text = replaced(SMALL, "map = \"rff\"", structured);
        let workspace = Workspace::new();
        workspace.write("small.toml", &replaced(&text, "times_median = [1.0]", rule));
        refused(&workspace)
    });
    assert_snapshot!("joint_rule_of_landmarks", {
        let rule = "theta_max = [1.0], gamma = 0.5, jointly = true";
        let text = replaced(SMALL, "times_median = [1.0]", rule);
        let workspace = Workspace::new();
        workspace.write("small.toml", &(text + OTHER_METHODS));
        refused(&workspace)
    });
}

#[test]
fn searches() {
    let exact = |keys: &str| {
        changed(
            "[evaluation]",
            &format!("[evaluation]\nexact = {{ {keys} }}"),
        )
    };
    assert_snapshot!("exact_without_tolerance", exact("cells = 100"));
    assert_snapshot!("exact_without_cells", exact("tolerance = 1e-6"));
    assert_snapshot!("no_cells", exact("cells = 0, tolerance = 1e-6"));
    assert_snapshot!("too_many_cells", {
        exact("cells = 10000001, tolerance = 1e-6")
    });
    assert_snapshot!("zero_tolerance", exact("cells = 100, tolerance = 0.0"));
    assert_snapshot!("misspelt_key_of_exact", {
        exact("cels = 100, tolerance = 1e-6")
    });
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
