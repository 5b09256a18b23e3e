//! The axes of a summary, a table or a figure.

/// Which datasets, methods and levels to show, in the order of the experiment file.
///
/// Rows whose names or level are not listed are not shown: a results folder may hold cells of a grid that was larger once.
#[derive(Debug, Clone, PartialEq)]
pub struct Axes {
    /// The datasets' names.
    pub datasets: Vec<String>,
    /// The methods' names.
    pub methods: Vec<String>,
    /// Those of the methods that are trained to be robust.
    pub robust: Vec<String>,
    /// The evaluation levels γ.
    pub levels: Vec<f64>,
    /// What a level of 1 is.
    pub unit: LevelUnit,
}

/// What a level of 1 is: the unit of the scaled features, which is that of the sizes γ, or a probability ε.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelUnit {
    /// Features are standardized.
    StandardDeviation,
    /// Training ranges are mapped onto [−1, 1].
    HalfRange,
    /// Features are as in the data.
    Data,
    /// Features are scaled in different ways.
    Scaled,
    /// Levels are the ε of chance constraints.
    Chance,
}

impl LevelUnit {
    /// The level and its letter.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Chance => "level ε",
            _ => "level γ",
        }
    }

    /// The unit in words, in the plural.
    pub fn words(self) -> &'static str {
        match self {
            Self::Chance => "probability of larger noise",
            Self::StandardDeviation => "standard deviations",
            Self::HalfRange => "half training ranges",
            Self::Data => "units of the data",
            Self::Scaled => "scaled units",
        }
    }
}

impl Axes {
    /// Number of dataset × method × level triples.
    pub(crate) fn len(&self) -> usize {
        self.datasets.len() * self.methods.len() * self.levels.len()
    }

    /// Position of a triple, dataset first and level last, or `None` where it is not on the axes.
    pub(crate) fn position(&self, dataset: &str, method: &str, level: f64) -> Option<usize> {
        let dataset = self.datasets.iter().position(|name| name == dataset)?;
        let method = self.methods.iter().position(|name| name == method)?;
        let level = self.levels.iter().position(|&own| own == level)?;
        Some(self.index(dataset, method, level))
    }

    /// Position of a triple given by its places on the axes.
    pub(crate) fn index(&self, dataset: usize, method: usize, level: usize) -> usize {
        (dataset * self.methods.len() + method) * self.levels.len() + level
    }
}
