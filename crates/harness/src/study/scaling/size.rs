//! The sizes of a problem, and the axes along which they vary.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AxisName {
    /// Training rows L.
    Rows,
    /// Inputs n.
    Inputs,
    /// Random Fourier features D.
    Dim,
    /// Landmarks m.
    Landmarks,
}

impl AxisName {
    /// Every axis.
    pub const ALL: [Self; 4] = [Self::Rows, Self::Inputs, Self::Dim, Self::Landmarks];

    /// The name in the file and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Inputs => "inputs",
            Self::Dim => "dim",
            Self::Landmarks => "landmarks",
        }
    }

    /// The letter in formulas.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Rows => "L",
            Self::Inputs => "n",
            Self::Dim => "D",
            Self::Landmarks => "m",
        }
    }

    /// What it counts.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Rows => "training rows L",
            Self::Inputs => "inputs n",
            Self::Dim => "random Fourier features D",
            Self::Landmarks => "landmarks m",
        }
    }
}

/// A value for each axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes<T = usize> {
    /// L.
    pub rows: T,
    /// n.
    pub inputs: T,
    /// D.
    pub dim: T,
    /// m.
    pub landmarks: T,
}

impl<T> Sizes<T> {
    /// What `of` gives for each axis.
    ///
    /// # Errors
    /// The first of `of`.
    pub(super) fn try_of<E>(mut of: impl FnMut(AxisName) -> Result<T, E>) -> Result<Self, E> {
        Ok(Self {
            rows: of(AxisName::Rows)?,
            inputs: of(AxisName::Inputs)?,
            dim: of(AxisName::Dim)?,
            landmarks: of(AxisName::Landmarks)?,
        })
    }

    /// The value of `axis`.
    pub(super) fn of(&self, axis: AxisName) -> &T {
        match axis {
            AxisName::Rows => &self.rows,
            AxisName::Inputs => &self.inputs,
            AxisName::Dim => &self.dim,
            AxisName::Landmarks => &self.landmarks,
        }
    }

    /// The same with another value for `axis`.
    #[must_use]
    pub(super) fn with(mut self, axis: AxisName, value: T) -> Self {
        let place = match axis {
            AxisName::Rows => &mut self.rows,
            AxisName::Inputs => &mut self.inputs,
            AxisName::Dim => &mut self.dim,
            AxisName::Landmarks => &mut self.landmarks,
        };
        *place = value;
        self
    }
}
