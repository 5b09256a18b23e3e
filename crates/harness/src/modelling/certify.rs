//! What of a file's rows is certified, and what an attack finds.

use super::error::UseError;
use super::in_order::in_order;
use super::row_stream::{Batch, RowStream};
use super::summary::{norm_name, percent, unit};
use crate::model_file::SavedModel;
use crate::stats::csv::{number, record};
use ndarray::Array1;
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::BoundError;
use robust_svm_bounds::attack::{AttackOptions, attack, points_together, skip};
use robust_svm_bounds::certify::Certifier;
use robust_svm_core::model::DecisionFunction;
use robust_svm_core::seed::CellSeed;
use std::fmt::Write as _;

/// Steps of the attack and its starts, as in experiments that do not say otherwise.
const ATTACK: (usize, usize) = (40, 5);

/// Certified radii are found to within this.
const RADIUS_TOLERANCE: f64 = 1e-4;

/// Numbers of a batch, as far as the rows that are attacked together let it: few, as a row takes long and files of one batch would have one thread.
const NUMBERS: usize = 1 << 16;
/// At most so many times the rows that are attacked together.
const MOST_TOGETHER: usize = 16;

/// What is certified of a file.
#[derive(Debug)]
pub(crate) struct Certificates {
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
}

/// How rows are certified.
struct Question<'a> {
    model: &'a SavedModel,
    certifier: Certifier<'a>,
    gammas: &'a [f64],
    options: AttackOptions,
    /// Whether there is a record of each row.
    by_row: bool,
}

/// The certificates of a batch.
struct Part {
    /// A record a row, where they are wanted.
    csv: Option<String>,
    rows: usize,
    used: usize,
    /// Rows that are right without perturbation.
    right: usize,
    /// At each level the rows that stay right under attack, and those that are certified.
    levels: Vec<(usize, usize)>,
}

/// Certifies the rows that `model` is used on at each of `gammas`. Where labels are there, a row is certified if no
/// perturbation makes it wrong; without, if none changes the class predicted. `sha256` is that of the file, which the
/// attack's draws follow from. `take` gets one record a row as CSV, some rows at a time; without it no row's radius is searched for, which takes longer
/// than all else.
///
/// # Errors
/// What is wrong with the file, and errors of `take`: then what was taken is to be thrown away.
pub(crate) fn certify(
    model: &SavedModel,
    rows: &mut RowStream<'_>,
    sha256: &str,
    gammas: &[f64],
    take: Option<impl FnMut(String) -> Result<(), UseError>>,
) -> Result<Certificates, UseError> {
    let (steps, restarts) = ATTACK;
    let together = points_together(AttackOptions::new(steps, restarts)?);
    let fit = NUMBERS / (together * model.columns.len());
    certify_in_batches(
        model,
        rows,
        sha256,
        gammas,
        fit.clamp(1, MOST_TOGETHER),
        take,
    )
}

/// In batches of `times` the rows that are attacked together.
fn certify_in_batches(
    model: &SavedModel,
    rows: &mut RowStream<'_>,
    sha256: &str,
    gammas: &[f64],
    times: usize,
    mut take: Option<impl FnMut(String) -> Result<(), UseError>>,
) -> Result<Certificates, UseError> {
    let (steps, restarts) = ATTACK;
    let options = AttackOptions::new(steps, restarts)?;
    let question = Question {
        model,
        certifier: Certifier::new(&model.model, &model.set)?,
        gammas,
        options,
        by_row: take.is_some(),
    };
    let (labelled, done) = (rows.is_labelled(), rows.done());
    let mut rng = CellSeed::new(model.training.seed, sha256, 0).stream("attack");
    let (mut all, mut used, mut right) = (0, 0, 0);
    let mut levels = vec![(0, 0); gammas.len()];
    in_order(
        || {
            let batch = rows.next(times * points_together(options))?;
            Ok(batch.map(|batch| {
                let draws = rng.clone();
                skip(
                    &model.model,
                    &model.set,
                    batch.used.len(),
                    options,
                    &mut rng,
                );
                (batch, draws)
            }))
        },
        |(batch, draws)| {
            let part = question.certify(&batch, &draws)?;
            done(batch.rows);
            Ok(part)
        },
        |part: Part| {
            all += part.rows;
            used += part.used;
            right += part.right;
            for (sum, level) in levels.iter_mut().zip(part.levels) {
                *sum = (sum.0 + level.0, sum.1 + level.1);
            }
            match (&mut take, part.csv) {
                (Some(take), Some(csv)) => take(csv),
                _ => Ok(()),
            }
        },
    )?;
    let wrong = |right: usize| 1.0 - right as f64 / used as f64;
    let levels = gammas.iter().zip(levels);
    let levels = levels.map(|(&gamma, (attacked, certified))| Level {
        gamma,
        attacked: wrong(attacked),
        certified: wrong(certified),
    });
    let mut found = Certificates {
        rows: all,
        used,
        labelled,
        clean: wrong(right),
        levels: levels.collect(),
        told: String::new(),
    };
    found.told = told(model, &found);
    Ok(found)
}

