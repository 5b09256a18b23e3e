//! An axis of a panel of curves: linear or logarithmic, with its marks.

use super::scale::Scale;

/// An axis and its marks.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    logarithmic: bool,
    ends: (f64, f64),
    marks: Vec<(f64, String)>,
    /// Small marks between them, without labels.
    minor: Vec<f64>,
}

impl Axis {
    /// A linear axis from the first to the last of `marks`, in ascending order, which are written with at most
    /// two decimals.
    pub(crate) fn linear(marks: &[f64]) -> Self {
        Self {
            logarithmic: false,
            minor: Vec::new(),
            ends: ends(marks),
            marks: marks
                .iter()
                .map(|&mark| (mark, two_decimals(mark)))
                .collect(),
        }
    }

    /// A linear axis that encloses `low..=high`, marked at round values, at most seven.
    pub(crate) fn enclosing(low: f64, high: f64) -> Self {
        const INTERVALS: f64 = 6.0;
        let (low, high) = if low < high {
            (low, high)
        } else if low.is_finite() {
            (low - 0.5, low + 0.5)
        } else {
            (0.0, 1.0)
        };
        // At least this large, so that the marks differ in two decimals.
        let exponent = ((high - low) / INTERVALS).log10().floor().max(-2.0) as i32;
        let steps = (exponent..).flat_map(|e| [1.0, 2.0, 5.0].map(|step| decimal(step, e)));
        let ends = |step: f64| ((low / step).floor(), (high / step).ceil());
        let fits = |step: &f64| ends(*step).1 - ends(*step).0 <= INTERVALS;
        let step = steps.into_iter().find(fits).expect("steps grow for ever");
        let (first, last) = ends(step);
        let count = (last - first) as i32;
        let marks: Vec<f64> = (0..=count).map(|k| (first + f64::from(k)) * step).collect();
        Self::linear(&marks)
    }

    /// A logarithmic axis through `marks`, positive and in ascending order, with their labels.
    pub(crate) fn at(marks: Vec<(f64, String)>) -> Self {
        let values: Vec<f64> = marks.iter().map(|(value, _)| *value).collect();
        Self {
            logarithmic: true,
            minor: Vec::new(),
            ends: ends(&values),
            marks,
        }
    }

    /// A logarithmic axis that encloses `low..=high`, both positive, and is marked at round multiples of the powers
    /// of ten: the more of them the narrower the range, nine at most unless these are the powers alone.
    pub(crate) fn logarithmic(low: f64, high: f64) -> Self {
        let exponents = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let round = |steps: &[f64]| -> Vec<f64> {
            let all = exponents
                .clone()
                .flat_map(|exponent| steps.iter().map(move |step| decimal(*step, exponent)));
            let all: Vec<f64> = all.collect();
            let first = all.iter().rposition(|mark| *mark <= low).unwrap_or(0);
            let last = all.iter().position(|mark| *mark >= high);
            all[first..=last.unwrap_or(all.len() - 1).max(first)].to_vec()
        };
        let narrow = round(&[1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 7.0]);
        let usual = round(&[1.0, 2.0, 5.0]);
        let marks = match (narrow.len(), usual.len()) {
            (..=4, _) => narrow,
            (_, ..=9) => usual,
            _ => round(&[1.0]),
        };
        Self::at(marks.into_iter().map(|m| (m, m.to_string())).collect())
    }

    /// A logarithmic axis that encloses `low..=high`, both positive, marked at powers of ten, at most nine of them.
    pub(crate) fn powers_of_ten(low: f64, high: f64) -> Self {
        const INTERVALS: i32 = 8;
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
        let step = (last - first + INTERVALS - 1).div_euclid(INTERVALS).max(1);
        let intervals = (last - first + step - 1).div_euclid(step).max(1);
        let mark = |k: i32| {
            let exponent = last - k * step;
            let label = match exponent {
                0 => "1".to_owned(),
                _ => format!("1e{exponent}").replace('-', "−"),
            };
            (decimal(1.0, exponent), label)
        };
        Self::at((0..=intervals).rev().map(mark).collect())
    }

    /// A logarithmic axis a little longer than `low..=high`, both positive, with marks at the powers of ten in it, at most six, and
    /// small marks between them; where there are not two powers, it is [`Axis::logarithmic`].
    pub(crate) fn decades(low: f64, high: f64) -> Self {
        const MARGIN: f64 = 1.2;
        const MOST: i32 = 6;
        let ends = (low / MARGIN, high * MARGIN);
        let (first, last) = (ends.0.log10().ceil() as i32, ends.1.log10().floor() as i32);
        if last <= first {
            return Self::logarithmic(low, high);
        }
        let step = (last - first) / MOST + 1;
        let mark = |exponent: i32| {
            let label = format!("10^{exponent}").replace('-', "−");
            (decimal(1.0, exponent), label)
        };
        let exponents = (first..=last).filter(|exponent| exponent.rem_euclid(step) == 0);
        let between = (first - 1..=last).flat_map(|e| (2..10).map(move |k| (f64::from(k), e)));
        let minor = between.map(|(k, exponent)| decimal(k, exponent));
        Self {
            logarithmic: true,
            ends,
            marks: exponents.map(mark).collect(),
            minor: if step == 1 {
                minor.filter(|m| (ends.0..=ends.1).contains(m)).collect()
            } else {
                Vec::new()
            },
        }
    }

