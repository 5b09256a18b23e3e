//! What of a file's rows is certified, and what an attack finds.

use super::summary::{norm_name, percent, unit};
use super::user_file::UserRows;
use crate::model_file::SavedModel;
use crate::stats::csv::{number, record};
use ndarray::{Array1, Axis};
use robust_svm_bounds::BoundError;
use robust_svm_bounds::attack::{AttackOptions, attack};
use robust_svm_bounds::certify::Certifier;
use robust_svm_core::metrics::error_rate;
use robust_svm_core::model::DecisionFunction;
use robust_svm_core::seed::CellSeed;
use std::fmt::Write as _;

/// Steps of the attack and its starts, as in experiments that do not say otherwise.
const ATTACK: (usize, usize) = (40, 5);

/// Certified radii are found to within this.
const RADIUS_TOLERANCE: f64 = 1e-4;

/// The certificates of a file.
#[derive(Debug)]
pub(crate) struct Certificates {
    /// One row a row of the file.
    pub(crate) csv: String,
    /// Rows of the file, and those of them that are not left out for a missing value.
    pub(crate) rows: usize,
    pub(crate) used: usize,
    /// Whether labels are there.
    pub(crate) labelled: bool,
    /// The share that is wrong without perturbation; 0 without labels.
    pub(crate) clean: f64,
    /// The levels, in the order asked for.
    pub(crate) levels: Vec<Level>,
    /// The table of errors, in the order of the levels.
    pub(crate) told: String,
}

/// What is known of all rows at a level; fractions.
#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) gamma: f64,
    pub(crate) attacked: f64,
    pub(crate) certified: f64,
    verdicts: Vec<bool>,
}

/// Certifies the rows that the model is `used` on at each of `gammas`. Where labels are there, a row is certified
/// if no perturbation makes it wrong; without, if none changes the class predicted.
pub(crate) fn certify(
    model: &SavedModel,
    rows: &UserRows,
    used: &[usize],
    gammas: &[f64],
) -> Result<Certificates, BoundError> {
    let x = model.scale(rows.x.select(Axis(0), used).view());
    let decisions = model.model.decision(x.view());
    let y: Array1<f64> = match &rows.labels {
        Some((y, _)) => y.select(Axis(0), used),
        None => decisions.mapv(|f| if f < 0.0 { -1.0 } else { 1.0 }),
    };
    let points = Certifier::new(&model.model, &model.set)?.points(x.view(), y.view())?;
    let radii = points.certified_radius(RADIUS_TOLERANCE)?;
    let ones = Array1::ones(used.len());
    let clean = error_rate(points.margins(), ones.view());
    let seeds = CellSeed::new(model.training.seed, &rows.sha256, 0);
    let sets = (&model.set).into();
    let (steps, restarts) = ATTACK;
    let options = AttackOptions::new(steps, restarts)?;
    let mut levels = Vec::with_capacity(gammas.len());
    for &gamma in gammas {
        // The same starts, scaled, at every level.
        let mut rng = seeds.stream("attack");
        let found = attack(
            &model.model,
            &sets,
            gamma,
            x.view(),
            y.view(),
            options,
            &mut rng,
        )?;
        let verdicts = points.verdicts(gamma);
        let holds: Array1<f64> = verdicts.iter().map(|&v| f64::from(v)).collect();
        levels.push(Level {
            gamma,
            attacked: found.error(),
            certified: error_rate(holds.view(), ones.view()),
            verdicts,
        });
    }
    let measured = Measured {
        decisions,
        margins: points.margins().to_owned(),
        radii,
    };
    Ok(Certificates {
        csv: csv(model, rows, used, &measured, &levels),
        told: told(model, rows, used.len(), clean, &levels),
        rows: rows.x.nrows(),
        used: used.len(),
        labelled: rows.labels.is_some(),
        clean,
        levels,
    })
}

/// The numbers of each row used.
struct Measured {
    decisions: Array1<f64>,
    margins: Array1<f64>,
    radii: Array1<f64>,
}

fn csv(
    model: &SavedModel,
    rows: &UserRows,
    used: &[usize],
    measured: &Measured,
    levels: &[Level],
) -> String {
    let mut header = vec!["row".to_owned(), "class".to_owned()];
    header.extend(rows.labels.is_some().then(|| "label".to_owned()));
    header.extend(["margin", "certified_radius"].map(str::to_owned));
    header.extend(
        levels
            .iter()
            .map(|level| format!("certified_{}", level.gamma)),
    );
    let mut text = record(&header);
    let mut of_row = vec![None; rows.x.nrows()];
    for (index, &row) in used.iter().enumerate() {
        of_row[row] = Some(index);
    }
    for (row, index) in of_row.into_iter().enumerate() {
        let class = index.and_then(|i| model.classes.name_of(measured.decisions[i]));
        let mut fields = vec![(row + 1).to_string(), class.unwrap_or_default().to_owned()];
        fields.extend(
            rows.labels
                .as_ref()
                .map(|(_, written)| written[row].clone()),
        );
        fields.push(number(index.map(|i| measured.margins[i])));
        fields.push(number(index.map(|i| measured.radii[i])));
        let verdict = |level: &Level| index.map(|i| level.verdicts[i].to_string());
        fields.extend(
            levels
                .iter()
                .map(|level| verdict(level).unwrap_or_default()),
        );
        text.push_str(&record(&fields));
    }
    text
}

/// The table of the levels and what it says.
fn told(model: &SavedModel, rows: &UserRows, used: usize, clean: f64, levels: &[Level]) -> String {
    let all = rows.x.nrows();
    let mut text = match all - used {
        0 => format!("{all} rows\n\n"),
        count => format!("{used} of {all} rows; {count} left out for missing values\n\n"),
    };
    let labelled = rows.labels.is_some();
    let headings = if labelled {
        ["γ", "clean error", "attack error", "certified error"]
    } else {
        ["γ", "", "attack changes", "not certified"]
    };
    let mut line = |fields: [String; 4]| {
        let widths = [8, if labelled { 13 } else { 0 }, 16, 17];
        let padded = fields.iter().zip(widths);
        let padded = padded.map(|(field, width)| format!("{field:>width$}"));
        let _ = writeln!(text, "{}", padded.collect::<String>());
    };
    line(headings.map(str::to_owned));
    for level in levels {
        let clean = if labelled {
            percent(clean)
        } else {
            String::new()
        };
        let (attacked, certified) = (percent(level.attacked), percent(level.certified));
        line([level.gamma.to_string(), clean, attacked, certified]);
    }
    let what = if labelled {
        "The error under the worst perturbations is between attack error and certified error."
    } else {
        "The share of rows whose class a perturbation can change is between the two; there are no labels to \
         compare with."
    };
    let (norm, unit) = (norm_name(model.set.norm()), unit(model.scaling));
    let _ = write!(
        text,
        "\n{what}\nγ is the {norm}norm of a perturbation, in {unit}.\n"
    );
    text
}
