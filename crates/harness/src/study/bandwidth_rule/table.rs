//! `tables/bandwidth`: measured probabilities beside the promised ones.

use super::interval::Share;
use super::plan::{BandwidthPlan, Cell, Rule};
use super::row::{BandwidthRow, Kept};
use super::spec::frequencies_name;
use crate::stats::csv::{number, record};
use crate::table::markdown::table;

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
pub(crate) fn markdown(plan: &BandwidthPlan, rows: &[BandwidthRow]) -> String {
    let header = [
        "shape",
        "frequencies",
        "n",
        "D",
        "printed rule: each",
        "printed rule: all",
        "corrected rule: each",
        "corrected rule: all",
    ];
    let line = |cells: Vec<Cell>| -> Vec<String> {
        let first = cells[0];
        let mut fields = vec![
            first.shape.name().to_owned(),
            frequencies_name(first.frequencies).to_owned(),
            first.n.to_string(),
            first.dim.to_string(),
        ];
        for cell in cells {
            let kept = kept(rows, cell);
            fields.push(shown(kept.map(|kept| kept.separate)));
            fields.push(shown(kept.map(|kept| kept.joint)));
        }
        fields
    };
    let lines: Vec<Vec<String>> = lines(plan).into_iter().map(line).collect();
    format!(
        "# The bandwidth rule\n\n\
         Probability, in percent, that `|ω_jᵀδ| ≤ θ_max` for every δ of the set, for each frequency by itself and for all D/2 at once, with \
         95 % intervals (Wilson), from {} maps. The rule as printed (Couellan & Jan, Prop. 5.1), σ = 3γ‖Σ^{{1/2}}‖_F/θ_max, promises more than {} for each; \
         corrected, with Φ⁻¹(1 − η/D) for 3 and η = {}, at least {} for all. Falling: Σ^{{1/2}} = diag(1, 1/2, …, 1/n).\n\n{}",
        plan.draws,
        percent(plan.promised(Rule::EachFrequency)),
        plan.failure,
        percent(plan.promised(Rule::AllFrequencies)),
        table(&header.map(str::to_owned), 2, &lines),
    )
}

/// Every number with all digits.
pub(crate) fn csv(plan: &BandwidthPlan, rows: &[BandwidthRow]) -> String {
    let header = [
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
    ];
    let mut csv = record(&header.map(str::to_owned));
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
            frequencies_name(cell.frequencies).to_owned(),
            cell.n.to_string(),
            cell.dim.to_string(),
            cell.rule.name().to_owned(),
        ];
        for index in 0..8 {
            fields.push(number(numbers.as_ref().map(|numbers| numbers[index])));
        }
        csv += &record(&fields);
    }
    csv
}

fn shown(share: Option<Share>) -> String {
    match share {
        None => "—".to_owned(),
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
