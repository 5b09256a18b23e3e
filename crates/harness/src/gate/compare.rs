//! The verdict on results.

use super::GateError;
use super::few_repeats::{FewRepeats, few_repeats};
use super::folder;
use super::series::{Tested, TooFewRepeats, enough_repeats, series, test};
use super::tolerance::{Moved, Movement, movements};
use crate::store::{CellRow, Status};
use std::path::Path;

/// How results stand to their baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As in the baseline.
    Same,
    /// Worse than the baseline somewhere.
    Regressed,
    /// Better somewhere and worse nowhere.
    Improved,
    /// The same code gave numbers that are beyond the tolerances, better or worse: it cannot, so something is wrong.
    Differs,
    /// There is no cell with numbers.
    NothingMeasured,
}

/// What a verdict rests on.
#[derive(Debug, Clone, PartialEq)]
pub enum Basis {
    /// Every row is equal.
    Equal,
    /// The same code made both, so every number must be within the tolerances for another processor.
    Tolerances,
    /// The tests could not reject anything, so every number must be within the tolerances.
    TooFewRepeats(TooFewRepeats),
    /// Sign-flip tests of each method and metric, and large losses in a few repeats of methods that are as they were in the others.
    Tests {
        /// Each method and metric.
        tested: Vec<Tested>,
        /// Those that lost much in a few repeats.
        few_repeats: Vec<FewRepeats>,
        /// The level α of the tests for the worse, and of those for the better.
        alpha: f64,
    },
}

/// The outcome of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// How many cells were compared.
    pub cells: usize,
    /// What moved, cell by cell.
    pub moved: Vec<Moved>,
    /// What the verdict rests on.
    pub basis: Basis,
    /// The sum of it.
    pub verdict: Verdict,
}

/// Compares the results in `results` with those in `baseline`, with tests of level `alpha`.
///
/// # Errors
/// [`GateError`] if either cannot be read, is no classification, or they differ in experiment, data or cells.
pub fn compare(results: &Path, baseline: &Path, alpha: f64) -> Result<Comparison, GateError> {
    let pair = folder::read(results, baseline)?;
    Ok(compare_rows(&pair.now, &pair.then, pair.same_code, alpha))
}

/// Compares rows of the same cells in the same order; `same_code` if they differ in what the processor does at most.
pub fn compare_rows(now: &[CellRow], then: &[CellRow], same_code: bool, alpha: f64) -> Comparison {
    let moved = movements(now, then);
    let basis = basis(now, then, same_code, alpha);
    let verdict = if now.iter().all(|row| row.status != Status::Ok) {
        Verdict::NothingMeasured
    } else if basis == Basis::Tolerances && moved.iter().any(is_beyond) {
        Verdict::Differs
    } else if shows(&moved, &basis, false) {
        Verdict::Regressed
    } else if shows(&moved, &basis, true) {
        Verdict::Improved
    } else {
        Verdict::Same
    };
    Comparison {
        cells: now.len(),
        moved,
        basis,
        verdict,
    }
}

/// Whether it is a number that moved by more than its tolerance, in a cell with numbers in both.
fn is_beyond(moved: &Moved) -> bool {
    matches!(moved.kind, Movement::BeyondTolerance | Movement::Objective)
}

/// Whether anything is better, or anything worse: a cell that came or went, and a test that rejects, a loss in a few repeats or,
/// without tests, a number beyond its tolerance.
fn shows(moved: &[Moved], basis: &Basis, better: bool) -> bool {
    let any = |decides: fn(Movement) -> bool| {
        let mut moved = moved.iter().filter(|m| m.better == better);
        moved.any(|m| decides(m.kind))
    };
    match basis {
        Basis::Equal => false,
        Basis::Tolerances | Basis::TooFewRepeats(_) => {
            any(|kind| kind != Movement::WithinTolerance)
        }
        Basis::Tests {
            tested,
            few_repeats,
            alpha,
        } => {
            let p = |t: &Tested| if better { t.better.holm } else { t.worse.holm };
            any(|kind| kind == Movement::Measured)
                || tested.iter().any(|t| p(t) <= *alpha)
                || !better && !few_repeats.is_empty()
        }
    }
}

