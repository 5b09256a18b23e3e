//! Cells by dataset, method and level, and their numbers.

use super::Axes;
use crate::store::cell::Cell;
use crate::store::{CellRow, Cells, Status, StoreError};
use polars::prelude::{DataFrame, DataType, PolarsResult};

/// Columns that a measured cell may lack, and files of earlier versions too.
const OPTIONAL: [&str; 6] = [
    "sigma",
    "nominal_lambda",
    "nominal_gap",
    "exact_attack_error",
    "exact_certified_error",
    "paper_certified_error",
];

/// The cells on axes by their triples. Numbers are not here: a column of them is read when it is asked for, so that memory
/// holds one or two at a time.
#[derive(Debug)]
pub struct Groups<'a> {
    cells: &'a Cells<CellRow>,
    /// The axes.
    pub axes: &'a Axes,
    /// Triple by triple, each in the order of its repeats.
    repeats: Vec<Repeat>,
    /// Where each triple begins among them, and the end.
    starts: Vec<usize>,
}

/// A cell of a triple.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Repeat {
    /// Its number, from 0.
    pub(crate) index: u32,
    /// How it ended.
    pub(crate) status: Status,
    row: u32,
}

/// A column of numbers.
#[derive(Debug)]
pub(crate) struct Numbers(Vec<Option<f64>>);

impl<'a> Groups<'a> {
    /// Those of `cells` that are on `axes`.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn new(cells: &'a Cells<CellRow>, axes: &'a Axes) -> Result<Self, StoreError> {
        let mut placed = Vec::new();
        let mut row = 0;
        for frame in cells.frames(&["dataset", "method", "level", "repeat", "status"])? {
            let frame = frame?;
            for i in 0..frame.height() {
                let place = place(&frame, i, axes).map_err(|error| cells.damaged(error))?;
                if let Some((position, index, status)) = place {
                    placed.push((position as u32, Repeat { index, status, row }));
                }
                row += 1;
            }
        }
        placed.sort_unstable_by_key(|(position, cell)| (*position, cell.index, cell.row));
        let start = |triple| placed.partition_point(|(position, _)| (*position as usize) < triple);
        Ok(Self {
            cells,
            axes,
            starts: (0..=axes.len()).map(start).collect(),
            repeats: placed.into_iter().map(|(_, cell)| cell).collect(),
        })
    }

    /// All cells, on the axes or not.
    pub(crate) fn cells(&self) -> &'a Cells<CellRow> {
        self.cells
    }

    /// The cells of the triple with this position on the axes, in the order of their repeats.
    pub(crate) fn of(&self, position: usize) -> &[Repeat] {
        &self.repeats[self.starts[position]..self.starts[position + 1]]
    }

    /// The column `name`.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read, or a measured cell lacks a number that it must have.
    pub(crate) fn numbers(&self, name: &str) -> Result<Numbers, StoreError> {
        let mut numbers = Vec::with_capacity(self.cells.len());
        for frame in self.cells.frames(&[name])? {
            let frame = frame?;
            if let Some(column) = frame.columns().iter().find(|c| c.name() == name) {
                let column = column.cast(&DataType::Float64);
                let column = column.map_err(|error| self.cells.damaged(error))?;
                numbers.extend(
                    column
                        .f64()
                        .map_err(|error| self.cells.damaged(error))?
                        .iter(),
                );
            }
        }
        // Without the column there is no number.
        numbers.resize(self.cells.len(), None);
        let numbers = Numbers(numbers);
        let lacks = |cell: &&Repeat| cell.is_measured() && cell.number(&numbers).is_none();
        match self.repeats.iter().find(lacks) {
            Some(_) if !OPTIONAL.contains(&name) => {
                let lacking = format!("column `{name}` has no value of a cell that is ok");
                Err(self.cells.damaged(lacking))
            }
            _ => Ok(numbers),
        }
    }

    /// What measured cells of a triple have of `numbers`; `None` if one has none.
    pub(crate) fn all(&self, position: usize, numbers: &Numbers) -> Option<Vec<f64>> {
        let measured = self.of(position).iter().filter(|cell| cell.is_measured());
        measured.map(|cell| cell.number(numbers)).collect()
    }

    /// What cells of a triple have of `numbers`.
    pub(crate) fn some(&self, position: usize, numbers: &Numbers) -> Vec<f64> {
        let cells = self.of(position).iter();
        cells.filter_map(|cell| cell.number(numbers)).collect()
    }
}

impl Repeat {
    /// Whether it ended well.
    pub(crate) fn is_measured(&self) -> bool {
        self.status == Status::Ok
    }

    /// Its number in a column; none unless it was measured.
    pub(crate) fn number(&self, numbers: &Numbers) -> Option<f64> {
        numbers.0[self.row as usize].filter(|_| self.is_measured())
    }
}

impl Numbers {
    /// `of` each number and that of `other` in its row.
    pub(crate) fn with(mut self, other: &Self, of: impl Fn(f64, f64) -> f64) -> Self {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = own.zip(*other).map(|(a, b)| of(a, b));
        }
        self
    }

    /// One less each number.
    pub(crate) fn complement(mut self) -> Self {
        for number in self.0.iter_mut().flatten() {
            *number = 1.0 - *number;
        }
        self
    }
}

/// The position on `axes` of the row `i`, its repeat and how it ended.
fn place(frame: &DataFrame, i: usize, axes: &Axes) -> PolarsResult<Option<(usize, u32, Status)>> {
    let cell = Cell { frame, i };
    let position = axes.position(
        &cell.text("dataset")?,
        &cell.text("method")?,
        cell.number("level")?,
    );
    let Some(position) = position else {
        return Ok(None);
    };
    Ok(Some((position, cell.count("repeat")?, cell.status()?)))
}
