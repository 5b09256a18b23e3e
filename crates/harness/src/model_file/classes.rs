//! The two classes of a model, by the labels of the data it was trained on.

use super::ModelFault;
use serde::{Deserialize, Serialize};

/// What a model tells apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classes {
    /// Where the decision value is positive.
    pub positive: ClassSide,
    /// Where it is negative.
    pub negative: ClassSide,
}

/// One of the two classes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassSide {
    /// Its name in predictions.
    pub name: String,
    /// The labels that mean it, as [`Classes::label`] writes them; at least one.
    pub labels: Vec<String>,
}

impl Classes {
    /// A label as it is compared: without blanks around it, and numbers in their shortest form, so that
    /// `1`, `+1` and `1.0` are one label.
    pub fn label(text: &str) -> String {
        let text = text.trim();
        match text.parse::<f64>() {
            // Adding 0.0 makes −0.0 equal to 0.0.
            Ok(number) if number.is_finite() => (number + 0.0).to_string(),
            _ => text.to_owned(),
        }
    }

    /// +1 or −1 for a label of the data; `None` if it is of neither class.
    pub fn side_of(&self, text: &str) -> Option<f64> {
        let label = Self::label(text);
        if self.positive.labels.contains(&label) {
            Some(1.0)
        } else if self.negative.labels.contains(&label) {
            Some(-1.0)
        } else {
            None
        }
    }

    /// The name of the class of a decision value; `None` for 0 and NaN, which are of neither.
    pub fn name_of(&self, decision: f64) -> Option<&str> {
        if decision > 0.0 {
            Some(&self.positive.name)
        } else if decision < 0.0 {
            Some(&self.negative.name)
        } else {
            None
        }
    }

    /// Every label there is.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let sides = [&self.negative, &self.positive];
        sides
            .into_iter()
            .flat_map(|side| &side.labels)
            .map(String::as_str)
    }

    pub(super) fn check(&self) -> Result<(), ModelFault> {
        let fault = |problem: String| Err(ModelFault::entry("classes", problem));
        if self.positive.name == self.negative.name {
            return fault(format!("both are called `{}`", self.positive.name));
        }
        for side in [&self.positive, &self.negative] {
            if side.labels.is_empty() {
                return fault(format!("`{}` has no label", side.name));
            }
            if let Some(label) = side.labels.iter().find(|l| Self::label(l) != **l) {
                return fault(format!("the label `{label}` is written otherwise"));
            }
        }
        let both = self.positive.labels.iter();
        let both = both
            .clone()
            .find(|label| self.negative.labels.contains(label));
        match both {
            Some(label) => fault(format!("the label `{label}` is of both classes")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ClassSide, Classes};

    fn classes(positive: &[&str], negative: &[&str]) -> Classes {
        let side = |name: &str, labels: &[&str]| ClassSide {
            name: name.to_owned(),
            labels: labels.iter().map(|&l| l.to_owned()).collect(),
        };
        Classes {
            positive: side("sick", positive),
            negative: side("well", negative),
        }
    }

    #[test]
    fn labels_are_known_however_they_are_written() {
        let classes = classes(&["1", "yes"], &["0", "-1"]);
        assert!(classes.check().is_ok());
        for (text, side) in [
            ("+1", 1.0),
            (" 1.00", 1.0),
            ("yes", 1.0),
            ("-0", -1.0),
            ("-1", -1.0),
        ] {
            assert_eq!(classes.side_of(text), Some(side), "{text}");
        }
        for text in ["2", "Yes", "", "NaN", "inf"] {
            assert_eq!(classes.side_of(text), None, "{text}");
        }
        assert_eq!(classes.name_of(0.1), Some("sick"));
        assert_eq!(classes.name_of(-0.1), Some("well"));
        assert_eq!(
            (classes.name_of(0.0), classes.name_of(f64::NAN)),
            (None, None)
        );
    }

    #[test]
    fn classes_that_cannot_be_told_apart_are_faults() {
        for (positive, negative) in [(&["1"][..], &["1"][..]), (&["1"], &[]), (&["1.0"], &["0"])] {
            assert!(classes(positive, negative).check().is_err());
        }
        let mut alike = classes(&["1"], &["0"]);
        alike.negative.name = "sick".to_owned();
        assert!(alike.check().is_err());
    }
}
