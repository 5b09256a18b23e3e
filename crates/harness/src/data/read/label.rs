//! Labels: whole numbers that say the class.

use super::super::error::label_and_name;
use super::super::{DataError, Manifest};
use super::RowUnit;
use std::path::Path;

/// The labels in `cells`, the texts of the label column; `None` = missing.
pub(super) fn labels<'a>(
    path: &Path,
    unit: &RowUnit,
    cells: impl Iterator<Item = Option<&'a str>>,
    manifest: &Manifest,
) -> Result<Vec<i64>, DataError> {
    let label = |(index, cell): (usize, Option<&str>)| {
        let cell = cell.map(str::trim).filter(|cell| !cell.is_empty());
        cell.and_then(|cell| class_of(cell, manifest))
            .ok_or_else(|| DataError::Label {
                path: path.to_owned(),
                place: unit.place(index),
                column: manifest.label_column.clone(),
                found: cell.map_or("an empty cell".to_owned(), |cell| format!("`{cell}`")),
                expected: list_classes(manifest),
            })
    };
    cells.enumerate().map(label).collect()
}

/// The class in `cell`: the number of the class, which may be written as 1.0, or its value where
/// `label_values` lists them.
fn class_of(cell: &str, manifest: &Manifest) -> Option<i64> {
    let value: f64 = cell.parse().ok()?;
    if let Some(values) = &manifest.label_values {
        let mut numbered = (0..).zip(values);
        return numbered.find(|(_, v)| **v == value).map(|(class, _)| class);
    }
    let is_class = value.fract() == 0.0 && (0.0..manifest.classes as f64).contains(&value);
    is_class.then_some(value as i64)
}

/// `0 (benign), 1 (malignant)`: the labels that are classes.
fn list_classes(manifest: &Manifest) -> String {
    let names = manifest.class_names.iter().enumerate();
    let listed = names.map(|(number, name)| {
        let label = match &manifest.label_values {
            Some(values) => values[number].to_string(),
            None => number.to_string(),
        };
        label_and_name(&label, name)
    });
    listed.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{Manifest, class_of};
    use std::path::Path;

    fn manifest(line: &str) -> Manifest {
        let text = format!(
            "name = \"a\"\nfile = \"a.csv\"\nformat = \"csv\"\nlabel_column = \"y\"\nclasses = 3\n{line}"
        );
        Manifest::parse(Path::new("a.toml"), &text).unwrap()
    }

    #[test]
    fn whole_numbers_below_the_count_are_classes() {
        let manifest = manifest("");
        assert_eq!(class_of("2", &manifest), Some(2));
        assert_eq!(class_of("2.0", &manifest), Some(2));
        for bad in ["3", "-1", "0.5", "NaN", "inf", "one", ""] {
            assert_eq!(class_of(bad, &manifest), None, "{bad}");
        }
    }

    #[test]
    fn label_values_are_classes_where_they_are_listed() {
        let manifest = manifest("label_values = [-1, 1, 7.5]");
        for (cell, class) in [("-1", 0), ("+1", 1), ("1.0", 1), ("7.5", 2)] {
            assert_eq!(class_of(cell, &manifest), Some(class), "{cell}");
        }
        for bad in ["0", "2", "NaN", ""] {
            assert_eq!(class_of(bad, &manifest), None, "{bad}");
        }
    }
}
