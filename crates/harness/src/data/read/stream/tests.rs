//! Readers of blocks against readers of whole files.

use super::super::super::{DataError, Format};
use super::super::wanted::{AskedBy, Wanted, WantedFeatures};
use super::super::{Cells, RowUnit};
use super::BlockReader;
use ndarray::Array2;
use polars::prelude::{Column, DataFrame, ParquetWriter};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::path::Path;

/// What is compared of a file: names, bits of the numbers, labels without blanks around them, and places of rows.
type Content = (Vec<String>, Array2<u64>, Option<Vec<String>>, Vec<String>);

fn label(text: Option<String>) -> String {
    text.unwrap_or_default().trim().to_owned()
}

fn whole(path: &Path, format: Format, wanted: &Wanted<'_>) -> Result<Content, DataError> {
    let bytes = std::fs::read(path).unwrap();
    let cells = Cells::read(path, &bytes, format, wanted)?;
    let labels = cells.labels.map(|l| l.into_iter().map(label).collect());
    let places = (0..cells.values.nrows()).map(|row| cells.unit.place(row));
    let places = places.collect();
    Ok((
        cells.columns,
        cells.values.mapv(f64::to_bits),
        labels,
        places,
    ))
}

fn in_blocks(
    path: &Path,
    format: Format,
    wanted: &Wanted<'_>,
    most: usize,
) -> Result<Content, DataError> {
    let mut reader = BlockReader::open(path, format, wanted)?;
    let columns = reader.columns();
    let mut values = Array2::zeros((0, columns.len()));
    let mut labels = reader.is_labelled().then(Vec::new);
    let mut places = Vec::new();
    while let Some(block) = reader.next(most)? {
        let rows = block.values.nrows();
        assert!((1..=most).contains(&rows));
        assert_eq!(block.first_row, places.len());
        places.extend((0..rows).map(|row| block.place(row)));
        values
            .append(ndarray::Axis(0), block.values.view())
            .unwrap();
        assert_eq!(labels.is_some(), block.labels.is_some());
        if let (Some(labels), Some(more)) = (&mut labels, block.labels) {
            labels.extend(more.into_texts().into_iter().map(label));
        }
    }
    Ok((columns, values.mapv(f64::to_bits), labels, places))
}

/// That both readers say the same of `bytes`.
fn compare(bytes: &[u8], format: Format, wanted: &Wanted<'_>, most: usize) -> bool {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, bytes).unwrap();
    let expected = whole(&path, format, wanted);
    let found = in_blocks(&path, format, wanted, most);
    match (expected, found) {
        (Ok(expected), Ok(found)) => {
            assert_eq!(expected, found);
            true
        }
        (Err(expected), Err(found)) => {
            assert_eq!(expected.to_string(), found.to_string());
            false
        }
        (expected, found) => panic!(
            "{expected:?}\n{found:?}\n{}",
            String::from_utf8_lossy(bytes)
        ),
    }
}

