//! Title and note above a figure, set to its width.

use super::canvas::{Anchor, Canvas, Ink};
use super::error::PlotError;
use super::font::{Weight, width};
use plotters::prelude::DrawingBackend;
use plotters::style::RGBColor;

const TITLE: Ink = Ink {
    em: 20.0,
    weight: Weight::Bold,
    colour: RGBColor(0x11, 0x11, 0x11),
};
const NOTE: Ink = Ink {
    em: 14.5,
    weight: Weight::Regular,
    colour: RGBColor(0x44, 0x44, 0x44),
};
const LINE_HEIGHT: f64 = 1.3;

/// Lines of text, each with its look and its base line.
pub(super) struct Heading {
    lines: Vec<(String, Ink, f64)>,
    pub(super) height: f64,
}

impl Heading {
    /// Breaks title and note into lines no wider than `limit`.
    pub(super) fn new(title: &str, note: &str, limit: f64) -> Result<Self, PlotError> {
        let mut lines = Vec::new();
        let mut height = 4.0;
        for (text, ink, above) in [(title, TITLE, 0.0), (note, NOTE, 4.0)] {
            height += above;
            for line in broken(text, ink, limit)? {
                height += LINE_HEIGHT * ink.em;
                lines.push((line, ink, height));
            }
        }
        height += 12.0;
        Ok(Self { lines, height })
    }

    /// Draws the lines from the top of the figure.
    pub(super) fn draw<DB: DrawingBackend>(
        &self,
        canvas: &Canvas<'_, DB>,
        left: f64,
    ) -> Result<(), PlotError> {
        self.lines
            .iter()
            .try_for_each(|(line, ink, base)| canvas.text(line, (left, *base), Anchor::Start, *ink))
    }
}

/// A text broken at spaces; a word wider than the limit has a line of its own.
fn broken(text: &str, ink: Ink, limit: f64) -> Result<Vec<String>, PlotError> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match longer {
            Some(longer) if width(&longer, ink.em, ink.weight)? <= limit => {
                lines.pop();
                lines.push(longer);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    Ok(lines)
}