impl Question<'_> {
    /// The attack at each level has the same starts, scaled: those of `draws`.
    fn certify(&self, batch: &Batch, draws: &ChaCha20Rng) -> Result<Part, BoundError> {
        let model = self.model;
        let x = model.scale(batch.x.view());
        let decisions = model.model.decision(x.view());
        let y: Array1<f64> = match &batch.labels {
            Some((y, _)) => y.clone(),
            None => decisions.mapv(|f| if f < 0.0 { -1.0 } else { 1.0 }),
        };
        let points = self.certifier.points(x.view(), y.view())?;
        let sets = (&model.set).into();
        let positive = |margins: ndarray::ArrayView1<'_, f64>| {
            margins.iter().filter(|margin| **margin > 0.0).count()
        };
        let mut levels = Vec::with_capacity(self.gammas.len());
        let mut verdicts = Vec::with_capacity(self.gammas.len());
        for &gamma in self.gammas {
            let mut rng = draws.clone();
            let (x, y) = (x.view(), y.view());
            let found = attack(&model.model, &sets, gamma, x, y, self.options, &mut rng)?;
            let certified = points.verdicts(gamma);
            let count = certified.iter().filter(|holds| **holds).count();
            levels.push((positive(found.margins.view()), count));
            verdicts.push(certified);
        }
        let by_row = self.by_row.then(|| -> Result<String, BoundError> {
            let measured = Measured {
                decisions,
                margins: points.margins().to_owned(),
                radii: points.certified_radius(RADIUS_TOLERANCE)?,
                verdicts,
            };
            Ok(csv(model, batch, &measured))
        });
        Ok(Part {
            csv: by_row.transpose()?,
            rows: batch.rows,
            used: batch.used.len(),
            right: positive(points.margins()),
            levels,
        })
    }
}

/// The numbers of each row used.
struct Measured {
    decisions: Array1<f64>,
    margins: Array1<f64>,
    radii: Array1<f64>,
    /// At each level.
    verdicts: Vec<Vec<bool>>,
}

/// The first line of certificates as CSV.
pub(crate) fn header(labelled: bool, gammas: &[f64]) -> String {
    let mut header = vec!["row".to_owned(), "class".to_owned()];
    header.extend(labelled.then(|| "label".to_owned()));
    header.extend(["margin", "certified_radius"].map(str::to_owned));
    header.extend(gammas.iter().map(|gamma| format!("certified_{gamma}")));
    record(&header)
}

fn csv(model: &SavedModel, batch: &Batch, measured: &Measured) -> String {
    let mut text = String::new();
    let mut of_row = vec![None; batch.rows];
    for (index, &row) in batch.used.iter().enumerate() {
        of_row[row] = Some(index);
    }
    for (row, index) in of_row.into_iter().enumerate() {
        let class = index.and_then(|i| model.classes.name_of(measured.decisions[i]));
        let number_of_row = (batch.first_row + row + 1).to_string();
        let mut fields = vec![number_of_row, class.unwrap_or_default().to_owned()];
        let written = batch.labels.as_ref().map(|(_, written)| written);
        fields.extend(written.map(|written| written[row].clone()));
        fields.push(number(index.map(|i| measured.margins[i])));
        fields.push(number(index.map(|i| measured.radii[i])));
        let verdict = |verdicts: &Vec<bool>| index.map(|i| verdicts[i].to_string());
        let verdicts = measured.verdicts.iter();
        fields.extend(verdicts.map(|of_level| verdict(of_level).unwrap_or_default()));
        text.push_str(&record(&fields));
    }
    text
}

