//! Counts of true and predicted classes.

use std::fmt;
use std::str::FromStr;

/// How often rows of a class were taken for another: entry (i, j) counts rows of class i predicted as j.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confusion {
    classes: usize,
    counts: Vec<u64>,
}

impl Confusion {
    /// No row yet, of so many classes.
    pub fn new(classes: usize) -> Self {
        Self {
            classes,
            counts: vec![0; classes * classes],
        }
    }

    /// Counts rows by their class and what it was `predicted` to be.
    ///
    /// # Panics
    /// If a class is none of them.
    pub fn count(&mut self, labels: &[usize], predicted: &[usize]) {
        for (label, predicted) in labels.iter().zip(predicted) {
            assert!(*predicted < self.classes, "a class");
            self.counts[label * self.classes + predicted] += 1;
        }
    }

    /// Adds the counts of `other`, of the same classes; one of other classes is left out.
    pub fn add(&mut self, other: &Self) {
        if other.classes == self.classes {
            for (count, more) in self.counts.iter_mut().zip(&other.counts) {
                *count += more;
            }
        }
    }

    /// The number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Rows of class `label` predicted as `predicted`.
    pub fn entry(&self, label: usize, predicted: usize) -> u64 {
        self.counts[label * self.classes + predicted]
    }

    /// Right predictions and all.
    pub fn right_of_all(&self) -> [u64; 2] {
        let right = (0..self.classes).map(|c| self.entry(c, c)).sum();
        [right, self.counts.iter().sum()]
    }

    /// Share of right predictions; NaN of no rows.
    pub fn accuracy(&self) -> f64 {
        let [right, all] = self.right_of_all();
        right as f64 / all as f64
    }
}

/// As in the column `confusion`: a line for each true class, counts by predicted class; `5 1;0 4`.
impl fmt::Display for Confusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, line) in self.counts.chunks(self.classes).enumerate() {
            if index > 0 {
                f.write_str(";")?;
            }
            let counts: Vec<String> = line.iter().map(u64::to_string).collect();
            f.write_str(&counts.join(" "))?;
        }
        Ok(())
    }
}

impl FromStr for Confusion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let classes = text.split(';').count();
        let counts = text.split([';', ' ']).map(str::parse).collect();
        let counts: Vec<u64> = counts_of(counts).ok_or_else(|| format!("no counts: `{text}`"))?;
        if counts.len() != classes * classes {
            return Err(format!("no square of counts: `{text}`"));
        }
        Ok(Self { classes, counts })
    }
}

fn counts_of<E>(counts: Result<Vec<u64>, E>) -> Option<Vec<u64>> {
    counts.ok()
}

#[cfg(test)]
mod tests {
    use super::Confusion;

    #[test]
    fn counts_worked_by_hand() {
        let mut confusion = Confusion::new(3);
        confusion.count(&[0, 0, 1, 2, 2], &[0, 2, 1, 2, 0]);
        assert_eq!(confusion.to_string(), "1 0 1;0 1 0;1 0 1");
        assert_eq!((confusion.entry(0, 2), confusion.entry(2, 0)), (1, 1));
        assert_eq!(confusion.accuracy(), 0.6);
        assert_eq!(confusion.to_string().parse(), Ok(confusion.clone()));
        confusion.add(&confusion.clone());
        assert_eq!(confusion.to_string(), "2 0 2;0 2 0;2 0 2");
        for text in ["", "1 2", "1 2;3", "a b;c d", "1 2;3 4;5 6"] {
            assert!(text.parse::<Confusion>().is_err(), "{text}");
        }
    }
}
