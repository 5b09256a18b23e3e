//! Methods whose parts do not exist or do not fit together.

use crate::rejected_experiments::{changed, refused};
use crate::support::{SMALL, Workspace, replaced};
use insta::assert_snapshot;

#[test]
fn maps() {
    let map = |new: &str| changed("{ map = \"rff\", dim = 16 }", new);
    assert_snapshot!("unknown_map", map("{ map = \"fourier\" }"));
    assert_snapshot!("misspelt_map", map("{ map = \"nystroem\", landmarks = 8 }"));
    assert_snapshot!("odd_dim", map("{ map = \"rff\", dim = 15 }"));
    assert_snapshot!(
        "odd_dim_in_a_list",
        map("{ map = \"rff\", dim = [16, 15] }")
    );
    assert_snapshot!("zero_dim", map("{ map = \"rff\", dim = 0 }"));
    assert_snapshot!("empty_dims", map("{ map = \"rff\", dim = [] }"));
    assert_snapshot!("dim_twice", map("{ map = \"rff\", dim = [16, 16] }"));
    assert_snapshot!("dim_missing", map("{ map = \"rff\" }"));
    assert_snapshot!("landmarks_missing", map("{ map = \"nystrom\" }"));
    assert_snapshot!(
        "dim_of_a_linear_map",
        map("{ map = \"identity\", dim = 16 }")
    );
}

/// A line break would end the line of a table.
#[test]
fn names_of_more_than_a_line() {
    let told = changed("name = \"robust-rff\"", "name = \"robust\\nrff\"");
    assert!(told.contains("a method's `name` is one line"), "{told}");
}

#[test]
fn ways_to_draw_a_map() {
    let map = |new: &str| changed("{ map = \"rff\", dim = 16 }", new);
    assert_snapshot!(
        "unknown_frequencies",
        map("{ map = \"rff\", dim = 16, frequencies = \"sobol\" }")
    );
    assert_snapshot!(
        "misspelt_choose",
        map("{ map = \"nystrom\", landmarks = 8, choose = \"kmeans\" }")
    );
    assert_snapshot!(
        "choose_of_random_features",
        map("{ map = \"rff\", dim = 16, choose = \"leverage\" }")
    );
    assert_snapshot!(
        "frequencies_of_landmarks",
        map("{ map = \"nystrom\", landmarks = 8, frequencies = \"orthogonal\" }")
    );
    assert_snapshot!(
        "frequencies_of_a_linear_map",
        map("{ map = \"identity\", frequencies = \"gaussian\" }")
    );
}

#[test]
fn forms() {
    let map = |keys: &str| {
        changed(
            "{ map = \"rff\", dim = 16 }",
            &format!("{{ map = \"rff\", {keys} }}"),
        )
    };
    assert_snapshot!("unknown_form", map("dim = 16, form = \"single\""));
    assert_snapshot!("misspelt_form", map("dim = 16, form = \"phase\""));
    assert_snapshot!("structured_phased_features", {
        map("dim = 15, form = \"phased\", frequencies = \"structured\"")
    });
    assert_snapshot!("form_of_a_linear_map", {
        changed("\"identity\"", "\"identity\", form = \"paired\"")
    });
    let phased = "dim = 15, form = \"phased\"";
    let text = replaced(SMALL, "dim = 16", phased);
    let workspace = Workspace::new();
    workspace.write("small.toml", &replaced(&text, "\"geodesic\"", "\"paper\""));
    assert_snapshot!("papers_bound_of_phased_features", refused(&workspace));
}

/// The keys that make sets a bound does not hold for.
#[test]
fn bounds_of_other_sets() {
    let linear = "name = \"linear\"\nfeatures = { map = \"identity\" }";
    let robust = replaced(SMALL, linear, &format!("{linear}\nbound = \"exact\""));
    let refused_with = |lines: &str| {
        let workspace = Workspace::new();
        workspace.write("small.toml", &replaced(&robust, "norm = 2", lines));
        refused(&workspace)
    };
    assert_snapshot!("exact_bound_of_norm_1", refused_with("norm = 1"));
    assert_snapshot!("exact_bound_of_a_box", refused_with("shape = \"box\""));
    assert_snapshot!("exact_bound_of_own_shapes", {
        refused_with("per_sample = \"nearest-neighbour-features\"")
    });
    let nystrom = replaced(
        SMALL,
        "map = \"rff\", dim = 16",
        "map = \"nystrom\", landmarks = 12",
    );
    let paper = replaced(&nystrom, "\"geodesic\"", "\"paper\"");
    let workspace = Workspace::new();
    workspace.write(
        "small.toml",
        &replaced(&paper, "norm = 2", "norm = \"infinity\""),
    );
    assert_snapshot!("papers_nystrom_bound_of_norm_infinity", refused(&workspace));
}

