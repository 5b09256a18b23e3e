//! What `train`, `predict` and `certify` refuse, and that nothing is written then.

use crate::support::{Workspace, blobs, rings};
use insta::assert_snapshot;

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("blobs.csv", &blobs(60));
    workspace.write("blobs.data", &blobs(60));
    workspace.write("kinds.csv", "a,kind\n1,bus\n2,car\n3,van\n");
    workspace.write("one.csv", "a,kind\n1,bus\n2,bus\n");
    workspace.write("text.csv", "a,id,y\n1,x1,0\n2,x2,1\n");
    workspace.write("gap.csv", "a,b,c,label\n1,,3,0\n2,1,1,1\n");
    workspace.write("two.csv", "a,b,c,label\n1,2,3,2\n2,1,1,1\n");
    workspace.write("narrow.csv", "a,b,label\n1,2,0\n2,1,1\n");
    workspace.write("equal.csv", "a,y\n1,0\n1,1\n1,0\n1,1\n");
    workspace.write("empty.csv", "a,y\n1,0\n2,1\n3,\n");
    workspace.write("t.svm", "1 1:2\n-1 1:x\n");
    workspace
}

/// Twelve rows of a number `a`, a class `y` and a column of each type of [`OTHER_TYPES`], as `pyarrow.parquet.write_table` wrote them.
const TYPES: &[u8] = include_bytes!("../data/types.parquet");

/// Columns that are not read, with their types.
const OTHER_TYPES: [(&str, &str); 8] = [
    ("day", "Date32"),
    ("at", "Timestamp"),
    ("clock", "Time64"),
    ("took", "Duration"),
    ("price", "Decimal"),
    ("both", "Struct"),
    ("embedding", "FixedSizeList"),
    ("days", "LargeList"),
];

