//! One critical-difference diagram: an axis of mean ranks, the methods hanging from it, and bars that join those not told apart.

use super::canvas::{Anchor, Canvas, Ink};
use super::error::PlotError;
use super::font::Weight;
use super::panel::{GRID, LABEL, SPINE};
use super::rank_figure::{RankPanel, Ranks};
use super::rank_layout::{
    AXIS, CLIQUE, CRITICAL, FIRST_CLIQUE, LABEL_GAP, MARKER, NAME, NUMBER, RankLayout, TITLE_BASE,
    clique_rows, halves, label, number_width,
};
use super::style::SeriesStyle;
use plotters::prelude::DrawingBackend;
use plotters::style::RGBColor;

const TITLE: Ink = Ink {
    em: 15.5,
    weight: Weight::Bold,
    colour: RGBColor(0x22, 0x22, 0x22),
};
const BLACK: RGBColor = RGBColor(0x22, 0x22, 0x22);
const TICK: f64 = 5.0;
/// How far a bar reaches beyond its methods.
const CAP: f64 = 4.0;

/// Draws the panel whose top is at `top`.
pub(super) fn draw_panel<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    panel: &RankPanel,
    methods: &[String],
    styles: &[SeriesStyle],
    layout: &RankLayout,
    top: f64,
) -> Result<(), PlotError> {
    canvas.line(&[(layout.left, top), (layout.right, top)], 0.8, GRID)?;
    let base = top + TITLE_BASE;
    canvas.text(&panel.title, (layout.left, base), Anchor::Start, TITLE)?;
    canvas.text(&panel.remark, (layout.right, base), Anchor::End, LABEL)?;
    let Some(ranks) = &panel.ranks else {
        return Ok(());
    };
    draw_critical(canvas, ranks, layout, top + CRITICAL)?;
    let axis = top + AXIS;
    draw_axis(canvas, methods.len(), layout, axis)?;
    draw_methods(canvas, ranks, methods, styles, layout, axis)?;
    draw_cliques(canvas, ranks, layout, axis)
}

/// The critical difference as a length on the axis.
fn draw_critical<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    ranks: &Ranks,
    layout: &RankLayout,
    y: f64,
) -> Result<(), PlotError> {
    let (left, right) = (
        layout.axis.place(1.0),
        layout.axis.place(1.0 + ranks.critical_difference),
    );
    canvas.line(&[(left, y), (right, y)], 1.4, BLACK)?;
    for x in [left, right] {
        canvas.line(&[(x, y - 3.5), (x, y + 3.5)], 1.4, BLACK)?;
    }
    let text = format!("CD = {:.2}", ranks.critical_difference);
    let at = (right + LABEL_GAP, y + 0.35 * NUMBER.em);
    canvas.text(&text, at, Anchor::Start, NUMBER)
}

fn draw_axis<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    methods: usize,
    layout: &RankLayout,
    y: f64,
) -> Result<(), PlotError> {
    let place = |rank: f64| layout.axis.place(rank);
    let last = methods as f64;
    canvas.line(&[(place(1.0), y), (place(last), y)], 1.2, SPINE)?;
    for rank in 1..=methods {
        let rank = rank as f64;
        let x = place(rank);
        canvas.line(&[(x, y - TICK), (x, y)], 1.2, SPINE)?;
        let at = (x, y - TICK - 4.0);
        canvas.text(&rank.to_string(), at, Anchor::Middle, LABEL)?;
        if rank < last {
            let half = place(rank + 0.5);
            canvas.line(&[(half, y - 0.6 * TICK), (half, y)], 0.8, SPINE)?;
        }
    }
    Ok(())
}

/// Leaders and labels: the better half to the left, the worse to the right.
fn draw_methods<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    ranks: &Ranks,
    methods: &[String],
    styles: &[SeriesStyle],
    layout: &RankLayout,
    axis: f64,
) -> Result<(), PlotError> {
    let beside = MARKER + LABEL_GAP;
    let name = beside + number_width()? + LABEL_GAP;
    let sides = [
        (layout.leaders.0, -1.0, Anchor::End),
        (layout.leaders.1, 1.0, Anchor::Start),
    ];
    for (half, (end, side, anchor)) in halves(&ranks.means).into_iter().zip(sides) {
        for (row, method) in half.into_iter().enumerate() {
            let rank = ranks.means[method];
            let (x, y) = (layout.axis.place(rank), axis + label(ranks, row));
            canvas.line(&[(x, axis), (x, y), (end, y)], 1.1, styles[method].colour)?;
            canvas.marker((end, y), styles[method])?;
            let at = (end + side * beside, y + 0.35 * NUMBER.em);
            canvas.text(&format!("{rank:.2}"), at, anchor, NUMBER)?;
            let at = (end + side * name, y + 0.33 * NAME.em);
            canvas.text(&methods[method], at, anchor, NAME)?;
        }
    }
    Ok(())
}

fn draw_cliques<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    ranks: &Ranks,
    layout: &RankLayout,
    axis: f64,
) -> Result<(), PlotError> {
    for (clique, row) in ranks.cliques.iter().zip(clique_rows(ranks)) {
        let places = clique.iter().map(|m| layout.axis.place(ranks.means[*m]));
        let (left, right) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        let y = axis + FIRST_CLIQUE + row as f64 * CLIQUE;
        canvas.line(&[(left - CAP, y), (right + CAP, y)], 4.0, BLACK)?;
    }
    Ok(())
}
