//! `tables/confusion`: counts of true and predicted classes.

use super::spec_noise::NoiseKind;
use super::summary::{Condition, Summary};
use super::table::cells;
use crate::table::{Column, Data, Document, Entry, Table};

/// A table for each dataset and method, without noise, all repeats together.
pub(super) fn confusion(summary: &Summary<'_>) -> Document {
    let condition = Condition {
        noise: NoiseKind::None,
        level: summary.levels()[0],
    };
    let mut data = Data::new(["dataset", "method", "class", "predicted", "count"]);
    let mut tables = Vec::new();
    for task in &summary.plan.tasks {
        let Ok(loaded) = &task.loaded else { continue };
        let (dataset, names) = (task.label.as_str(), &loaded.class_names);
        for method in summary.methods() {
            let Some(counts) = summary.confusion(dataset, method, condition) else {
                continue;
            };
            let mut lines = Vec::new();
            for (i, class) in names.iter().enumerate() {
                let mut line = vec![Entry::name(class.as_str())];
                for (j, predicted) in names.iter().enumerate() {
                    let count = counts.entry(i, j);
                    let of = cells(summary, dataset, method, condition);
                    line.push(Entry::result(count.to_string(), [count as f64], [of]));
                    let record = [dataset, method, class, predicted, &count.to_string()];
                    data.records.push(record.map(str::to_owned).into());
                }
                lines.push(line);
            }
            let columns = names
                .iter()
                .map(|name| Column::numbers(name.as_str(), name.as_str()));
            tables.push(Table {
                title: Some(format!("{dataset}, {method}")),
                columns: [Column::names("class", "class")]
                    .into_iter()
                    .chain(columns)
                    .collect(),
                lines,
                ..Table::default()
            });
        }
    }
    Document {
        name: "confusion".to_owned(),
        title: "Confused classes".to_owned(),
        caption: "Test rows by their class (lines) and what it was taken for (columns), without noise, all repeats or folds together."
            .to_owned(),
        tables,
        data,
    }
}
