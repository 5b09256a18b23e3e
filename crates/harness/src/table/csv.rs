//! A document's data as CSV.

use super::model::Data;
use crate::stats::csv::record;

/// A header and a line a record.
pub fn csv(data: &Data) -> String {
    let records = std::iter::once(&data.header).chain(&data.records);
    records.map(|fields| record(fields)).collect()
}
