//! `train`, `predict` and `certify` on files of one's own.

use crate::support::{PROGRAM, Workspace, blobs, rings};
use insta::assert_snapshot;
use std::fmt::Write as _;
use std::fs;

/// With the files `blobs.csv` and `rings.csv`.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("blobs.csv", &blobs(90));
    workspace.write("rings.csv", &rings(100));
    workspace
}

fn well(workspace: &Workspace, arguments: &str) -> String {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let ended = workspace.program(&arguments);
    assert_eq!(ended.code, 0, "{}", ended.told());
    ended.stdout
}

/// The columns of a CSV file without quotes.
fn columns(text: &str) -> Vec<Vec<String>> {
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    (0..rows[0].len())
        .map(|column| rows[1..].iter().map(|row| row[column].to_owned()).collect())
        .collect()
}

fn numbers(texts: &[String]) -> Vec<f64> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn training_tells_what_was_made() {
    let workspace = workspace();
    let robust = "train blobs.csv --label label --features nystrom --dim 12 --bound projection \
                  --gamma 0.2 --lambda 0.1,1 --out m.json";
    let robust = well(&workspace, robust);
    let linear =
        "train blobs.csv --label label --features identity --lambda 1 --validation 0 --out l.json";
    let linear = well(&workspace, linear);
    insta::with_settings!({ filters => vec![(r"\d\.\de-\d+ certified", "[gap] certified")] }, {
        assert_snapshot!("train_robust", robust);
        assert_snapshot!("train_linear", linear);
    });
    let quiet =
        "train blobs.csv --label label --features exact-kernel --lambda 1 --out k.json --quiet";
    assert_eq!(well(&workspace, quiet), "");
}

/// The decision of a linear model by hand, from the numbers in the file.
#[test]
fn predictions_are_what_the_model_file_says() {
    let workspace = workspace();
    well(
        &workspace,
        "train blobs.csv --label label --features identity --out m.json --quiet",
    );
    let model = fs::read_to_string(workspace.path("m.json")).unwrap();
    let model: serde_json::Value = serde_json::from_str(&model).unwrap();
    let list = |entry: &serde_json::Value| -> Vec<f64> {
        let values = entry.as_array().unwrap().iter();
        values.map(|v| v.as_f64().unwrap()).collect()
    };
    let scaling = &model["scaling"];
    let (offsets, divisors) = (list(&scaling["offsets"]), list(&scaling["divisors"]));
    let (weights, intercept) = (
        list(&model["weights"]),
        model["intercept"].as_f64().unwrap(),
    );
    // Columns in another order, and one more that the model does not know.
    let table = columns(&blobs(90));
    let mut other = "note,c,label,a,b\n".to_owned();
    for line in blobs(90).lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [a, b, c, label] = cells[..] else {
            panic!("{line}")
        };
        let _ = writeln!(other, "x,{c},{label},{a},{b}");
    }
    workspace.write("other.csv", &other);
    let told = well(&workspace, "predict m.json other.csv --out p.csv");
    let predicted = columns(&fs::read_to_string(workspace.path("p.csv")).unwrap());
    let mut right = 0;
    for row in 0..90 {
        let by_hand: f64 = (0..3)
            .map(|k| {
                weights[k] * (table[k][row].parse::<f64>().unwrap() - offsets[k]) / divisors[k]
            })
            .sum::<f64>()
            + intercept;
        let decision: f64 = predicted[1][row].parse().unwrap();
        assert!((decision - by_hand).abs() < 1e-12, "{decision} {by_hand}");
        assert_eq!(predicted[0][row], (row + 1).to_string());
        assert_eq!(predicted[2][row], if by_hand > 0.0 { "1" } else { "0" });
        assert_eq!(predicted[3][row], table[3][row]);
        right += usize::from(predicted[2][row] == predicted[3][row]);
    }
    let accuracy = format!("90 rows: accuracy {:.1} %", 100.0 * right as f64 / 90.0);
    assert!(told.starts_with(&accuracy), "{told}");
    // Without --out the table is alone on standard output.
    let ended = workspace.program(&["predict", "m.json", "other.csv"]);
    assert_eq!(
        ended.stdout,
        fs::read_to_string(workspace.path("p.csv")).unwrap()
    );
    assert_eq!(ended.stderr.trim_end(), accuracy);
}