/// The table of the levels and what it says.
fn told(model: &SavedModel, found: &Certificates) -> String {
    let (all, used) = (found.rows, found.used);
    let mut text = match all - used {
        0 => format!("{all} rows\n\n"),
        count => format!("{used} of {all} rows; {count} left out for missing values\n\n"),
    };
    let labelled = found.labelled;
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
    for level in &found.levels {
        let clean = if labelled {
            percent(found.clean)
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

#[cfg(test)]
mod tests {
    use super::{RowStream, SavedModel, UseError, certify_in_batches, header};
    use crate::data::MissingPolicy;
    use crate::modelling::predict;
    use crate::modelling::user_file::UserFile;
    use std::fmt::Write as _;

    /// 700 rows of two rings, now and then with a gap.
    fn table() -> String {
        let mut text = "a,b,label\n".to_owned();
        for i in 0..700 {
            let t = f64::from(i);
            let radius = if i % 2 == 0 { 1.0 } else { 2.0 } + 0.4 * (t * 2_f64.sqrt()).fract();
            let (a, b) = (radius * t.cos(), radius * t.sin());
            let a = if i % 90 == 7 {
                String::new()
            } else {
                a.to_string()
            };
            let _ = writeln!(text, "{a},{b},{}", i % 2);
        }
        text
    }

    /// A model of the rings, written by hand.
    fn model(features: &str, weights: &str) -> String {
        format!(
            r#"{{"format": "robust-svm-model", "version": 1, "columns": ["a", "b"], "label": "label", "missing": "drop",
            "classes": {{"positive": {{"name": "1", "labels": ["1"]}}, "negative": {{"name": "0", "labels": ["0"]}}}},
            "scaling": {{"rule": "standardize", "kept": [0, 1], "medians": [0.1, 0.1], "offsets": [0.05, -0.02],
            "divisors": [1.2, 1.3]}}, "uncertainty": {{"norm": "2", "shape": "identity"}},
            "training": {{"program": "test", "data_sha256": "", "seed": 3, "rows": 10, "validation_rows": 0,
            "solver": "interior-point", "bound": null, "gamma": 0.1, "lambda": 1.0, "relative_gap": 0.0}},
            "intercept": 0.3, "features": {features}, "weights": {weights}}}"#
        )
    }

    /// A model with many hills: what an attack finds follows from where it starts.
    fn hills() -> String {
        let wave = |j: u32, k: u32| 9.0 * f64::from(7 * j + 3 * k + 1).sin();
        let frequencies: Vec<[f64; 2]> = (0..20).map(|j| [wave(j, 0), wave(j, 1)]).collect();
        let weights: Vec<f64> = (0..40).map(|j| f64::from(j + 2).cos()).collect();
        model(
            &format!(
                r#"{{"map": "rff", "sigma": 1.0, "phases": null, "frequencies": {frequencies:?}}}"#
            ),
            &format!("{weights:?}"),
        )
    }

    /// The bytes do not depend on how the rows are cut: they are those of one batch of all rows.
    #[test]
    fn predictions_and_certificates_do_not_depend_on_the_batches() {
        let points = "[[0.5, 0.1], [-0.4, 0.6], [1.5, -0.2], [-1.1, -1.2]]";
        let models = [
            model(r#"{"map": "identity"}"#, "[0.4, -0.7]"),
            model(
                &format!(
                    r#"{{"map": "rff", "sigma": 1.0, "phases": null, "frequencies": {points}}}"#
                ),
                "[0.9, -0.2, 0.4, -1.3, 0.2, 0.5, -0.6, 0.1]",
            ),
            model(
                &format!(r#"{{"map": "exact-kernel", "sigma": 1.0, "support_points": {points}}}"#),
                "[-0.9, -0.8, 0.7, 0.6]",
            ),
            hills(),
        ];
        let mut attacked_by_seed = Vec::new();
        let folder = tempfile::TempDir::new().unwrap();
        let data = folder.path().join("rings.csv");
        std::fs::write(&data, table()).unwrap();
        let file = UserFile::new(&data, None, 1).unwrap();
        for text in models {
            let path = folder.path().join("m.json");
            std::fs::write(&path, text).unwrap();
            let model = SavedModel::read(&path).unwrap();
            assert_eq!(model.missing, MissingPolicy::Drop);
            let certified_by = |seed: &str, times: usize, labels: bool| {
                let mut rows = RowStream::open(&file, &model, labels).unwrap();
                let gammas = [0.0, 0.03, 0.06, 0.1, 0.4];
                let mut csv = header(rows.is_labelled(), &gammas);
                let take = |text: String| {
                    csv.push_str(&text);
                    Ok(())
                };
                let found = certify_in_batches(&model, &mut rows, seed, &gammas, times, Some(take))
                    .unwrap();
                let mut rows = RowStream::open(&file, &model, labels).unwrap();
                let none = None::<fn(String) -> Result<(), UseError>>;
                let alone = certify_in_batches(&model, &mut rows, seed, &gammas, times, none);
                assert_eq!(alone.unwrap().told, found.told, "the same without records");
                assert_eq!((found.rows, found.used), (700, 692));
                let levels = found.levels.iter().map(|l| (l.attacked, l.certified));
                (csv, found.clean, levels.collect::<Vec<_>>())
            };
            let certified = |times: usize, labels: bool| certified_by("00", times, labels);
            attacked_by_seed.push(["00", "01"].map(|seed| certified_by(seed, 100, true).2));
            for labels in [true, false] {
                let (csv, clean, levels) = certified(100, labels);
                assert_eq!(csv.lines().count(), 701);
                assert!(
                    levels[4].0 > levels[0].0,
                    "the attack finds something: {levels:?}"
                );
                assert!(
                    levels
                        .iter()
                        .all(|(attacked, certified)| attacked <= certified)
                );
                for times in [1, 2] {
                    assert_eq!(
                        certified(times, labels),
                        (csv.clone(), clean, levels.clone())
                    );
                }
            }
            let predicted = |most: usize| {
                let mut rows = RowStream::open(&file, &model, true).unwrap();
                let mut csv = String::new();
                predict::predict_in_batches(&model, &mut rows, most, |rows| {
                    csv.push_str(&predict::csv(&rows));
                    Ok(())
                })
                .map(|predictions| (csv, predictions.told))
                .unwrap()
            };
            let (csv, told) = predicted(10_000);
            assert_eq!(csv.lines().count(), 700);
            for most in [64, 128] {
                assert_eq!(predicted(most), (csv.clone(), told.clone()));
            }
        }
        assert!(
            attacked_by_seed.iter().any(|[a, b]| a != b),
            "the attack's starts show in what is compared"
        );
    }
}