fn basis(now: &[CellRow], then: &[CellRow], same_code: bool, alpha: f64) -> Basis {
    if now == then {
        return Basis::Equal;
    }
    if same_code {
        return Basis::Tolerances;
    }
    let series = series(now, then);
    match enough_repeats(&series, alpha) {
        Ok(()) => Basis::Tests {
            few_repeats: few_repeats(now, then, &series),
            tested: test(series),
            alpha,
        },
        Err(few) => Basis::TooFewRepeats(few),
    }
}

#[cfg(test)]
mod tests {
    use super::{Basis, Comparison, Verdict, compare_rows};
    use crate::store::{CellRow, Measurement, Status};

    fn cell() -> CellRow {
        CellRow {
            cell_id: "0123456789abcdef".into(),
            dataset: "iris".into(),
            method: "linear".into(),
            level: 0.1,
            train_level: 0.0,
            repeat: 0,
            status: Status::Ok,
            reason: None,
            seed: 1,
            measurement: Some(Measurement {
                n_train: 60,
                n_validation: 20,
                n_test: 20,
                n_features: 4,
                feature_dim: Some(4),
                lambda: 1.0,
                sigma: None,
                bound: None,
                solver: "interior-point".into(),
                iterations: Some(12),
                objective: 3.0,
                dual_objective: 3.0,
                relative_gap: 0.0,
                gamma_mean: 0.0,
                accuracy: 0.9,
                noisy_accuracy: 0.9,
                attack_error: 0.1,
                certified_error: 0.2,
                nominal_lambda: None,
                nominal_gap: None,
                exact_attack_error: None,
                exact_certified_error: None,
                paper_certified_error: Some(0.4),
            }),
        }
    }

    /// One repeat, which no test can tell anything about.
    fn compare_cells(now: &[CellRow], then: &[CellRow]) -> Comparison {
        compare_rows(now, then, false, 0.05)
    }

    fn with(change: impl Fn(&mut Measurement)) -> Vec<CellRow> {
        let mut row = cell();
        change(row.measurement.as_mut().unwrap());
        vec![row]
    }

    #[test]
    fn one_test_point_and_rounding_are_tolerated() {
        let now = with(|m| {
            m.accuracy = 0.85;
            m.certified_error = 0.25;
            m.objective = 3.000_002;
        });
        assert_eq!(compare_cells(&now, &[cell()]).verdict, Verdict::Same);
        let same_code = compare_rows(&now, &[cell()], true, 0.05);
        assert_eq!(same_code.verdict, Verdict::Same);
    }

    #[test]
    fn two_test_points_are_seen_in_both_directions() {
        let worse = with(|m| m.accuracy = 0.8);
        assert_eq!(compare_cells(&worse, &[cell()]).verdict, Verdict::Regressed);
        let better = with(|m| m.certified_error = 0.1);
        assert_eq!(compare_cells(&better, &[cell()]).verdict, Verdict::Improved);
        let both = with(|m| {
            m.certified_error = 0.1;
            m.attack_error = 0.3;
        });
        assert_eq!(compare_cells(&both, &[cell()]).verdict, Verdict::Regressed);
    }

    /// A number that the baseline lacks is nothing to compare; one that is lost is a regression.
    #[test]
    fn columns_of_later_versions_are_compared_where_the_baseline_has_them() {
        let old = with(|m| m.paper_certified_error = None);
        assert_eq!(compare_cells(&[cell()], &old).verdict, Verdict::Same);
        assert_eq!(compare_cells(&old, &[cell()]).verdict, Verdict::Regressed);
        let worse = with(|m| m.paper_certified_error = Some(0.5));
        assert_eq!(compare_cells(&worse, &[cell()]).verdict, Verdict::Regressed);
        let searched = with(|m| m.exact_certified_error = Some(0.2));
        let better = with(|m| m.exact_certified_error = Some(0.1));
        assert_eq!(compare_cells(&better, &searched).verdict, Verdict::Improved);
    }

    #[test]
    fn an_objective_that_moves_is_a_regression() {
        let now = with(|m| m.objective = 2.999_99);
        let comparison = compare_cells(&now, &[cell()]);
        assert_eq!(comparison.verdict, Verdict::Regressed);
        assert_eq!(comparison.moved[0].metric, "objective");
    }

