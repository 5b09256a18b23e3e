//! Methods by other solvers, with other rules for the intercept, and against other uncertainty, in runs.

use crate::support::{OTHER_METHODS, SMALL, Workspace, replaced};
use robust_svm_harness::store::{CellRow, Measurement, Status};

const SOLVER: &str = "solver = \"interior-point\"";

fn numbers(row: &CellRow) -> &Measurement {
    row.measurement.as_ref().expect("every cell is measured")
}

/// The rows of an experiment, all measured and all brackets in order.
fn run(text: &str) -> Vec<CellRow> {
    let workspace = Workspace::new();
    workspace.write("small.toml", text);
    workspace.run_well(&[]);
    let rows = workspace.rows("results/small");
    for row in &rows {
        assert_eq!(row.status, Status::Ok, "{row:?}");
        assert!(
            numbers(row).attack_error <= numbers(row).certified_error,
            "{row:?}"
        );
    }
    rows
}

fn near(a: f64, b: f64, relative: f64) -> bool {
    (a - b).abs() <= relative * a.abs().max(b.abs())
}

/// Nominal and robust methods on every explicit map: two solvers, one objective.
#[test]
fn bundle_and_interior_point_methods_agree() {
    let text = replaced(
        &(SMALL.to_owned() + OTHER_METHODS),
        "lambda = [0.1, 1.0]",
        "lambda = [1.0]",
    );
    let (by_cones, by_planes) = (
        run(&text),
        run(&replaced(&text, SOLVER, "solver = \"bundle\"")),
    );
    assert_eq!(by_cones.len(), by_planes.len());
    for (a, b) in by_cones.iter().zip(&by_planes) {
        assert_eq!((&a.cell_id, &a.method), (&b.cell_id, &b.method));
        let (m, n) = (numbers(a), numbers(b));
        if a.method == "kernel-svm" {
            assert_eq!(m, n);
            continue;
        }
        assert_eq!((&*m.solver, &*n.solver), ("interior-point", "bundle"));
        assert_eq!(m.bound, n.bound);
        assert!(
            n.relative_gap <= 1e-4 && near(m.objective, n.objective, 2e-4),
            "{a:?} {b:?}"
        );
        assert!(
            n.dual_objective <= m.objective * (1.0 + 1e-8),
            "{a:?} {b:?}"
        );
    }
}

/// Nominal and robust methods and total budgets on every explicit map, with the rules for the intercept that coordinate
/// descent takes: one objective, and the same rows at every run.
#[test]
fn coordinate_descent_and_interior_point_methods_agree() {
    let text = replaced(
        &(SMALL.to_owned() + OTHER_METHODS + BUDGETS_OF_SPHERES),
        "lambda = [0.1, 1.0]",
        "lambda = [1.0]",
    );
    for rule in ["penalised", "none"] {
        let with = |solver: &str| {
            let keys = format!("solver = \"{solver}\"\nintercept = \"{rule}\"");
            run(&replaced(&text, SOLVER, &keys))
        };
        let (by_cones, by_steps) = (with("interior-point"), with("dual-coordinate"));
        assert_eq!(by_steps, with("dual-coordinate"));
        assert_eq!(by_cones.len(), by_steps.len());
        for (a, b) in by_cones.iter().zip(&by_steps) {
            assert_eq!((&a.cell_id, &a.method), (&b.cell_id, &b.method));
            let (m, n) = (numbers(a), numbers(b));
            if a.method == "kernel-svm" {
                assert_eq!(m, n);
                continue;
            }
            assert_eq!(&*n.solver, "dual-coordinate");
            assert_eq!(m.bound, n.bound);
            assert!(n.relative_gap <= 1e-6, "{b:?}");
            assert!(near(m.objective, n.objective, 2e-6), "{a:?} {b:?}");
            assert!(
                n.dual_objective <= m.objective * (1.0 + 1e-8),
                "{a:?} {b:?}"
            );
        }
    }
}

const BUDGETS_OF_SPHERES: &str = r#"
[[method]]
name = "budget-linear"
features = { map = "identity" }
bound = "total-budget"
solver = "interior-point"

