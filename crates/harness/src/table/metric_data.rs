//! A metric's numbers with all digits.

use super::grid::Line;
use super::metric::Metric;
use super::model::Data;
use crate::stats::Axes;
use crate::stats::csv::number;

/// In fractions: per method the mean and standard deviation of each end, and how many of its cells were measured.
pub(super) fn metric_data(metric: &Metric, lines: &[Line], axes: &Axes) -> Data {
    let mut data = Data::new(["dataset", "level"]);
    for method in &axes.methods {
        for end in metric.ends {
            data.header.push(format!("{method}{}_mean", end.suffix));
            data.header.push(format!("{method}{}_sd", end.suffix));
        }
        data.header.push(format!("{method}_ok"));
        data.header.push(format!("{method}_cells"));
    }
    for line in lines {
        let mut fields = vec![line.name().to_owned(), number(Some(line.level))];
        for entry in &line.entries {
            for end in metric.ends {
                let moments = entry.performance.as_ref().map(end.of);
                fields.push(number(moments.map(|m| m.mean)));
                fields.push(number(moments.and_then(|m| m.sd)));
            }
            fields.push(entry.counts.ok.to_string());
            fields.push(entry.counts.cells.to_string());
        }
        data.records.push(fields);
    }
    data
}
