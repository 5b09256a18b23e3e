//! `tables/scaling`: fitted slopes beside those of the theory; `tables/scaling-sizes`: what they are fitted to.

use super::measured::{AtSize, Curve, Quantity, median_and_range};
use super::method::map_name;
use super::plan::ScalingPlan;
use super::size::AxisName;
use super::slope::Slope;
use super::theory::{Law, law};
use crate::stats::csv::number;
use crate::table::shown::{NONE, scientific, three_digits};
use crate::table::{CellsOf, Column, Data, Document, Entry, Table};

/// Bytes of a MiB.
pub(super) const MIB: f64 = 1_048_576.0;

/// Both documents.
pub(super) fn tables(plan: &ScalingPlan, curves: &[Curve]) -> Vec<Document> {
    vec![slopes(plan, curves), sizes(plan, curves)]
}

/// The axes along which something is measured.
pub(super) fn axes(curves: &[Curve]) -> impl Iterator<Item = AxisName> + '_ {
    let varied = |axis: &AxisName| curves.iter().any(|curve| curve.axis == *axis);
    AxisName::ALL.into_iter().filter(varied)
}

/// What is measured, and how, for captions.
pub(super) fn conditions(plan: &ScalingPlan) -> String {
    format!(
        "Training on two Gaussian classes two standard deviations apart; λ/L = {}, σ² = 2n, γ = {} of robust methods. Stochastic \
         methods make {} epochs and a certificate; others work to a certified gap of {}, but linfa-svm, which has a rule of its own. \
         Processor time of map, bound and solver on one thread, without drawing rows; peak memory of a process of its own above what it held \
         before, rows included where they are in memory",
        plan.mean_lambda,
        plan.gamma,
        plan.epochs,
        scientific(plan.tolerance),
    )
}

fn slopes(plan: &ScalingPlan, curves: &[Curve]) -> Document {
    let tables = axes(curves).map(|axis| {
        let own = curves.iter().filter(|curve| curve.axis == axis);
        Table {
            title: Some(format!("Along {}", axis.words())),
            columns: vec![
                Column::names("method", "method"),
                Column::numbers("fitted from", "from"),
                Column::numbers("to", "to"),
                Column::numbers("time slope", "time_slope"),
                Column::numbers("theory", "time_theory"),
                Column::numbers("memory slope", "memory_slope"),
                Column::numbers("theory", "memory_theory"),
            ],
            lines: own.map(|curve| slope_line(plan, curve)).collect(),
            ..Table::default()
        }
    });
    Document {
        name: "scaling".to_owned(),
        title: "How training scales".to_owned(),
        caption: format!(
            "Exponents of power laws, ± standard error, by least squares of logarithms over the upper half of the sizes and {} repeats, beside \
             what counting operations and values says: a range where terms of the law differ. {}.",
            plan.repeats,
            conditions(plan)
        ),
        tables: tables.collect(),
        data: slope_data(plan, curves),
    }
}

fn slope_line(plan: &ScalingPlan, curve: &Curve) -> Vec<Entry> {
    let method = &plan.methods[curve.method];
    let [time, memory] = Quantity::ALL.map(|quantity| curve.slope(quantity));
    let fitted = time.or(memory);
    let size = |size: Option<f64>| Entry::name(size.map_or_else(|| NONE.to_owned(), shown_size));
    let mut line = vec![
        Entry::name(&method.name),
        size(fitted.map(|slope| slope.from)),
        size(fitted.map(|slope| slope.to)),
    ];
    for (quantity, slope) in Quantity::ALL.into_iter().zip([time, memory]) {
        let numbers = slope.map(|slope| [slope.value, slope.standard_error]);
        let text = slope.map_or_else(|| NONE.to_owned(), shown_slope);
        let numbers = numbers.into_iter().flatten();
        line.push(Entry::result(text, numbers, [cells_of(plan, curve)]));
        line.push(Entry::name(shown_range(&law(method, quantity), curve.axis)));
    }
    line
}

fn cells_of(plan: &ScalingPlan, curve: &Curve) -> CellsOf {
    CellsOf {
        method: Some(plan.methods[curve.method].name.clone()),
        ..CellsOf::default()
    }
    .and("axis", Some(curve.axis.name().to_owned()))
}

fn shown_slope(slope: Slope) -> String {
    format!("{:.2} ± {:.2}", slope.value, slope.standard_error).replace('-', "−")
}

