//! A user's own dataset, and the two formats.

use polars::df;
use polars::prelude::{DataFrame, ParquetWriter};
use proptest::prelude::*;
use robust_svm_harness::data::{
    DataFolders, MissingPolicy, Table, TaskSpec, load_task, read_data_file,
};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn manifest(name: &str, file: &str, format: &str) -> String {
    format!(
        "name = \"{name}\"\nfile = \"{file}\"\nformat = \"{format}\"\n\
         label_column = \"label\"\nclasses = 2\nignore_columns = [\"note\"]\n"
    )
}

fn write_parquet(path: &Path, mut frame: DataFrame) {
    let file = fs::File::create(path).unwrap();
    ParquetWriter::new(file).finish(&mut frame).unwrap();
}

/// Equal bits, so that missing values are equal.
fn assert_equal(a: &Table, b: &Table) {
    let bits = |table: &Table| table.values.mapv(f64::to_bits);
    assert_eq!(a.columns, b.columns);
    assert_eq!(bits(a), bits(b));
    assert_eq!(a.labels, b.labels);
}

#[test]
fn csv_and_parquet_of_one_table_are_read_alike() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("text.toml", &manifest("text", "text.csv", "csv"));
    write(
        "binary.toml",
        &manifest("binary", "binary.parquet", "parquet"),
    );
    write(
        "text.csv",
        "\u{feff}x, count ,\"a \"\"b\"\", c\",note,flag,label\r\n\
         0.1,3,-0,\"good, bad\",1,0\r\n1e-300,,2.5,,0,1.0\r\n\" 7 \",-4,,?,1,1\r\n\r\n",
    );
    let frame = df!(
        "x" => [0.1, 1e-300, 7.0],
        "count" => [Some(3_i64), None, Some(-4)],
        "a \"b\", c" => [Some(-0.0_f32), Some(2.5), None],
        "note" => [Some("good, bad"), None, Some("?")],
        "flag" => [true, false, true],
        "label" => [0_u32, 1, 1],
    );
    write_parquet(&folder.path().join("binary.parquet"), frame.unwrap());
    let folders = DataFolders::new([folder.path().to_owned()]);
    let text = read_data_file("text", &folders).unwrap().table;
    let binary = read_data_file("binary", &folders).unwrap().table;
    assert_equal(&text, &binary);
    assert_eq!(text.columns, ["x", "count", "a \"b\", c", "flag"]);
    assert_eq!(text.labels, [0, 1, 1]);
}

#[test]
fn a_dataset_of_ones_own_in_a_second_folder() {
    let (first, second) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let write = |folder: &TempDir, name: &str, text: &str| {
        fs::write(folder.path().join(name), text).unwrap();
    };
    // A file of the same name in a folder that comes first is another dataset's.
    write(&first, "data.csv", "other,label\n9,0\n9,1\n");
    write(&second, "data.csv", "a,note,label\n1,x,0\n2,y,1\n3,z,1\n");
    write(&second, "mine.toml", &manifest("mine", "data.csv", "csv"));
    // A manifest can be in one folder and its file in another.
    write(&first, "far.toml", &manifest("far", "far.csv", "csv"));
    write(&second, "far.csv", "a,note,label\n5,x,0\n6,y,1\n");

    let folders = DataFolders::new([first.path().to_owned(), second.path().to_owned()]);
    assert_eq!(folders.names().unwrap(), ["far", "mine"]);
    let spec = TaskSpec {
        positive: Some(vec!["0".into()]),
        negative: None,
        missing: MissingPolicy::Error,
    };
    let mine = load_task("mine", &folders, &spec).unwrap();
    assert_eq!(mine.data.x().column(0).to_vec(), [1.0, 2.0, 3.0]);
    assert_eq!(mine.data.y().to_vec(), [1.0, -1.0, -1.0]);
    assert_eq!(mine.feature_names, ["a"]);
    let far = load_task("far", &folders, &spec).unwrap();
    assert_eq!(far.data.x().column(0).to_vec(), [5.0, 6.0]);
    assert_ne!(mine.digest, far.digest);
}

