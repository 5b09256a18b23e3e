//! What a user is told about faulty manifests, files and tasks.

use insta::assert_snapshot;
use polars::df;
use polars::prelude::{DataFrame, ParquetWriter};
use robust_svm_harness::data::{DataError, DataFolders, MissingPolicy, TaskSpec, load_task};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A folder with the dataset `mine`, which is faulty in some way.
struct Fixture(TempDir);

const MANIFEST: &str = r#"name = "mine"
file = "mine.csv"
format = "csv"
label_column = "label"
class_names = ["benign", "malignant"]
"#;

impl Fixture {
    fn new(manifest: &str, file: impl AsRef<[u8]>) -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("mine.toml"), manifest).unwrap();
        fs::write(folder.path().join("mine.csv"), file).unwrap();
        Self(folder)
    }

    fn parquet(mut frame: DataFrame) -> Self {
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes).finish(&mut frame).unwrap();
        Self::new(&MANIFEST.replace(r#""csv""#, r#""parquet""#), bytes)
    }

    fn folder(&self) -> &Path {
        self.0.path()
    }

    fn load(&self, name: &str, spec: &TaskSpec) -> DataError {
        let folders = DataFolders::new([self.folder().to_owned(), "no-such-folder".into()]);
        load_task(name, &folders, spec).expect_err("something is wrong")
    }

    /// What the user is told on loading the dataset `name` as `spec`.
    fn told(&self, name: &str, spec: &TaskSpec) -> String {
        let error = self.load(name, spec);
        assert!(!error.is_io(), "{error}");
        let message = error.to_string();
        message.replace(self.folder().to_str().unwrap(), "[data]")
    }
}

fn task(positive: &[&str], negative: &[&str]) -> TaskSpec {
    let given = |classes: &[&str]| {
        let classes: Vec<String> = classes.iter().map(|&c| c.to_owned()).collect();
        (!classes.is_empty()).then_some(classes)
    };
    TaskSpec {
        positive: given(positive),
        negative: given(negative),
        missing: MissingPolicy::Error,
    }
}

/// What the user is told about this content of `mine.csv`.
fn csv(file: impl AsRef<[u8]>) -> String {
    Fixture::new(MANIFEST, file).told("mine", &task(&[], &[]))
}

/// What the user is told about a Parquet file with this table.
fn parquet(frame: DataFrame) -> String {
    Fixture::parquet(frame).told("mine", &task(&[], &[]))
}

/// What the user is told about `MANIFEST` with `old` replaced.
fn manifest(old: &str, new: &str) -> String {
    let text = MANIFEST.replace(old, new);
    assert_ne!(text, MANIFEST);
    Fixture::new(&text, "a,b,label\n1,2,0\n2,3,1\n").told("mine", &task(&[], &[]))
}

