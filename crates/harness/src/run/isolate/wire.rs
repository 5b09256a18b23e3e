//! A row as a message: its columns by name, numbers by their bits.

use crate::store::Record;
use polars::prelude::*;
use robust_svm_solvers::{RelativeGap, TracePoint};
use serde::{Deserialize, Serialize};

/// The value of one column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WireColumn {
    name: String,
    value: Value,
}

/// A value of each type that columns have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Value {
    Text(Option<String>),
    /// The bits of a double.
    Number(Option<u64>),
    Count(Option<u32>),
    Whole(Option<u64>),
}

/// A point of a trace: the iteration, and the bits of the primal and the dual objective, which make the gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WirePoint(usize, u64, u64);

impl WirePoint {
    pub(super) fn of(point: &TracePoint) -> Self {
        let bits = |value: f64| value.to_bits();
        Self(
            point.iteration,
            bits(point.objective),
            bits(point.dual_objective),
        )
    }

    pub(super) fn point(&self) -> TracePoint {
        let (objective, dual_objective) = (f64::from_bits(self.1), f64::from_bits(self.2));
        TracePoint {
            iteration: self.0,
            objective,
            dual_objective,
            relative_gap: RelativeGap::new(objective, dual_objective),
        }
    }
}

/// The columns of `row`.
///
/// # Errors
/// If a column has a type that is not known here.
pub(super) fn to_wire<R: Record>(row: &R) -> PolarsResult<Vec<WireColumn>> {
    let columns = R::columns(std::slice::from_ref(row));
    columns.iter().map(WireColumn::of).collect()
}

/// The row whose columns are `columns`.
///
/// # Errors
/// If it is none of the kind.
pub(super) fn from_wire<R: Record>(columns: Vec<WireColumn>) -> PolarsResult<R> {
    let columns = columns.into_iter().map(WireColumn::into_column).collect();
    R::from_frame(&DataFrame::new(1, columns)?, 0)
}

impl WireColumn {
    fn of(column: &Column) -> PolarsResult<Self> {
        let value = match column.dtype() {
            DataType::String => Value::Text(column.str()?.get(0).map(str::to_owned)),
            DataType::Float64 => Value::Number(column.f64()?.get(0).map(f64::to_bits)),
            DataType::UInt32 => Value::Count(column.u32()?.get(0)),
            DataType::UInt64 => Value::Whole(column.u64()?.get(0)),
            other => {
                polars_bail!(InvalidOperation: "column `{}` is of type {other}", column.name())
            }
        };
        let name = column.name().to_string();
        Ok(Self { name, value })
    }

    fn into_column(self) -> Column {
        let name = self.name.into();
        match self.value {
            Value::Text(text) => Column::new(name, [text]),
            Value::Number(bits) => Column::new(name, [bits.map(f64::from_bits)]),
            Value::Count(count) => Column::new(name, [count]),
            Value::Whole(whole) => Column::new(name, [whole]),
        }
    }
}
