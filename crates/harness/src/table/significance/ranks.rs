//! All methods: mean ranks with Friedman's test, and mean errors over datasets with bootstrap intervals.

use super::parts::{cells, joined, left_out, level_columns, noted, of_metrics};
use crate::stats::csv::number;
use crate::stats::{Axes, LEAST_DATASETS, LEAST_RANKED, LevelStatistics, RankTest, SIGNIFICANCE};
use crate::table::caption::level;
use crate::table::model::{Column, Data, Document, Entry, Table};
use crate::table::shown::p_value;
use crate::table::shown::{NONE, percent};

pub(super) fn document(statistics: &[LevelStatistics], axes: &Axes) -> Document {
    Document {
        name: "ranks".to_owned(),
        title: "All methods over datasets".to_owned(),
        caption: format!(
            "Only datasets on which every planned repeat of every method was measured. *Mean ranks*: 1 is the lowest error, equal ones share \
             their mean; **bold**: the lowest. F: Friedman's test, corrected for ties, as Iman and Davenport's F (— where all datasets rank alike); p: of F, **bold** below 5 %. \
             If it is, two methods are told apart where their ranks differ by Nemenyi's critical difference at 5 % or more. *Mean errors*: in percent, \
             each dataset with the same weight, and bootstrap 95 % intervals over datasets (BCa; none below {LEAST_DATASETS} datasets). {}",
            level(axes.unit)
        ),
        tables: of_metrics(statistics)
            .flat_map(|(title, levels)| [ranks(&title, levels, axes), means(&title, levels, axes)])
            .collect(),
        data: data(statistics, axes),
    }
}

/// A line that is not a method's: its name, and what it shows of a test.
type TestLine = (&'static str, fn(&RankTest) -> Option<(f64, String)>);

const TESTS: [TestLine; 3] = [
    ("*F*", |test| {
        Some((test.friedman.f?, format!("{:.2}", test.friedman.f?)))
    }),
    ("*p*", |test| {
        Some((test.friedman.p_value, p_value(test.friedman.p_value)))
    }),
    ("*critical difference*", |test| {
        Some((
            test.critical_difference,
            format!("{:.2}", test.critical_difference),
        ))
    }),
];

fn ranks(title: &str, levels: &[LevelStatistics], axes: &Axes) -> Table {
    let mut columns = vec![Column::names("method", "method")];
    columns.extend(level_columns(levels, axes.unit));
    let mut notes = Vec::new();
    let everyone: Vec<usize> = (0..axes.methods.len()).collect();
    let mut lines = Vec::new();
    let of_level =
        |level: &LevelStatistics, shown: Option<(f64, String)>, notes: &mut Vec<String>| {
            let cells = cells(axes, &everyone, level.level, &level.ranking.left_out);
            let note = match &level.ranking.test {
                Some(_) => left_out(notes, axes, &level.ranking.left_out),
                None => Some(noted(notes, too_few(level, axes))),
            };
            let (number, text) = shown.map_or((None, NONE.to_owned()), |(n, text)| (Some(n), text));
            Entry::result(text, number, cells).noted(note)
        };
    for (m, method) in axes.methods.iter().enumerate() {
        let mut line = vec![Entry::name(method)];
        line.extend(levels.iter().map(|level| {
            let test = level.ranking.test.as_ref();
            let all = test.map(|test| &test.friedman.mean_ranks);
            let rank = all.map(|ranks| (ranks[m], format!("{:.2}", ranks[m])));
            let best = all.is_some_and(|ranks| ranks.iter().all(|rank| *rank >= ranks[m]));
            Entry {
                best,
                ..of_level(level, rank, &mut notes)
            }
        }));
        lines.push(line);
    }
    for (name, shown) in TESTS {
        let mut line = vec![Entry::name(name.trim_matches('*'))];
        line.extend(levels.iter().map(|level| {
            let test = level.ranking.test.as_ref();
            let rejects = test.is_some_and(|test| test.friedman.p_value < SIGNIFICANCE);
            Entry {
                best: name == "*p*" && rejects,
                ..of_level(level, test.and_then(shown), &mut notes)
            }
        }));
        lines.push(line);
    }
    Table {
        title: Some(format!("{title}: mean ranks")),
        columns,
        lines,
        notes,
        ..Table::default()
    }
}

/// Why there are no ranks.
fn too_few(level: &LevelStatistics, axes: &Axes) -> String {
    let (complete, all) = (level.ranking.datasets.len(), axes.datasets.len());
    let mut why = format!(
        "ranks need {LEAST_RANKED} methods and {LEAST_RANKED} complete datasets; here are {} methods and {complete} of {all} datasets.",
        axes.methods.len()
    );
    if complete < all {
        why += " Not complete: ";
        why += &joined(axes, &level.ranking.left_out).replace(';', ", ");
        why += ".";
    }
    why
}

fn means(title: &str, levels: &[LevelStatistics], axes: &Axes) -> Table {
    let mut columns = vec![Column::names("method", "method")];
    columns.extend(level_columns(levels, axes.unit));
    let mut notes = Vec::new();
    let mut line = |m: usize| {
        let mut line = vec![Entry::name(&axes.methods[m])];
        line.extend(levels.iter().map(|level| {
            let ranking = &level.ranking;
            let mean = ranking.means.as_ref().map(|means| means[m]);
            let ends = ranking.intervals.as_ref().map(|intervals| intervals[m]);
            let text = match (mean, ends) {
                (Some(mean), Some([low, high])) => {
                    format!("{} [{}, {}]", percent(mean), percent(low), percent(high))
                }
                (Some(mean), None) => percent(mean),
                (None, _) => NONE.to_owned(),
            };
            let numbers = mean.into_iter().chain(ends.into_iter().flatten());
            let cells = cells(axes, &[m], level.level, &ranking.left_out);
            let note = left_out(&mut notes, axes, &ranking.left_out);
            Entry::result(text, numbers, cells).noted(note)
        }));
        line
    };
    Table {
        title: Some(format!("{title}: means")),
        columns,
        lines: (0..axes.methods.len()).map(&mut line).collect(),
        notes,
        ..Table::default()
    }
}

fn data(statistics: &[LevelStatistics], axes: &Axes) -> Data {
    let mut data = Data::new([
        "metric",
        "level",
        "method",
        "datasets",
        "left_out",
        "mean",
        "mean_low",
        "mean_high",
        "mean_rank",
        "friedman_chi_square",
        "friedman_chi_square_p",
        "friedman_f",
        "friedman_p",
        "critical_difference",
    ]);
    for level in statistics {
        let ranking = &level.ranking;
        let test = ranking.test.as_ref();
        let friedman = test.map(|test| &test.friedman);
        for (m, method) in axes.methods.iter().enumerate() {
            let ends = ranking.intervals.as_ref().map(|intervals| intervals[m]);
            data.records.push(vec![
                level.metric.name().to_owned(),
                number(Some(level.level)),
                method.clone(),
                ranking.datasets.len().to_string(),
                joined(axes, &ranking.left_out),
                number(ranking.means.as_ref().map(|means| means[m])),
                number(ends.map(|[low, _]| low)),
                number(ends.map(|[_, high]| high)),
                number(friedman.map(|friedman| friedman.mean_ranks[m])),
                number(friedman.map(|friedman| friedman.chi_square)),
                number(friedman.map(|friedman| friedman.chi_square_p)),
                number(friedman.and_then(|friedman| friedman.f)),
                number(friedman.map(|friedman| friedman.p_value)),
                number(test.map(|test| test.critical_difference)),
            ]);
        }
    }
    data
}