fn wanted<'a>(features: WantedFeatures<'a>, label: Option<&'a str>) -> Wanted<'a> {
    Wanted {
        label,
        label_may_lack: matches!(features, WantedFeatures::These(_)),
        features,
        asked_by: AskedBy::Options,
        first_index: 1,
        width: None,
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Mostly good cells.
fn csv_cell() -> impl Strategy<Value = String> {
    prop_oneof![
        20 => any::<i16>().prop_map(|v| (f64::from(v) / 7.0).to_string()),
        4 => Just(String::new()),
        4 => prop::sample::select(vec!["1", " 2 ", "\"3\"", "\" 4\"", "-0", "\"\"", "1e-300", "+5"])
            .prop_map(str::to_owned),
        1 => prop::sample::select(vec!["x", "NaN", "1e999", "\"a,b\"", "\"a\"\"b\"", "a\"b", "\"a", "é"])
            .prop_map(str::to_owned),
    ]
}

/// A file of four columns, with faults now and then.
fn csv_text() -> impl Strategy<Value = Vec<u8>> {
    let row = prop_oneof![
        40 => prop::collection::vec(csv_cell(), 4),
        1 => prop::collection::vec(csv_cell(), 1..6),
        1 => prop::sample::select(vec!["", "  ", "\t"]).prop_map(|blank| vec![blank.to_owned()]),
    ];
    let header = prop::sample::select(vec![
        "a,b,y,c",
        " a ,\"b\",y,c",
        "a,b,y,c",
        "a,b,y,",
        "a,b,b,c",
        "",
        "a,b,z,c",
    ]);
    let rows = prop::collection::vec(row, 0..9);
    let end = prop::sample::select(vec!["", "\n", " \n\n", "\r\n \r\n", "\n\u{a0}\n"]);
    let line_end = prop::sample::select(vec!["\n", "\r\n"]);
    let mark = prop::sample::select(vec!["", "\u{feff}"]);
    let torn = prop_oneof![30 => Just(None), 1 => any::<prop::sample::Index>().prop_map(Some)];
    (header, rows, end, line_end, mark, torn).prop_map(
        |(header, rows, end, line_end, mark, torn)| {
            let lines: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
            let mut text = format!("{mark}{header}");
            for line in lines {
                text = text + line_end + &line;
            }
            let mut bytes = (text + end).into_bytes();
            if let Some(torn) = torn.filter(|_| !bytes.is_empty()) {
                let place = torn.index(bytes.len());
                bytes[place] = 0xff;
            }
            bytes
        },
    )
}

fn svmlight_text() -> impl Strategy<Value = Vec<u8>> {
    let entries = prop::collection::btree_map(1_usize..9, -9_i8..9, 0..5).prop_map(|entries| {
        entries.iter().fold(String::new(), |mut text, (k, v)| {
            let _ = write!(text, " {k}:{v}");
            text
        })
    });
    let row = (prop::sample::select(vec!["1", "-1", "+1", "2.0"]), entries)
        .prop_map(|(label, entries)| format!("{label}{entries}"));
    let line = prop_oneof![
        30 => row,
        3 => prop::sample::select(vec!["", "# note", "  ", "1 2:3 # note", "-1"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["1 2:x", "1 3:1 2:1", "x 1:1", "1 0:1", "1 qid:3 1:2", "1 é:2"])
            .prop_map(str::to_owned),
    ];
    let torn = prop_oneof![30 => Just(None), 1 => any::<prop::sample::Index>().prop_map(Some)];
    (prop::collection::vec(line, 0..9), torn, any::<bool>()).prop_map(|(lines, torn, mark)| {
        let mark = if mark { "\u{feff}" } else { "" };
        let mut bytes = format!("{mark}{}", lines.join("\n")).into_bytes();
        if let Some(torn) = torn.filter(|_| !bytes.is_empty()) {
            let place = torn.index(bytes.len());
            bytes[place] = 0xff;
        }
        bytes
    })
}

/// A table with gaps, whole numbers, truth values and texts, in groups of rows.
fn parquet_bytes() -> impl Strategy<Value = Vec<u8>> {
    let number = prop_oneof![
        12 => any::<i16>().prop_map(|v| Some(f64::from(v) / 3.0)),
        2 => Just(None),
        1 => prop::sample::select(vec![0.5, f64::NAN, f64::INFINITY]).prop_map(Some),
    ];
    let clean = any::<i16>().prop_map(|v| Some(f64::from(v)));
    let column = prop_oneof![
        4 => prop::collection::vec(clean, 40),
        1 => prop::collection::vec(number, 40),
    ];
    let label = prop::sample::select(vec![None, Some("yes"), Some("no"), Some("")]);
    (
        0_usize..40,
        prop::collection::vec(column, 2),
        prop::collection::vec(label, 40),
        prop::collection::vec(any::<bool>(), 40),
        1_usize..12,
        0..10,
    )
        .prop_map(|(rows, columns, labels, flags, group, texts)| {
            let first = Column::new("a".into(), &columns[0][..rows]);
            let second = if texts == 0 {
                Column::new("b".into(), &labels[..rows])
            } else {
                Column::new("b".into(), &columns[1][..rows])
            };
            let labels = Column::new("y".into(), &labels[..rows]);
            let third = Column::new("c".into(), &flags[..rows]);
            let mut frame = DataFrame::new(rows, vec![first, second, labels, third]).unwrap();
            let mut bytes = Vec::new();
            let writer = ParquetWriter::new(&mut bytes).with_row_group_size(Some(group));
            writer.finish(&mut frame).unwrap();
            bytes
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn csv_files_and_their_faults(text in csv_text(), most in 1_usize..5, ignored in any::<bool>(), labels in any::<bool>()) {
        let ignored = names(if ignored { &["b"] } else { &[] });
        let all = wanted(WantedFeatures::AllBut(&ignored), Some("y"));
        compare(&text, Format::Csv, &all, most);
        let these = names(&["c", "a"]);
        let some = wanted(WantedFeatures::These(&these), labels.then_some("y"));
        compare(&text, Format::Csv, &some, most);
    }

    #[test]
    fn svmlight_files_and_their_faults(text in svmlight_text(), most in 1_usize..5, labels in any::<bool>()) {
        let ignored = names(&["2"]);
        compare(&text, Format::Svmlight, &wanted(WantedFeatures::AllBut(&[]), Some("label")), most);
        compare(&text, Format::Svmlight, &wanted(WantedFeatures::AllBut(&ignored), Some("label")), most);
        for these in [&["3", "12", "1"][..], &["x"]] {
            let these = names(these);
            let some = wanted(WantedFeatures::These(&these), labels.then_some("label"));
            compare(&text, Format::Svmlight, &some, most);
        }
    }

    #[test]
    fn parquet_files_and_their_faults(bytes in parquet_bytes(), most in 1_usize..15, labels in any::<bool>()) {
        let ignored = names(&["b"]);
        compare(&bytes, Format::Parquet, &wanted(WantedFeatures::AllBut(&[]), Some("y")), most);
        compare(&bytes, Format::Parquet, &wanted(WantedFeatures::AllBut(&ignored), Some("y")), most);
        let these = names(&["c", "a"]);
        let some = wanted(WantedFeatures::These(&these), labels.then_some("y"));
        compare(&bytes, Format::Parquet, &some, most);
        let none = wanted(WantedFeatures::These(&ignored), Some("unknown"));
        compare(&bytes, Format::Parquet, &none, most);
    }
}

/// More rows than are decoded at a time, and faults far apart: that in the first column counts.
#[test]
fn a_long_parquet_file_and_its_faults() {
    let rows = 300_000;
    let column = |name: &str, faulty: usize| {
        let value = |i: usize| if i == faulty { f64::NAN } else { i as f64 };
        Column::new(name.into(), (0..rows).map(value).collect::<Vec<f64>>())
    };
    let labels = || {
        Column::new(
            "y".into(),
            (0..rows).map(|i| u32::from(i % 2 == 1)).collect::<Vec<_>>(),
        )
    };
    let bytes = |faulty: [usize; 3]| {
        let columns = vec![
            column("a", faulty[0]),
            column("b", faulty[1]),
            column("c", faulty[2]),
            labels(),
        ];
        let mut frame = DataFrame::new(rows, columns).unwrap();
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .with_row_group_size(Some(70_000))
            .finish(&mut frame)
            .unwrap();
        bytes
    };
    let wanted = wanted(WantedFeatures::AllBut(&[]), Some("y"));
    assert!(compare(&bytes([rows; 3]), Format::Parquet, &wanted, 8192));
    assert!(!compare(
        &bytes([250_000, 7, rows]),
        Format::Parquet,
        &wanted,
        8192
    ));
    assert!(!compare(
        &bytes([rows, 7, 250_000]),
        Format::Parquet,
        &wanted,
        8192
    ));
}

#[test]
fn places_of_rows_in_a_block() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("a.svm");
    std::fs::write(&path, "1 1:1\n\n# note\n-1 1:2\n1 1:3\n").unwrap();
    let wanted = wanted(WantedFeatures::AllBut(&[]), Some("label"));
    let mut reader = BlockReader::open(&path, Format::Svmlight, &wanted).unwrap();
    let first = reader.next(2).unwrap().unwrap();
    assert_eq!(first.unit, RowUnit::Lines([1, 4].into()));
    let second = reader.next(2).unwrap().unwrap();
    assert_eq!(
        (second.first_row, second.place(0)),
        (2, "line 5".to_owned())
    );
    assert!(reader.next(2).unwrap().is_none());
}
