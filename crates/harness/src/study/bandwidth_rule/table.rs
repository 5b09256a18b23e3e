//! `tables/bandwidth`: measured probabilities beside the promised ones.

use super::plan::{BandwidthPlan, Cell, Rule};
use super::row::{BandwidthRow, Kept};
use crate::stats::Share;
use crate::stats::csv::number;
use crate::table::shown::NONE;
use crate::table::{CellsOf, Column, Data, Document, Entry, Table};

/// The row of `cell`, if it was measured.
pub(super) fn kept(rows: &[BandwidthRow], cell: Cell) -> Option<Kept> {
    let id = cell.planned().id;
    rows.iter().find(|row| row.cell_id == id)?.kept
}

/// The cells that share n, D, shape and frequencies: one for each form of the rule.
fn lines(plan: &BandwidthPlan) -> Vec<Vec<Cell>> {
    let mut lines = Vec::new();
    for &shape in &plan.shapes {
        for &frequencies in &plan.frequencies {
            for &n in &plan.n {
                for &dim in &plan.dim {
                    let cells = plan.grid(n, frequencies).into_iter();
                    lines.push(cells.filter(|c| c.shape == shape && c.dim == dim).collect());
                }
            }
        }
    }
    lines
}

/// One line for each shape, way to draw frequencies, n and D.
pub(super) fn table(plan: &BandwidthPlan, rows: &[BandwidthRow]) -> Document {
    let lines: Vec<Vec<Entry>> = lines(plan)
        .into_iter()
        .map(|cells| line(rows, &cells))
        .collect();
    let share = |heading, key| Column::numbers(heading, key).in_unit("%");
    Document {
        name: "bandwidth".to_owned(),
        title: "The bandwidth rule".to_owned(),
        caption: format!(
            "Probability, in percent, that `|ω_jᵀδ| ≤ θ_max` for every δ of the set, for each frequency by itself and for all D/2 at once, with \
             95 % intervals (Wilson), from {} maps. The rule as printed (Couellan & Jan, Prop. 5.1), σ = 3γ‖Σ^{{1/2}}‖_F/θ_max, promises more than {} for each; \
             corrected, with Φ⁻¹(1 − η/D) for 3 and η = {}, at least {} for all. Falling: Σ^{{1/2}} = diag(1, 1/2, …, 1/n).",
            plan.draws,
            percent(plan.promised(Rule::EachFrequency)),
            plan.failure,
            percent(plan.promised(Rule::AllFrequencies)),
        ),
        tables: vec![Table {
            columns: vec![
                Column::names("shape", "shape"),
                Column::names("frequencies", "frequencies"),
                Column::numbers("n", "n"),
                Column::numbers("D", "dim"),
                share("printed rule: each", "printed_separate"),
                share("printed rule: all", "printed_joint"),
                share("corrected rule: each", "corrected_separate"),
                share("corrected rule: all", "corrected_joint"),
            ],
            lines,
            ..Table::default()
        }],
        data: data(plan, rows),
    }
}

fn line(rows: &[BandwidthRow], cells: &[Cell]) -> Vec<Entry> {
    let first = cells[0];
    let mut line = vec![
        Entry::name(first.shape.name()),
        Entry::name(first.frequencies.name()),
        Entry::name(first.n.to_string()),
        Entry::name(first.dim.to_string()),
    ];
    for &cell in cells {
        let kept = kept(rows, cell);
        for share in [kept.map(|kept| kept.separate), kept.map(|kept| kept.joint)] {
            let numbers = share.map(|share| [share.value, share.low, share.high]);
            let numbers = numbers.into_iter().flatten();
            line.push(Entry::result(shown(share), numbers, [cells_of(cell)]));
        }
    }
    line
}

fn cells_of(cell: Cell) -> CellsOf {
    CellsOf::default()
        .and("shape", Some(cell.shape.name().to_owned()))
        .and("frequencies", Some(cell.frequencies.name().to_owned()))
        .and("n", Some(cell.n.to_string()))
        .and("dim", Some(cell.dim.to_string()))
        .and("rule", Some(cell.rule.name().to_owned()))
}

/// Every number with all digits.
fn data(plan: &BandwidthPlan, rows: &[BandwidthRow]) -> Data {
    let mut data = Data::new([
        "shape",
        "frequencies",
        "n",
        "dim",
        "rule",
        "sigma",
        "promised",
        "separate",
        "separate_low",
        "separate_high",
        "joint",
        "joint_low",
        "joint_high",
    ]);
    for cell in lines(plan).into_iter().flatten() {
        let kept = kept(rows, cell);
        let numbers = kept.map(
            |Kept {
                 sigma,
                 separate,
                 joint,
             }| {
                let promised = plan.promised(cell.rule);
                let shares = [separate, joint].into_iter();
                let shares = shares.flat_map(|share| [share.value, share.low, share.high]);
                [sigma, promised]
                    .into_iter()
                    .chain(shares)
                    .collect::<Vec<f64>>()
            },
        );
        let mut fields = vec![
            cell.shape.name().to_owned(),
            cell.frequencies.name().to_owned(),
            cell.n.to_string(),
            cell.dim.to_string(),
            cell.rule.name().to_owned(),
        ];
        for index in 0..8 {
            fields.push(number(numbers.as_ref().map(|numbers| numbers[index])));
        }
        data.records.push(fields);
    }
    data
}

fn shown(share: Option<Share>) -> String {
    match share {
        None => NONE.to_owned(),
        Some(Share { value, low, high }) => {
            let [value, low, high] = [value, low, high].map(percent);
            format!("{value} [{low}, {high}]")
        }
    }
}

/// A probability in percent, two decimals.
fn percent(probability: f64) -> String {
    format!("{:.2}", 100.0 * probability)
}
