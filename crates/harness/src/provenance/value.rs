//! The value of a column in a row, whatever its type.

use polars::prelude::{AnyValue, Column, PolarsResult};
use serde::Serialize;
use std::fmt;

/// A value of `cells.parquet`. Equality is of bits: 0 is not −0, and a number that is none is itself.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    /// There is none.
    Null,
    /// A text.
    Text(String),
    /// A whole number from 0.
    Count(u64),
    /// A number.
    Number(f64),
}

impl Value {
    /// The value of `column` in the row with index `row`.
    ///
    /// # Errors
    /// What polars says of a row that is not there.
    pub(crate) fn of(column: &Column, row: usize) -> PolarsResult<Self> {
        Ok(match column.get(row)? {
            AnyValue::Null => Self::Null,
            AnyValue::String(text) => Self::Text(text.to_owned()),
            // A column of one row.
            AnyValue::StringOwned(text) => Self::Text(text.to_string()),
            AnyValue::UInt8(count) => Self::Count(count.into()),
            AnyValue::UInt16(count) => Self::Count(count.into()),
            AnyValue::UInt32(count) => Self::Count(count.into()),
            AnyValue::UInt64(count) => Self::Count(count),
            AnyValue::Float64(number) => Self::Number(number),
            other => Self::Text(other.to_string()),
        })
    }

    /// The number, if it is one or a count.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Count(count) => Some(*count as f64),
            Self::Null | Self::Text(_) => None,
        }
    }

    /// Whether it is what `text` says: numbers are compared as numbers.
    pub(crate) fn is(&self, text: &str) -> bool {
        match self {
            Self::Text(own) => own == text,
            Self::Null => false,
            Self::Count(_) | Self::Number(_) => text.parse().ok() == self.number(),
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Count(a), Self::Count(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("—"),
            Self::Text(text) => f.write_str(text),
            Self::Count(count) => write!(f, "{count}"),
            // The shortest digits that read back to the same bits.
            Self::Number(number) if *number != 0.0 && !(1e-5..1e9).contains(&number.abs()) => {
                write!(f, "{number:e}")
            }
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn equality_is_of_bits() {
        let one = Value::Number(1.0);
        assert_eq!(one, Value::Number(1.0));
        assert_ne!(one, Value::Number(1.0_f64.next_up()));
        assert_ne!(one, Value::Count(1));
        assert_ne!(Value::Number(0.0), Value::Number(-0.0));
        assert_eq!(Value::Number(f64::NAN), Value::Number(f64::NAN));
    }

    #[test]
    fn every_digit_that_tells_numbers_apart_is_shown() {
        for number in [0.1_f64, 1e-300, 12_345.678, 6.02e23, f64::MIN_POSITIVE] {
            let (this, next) = (Value::Number(number), Value::Number(number.next_up()));
            assert_ne!(this.to_string(), next.to_string());
            assert_eq!(this.to_string().parse(), Ok(number));
        }
    }

    #[test]
    fn numbers_are_what_their_texts_say() {
        assert!(Value::Number(0.5).is("0.50"));
        assert!(Value::Count(3).is("3"));
        assert!(!Value::Count(3).is("three"));
        assert!(Value::Text("all".into()).is("all"));
        assert!(!Value::Null.is(""));
    }
}
