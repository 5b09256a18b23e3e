//! Every two methods on every dataset.

use super::parts::{by_level, noted, of_metrics, points};
use crate::stats::csv::number;
use crate::stats::{Axes, LevelStatistics, SIGNIFICANCE, Within};
use crate::table::caption::level;
use crate::table::model::{CellsOf, Data, Document, Entry, Table};
use crate::table::shown::NONE;

pub(super) fn document(statistics: &[LevelStatistics], axes: &Axes) -> Document {
    Document {
        name: "within_datasets".to_owned(),
        title: "Every two methods on every dataset".to_owned(),
        caption: format!(
            "Mean over repeats of the difference of errors, method − against, in percentage points, ± half of its corrected resampled 95 % t-interval \
             (Nadeau & Bengio 2003: repeats share rows, and their variance counts 1/R + n_test/n_train times); * where it leaves out 0. \
             Not corrected for the number of pairs. Effect sizes are in the CSV. {}",
            level(axes.unit)
        ),
        tables: of_metrics(statistics)
            .map(|(title, levels)| table(title, levels, axes))
            .collect(),
        data: data(statistics, axes),
    }
}

fn table(title: String, levels: &[LevelStatistics], axes: &Axes) -> Table {
    let (mut notes, mut lines) = (Vec::new(), Vec::new());
    for (d, dataset) in axes.datasets.iter().enumerate() {
        for (place, pair) in levels[0].pairs.iter().enumerate() {
            let methods = pair.methods.map(|method| &axes.methods[method]);
            let mut line: Vec<Entry> = [dataset, methods[0], methods[1]].map(Entry::name).into();
            line.extend(levels.iter().map(|level| {
                let cells = methods.map(|name| CellsOf::triple(dataset, name, level.level));
                entry(level.pairs[place].within[d].as_ref(), cells, &mut notes)
            }));
            lines.push(line);
        }
    }
    let names = ["dataset", "method", "against"];
    by_level(title, &names, (levels, axes.unit), lines, notes)
}

fn entry(within: Option<&Within>, cells: [CellsOf; 2], notes: &mut Vec<String>) -> Entry {
    let Some(within) = within else {
        let note = noted(notes, "no repeat has both.".to_owned());
        return Entry::result(NONE, [], cells).noted(Some(note));
    };
    let interval = within.test.interval;
    let mean = points(interval.mean);
    let is_clear = within.test.p_value.is_some_and(|p| p < SIGNIFICANCE);
    let star = if is_clear { "*" } else { "" };
    let text = match interval.half {
        Some(half) => format!("{mean} ± {:.1}{star}", 100.0 * half),
        None => mean,
    };
    let note = || {
        format!(
            "{} of {} repeats have both.",
            within.test.repeats, within.planned
        )
    };
    let note = (!within.complete()).then(|| noted(notes, note()));
    let numbers = [Some(interval.mean), interval.half].into_iter().flatten();
    Entry::result(text, numbers, cells).noted(note)
}

fn data(statistics: &[LevelStatistics], axes: &Axes) -> Data {
    let mut data = Data::new([
        "metric",
        "level",
        "dataset",
        "method",
        "against",
        "repeats",
        "planned",
        "mean",
        "against_mean",
        "difference",
        "difference_low",
        "difference_high",
        "sd",
        "t",
        "p_value",
        "d_z",
        "superiority",
    ]);
    for level in statistics {
        for (d, dataset) in axes.datasets.iter().enumerate() {
            for pair in &level.pairs {
                let Some(within) = &pair.within[d] else {
                    continue;
                };
                let [a, b] = pair.methods;
                let (test, interval) = (&within.test, within.test.interval);
                let end = |end: f64| interval.half.map(|_| end);
                data.records.push(vec![
                    level.metric.name().to_owned(),
                    number(Some(level.level)),
                    dataset.clone(),
                    axes.methods[a].clone(),
                    axes.methods[b].clone(),
                    test.repeats.to_string(),
                    within.planned.to_string(),
                    number(Some(within.means[0])),
                    number(Some(within.means[1])),
                    number(Some(interval.mean)),
                    number(end(interval.low())),
                    number(end(interval.high())),
                    number(test.sd),
                    number(test.statistic),
                    number(test.p_value),
                    number(test.d_z()),
                    number(Some(within.superiority)),
                ]);
            }
        }
    }
    data
}