/// What is said of all rows follows from what is said of each.
#[test]
fn certificates_of_rows_and_of_all_agree() {
    let workspace = workspace();
    let train =
        "train rings.csv --label label --dim 64 --bound geodesic --gamma 0.1 --out m.json --quiet";
    well(&workspace, train);
    let told = well(
        &workspace,
        "certify m.json rings.csv --gamma 0 0.1 0.3 --out c.csv",
    );
    let table: Vec<Vec<f64>> = told
        .lines()
        .skip_while(|line| !line.contains('γ'))
        .skip(1)
        .take(3)
        .map(|line| {
            line.replace('%', "")
                .split_whitespace()
                .map(|w| w.parse().unwrap())
                .collect()
        })
        .collect();
    let rows = columns(&fs::read_to_string(workspace.path("c.csv")).unwrap());
    let (margins, radii) = (numbers(&rows[3]), numbers(&rows[4]));
    for (level, gamma) in [0.0, 0.1, 0.3].into_iter().enumerate() {
        let certified = &rows[5 + level];
        for row in 0..100 {
            let holds = certified[row] == "true";
            // Radii are found from below to within 1e-4.
            assert!(
                holds || radii[row] <= gamma,
                "row {row}: {} {gamma}",
                radii[row]
            );
            assert!(
                !holds || radii[row] + 1e-4 >= gamma,
                "row {row}: {} {gamma}",
                radii[row]
            );
            assert!(!holds || margins[row] > 0.0);
        }
        let open = certified.iter().filter(|c| *c == "false").count();
        let [g, clean, attack, not] = table[level][..] else {
            panic!("{told}")
        };
        assert_eq!((g, not), (gamma, open as f64));
        assert_eq!(clean, margins.iter().filter(|m| **m <= 0.0).count() as f64);
        assert!(clean <= attack && attack <= not, "{told}");
    }
    assert!(
        table[2][3] > table[0][3],
        "the levels tell nothing apart: {told}"
    );
    let default = well(&workspace, "certify m.json rings.csv");
    assert!(
        default.contains("     0.1 ") && !default.contains("     0.3 "),
        "{default}"
    );
}

#[test]
fn without_labels_the_class_predicted_is_certified() {
    let workspace = workspace();
    well(
        &workspace,
        "train blobs.csv --label label --features identity --out m.json --quiet",
    );
    let unlabelled = blobs(90).replace("label", "other");
    workspace.write("unlabelled.csv", &unlabelled);
    let told = well(
        &workspace,
        "certify m.json unlabelled.csv --gamma 0.2,0.5 --out c.csv",
    );
    assert_snapshot!("certify_unlabelled", told);
    let unread = well(
        &workspace,
        "certify m.json blobs.csv --no-labels --gamma 0.2,0.5 --out d.csv",
    );
    assert_eq!(unread.replace("d.csv", "c.csv"), told);
    let rows = columns(&fs::read_to_string(workspace.path("c.csv")).unwrap());
    assert!(numbers(&rows[2]).iter().all(|margin| *margin > 0.0));
    assert!(
        well(&workspace, "predict m.json unlabelled.csv --out p.csv").contains("no column `label`")
    );
}

