//! What moved, for a person.

use super::series::{Tested, TooFewRepeats};
use super::sign_flip::smallest_p;
use super::tolerance::{Moved, Movement, OBJECTIVE_TOLERANCE};
use super::{Basis, Comparison, Verdict};
use crate::table::markdown::table;
use std::fmt;

/// At most this many cells are listed.
const LISTED: usize = 10;

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.basis {
            Basis::Equal => {}
            Basis::Tolerances => writeln!(
                f,
                "the same code: numbers may differ by a test point and {OBJECTIVE_TOLERANCE:e} of the objective, as processors do"
            )?,
            Basis::TooFewRepeats(few) => write_too_few(f, few)?,
            Basis::Tests { tested, alpha } => write_tests(f, tested, *alpha)?,
        }
        self.write_cells(f)?;
        write!(
            f,
            "{} compared, {} moved: {}",
            counted(self.cells, "cell"),
            counted(self.moved.len(), "number"),
            self.sum()
        )
    }
}

impl Comparison {
    /// The verdict in words, and the methods and metrics it is about.
    fn sum(&self) -> String {
        let named = |rejected: &dyn Fn(&Tested, f64) -> bool| match &self.basis {
            Basis::Tests { tested, alpha } => {
                let names = tested.iter().filter(|t| rejected(t, *alpha));
                let names: Vec<String> = names
                    .map(|t| format!("{} {}", t.series.method, t.series.metric.name))
                    .collect();
                if names.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", names.join(", "))
                }
            }
            _ => String::new(),
        };
        match (self.verdict, &self.basis) {
            (Verdict::Same, Basis::Equal) => "as in the baseline".into(),
            (Verdict::Same, Basis::Tests { .. }) => {
                "as in the baseline, as far as the tests can tell".into()
            }
            (Verdict::Same, _) => "as in the baseline, within the tolerances".into(),
            (Verdict::Regressed, _) => {
                format!("regressed{}", named(&|t, alpha| t.worse.holm <= alpha))
            }
            (Verdict::Improved, _) => format!(
                "improved beyond the baseline{}: refresh it with --update",
                named(&|t, alpha| t.better.holm <= alpha)
            ),
            (Verdict::NothingMeasured, _) => "nothing was measured".into(),
        }
    }

    /// The cells that moved most: those that came or went first, then by how far. With tests the objective, which is not
    /// tested, is counted only.
    fn write_cells(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_tested = matches!(self.basis, Basis::Tests { .. });
        let is_listed = |moved: &&Moved| match moved.kind {
            Movement::Measured | Movement::BeyondTolerance => true,
            Movement::WithinTolerance => is_tested,
            Movement::Objective => !is_tested,
        };
        let mut listed: Vec<&Moved> = self.moved.iter().filter(is_listed).collect();
        listed.sort_by(|a, b| b.size.total_cmp(&a.size));
        for moved in listed.iter().take(LISTED) {
            let sign = if moved.better { "better" } else { "worse " };
            writeln!(
                f,
                "{sign}  {}  {}: {} → {}",
                moved.cell, moved.metric, moved.baseline, moved.now
            )?;
        }
        if listed.len() > LISTED {
            writeln!(f, "… and {} more", listed.len() - LISTED)?;
        }
        let is_objective = |moved: &&Moved| moved.kind == Movement::Objective;
        let objectives = self.moved.iter().filter(is_objective).count();
        if is_tested && objectives > 0 {
            writeln!(
                f,
                "{} moved by more than {OBJECTIVE_TOLERANCE:e}, relative; they are not tested",
                counted(objectives, "objective")
            )?;
        }
        Ok(())
    }
}

fn write_too_few(f: &mut fmt::Formatter<'_>, few: &TooFewRepeats) -> fmt::Result {
    let tests = counted(few.tests, "test");
    let repeats = counted(few.repeats, "repeat");
    let least = smallest_p(few.repeats);
    write!(
        f,
        "too few repeats to test: {repeats} cannot give a p-value below {least:.2e}, and {tests} "
    )?;
    match few.needed {
        Some(needed) => writeln!(f, "take {needed} repeats to reject")?,
        None => writeln!(f, "cannot reject at this level with any number of them")?,
    }
    writeln!(
        f,
        "instead every number must be within a test point, and {OBJECTIVE_TOLERANCE:e} of the objective"
    )
}

/// The methods and metrics that moved, worse before better and surer before less sure.
fn write_tests(f: &mut fmt::Formatter<'_>, tested: &[Tested], alpha: f64) -> fmt::Result {
    let mut moved: Vec<&Tested> = tested.iter().filter(|t| t.series.moved()).collect();
    moved.sort_by(|a, b| {
        let place = |t: &Tested| (t.series.is_better(), t.p().alone);
        let ((better, p), (other_better, other_p)) = (place(a), place(b));
        better.cmp(&other_better).then(p.total_cmp(&other_p))
    });
    let repeats = tested.iter().map(|t| t.series.differences.len()).min();
    writeln!(
        f,
        "sign-flip tests over {} repeats: {} of {} moved (means over datasets and levels, in %; differences in points)",
        repeats.unwrap_or(0),
        moved.len(),
        counted(tested.len(), "method × metric pair"),
    )?;
    if moved.is_empty() {
        return Ok(());
    }
    let header = [
        "method".to_owned(),
        "metric".to_owned(),
        "".to_owned(),
        "baseline".to_owned(),
        "now".to_owned(),
        "difference".to_owned(),
        format!("{} % interval", 100.0 * (1.0 - alpha)),
        "p".to_owned(),
        "Holm p".to_owned(),
    ];
    let lines: Vec<Vec<String>> = moved.iter().map(|t| line(t, alpha)).collect();
    writeln!(f, "\n{}", table(&header, 3, &lines))
}

fn line(tested: &Tested, alpha: f64) -> Vec<String> {
    let series = &tested.series;
    let (baseline, difference) = (series.baseline_mean(), series.difference());
    let p = tested.p();
    let direction = match (series.is_better(), p.holm <= alpha) {
        (true, true) => "better",
        (false, true) => "worse",
        (_, false) => "",
    };
    let interval = tested.interval.map_or_else(
        || "–".to_owned(),
        |(low, high)| format!("{} to {}", points(low), points(high)),
    );
    vec![
        series.method.clone(),
        series.metric.name.to_owned(),
        direction.to_owned(),
        format!("{:.2}", 100.0 * baseline),
        format!("{:.2}", 100.0 * (baseline + difference)),
        points(difference),
        interval,
        format!("{:.4}", p.alone),
        format!("{:.4}", p.holm),
    ]
}

/// A difference of shares in points, with its sign.
fn points(difference: f64) -> String {
    let shown = format!("{:+.2}", 100.0 * difference);
    shown.replace('-', "−")
}

/// `1 cell`, `2 cells`.
fn counted(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}
