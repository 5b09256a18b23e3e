//! The critical-difference diagrams of a classification: a figure an error, a panel a level.

use super::picture::{Picture, Plot};
use super::rank_figure::{RankFigure, RankPanel, Ranks};
use crate::stats::{Axes, LEAST_RANKED, LevelStatistics, RankTest, SIGNIFICANCE};
use crate::table::caption::words;
use crate::table::shown::p_value;

/// `critical_difference_<error>` of each error that has ranks at some level, of statistics over the same axes.
pub fn rank_plots(statistics: &[LevelStatistics], axes: &Axes) -> Vec<Plot> {
    let of_metrics = statistics.chunk_by(|a, b| a.metric == b.metric);
    let ranked = of_metrics.filter(|levels| levels.iter().any(|l| l.ranking.test.is_some()));
    let figure = |levels: &[LevelStatistics]| {
        let metric = levels[0].metric;
        let mut panels: Vec<&LevelStatistics> = levels.iter().collect();
        panels.sort_by(|a, b| a.level.total_cmp(&b.level));
        let figure = RankFigure {
            title: format!("Mean ranks by {}", words(metric)),
            note: "Ranks over datasets, 1 for the lowest error. Methods that a bar joins are not told apart: their mean ranks differ by \
                   less than Nemenyi's critical difference (CD, 5 %), or Friedman's test does not reject. Each level is tested by itself."
                .to_owned(),
            methods: axes.methods.clone(),
            robust: axes.methods.iter().map(|name| axes.robust.contains(name)).collect(),
            panels: panels.into_iter().map(|level| panel(level, axes)).collect(),
        };
        let name = metric.name().replace('-', "_");
        Plot::new(
            format!("critical_difference_{name}"),
            Picture::Ranks(figure),
        )
    };
    ranked.map(figure).collect()
}

fn panel(level: &LevelStatistics, axes: &Axes) -> RankPanel {
    let ranking = &level.ranking;
    let (ranked, all) = (ranking.datasets.len(), axes.datasets.len());
    let datasets = if ranked == all {
        format!("{all} datasets")
    } else {
        format!("{ranked} of {all} datasets, the others incomplete")
    };
    let remark = match &ranking.test {
        Some(test) => format!("{} · {datasets}", friedman(test)),
        None => format!("{datasets}: ranks need {LEAST_RANKED}"),
    };
    RankPanel {
        title: format!("{} = {}", axes.unit.heading(), level.level),
        remark,
        ranks: ranking.test.as_ref().map(|test| Ranks {
            means: test.friedman.mean_ranks.clone(),
            critical_difference: test.critical_difference,
            cliques: test.cliques.clone(),
        }),
    }
}

fn friedman(test: &RankTest) -> String {
    let p = test.friedman.p_value;
    let verdict = if p < SIGNIFICANCE {
        ""
    } else {
        ": does not reject"
    };
    format!("Friedman p = {}{verdict}", p_value(p))
}
