//! The grids of λ and σ, checked.

use super::method::reason;
use super::numbers::{Allowed, check_numbers, check_positive};
use super::{MapPlan, MethodPlan, PlanError, UncertaintyPlan};
use crate::spec::Spanned;
use crate::spec::{DatasetEntry, SigmaSpec, Spec, SpecFile};
use robust_svm_bounds::bandwidth::{Promise, least_bandwidth};
use std::ops::Range;

/// The failure probability of the rule for all frequencies where none is written: that of three standard
/// deviations, which the rule for one frequency is made with.
const FAILURE: f64 = 0.0027;

/// The hyper-parameters tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// λ, in increasing order.
    pub lambda: Vec<f64>,
    /// σ.
    pub sigma: SigmaGrid,
}

/// The bandwidths tried, in increasing order of σ.
#[derive(Debug, Clone, PartialEq)]
pub enum SigmaGrid {
    /// None: no method has a kernel.
    None,
    /// These, in units of the scaled features.
    Given(Vec<f64>),
    /// Multiples of the median distance between training rows.
    TimesMedian(Vec<f64>),
    /// The least by a rule.
    Rule(BandwidthRule),
}

/// The least σ that keeps `|ω_jᵀδ| ≤ θ_max` [Couellan & Jan, Prop. 5.1].
#[derive(Debug, Clone, PartialEq)]
pub struct BandwidthRule {
    /// θ_max, in radians, in decreasing order.
    pub theta_max: Vec<f64>,
    /// γ of δ.
    pub gamma: f64,
    /// The failure probability of the rule for all frequencies at once; `None` for each by itself.
    pub joint_failure: Option<f64>,
}

impl BandwidthRule {
    /// What the rule promises of `map`; planning refuses the joint rule for maps without frequencies.
    pub fn promise(&self, map: &MapPlan) -> Promise {
        match (self.joint_failure, map.frequencies()) {
            (Some(failure), Some(frequencies)) => Promise::AllFrequencies {
                frequencies,
                failure,
            },
            _ => Promise::EachFrequency,
        }
    }
}

/// The grid of each dataset: `[selection]`'s, but for the keys that the dataset has itself.
pub(super) fn check_grids(
    file: &SpecFile,
    spec: &Spec,
    methods: &[MethodPlan],
    sets: &UncertaintyPlan,
) -> Result<Vec<Grid>, PlanError> {
    let lambda = |written: &Spanned<Vec<Spanned<f64>>>| -> Result<Vec<f64>, PlanError> {
        let mut lambda = check_numbers(file, "lambda", written, Allowed::Positive)?;
        lambda.sort_unstable_by(f64::total_cmp);
        Ok(lambda)
    };
    let sigma = |written: &Option<Spanned<SigmaSpec>>| match written {
        Some(sigma) => check_sigma(file, sigma, methods, sets),
        None => Ok(SigmaGrid::None),
    };
    let shared = Grid {
        lambda: lambda(&spec.selection.lambda)?,
        sigma: sigma(&spec.selection.sigma)?,
    };
    let kernel = methods.iter().position(|m| m.map != MapPlan::Identity);
    let grid = |entry: &Spanned<DatasetEntry>| {
        let dataset = entry.get_ref();
        let mut grid = shared.clone();
        if let Some(written) = &dataset.lambda {
            grid.lambda = lambda(written)?;
        }
        if dataset.sigma.is_some() {
            grid.sigma = sigma(&dataset.sigma)?;
        }
        match kernel {
            Some(index) if grid.sigma == SigmaGrid::None => Err(file
                .error_at(
                    spec.method.get_ref()[index].get_ref().features.map.span(),
                    "this map has a bandwidth σ, and [selection] has no grid for it",
                    "add sigma = { times_median = [0.5, 1.0, 2.0] } to [selection]",
                )
                .into()),
            _ => Ok(grid),
        }
    };
    spec.data.datasets.get_ref().iter().map(grid).collect()
}

