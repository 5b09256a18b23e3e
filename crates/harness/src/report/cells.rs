//! The cells as columns, short enough to be in a page.

use polars::prelude::{Column, DataType, PolarsResult};
use serde::Serialize;
use serde_json::Value;

/// A column of `cells.parquet`.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct CellColumn {
    name: String,
    /// Whether its values are numbers.
    number: bool,
    #[serde(flatten)]
    values: Values,
}

/// Its values, in the order of the cells; `null` where there is none.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Values {
    /// The same in every cell.
    All(Value),
    /// One a cell.
    Each(Vec<Value>),
    /// A few words, and the place of each cell's among them.
    Words(Vec<Value>, Vec<usize>),
}

/// What `columns` hold.
///
/// # Errors
/// For a type that no kind of experiment has in its columns.
pub(super) fn cell_columns(columns: &[Column]) -> PolarsResult<Vec<CellColumn>> {
    columns.iter().map(cell_column).collect()
}

fn cell_column(column: &Column) -> PolarsResult<CellColumn> {
    // A script's numbers have 53 bits: longer ones are texts.
    let number = column.dtype().is_primitive_numeric() && *column.dtype() != DataType::UInt64;
    let values = if number {
        let numbers = column.cast(&DataType::Float64)?;
        numbers.f64()?.iter().map(json_number).collect()
    } else {
        let texts = column.cast(&DataType::String)?;
        texts.str()?.iter().map(Value::from).collect()
    };
    Ok(CellColumn {
        name: column.name().to_string(),
        number,
        values: shortened(values),
    })
}

/// A number; a text where JSON has no sign for it.
fn json_number(number: Option<f64>) -> Value {
    match number {
        None => Value::Null,
        Some(n) if n.is_finite() && n == n.trunc() && n.abs() < 1e15 => Value::from(n as i64),
        Some(n) if n.is_finite() => Value::from(n),
        Some(n) => Value::from(n.to_string()),
    }
}

fn shortened(values: Vec<Value>) -> Values {
    const FEW: usize = 200;
    let mut words: Vec<Value> = Vec::new();
    let mut places = Vec::with_capacity(values.len());
    for value in &values {
        let known = words.iter().position(|word| word == value);
        let place = known.unwrap_or(words.len());
        if known.is_none() {
            if words.len() == FEW {
                return Values::Each(values);
            }
            words.push(value.clone());
        }
        places.push(place);
    }
    match words.len() {
        1 => Values::All(words.remove(0)),
        // Places are short beside words, but not beside counts.
        few if 2 * few < values.len() => Values::Words(words, places),
        _ => Values::Each(values),
    }
}

#[cfg(test)]
mod tests {
    use super::cell_columns;
    use crate::store::cell::column;

    #[test]
    fn columns_are_short_and_lose_nothing() {
        let rows: Vec<u64> = (0..9).collect();
        let columns = [
            column(&rows, "same", |_| Some("x")),
            column(&rows, "few", |r| {
                (*r % 3 > 0).then_some(["a", "b"][*r as usize % 2])
            }),
            column(&rows, "each", |r| *r as f64 / 7.0),
            column(&rows, "seed", |r| u64::MAX - *r),
            column(&rows, "strange", |r| if *r == 0 { f64::NAN } else { 1.0 }),
        ];
        let json = serde_json::to_value(cell_columns(&columns).unwrap()).unwrap();
        assert_eq!(json[0]["all"], "x");
        let expected = serde_json::json!([[null, "b", "a"], [0, 1, 2, 0, 2, 1, 0, 1, 2]]);
        assert_eq!(json[1]["words"], expected);
        assert_eq!(json[2]["each"][3].as_f64(), Some(3.0 / 7.0));
        assert_eq!(json[3]["each"][8], "18446744073709551607");
        assert_eq!(
            json[4]["words"],
            serde_json::json!([["NaN", 1], [0, 1, 1, 1, 1, 1, 1, 1, 1]])
        );
    }
}
