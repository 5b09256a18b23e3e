//! Training on rows that are streamed from a copy on disk.

use crate::support::{Workspace, blobs, rings};
use robust_svm_solvers::stream::InteriorPointState;
use std::fs;
use std::path::Path;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

pub(crate) fn split(arguments: &str) -> Vec<&str> {
    arguments.split_whitespace().collect()
}

pub(crate) fn well(workspace: &Workspace, arguments: &str) -> String {
    let ended = workspace.program(&split(arguments));
    assert_eq!(ended.code, 0, "{}", ended.told());
    ended.stdout
}

fn model(workspace: &Workspace, file: &str) -> serde_json::Value {
    let text = fs::read_to_string(workspace.path(file)).unwrap();
    serde_json::from_str(&text).unwrap()
}

pub(crate) fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().unwrap()
}

/// The class predicted of each row.
fn classes(workspace: &Workspace, model: &str, data: &str) -> Vec<String> {
    let table = well(workspace, &format!("predict {model} {data}"));
    let rows = table.lines().skip(1);
    rows.map(|row| row.split(',').nth(2).unwrap().to_owned())
        .collect()
}

/// Of three inputs, padded to 32, structured frequencies are whole multiples of 2/(32σ); the others are not.
#[test]
fn frequencies_are_drawn_as_asked() {
    let workspace = Workspace::new();
    workspace.write("rings.csv", &rings(200));
    let train =
        "train rings.csv --label label --validation 0 --quiet --dim 64 --sigma 1.5 --lambda 1";
    let multiples: Vec<usize> = ["gaussian", "orthogonal", "structured"]
        .into_iter()
        .map(|name| {
            well(
                &workspace,
                &format!("{train} --frequencies {name} --out {name}.json"),
            );
            let features = &model(&workspace, &format!("{name}.json"))["features"];
            let rows = features["frequencies"].as_array().unwrap().iter();
            let entries = rows.flat_map(|row| row.as_array().unwrap());
            let of_unit = entries.map(|entry| number(entry) * 1.5 * 16.0);
            of_unit.filter(|v| (v - v.round()).abs() < 1e-9).count()
        })
        .collect();
    assert_eq!(multiples, [0, 0, 96]);
    assert_ne!(
        model(&workspace, "gaussian.json")["features"],
        model(&workspace, "orthogonal.json")["features"]
    );
}

/// A frequency and a phase for each feature, any number of them, in memory and on a stream, which train the same map, another where frequencies are orthogonal.
#[test]
fn phased_features_have_a_frequency_each() {
    let workspace = Workspace::new();
    workspace.write("rings.csv", &rings(3000));
    let train = "train rings.csv --label label --validation 0 --quiet --dim 45 --sigma 1.5 --lambda 1 --form phased \
                 --bound geodesic --gamma 0.05";
    for frequencies in ["gaussian", "orthogonal"] {
        let features = ["never", "always"].map(|stream| {
            let options = format!("--frequencies {frequencies} --stream {stream} --out m.json");
            well(&workspace, &format!("{train} {options}"));
            well(&workspace, "certify m.json rings.csv --gamma 0.05");
            model(&workspace, "m.json")["features"].clone()
        });
        assert_eq!(features[0], features[1]);
        let rows: Vec<Vec<f64>> = features[0]["frequencies"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row.as_array().unwrap().iter().map(number).collect())
            .collect();
        assert_eq!((rows.len(), rows[0].len()), (45, 3));
        assert_eq!(features[0]["phases"].as_array().unwrap().len(), 45);
        let dot: f64 = rows[0].iter().zip(&rows[1]).map(|(a, b)| a * b).sum();
        assert_eq!(dot.abs() < 1e-12, frequencies == "orthogonal", "{dot}");
    }
}

