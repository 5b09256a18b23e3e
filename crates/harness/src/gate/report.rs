//! What moved, for a person.

use super::report_table::{write_few_repeats, write_tests};
use super::series::{Tested, TooFewRepeats};
use super::sign_flip::smallest_p;
use super::tolerance::{Moved, Movement, OBJECTIVE_TOLERANCE};
use super::{Basis, Comparison, Verdict};
use crate::table::shown::counted;
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
            Basis::Tests {
                tested,
                few_repeats,
                alpha,
            } => {
                write_tests(f, tested, *alpha)?;
                write_few_repeats(f, few_repeats)?;
            }
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
        let named = || {
            let Basis::Tests { tested, .. } = &self.basis else {
                return String::new();
            };
            let names = tested.iter().filter(|t| self.is_why(t));
            let names: Vec<String> = names
                .map(|t| format!("{} {}", t.series.method, t.series.metric.name))
                .collect();
            if names.is_empty() {
                String::new()
            } else {
                format!(" ({})", names.join(", "))
            }
        };
        match (self.verdict, &self.basis) {
            (Verdict::Same, Basis::Equal) => "as in the baseline".into(),
            (Verdict::Same, Basis::Tests { .. }) => {
                "as in the baseline, as far as the tests can tell".into()
            }
            (Verdict::Same, _) => "as in the baseline, within the tolerances".into(),
            (Verdict::Regressed, _) => format!("regressed{}", named()),
            (Verdict::Improved, _) => format!(
                "improved beyond the baseline{}: refresh it with --update",
                named()
            ),
            (Verdict::Differs, _) => "differs, though the same code made both".into(),
            (Verdict::NothingMeasured, _) => "nothing was measured".into(),
        }
    }

    /// The cells that moved most: those that the verdict rests on first, then by how far. With tests the objective, which is
    /// not tested, is counted only.
    fn write_cells(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_tested = matches!(self.basis, Basis::Tests { .. });
        let is_listed = |moved: &&Moved| match moved.kind {
            Movement::Measured | Movement::BeyondTolerance => true,
            Movement::WithinTolerance => is_tested,
            Movement::Objective => !is_tested,
        };
        let mut listed: Vec<&Moved> = self.moved.iter().filter(is_listed).collect();
        listed.sort_by(|a, b| {
            let weight = |m: &Moved| (self.is_evidence(m), m.size);
            let ((first, size), (other, other_size)) = (weight(a), weight(b));
            other.cmp(&first).then(other_size.total_cmp(&size))
        });
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

impl Comparison {
    /// Whether the movement is part of why results regressed or improved: a cell that came or went, or one of a method and
    /// metric that did, in that direction.
    fn is_evidence(&self, moved: &Moved) -> bool {
        let Basis::Tests { tested, .. } = &self.basis else {
            return false;
        };
        let mut same = tested.iter().filter(|t| {
            (t.series.method.as_str(), t.series.metric.name) == (&moved.method, moved.metric)
        });
        let is_that_way = moved.better == (self.verdict == Verdict::Improved);
        moved.kind == Movement::Measured || is_that_way && same.any(|t| self.is_why(t))
    }

    /// Whether results regressed or improved in the method and metric: a test rejects, or much is lost in a few repeats.
    fn is_why(&self, tested: &Tested) -> bool {
        let Basis::Tests {
            few_repeats, alpha, ..
        } = &self.basis
        else {
            return false;
        };
        let series = &tested.series;
        let mut lost = few_repeats.iter().map(|lost| (&lost.method, lost.metric));
        match self.verdict {
            Verdict::Regressed => {
                tested.worse.holm <= *alpha
                    || lost.any(|lost| lost == (&series.method, series.metric.name))
            }
            Verdict::Improved => tested.better.holm <= *alpha,
            Verdict::Same | Verdict::Differs | Verdict::NothingMeasured => false,
        }
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

#[cfg(test)]
mod tests {
    use super::super::metric::METRICS;
    use super::super::series::{Series, test};
    use super::{Basis, Comparison, Moved, Movement, Verdict};

    fn series(method: &str, metric: usize, baseline: f64, differences: Vec<f64>) -> Series {
        Series {
            method: method.into(),
            metric: METRICS[metric],
            cells: differences.len(),
            baseline: vec![baseline; differences.len()],
            differences,
        }
    }

    fn moved(method: &str, metric: &'static str, size: f64, better: bool) -> Moved {
        Moved {
            cell: format!("wine / {method} / level 0 / repeat 0"),
            method: method.into(),
            metric,
            baseline: "0.500000".into(),
            now: format!("{:.6}", 0.5 + if better { size } else { -size }),
            size,
            better,
            kind: Movement::WithinTolerance,
        }
    }

    /// What is worse and sure comes first, and so do its cells, though others moved further.
    #[test]
    fn the_reader_sees_the_evidence_first() {
        let alternating = (0..12).map(|r| if r % 3 == 0 { 0.05 } else { -0.02 });
        let mut cells = vec![moved("linear", "accuracy", 0.05, true)];
        cells.extend((1..=11).map(|k| moved("rff", "accuracy", 0.001 * f64::from(k), false)));
        let objective = Moved {
            kind: Movement::Objective,
            ..moved("rff", "objective", 3.0, false)
        };
        cells.push(objective);
        let comparison = Comparison {
            cells: 24,
            moved: cells,
            basis: Basis::Tests {
                tested: test(vec![
                    series("linear", 0, 0.9, alternating.collect()),
                    series("linear", 3, 0.2, vec![0.0; 12]),
                    series("rff", 0, 0.8, vec![-0.01; 12]),
                    series("rff", 3, 0.3, vec![-0.02; 12]),
                ]),
                few_repeats: Vec::new(),
                alpha: 0.05,
            },
            verdict: Verdict::Regressed,
        };
        let text = comparison.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[..7],
            [
                "sign-flip tests over 12 repeats: 3 of 4 method × metric pairs moved (means over datasets and levels, in %; differences in points)",
                "",
                "| method | metric          |        | baseline |   now | difference |  95 % interval |      p | Holm p |",
                "| :----- | :-------------- | :----- | -------: | ----: | ---------: | -------------: | -----: | -----: |",
                "| rff    | accuracy        | worse  |    80.00 | 79.00 |      −1.00 | −1.00 to −1.00 | 0.0002 | 0.0010 |",
                "| rff    | certified_error | better |    30.00 | 28.00 |      −2.00 | −2.00 to −2.00 | 0.0002 | 0.0010 |",
                lines[6],
            ]
        );
        assert!(
            lines[6].starts_with(
                "| linear | accuracy        |        |    90.00 | 90.33 |      +0.33 |"
            ),
            "{text}"
        );
        let first = "worse   wine / rff / level 0 / repeat 0  accuracy: 0.500000 → 0.489000";
        assert_eq!(lines[8], first);
        assert_eq!(
            lines
                .iter()
                .filter(|line| line.starts_with("worse"))
                .count(),
            10
        );
        assert_eq!(
            lines[18..],
            [
                "… and 2 more",
                "1 objective moved by more than 1e-6, relative; they are not tested",
                "24 cells compared, 13 numbers moved: regressed (rff accuracy)",
            ]
        );
    }
}
