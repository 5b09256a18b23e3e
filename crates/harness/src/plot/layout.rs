//! Where things stand in a figure.

/// A rectangle: left, top, right, bottom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// Places of a figure's parts.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Where the lowest panels end.
    pub(super) grid_bottom: f64,
    /// The inside of each panel's axes.
    pub(super) panels: Vec<Rect>,
    /// Whether a panel is the lowest of its column, and so has the labels of the levels.
    pub(super) lowest: Vec<bool>,
}

/// Space left of the first column, for the title of the y axis.
pub(super) const Y_TITLE: f64 = 24.0;
/// Space left of a panel, for the labels of marks up to 100.
pub(super) const Y_LABELS: f64 = 36.0;
/// Space above a panel, for its title.
pub(super) const PANEL_TITLE: f64 = 32.0;
const X_LABELS: f64 = 24.0;
const X_TITLE: f64 = 26.0;
const GAP: f64 = 14.0;
const MARGIN: f64 = 12.0;

impl Layout {
    /// Panels in a grid of `columns` ≥ 1 below what ends at `top`, as high as `aspect` times their width, with `y_labels` left of
    /// each.
    pub(super) fn new(panels: usize, columns: usize, top: f64, aspect: f64, y_labels: f64) -> Self {
        Self::within(width(columns), [panels, columns], top, aspect, y_labels)
    }

    /// The same in a figure of this width.
    pub(super) fn within(
        width: f64,
        [panels, columns]: [usize; 2],
        top: f64,
        aspect: f64,
        y_labels: f64,
    ) -> Self {
        let rows = panels.div_ceil(columns);
        let pitch = (width - Y_TITLE - MARGIN) / columns as f64;
        let inner_width = pitch - y_labels - GAP / 2.0;
        let inner_height = (aspect * inner_width).min(300.0);
        let row_height = PANEL_TITLE + inner_height + GAP;
        let grid_top = top + GAP;
        let rect = |index: usize| {
            let left = Y_TITLE + (index % columns) as f64 * pitch + y_labels;
            let top = grid_top + (index / columns) as f64 * row_height + PANEL_TITLE;
            Rect {
                left,
                top,
                right: left + inner_width,
                bottom: top + inner_height,
            }
        };
        Self {
            width,
            grid_bottom: grid_top + rows as f64 * row_height - GAP,
            height: (grid_top + rows as f64 * row_height + X_LABELS + X_TITLE).ceil(),
            panels: (0..panels).map(rect).collect(),
            lowest: (0..panels).map(|index| index + columns >= panels).collect(),
        }
    }

    /// The layout with room below each row for labels and title of its own x axes.
    pub(super) fn with_x_labels(mut self) -> Self {
        let mut tops: Vec<f64> = self.panels.iter().map(|rect| rect.top).collect();
        tops.dedup();
        for rect in &mut self.panels {
            let row = tops.iter().position(|top| *top == rect.top).unwrap_or(0);
            let lower = row as f64 * (X_LABELS + X_TITLE);
            rect.top += lower;
            rect.bottom += lower;
        }
        self.lowest.fill(true);
        self.height += tops.len().saturating_sub(1) as f64 * (X_LABELS + X_TITLE);
        self
    }

    /// Width and height in whole units of the figure.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.width, self.height].map(|length| length.round() as u32)
    }
}

/// Width of a figure with so many columns: a full text width from three on.
pub(super) fn width(columns: usize) -> f64 {
    match columns {
        1 => 560.0,
        2 => 720.0,
        _ => 960.0,
    }
}

/// At most four columns, three where these leave fewer places of the grid empty.
pub(super) fn columns(panels: usize) -> usize {
    let empty = |columns: usize| panels.next_multiple_of(columns) - panels;
    match panels {
        0..=4 => panels.max(1),
        _ if empty(3) < empty(4) => 3,
        _ => 4,
    }
}
