//! A metric's table in CSV.

use super::grid::Line;
use super::metric::Metric;
use crate::stats::Axes;
use crate::stats::csv::{number, record};

/// The table in fractions with all digits: per method the mean and standard deviation of each end, and how many of its
/// cells were measured.
pub(super) fn metric_csv(metric: &Metric, lines: &[Line], axes: &Axes) -> String {
    let mut header = vec!["dataset".to_owned(), "level".to_owned()];
    for method in &axes.methods {
        for end in metric.ends {
            header.push(format!("{method}{}_mean", end.suffix));
            header.push(format!("{method}{}_sd", end.suffix));
        }
        header.push(format!("{method}_ok"));
        header.push(format!("{method}_cells"));
    }
    let mut csv = record(&header);
    for line in lines {
        let mut fields = vec![line.dataset.to_owned(), number(Some(line.level))];
        for entry in &line.entries {
            for end in metric.ends {
                let moments = entry.performance.as_ref().map(end.of);
                fields.push(number(moments.map(|m| m.mean)));
                fields.push(number(moments.and_then(|m| m.sd)));
            }
            fields.push(entry.counts.ok.to_string());
            fields.push(entry.counts.cells.to_string());
        }
        csv += &record(&fields);
    }
    csv
}
