//! An axis of a study, checked.

use super::axis_spec::AxisSpec;
use crate::plan::PlanError;
use crate::spec::SpecFile;
use std::fmt::Display;

/// The values of an axis.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::study) struct AxisPlan<T> {
    /// Its value while another axis varies.
    pub(in crate::study) base: T,
    /// The values it takes itself, in the file's order; none where it does not vary.
    pub(in crate::study) vary: Vec<T>,
}

impl<T: Copy + PartialEq + Display> AxisPlan<T> {
    /// Checks the axis `key`: values for which `good` holds, which `rule` says in words, each once.
    pub(in crate::study) fn check(
        file: &SpecFile,
        key: &str,
        spec: &AxisSpec<T>,
        rule: &str,
        good: impl Fn(T) -> bool,
    ) -> Result<Self, PlanError> {
        let varied = spec.vary.as_deref().unwrap_or_default();
        let mut vary: Vec<T> = Vec::with_capacity(varied.len());
        for (index, entry) in std::iter::once(&spec.base).chain(varied).enumerate() {
            let value = *entry.get_ref();
            if !good(value) {
                let message = format!("`{key}` must be {rule}, found {value}");
                let help = "correct or remove this entry";
                return Err(file.error_at(entry.span(), message, help).into());
            }
            if vary.contains(&value) {
                let message = format!("`{key}` has {value} twice");
                let help = "remove one of them";
                return Err(file.error_at(entry.span(), message, help).into());
            }
            // The first is the base, which may be among the values varied over.
            if index > 0 {
                vary.push(value);
            }
        }
        Ok(Self {
            base: *spec.base.get_ref(),
            vary,
        })
    }

    /// The values other than the base.
    pub(in crate::study) fn others(&self) -> impl Iterator<Item = T> {
        self.vary
            .iter()
            .copied()
            .filter(|value| *value != self.base)
    }

    /// Every value, the base first.
    pub(in crate::study) fn all(&self) -> impl Iterator<Item = T> {
        std::iter::once(self.base).chain(self.others())
    }
}
