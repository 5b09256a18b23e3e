//! The frame of a panel with an axis on either side: from values to places, and the grid.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Point};
use super::error::PlotError;
use super::font::width;
use super::layout::Rect;
use super::panel::{GRID, INSET, LABEL, SPINE, TICK};
use super::scale::without_collisions;
use plotters::prelude::DrawingBackend;

/// Two axes around a rectangle.
pub(super) struct Frame<'a> {
    pub(super) x: &'a Axis,
    pub(super) y: &'a Axis,
    pub(super) rect: Rect,
}

/// Between a label of the left axis and the axis.
const BESIDE: f64 = 5.0;
/// Length of a small mark.
const MINOR: f64 = 2.5;

/// Space left of a panel that the labels of `axis` take.
pub(super) fn y_labels(axis: &Axis) -> Result<f64, PlotError> {
    let mut widest: f64 = 0.0;
    for (_, label) in axis.marks() {
        widest = widest.max(width(label, LABEL.em, LABEL.weight)?);
    }
    Ok(widest + BESIDE + 4.0)
}

impl Frame<'_> {
    /// Where `value` of the lower axis lies.
    pub(super) fn x(&self, value: f64) -> f64 {
        let ends = (self.rect.left + INSET, self.rect.right - INSET);
        self.x.place(value, ends)
    }

    /// Where `value` of the left axis lies.
    pub(super) fn y(&self, value: f64) -> f64 {
        self.y.place(value, (self.rect.bottom, self.rect.top))
    }

    /// Where the values of a point lie.
    pub(super) fn point(&self, x: f64, y: f64) -> Point {
        (self.x(x), self.y(y))
    }

    /// Draws grid and marks; those of the lower axis have labels, with `x_title` below, where it is given.
    pub(super) fn draw<DB: DrawingBackend>(
        &self,
        canvas: &Canvas<'_, DB>,
        x_title: Option<&str>,
    ) -> Result<(), PlotError> {
        let rect = self.rect;
        for (mark, label) in self.y.marks() {
            let y = self.y(*mark);
            canvas.line(&[(rect.left, y), (rect.right, y)], 0.8, GRID)?;
            let at = (rect.left - BESIDE, y + 0.35 * LABEL.em);
            canvas.label(label, at, Anchor::End, LABEL)?;
        }
        for minor in self.y.minor() {
            let y = self.y(*minor);
            canvas.line(&[(rect.left, y), (rect.left + MINOR, y)], 0.6, SPINE)?;
        }
        let marks = self.x.marks();
        let xs: Vec<f64> = marks.iter().map(|(mark, _)| self.x(*mark)).collect();
        for &x in &xs {
            canvas.line(&[(x, rect.top), (x, rect.bottom)], 0.8, GRID)?;
            canvas.line(&[(x, rect.bottom), (x, rect.bottom + TICK)], 1.0, SPINE)?;
        }
        for minor in self.x.minor() {
            let x = self.x(*minor);
            canvas.line(&[(x, rect.bottom), (x, rect.bottom + MINOR)], 0.6, SPINE)?;
        }
        let axis = [(rect.left, rect.bottom), (rect.right, rect.bottom)];
        canvas.line(&axis, 1.0, SPINE)?;
        let Some(title) = x_title else {
            return Ok(());
        };
        let widths = marks
            .iter()
            .map(|(_, label)| width(label, LABEL.em, LABEL.weight))
            .collect::<Result<Vec<f64>, PlotError>>()?;
        let base = rect.bottom + TICK + 1.1 * LABEL.em;
        for index in without_collisions(&xs, &widths, 3.0) {
            canvas.label(&marks[index].1, (xs[index], base), Anchor::Middle, LABEL)?;
        }
        let below = (f64::midpoint(rect.left, rect.right), base + 1.3 * LABEL.em);
        canvas.text(title, below, Anchor::Middle, LABEL)
    }
}