#[test]
fn bounds() {
    let bound = |new: &str| changed("bound = \"geodesic\"", new);
    assert_snapshot!("unknown_bound", bound("bound = \"tight\""));
    assert_snapshot!("misspelt_bound", bound("bound = \"geodesik\""));
    assert_snapshot!("bound_of_another_map", bound("bound = \"projection\""));
    assert_snapshot!("bound_in_another_norm", bound("bound = \"arcs-inf\""));
    assert_snapshot!("misspelt_total_budget", bound("bound = \"total-bugdet\""));
    assert_snapshot!("misspelt_local_bound", bound("bound = \"locale\""));
    let linear = "{ map = \"identity\" }";
    assert_snapshot!("local_bound_of_a_linear_map", {
        changed(linear, &format!("{linear}\nbound = \"local\""))
    });
    let kernel = replaced(
        SMALL,
        "{ map = \"rff\", dim = 16 }",
        "{ map = \"exact-kernel\" }",
    );
    let workspace = Workspace::new();
    workspace.write("small.toml", &kernel);
    assert_snapshot!("bound_of_the_exact_kernel", refused(&workspace));
}

#[test]
fn solvers() {
    let solver = |new: &str| changed("bound = \"geodesic\"\nsolver = \"interior-point\"", new);
    assert_snapshot!("unknown_solver", solver("solver = \"simplex\""));
    assert_snapshot!("misspelt_solver", solver("solver = \"interior_point\""));
    assert_snapshot!("solver_of_another_map", solver("solver = \"linfa-svm\""));
    assert_snapshot!("solver_of_explicit_maps", {
        let map = "{ map = \"rff\", dim = 16 }\nbound = \"geodesic\"\nsolver = \"interior-point\"";
        changed(map, "{ map = \"exact-kernel\" }\nsolver = \"bundle\"")
    });
}

#[test]
fn intercepts() {
    let solver = "bound = \"geodesic\"\nsolver = \"interior-point\"";
    let intercept = |keys: &str| changed(solver, keys);
    assert_snapshot!("misspelt_intercept", {
        intercept("solver = \"interior-point\"\nintercept = \"penalized\"")
    });
    assert_snapshot!("unknown_intercept", {
        intercept("solver = \"interior-point\"\nintercept = \"zero\"")
    });
    assert_snapshot!("intercept_of_linfa_svm", {
        let map = format!("{{ map = \"rff\", dim = 16 }}\n{solver}");
        let kernel = "{ map = \"exact-kernel\" }\nsolver = \"linfa-svm\"";
        changed(&map, &format!("{kernel}\nintercept = \"penalised\""))
    });
}

/// What coordinate descent does not take.
#[test]
fn coordinate_descent() {
    let solver = "bound = \"geodesic\"\nsolver = \"interior-point\"";
    let keys = "solver = \"dual-coordinate\"\nintercept = \"penalised\"";
    let with_bound = |bound: &str| changed(solver, &format!("bound = \"{bound}\"\n{keys}"));
    assert_snapshot!("free_intercept_of_coordinate_descent", {
        changed(solver, "solver = \"dual-coordinate\"")
    });
    assert_snapshot!("local_bound_of_coordinate_descent", with_bound("local"));
    let refused_with = |map: &str, bound: &str, sets: &str| {
        let text = replaced(SMALL, "map = \"rff\", dim = 16", map);
        let text = replaced(&text, solver, &format!("bound = \"{bound}\"\n{keys}"));
        let workspace = Workspace::new();
        workspace.write("small.toml", &replaced(&text, "norm = 2", sets));
        refused(&workspace)
    };
    let (rff, nystrom) = (
        "map = \"rff\", dim = 16",
        "map = \"nystrom\", landmarks = 12",
    );
    assert_snapshot!("own_sizes_of_coordinate_descent", {
        refused_with(rff, "geodesic", "per_sample = \"nearest-neighbour\"")
    });
    assert_snapshot!("own_shapes_of_coordinate_descent", {
        refused_with(
            rff,
            "geodesic",
            "per_sample = \"nearest-neighbour-features\"",
        )
    });
    assert_snapshot!("matrix_of_coordinate_descent", {
        refused_with(nystrom, "landmark", "norm = 2")
    });
    let axes = "shape = \"diagonal\"\nscales = [1.0, 0.5, 2.0]";
    assert_snapshot!("ellipsoid_of_coordinate_descent", {
        refused_with("map = \"identity\"", "exact", axes)
    });
    assert_snapshot!("budget_of_an_ellipsoid_of_coordinate_descent", {
        refused_with("map = \"identity\"", "total-budget", axes)
    });
}

