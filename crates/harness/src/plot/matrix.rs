//! A figure of tables of counts: squares, the darker the larger the share of their line.

use super::canvas::{Anchor, Canvas, Device, Ink};
use super::drawing::Drawing;
use super::error::PlotError;
use super::font::Weight;
use super::heading::Heading;
use super::layout::{Layout, Rect, Y_LABELS, Y_TITLE, width};
use super::page::{draw_y_title, on_page};
use super::panel::{LABEL, SPINE, draw_title};
use super::style::COLOURS;
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};
use plotters::style::RGBColor;

/// Counts of true classes, line by line, as predicted classes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MatrixPanel {
    pub(crate) title: String,
    /// Equally many lines and columns.
    pub(crate) counts: Vec<Vec<u64>>,
}

/// All that a figure of counts shows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MatrixFigure {
    pub(crate) title: String,
    /// How to read it.
    pub(crate) note: String,
    /// The names of the classes.
    pub(crate) classes: Vec<String>,
    pub(crate) panels: Vec<MatrixPanel>,
}

/// Panels in a row at most.
const COLUMNS: usize = 2;
/// The size of a count, as a share of its square's width, and its bounds.
const COUNT_SHARE: f64 = 0.36;
const COUNT_SIZES: (f64, f64) = (5.5, 13.0);
/// The darkest shade; counts stay legible on it.
const DARKEST: f64 = 0.62;
/// Where a name is longer than this, all classes are written by their numbers.
const LONGEST_NAME: usize = 4;

struct Parts {
    heading: Heading,
    layout: Layout,
}

impl MatrixFigure {
    fn parts(&self) -> Result<Parts, PlotError> {
        let columns = self.panels.len().clamp(1, COLUMNS);
        let limit = width(columns) - 2.0 * Y_TITLE;
        let heading = Heading::new(&self.title, &self.note, limit)?;
        let layout = Layout::new(self.panels.len(), columns, heading.height, 1.0, Y_LABELS);
        Ok(Parts { heading, layout })
    }

    /// What stands beside a line.
    fn name(&self, class: usize) -> String {
        let are_short = self
            .classes
            .iter()
            .all(|name| name.chars().count() <= LONGEST_NAME);
        match self.classes.get(class) {
            Some(name) if are_short => name.clone(),
            _ => class.to_string(),
        }
    }

    fn draw_panel<DB: DrawingBackend>(
        &self,
        canvas: &Canvas<'_, DB>,
        panel: &MatrixPanel,
        rect: Rect,
        titled: bool,
    ) -> Result<(), PlotError> {
        draw_title(canvas, &panel.title, rect)?;
        let classes = panel.counts.len().max(1);
        let side = (rect.right - rect.left).min(rect.bottom - rect.top) / classes as f64;
        let em = (COUNT_SHARE * side).clamp(COUNT_SIZES.0, COUNT_SIZES.1);
        let ink = Ink {
            em,
            weight: Weight::Regular,
            colour: RGBColor(0x11, 0x11, 0x11),
        };
        let small = Ink {
            em: em.min(LABEL.em),
            ..LABEL
        };
        for (i, line) in panel.counts.iter().enumerate() {
            let all: u64 = line.iter().sum();
            let top = rect.top + i as f64 * side;
            for (j, &count) in line.iter().enumerate() {
                let left = rect.left + j as f64 * side;
                let square = [
                    (left, top),
                    (left + side, top),
                    (left + side, top + side),
                    (left, top + side),
                ];
                // Right counts are blue, others orange.
                let colour = COLOURS[usize::from(i != j)];
                if count > 0 {
                    let share = count as f64 / all.max(1) as f64;
                    canvas.fill(&square, colour, DARKEST * share.sqrt())?;
                    let middle = (left + 0.5 * side, top + 0.5 * side + 0.35 * em);
                    canvas.text(&count.to_string(), middle, Anchor::Middle, ink)?;
                }
            }
            let middle = top + 0.5 * side + 0.35 * small.em;
            canvas.text(&self.name(i), (rect.left - 4.0, middle), Anchor::End, small)?;
            let below = rect.top + classes as f64 * side + 1.2 * small.em;
            let at = (rect.left + (i as f64 + 0.5) * side, below);
            canvas.text(&self.name(i), at, Anchor::Middle, small)?;
        }
        let (right, bottom) = (
            rect.left + classes as f64 * side,
            rect.top + classes as f64 * side,
        );
        let outline = [
            (rect.left, rect.top),
            (right, rect.top),
            (right, bottom),
            (rect.left, bottom),
            (rect.left, rect.top),
        ];
        canvas.line(&outline, 0.8, SPINE)?;
        if titled {
            let at = (
                f64::midpoint(rect.left, right),
                bottom + 1.2 * small.em + 1.3 * LABEL.em,
            );
            canvas.text("predicted class", at, Anchor::Middle, LABEL)?;
        }
        Ok(())
    }
}

impl Drawing for MatrixFigure {
    fn size(&self) -> Result<[u32; 2], PlotError> {
        Ok(self.parts()?.layout.size())
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        device: Device,
    ) -> Result<(), PlotError> {
        let Parts { heading, layout } = self.parts()?;
        on_page(area, device, |canvas| {
            heading.draw(canvas, Y_TITLE)?;
            for (index, panel) in self.panels.iter().enumerate() {
                let (rect, lowest) = (layout.panels[index], layout.lowest[index]);
                self.draw_panel(canvas, panel, rect, lowest)?;
            }
            draw_y_title(canvas, &layout, "true class")
        })
    }
}
