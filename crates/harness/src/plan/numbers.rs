//! Checks of the numbers in an experiment file, of any kind.

use super::PlanError;
use crate::spec::Spanned;
use crate::spec::SpecFile;
use std::fmt::Display;

/// `value`, which must be from 1 to `most`.
pub(crate) fn check_count<T: Copy + PartialOrd + From<u8> + Display>(
    file: &SpecFile,
    key: &str,
    value: &Spanned<T>,
    most: T,
) -> Result<T, PlanError> {
    let count = *value.get_ref();
    let (message, help) = if count < T::from(1) {
        (
            format!("`{key}` must be at least 1, found {count}"),
            "use 1 or more".to_owned(),
        )
    } else if count > most {
        (
            format!("`{key}` must be at most {most}, found {count}"),
            format!("use {most} or less"),
        )
    } else {
        return Ok(count);
    };
    Err(file.error_at(value.span(), message, help).into())
}

/// `value`, which must be positive and finite.
pub(crate) fn check_positive(
    file: &SpecFile,
    key: &str,
    value: &Spanned<f64>,
) -> Result<f64, PlanError> {
    let number = *value.get_ref();
    if number > 0.0 && number.is_finite() {
        return Ok(number);
    }
    let message = format!("`{key}` must be positive and finite, found {number}");
    Err(file
        .error_at(value.span(), message, "use a number above 0")
        .into())
}

/// Which numbers a list may have.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Allowed {
    Positive,
    NotNegative,
    Probability,
}

/// A list of finite, different numbers with at least one entry.
pub(crate) fn check_numbers(
    file: &SpecFile,
    key: &str,
    list: &Spanned<Vec<Spanned<f64>>>,
    allowed: Allowed,
) -> Result<Vec<f64>, PlanError> {
    let mut values: Vec<f64> = Vec::new();
    for entry in list.get_ref() {
        // Adding 0.0 makes −0.0 equal to 0.0 in messages, cells and files.
        let value = *entry.get_ref() + 0.0;
        let (good, rule) = match allowed {
            Allowed::Positive => (value > 0.0, "positive and finite"),
            Allowed::NotNegative => (value >= 0.0, "at least 0 and finite"),
            Allowed::Probability => (value > 0.0 && value < 1.0, "between 0 and 1"),
        };
        if !(good && value.is_finite()) {
            let message = format!("`{key}` must be {rule}, found {value}");
            let help = "correct or remove this entry";
            return Err(file.error_at(entry.span(), message, help).into());
        }
        if values.contains(&value) {
            let message = format!("`{key}` has {value} twice");
            return Err(file
                .error_at(entry.span(), message, "remove one of them")
                .into());
        }
        values.push(value);
    }
    if values.is_empty() {
        let message = format!("`{key}` is empty");
        return Err(file
            .error_at(list.span(), message, "give at least one number")
            .into());
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::{Spanned, SpecFile, check_count};

    #[test]
    fn counts_are_admitted_up_to_their_limits() {
        let file = SpecFile::from_text("a.toml".as_ref(), "repeats = 5".into()).unwrap();
        let count = |value: u32| check_count(&file, "repeats", &Spanned::new(10..11, value), 5);
        assert_eq!((count(1).unwrap(), count(5).unwrap()), (1, 5));
        assert!(count(0).is_err() && count(6).is_err());
    }
}