#[test]
fn a_class_name_wins_over_a_class_number() {
    let folder = TempDir::new().unwrap();
    let text =
        manifest("mine", "mine.csv", "csv").replace("classes = 2", "class_names = [\"1\", \"0\"]");
    fs::write(folder.path().join("mine.toml"), text).unwrap();
    fs::write(folder.path().join("mine.csv"), "a,note,label\n5,,0\n6,,1\n").unwrap();
    let spec = TaskSpec {
        positive: Some(vec!["1".into()]),
        negative: None,
        missing: MissingPolicy::Error,
    };
    let folders = DataFolders::new([folder.path().to_owned()]);
    let task = load_task("mine", &folders, &spec).unwrap();
    assert_eq!(task.data.y().to_vec(), [1.0, -1.0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every number up to the largest that is a value comes back from CSV with the bits it was written from.
    #[test]
    fn numbers_survive_csv(
        values in prop::collection::vec(prop::option::of(
            (prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO)
                .prop_filter("too large", |v| v.abs() <= 1e150)
        ), 1..40)
    ) {
        let folder = TempDir::new().unwrap();
        let mut text = "a,note,label\n".to_owned();
        for value in &values {
            let cell = value.map(|v| format!("{v:?}")).unwrap_or_default();
            text += &cell;
            text += ",,1\n";
        }
        fs::write(folder.path().join("mine.csv"), text).unwrap();
        let manifest = manifest("mine", "mine.csv", "csv");
        fs::write(folder.path().join("mine.toml"), manifest).unwrap();
        let folders = DataFolders::new([folder.path().to_owned()]);
        let table = read_data_file("mine", &folders).unwrap().table;
        let found: Vec<u64> = table.values.iter().map(|v| v.to_bits()).collect();
        let expected: Vec<u64> = values.iter().map(|v| v.unwrap_or(f64::NAN).to_bits()).collect();
        prop_assert_eq!(found, expected);
    }

    /// Whatever bytes a file has, reading it is a table or an error, never a panic.
    #[test]
    fn no_file_makes_the_reader_panic(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            "a,note,label\n([0-9.,\"\r\n ;a-z-]{0,12}\n){0,6}".prop_map(String::into_bytes),
        ],
        format in prop_oneof![Just("csv"), Just("parquet")],
    ) {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("mine.data"), bytes).unwrap();
        let manifest = manifest("mine", "mine.data", format);
        fs::write(folder.path().join("mine.toml"), manifest).unwrap();
        let folders = DataFolders::new([folder.path().to_owned()]);
        if let Ok(file) = read_data_file("mine", &folders) {
            prop_assert_eq!(file.table.values.dim(), (file.table.labels.len(), 1));
        }
    }
}

/// A LIBSVM file of signed labels gives the table that its CSV gives, whatever its first index.
#[test]
fn a_svmlight_file_and_its_csv_are_read_alike() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let manifest = |name: &str, lines: &str| {
        format!("name = \"{name}\"\nclasses = 2\nfile = \"{name}.data\"\n{lines}")
    };
    write(
        "text.toml",
        &manifest(
            "text",
            "format = \"csv\"\nlabel_column = \"y\"\nlabel_values = [-1, 1]\n",
        ),
    );
    write("text.data", "1,2,3,y\n0.5,0,0,1\n0,-2,0,-1\n0,0,0,+1.0\n");
    for (name, file, lines) in [
        (
            "one",
            "+1 1:0.5 # a\n-1 2:-2\n\n1\n",
            "format = \"svmlight\"\n",
        ),
        (
            "zero",
            "1 0:0.5\n-1 1:-2\n1 \n",
            "format = \"libsvm\"\nfirst_index = 0\n",
        ),
    ] {
        let common = "label_values = [-1, 1]\nfeatures = 3\nrows = 3\n";
        write(
            &format!("{name}.toml"),
            &manifest(name, &format!("{lines}{common}")),
        );
        write(&format!("{name}.data"), file);
    }
    let folders = DataFolders::new([folder.path().to_owned()]);
    let read = |name: &str| read_data_file(name, &folders).unwrap().table;
    let (text, one, zero) = (read("text"), read("one"), read("zero"));
    assert_equal(&text, &one);
    assert_eq!(text.labels, [1, 0, 1]);
    assert_eq!(zero.columns, ["0", "1", "2"]);
    assert_eq!((&zero.values, &zero.labels), (&text.values, &text.labels));
    assert_eq!(
        (one.unit.place(2), text.unit.place(2)),
        ("line 4".into(), "line 4".into())
    );
    let spec = TaskSpec {
        positive: None,
        negative: None,
        missing: MissingPolicy::Error,
    };
    let task = load_task("one", &folders, &spec).unwrap();
    assert_eq!(task.data.y().to_vec(), [1.0, -1.0, 1.0]);
    // The digest of a task tells how its file was read.
    let again = fs::read_to_string(folder.path().join("one.toml")).unwrap();
    write("one.toml", &again.replace("[-1, 1]", "[1, -1]"));
    assert_ne!(
        load_task("one", &folders, &spec).unwrap().digest,
        task.digest
    );
}