[[method]]
name = "budget-rff"
features = { map = "rff", dim = 16 }
bound = "total-budget"
solver = "interior-point"
"#;

/// Bounds in the norms 1 and ∞ of features, and linear models on sets of norms and shapes without a common cone.
#[test]
fn the_bundle_method_takes_what_the_interior_point_method_does_not() {
    let text = replaced(SMALL, SOLVER, "solver = \"bundle\"");
    let text = replaced(&text, "lambda = [0.1, 1.0]", "lambda = [1.0]");
    let text = replaced(&text, "repeats = 2", "repeats = 1");
    for bound in ["paper-1", "paper-inf", "arcs-1", "arcs-inf"] {
        let rows = run(&replaced(&text, "\"geodesic\"", &format!("\"{bound}\"")));
        let robust = rows.iter().filter(|row| row.method == "robust-rff");
        for row in robust {
            assert_eq!(numbers(row).bound.as_deref(), Some(bound));
        }
    }
    let linear = "features = { map = \"identity\" }";
    let text = replaced(&text, linear, &format!("{linear}\nbound = \"exact\""));
    let mut objectives = Vec::new();
    for sets in [
        "norm = 1",
        "norm = 2",
        "norm = \"infinity\"",
        "per_sample = \"nearest-neighbour-features\"",
    ] {
        let rows = run(&replaced(&text, "norm = 2", sets));
        let row = rows
            .iter()
            .find(|row| row.method == "linear" && row.level > 0.0)
            .unwrap();
        let m = numbers(row);
        assert_eq!(
            (m.bound.as_deref(), m.attack_error),
            (Some("exact"), m.certified_error),
            "{sets}"
        );
        objectives.push(m.objective);
    }
    // At one λ: a cube holds the ball, and the ball the cross-polytope.
    assert!(
        objectives[0] < objectives[1] && objectives[1] < objectives[2],
        "{objectives:?}"
    );
}

/// The local bound, by either solver: one objective, above the nominal one, on paired, phased and Nyström features and with
/// every rule for the intercept.
#[test]
fn methods_are_trained_on_the_local_bound() {
    let text = replaced(SMALL, "lambda = [0.1, 1.0]", "lambda = [1.0]");
    let text = replaced(&text, "\"geodesic\"", "\"local\"");
    let linear = format!("name = \"linear\"\nfeatures = {{ map = \"identity\" }}\n{SOLVER}");
    let nominal = format!("name = \"rff\"\nfeatures = {{ map = \"rff\", dim = 16 }}\n{SOLVER}");
    let text = replaced(&text, &linear, &nominal);
    let sets = "per_sample = \"nearest-neighbour\"";
    let text = replaced(&text, "norm = 2", sets);
    let map = "map = \"rff\", dim = 16";
    for (other, rule) in [
        (map, "free"),
        ("map = \"rff\", dim = 9, form = \"phased\"", "penalised"),
        ("map = \"nystrom\", landmarks = 12", "none"),
    ] {
        let text = replaced(&text, map, other);
        let with = |solver: &str| {
            run(&replaced(
                &text,
                SOLVER,
                &format!("{solver}\nintercept = \"{rule}\""),
            ))
        };
        let (cones, planes) = (with(SOLVER), with("solver = \"bundle\""));
        for (a, b) in cones.iter().zip(&planes) {
            let (m, n) = (numbers(a), numbers(b));
            assert!(near(m.objective, n.objective, 2e-4), "{other}: {a:?} {b:?}");
            assert!(m.relative_gap <= 1e-8 && n.relative_gap <= 1e-4);
        }
        let objective = |method: &str, level: f64| {
            let row = cones
                .iter()
                .find(|row| (&*row.method, row.level, row.repeat) == (method, level, 0));
            let m = numbers(row.unwrap());
            assert_eq!(m.bound.as_deref(), (method != "rff").then_some("local"));
            m.objective
        };
        assert_eq!(objective("robust-rff", 0.0), objective("rff", 0.0));
        assert!(objective("robust-rff", 0.3) > objective("rff", 0.3));
    }
    // Of other sets by cutting planes alone.
    let by_planes = replaced(&text, SOLVER, "solver = \"bundle\"");
    for other in [
        "norm = \"infinity\"",
        "per_sample = \"nearest-neighbour-features\"",
    ] {
        let rows = run(&replaced(&by_planes, sets, other));
        assert!(
            rows.iter()
                .any(|row| numbers(row).bound.as_deref() == Some("local"))
        );
    }
}

