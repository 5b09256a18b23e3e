//! Columns from rows, and the values of one row of a frame.

use super::Status;
use polars::prelude::*;

/// The column `name` of what `get` finds in each row.
pub(crate) fn column<'a, R, T, P: ?Sized>(
    rows: &'a [R],
    name: &str,
    get: impl Fn(&'a R) -> T,
) -> Column
where
    Series: NamedFrom<Vec<T>, P>,
{
    Column::new(name.into(), rows.iter().map(get).collect::<Vec<T>>())
}

/// One row of a frame. A value that is not there is an error, but for the `maybe_` ones.
pub(crate) struct Cell<'a> {
    pub(crate) frame: &'a DataFrame,
    pub(crate) i: usize,
}

impl Cell<'_> {
    pub(crate) fn maybe_text(&self, name: &str) -> PolarsResult<Option<String>> {
        let text = self.frame.column(name)?.str()?.get(self.i);
        Ok(text.map(str::to_owned))
    }

    pub(crate) fn text(&self, name: &str) -> PolarsResult<String> {
        present(name, self.maybe_text(name)?)
    }

    pub(crate) fn maybe_number(&self, name: &str) -> PolarsResult<Option<f64>> {
        Ok(self.frame.column(name)?.f64()?.get(self.i))
    }

    /// As [`Cell::maybe_number`], of a column that files of earlier versions lack.
    pub(crate) fn later_number(&self, name: &str) -> PolarsResult<Option<f64>> {
        match self.frame.get_column_index(name) {
            Some(_) => self.maybe_number(name),
            None => Ok(None),
        }
    }

    pub(crate) fn number(&self, name: &str) -> PolarsResult<f64> {
        present(name, self.maybe_number(name)?)
    }

    pub(crate) fn maybe_count(&self, name: &str) -> PolarsResult<Option<u32>> {
        Ok(self.frame.column(name)?.u32()?.get(self.i))
    }

    pub(crate) fn count(&self, name: &str) -> PolarsResult<u32> {
        present(name, self.maybe_count(name)?)
    }

    /// The column `seed`.
    pub(crate) fn seed(&self) -> PolarsResult<u64> {
        present("seed", self.frame.column("seed")?.u64()?.get(self.i))
    }

    /// The column `status`.
    pub(crate) fn status(&self) -> PolarsResult<Status> {
        let word = self.text("status")?;
        Status::from_name(&word)
            .ok_or_else(|| PolarsError::InvalidOperation(format!("unknown status `{word}`").into()))
    }
}

fn present<T>(name: &str, value: Option<T>) -> PolarsResult<T> {
    value.ok_or_else(|| PolarsError::NoData(format!("column `{name}` has no value").into()))
}
