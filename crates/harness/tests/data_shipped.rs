//! The datasets in `datasets/` are what their manifests say.

use ndarray::Axis;
use robust_svm_harness::data::{
    DataError, DataFolders, LoadReport, MissingPolicy, TaskSpec, constant_columns, duplicate_rows,
    load_task, missing_values, read_data_file,
};
use std::path::{Path, PathBuf};

const SHIPPED: [&str; 13] = [
    "adult-onehot",
    "breast-cancer-wisconsin-diagnostic",
    "breast-cancer-wisconsin-original",
    "digits-8x8",
    "heart-statlog",
    "ionosphere",
    "iris",
    "magic-gamma",
    "mnist-10k",
    "shuttle",
    "spambase",
    "vehicle",
    "wine",
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shipped() -> DataFolders {
    DataFolders::new([repository().join("datasets")])
}

fn default_task(missing: MissingPolicy) -> TaskSpec {
    TaskSpec {
        positive: None,
        negative: None,
        missing,
    }
}

#[test]
fn every_shipped_dataset_is_what_its_manifest_declares() {
    for name in SHIPPED {
        let file = read_data_file(name, &shipped()).unwrap_or_else(|e| panic!("{e}"));
        let (manifest, table) = (&file.manifest, &file.table);
        let x = table.values.view();
        let labels = || table.labels.iter().copied();
        assert!(manifest.sha256.is_some(), "{name}");
        assert_eq!(Some(x.nrows()), manifest.rows, "{name}");
        assert_eq!(Some(x.ncols()), manifest.features, "{name}");
        assert_eq!(Some(missing_values(x)), manifest.missing_values, "{name}");
        let duplicates = duplicate_rows(x, labels());
        assert_eq!(Some(duplicates), manifest.duplicate_rows, "{name}");
        let mut counts = vec![0; manifest.classes];
        labels().for_each(|label| counts[label as usize] += 1);
        assert_eq!(Some(counts), manifest.class_counts, "{name}");
        if !manifest.constant_features.is_empty() {
            let constant = constant_columns(x).into_iter();
            let constant: Vec<_> = constant.map(|c| table.columns[c].clone()).collect();
            assert_eq!(constant, manifest.constant_features, "{name}");
        }
        if let Some(split) = manifest.split {
            assert_eq!(split.train + split.test, x.nrows(), "{name}");
        }
    }
}

#[test]
fn every_manifest_is_read_and_only_the_external_sets_have_no_file_here() {
    let folders = shipped();
    for name in folders.names().unwrap() {
        let manifest = folders.manifest(&name).unwrap_or_else(|e| panic!("{e}"));
        let found = folders.data_file(&manifest);
        assert_eq!(found.is_ok(), SHIPPED.contains(&name.as_str()), "{name}");
    }
}

/// The external datasets, where there is a folder with them; their files are not the project's to ship.
#[test]
fn external_datasets_load_where_they_are() {
    let from_env = DataFolders::from_env();
    let folders = [repository().join("datasets")];
    let folders = folders.into_iter().chain(from_env.folders().to_vec());
    let folders = DataFolders::new(folders);
    for (name, rows, features) in [("usps", 9298, 256), ("coil-20", 1440, 1024)] {
        match read_data_file(name, &folders) {
            Ok(file) => assert_eq!(file.table.values.dim(), (rows, features)),
            Err(DataError::DataFileNotFound { .. }) => eprintln!("{name}: skipped, not there"),
            Err(error) => panic!("{error}"),
        }
    }
    match read_data_file("census-income-kdd", &folders) {
        Err(DataError::NotNumeric { column, .. }) => assert_eq!(column, "class_of_worker"),
        Err(DataError::DataFileNotFound { .. }) => eprintln!("census: skipped, not there"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn missing_values_are_dropped_kept_or_refused() {
    let name = "breast-cancer-wisconsin-original";
    let load = |policy| load_task(name, &shipped(), &default_task(policy));

    let dropped = load(MissingPolicy::Drop).unwrap();
    // The 683 rows, 444 benign and 239 malignant, that the literature uses.
    assert_eq!(dropped.data.rows(), 683);
    assert_eq!(dropped.data.y().iter().filter(|y| **y > 0.0).count(), 239);
    assert_eq!(missing_values(dropped.data.x().view()), 0);
    assert_eq!(dropped.report.rows_dropped_missing, 16);

    let kept = load(MissingPolicy::Median).unwrap();
    assert_eq!(kept.data.rows(), 699);
    assert_eq!(missing_values(kept.data.x().view()), 16);
    assert_eq!(
        kept.report,
        LoadReport {
            rows_read: 699,
            rows_other_classes: 0,
            missing_values: 16,
            rows_dropped_missing: 0,
            constant_features: vec![],
            duplicate_rows: 236,
        }
    );
    assert_eq!(kept.feature_names[5], "bare_nuclei");
    assert_eq!(kept.digest, dropped.digest);

    let refused = load(MissingPolicy::Error).unwrap_err();
    let DataError::MissingValue {
        place,
        column,
        count,
        ..
    } = refused
    else {
        panic!("{refused}");
    };
    assert_eq!(
        (place.as_str(), column.as_str(), count),
        ("line 25", "bare_nuclei", 16)
    );
}

#[test]
fn classes_of_neither_side_are_left_out() {
    let spec = TaskSpec {
        positive: Some(vec!["opel".into()]),
        negative: Some(vec!["saab".into()]),
        missing: MissingPolicy::Error,
    };
    let task = load_task("vehicle", &shipped(), &spec).unwrap();
    assert_eq!(task.report.rows_other_classes, 218 + 199);
    assert_eq!(task.data.rows(), 212 + 217);
    assert_eq!(task.data.y().sum(), 212.0 - 217.0);

    let one_against_rest = TaskSpec {
        negative: None,
        ..spec
    };
    let rest = load_task("vehicle", &shipped(), &one_against_rest).unwrap();
    assert_eq!(rest.data.rows(), 846);
    assert_ne!(rest.digest, task.digest);
}

#[test]
fn binary_tasks_are_class_1_against_class_0_unless_said_otherwise() {
    let default = default_task(MissingPolicy::Error);
    let task = load_task("ionosphere", &shipped(), &default).unwrap();
    assert_eq!(task.data.y().sum(), 225.0 - 126.0);
    assert_eq!(task.report.constant_features, ["V2"]);
    let negative_good = TaskSpec {
        negative: Some(vec!["good".into()]),
        ..default
    };
    let flipped = load_task("ionosphere", &shipped(), &negative_good).unwrap();
    assert_eq!(flipped.data.y(), -task.data.y());
    assert_eq!(flipped.data.x(), task.data.x());
}

#[test]
fn the_first_row_of_iris_is_the_first_line_of_its_file() {
    let file = read_data_file("iris", &shipped()).unwrap();
    assert_eq!(file.table.columns[3], "petal_width");
    let first = file.table.values.index_axis(Axis(0), 0);
    assert_eq!(first.to_vec(), [5.1, 3.5, 1.4, 0.2]);
}
