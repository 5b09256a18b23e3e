//! A stored cell beside the same cell computed again.

use super::{StoredCells, Value};
use crate::gate::OBJECTIVE_TOLERANCE;
use crate::store::StoreError;
use serde::Serialize;

/// How closely two cells must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Strictness {
    /// In every bit of every column.
    Bits,
    /// In every bit, or as closely as a results folder must agree with its baseline: shares of test points within one of
    /// them, other numbers within 1e−6 relative. Iterations, gaps and reasons are not looked at.
    Tolerances,
}

/// What a comparison of one cell found.
#[derive(Debug, Serialize)]
pub(crate) struct Compared {
    /// Columns compared.
    pub(crate) columns: usize,
    /// Columns that differ in some bit and are within the tolerances.
    pub(crate) tolerated: usize,
    /// Columns that differ by more.
    pub(crate) differences: Vec<Difference>,
}

/// A column in which two rows of one cell differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Difference {
    /// The column.
    pub(crate) column: String,
    /// What is stored; absent where the column is.
    pub(crate) stored: Option<Value>,
    /// What was computed; absent where the column is.
    pub(crate) recomputed: Option<Value>,
}

/// Columns that may differ between programs that are both right.
const FREE: [&str; 5] = [
    "iterations",
    "relative_gap",
    "nominal_gap",
    "dual_gap",
    "reason",
];

/// Compares every column of the cell `id`, which is in both.
///
/// # Errors
/// [`StoreError`] if a file is damaged or lacks the cell.
pub(crate) fn compare(
    id: &str,
    stored: &StoredCells,
    recomputed: &StoredCells,
    strictness: Strictness,
) -> Result<Compared, StoreError> {
    for cells in [stored, recomputed] {
        cells.require(id)?;
    }
    let test_rows = stored.value(id, "n_test")?;
    let types = |cells: &StoredCells| -> Vec<(String, String)> {
        let columns = cells.columns().map(|(name, of)| (name.to_owned(), of));
        columns.collect()
    };
    let (there, here) = (types(stored), types(recomputed));
    let mut names: Vec<&String> = here.iter().map(|(name, _)| name).collect();
    names.extend(
        there
            .iter()
            .map(|(n, _)| n)
            .filter(|n| here.iter().all(|(h, _)| h != *n)),
    );
    let mut compared = Compared {
        columns: names.len(),
        tolerated: 0,
        differences: Vec::new(),
    };
    for name in names {
        let (old, new) = (stored.value(id, name)?, recomputed.value(id, name)?);
        let type_of = |all: &[(String, String)]| all.iter().find(|(n, _)| n == name).cloned();
        if old == new && type_of(&there) == type_of(&here) {
            continue;
        }
        let tolerated = strictness == Strictness::Tolerances
            && within(name, old.as_ref(), new.as_ref(), test_rows.as_ref());
        if tolerated {
            compared.tolerated += 1;
        } else {
            compared.differences.push(Difference {
                column: name.clone(),
                stored: old,
                recomputed: new,
            });
        }
    }
    Ok(compared)
}

/// Whether two values of `column` that differ in some bit are within the tolerances.
fn within(
    column: &str,
    old: Option<&Value>,
    new: Option<&Value>,
    test_rows: Option<&Value>,
) -> bool {
    if FREE.contains(&column) {
        return true;
    }
    // A column that one of the versions does not have.
    let (Some(old), Some(new)) = (old, new) else {
        return true;
    };
    let (&Value::Number(a), &Value::Number(b)) = (old, new) else {
        return false;
    };
    let share = column.ends_with("accuracy") || column.ends_with("_error");
    let tolerance = match test_rows.and_then(Value::number) {
        // As the gate has it: one test point, and a little for the rounding of the fractions.
        Some(rows) if share => 1.0 / rows + 1e-9,
        _ => OBJECTIVE_TOLERANCE * a.abs(),
    };
    (a - b).abs() <= tolerance
}

#[cfg(test)]
mod tests {
    use super::{Compared, Difference, StoredCells, Strictness, Value, compare};
    use polars::prelude::*;
    use std::path::Path;

    fn cells(accuracy: f64, objective: f64, iterations: Option<u32>) -> StoredCells {
        let frame = df!(
            "cell_id" => ["a"],
            "n_test" => [20_u32],
            "accuracy" => [accuracy],
            "objective" => [objective],
            "iterations" => [iterations],
        );
        StoredCells::of(Path::new("cells.parquet"), frame.unwrap()).unwrap()
    }

    fn of(now: &StoredCells, strictness: Strictness) -> Compared {
        compare("a", &cells(0.9, 3.0, Some(7)), now, strictness).unwrap()
    }

    #[test]
    fn one_bit_is_a_difference() {
        let same = of(&cells(0.9, 3.0, Some(7)), Strictness::Bits);
        assert_eq!((same.columns, same.differences.len()), (5, 0));
        let next = 3.0_f64.next_up();
        let bit = of(&cells(0.9, next, Some(7)), Strictness::Bits);
        let expected = Difference {
            column: "objective".into(),
            stored: Some(Value::Number(3.0)),
            recomputed: Some(Value::Number(next)),
        };
        assert_eq!(bit.differences, [expected]);
        let lost = of(&cells(0.9, 3.0, None), Strictness::Bits);
        assert_eq!(lost.differences[0].recomputed, Some(Value::Null));
    }

    #[test]
    fn tolerances_are_the_gates() {
        let near = of(&cells(0.95, 3.000_002, Some(9)), Strictness::Tolerances);
        assert_eq!((near.tolerated, near.differences.len()), (3, 0));
        let far = of(&cells(0.8, 3.000_01, Some(7)), Strictness::Tolerances);
        let columns: Vec<&str> = far.differences.iter().map(|d| d.column.as_str()).collect();
        assert_eq!(columns, ["accuracy", "objective"]);
        let none = of(&cells(f64::NAN, 3.0, Some(7)), Strictness::Tolerances);
        assert_eq!(none.differences.len(), 1);
    }

    #[test]
    fn a_cell_that_is_not_there_is_an_error() {
        let both = cells(0.9, 3.0, Some(7));
        assert!(compare("b", &both, &both, Strictness::Bits).is_err());
    }

    #[test]
    fn another_type_is_a_difference() {
        let frame = df!(
            "cell_id" => ["a"],
            "n_test" => [20_u64],
            "accuracy" => [0.9],
            "objective" => [3.0],
            "iterations" => [7_u32],
        );
        let other = StoredCells::of(Path::new("cells.parquet"), frame.unwrap()).unwrap();
        let compared = of(&other, Strictness::Bits);
        assert_eq!(compared.differences.len(), 1);
        assert_eq!(compared.differences[0].column, "n_test");
    }
}
