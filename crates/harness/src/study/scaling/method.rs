//! A method of the study, checked.

use super::size::{AxisName, Sizes};
use super::solver::{Guard, TrainerName};
use super::spec::MethodSpec;
use crate::plan::PlanError;
use crate::spec::{MapName, Spanned, SpecFile};

/// A method, and the sizes that it is measured at.
#[derive(Debug, Clone)]
pub struct MethodPlan {
    /// Its name in results.
    pub name: String,
    /// What trains.
    pub solver: TrainerName,
    /// The feature map.
    pub map: MapName,
    /// Whether it guards against uncertainty.
    pub robust: bool,
    /// The sizes at which axes stand that do not vary.
    pub base: Sizes,
    /// The values of each axis, ascending; none of axes that it does not have.
    pub values: Sizes<Vec<usize>>,
}

/// At least so many values of an axis make a slope.
pub(super) const LEAST_VALUES: usize = 3;

impl MethodPlan {
    /// The axes that it is measured along.
    pub(super) fn axes(&self) -> impl Iterator<Item = AxisName> + '_ {
        let varied = |axis: &AxisName| !self.values.of(*axis).is_empty();
        AxisName::ALL.into_iter().filter(varied)
    }

    /// The number of features where the map has one of its own: D or m.
    pub(super) fn features(&self, sizes: &Sizes) -> Option<usize> {
        width_axis(self.map).map(|axis| *sizes.of(axis))
    }

    /// The name of what it is robust by; `None` for nominal methods.
    pub(super) fn bound(&self) -> Option<&'static str> {
        match (self.robust, self.solver, self.map) {
            (false, ..) | (true, _, MapName::ExactKernel) => None,
            (true, TrainerName::Local, _) => Some("local"),
            (true, TrainerName::Safe, _) => Some("safe"),
            (true, _, MapName::Identity) => Some("exact"),
            (true, _, MapName::Rff) => Some("geodesic"),
            (true, _, MapName::Nystrom) => Some("projection"),
        }
    }

    /// Checks a method of `file` whose axes have these bases and values.
    pub(super) fn check(
        file: &SpecFile,
        spec: &MethodSpec,
        base: Sizes,
        values: &Sizes<Vec<usize>>,
    ) -> Result<Self, PlanError> {
        let (solver, map) = (*spec.solver.get_ref(), *spec.map.get_ref());
        if !solver.maps().contains(&map) {
            let maps: Vec<String> = solver.maps().iter().map(|map| quoted(*map)).collect();
            let message = format!("solver `{}` is not for this feature map", solver.name());
            let help = format!("write map = {}", maps.join(" or "));
            return Err(file.error_at(spec.map.span(), message, help).into());
        }
        let robust = check_robust(file, spec)?;
        let base = own_base(file, spec, base, map)?;
        let own_values = |axis: AxisName| {
            if !has(map, axis) {
                refuse_foreign(file, *spec.most.sizes().of(axis), map)?;
                return Ok(Vec::new());
            }
            values_within(file, spec, axis, &base, values.of(axis))
        };
        Ok(Self {
            name: spec.name.get_ref().clone(),
            solver,
            map,
            robust,
            base,
            values: Sizes::try_of(own_values)?,
        })
    }
}

/// The axis of a map's own number of features.
fn width_axis(map: MapName) -> Option<AxisName> {
    match map {
        MapName::Rff => Some(AxisName::Dim),
        MapName::Nystrom => Some(AxisName::Landmarks),
        MapName::Identity | MapName::ExactKernel => None,
    }
}

/// Whether problems on `map` have this axis.
fn has(map: MapName, axis: AxisName) -> bool {
    matches!(axis, AxisName::Rows | AxisName::Inputs) || width_axis(map) == Some(axis)
}

fn quoted(map: MapName) -> String {
    format!("\"{}\"", map_name(map))
}

/// The name of a map in the file and in results.
pub(super) fn map_name(map: MapName) -> &'static str {
    match map {
        MapName::Identity => "identity",
        MapName::Rff => "rff",
        MapName::Nystrom => "nystrom",
        MapName::ExactKernel => "exact-kernel",
    }
}

fn check_robust(file: &SpecFile, spec: &MethodSpec) -> Result<bool, PlanError> {
    let solver = *spec.solver.get_ref();
    let asked = spec.robust.as_ref();
    let (refused, message, help) = match solver.guard() {
        Guard::Maybe => return Ok(asked.is_some_and(|asked| *asked.get_ref())),
        Guard::Always => (false, "always guards against uncertainty", "leave it out"),
        Guard::Never => (true, "guards against no uncertainty", "leave it out"),
    };
    match asked {
        Some(asked) if *asked.get_ref() == refused => {
            let message = format!("solver `{}` {message}", solver.name());
            Err(file.error_at(asked.span(), message, help).into())
        }
        _ => Ok(!refused),
    }
}