/// One row more than the exact kernel is held of.
#[test]
fn a_kernel_matrix_beyond_memory_is_refused() {
    let workspace = Workspace::new();
    workspace.write("rings.csv", &rings(31_623));
    let train = "train rings.csv --label label --features exact-kernel --lambda 1 --sigma 1 --validation 0 --out m.json";
    assert_snapshot!(told(&workspace, 2, train), @r"
    error: the exact kernel of 31623 training rows is a matrix of 7.5 GiB: at most 31622 rows have one
      = help: use --features nystrom or --features rff, which come near it
    ");
    assert!(!workspace.path("m.json").exists());
}

/// They are named, and need not be readable for the others to be read.
#[test]
fn columns_of_other_types_are_refused_by_name_and_can_be_left_out() {
    let workspace = workspace();
    std::fs::write(workspace.path("types.parquet"), TYPES).unwrap();
    let all = OTHER_TYPES.map(|(column, _)| column);
    for stream in ["never", "always"] {
        let train = format!(
            "train types.parquet --features identity --lambda 1 --validation 0 --stream {stream} --out m.json"
        );
        for (column, found) in OTHER_TYPES {
            let others: Vec<_> = all.into_iter().filter(|other| *other != column).collect();
            let ignored = others.join(" --ignore ");
            let help =
                "  = help: code the column as numbers (categories: one column of 0 and 1 each)";
            let expected = format!(
                "error: types.parquet, column `{column}`: expected numbers, found values of type {found}\n{help}"
            );
            let said = told(
                &workspace,
                2,
                &format!("{train} --label y --ignore {ignored}"),
            );
            assert_eq!(
                said,
                format!("{expected}, or leave it out with --ignore {column}\n")
            );
            let said = told(
                &workspace,
                2,
                &format!("{train} --label {column} --ignore {ignored}"),
            );
            assert_eq!(said, format!("{expected}\n"));
        }
        assert!(!workspace.path("m.json").exists());
        let ignored = all.join(" --ignore ");
        told(
            &workspace,
            0,
            &format!("{train} --label y --ignore {ignored} --quiet"),
        );
        std::fs::remove_file(workspace.path("m.json")).unwrap();
    }
}

/// What is said on these arguments, which must end with `code`.
fn told(workspace: &Workspace, code: i32, arguments: &str) -> String {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let ended = workspace.program(&arguments);
    assert_eq!(ended.code, code, "{}", ended.told());
    assert_eq!(ended.stdout, "");
    ended.stderr
}

#[test]
fn data_that_cannot_be_trained_on() {
    let workspace = workspace();
    let train = |arguments: &str| told(&workspace, 2, &format!("train {arguments} --out m.json"));
    assert_snapshot!(train("kinds.csv --label kind"), @r"
    error: kinds.csv, column `kind`: 3 classes, and a model tells two apart
      = help: name the positive one, for example --positive bus; the others are negative
      = classes: bus, car, van
    ");
    assert_snapshot!(train("kinds.csv --label kind --positive bsu"), @r"
    error: dataset `kinds.csv` has no class `bsu`, named as positive
      = help: did you mean `bus`?
    ");
    assert_snapshot!(train("one.csv --label kind"), @"error: one.csv, column `kind`: every label is `bus`: a model tells two classes apart");
    assert_snapshot!(train("text.csv --label y"), @r"
    error: text.csv, line 2, column `id`: expected a number, found `x1`
      = help: write numbers as 1.5, leave the cell empty if the value is missing, or leave the column out with --ignore id
    ");
    assert_snapshot!(train("blobs.csv --label lable"), @r"
    error: blobs.csv: there is no column `lable`, which --label names
      = help: did you mean `label`?
    ");
    assert_snapshot!(train("blobs.csv --label label --ignore d"), @r"
    error: blobs.csv: there is no column `d`, which --ignore names
      = help: columns: a, b, c, label
    ");
    assert_snapshot!(train("blobs.csv"), @r"
    error: --label is missing: which column holds the classes?
      = help: for example --label class
    ");
    assert_snapshot!(train("blobs.data --label label"), @r"
    error: blobs.data: the file's name does not say its format
      = help: csv, parquet, svm, libsvm and svmlight are known; say it with --data-format, for example --data-format csv
    ");
    assert_snapshot!(train("gap.csv --label label"), @r"
    error: gap.csv, line 2, column `b`: the value is missing (missing values of the task: 1)
      = help: --missing drop leaves such rows out, --missing median puts in the training median
    ");
    assert_snapshot!(train("equal.csv --label y --features identity --validation 0 --lambda 1"), @"error: every feature is constant on the training rows: there is nothing to learn from");
    assert_snapshot!(train("kinds.csv --label kind --positive bus"), @"error: the rows cannot be split: the validation part has rows of one class only (0 rows): use more rows, another split or another task");
    assert_snapshot!(train("empty.csv --label y"), @"error: empty.csv, line 4, column `y`: an empty cell is not a class: expected one of 0, 1");
    assert_snapshot!(train("t.svm"), @"error: t.svm, line 2, column 6: expected a finite number, found `x`");
    assert_snapshot!(train("t.svm --label y"), @r"
    error: --label has no meaning for a LIBSVM file
      = help: its labels come first on each line: leave --label out
    ");
    assert!(!workspace.path("m.json").exists());
    assert_snapshot!(told(&workspace, 74, "train gone.csv --label y --out m.json"), @"error: gone.csv: cannot be read: No such file or directory (os error 2)");
}

#[test]
fn options_of_random_features_that_do_not_fit_together() {
    let workspace = workspace();
    let train = |arguments: &str| {
        told(
            &workspace,
            2,
            &format!("train blobs.csv --label label --out m.json {arguments}"),
        )
    };
    assert_snapshot!(train("--frequencies structured --features nystrom"), @r"
    error: --frequencies has no meaning for this map
      = help: it is for --features rff
    ");
    assert_snapshot!(train("--form phased --features nystrom"), @r"
    error: --form has no meaning for this map
      = help: it is for --features rff
    ");
    assert_snapshot!(train("--form phased --frequencies structured"), @r"
    error: structured frequencies are for --form paired
      = help: use --form paired, or --frequencies orthogonal
    ");
    assert_snapshot!(train("--form phased --bound paper --gamma 1"), @r#"
    error: bound `paper` is not for phased random Fourier features
      = help: it is for random Fourier features in the paired form: use "geodesic", "arcs" or "best" for phased ones
    "#);
}

#[test]
fn options_that_do_not_fit_together() {
    let workspace = workspace();
    let train = |arguments: &str| {
        told(
            &workspace,
            2,
            &format!("train blobs.csv --label label --out m.json {arguments}"),
        )
    };
    assert_snapshot!(train("--bound geodesci --gamma 0.1"), @r"
    error: unknown bound `geodesci`
      = help: did you mean `geodesic`?
    ");
    assert_snapshot!(train("--bound projection --gamma 0.1"), @r"
    error: bound `projection` does not hold for this feature map
      = help: bounds of this map: paper, arcs, geodesic, best, local, total-budget
    ");
    assert_snapshot!(train("--bound geodesic"), @r"
    error: bound `geodesic` needs --gamma, the size of the uncertainty
      = help: for example --gamma 0.3
    ");
    assert_snapshot!(train("--features exact-kernel --bound best --gamma 1"), @r"
    error: bound `best` does not hold for this feature map
      = help: the exact kernel is trained without uncertainty here: leave --bound out
    ");
    assert_snapshot!(train("--features nystrom --bound paper --gamma 1 --norm infinity"), @r#"
    error: bound `paper` does not hold for these uncertainty sets
      = help: Prop. 4.2 is for sets with norm p = 2: use "projection" or "landmark"
    "#);
    for euclidean in [
        "--features rff --bound local",
        "--features identity --bound exact",
    ] {
        let told = train(&format!("{euclidean} --gamma 1 --norm infinity"));
        assert!(
            told.contains("of these features needs --norm 2 here"),
            "{told}"
        );
        assert!(
            told.contains("by experiments with solver = \"bundle\""),
            "{told}"
        );
    }
    assert_snapshot!(train("--bound arcs-1 --gamma 1"), @r#"
    error: bound `arcs-1` is in a norm that the solver does not take
      = help: solver `interior-point` solves p̄ = 2: paper, arcs, geodesic, best; an experiment with solver = "bundle" solves every norm
    "#);
    assert_snapshot!(train("--gamma -1"), @r"
    error: --gamma must be 0 or more, found -1
      = help: γ is in units of the scaled features
    ");
    assert_snapshot!(train("--lambda 0"), @r"
    error: --lambda must be positive, found 0
      = help: for example --lambda 1 or --lambda 0.1,1,10
    ");
    assert_snapshot!(train("--dim 7"), @r"
    error: --dim must be even, found 7
      = help: random Fourier features come in pairs of a cosine and a sine; --form phased has any number
    ");
    assert_snapshot!(train("--dim 8 --features identity"), @r"
    error: --dim has no meaning for this map
      = help: it is for --features rff and --features nystrom
    ");
    assert_snapshot!(train("--dim 50 --features nystrom"), @r"
    error: 50 landmarks, and there are 46 training rows
      = help: landmarks are training rows: use --dim 46 or less
    ");
    for features in ["nystrom --bound projection", "identity --bound exact"] {
        let said = train(&format!("--form phased --gamma 0.1 --features {features}"));
        assert!(
            said.starts_with("error: --form has no meaning for this map\n"),
            "{said}"
        );
    }
    assert_snapshot!(train("--sigma 1 --features identity"), @r"
    error: --sigma has no meaning for linear models
      = help: leave --sigma out, or choose other --features
    ");
    assert_snapshot!(train("--validation 1"), @r"
    error: --validation must be at least 0 and below 1, found 1
      = help: it is a share of the rows, for example 0.25
    ");
    assert_snapshot!(train("--validation 0"), @r"
    error: --validation 0 leaves no rows to compare candidates on
      = help: give one --lambda and, unless the model is linear, one --sigma
    ");
    assert_snapshot!(train("--features rrf"), @r"
    error: invalid value 'rrf' for '--features <MAP>'
      [possible values: identity, rff, nystrom, exact-kernel]

      tip: a similar value exists: 'rff'

    For more information, try '--help'.
    ");
    assert!(!workspace.path("m.json").exists());
}

#[test]
fn data_that_does_not_fit_a_model() {
    let workspace = workspace();
    let train = "train blobs.csv --label label --features identity --out m.json --quiet";
    assert_eq!(told(&workspace, 0, train), "");
    let using = |arguments: &str| {
        let said = told(&workspace, 2, &format!("predict {arguments} --out p.csv"));
        assert_eq!(
            told(&workspace, 2, &format!("certify {arguments} --out p.csv")),
            said
        );
        said
    };
    assert_snapshot!(using("m.json narrow.csv"), @r"
    error: narrow.csv: there is no column `c`, which the model was trained on
      = help: columns: a, b, label
    ");
    assert_snapshot!(using("m.json two.csv"), @r"
    error: two.csv, line 2, column `label`: `2` is not a class: expected one of 0, 1
      = help: --no-labels leaves labels unread
    ");
    assert_snapshot!(using("m.json gap.csv"), @r"
    error: gap.csv, line 2, column `b`: the value is missing (missing values of the task: 1)
      = help: the model was trained to refuse missing values: train it with --missing median, which puts in the training median, or --missing drop, which leaves such rows out
    ");
    assert_snapshot!(using("m.json t.svm"), @"error: t.svm, line 2, column 6: expected a finite number, found `x`");
    assert_snapshot!(using("blobs.csv blobs.csv"), @r"
    error: blobs.csv is not a model file: expected value at line 1 column 1
      = help: `robust-svm train` writes model files
    ");
    assert_snapshot!(told(&workspace, 2, "certify m.json blobs.csv --gamma 0.1 -2"), @r"
    error: --gamma must be 0 or more, found -2
      = help: γ is in units of the scaled features
    ");
    assert!(!workspace.path("p.csv").exists());
    assert_snapshot!(told(&workspace, 74, "predict gone.json blobs.csv"), @"error: cannot read gone.json: No such file or directory (os error 2)");
    // The folder of the output is a file.
    assert_eq!(
        workspace
            .program(&["predict", "m.json", "blobs.csv", "--out", "m.json/p.csv"])
            .code,
        74
    );
}

/// What `--out` would destroy, by whatever name, is refused before a file is read: the inputs here have no rows.
#[test]
fn an_output_that_is_an_input_is_refused() {
    let workspace = Workspace::new();
    workspace.write("data/d.csv", "");
    workspace.write("data/m.json", "");
    let files = workspace.files("data");
    #[cfg(unix)]
    {
        let (data, model) = (workspace.path("data/d.csv"), workspace.path("data/m.json"));
        std::os::unix::fs::symlink("data/d.csv", workspace.path("soft.csv")).unwrap();
        std::fs::hard_link(data, workspace.path("hard.csv")).unwrap();
        std::os::unix::fs::symlink(model, workspace.path("soft.json")).unwrap();
    }
    let commands = [
        "train data/d.csv --label y",
        "predict data/m.json data/d.csv",
        "certify data/m.json data/d.csv",
    ];
    let of_data = ["data/../data/d.csv", "soft.csv", "hard.csv"];
    for command in commands {
        let said = told(&workspace, 2, &format!("{command} --out data/d.csv"));
        assert_eq!(
            said,
            "error: --out data/d.csv is the data file, which it would replace\n  \
             = help: name another file\n"
        );
        for out in &of_data[..if cfg!(unix) { 3 } else { 1 }] {
            let said = told(&workspace, 2, &format!("{command} --out {out}"));
            let expected = format!("--out {out} is the data file data/d.csv, which");
            assert!(said.contains(&expected), "{said}");
        }
        let said = told(&workspace, 2, &format!("{command} --out data"));
        assert_eq!(
            said,
            "error: --out data is a folder\n  = help: name the file to write in it\n"
        );
        let said = told(&workspace, 2, &format!("{command} --out absent/"));
        assert!(said.contains("--out absent/ is a folder"), "{said}");
        let said = told(&workspace, 74, &format!("{command} --out data/d.csv/a/b"));
        assert!(said.contains("data/d.csv is no folder"), "{said}");
    }
    for command in &commands[1..] {
        let said = told(&workspace, 2, &format!("{command} --out data/m.json"));
        assert!(
            said.contains("--out data/m.json is the model file,"),
            "{said}"
        );
        if cfg!(unix) {
            let said = told(&workspace, 2, &format!("{command} --out soft.json"));
            assert!(said.contains("is the model file data/m.json,"), "{said}");
        }
        let said = told(&workspace, 2, &format!("{command} --out data/new.parquet"));
        assert_eq!(
            said,
            "error: --out data/new.parquet: the table is written as CSV\n  = help: name it data/new.csv\n"
        );
    }
    assert_eq!(workspace.files("data"), files);
}

/// A folder that is not there is made, by every command that takes `--out`.
#[test]
fn the_folder_of_an_output_is_made() {
    let workspace = workspace();
    let train = "train blobs.csv --label label --features identity --quiet --out a/b/m.json";
    assert_eq!(told(&workspace, 0, train), "");
    let used = workspace.program(&["predict", "a/b/m.json", "blobs.csv", "--out", "c/d/p.csv"]);
    assert_eq!(used.code, 0, "{}", used.told());
    assert!(workspace.path("c/d/p.csv").is_file());
}

/// The header is looked at before the rows: what is wrong further down is not come to.
#[test]
fn columns_are_checked_before_the_rows_are_read() {
    let workspace = workspace();
    workspace.write("faulty.csv", "a,b,label\n1,2,0\n1,x,1\n1\n");
    for stream in ["always", "never"] {
        let train = format!("train faulty.csv --out m.json --stream {stream}");
        let of = |options: &str| told(&workspace, 2, &format!("{train} {options}"));
        assert_eq!(
            of("--label lable"),
            "error: faulty.csv: there is no column `lable`, which --label names\n  \
             = help: did you mean `label`?\n"
        );
        assert!(of("--label label --ignore d").contains("no column `d`, which --ignore names"));
        assert_eq!(
            of("--label label --ignore a --ignore b"),
            "error: faulty.csv: there are no feature columns beside `label`\n"
        );
        assert_eq!(
            of("--label label --ignore label"),
            "error: --ignore label is the column that --label names\n  \
             = help: leave it out: the labels are no feature anyway\n"
        );
    }
    let train = "train blobs.csv --label label --features identity --out m.json --quiet";
    assert_eq!(told(&workspace, 0, train), "");
    for command in ["predict", "certify"] {
        let said = told(&workspace, 2, &format!("{command} m.json faulty.csv"));
        assert!(said.contains("no column `c`, which the model"), "{said}");
    }
}
