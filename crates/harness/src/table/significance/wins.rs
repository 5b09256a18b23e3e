//! On how many datasets one method is better than another.

use super::parts::{by_level, cells, counts, joined, left_out, of_metrics};
use crate::stats::csv::number;
use crate::stats::{Axes, LevelStatistics, Pair};
use crate::table::caption::level;
use crate::table::model::{Data, Document, Entry, Table};

pub(super) fn document(statistics: &[LevelStatistics], axes: &Axes) -> Document {
    Document {
        name: "wins".to_owned(),
        title: "Wins, ties and losses".to_owned(),
        caption: format!(
            "*Wins–ties–losses* of the method against the other: datasets on which its error is lower, not told apart and higher by the corrected \
             resampled t-test over repeats (Nadeau & Bengio 2003; two-sided, 5 %, not corrected for the number of pairs: of 100 ties, 5 count as won \
             or lost). In parentheses, datasets on which its mean error is *lower–equal–higher*. {}",
            level(axes.unit)
        ),
        tables: of_metrics(statistics)
            .map(|(title, levels)| table(title, levels, axes))
            .collect(),
        data: data(statistics, axes),
    }
}

fn table(title: String, levels: &[LevelStatistics], axes: &Axes) -> Table {
    let mut notes = Vec::new();
    let line = |place: usize| {
        let methods = levels[0].pairs[place].methods;
        let mut line: Vec<Entry> = methods.map(|m| Entry::name(&axes.methods[m])).into();
        line.extend(levels.iter().map(|level| {
            let pair = &level.pairs[place];
            let note = left_out(&mut notes, axes, &pair.left_out);
            entry(pair, level.level, axes).noted(note)
        }));
        line
    };
    let lines = (0..levels[0].pairs.len()).map(line).collect();
    by_level(
        title,
        &["method", "against"],
        (levels, axes.unit),
        lines,
        notes,
    )
}

fn entry(pair: &Pair, level: f64, axes: &Axes) -> Entry {
    let by_means = format!("({})", counts(pair.lower_equal_higher));
    let text = match pair.wins_ties_losses {
        Some(tested) => format!("{} {by_means}", counts(tested)),
        None => by_means,
    };
    let numbers = pair.wins_ties_losses.into_iter().flatten();
    let numbers = numbers.chain(pair.lower_equal_higher);
    let cells = cells(axes, &pair.methods, level, &pair.left_out);
    Entry::result(text, numbers.map(|count| count as f64), cells)
}

fn data(statistics: &[LevelStatistics], axes: &Axes) -> Data {
    let mut data = Data::new([
        "metric", "level", "method", "against", "datasets", "left_out", "wins", "ties", "losses",
        "lower", "equal", "higher",
    ]);
    for level in statistics {
        for pair in &level.pairs {
            let [a, b] = pair.methods;
            let mut record = vec![
                level.metric.name().to_owned(),
                number(Some(level.level)),
                axes.methods[a].clone(),
                axes.methods[b].clone(),
                (axes.datasets.len() - pair.left_out.len()).to_string(),
                joined(axes, &pair.left_out),
            ];
            record.extend((0..3).map(|k| {
                let tested = pair.wins_ties_losses.map(|counts| counts[k].to_string());
                tested.unwrap_or_default()
            }));
            record.extend(pair.lower_equal_higher.map(|count| count.to_string()));
            data.records.push(record);
        }
    }
    data
}