#[test]
fn the_same_file_and_options_give_the_same_bytes() {
    let workspace = workspace();
    let train = |out: &str, more: &str| {
        well(
            &workspace,
            &format!("train rings.csv --label label --dim 32 --out {out} --quiet {more}"),
        );
        fs::read(workspace.path(out)).unwrap()
    };
    let first = train("a.json", "");
    fs::copy(workspace.path("rings.csv"), workspace.path("copy.csv")).unwrap();
    well(
        &workspace,
        "train copy.csv --label label --dim 32 --out c.json --quiet",
    );
    assert!(first == train("b.json", "") && first == fs::read(workspace.path("c.json")).unwrap());
    assert!(first != train("d.json", "--seed 1"));
}

/// One table as CSV and as LIBSVM files gives one model, up to the names of its columns.
#[test]
fn a_libsvm_file_is_trained_on_as_its_csv_is() {
    let workspace = Workspace::new();
    let (mut one, mut zero, mut csv) = (String::new(), String::new(), "1,2,3,label\n".to_owned());
    for (row, line) in blobs(60).lines().skip(1).enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let [a, b, c, label] = cells[..] else {
            panic!("{line}")
        };
        let sign = if label == "1" { "+1" } else { "-1" };
        let _ = writeln!(one, "{sign} 1:{a} 2:{b} 3:{c} # row {row}");
        let _ = writeln!(zero, "{sign} 0:{a} 1:{b} 2:{c}");
        let _ = writeln!(csv, "{a},{b},{c},{sign}");
    }
    workspace.write("t.csv", &csv);
    workspace.write("one.svm", &one);
    workspace.write("zero.dat", &zero);
    // One seed, and files of different bytes: only a model without random choices is the same.
    let fixed = "--features identity --lambda 1 --validation 0 --quiet";
    well(
        &workspace,
        &format!("train t.csv --label label --out t.json {fixed}"),
    );
    well(&workspace, &format!("train one.svm --out one.json {fixed}"));
    well(
        &workspace,
        &format!("train zero.dat --data-format libsvm --zero-based --out zero.json {fixed}"),
    );
    let predicted = well(&workspace, "predict t.json t.csv");
    assert!(
        predicted.contains(",-1,-1") && predicted.contains(",1,1"),
        "{predicted}"
    );
    for arguments in [
        "one.json one.svm",
        "one.json t.csv",
        "t.json one.svm",
        "zero.json zero.dat --data-format svmlight --zero-based",
    ] {
        let other = well(&workspace, &format!("predict {arguments}"));
        assert_eq!(other, predicted, "{arguments}");
    }
    // Features that a file does not mention are 0.
    workspace.write("short.svm", "1 1:0.5\n-1\n");
    workspace.write("short.csv", "1,2,3,label\n0.5,0,0,1\n0,0,0,-1\n");
    let short = well(&workspace, "predict one.json short.svm");
    assert_eq!(short, well(&workspace, "predict one.json short.csv"));
}

#[test]
fn missing_values_are_treated_as_the_model_was_trained() {
    let workspace = workspace();
    let mut gaps: Vec<String> = blobs(90).lines().map(str::to_owned).collect();
    for line in [3, 10, 41] {
        let (_, rest) = gaps[line].split_once(',').unwrap();
        gaps[line] = format!(",{rest}");
    }
    workspace.write("gaps.csv", &(gaps.join("\n") + "\n"));
    let train = |rule: &str| {
        let told = well(
            &workspace,
            &format!(
                "train gaps.csv --label label --features identity --missing {rule} --out {rule}.json"
            ),
        );
        told.lines().next().unwrap().to_owned()
    };
    assert!(train("drop").ends_with("; 3 left out for missing values"));
    assert!(train("median").ends_with("; 3 missing values"));
    let told = well(&workspace, "predict drop.json gaps.csv --out d.csv");
    assert!(
        told.starts_with("90 rows, 3 of them left out for missing values: accuracy"),
        "{told}"
    );
    let rows = columns(&fs::read_to_string(workspace.path("d.csv")).unwrap());
    let empty: Vec<usize> = (0..90).filter(|i| rows[1][*i].is_empty()).collect();
    assert_eq!(empty, [2, 9, 40]);
    well(&workspace, "predict median.json gaps.csv --out m.csv");
    let rows = columns(&fs::read_to_string(workspace.path("m.csv")).unwrap());
    assert!(rows[1].iter().all(|decision| !decision.is_empty()));
    well(
        &workspace,
        "certify drop.json gaps.csv --gamma 0.1 --out c.csv",
    );
    let rows = columns(&fs::read_to_string(workspace.path("c.csv")).unwrap());
    assert!(
        empty
            .iter()
            .all(|i| rows[3][*i].is_empty() && rows[5][*i].is_empty())
    );
}