fn check_sigma(
    file: &SpecFile,
    written: &Spanned<SigmaSpec>,
    methods: &[MethodPlan],
    sets: &UncertaintyPlan,
) -> Result<SigmaGrid, PlanError> {
    let sigma = written.get_ref();
    let keys_of_the_rule = [
        ("theta_max", sigma.theta_max.as_ref().map(Spanned::span)),
        ("gamma", sigma.gamma.as_ref().map(Spanned::span)),
        ("failure", sigma.failure.as_ref().map(Spanned::span)),
        ("jointly", sigma.jointly.as_ref().map(Spanned::span)),
    ];
    if let Some(times) = &sigma.times_median {
        let other = keys_of_the_rule
            .into_iter()
            .find_map(|(key, span)| Some((key, span?)));
        if let Some((key, span)) = other {
            let message = format!("`{key}` has no meaning beside `times_median`");
            let help = "σ is a multiple of the median distance, or follows from `theta_max` and \
                        `gamma`: leave one of them out";
            return Err(file.error_at(span, message, help).into());
        }
        let mut times = check_numbers(file, "times_median", times, Allowed::Positive)?;
        times.sort_unstable_by(f64::total_cmp);
        return Ok(SigmaGrid::TimesMedian(times));
    }
    let missing = |key: &str, example: &str| -> PlanError {
        let help = format!("add it, for example {example}");
        file.error_at(written.span(), format!("missing key `{key}`"), help)
            .into()
    };
    let is_rule = keys_of_the_rule.iter().any(|(_, span)| span.is_some());
    if !is_rule {
        return Err(missing("times_median", "times_median = [0.5, 1.0, 2.0]"));
    }
    let theta_max = sigma.theta_max.as_ref();
    let theta_max = theta_max.ok_or_else(|| missing("theta_max", "theta_max = [0.5, 1.0, 2.0]"))?;
    let gamma = sigma.gamma.as_ref();
    let gamma = gamma.ok_or_else(|| missing("gamma", "gamma = 0.5"))?;
    let mut values = check_numbers(file, "theta_max", theta_max, Allowed::Positive)?;
    values.sort_unstable_by(|a, b| b.total_cmp(a));
    let rule = BandwidthRule {
        theta_max: values,
        gamma: check_positive(file, "gamma", gamma)?,
        joint_failure: check_failure(file, sigma, methods)?,
    };
    check_promises(file, theta_max.span(), &rule, methods, sets)?;
    Ok(SigmaGrid::Rule(rule))
}

/// The failure probability of the joint rule; `None` where the rule is for each frequency.
fn check_failure(
    file: &SpecFile,
    sigma: &SigmaSpec,
    methods: &[MethodPlan],
) -> Result<Option<f64>, PlanError> {
    let jointly = sigma.jointly.as_ref().filter(|jointly| *jointly.get_ref());
    let Some(jointly) = jointly else {
        return match &sigma.failure {
            None => Ok(None),
            Some(failure) => {
                let message = "`failure` has no meaning for each frequency by itself";
                let help = "write jointly = true or leave `failure` out";
                Err(file.error_at(failure.span(), message, help).into())
            }
        };
    };
    let without = |m: &&MethodPlan| m.map != MapPlan::Identity && m.map.frequencies().is_none();
    if let Some(method) = methods.iter().find(without) {
        let message = format!(
            "`jointly` is for random Fourier features, and method `{}` has others",
            method.name
        );
        let help = "write jointly = false, or leave the method out";
        return Err(file.error_at(jointly.span(), message, help).into());
    }
    let Some(failure) = &sigma.failure else {
        return Ok(Some(FAILURE));
    };
    let value = *failure.get_ref();
    if value > 0.0 && value < 1.0 {
        return Ok(Some(value));
    }
    let message = format!("`failure` must be between 0 and 1, found {value}");
    let help = "it is the probability that some frequency leaves the range";
    Err(file.error_at(failure.span(), message, help).into())
}

/// That the rule holds for the sets around the points that are judged.
fn check_promises(
    file: &SpecFile,
    span: Range<usize>,
    rule: &BandwidthRule,
    methods: &[MethodPlan],
    sets: &UncertaintyPlan,
) -> Result<(), PlanError> {
    let of_signs = |m: &&MethodPlan| !m.map.has_normal_frequencies();
    if let Some(method) = methods.iter().find(of_signs) {
        let message = format!(
            "the bandwidth rule is for normal frequencies, and method `{}` has structured ones",
            method.name
        );
        let help = "write times_median or values for σ, or frequencies = \"orthogonal\"";
        return Err(file.error_at(span, message, help).into());
    }
    let sets = sets.representative();
    let set = &sets.shapes()[0];
    let n = set.factor().width().unwrap_or(1);
    for method in methods.iter().filter(|m| m.map != MapPlan::Identity) {
        let promise = rule.promise(&method.map);
        for &theta_max in &rule.theta_max {
            if let Err(error) = least_bandwidth(set, n, rule.gamma, theta_max, promise) {
                let message = "the bandwidth rule does not hold for these uncertainty sets";
                return Err(file.error_at(span, message, reason(error)).into());
            }
        }
    }
    Ok(())
}