    /// The logarithmic axis with a mark for 0 at its foot, a step below the lowest; and where on the scale that is.
    pub(crate) fn with_zero(mut self) -> (Self, f64) {
        let [low, next] = [0, 1].map(|k| self.marks.get(k).map_or(1.0, |(mark, _)| *mark));
        let foot = low * (low / next).min(0.1);
        self.marks.insert(0, (foot, "0".to_owned()));
        self.ends.0 = foot;
        (self, foot)
    }

    /// The marks and their labels.
    pub(super) fn marks(&self) -> &[(f64, String)] {
        &self.marks
    }

    /// The small marks between them.
    pub(super) fn minor(&self) -> &[f64] {
        &self.minor
    }

    /// Where `value` lies between `places`.
    pub(crate) fn place(&self, value: f64, places: (f64, f64)) -> f64 {
        let on_scale = |value: f64| {
            if self.logarithmic { value.ln() } else { value }
        };
        let scale = Scale {
            values: (on_scale(self.ends.0), on_scale(self.ends.1)),
            places,
        };
        scale.place(on_scale(value))
    }
}

fn ends(marks: &[f64]) -> (f64, f64) {
    let at = |mark: Option<&f64>| mark.copied().unwrap_or(1.0);
    (at(marks.first()), at(marks.last()))
}

/// At most two decimals, with a minus sign where there is one.
fn two_decimals(mark: f64) -> String {
    let rounded = (100.0 * mark).round() / 100.0 + 0.0;
    rounded.to_string().replace('-', "−")
}

/// `step · 10^exponent`, rounded as a reader of the decimal does.
fn decimal(step: f64, exponent: i32) -> f64 {
    format!("{step}e{exponent}").parse().expect("a number")
}

#[cfg(test)]
mod tests {
    use super::Axis;

    fn marks(low: f64, high: f64) -> Vec<String> {
        marks_of(&Axis::logarithmic(low, high))
    }

    fn marks_of(axis: &Axis) -> Vec<String> {
        axis.marks()
            .iter()
            .map(|(_, label)| label.clone())
            .collect()
    }

    #[test]
    fn logarithmic_marks_are_round_and_enclose_the_values() {
        assert_eq!(marks(1.02, 4.1), ["1", "2", "5"]);
        assert_eq!(marks(0.4, 0.4), ["0.3", "0.5"]);
        assert_eq!(marks(1.0, 1.36), ["1", "1.2", "1.5"]);
        assert_eq!(marks(1.0, 1.0), ["1"]);
        assert_eq!(marks(0.02, 7.0).len(), 9);
        assert_eq!(
            marks(0.9, 3e4),
            ["0.1", "1", "10", "100", "1000", "10000", "100000"]
        );
    }

    #[test]
    fn powers_of_ten_enclose_the_values_and_are_few() {
        let labels = |low, high| marks_of(&Axis::powers_of_ten(low, high));
        assert_eq!(labels(2e-3, 0.5), ["1e−3", "1e−2", "1e−1", "1"]);
        assert_eq!(
            labels(1e-9, 1.0),
            ["1e−10", "1e−8", "1e−6", "1e−4", "1e−2", "1"]
        );
        assert_eq!(labels(1.0, 1.0), ["1e−1", "1"]);
        assert_eq!(labels(1e-16, 1.0).len(), 9);
    }

    #[test]
    fn decades_have_small_marks_and_end_close_to_the_values() {
        let axis = Axis::decades(2e-3, 0.5);
        assert_eq!(marks_of(&axis), ["10^−2", "10^−1"]);
        assert_eq!(axis.minor().first(), Some(&2e-3));
        assert_eq!(axis.minor().last(), Some(&0.6));
        assert!((axis.place(2e-3, (0.0, 1.0))) < 0.05 && axis.place(0.5, (0.0, 1.0)) > 0.95);
        assert_eq!(marks_of(&Axis::decades(1e-9, 1.0)).len(), 5);
        assert_eq!(marks_of(&Axis::decades(1.0, 4.0)), ["1", "2", "5"]);
    }

    #[test]
    fn zero_is_a_step_below_the_lowest_power() {
        let (axis, foot) = Axis::powers_of_ten(1e-9, 1.0).with_zero();
        assert_eq!(
            marks_of(&axis),
            ["0", "1e−10", "1e−8", "1e−6", "1e−4", "1e−2", "1"]
        );
        assert!((foot / 1e-12 - 1.0).abs() < 1e-12);
        assert_eq!(axis.place(foot, (0.0, 60.0)), 0.0);
        assert!((axis.place(1e-10, (0.0, 60.0)) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn round_marks_enclose_the_values() {
        for (low, high) in [
            (-3.2, 0.4),
            (0.0, 1e-4),
            (5.0, 5.0),
            (-140.0, 33.0),
            (0.013, 0.4),
        ] {
            let axis = Axis::enclosing(low, high);
            let count = axis.marks().len();
            assert!((2..=7).contains(&count), "{low} {high} {count}");
            let place = |value| axis.place(value, (0.0, 1.0));
            assert!(
                place(low) >= -1e-9 && place(high) <= 1.0 + 1e-9,
                "{low} {high}"
            );
        }
        let labels: Vec<String> = marks_of(&Axis::enclosing(-3.2, 0.4));
        assert_eq!(labels, ["−4", "−3", "−2", "−1", "0", "1"]);
    }

    #[test]
    fn equal_ratios_are_equally_far_apart() {
        let axis = Axis::logarithmic(1.0, 100.0);
        let place = |value| axis.place(value, (0.0, 40.0));
        assert!((place(10.0) - 20.0).abs() < 1e-12);
        let axis = Axis::linear(&[0.0, 50.0, 100.0]);
        assert_eq!(axis.place(25.0, (100.0, 0.0)), 75.0);
    }
}
