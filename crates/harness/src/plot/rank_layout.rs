//! Where the parts of a critical-difference diagram stand.

use super::canvas::Ink;
use super::error::PlotError;
use super::font::{Weight, width};
use super::rank_figure::{RankPanel, Ranks};
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
/// The least distance of two ranks on the axis.
const LEAST_RANK: f64 = 30.0;

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
    /// As wide as `least`, or as the axis and the methods' names on either side need.
    pub(super) fn new(
        methods: &[String],
        panels: &[RankPanel],
        margin: f64,
        least: f64,
    ) -> Result<Self, PlotError> {
        let mut labels = [0.0_f64; 2];
        for ranks in panels.iter().filter_map(|panel| panel.ranks.as_ref()) {
            for (label, half) in labels.iter_mut().zip(halves(&ranks.means)) {
                for method in half {
                    *label = label.max(width(&methods[method], NAME.em, NAME.weight)?);
                }
            }
        }
        let beside = number_width()? + MARKER + 2.0 * LABEL_GAP + margin;
        let labels = labels.map(|label| label + beside);
        let axis = LEAST_AXIS.max(LEAST_RANK * (methods.len() as f64 - 1.0));
        let width = least.max(labels[0] + labels[1] + 2.0 * LEADER + axis);
        let leaders = (labels[0], width - labels[1]);
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

/// The better half of the methods, best first, and the worse one, worst first: each from the highest row down, so that no two
/// leaders cross.
pub(super) fn halves(means: &[f64]) -> [Vec<usize>; 2] {
    let mut better: Vec<usize> = (0..means.len()).collect();
    better.sort_by(|&a, &b| means[a].total_cmp(&means[b]));
    let mut worse = better.split_off(means.len().div_ceil(2));
    worse.reverse();
    [better, worse]
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
    use super::{
        LEADER, LEAST_AXIS, RankLayout, RankPanel, Ranks, clique_rows, halves, panel_height,
    };
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
    fn long_names_widen_their_side_alone_and_never_the_axis_away() {
        register().unwrap();
        let layout = |name: &str| {
            let mut names: Vec<String> = (0..6).map(|k| format!("m{k}")).collect();
            names[5] = name.to_owned();
            let panel = RankPanel {
                title: String::new(),
                remark: String::new(),
                ranks: Some(ranks(&[])),
            };
            let layout = RankLayout::new(&names, &[panel], 14.0, 720.0).unwrap();
            let (left, right) = layout.axis.places;
            assert!(right - left >= LEAST_AXIS - 1e-9);
            assert!(layout.leaders.0 + LEADER == left && right + LEADER == layout.leaders.1);
            layout
        };
        let short = layout("rff");
        assert_eq!(short.width, 720.0);
        let long = layout(&"robust-nystrom-with-leverage-scores-and".repeat(2));
        assert!(long.width > 800.0);
        assert_eq!(long.leaders.0, short.leaders.0);
    }

    #[test]
    fn rows_are_taken_from_the_ends() {
        assert_eq!(
            halves(&[3.0, 1.0, 2.0, 5.0, 4.0]),
            [vec![1, 2, 0], vec![3, 4]]
        );
    }
}