#[test]
fn labels_may_be_words_and_more_than_two() {
    let workspace = Workspace::new();
    let mut text = "a,b,kind\n".to_owned();
    for (row, line) in blobs(60).lines().skip(1).enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let kind = if cells[3] == "1" {
            "bus"
        } else {
            ["car", "van"][row / 2 % 2]
        };
        let _ = writeln!(text, "{},{},{kind}", cells[0], cells[1]);
    }
    workspace.write("kinds.csv", &text);
    let told = well(
        &workspace,
        "train kinds.csv --label kind --positive bus --features identity --out m.json",
    );
    assert!(
        told.contains("30 of `bus` (+), 30 of `not bus` (−)"),
        "{told}"
    );
    let predicted = columns(&well(&workspace, "predict m.json kinds.csv"));
    assert!(
        predicted[2]
            .iter()
            .all(|class| class == "bus" || class == "not bus")
    );
    assert!(predicted[3].contains(&"van".to_owned()));
    let several = "train kinds.csv --label kind --positive car --positive van --features identity --out s.json";
    assert!(well(&workspace, several).contains("30 of `car or van` (+), 30 of `bus` (−)"));
}

/// Candidates and solves take all threads; the model does not tell.
#[test]
fn a_model_of_rows_in_memory_is_the_same_for_any_number_of_threads() {
    let workspace = workspace();
    for features in [
        "rff --bound geodesic",
        "nystrom --bound local",
        "identity --bound exact",
    ] {
        let models = ["1", "2", "3"].map(|threads| {
            let train = format!(
                "train rings.csv --label label --features {features} --gamma 0.1 --out m.json"
            );
            let ended = std::process::Command::new(PROGRAM)
                .args(train.split_whitespace())
                .current_dir(workspace.path("."))
                .env("RAYON_NUM_THREADS", threads)
                .output()
                .unwrap();
            assert!(ended.status.success(), "{features}");
            fs::read(workspace.path("m.json")).unwrap()
        });
        assert!(
            models[0] == models[1] && models[1] == models[2],
            "{features}"
        );
    }
}

/// A process that is interrupted while it certifies says so and leaves no file behind.
#[cfg(unix)]
#[test]
fn an_interrupted_certification_leaves_no_file() {
    let workspace = Workspace::new();
    workspace.write("few.csv", &rings(200));
    workspace.write("rings.csv", &rings(20_000));
    well(
        &workspace,
        "train few.csv --label label --features rff --dim 256 --lambda 1 --sigma 1 --out m.json",
    );
    fs::create_dir(workspace.path("found")).unwrap();
    let names = || fs::read_dir(workspace.path("found")).unwrap().count();
    let certification = std::process::Command::new(PROGRAM)
        .args("certify m.json rings.csv --out found/c.csv --gamma".split(' '))
        .args(["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8"])
        .current_dir(workspace.path("."))
        .env_remove("ROBUST_SVM_LOG")
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let begun = std::time::Instant::now();
    while names() == 0 {
        assert!(
            begun.elapsed() < std::time::Duration::from_mins(2),
            "no table"
        );
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let process = certification.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &process])
        .status();
    assert!(sent.unwrap().success());
    let ended = certification.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(
        told,
        "interrupted: nothing is written; the same command begins anew\n"
    );
    assert_eq!(names(), 0);
}
