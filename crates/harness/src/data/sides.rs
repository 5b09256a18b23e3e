//! Which classes of a dataset are positive and which negative.

use super::{DataError, Manifest, TaskSpec};
use crate::source_error::nearest_name;
use std::collections::BTreeSet;

/// The label +1, −1 or none of each class.
pub(super) type Sides = Vec<Option<f64>>;

/// The side of each class.
pub(super) fn sides(manifest: &Manifest, spec: &TaskSpec) -> Result<Sides, DataError> {
    let all = || (0..manifest.classes).collect::<BTreeSet<usize>>();
    let positive = given_classes(manifest, "positive", spec.positive.as_ref())?;
    let negative = given_classes(manifest, "negative", spec.negative.as_ref())?;
    let (positive, negative) = match (positive, negative) {
        (Some(positive), Some(negative)) => (positive, negative),
        (Some(positive), None) => {
            let others = &all() - &positive;
            (positive, others)
        }
        (None, negative) if manifest.classes == 2 => {
            let negative = negative.unwrap_or_else(|| BTreeSet::from([0]));
            (&all() - &negative, negative)
        }
        (None, _) => {
            return Err(DataError::PositiveRequired {
                dataset: manifest.name.clone(),
                classes: manifest.class_names.clone(),
            });
        }
    };
    if let Some(both) = positive.intersection(&negative).next() {
        return Err(DataError::ClassOnBothSides {
            dataset: manifest.name.clone(),
            class: manifest.class_names[*both].clone(),
        });
    }
    for (side, classes) in [("positive", &positive), ("negative", &negative)] {
        if classes.is_empty() {
            return Err(DataError::EmptySide {
                dataset: manifest.name.clone(),
                side,
                reason: "it has no class".to_owned(),
            });
        }
    }
    let side = |class: usize| match (positive.contains(&class), negative.contains(&class)) {
        (true, _) => Some(1.0),
        (_, true) => Some(-1.0),
        _ => None,
    };
    Ok((0..manifest.classes).map(side).collect())
}

/// The numbers of the classes given for a side, if any are given.
fn given_classes(
    manifest: &Manifest,
    side: &'static str,
    given: Option<&Vec<String>>,
) -> Result<Option<BTreeSet<usize>>, DataError> {
    let names = &manifest.class_names;
    let number = |class: &String| {
        let by_name = names.iter().position(|name| name == class);
        let by_number = || (0..names.len()).find(|number| number.to_string() == *class);
        by_name.or_else(by_number).ok_or_else(|| {
            let near = nearest_name(class, names.iter().map(String::as_str));
            DataError::UnknownClass {
                dataset: manifest.name.clone(),
                class: class.clone(),
                side,
                near: near.map(str::to_owned),
                classes: names.clone(),
            }
        })
    };
    given
        .map(|classes| classes.iter().map(number).collect())
        .transpose()
}

/// The names of the classes with this label.
pub(super) fn names_on_side<'a>(manifest: &'a Manifest, sides: &Sides, label: f64) -> Vec<&'a str> {
    let classes = manifest.class_names.iter().zip(sides);
    classes
        .filter(|(_, side)| **side == Some(label))
        .map(|(name, _)| name.as_str())
        .collect()
}