/// A rule with less freedom costs more; what is not written is `free`.
#[test]
fn intercepts_have_rules() {
    let text = replaced(SMALL, "lambda = [0.1, 1.0]", "lambda = [1.0]");
    let objectives = |rule: &str| -> Vec<f64> {
        let rows = run(&replaced(&text, SOLVER, &format!("{SOLVER}{rule}")));
        rows.iter().map(|row| numbers(row).objective).collect()
    };
    let [absent, free, penalised, none] = [
        "",
        "\nintercept = \"free\"",
        "\nintercept = \"penalised\"",
        "\nintercept = \"none\"",
    ]
    .map(objectives);
    assert_eq!(absent, free);
    for ((free, penalised), none) in free.iter().zip(&penalised).zip(&none) {
        assert!(
            free < penalised && penalised <= none,
            "{free} {penalised} {none}"
        );
    }
}

/// Nominal methods that differ in the intercept alone are not one.
#[test]
fn methods_with_other_intercepts_share_no_model() {
    let other = format!(
        "\n[[method]]\nname = \"without\"\nfeatures = {{ map = \"identity\" }}\n{SOLVER}\nintercept = \"none\"\n"
    );
    let rows = run(&(SMALL.to_owned() + &other));
    let objective = |method: &str| {
        let row = rows
            .iter()
            .find(|row| (&*row.method, row.level, row.repeat) == (method, 0.0, 0));
        numbers(row.unwrap()).objective
    };
    assert_ne!(objective("linear"), objective("without"));
}

const BUDGETS: &str = r#"
[[method]]
name = "budget-linear"
features = { map = "identity" }
bound = "total-budget"
solver = "interior-point"

[[method]]
name = "budget-nystrom"
features = { map = "nystrom", landmarks = 12 }
bound = "total-budget"
solver = "interior-point"

[[method]]
name = "robust-linear"
features = { map = "identity" }
bound = "exact"
solver = "interior-point"
"#;

/// A budget of γL may be shared as γ for every sample, so the objective is at least that of sets of size γ. Maps and shapes of
/// every kind.
#[test]
fn total_budgets_are_trained_on_every_map() {
    let text = replaced(SMALL, "lambda = [0.1, 1.0]", "lambda = [1.0]");
    let text = replaced(&text, "\"geodesic\"", "\"total-budget\"") + BUDGETS;
    for sets in [
        "norm = 2",
        "shape = \"diagonal\"\nscales = [0.1, 3.0, 0.5]",
        "shape = \"full\"\ncovariance = \"training\"",
    ] {
        let rows = run(&replaced(&text, "norm = 2", sets));
        let objective = |method: &str, level: f64, repeat: u32| {
            let same =
                |row: &&CellRow| (&*row.method, row.level, row.repeat) == (method, level, repeat);
            numbers(rows.iter().find(same).unwrap()).objective
        };
        for repeat in 0..2 {
            assert_eq!(
                objective("budget-linear", 0.0, repeat),
                objective("linear", 0.0, repeat)
            );
            let budget = objective("budget-linear", 0.3, repeat);
            let robust = objective("robust-linear", 0.3, repeat);
            assert!(objective("linear", 0.3, repeat) < robust && robust <= budget);
            for method in ["robust-rff", "budget-nystrom"] {
                assert!(objective(method, 0.0, repeat) < objective(method, 0.3, repeat));
            }
        }
        for row in rows.iter().filter(|row| row.method.starts_with("budget")) {
            let m = numbers(row);
            assert_eq!(m.bound.as_deref(), Some("total-budget"));
            assert!(
                near(m.gamma_mean, row.level, 1e-12) && m.nominal_lambda.is_none(),
                "{row:?}"
            );
        }
    }
    let box_of_features = replaced(SMALL, "\"geodesic\"", "\"total-budget\"");
    run(&replaced(&box_of_features, "norm = 2", "shape = \"box\""));
}