/// `base` with the method's own values.
fn own_base(
    file: &SpecFile,
    spec: &MethodSpec,
    mut base: Sizes,
    map: MapName,
) -> Result<Sizes, PlanError> {
    let own_sizes = spec.base.sizes();
    for axis in AxisName::ALL {
        let Some(own) = *own_sizes.of(axis) else {
            continue;
        };
        if !has(map, axis) {
            refuse_foreign(file, Some(own), map)?;
        }
        check_size(file, axis, own)?;
        base = base.with(axis, *own.get_ref());
    }
    if map == MapName::Nystrom && base.landmarks > base.rows {
        let message = format!(
            "{} landmarks, and method `{}` has {} rows at its base",
            base.landmarks,
            spec.name.get_ref(),
            base.rows
        );
        let help = "landmarks are training rows: give it base.rows more, or base.landmarks less";
        return Err(file.error_at(spec.name.span(), message, help).into());
    }
    Ok(base)
}

/// Refuses a size for an axis that the map does not have.
fn refuse_foreign(
    file: &SpecFile,
    size: Option<&Spanned<usize>>,
    map: MapName,
) -> Result<(), PlanError> {
    let Some(size) = size else {
        return Ok(());
    };
    let message = format!("map {} has no such size", quoted(map));
    let help = "leave it out: `dim` is of rff, `landmarks` of nystrom";
    Err(file.error_at(size.span(), message, help).into())
}

/// The `values` of `axis` up to the method's largest, enough for a slope.
fn values_within(
    file: &SpecFile,
    spec: &MethodSpec,
    axis: AxisName,
    base: &Sizes,
    values: &[usize],
) -> Result<Vec<usize>, PlanError> {
    let sizes = spec.most.sizes();
    let most = sizes.of(axis);
    let within = |value: &usize| most.is_none_or(|most| value <= most.get_ref());
    let own: Vec<usize> = values.iter().copied().filter(within).collect();
    if !values.is_empty() && own.len() < LEAST_VALUES {
        let span = most.map_or_else(|| spec.name.span(), Spanned::span);
        let message = format!(
            "method `{}` has {} of {} values of `{}`: too few for a slope",
            spec.name.get_ref(),
            own.len(),
            values.len(),
            axis.name()
        );
        let help = format!("leave it at least {LEAST_VALUES} of them");
        return Err(file.error_at(span, message, help).into());
    }
    let is_nystrom = *spec.map.get_ref() == MapName::Nystrom;
    let fits = |value: &usize| match axis {
        AxisName::Rows => *value >= base.landmarks,
        AxisName::Landmarks => *value <= base.rows,
        AxisName::Inputs | AxisName::Dim => true,
    };
    if let Some(value) = own.iter().find(|value| is_nystrom && !fits(value)) {
        let (rows, landmarks) = match axis {
            AxisName::Landmarks => (base.rows, *value),
            _ => (*value, base.landmarks),
        };
        let message = format!(
            "method `{}` would choose {landmarks} landmarks among {rows} rows",
            spec.name.get_ref()
        );
        let help = "landmarks are training rows: limit them by `most`, or set its `base`";
        return Err(file.error_at(spec.name.span(), message, help).into());
    }
    Ok(own)
}

/// Checks a size of `axis`.
pub(super) fn check_size(
    file: &SpecFile,
    axis: AxisName,
    size: &Spanned<usize>,
) -> Result<(), PlanError> {
    let (rule, good) = size_rule(axis);
    if good(*size.get_ref()) {
        return Ok(());
    }
    let message = format!("`{}` must be {rule}, found {}", axis.name(), size.get_ref());
    Err(file.error_at(size.span(), message, "correct it").into())
}

/// What a size of `axis` may be, in words and as a check.
pub(super) fn size_rule(axis: AxisName) -> (&'static str, fn(usize) -> bool) {
    match axis {
        AxisName::Rows => ("from 16 to 1000000000", |rows| {
            (16..=1_000_000_000).contains(&rows)
        }),
        AxisName::Inputs => ("from 1 to 10000", |inputs| (1..=10_000).contains(&inputs)),
        AxisName::Dim => ("even and from 2 to 1000000", |dim| {
            (2..=1_000_000).contains(&dim) && dim.is_multiple_of(2)
        }),
        AxisName::Landmarks => ("from 1 to 1000000", |m| (1..=1_000_000).contains(&m)),
    }
}
