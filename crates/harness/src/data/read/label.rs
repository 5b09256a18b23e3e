//! Labels: whole numbers that say the class.

use super::super::error::list_classes;
use super::super::{DataError, Manifest};
use super::RowUnit;
use std::path::Path;

/// The labels in `cells`, the texts of the label column; `None` = missing.
pub(super) fn labels<'a>(
    path: &Path,
    unit: RowUnit,
    cells: impl Iterator<Item = Option<&'a str>>,
    manifest: &Manifest,
) -> Result<Vec<i64>, DataError> {
    let label = |(index, cell): (usize, Option<&str>)| {
        let cell = cell.map(str::trim).filter(|cell| !cell.is_empty());
        cell.and_then(|cell| class_of(cell, manifest.classes))
            .ok_or_else(|| DataError::Label {
                path: path.to_owned(),
                place: unit.place(index),
                column: manifest.label_column.clone(),
                found: cell.map_or("an empty cell".to_owned(), |cell| format!("`{cell}`")),
                expected: list_classes(&manifest.class_names),
            })
    };
    cells.enumerate().map(label).collect()
}

/// The class in `cell`: a whole number below `classes`, which may be written as 1.0.
fn class_of(cell: &str, classes: usize) -> Option<i64> {
    let value: f64 = cell.parse().ok()?;
    let is_class = value.fract() == 0.0 && (0.0..classes as f64).contains(&value);
    is_class.then_some(value as i64)
}

#[cfg(test)]
mod tests {
    use super::class_of;

    #[test]
    fn whole_numbers_below_the_count_are_classes() {
        assert_eq!(class_of("2", 3), Some(2));
        assert_eq!(class_of("2.0", 3), Some(2));
        for bad in ["3", "-1", "0.5", "NaN", "inf", "one", ""] {
            assert_eq!(class_of(bad, 3), None, "{bad}");
        }
    }
}
