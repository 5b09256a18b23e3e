//! `tables/published`: published accuracies beside ours.

use super::published::Published;
use super::spec_noise::NoiseKind;
use super::summary::{Condition, Summary};
use super::table::{cells, measured};
use crate::stats::csv::number;
use crate::table::shown::NONE;
use crate::table::{Column, Data, Document, Entry, Table};

/// A method, what it is compared with, and what the difference is called.
const PAIRS: [[&str; 2]; 3] = [
    ["KDA-NGEU", "KDA-GE"],
    ["KMFA-NGEU", "KMFA-GE"],
    ["KPCA-NGEU", "KPCA-GE"],
];

/// Every published figure beside what was measured, and what embedding distributions gains over embedding points.
pub(super) fn comparison(summary: &Summary<'_>, published: &Published) -> Document {
    let condition = Condition {
        noise: NoiseKind::None,
        level: summary.levels()[0],
    };
    let mut data = Data::new([
        "dataset",
        "quantity",
        "published",
        "measured",
        "low",
        "high",
    ]);
    let figures = figures(summary, published, condition, &mut data);
    let gains = gains(summary, published, condition, &mut data);
    Document {
        name: "published".to_owned(),
        title: "Published and measured".to_owned(),
        caption: format!(
            "Published: {}. Accuracies in percent, differences in percentage points, measured less published. Where repeats or folds are several, ± is their \
             standard deviation.",
            published.source
        ),
        tables: vec![figures, gains],
        data,
    }
}

fn figures(
    summary: &Summary<'_>,
    published: &Published,
    condition: Condition,
    data: &mut Data,
) -> Table {
    let mut lines = Vec::new();
    for dataset in summary.datasets() {
        for method in summary.methods() {
            let Some((accuracy, deviation)) = published.of(dataset, method) else {
                continue;
            };
            let moments = summary.accuracy(dataset, method, condition);
            let of = || cells(summary, dataset, method, condition);
            let spread = deviation
                .map(|sd| format!(" ± {sd:.2}"))
                .unwrap_or_default();
            let difference = match moments {
                Some(moments) => {
                    let points = 100.0 * moments.mean - accuracy;
                    Entry::result(signed(points), [points / 100.0], [of()])
                }
                None => Entry::result(NONE, [], [of()]),
            };
            lines.push(vec![
                Entry::name(dataset),
                Entry::name(method),
                Entry::name(format!("{accuracy:.2}{spread}")),
                measured(moments, of()),
                difference,
            ]);
            data.records.push(vec![
                dataset.to_owned(),
                method.to_owned(),
                number(Some(accuracy / 100.0)),
                number(moments.map(|m| m.mean)),
                String::new(),
                String::new(),
            ]);
        }
    }
    Table {
        title: Some("Accuracy".to_owned()),
        columns: vec![
            Column::names("dataset", "dataset"),
            Column::names("method", "method"),
            Column::numbers("published", "published").in_unit("%"),
            Column::numbers("measured", "measured").in_unit("%"),
            Column::numbers("difference", "difference").in_unit("%"),
        ],
        lines,
        ..Table::default()
    }
}

/// What embedding distributions gains over embedding points.
fn gains(
    summary: &Summary<'_>,
    published: &Published,
    condition: Condition,
    data: &mut Data,
) -> Table {
    let mut lines = Vec::new();
    for dataset in summary.datasets() {
        for [method, other] in PAIRS {
            let Some((mean, ends)) = summary.difference(dataset, [method, other], condition) else {
                continue;
            };
            let both = [published.of(dataset, method), published.of(dataset, other)];
            let theirs = match both {
                [Some((one, _)), Some((two, _))] => Some(one - two),
                _ => None,
            };
            let of = [method, other].map(|name| cells(summary, dataset, name, condition));
            lines.push(vec![
                Entry::name(dataset),
                Entry::name(format!("{method} − {other}")),
                Entry::name(theirs.map_or_else(|| NONE.to_owned(), signed)),
                Entry::result(interval(mean, ends), [mean, ends[0], ends[1]], of),
            ]);
            data.records.push(vec![
                dataset.to_owned(),
                format!("{method} less {other}"),
                number(theirs.map(|points| points / 100.0)),
                number(Some(mean)),
                number(Some(ends[0])),
                number(Some(ends[1])),
            ]);
        }
    }
    Table {
        title: Some("What embedding distributions gains over embedding points".to_owned()),
        caption: "Measured: mean with its 95 % corrected resampled t-interval (Nadeau & Bengio 2003), of several repeats or folds; of one, with Newcombe's 95 % interval (1998) for independent test rows, wider than need be as the rows are the same.".to_owned(),
        columns: vec![
            Column::names("dataset", "dataset"),
            Column::names("difference", "difference"),
            Column::numbers("published", "published").in_unit("%"),
            Column::numbers("measured", "measured").in_unit("%"),
        ],
        lines,
        ..Table::default()
    }
}

/// Percentage points with their sign.
fn signed(points: f64) -> String {
    format!("{points:+.2}").replace('-', "−")
}

/// A difference of shares and its ends, in percentage points.
fn interval(mean: f64, ends: [f64; 2]) -> String {
    let [mean, low, high] = [mean, ends[0], ends[1]].map(|share| signed(100.0 * share));
    format!("{mean} [{low}, {high}]")
}

#[cfg(test)]
mod tests {
    use super::{interval, signed};

    #[test]
    fn points_and_intervals_in_words() {
        assert_eq!(
            (signed(-1.234), signed(0.5)),
            ("−1.23".into(), "+0.50".into())
        );
        let told = interval(0.02, [-0.01, 0.05]);
        assert_eq!(told, "+2.00 [−1.00, +5.00]");
    }
}
