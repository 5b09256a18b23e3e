//! Settings of the safe SVM.

use crate::{InteriorPointSettings, SolverError};

/// Settings of the projected-gradient method of the upper level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SafeSettings {
    /// s_min > 0, finite. At 0 the gradient along s_t vanishes whatever the data, so 0 is no lower bound. Default 0.01.
    pub s_min: f64,
    /// s_max > s_min, finite. Default 3.
    pub s_max: f64,
    /// A point is stationary if `‖P(s − g) − s‖₂` is at most this times max(1, F) for a convex combination g of the
    /// gradients near it, > 0. Default 1e−3.
    pub tolerance: f64,
    /// How near that is at the end, as a share of the box's width, in (0, 1). Default 1e−4.
    pub radius: f64,
    /// A descent is stalled if F fell by less than this share in five steps together, in (0, 1). Default 1e−5.
    pub progress: f64,
    /// The most lower problems of a descent, but for the last line search, at least 1. Default 500.
    pub max_solves: usize,
    /// Of the lower problem.
    pub lower: InteriorPointSettings,
}

impl Default for SafeSettings {
    fn default() -> Self {
        Self {
            s_min: 0.01,
            s_max: 3.0,
            tolerance: 1e-3,
            radius: 1e-4,
            progress: 1e-5,
            max_solves: 500,
            lower: InteriorPointSettings::default(),
        }
    }
}

impl SafeSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for a setting out of its range.
    pub fn check(&self) -> Result<(), SolverError> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let rules = [
            (
                "s_min",
                self.s_min,
                "positive and finite",
                positive(self.s_min),
            ),
            (
                "s_max",
                self.s_max,
                "finite and above s_min",
                self.s_max > self.s_min && self.s_max.is_finite(),
            ),
            (
                "tolerance",
                self.tolerance,
                "positive and finite",
                positive(self.tolerance),
            ),
            (
                "radius",
                self.radius,
                "between 0 and 1",
                self.radius > 0.0 && self.radius < 1.0,
            ),
            (
                "progress",
                self.progress,
                "between 0 and 1",
                self.progress > 0.0 && self.progress < 1.0,
            ),
        ];
        if let Some((name, found, expected, _)) = rules.into_iter().find(|(.., good)| !good) {
            return Err(SolverError::Setting {
                name,
                expected,
                found: found.to_string(),
            });
        }
        if self.max_solves == 0 {
            return Err(SolverError::Setting {
                name: "max_solves",
                expected: "at least 1",
                found: "0".into(),
            });
        }
        self.lower.check()
    }
}

#[cfg(test)]
mod tests {
    use super::SafeSettings;
    use crate::{InteriorPointSettings, SolverError};

    #[test]
    fn ranges_are_checked() {
        let default = SafeSettings::default();
        assert!(default.check().is_ok());
        let refused = |settings: SafeSettings, setting: &str| {
            let error = settings.check().unwrap_err();
            assert!(
                matches!(error, SolverError::Setting { name, .. } if name == setting),
                "{error}"
            );
        };
        for s_min in [0.0, -1.0, f64::NAN, 3.0, f64::INFINITY] {
            let name = if s_min == 3.0 { "s_max" } else { "s_min" };
            refused(SafeSettings { s_min, ..default }, name);
        }
        let s_max = f64::INFINITY;
        refused(SafeSettings { s_max, ..default }, "s_max");
        for tolerance in [0.0, f64::NAN] {
            refused(
                SafeSettings {
                    tolerance,
                    ..default
                },
                "tolerance",
            );
        }
        let progress = 1.0;
        refused(
            SafeSettings {
                progress,
                ..default
            },
            "progress",
        );
        let max_solves = 0;
        refused(
            SafeSettings {
                max_solves,
                ..default
            },
            "max_solves",
        );
        let lower = InteriorPointSettings {
            max_iterations: 0,
            ..default.lower
        };
        refused(SafeSettings { lower, ..default }, "max_iterations");
    }
}
