//! Sections `[[compare]]`, checked against the methods.

use super::{MethodPlan, PlanError};
use crate::source_error::nearest_name;
use crate::spec::Spanned;
use crate::spec::{CompareMetric, CompareSpec, SpecFile};

/// A claim to test over datasets: `method` has less of the error `metric` than each of `with`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The method's name.
    pub method: String,
    /// The other methods' names.
    pub with: Vec<String>,
    /// The error.
    pub metric: CompareMetric,
}

/// That the methods named are there, and none is compared with itself.
pub(super) fn check_comparisons(
    file: &SpecFile,
    specs: &[CompareSpec],
    methods: &[MethodPlan],
) -> Result<Vec<Comparison>, PlanError> {
    let check = |name: &Spanned<String>| -> Result<String, PlanError> {
        let names = || methods.iter().map(|method| method.name.as_str());
        if names().any(|known| known == name.get_ref()) {
            return Ok(name.get_ref().clone());
        }
        let help = match nearest_name(name.get_ref(), names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("methods here: {}", names().collect::<Vec<_>>().join(", ")),
        };
        let message = format!("there is no method `{}`", name.get_ref());
        Err(file.error_at(name.span(), message, help).into())
    };
    let comparison = |spec: &CompareSpec| -> Result<Comparison, PlanError> {
        let method = check(&spec.method)?;
        let refuse = |span, message: &str, help: &str| -> PlanError {
            file.error_at(span, message, help).into()
        };
        if spec.with.get_ref().is_empty() {
            let help = "name the methods to compare with";
            return Err(refuse(spec.with.span(), "`with` is empty", help));
        }
        let mut with = Vec::new();
        for name in spec.with.get_ref() {
            let other = check(name)?;
            if other == method || with.contains(&other) {
                let message = "a method is compared with itself, or twice";
                return Err(refuse(name.span(), message, "name each other method once"));
            }
            with.push(other);
        }
        let metric = spec.metric;
        Ok(Comparison {
            method,
            with,
            metric,
        })
    };
    specs.iter().map(comparison).collect()
}