/// The sizes that ε stands for: 1.6448536 and sqrt(7.8147279) standard deviations of normal noise at ε = 0.05 and n = 3,
/// sqrt(19) and sqrt(60) of any noise.
#[test]
fn chance_constraints_give_each_model_its_size() {
    let linear = "features = { map = \"identity\" }";
    let robust = replaced(SMALL, linear, &format!("{linear}\nbound = \"exact\""));
    let rows = |noise: &str| {
        let chance =
            format!("chance = {{ epsilon = [0.5, 0.05], noise = \"{noise}\", scale = 0.1 }}");
        run(&replaced(&robust, "levels = [0.0, 0.3]", &chance))
    };
    let expected = [
        ("gaussian", 0.164_485_362_7, 0.279_548_349_2),
        ("any", 0.435_889_894_4, 0.774_596_669_2),
    ];
    for (noise, of_linear, of_set) in expected {
        for row in rows(noise).iter().filter(|row| row.level == 0.05) {
            let size = if row.method == "linear" {
                of_linear
            } else {
                of_set
            };
            assert_eq!(row.train_level, 0.05);
            assert!(
                near(numbers(row).gamma_mean, size, 1e-8),
                "{noise}: {row:?}"
            );
        }
    }
    // Half of normal noise is on the right side of any margin: γ = 0, a nominal model.
    let half = rows("gaussian")
        .into_iter()
        .find(|row| row.method == "linear" && row.level == 0.5);
    assert_eq!(numbers(&half.unwrap()).gamma_mean, 0.0);
}

/// The sets that models are judged by are the same for all methods: those of a run at their size as a level.
#[test]
fn chance_constraints_are_judged_by_the_set_of_the_noise() {
    let nominal = replaced(SMALL, "bound = \"geodesic\"\n", "");
    let chance = "chance = { epsilon = [0.05], noise = \"any\", scale = 0.05 }";
    let by_chance = run(&replaced(&nominal, "levels = [0.0, 0.3]", chance));
    // sqrt(3/0.05) times 0.05.
    let by_size = run(&replaced(
        &nominal,
        "levels = [0.0, 0.3]",
        "levels = [0.387298334620741688]",
    ));
    let sorted = |mut rows: Vec<CellRow>| {
        rows.sort_by(|a, b| (&a.method, a.repeat).cmp(&(&b.method, b.repeat)));
        rows
    };
    let mut noisy_differ = false;
    for (a, b) in sorted(by_chance).iter().zip(&sorted(by_size)) {
        let (m, n) = (numbers(a), numbers(b));
        assert_eq!(
            (m.attack_error, m.certified_error, m.lambda),
            (n.attack_error, n.certified_error, n.lambda)
        );
        assert_eq!((a.level, a.train_level), (0.05, 0.0));
        // The noise of a chance constraint is smaller than its set, and normal.
        noisy_differ |= m.noisy_accuracy != n.noisy_accuracy;
        assert!(m.noisy_accuracy >= 1.0 - m.certified_error, "{a:?}");
    }
    assert!(noisy_differ);
}

/// Tables and figures say ε where levels are ε.
#[test]
fn what_people_look_at_names_the_level() {
    let workspace = Workspace::changed(
        "levels = [0.0, 0.3]",
        "chance = { epsilon = [0.2], noise = \"gaussian\", scale = 0.1 }",
    );
    workspace.run_well(&[]);
    let files = workspace.files("results/small");
    let shown = files.into_iter().filter(|(path, _)| {
        path.extension()
            .is_some_and(|end| end == "md" || end == "svg")
    });
    let mut seen = 0;
    for (path, bytes) in shown {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains("evel γ"), "{}", path.display());
        seen += usize::from(text.contains("evel ε"));
    }
    assert!(seen >= 4, "{seen}");
}