    #[test]
    fn failures_are_regressions_and_no_numbers_are_no_pass() {
        let mut failed = cell();
        failed.status = Status::Failed;
        failed.measurement = None;
        let two = [failed.clone(), cell()];
        assert_eq!(
            compare_cells(&two, &[cell(), cell()]).verdict,
            Verdict::Regressed
        );
        let nothing = compare_cells(std::slice::from_ref(&failed), std::slice::from_ref(&failed));
        assert_eq!(nothing.verdict, Verdict::NothingMeasured);
    }

    /// The cell in `repeats` repeats, with accuracy 0.5 and the change of each repeat.
    fn repeated(repeats: u32, change: impl Fn(u32) -> f64) -> Vec<CellRow> {
        let row = |repeat| {
            let mut row = cell();
            row.repeat = repeat;
            row.cell_id = format!("{repeat:016}");
            row.measurement.as_mut().unwrap().accuracy = 0.5 + change(repeat);
            row
        };
        (0..repeats).map(row).collect()
    }

    /// 5 tests: 2⁻⁷ is below 0.05/5, 2⁻⁶ is not.
    #[test]
    fn tests_take_over_where_they_can_reject() {
        let compared = |repeats| {
            let worse = repeated(repeats, |_| -0.01);
            compare_rows(&worse, &repeated(repeats, |_| 0.0), false, 0.05)
        };
        let few = compared(6);
        assert!(matches!(&few.basis, Basis::TooFewRepeats(few) if few.needed == Some(7)));
        // A loss within one test point, which the tolerances let pass.
        assert_eq!(few.verdict, Verdict::Same);
        let enough = compared(7);
        assert!(matches!(&enough.basis, Basis::Tests { tested, .. } if tested.len() == 5));
        assert_eq!(enough.verdict, Verdict::Regressed);
    }

    /// Ten points to and fro are far beyond a test point, and no change.
    #[test]
    fn what_moves_both_ways_is_no_regression() {
        let then = repeated(12, |_| 0.0);
        let to_and_fro = repeated(12, |r| if r % 2 == 0 { 0.1 } else { -0.1 });
        let compared = compare_rows(&to_and_fro, &then, false, 0.05);
        assert_eq!(compared.verdict, Verdict::Same);
        assert_eq!(compared.moved.len(), 12);
        let better = repeated(12, |_| 0.1);
        let compared = compare_rows(&better, &then, false, 0.05);
        assert_eq!(compared.verdict, Verdict::Improved);
    }

    #[test]
    fn worse_outweighs_better_and_a_lost_cell_outweighs_the_tests() {
        let then = repeated(12, |_| 0.0);
        let mut mixed = repeated(12, |_| 0.1);
        for row in &mut mixed {
            row.measurement.as_mut().unwrap().certified_error += 0.1;
        }
        let compared = compare_rows(&mixed, &then, false, 0.05);
        assert_eq!(compared.verdict, Verdict::Regressed);
        let mut lost = repeated(12, |_| 0.1);
        lost[3].status = Status::Diverged;
        lost[3].measurement = None;
        let compared = compare_rows(&lost, &then, false, 0.05);
        assert!(matches!(compared.basis, Basis::Tests { .. }));
        assert_eq!(compared.verdict, Verdict::Regressed);
        // The other way round it is a gain.
        let compared = compare_rows(&then, &lost, false, 1e-2);
        assert_eq!(compared.verdict, Verdict::Regressed);
        lost.iter_mut()
            .filter_map(|row| row.measurement.as_mut())
            .for_each(|m| m.accuracy = 0.5);
        let compared = compare_rows(&then, &lost, false, 0.05);
        assert_eq!(compared.verdict, Verdict::Improved);
    }

    /// What another processor does is no regression; other code answers for it.
    #[test]
    fn the_tolerances_alone_decide_for_the_same_code_only() {
        let then = repeated(12, |_| 0.0);
        let now = repeated(12, |_| -0.04);
        assert_eq!(
            compare_rows(&now, &then, true, 0.05).basis,
            Basis::Tolerances
        );
        assert_eq!(compare_rows(&now, &then, true, 0.05).verdict, Verdict::Same);
        assert_eq!(
            compare_rows(&now, &then, false, 0.05).verdict,
            Verdict::Regressed
        );
        assert_eq!(compare_rows(&then, &then, false, 0.05).basis, Basis::Equal);
    }