/// The same problem solved both ways: scaled alike, with the same features, and models that agree.
#[test]
fn a_streamed_model_is_near_the_one_of_rows_in_memory() {
    let workspace = Workspace::new();
    workspace.write("rings.csv", &rings(1500));
    for options in [
        "--features identity --lambda 1",
        "--features identity --bound exact --gamma 0.1 --lambda 1",
        "--features rff --dim 64 --sigma 1.5 --lambda 0.5",
        "--features rff --dim 64 --sigma 1.5 --lambda 0.5 --bound geodesic --gamma 0.05",
        "--features nystrom --dim 20 --sigma 1.5 --lambda 0.5 --bound projection --gamma 0.05",
        "--scale min-max --features rff --dim 64 --sigma 1 --lambda 0.5",
        "--features rff --frequencies structured --dim 64 --sigma 1.5 --lambda 0.5",
    ] {
        let train = format!("train rings.csv --label label --validation 0 --quiet {options}");
        well(
            &workspace,
            &format!("{train} --stream never --out memory.json"),
        );
        let always = "--stream always --epochs 600 --tolerance 0.05";
        well(&workspace, &format!("{train} {always} --out stream.json"));
        let (memory, stream) = (
            model(&workspace, "memory.json"),
            model(&workspace, "stream.json"),
        );
        let gap = number(&stream["training"]["relative_gap"]);
        assert!((0.0..=0.05).contains(&gap), "{options}: {gap}");
        assert_eq!(stream["training"]["solver"], "stochastic");
        for entry in ["offsets", "divisors"] {
            let [a, b] = [&memory, &stream].map(|m| m["scaling"][entry].as_array().unwrap());
            for (a, b) in a.iter().zip(b) {
                assert!((number(a) - number(b)).abs() < 1e-12, "{entry}: {a} {b}");
            }
        }
        if options.contains("rff") {
            assert_eq!(memory["features"], stream["features"], "{options}");
        }
        let (a, b) = (
            classes(&workspace, "memory.json", "rings.csv"),
            classes(&workspace, "stream.json", "rings.csv"),
        );
        let other = a.iter().zip(&b).filter(|(a, b)| a != b).count();
        // Linear models of rings are as good as any of their neighbours.
        let most = if options.contains("identity") {
            150
        } else {
            45
        };
        assert!(other <= most, "{options}: {other} of 1500 rows differ");
        assert!(!workspace.path("stream.json.scratch").exists());
        // To a small gap the models are one but for the rounding of the rows.
        let always = "--stream always --solver interior-point";
        well(&workspace, &format!("{train} {always} --out stream.json"));
        let stream = model(&workspace, "stream.json");
        assert_eq!(stream["training"]["solver"], "interior-point");
        let gap = number(&stream["training"]["relative_gap"]);
        assert!(gap <= 1e-8, "{options}: {gap}");
        if !options.contains("nystrom") {
            let [a, b] = [&memory, &stream].map(|m| m["weights"].as_array().unwrap());
            let largest = a.iter().map(|v| number(v).abs()).fold(0.0, f64::max);
            for (a, b) in a.iter().zip(b) {
                let off = (number(a) - number(b)).abs();
                assert!(off <= 2e-3 * largest, "{options}: {a} {b}");
            }
        }
    }
}

#[test]
fn the_same_file_and_options_give_the_same_bytes_for_any_number_of_threads() {
    let workspace = Workspace::new();
    workspace.write("rings.csv", &rings(20_000));
    for map in [
        "rff --dim 32 --gamma 0.1 --bound geodesic --lambda 1,10",
        "nystrom --dim 40 --gamma 0.1 --bound projection --lambda 1,10",
    ] {
        let train =
            format!("train rings.csv --label label --features {map} --stream always --epochs 3");
        let told = well(&workspace, &format!("{train} --out m.json"));
        assert!(
            told.contains("the best of 2, by certified validation error"),
            "{told}"
        );
        assert!(
            told.contains("validation") && !told.contains("\n  training "),
            "{told}"
        );
        let first = fs::read(workspace.path("m.json")).unwrap();
        for threads in ["1", "3"] {
            let mut command = workspace.command();
            let output = command
                .args(split(&train))
                .args(["--out", "n.json", "--checkpoint-every", threads])
                .env("RAYON_NUM_THREADS", threads)
                .output()
                .unwrap();
            assert!(output.status.success());
            assert!(
                fs::read(workspace.path("n.json")).unwrap() == first,
                "{map}: {threads} threads"
            );
        }
        let rows = model(&workspace, "m.json");
        let held_out = rows["training"]["validation_rows"].as_u64().unwrap();
        assert!(
            (4700..5300).contains(&held_out),
            "a quarter of the rows: {held_out}"
        );
        assert_eq!(
            rows["training"]["rows"].as_u64().unwrap() + held_out,
            20_000
        );
    }
}

