//! The validated study: every cell.

use super::spec::{EXAMPLES, ShapeName, Spec};
use crate::plan::check::check_name;
use crate::plan::numbers::check_count;
use crate::plan::{PlanError, PlannedCell};
use crate::spec::Spanned;
use crate::spec::{FrequenciesName, SpecFile};
use crate::study::identity::planned;
use robust_svm_bounds::BoundError;
use robust_svm_bounds::bandwidth::{Promise, least_bandwidth};

/// More than these are a slip.
const MAX_DRAWS: u32 = 10_000_000;
const MAX_INPUTS: usize = 10_000;
const MAX_DIM: usize = 1_000_000;

/// A validated experiment of the kind `bandwidth-rule`.
#[derive(Debug)]
pub struct BandwidthPlan {
    /// The experiment's name.
    pub name: String,
    /// The experiment's seed.
    pub seed: u64,
    /// Maps drawn for each n and each way to draw frequencies.
    pub draws: u32,
    /// γ.
    pub gamma: f64,
    /// θ_max in radians.
    pub theta_max: f64,
    /// η.
    pub failure: f64,
    /// Input dimensions, in the file's order.
    pub n: Vec<usize>,
    /// D, in the file's order.
    pub dim: Vec<usize>,
    /// Shapes of the sets.
    pub shapes: Vec<ShapeName>,
    /// How frequencies are drawn.
    pub frequencies: Vec<FrequenciesName>,
    /// The file it was made from.
    pub file: SpecFile,
}

/// A form of the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// As printed: for each frequency separately.
    EachFrequency,
    /// Corrected: for all D/2 frequencies at once.
    AllFrequencies,
}

impl Rule {
    /// Both.
    pub const ALL: [Self; 2] = [Self::EachFrequency, Self::AllFrequencies];

    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::EachFrequency => "each-frequency",
            Self::AllFrequencies => "all-frequencies",
        }
    }
}

/// The axes of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Input dimension.
    pub n: usize,
    /// D.
    pub dim: usize,
    /// Shape of the sets.
    pub shape: ShapeName,
    /// How frequencies are drawn.
    pub frequencies: FrequenciesName,
    /// The form of the rule.
    pub rule: Rule,
}

impl Cell {
    /// The cell before it is run.
    pub(super) fn planned(self) -> PlannedCell {
        let axes = vec![
            ("n", self.n.to_string()),
            ("dim", self.dim.to_string()),
            ("shape", self.shape.name().to_owned()),
            ("frequencies", self.frequencies.name().to_owned()),
            ("rule", self.rule.name().to_owned()),
        ];
        planned("bandwidth-rule", axes)
    }
}

impl BandwidthPlan {
    /// The cells that share n and the frequencies.
    pub(super) fn grid(&self, n: usize, frequencies: FrequenciesName) -> Vec<Cell> {
        let mut cells = Vec::new();
        for &shape in &self.shapes {
            for &dim in &self.dim {
                cells.extend(Rule::ALL.map(|rule| Cell {
                    n,
                    dim,
                    shape,
                    frequencies,
                    rule,
                }));
            }
        }
        cells
    }

    /// The probability that `rule` promises.
    pub(super) fn promised(&self, rule: Rule) -> f64 {
        match rule {
            Rule::EachFrequency => 0.997,
            Rule::AllFrequencies => 1.0 - self.failure,
        }
    }

    /// The bandwidth that the rule of `cell` gives.
    pub(super) fn sigma(&self, cell: Cell) -> Result<f64, BoundError> {
        let promise = match cell.rule {
            Rule::EachFrequency => Promise::EachFrequency,
            Rule::AllFrequencies => Promise::AllFrequencies {
                frequencies: cell.dim / 2,
                failure: self.failure,
            },
        };
        let set = cell.shape.set(cell.n)?;
        least_bandwidth(&set, cell.n, self.gamma, self.theta_max, promise)
    }
}

/// Checks `file`.
///
/// # Errors
/// [`PlanError`], with the place in the file.
pub fn plan(file: SpecFile) -> Result<BandwidthPlan, PlanError> {
    let spec: Spec = file.parse_with(EXAMPLES)?;
    check_name(&file, &spec.name)?;
    let positive = |value: f64| value > 0.0 && value.is_finite();
    let number = |key, value: &Spanned<f64>, rule, good: &dyn Fn(f64) -> bool| {
        check_number(&file, key, value, rule, good)
    };
    let even = |dim: usize| (2..=MAX_DIM).contains(&dim) && dim.is_multiple_of(2);
    Ok(BandwidthPlan {
        name: spec.name.get_ref().clone(),
        seed: spec.seed,
        draws: check_count(&file, "draws", &spec.draws, MAX_DRAWS)?,
        gamma: number("gamma", &spec.gamma, "positive and finite", &positive)?,
        theta_max: number(
            "theta_max",
            &spec.theta_max,
            "positive and finite",
            &positive,
        )?,
        failure: number("failure", &spec.failure, "above 0 and below 1", &|value| {
            value > 0.0 && value < 1.0
        })?,
        n: check_list(&file, "n", &spec.n, "from 1 to 10000", |n| {
            (1..=MAX_INPUTS).contains(&n)
        })?,
        dim: check_list(&file, "dim", &spec.dim, "even and from 2 to 1000000", even)?,
        shapes: check_list(&file, "shape", &spec.shape, "a shape", |_| true)?,
        frequencies: check_list(&file, "frequencies", &spec.frequencies, "a name", |_| true)?,
        file,
    })
}

fn check_number(
    file: &SpecFile,
    key: &str,
    value: &Spanned<f64>,
    rule: &str,
    good: &dyn Fn(f64) -> bool,
) -> Result<f64, PlanError> {
    let number = *value.get_ref();
    if good(number) {
        return Ok(number);
    }
    let message = format!("`{key}` must be {rule}, found {number}");
    Err(file.error_at(value.span(), message, "correct it").into())
}

/// A list with at least one entry, each once, for all of which `good` holds, which `rule` says in words.
fn check_list<T: Copy + PartialEq + std::fmt::Debug>(
    file: &SpecFile,
    key: &str,
    list: &Spanned<Vec<Spanned<T>>>,
    rule: &str,
    good: impl Fn(T) -> bool,
) -> Result<Vec<T>, PlanError> {
    let mut values = Vec::new();
    for entry in list.get_ref() {
        let value = *entry.get_ref();
        let refuse = |message: String| {
            let help = "correct or remove this entry";
            Err(PlanError::from(file.error_at(entry.span(), message, help)))
        };
        if !good(value) {
            return refuse(format!("`{key}` must be {rule}, found {value:?}"));
        }
        if values.contains(&value) {
            return refuse(format!("`{key}` has the same entry twice"));
        }
        values.push(value);
    }
    if values.is_empty() {
        let message = format!("`{key}` is empty");
        let help = "give at least one entry";
        return Err(file.error_at(list.span(), message, help).into());
    }
    Ok(values)
}
