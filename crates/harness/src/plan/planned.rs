//! A cell of any kind of experiment, before it is run.

/// A cell before it is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedCell {
    /// Its identity, as in the column `cell_id`.
    pub id: String,
    /// What tells it from others: columns and their values as text, in the order a reader expects.
    pub axes: Vec<(&'static str, String)>,
}