/// A size as a whole number, thousands apart.
fn shown_size(size: f64) -> String {
    let digits = format!("{size:.0}");
    let mut shown = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

fn shown_range(law: &Law, axis: AxisName) -> String {
    let (least, most) = law.slopes(axis);
    if least == most {
        least.to_string()
    } else {
        format!("{least}–{most}")
    }
}

/// A record for each method, axis and quantity.
fn slope_data(plan: &ScalingPlan, curves: &[Curve]) -> Data {
    let mut data = Data::new([
        "method",
        "solver",
        "map",
        "bound",
        "work",
        "axis",
        "quantity",
        "from",
        "to",
        "slope",
        "standard_error",
        "theory_least",
        "theory_most",
        "law",
    ]);
    for curve in curves {
        let method = &plan.methods[curve.method];
        for quantity in Quantity::ALL {
            let (slope, law) = (curve.slope(quantity), law(method, quantity));
            let (least, most) = law.slopes(curve.axis);
            data.records.push(vec![
                method.name.clone(),
                method.solver.name().to_owned(),
                map_name(method.map).to_owned(),
                method.bound().unwrap_or_default().to_owned(),
                plan.work(method),
                curve.axis.name().to_owned(),
                quantity.name().to_owned(),
                number(slope.map(|slope| slope.from)),
                number(slope.map(|slope| slope.to)),
                number(slope.map(|slope| slope.value)),
                number(slope.map(|slope| slope.standard_error)),
                number(Some(least)),
                number(Some(most)),
                law.formula(),
            ]);
        }
    }
    data
}

fn sizes(plan: &ScalingPlan, curves: &[Curve]) -> Document {
    let tables = axes(curves).map(|axis| {
        let own = curves.iter().filter(|curve| curve.axis == axis);
        let lines = own.flat_map(|curve| {
            let points = curve.points.iter();
            points.map(|at| size_line(plan, curve, at))
        });
        Table {
            title: Some(format!("Along {}", axis.words())),
            columns: vec![
                Column::names("method", "method"),
                Column::numbers(axis.letter(), "size"),
                Column::numbers("time", "time").in_unit("s"),
                Column::numbers("memory", "memory").in_unit("MiB"),
                Column::numbers("iterations", "iterations"),
                Column::numbers("gap", "relative_gap"),
            ],
            lines: lines.collect(),
            ..Table::default()
        }
    });
    Document {
        name: "scaling-sizes".to_owned(),
        title: "What training takes at each size".to_owned(),
        caption: format!(
            "Medians of {} repeats, in brackets the least and the largest; the gap is the largest. {}.",
            plan.repeats,
            conditions(plan)
        ),
        tables: tables.collect(),
        data: size_data(plan, curves),
    }
}

fn size_line(plan: &ScalingPlan, curve: &Curve, at: &AtSize) -> Vec<Entry> {
    let cells = || [cells_of(plan, curve).and(column(curve.axis), Some(at.size.to_string()))];
    let spread = |values: &[f64], unit: f64| {
        let found = median_and_range(values);
        let text = found.map_or_else(
            || NONE.to_owned(),
            |found| {
                let [middle, low, high] = found.map(|value| three_digits(value / unit));
                format!("{middle} [{low}, {high}]")
            },
        );
        Entry::result(text, found.into_iter().flatten(), cells())
    };
    let one = |value: Option<f64>, shown: fn(f64) -> String| {
        let text = value.map_or_else(|| NONE.to_owned(), shown);
        Entry::result(text, value, cells())
    };
    let iterations = median_and_range(&at.iterations).map(|[middle, ..]| middle);
    let gap = at.gaps.iter().copied().reduce(f64::max);
    vec![
        Entry::name(&plan.methods[curve.method].name),
        Entry::name(shown_size(at.size as f64)),
        spread(&at.seconds, 1.0),
        spread(&at.bytes, MIB),
        one(iterations, shown_size),
        one(gap, scientific),
    ]
}

/// The column of `cells.parquet` that has the sizes along `axis`.
fn column(axis: AxisName) -> &'static str {
    match axis {
        AxisName::Rows | AxisName::Inputs => axis.name(),
        AxisName::Dim | AxisName::Landmarks => "features",
    }
}

/// A record for each method, axis and size.
fn size_data(plan: &ScalingPlan, curves: &[Curve]) -> Data {
    let mut data = Data::new([
        "method",
        "axis",
        "size",
        "repeats",
        "seconds",
        "seconds_least",
        "seconds_most",
        "bytes",
        "bytes_least",
        "bytes_most",
        "iterations",
        "relative_gap",
    ]);
    for curve in curves {
        for at in &curve.points {
            let mut record = vec![
                plan.methods[curve.method].name.clone(),
                curve.axis.name().to_owned(),
                at.size.to_string(),
                at.gaps.len().to_string(),
            ];
            for quantity in Quantity::ALL {
                let found = median_and_range(at.of(quantity));
                record.extend((0..3).map(|index| number(found.map(|found| found[index]))));
            }
            let iterations = median_and_range(&at.iterations).map(|[middle, ..]| middle);
            record.push(number(iterations));
            record.push(number(at.gaps.iter().copied().reduce(f64::max)));
            data.records.push(record);
        }
    }
    data
}