#[test]
fn cells_that_are_not_numbers() {
    assert_snapshot!(csv("a,b,label\n1,2,0\n1,two,1\n"), @r"
    [data]/mine.csv, line 3, column `b`: expected a number, found `two`
      = help: write numbers as 1.5, leave the cell empty if the value is missing, or name the column in ignore_columns of the manifest
    ");
    assert_snapshot!(csv("a,b,label\n1,NaN,0\n"), @r"
    [data]/mine.csv, line 2, column `b`: `NaN` is not a value
      = help: leave the cell empty if the value is missing
    ");
    assert_snapshot!(csv("a,b,label\nnan,2,0\n"), @r"
    [data]/mine.csv, line 2, column `a`: `nan` is not a value
      = help: leave the cell empty if the value is missing
    ");
    assert_snapshot!(csv("a,b,label\n1,2,0\n1,-inf,1\n"), @r"
    [data]/mine.csv, line 3, column `b`: `-inf` is not a value
      = help: leave the cell empty if the value is missing
    ");
    assert_snapshot!(csv("a,b,label\n1,Infinity,0\n"), @r"
    [data]/mine.csv, line 2, column `b`: `Infinity` is not a value
      = help: leave the cell empty if the value is missing
    ");
    assert_snapshot!(csv("a,b,label\n1,1e999,0\n"), @"[data]/mine.csv, line 2, column `b`: `1e999` is too large for a 64-bit number");
    assert_snapshot!(csv("a,b,label\n1,-2e150,0\n"), @r"
    [data]/mine.csv, line 2, column `b`: `-2e150` is too large: values are at most 1e150 in magnitude, so that their squares can be summed
      = help: give the column in another unit, or leave the row out
    ");
}

#[test]
fn lines_of_the_wrong_shape() {
    assert_snapshot!(csv("a,b,label\n1,2,0\n1,2\n1,2,1\n"), @"[data]/mine.csv, line 3: expected 3 cells, as in the header, found 2 cells");
    assert_snapshot!(csv("a,b,label\n1,2,0\n1,2,1,7\n"), @"[data]/mine.csv, line 3: expected 3 cells, as in the header, found 4 cells");
    assert_snapshot!(csv("a,b,label\n1;2;0\n"), @"[data]/mine.csv, line 2: expected 3 cells, as in the header, found 1 cell (cells are separated by commas)");
    assert_snapshot!(csv("a,b,label\n1,2,0\n\n1,2,1\n"), @"[data]/mine.csv, line 3: the line is blank: remove it");
    assert_snapshot!(csv("a,b,label\n1,\"2,0\n3\",1\n"), @"[data]/mine.csv, line 2: a quoted cell is not closed on its line");
    assert_snapshot!(csv("a,b,label\n1,\"2\"0,1\n"), @"[data]/mine.csv, line 2: text after the closing quotation mark of a cell");
    assert_snapshot!(csv(b"a,b,label\n1,2,0\n1,\xff,1\n"), @"[data]/mine.csv, line 3: not UTF-8 text: save the file as UTF-8");
}

#[test]
fn headers() {
    assert_snapshot!(csv("a,b,a,label\n1,2,3,0\n"), @"[data]/mine.csv, line 1: columns 1 and 3 are both named `a`");
    assert_snapshot!(csv(",a,label\n0,2,0\n"), @r"
    [data]/mine.csv, line 1: column 1 has no name
      = help: name it, or write the file without row numbers
    ");
    assert_snapshot!(csv("a,b,lable\n1,2,0\n"), @r"
    [data]/mine.csv: there is no column `label`, which the manifest names as label_column
      = help: did you mean `lable`?
    ");
    assert_snapshot!(csv("a,b,outcome\n1,2,0\n"), @r"
    [data]/mine.csv: there is no column `label`, which the manifest names as label_column
      = help: columns: a, b, outcome
    ");
    assert_snapshot!(csv("label\n0\n"), @"[data]/mine.csv: there are no feature columns beside `label`");
}

#[test]
fn files_without_rows() {
    assert_snapshot!(csv(""), @"[data]/mine.csv: the file is empty: expected a header and rows");
    assert_snapshot!(csv("\n\n"), @"[data]/mine.csv: the file is empty: expected a header and rows");
    assert_snapshot!(csv("a,b,label\n"), @"[data]/mine.csv: there are no rows below the header");
}

#[test]
fn labels() {
    assert_snapshot!(csv("a,b,label\n1,2,0\n1,2,2\n"), @"[data]/mine.csv, line 3, column `label`: `2` is not a class: expected one of 0 (benign), 1 (malignant)");
    assert_snapshot!(csv("a,b,label\n1,2,0\n1,2,0.5\n"), @"[data]/mine.csv, line 3, column `label`: `0.5` is not a class: expected one of 0 (benign), 1 (malignant)");
    assert_snapshot!(csv("a,b,label\n1,2,malignant\n"), @"[data]/mine.csv, line 2, column `label`: `malignant` is not a class: expected one of 0 (benign), 1 (malignant)");
    assert_snapshot!(csv("a,b,label\n1,2,-1\n"), @"[data]/mine.csv, line 2, column `label`: `-1` is not a class: expected one of 0 (benign), 1 (malignant)");
    assert_snapshot!(csv("a,b,label\n1,2,\n"), @"[data]/mine.csv, line 2, column `label`: an empty cell is not a class: expected one of 0 (benign), 1 (malignant)");
}

#[test]
fn parquet_files() {
    let texts = df!("a" => [1.0, 2.0], "b" => ["x", "y"], "label" => [0, 1]);
    assert_snapshot!(parquet(texts.unwrap()), @r#"
    [data]/mine.csv, column `b`: expected numbers, found values of type str
      = help: code the column as numbers (categories: one column of 0 and 1 each), or leave it out with ignore_columns = ["b"] in the manifest
    "#);
    let not_finite = df!("a" => [1.0, f64::NAN], "label" => [0, 1]);
    assert_snapshot!(parquet(not_finite.unwrap()), @r"
    [data]/mine.csv, row 2, column `a`: `NaN` is not a value
      = help: write null if the value is missing
    ");
    let large = df!("a" => [Some(1e200), None], "label" => [0, 1]);
    assert_snapshot!(parquet(large.unwrap()), @r"
    [data]/mine.csv, row 1, column `a`: `1e200` is too large: values are at most 1e150 in magnitude, so that their squares can be summed
      = help: give the column in another unit, or leave the row out
    ");
    let infinite = df!("a" => [f64::INFINITY, 1.0], "label" => [0, 1]);
    assert_snapshot!(parquet(infinite.unwrap()), @r"
    [data]/mine.csv, row 1, column `a`: `inf` is not a value
      = help: write null if the value is missing
    ");
    let other_class = df!("a" => [1, 2], "label" => [0, 7]);
    assert_snapshot!(parquet(other_class.unwrap()), @"[data]/mine.csv, row 2, column `label`: `7` is not a class: expected one of 0 (benign), 1 (malignant)");
    let no_label = df!("a" => [1, 2], "label" => [Some(0), None]);
    assert_snapshot!(parquet(no_label.unwrap()), @"[data]/mine.csv, row 2, column `label`: an empty cell is not a class: expected one of 0 (benign), 1 (malignant)");
    let missing_column = df!("a" => [1, 2], "Label" => [0, 1]);
    assert_snapshot!(parquet(missing_column.unwrap()), @r"
    [data]/mine.csv: there is no column `label`, which the manifest names as label_column
      = help: did you mean `Label`?
    ");
    let no_rows = df!("a" => [0.0; 0], "label" => [0; 0]);
    assert_snapshot!(parquet(no_rows.unwrap()), @"[data]/mine.csv: there are no rows below the header");
    let format = MANIFEST.replace(r#""csv""#, r#""parquet""#);
    let told = |bytes: &str| Fixture::new(&format, bytes).told("mine", &task(&[], &[]));
    assert_snapshot!(told("a,b,label\n1,2,0\n"), @"[data]/mine.csv: not a readable Parquet file: parquet: File out of specification: The file must end with PAR1");
    assert_snapshot!(told(""), @"[data]/mine.csv: the file is empty: expected a header and rows");
}

#[test]
fn files_that_are_not_what_the_manifest_declares() {
    let with = |line: &str| manifest("format", &format!("{line}\nformat"));
    assert_snapshot!(with("rows = 3"), @r"
    [data]/mine.csv: the manifest declares 3 rows, the file has 2
      = help: correct `rows` in the manifest, or leave the key out
    ");
    assert_snapshot!(with("features = 3"), @r"
    [data]/mine.csv: the manifest declares 3 features, the file has 2
      = help: correct `features` in the manifest, or leave the key out
    ");
    assert_snapshot!(with("sha256 = \"00ff\""), @r"
    [data]/mine.csv: not the file that `[data]/mine.toml` declares
      = expected sha256 00ff
      = found sha256    1d10880263ba60a989db19817f013d5c1dc2abed857cb594c974d9453e2d44c1
      = help: get the file again; if the change is meant, write the digest found into the manifest
    ");
    assert_snapshot!(with("ignore_columns = [\"c\"]"), @r"
    [data]/mine.csv: there is no column `c`, which the manifest names as one of ignore_columns
      = help: columns: a, b, label
    ");
}

#[test]
fn manifests_with_faulty_keys_names_or_files() {
    assert_snapshot!(manifest("label_column", "lable_column"), @r#"
    unknown key `lable_column`
     --> [data]/mine.toml:4:1
      |
    4 | lable_column = "label"
      | ^^^^^^^^^^^^
      |
      = help: did you mean `label_column`?
    "#);
    assert_snapshot!(manifest("format", "colour = 3\nformat"), @r"
    unknown key `colour`
     --> [data]/mine.toml:3:1
      |
    3 | colour = 3
      | ^^^^^^
      |
      = help: known keys: `name`, `title`, `file`, `format`, `label_column`, `label_values`, `class_names`, `classes`, `ignore_columns`, `first_index`, `rows`, `features`, `sha256`, `bytes`, `task`, `kind`, `class_counts`, `missing_values`, `duplicate_rows`, `constant_features`, `categorical_features`, `split`, `citation`, `doi`, `source`, `licence`, `package`, `package_path`, `package_licence`, `notes`, `download`
    ");
    assert_snapshot!(manifest("format = \"csv\"", "format = \"csw\""), @r#"
    unknown value `csw`
     --> [data]/mine.toml:3:10
      |
    3 | format = "csw"
      |          ^^^^^
      |
      = help: did you mean `csv`?
    "#);
    assert_snapshot!(manifest("format = \"csv\"", "format = \"arff\""), @r#"
    unknown value `arff`
     --> [data]/mine.toml:3:10
      |
    3 | format = "arff"
      |          ^^^^^^
      |
      = help: known values: `csv`, `parquet`, `parquet-zstd`, `libsvm`, `svmlight`
    "#);
    assert_snapshot!(manifest("label_column = \"label\"\n", ""), @r#"
    missing key `label_column`
     --> [data]/mine.toml:1:1
      |
    1 | name = "mine"
      | ^
    "#);
    assert_snapshot!(manifest("\"mine\"", "\"yours\""), @r#"
    the name of a dataset is its manifest's: `mine`
     --> [data]/mine.toml:1:8
      |
    1 | name = "yours"
      |        ^^^^^^^
    "#);
    assert_snapshot!(manifest("mine.csv", "../mine.csv"), @r#"
    the data file must be inside a data folder
     --> [data]/mine.toml:2:8
      |
    2 | file = "../mine.csv"
      |        ^^^^^^^^^^^^^
      |
      = help: write its name, and name the folder it is in in the environment variable ROBUST_SVM_DATA
    "#);
    assert_snapshot!(manifest("mine.csv", "/mine.csv"), @r#"
    the data file must be inside a data folder
     --> [data]/mine.toml:2:8
      |
    2 | file = "/mine.csv"
      |        ^^^^^^^^^^^
      |
      = help: write its name, and name the folder it is in in the environment variable ROBUST_SVM_DATA
    "#);
}

#[test]
fn manifests_whose_classes_or_columns_contradict_each_other() {
    assert_snapshot!(manifest("class_names = [\"benign\", \"malignant\"]\n", ""), @r#"
    missing key `class_names`
     --> [data]/mine.toml:1:1
      |
    1 | name = "mine"
      | ^
      |
      = help: for example class_names = ["negative", "positive"]
    "#);
    assert_snapshot!(manifest("[\"benign\", \"malignant\"]", "[\"benign\"]"), @r#"
    expected 2 to 100000 classes, found 1
     --> [data]/mine.toml:5:15
      |
    5 | class_names = ["benign"]
      |               ^^^^^^^^^^
    "#);
    assert_snapshot!(manifest("[\"benign\", \"malignant\"]", "[\"benign\", \"benign\"]"), @r#"
    two classes are named `benign`
     --> [data]/mine.toml:5:15
      |
    5 | class_names = ["benign", "benign"]
      |               ^^^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(manifest("format", "classes = 3\nformat"), @r#"
    3 classes are declared, 2 are named
     --> [data]/mine.toml:6:15
      |
    6 | class_names = ["benign", "malignant"]
      |               ^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(manifest("format", "task = \"multiclass\"\nformat"), @r#"
    the task does not agree with 2 classes
     --> [data]/mine.toml:3:8
      |
    3 | task = "multiclass"
      |        ^^^^^^^^^^^^
    "#);
    assert_snapshot!(manifest("format", "ignore_columns = [\"label\"]\nformat"), @r#"
    the label column `label` is ignored
     --> [data]/mine.toml:3:18
      |
    3 | ignore_columns = ["label"]
      |                  ^^^^^^^^^
    "#);
}

#[test]
fn datasets_and_files_that_are_not_there() {
    let fixture = Fixture::new(MANIFEST, "");
    fs::remove_file(fixture.folder().join("mine.csv")).unwrap();
    let default = task(&[], &[]);
    assert_snapshot!(fixture.told("mien", &default), @r"
    unknown dataset `mien`
      = looked in: [data], no-such-folder (no such folder)
      = help: did you mean `mine`?
      = datasets there: mine
    ");
    assert_snapshot!(fixture.told("../mine", &default), @r"
    unknown dataset `../mine`
      = looked in: [data], no-such-folder (no such folder)
      = datasets there: mine
    ");
    assert_snapshot!(fixture.told("mine", &default), @r"
    dataset `mine`: its data file `mine.csv` is not there
      = looked in: [data], no-such-folder (no such folder)
      = help: put the file into one of these folders, or name the folder it is in in the environment variable ROBUST_SVM_DATA
    ");
}

#[test]
fn tasks_that_make_no_sense() {
    let three = MANIFEST.replace("[\"benign\"", "[\"benign\", \"other\"");
    let fixture = Fixture::new(&three, "a,label\n1,0\n2,1\n,1\n3,0\n");
    assert_snapshot!(fixture.told("mine", &task(&[], &[])), @r#"
    dataset `mine` has 3 classes: the task must name the positive ones
      = help: for example positive = ["benign"]; classes: 0 (benign), 1 (other), 2 (malignant)
    "#);
    assert_snapshot!(fixture.told("mine", &task(&[], &["other"])), @r#"
    dataset `mine` has 3 classes: the task must name the positive ones
      = help: for example positive = ["benign"]; classes: 0 (benign), 1 (other), 2 (malignant)
    "#);
    assert_snapshot!(fixture.told("mine", &task(&["malignent"], &[])), @r"
    dataset `mine` has no class `malignent`, named as positive
      = help: did you mean `malignant`?
    ");
    assert_snapshot!(fixture.told("mine", &task(&["0"], &["7"])), @r"
    dataset `mine` has no class `7`, named as negative
      = help: classes: benign, other, malignant
    ");
    assert_snapshot!(fixture.told("mine", &task(&["other"], &["benign", "1"])), @"dataset `mine`: class `other` is named both positive and negative");
    assert_snapshot!(fixture.told("mine", &task(&["0", "1", "2"], &[])), @"dataset `mine`: the negative side of the task is empty: it has no class");
    assert_snapshot!(fixture.told("mine", &task(&["other"], &[])), @r#"
    [data]/mine.csv, line 4, column `a`: the value is missing (missing values of the task: 1)
      = help: missing = "drop" leaves such rows out, missing = "median" puts in the training median
    "#);
    let drop = MissingPolicy::Drop;
    let without_rows = TaskSpec {
        missing: drop,
        ..task(&["malignant"], &[])
    };
    assert_snapshot!(fixture.told("mine", &without_rows), @"dataset `mine`: the positive side of the task is empty: no row of malignant is left");
    let no_class = TaskSpec {
        positive: Some(vec![]),
        ..task(&[], &[])
    };
    assert_snapshot!(fixture.told("mine", &no_class), @"dataset `mine`: the positive side of the task is empty: it has no class");
}

#[test]
fn only_what_the_operating_system_refuses_is_an_input_output_error() {
    let fixture = Fixture::new(MANIFEST, "a,label\n1,0\n");
    // A file in the place of a folder cannot be listed.
    let folders = DataFolders::new([fixture.folder().join("mine.csv")]);
    let error = load_task("mine", &folders, &task(&[], &[])).unwrap_err();
    assert!(error.is_io(), "{error}");
    fs::write(fixture.folder().join("mine.toml"), b"\xff").unwrap();
    assert_snapshot!(fixture.told("mine", &task(&[], &[])), @"[data]/mine.toml: cannot be read: stream did not contain valid UTF-8");
}

/// What the user is told about this content of a LIBSVM file, with these lines in the manifest.
fn svmlight(lines: &str, file: &str) -> String {
    let text = MANIFEST.replace("\"csv\"\nlabel_column = \"label\"", "\"svmlight\"");
    Fixture::new(&format!("{text}{lines}"), file).told("mine", &task(&[], &[]))
}

#[test]
fn svmlight_files() {
    let signs = "label_values = [-1, 1]\n";
    assert_snapshot!(svmlight(signs, "# two rows\n+1 1:1\n2 1:3\n"), @"[data]/mine.csv, line 3, column `label`: `2` is not a class: expected one of -1 (benign), 1 (malignant)");
    assert_snapshot!(svmlight(signs, "+1 1:1\n-1 1:3 1:4\n"), @"[data]/mine.csv, line 2, column 8: expected an index of 2 or more, found 1: indices increase along a line");
    assert_snapshot!(svmlight(signs, "+1 0:1\n-1 1:3\n"), @r"
    [data]/mine.csv, line 1, column 4: expected an index of 1 or more, found 0
      = help: where indices count from 0, say so: --zero-based, or first_index = 0 in the manifest
    ");
    assert_snapshot!(svmlight(signs, "+1 1:1 qid:4\n"), @"[data]/mine.csv, line 1, column 8: `qid:` marks the queries of a ranking, which are not supported");
    assert_snapshot!(svmlight(signs, "+1 1:1e400\n"), @"[data]/mine.csv, line 1, column 6: expected a finite number, found `1e400`");
    assert_snapshot!(svmlight(signs, "+1 1:1e200\n"), @r"
    [data]/mine.csv, line 1, column 6: `1e200` is too large: values are at most 1e150 in magnitude, so that their squares can be summed
      = help: give the column in another unit, or leave the row out
    ");
    assert_snapshot!(svmlight(signs, "+1\n-1\n"), @"[data]/mine.csv: there are no feature columns beside `label`");
    assert_snapshot!(svmlight(signs, "\n"), @"[data]/mine.csv: there are no rows: expected lines `label index:value index:value …`");
    assert_snapshot!(svmlight("features = 2\n", "1 1:1 3:1\n0 2:1\n"), @r"
    [data]/mine.csv: the manifest declares 2 features, the file has 3
      = help: correct `features` in the manifest, or leave the key out
    ");
    assert_snapshot!(svmlight("features = 900000000\n", "1 1:1 3:1\n0 2:1\n"), @r"
    [data]/mine.csv: 2 rows of 900000000 features are too many numbers for a dense table, which models are trained on
      = help: is one of the indices a slip? Else choose features first
    ");
}

#[test]
fn manifests_with_keys_of_another_format() {
    assert_snapshot!(manifest("\"csv\"", "\"svmlight\""), @r#"
    `label_column` has no meaning for a svmlight file
     --> [data]/mine.toml:4:16
      |
    4 | label_column = "label"
      |                ^^^^^^^
      |
      = help: its labels stand first on each line: leave the key out
    "#);
    assert_snapshot!(svmlight("first_index = 2\n", "1 1:1\n"), @r"
    `first_index` must be 0 or 1, found 2
     --> [data]/mine.toml:5:15
      |
    5 | first_index = 2
      |               ^
    ");
    assert_snapshot!(manifest("label_column", "first_index = 0\nlabel_column"), @r"
    `first_index` is for svmlight files
     --> [data]/mine.toml:4:15
      |
    4 | first_index = 0
      |               ^
    ");
    assert_snapshot!(manifest("label_column", "label_values = [1]\nlabel_column"), @r"
    1 label values for 2 classes
     --> [data]/mine.toml:4:16
      |
    4 | label_values = [1]
      |                ^^^
      |
      = help: one number a class, in the order of class_names: label_values = [-1, 1]
    ");
    assert_snapshot!(manifest("label_column", "label_values = [1, 1]\nlabel_column"), @r"
    two classes have the label value 1
     --> [data]/mine.toml:4:16
      |
    4 | label_values = [1, 1]
      |                ^^^^^^
      |
      = help: one number a class, in the order of class_names: label_values = [-1, 1]
    ");
}