/// What the interior-point method does not take of the local bound.
#[test]
fn local_bounds() {
    let local = replaced(SMALL, "\"geodesic\"", "\"local\"");
    let refused_with = |old: &str, new: &str| {
        let workspace = Workspace::new();
        workspace.write("small.toml", &replaced(&local, old, new));
        refused(&workspace)
    };
    assert_snapshot!(
        "local_bound_of_norm_1",
        refused_with("norm = 2", "norm = 1")
    );
    assert_snapshot!("local_bound_of_own_shapes", {
        refused_with("norm = 2", "per_sample = \"nearest-neighbour-features\"")
    });
}

#[test]
fn total_budgets() {
    let budget = replaced(SMALL, "\"geodesic\"", "\"total-budget\"");
    let refused_with = |old: &str, new: &str| {
        let workspace = Workspace::new();
        workspace.write("small.toml", &replaced(&budget, old, new));
        refused(&workspace)
    };
    let linear = "{ map = \"identity\" }";
    let norm_1 = replaced(
        &budget,
        linear,
        &format!("{linear}\nbound = \"total-budget\""),
    );
    let workspace = Workspace::new();
    workspace.write("small.toml", &replaced(&norm_1, "norm = 2", "norm = 1"));
    assert_snapshot!("total_budget_of_norm_1", refused(&workspace));
    assert_snapshot!("total_budget_of_own_sizes", {
        refused_with("norm = 2", "per_sample = \"nearest-neighbour\"")
    });
    assert_snapshot!("total_budget_of_own_shapes", {
        refused_with("norm = 2", "per_sample = \"nearest-neighbour-features\"")
    });
    assert_snapshot!("total_budget_of_the_bundle_method", {
        let solver = "\"total-budget\"\nsolver = \"interior-point\"";
        refused_with(solver, "\"total-budget\"\nsolver = \"bundle\"")
    });
    assert_snapshot!("total_budget_of_a_chance", {
        let chance = "chance = { epsilon = [0.1], noise = \"any\", scale = 0.1 }";
        refused_with("levels = [0.0, 0.3]", chance)
    });
}

#[test]
fn training_levels() {
    let train_level = |new: &str| changed("bound = \"geodesic\"", new);
    assert_snapshot!("negative_train_level", {
        train_level("bound = \"geodesic\"\ntrain_level = -0.1")
    });
    assert_snapshot!(
        "train_level_without_bound",
        train_level("train_level = 0.1")
    );
}

#[test]
fn landmarks_are_training_rows() {
    let nystrom = "{ map = \"nystrom\", landmarks = [8, 64] }";
    let method = replaced(SMALL, "{ map = \"rff\", dim = 16 }", nystrom);
    let method = replaced(&method, "\"geodesic\"", "\"projection\"");
    let workspace = Workspace::new();
    workspace.write("small.toml", &method);
    assert_snapshot!("landmarks_above_the_training_rows", refused(&workspace));
}

#[test]
fn comparisons() {
    let compare = |keys: &str| {
        let solver = "bound = \"geodesic\"\nsolver = \"interior-point\"\n";
        changed(solver, &format!("{solver}\n[[compare]]\n{keys}\n"))
    };
    assert_snapshot!(
        "compared_method_misspelt",
        compare("method = \"robust-rf\"\nwith = [\"linear\"]")
    );
    assert_snapshot!(
        "compared_with_itself",
        compare("method = \"linear\"\nwith = [\"robust-rff\", \"linear\"]")
    );
    assert_snapshot!(
        "compared_with_nothing",
        compare("method = \"linear\"\nwith = []")
    );
    assert_snapshot!(
        "unknown_compared_error",
        compare("method = \"linear\"\nwith = [\"robust-rff\"]\nmetric = \"accuracy\"")
    );
}
