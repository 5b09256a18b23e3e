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
fn bounds() {
    let bound = |new: &str| changed("bound = \"geodesic\"", new);
    assert_snapshot!("unknown_bound", bound("bound = \"tight\""));
    assert_snapshot!("misspelt_bound", bound("bound = \"geodesik\""));
    assert_snapshot!("bound_of_another_map", bound("bound = \"projection\""));
    assert_snapshot!("bound_in_another_norm", bound("bound = \"arcs-inf\""));
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
