//! From values to places, and which values are marked.

/// A linear axis from a range of values to a range of places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    pub(super) values: (f64, f64),
    pub(super) places: (f64, f64),
}

impl Scale {
    /// Place of a value; a range of one value is in the middle.
    pub(super) fn place(&self, value: f64) -> f64 {
        let (low, high) = self.values;
        let (start, end) = self.places;
        let share = if high > low {
            (value - low) / (high - low)
        } else {
            0.5
        };
        start + share * (end - start)
    }
}

/// Marks at round values that enclose `low..=high`, at most six of them; percent in [0, 100].
///
/// The range is never narrower than two points, so that noise does not look like a trend.
pub(super) fn percent_marks(low: f64, high: f64) -> Vec<f64> {
    const NARROWEST: f64 = 2.0;
    const STEPS: [f64; 6] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0];
    const INTERVALS: f64 = 5.0;
    let widen = (NARROWEST - (high - low)).max(0.0) / 2.0;
    let low = (low - widen).clamp(0.0, 100.0 - NARROWEST);
    let high = (high + widen).clamp(low + NARROWEST, 100.0);
    let ends = |step: f64| ((low / step).floor(), (high / step).ceil());
    let fits = |&step: &f64| ends(step).1 - ends(step).0 <= INTERVALS;
    let step = STEPS.into_iter().find(fits).unwrap_or(20.0);
    let (first, last) = ends(step);
    (0..=(last - first) as i32)
        .map(|k| (first + f64::from(k)) * step)
        .collect()
}

/// A mark's text: no decimals unless there are halves.
pub(super) fn percent_label(mark: f64, marks: &[f64]) -> String {
    if marks.iter().any(|mark| mark.fract() != 0.0) {
        format!("{mark:.1}")
    } else {
        format!("{mark:.0}")
    }
}

/// Which of the labels at these ascending places to write so that they stay `gap` apart: the ends first, then from the left.
pub(super) fn without_collisions(places: &[f64], widths: &[f64], gap: f64) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    let last = places.len().checked_sub(1);
    for index in last.into_iter().chain(0..places.len()) {
        let clear = kept.iter().all(|&other| {
            let needed = f64::midpoint(widths[index], widths[other]) + gap;
            (places[index] - places[other]).abs() >= needed
        });
        if clear {
            kept.push(index);
        }
    }
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_enclose_the_values_within_percent_and_are_few() {
        for low in 0..=200 {
            for high in low..=200 {
                let (low, high) = (f64::from(low) / 2.0, f64::from(high) / 2.0);
                let marks = percent_marks(low, high);
                let (first, last) = (marks[0], marks[marks.len() - 1]);
                assert!(first <= low && high <= last, "{low} {high} {marks:?}");
                assert!(0.0 <= first && last <= 100.0, "{low} {high} {marks:?}");
                assert!((3..=6).contains(&marks.len()), "{low} {high} {marks:?}");
                assert!(last - first >= 2.0, "{low} {high} {marks:?}");
            }
        }
        assert_eq!(
            percent_marks(0.0, 83.0),
            [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
        );
        assert_eq!(percent_marks(100.0, 100.0), [98.0, 98.5, 99.0, 99.5, 100.0]);
    }

    #[test]
    fn labels_that_would_touch_are_left_out_and_the_ends_stay() {
        // The levels 0, 0.1, 0.2, 0.5 and 1 on an axis 180 wide.
        let places = [0.0, 18.0, 36.0, 90.0, 180.0];
        let widths = [9.0, 22.0, 22.0, 22.0, 9.0];
        assert_eq!(without_collisions(&places, &widths, 3.0), [0, 2, 3, 4]);
        assert_eq!(without_collisions(&[0.0, 1.0], &[9.0, 9.0], 3.0), [1]);
        assert_eq!(without_collisions(&[], &[], 3.0), [0; 0]);
    }
}