/// What is wrong with a file is told in the same words.
#[test]
fn faults_are_told_as_of_rows_in_memory() {
    let workspace = Workspace::new();
    for (file, content) in [
        ("kinds.csv", "a,kind\n1,bus\n2,car\n3,van\n"),
        ("one.csv", "a,kind\n1,bus\n2,bus\n"),
        ("text.csv", "a,id,kind\n1,x1,0\n2,x2,1\n"),
        ("short.csv", "a,b,kind\n1,2,0\n2,1\n"),
        ("empty.csv", "a,kind\n1,0\n2,1\n3,\n"),
        ("equal.csv", "a,kind\n1,0\n1,1\n1,0\n1,1\n"),
        ("none.csv", ""),
    ] {
        workspace.write(file, content);
        for more in ["", " --positive bsu", " --ignore b2"] {
            let train = format!(
                "train {file} --label kind --validation 0 --lambda 1 --sigma 1 --out m.json{more}"
            );
            let told = |how: &str| {
                let train = format!("{train} --stream {how}");
                let ended = workspace.program(&split(&train));
                assert_eq!(ended.stdout, "", "{file}{more}");
                (ended.code, ended.stderr)
            };
            let streamed = told("always");
            assert_ne!(streamed.0, 0, "{file}{more}");
            assert_eq!(streamed, told("never"), "{file}{more}");
            assert!(!workspace.path("m.json.scratch").exists(), "{file}{more}");
        }
    }
    workspace.write("gap.csv", "a,b,kind\n1,2,0\n2,,1\n,4,0\n3,1,1\n");
    let ended = workspace.program(&split(
        "train gap.csv --label kind --stream always --out m.json",
    ));
    let told = "error: gap.csv, line 3, column `b`: the value is missing (missing values of the task: 2)\n  \
                = help: --missing drop leaves such rows out\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (2, told));
    let dropped = "train gap.csv --label kind --missing drop --validation 0 --features identity \
                   --stream always --out m.json";
    let told = well(&workspace, dropped);
    assert!(
        told.contains("2 rows: 1 of `1` (+), 1 of `0` (−); 2 left out"),
        "{told}"
    );
}

#[test]
fn what_cannot_be_streamed_is_said() {
    let workspace = Workspace::new();
    workspace.write("blobs.csv", &blobs(60));
    for (options, told) in [
        (
            "--missing median",
            "--missing median, for the medians of all rows, needs the rows in memory",
        ),
        (
            "--features exact-kernel",
            "--features exact-kernel needs the rows in memory",
        ),
        (
            "--bound local --gamma 0.1",
            "--bound local needs the rows in memory",
        ),
        (
            "--features nystrom --dim 20 --bound landmark --gamma 0.1",
            "--bound landmark, whose radius is another for each row, needs the rows in memory\n  \
             = help: use projection, or leave --stream always out",
        ),
        (
            "--features nystrom --dim 20 --bound paper --gamma 0.1",
            "--bound paper, whose radius is another for each row, needs the rows in memory",
        ),
        ("--features nystrom", "128 landmarks, and there are"),
        ("--epochs 0", "--epochs must be at least 1"),
        ("--tolerance 1", "--tolerance must be between 0 and 1"),
        (
            "--validation 0 --lambda 1,2",
            "--validation 0 leaves no rows to compare",
        ),
        (
            "--solver interior-point --epochs 3",
            "--epochs has no meaning for --solver interior-point",
        ),
        (
            "--memory 5",
            "expected a number and a unit, for example 512MiB",
        ),
    ] {
        let train = format!("train blobs.csv --label label --stream always --out m.json {options}");
        let ended = workspace.program(&split(&train));
        assert_eq!(ended.code, 2, "{options}: {}", ended.told());
        assert!(ended.stderr.contains(told), "{options}: {}", ended.stderr);
        assert!(!workspace.path("m.json").exists() && !workspace.path("m.json.scratch").exists());
    }
    // Before the file is looked at.
    let train = "train gone.csv --label label --stream always --out m.json --features nystrom --bound landmark --gamma 0.1";
    let ended = workspace.program(&split(train));
    assert!(
        ended.code == 2 && ended.stderr.contains("--bound landmark"),
        "{}",
        ended.told()
    );
    let train = "train blobs.csv --label label --out m.json --epochs 3";
    let ended = workspace.program(&split(train));
    assert!(
        ended
            .stderr
            .contains("--epochs has no meaning for rows that are held in memory")
    );
    let train = "train blobs.csv --label label --out m.json --solver stochastic";
    let ended = workspace.program(&split(train));
    assert!(
        ended
            .stderr
            .contains("--solver stochastic is for rows that are streamed")
    );
    // 61 lines, the header one of them, of 4 columns and 16 features of one bandwidth are 9760 bytes.
    let train = "train blobs.csv --label label --dim 16 --sigma 1 --lambda 1 --out m.json --memory";
    for (memory, solver) in [("9760B", "interior-point"), ("9759B", "stochastic")] {
        well(&workspace, &format!("{train} {memory}"));
        assert_eq!(model(&workspace, "m.json")["training"]["solver"], solver);
    }
}

/// Kills the training as soon as there is `file`.
fn kill_at(training: Child, file: &Path) {
    kill_when(training, || file.exists());
}

