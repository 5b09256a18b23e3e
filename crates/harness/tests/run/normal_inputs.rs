//! Methods that are trained on distributions in the place of points.

use crate::rejected_experiments::{changed, refused};
use crate::support::{SMALL, Workspace, replaced};
use robust_svm_harness::store::{CellRow, Measurement, Status};

const METHODS: &str = r#"
[[method]]
name = "smm"
features = { map = "exact-kernel" }
inputs = "normal"
solver = "smo"

[[method]]
name = "smo"
features = { map = "exact-kernel" }
solver = "smo"

[[method]]
name = "linfa"
features = { map = "exact-kernel" }
solver = "linfa-svm"

[[method]]
name = "plain-rff"
features = { map = "rff", dim = 16 }
solver = "interior-point"

[[method]]
name = "smm-rff"
features = { map = "rff", dim = 16 }
inputs = "normal"
solver = "interior-point"
"#;

fn numbers(row: &CellRow) -> &Measurement {
    row.measurement.as_ref().expect("every cell is measured")
}

/// At level 0 training on distributions is training on points, by either solver of exact kernels; above it is not, and certificates hold.
#[test]
fn distributions_without_variance_are_points() {
    let workspace = Workspace::new();
    let text = replaced(
        &(SMALL.to_owned() + METHODS),
        "lambda = [0.1, 1.0]",
        "lambda = [1.0]",
    );
    workspace.write("small.toml", &text);
    workspace.run_well(&[]);
    let rows = workspace.rows("results/small");
    let of = |method: &str| -> Vec<&CellRow> {
        let mut own: Vec<_> = rows.iter().filter(|row| row.method == method).collect();
        own.sort_by(|a, b| {
            (a.level, a.repeat)
                .partial_cmp(&(b.level, b.repeat))
                .unwrap()
        });
        own
    };
    for row in &rows {
        assert_eq!(row.status, Status::Ok, "{row:?}");
        assert!(
            numbers(row).attack_error <= numbers(row).certified_error,
            "{row:?}"
        );
    }
    for (uncertain, plain) in [("smm", "smo"), ("smm-rff", "plain-rff")] {
        for (a, b) in of(uncertain).into_iter().zip(of(plain)) {
            assert_eq!((a.level, a.repeat), (b.level, b.repeat));
            let (a_numbers, b_numbers) = (numbers(a), numbers(b));
            assert_eq!(a_numbers.bound.as_deref(), Some("normal-inputs"));
            assert!(a_numbers.relative_gap <= 1e-6, "{a:?}");
            let same = a_numbers.objective == b_numbers.objective;
            assert_eq!(same, a.level == 0.0, "{a:?} {b:?}");
        }
    }
    for (a, b) in of("smo").into_iter().zip(of("linfa")) {
        let (a, b) = (numbers(a).objective, numbers(b).objective);
        assert!((a - b).abs() <= 1e-5 * b, "{a} {b}");
    }
}

/// Each refusal names what is wrong and what to write.
#[test]
fn what_has_no_distributions_is_refused() {
    const LINEAR: &str = "features = { map = \"identity\" }\nsolver = \"interior-point\"";
    let exact = |solver: &str| {
        format!(
            "features = {{ map = \"exact-kernel\" }}\ninputs = \"normal\"\nsolver = \"{solver}\""
        )
    };
    let told = |old: &str, new: &str, problem: &str, help: &str| {
        let told = changed(old, new);
        assert!(told.contains(problem) && told.contains(help), "{told}");
    };
    let bound = "bound = \"geodesic\"";
    let both = format!("{bound}\ninputs = \"normal\"");
    told(bound, &both, "not both", "leave one of the two out");
    let linear = format!("inputs = \"normal\"\n{LINEAR}");
    told(LINEAR, &linear, "not for this feature map", "exact-kernel");
    told(LINEAR, &exact("linfa-svm"), "takes no normally", "\"smo\"");

    let workspace = Workspace::new();
    let own = "norm = 2\nper_sample = \"nearest-neighbour-features\"";
    let text = replaced(&replaced(SMALL, LINEAR, &exact("smo")), "norm = 2", own);
    workspace.write("small.toml", &text);
    let told = refused(&workspace);
    assert!(
        told.contains("without a direction") && told.contains("sphere"),
        "{told}"
    );
}