    /// A number that the same code gives otherwise is a defect, whichever way it moved; a cell that it gives now and did not
    /// give in its time is none.
    #[test]
    fn the_same_code_differs_or_does_not() {
        let then = repeated(12, |_| 0.0);
        let verdict = |now: &[CellRow]| compare_rows(now, &then, true, 0.05).verdict;
        for change in [-0.2, 0.2] {
            let one = repeated(12, |r| if r == 5 { change } else { 0.0 });
            assert_eq!(verdict(&one), Verdict::Differs);
            assert_eq!(verdict(&repeated(12, |_| change)), Verdict::Differs);
        }
        let mut objective = then.clone();
        objective[0].measurement.as_mut().unwrap().objective *= 1.0 + 1e-5;
        assert_eq!(verdict(&objective), Verdict::Differs);
        let mut lost = then.clone();
        lost[3].status = Status::TimedOut;
        lost[3].measurement = None;
        assert_eq!(verdict(&lost), Verdict::Regressed);
        assert_eq!(
            compare_rows(&then, &lost, true, 0.05).verdict,
            Verdict::Improved
        );
    }

    /// One repeat of twelve has a p-value of 1/2, whatever it loses; that the others are as they were tells more.
    #[test]
    fn a_large_loss_in_few_repeats_is_a_regression_where_the_others_are_as_they_were() {
        let then = repeated(12, |_| 0.0);
        let one = |change: f64| repeated(12, move |r| if r == 5 { change } else { 0.0 });
        let verdict = |now: &[CellRow]| compare_rows(now, &then, false, 0.05).verdict;
        let compared = compare_rows(&one(-0.2), &then, false, 0.05);
        assert_eq!(compared.verdict, Verdict::Regressed);
        let Basis::Tests { few_repeats, .. } = &compared.basis else {
            panic!("{:?} is no test", compared.basis);
        };
        assert_eq!(few_repeats.len(), 1);
        assert_eq!(few_repeats[0].repeats, [5]);
        assert!((few_repeats[0].largest - 0.2).abs() < 1e-12);
        // A gain, and a test point, are no loss.
        assert_eq!(verdict(&one(0.2)), Verdict::Same);
        assert_eq!(verdict(&one(-0.05)), Verdict::Same);
        // Another draw: seven of twelve objectives are others.
        let mut drawn = one(-0.2);
        for row in &mut drawn[..7] {
            row.measurement.as_mut().unwrap().objective *= 1.01;
        }
        assert_eq!(verdict(&drawn), Verdict::Same);
        // With six of them the rest is as it was.
        drawn[0].measurement.as_mut().unwrap().objective = 3.0;
        assert_eq!(verdict(&drawn), Verdict::Regressed);
    }

    /// What is gained in one dataset of a repeat makes up for what is lost in another, and rounding makes up for nothing.
    #[test]
    fn a_loss_is_that_of_a_whole_repeat() {
        let two = |first: f64, second: f64| -> Vec<CellRow> {
            let mut rows = Vec::new();
            for repeat in 0..12 {
                for (dataset, change) in [("iris", first), ("wine", second)] {
                    let mut row = cell();
                    (row.repeat, row.dataset) = (repeat, dataset.into());
                    let change = if repeat == 5 { change } else { 0.0 };
                    row.measurement.as_mut().unwrap().accuracy = 0.5 + change;
                    rows.push(row);
                }
            }
            rows
        };
        let verdict =
            |first, second| compare_rows(&two(first, second), &two(0.0, 0.0), false, 0.05).verdict;
        assert_eq!(verdict(-0.2, 0.2), Verdict::Same);
        assert_eq!(verdict(-0.2, 0.17), Verdict::Regressed);
        assert_eq!(verdict(-0.2, 0.05), Verdict::Regressed);
        assert_eq!(verdict(-0.05, -0.05), Verdict::Same);
    }
}