/// Kills the training as soon as something is so.
fn kill_when(mut training: Child, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert_eq!(training.try_wait().unwrap(), None, "it ended before");
        assert!(
            start.elapsed() < Duration::from_mins(2),
            "it never comes to that"
        );
        sleep(Duration::from_micros(500));
    }
    training.kill().unwrap();
    training.wait().unwrap();
}

#[test]
fn a_training_that_was_killed_goes_on() {
    let workspace = Workspace::new();
    workspace.write("rings.csv", &rings(40_000));
    let train = "train rings.csv --label label --features rff --dim 64 --gamma 0.1 --bound geodesic \
                 --lambda 5,50 --stream always --epochs 30 --tolerance 1e-9 --checkpoint-every 1";
    well(&workspace, &format!("{train} --out whole.json"));
    let whole = fs::read(workspace.path("whole.json")).unwrap();
    let again = format!("{train} --out m.json --scratch scratch");
    let scratch = workspace.path("scratch/m.json.scratch");
    // In the copy, at the first checkpoint, and when the first of two candidates is done.
    for file in ["training", "checkpoint", "candidate-0.json"] {
        kill_at(workspace.start(&split(&again)), &scratch.join(file));
        assert!(!workspace.path("m.json").exists());
        for (then, now, told) in [
            ("--lambda 5,50", "--lambda 5", "other options"),
            ("--gamma 0.1", "--gamma 0.2", "--gamma 0.1 (now 0.2)"),
            ("--gamma", "--seed 7 --gamma", "--seed 0 (now 7)"),
        ] {
            let refused = workspace.program(&split(&again.replace(then, now)));
            assert_eq!(refused.code, 2, "{}", refused.told());
            let told = format!("of a training that was not ended, with {told}\n");
            assert!(refused.stderr.contains(&told), "{}", refused.told());
        }
    }
    assert!(scratch.join("survey.json").exists());
    // A damaged checkpoint is told, and none.
    let checkpoint = scratch.join("checkpoint");
    let of_the_first = fs::read(&checkpoint).unwrap();
    kill_when(workspace.start(&split(&again)), || {
        fs::read(&checkpoint).unwrap() != of_the_first
    });
    fs::write(&checkpoint, "not whole").unwrap();
    let ended = workspace.program(&split(&again));
    assert_eq!(ended.code, 0, "{}", ended.told());
    let told = "checkpoint is damaged: steps begin anew, on the copy of the rows that is there\n";
    assert!(ended.stderr.contains(told), "{}", ended.told());
    assert!(fs::read(workspace.path("m.json")).unwrap() == whole);
    assert!(!scratch.exists());
}

/// The iterations of a checkpoint, behind its digest and the number of its candidate.
fn iterations(checkpoint: &[u8]) -> usize {
    let state = InteriorPointState::from_bytes(&checkpoint[40..]);
    state.unwrap().iterations()
}

/// Killed after one checkpoint and another: each run begins where the last one was.
#[test]
fn an_interior_point_that_was_killed_goes_on_from_its_last_iteration() {
    let workspace = Workspace::new();
    workspace.write("rings.csv", &rings(40_000));
    let train = "train rings.csv --label label --features rff --dim 64 --gamma 0.1 --bound geodesic \
                 --lambda 5,50 --stream always --solver interior-point --checkpoint-every 1";
    well(&workspace, &format!("{train} --out whole.json"));
    let whole = fs::read(workspace.path("whole.json")).unwrap();
    let again = format!("{train} --out m.json --scratch scratch");
    let scratch = workspace.path("scratch/m.json.scratch");
    let checkpoint = scratch.join("checkpoint");
    kill_at(workspace.start(&split(&again)), &checkpoint);
    for _ in 0..3 {
        let before = fs::read(&checkpoint).unwrap();
        kill_when(workspace.start(&split(&again)), || {
            fs::read(&checkpoint).unwrap() != before
        });
        assert!(!scratch.join("candidate-0.json").exists(), "too few rows");
        let now = iterations(&fs::read(&checkpoint).unwrap());
        assert!(now > iterations(&before), "{now} iterations");
    }
    // A damaged one is none.
    let mut damaged = fs::read(&checkpoint).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&checkpoint, &damaged).unwrap();
    kill_when(workspace.start(&split(&again)), || {
        fs::read(&checkpoint).unwrap() != damaged
    });
    let anew = iterations(&fs::read(&checkpoint).unwrap());
    assert!(anew < iterations(&damaged), "{anew} iterations");
    kill_at(
        workspace.start(&split(&again)),
        &scratch.join("candidate-0.json"),
    );
    well(&workspace, &again);
    assert!(fs::read(workspace.path("m.json")).unwrap() == whole);
    assert!(!scratch.exists());
}
