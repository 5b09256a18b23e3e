//! Where the parts of a critical-difference diagram stand.

use super::canvas::Ink;
use super::error::PlotError;
use super::font::{Weight, width};
use super::rank_figure::Ranks;
use super::scale::Scale;
use plotters::style::RGBColor;

pub(super) const NAME: Ink = Ink {
    em: 15.0,
    weight: Weight::Regular,
    colour: RGBColor(0x22, 0x22, 0x22),
};
pub(super) const NUMBER: Ink = Ink {
    em: 13.0,
    weight: Weight::Regular,
    colour: RGBColor(0x77, 0x77, 0x77),
};
/// Half the width of a method's marker, at the end of its leader.
pub(super) const MARKER: f64 = 4.0;
/// Between a marker and its label, and between the label's parts.
pub(super) const LABEL_GAP: f64 = 7.0;
/// Length of the leaders of the outermost methods.
const LEADER: f64 = 22.0;
const LEAST_AXIS: f64 = 280.0;

/// From the top of a panel to the base line of its title, the bar of the critical difference and the axis.
pub(super) const TITLE_BASE: f64 = 20.0;
pub(super) const CRITICAL: f64 = 44.0;
pub(super) const AXIS: f64 = 74.0;
/// From the axis to the first clique, and from a clique to the next.
pub(super) const FIRST_CLIQUE: f64 = 12.0;
pub(super) const CLIQUE: f64 = 8.0;
/// From the last clique to the first label, and from a label to the next.
const FIRST_LABEL: f64 = 14.0;
const LABEL: f64 = 21.0;
const GAP: f64 = 18.0;
/// Height of a panel without ranks.
const EMPTY: f64 = 46.0;

/// Places across the figure, the same for all panels.
pub(super) struct RankLayout {
    pub(super) width: f64,
    /// Left edge of the titles.
    pub(super) left: f64,
    /// Right edge of the remarks.
    pub(super) right: f64,
    /// Mean ranks.
    pub(super) axis: Scale,
    /// Where the leaders of the better and the worse half end.
    pub(super) leaders: (f64, f64),
}

impl RankLayout {
    /// As wide as `least`, or as the methods' names need.
    pub(super) fn new(methods: &[String], margin: f64, least: f64) -> Result<Self, PlotError> {
        let mut label: f64 = 0.0;
        for method in methods {
            label = label.max(width(method, NAME.em, NAME.weight)?);
        }
        label += number_width()? + MARKER + 2.0 * LABEL_GAP;
        let needed = 2.0 * (margin + label + LEADER) + LEAST_AXIS;
        let width = least.max(needed);
        let leaders = (margin + label, width - margin - label);
        Ok(Self {
            width,
            left: margin,
            right: width - margin,
            axis: Scale {
                values: (1.0, methods.len() as f64),
                places: (leaders.0 + LEADER, leaders.1 - LEADER),
            },
            leaders,
        })
    }
}

/// Width of a mean rank.
pub(super) fn number_width() -> Result<f64, PlotError> {
    width("10.00", NUMBER.em, NUMBER.weight)
}

/// The row of each clique, from the axis down: those of one row do not meet.
pub(super) fn clique_rows(ranks: &Ranks) -> Vec<usize> {
    let rank = |method: Option<&usize>| method.map_or(0.0, |method| ranks.means[*method]);
    let mut ends: Vec<f64> = Vec::new();
    let rows = ranks.cliques.iter().map(|clique| {
        // Places are in the order of ranks; a little room keeps the caps of two bars apart.
        let (first, last) = (rank(clique.first()), rank(clique.last()) + 0.15);
        let row = ends.iter().position(|end| *end < first);
        let row = row.unwrap_or(ends.len());
        if row == ends.len() {
            ends.push(last);
        } else {
            ends[row] = last;
        }
        row
    });
    rows.collect()
}

/// From the axis to the first label.
pub(super) fn first_label(ranks: &Ranks) -> f64 {
    let rows = clique_rows(ranks)
        .into_iter()
        .max()
        .map_or(0, |row| row + 1);
    FIRST_CLIQUE + rows as f64 * CLIQUE + FIRST_LABEL
}

/// From the axis to the label in `row`.
pub(super) fn label(ranks: &Ranks, row: usize) -> f64 {
    first_label(ranks) + row as f64 * LABEL
}

/// Height of a panel.
pub(super) fn panel_height(ranks: Option<&Ranks>) -> f64 {
    ranks.map_or(EMPTY, |ranks| {
        let rows = ranks.means.len().div_ceil(2);
        AXIS + label(ranks, rows.saturating_sub(1)) + GAP
    })
}

#[cfg(test)]
mod tests {
    use super::{LEADER, LEAST_AXIS, RankLayout, Ranks, clique_rows, panel_height};
    use crate::plot::font::register;

    fn ranks(cliques: &[&[usize]]) -> Ranks {
        Ranks {
            means: vec![1.2, 2.0, 2.9, 3.1, 4.5, 4.7],
            critical_difference: 1.5,
            cliques: cliques.iter().map(|clique| clique.to_vec()).collect(),
        }
    }

    #[test]
    fn bars_share_a_row_where_they_do_not_meet() {
        assert_eq!(clique_rows(&ranks(&[&[0, 1], &[2, 3], &[4, 5]])), [0, 0, 0]);
        let chain = ranks(&[&[0, 1], &[1, 2, 3], &[3, 4], &[4, 5]]);
        assert_eq!(clique_rows(&chain), [0, 1, 0, 1]);
        assert!(clique_rows(&ranks(&[])).is_empty());
        // A row of bars more is that much higher.
        let [one, two] = [ranks(&[&[0, 1]]), chain].map(|ranks| panel_height(Some(&ranks)));
        assert!(two - one == super::CLIQUE, "{one} {two}");
    }

    #[test]
    fn long_names_widen_the_figure_and_never_the_axis_away() {
        register().unwrap();
        let width = |name: &str| {
            let names = vec!["a".to_owned(), name.to_owned()];
            let layout = RankLayout::new(&names, 14.0, 720.0).unwrap();
            let (left, right) = layout.axis.places;
            assert!(right - left >= LEAST_AXIS - 1e-9);
            assert!(layout.leaders.0 + LEADER == left && right + LEADER == layout.leaders.1);
            layout.width
        };
        assert_eq!(width("rff"), 720.0);
        assert!(width("robust-nystrom-with-leverage-scores-and-orthogonal-features") > 1000.0);
    }
}
