//! What is often tried and not there is told what to write.

use crate::rejected_experiments::{changed, refused};
use crate::support::{SMALL, Workspace};
use insta::assert_snapshot;

#[test]
fn studies_that_do_not_say_so() {
    let study = |keys: &str| changed(SMALL, &format!("name = \"small\"\nseed = 1\n{keys}"));
    assert_snapshot!("study_without_a_kind", {
        study("draws = 10\ngamma = 0.3\ntheta_max = 1.0\n")
    });
    assert_snapshot!("axes_without_a_kind", {
        study("repeats = 2\npoints = 10\n[data]\n[axes]\n")
    });
    assert_snapshot!(
        "misplaced_key_is_no_study",
        changed("seed = 7", "seed = 7\nattack = { steps = 5, restarts = 2 }")
    );
}

#[test]
fn values_that_are_often_tried() {
    let bound = |new: &str| changed("bound = \"geodesic\"\nsolver = \"interior-point\"", new);
    assert_snapshot!(
        "bound_without_its_hyphen",
        bound("bound = \"arcs1\"\nsolver = \"interior-point\"")
    );
    assert_snapshot!(
        "bound_without_its_hyphen_for_bundle",
        bound("bound = \"ArcsInf\"\nsolver = \"bundle\"")
    );
    let compare = "\n[[compare]]\nmethod = \"robust-rff\"\nwith = [\"linear\"]\nmetric = ";
    let workspace = Workspace::new();
    workspace.write("small.toml", &format!("{SMALL}{compare}\"robust-error\"\n"));
    assert_snapshot!("robust_error_for_a_metric", refused(&workspace));
}
