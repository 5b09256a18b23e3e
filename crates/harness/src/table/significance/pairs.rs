//! Every two methods over datasets.

use super::parts::{cells, joined, left_out, of_metrics, points};
use crate::stats::csv::number;
use crate::stats::{Axes, LEAST_DATASETS, LevelStatistics, Pair, RESAMPLES, SIGNIFICANCE};
use crate::table::caption::level;
use crate::table::model::{Column, Data, Document, Entry, Table};
use crate::table::shown::NONE;
use crate::table::shown::p_value;

pub(super) fn document(statistics: &[LevelStatistics], axes: &Axes) -> Document {
    Document {
        name: "statistics".to_owned(),
        title: "Every two methods over datasets".to_owned(),
        caption: format!(
            "Difference: mean over datasets of the difference of mean errors, method − against, in percentage points, with its bootstrap \
             95 % interval (BCa, {} resamples of the datasets; none below {LEAST_DATASETS} datasets). p: Wilcoxon's exact signed-rank test on the datasets' differences, \
             two-sided; p (Holm): corrected over all pairs of the error at the level, **bold** below 5 %. r: matched-pairs rank-biserial correlation, −1 where the \
             method has the lower error on every dataset, 1 where on none. Levels and errors are families of their own. {}",
            thousands(RESAMPLES),
            level(axes.unit)
        ),
        tables: of_metrics(statistics)
            .map(|(title, levels)| table(title, levels, axes))
            .collect(),
        data: data(statistics, axes),
    }
}

fn thousands(count: usize) -> String {
    format!("{},{:03}", count / 1000, count % 1000)
}

fn table(title: String, levels: &[LevelStatistics], axes: &Axes) -> Table {
    let mut notes = Vec::new();
    let mut lines = Vec::new();
    for place in 0..levels[0].pairs.len() {
        for of_level in levels {
            lines.push(line(
                &of_level.pairs[place],
                of_level.level,
                axes,
                &mut notes,
            ));
        }
    }
    Table {
        title: Some(title),
        columns: vec![
            Column::names("method", "method"),
            Column::names("against", "against"),
            Column::numbers(axes.unit.heading(), "level"),
            Column::numbers("difference", "difference"),
            Column::numbers("p", "p_value"),
            Column::numbers("p (Holm)", "p_value_holm"),
            Column::numbers("r", "rank_biserial"),
        ],
        lines,
        remark: remark(levels, axes.datasets.len()),
        notes,
        ..Table::default()
    }
}

fn line(pair: &Pair, level: f64, axes: &Axes, notes: &mut Vec<String>) -> Vec<Entry> {
    let [a, b] = pair.methods;
    let both = || cells(axes, &pair.methods, level, &pair.left_out);
    let everyone: Vec<usize> = (0..axes.methods.len()).collect();
    let difference = match (pair.mean_difference, pair.interval) {
        (Some(mean), Some([low, high])) => {
            format!("{} [{}, {}]", points(mean), points(low), points(high))
        }
        (Some(mean), None) => points(mean),
        (None, _) => NONE.to_owned(),
    };
    let numbers = pair.mean_difference.into_iter();
    let numbers = numbers.chain(pair.interval.into_iter().flatten());
    let biserial = pair.test.rank_biserial();
    let corrected = p_value(pair.corrected);
    let all = cells(axes, &everyone, level, &[]);
    vec![
        Entry::name(&axes.methods[a]),
        Entry::name(&axes.methods[b]),
        Entry::name(level.to_string()),
        Entry::result(difference, numbers, both()).noted(left_out(notes, axes, &pair.left_out)),
        Entry::result(p_value(pair.test.two_sided), [pair.test.two_sided], both()),
        Entry {
            best: pair.corrected < SIGNIFICANCE,
            ..Entry::result(corrected, [pair.corrected], all)
        },
        Entry::result(
            biserial.map_or_else(|| NONE.to_owned(), two_decimals),
            biserial,
            both(),
        ),
    ]
}

fn two_decimals(value: f64) -> String {
    // Adding 0 turns −0 into 0.
    format!("{:.2}", (100.0 * value).round() / 100.0 + 0.0).replace('-', "−")
}

/// The smallest corrected p-value there can be, where it is above 5 %: Wilcoxon's is at least 2^{1−n}, times the number of pairs.
fn remark(levels: &[LevelStatistics], datasets: usize) -> String {
    let pairs = levels[0].pairs.len();
    let complete = levels.iter().flat_map(|level| &level.pairs);
    let complete = complete.map(|pair| datasets - pair.left_out.len());
    let most = complete.max().unwrap_or(0);
    let least = 2.0_f64.powi(1 - i32::try_from(most).unwrap_or(i32::MAX));
    let least = (least * pairs as f64).min(1.0);
    if least < SIGNIFICANCE {
        return String::new();
    }
    format!(
        "No corrected p-value can be below {} here, whatever the errors are (datasets: {most} at most; pairs: {pairs}). Fewer claims, made before the \
         run in sections compare of the experiment file, can be.",
        p_value(least)
    )
}

fn data(statistics: &[LevelStatistics], axes: &Axes) -> Data {
    let mut data = Data::new([
        "metric",
        "level",
        "method",
        "against",
        "datasets",
        "left_out",
        "difference",
        "difference_low",
        "difference_high",
        "pairs",
        "positive_ranks",
        "p_value",
        "p_value_holm",
        "rank_biserial",
    ]);
    for level in statistics {
        for pair in &level.pairs {
            let [a, b] = pair.methods;
            data.records.push(vec![
                level.metric.name().to_owned(),
                number(Some(level.level)),
                axes.methods[a].clone(),
                axes.methods[b].clone(),
                (axes.datasets.len() - pair.left_out.len()).to_string(),
                joined(axes, &pair.left_out),
                number(pair.mean_difference),
                number(pair.interval.map(|[low, _]| low)),
                number(pair.interval.map(|[_, high]| high)),
                pair.test.pairs.to_string(),
                number(Some(pair.test.positive_ranks)),
                number(Some(pair.test.two_sided)),
                number(Some(pair.corrected)),
                number(pair.test.rank_biserial()),
            ]);
        }
    }
    data
}
