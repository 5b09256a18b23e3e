//! One row of `cells.parquet`.

/// How a cell ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Measured.
    Ok,
    /// An error or a panic stopped it.
    Failed,
    /// The solver's numbers left the finite range.
    Diverged,
    /// Left out on purpose, by a limit in the experiment.
    Skipped,
    /// Stopped at the run's limit of time.
    TimedOut,
    /// Stopped at the run's limit of memory.
    OutOfMemory,
    /// It ended the worker process that it ran in.
    Crashed,
}

impl Status {
    /// Every way to end.
    pub const ALL: [Self; 7] = [
        Self::Ok,
        Self::Failed,
        Self::Diverged,
        Self::Skipped,
        Self::TimedOut,
        Self::OutOfMemory,
        Self::Crashed,
    ];

    /// The word in the `status` column.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Diverged => "diverged",
            Self::Skipped => "skipped",
            Self::TimedOut => "timed-out",
            Self::OutOfMemory => "out-of-memory",
            Self::Crashed => "crashed",
        }
    }

    /// Whether the run or its machine stopped it, so that a cell which ended otherwise elsewhere says more.
    pub fn is_of_the_run(self) -> bool {
        matches!(self, Self::TimedOut | Self::OutOfMemory | Self::Crashed)
    }

    /// The status called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// A cell: one method on one dataset at one level in one repeat.
#[derive(Debug, Clone, PartialEq)]
pub struct CellRow {
    /// Hash of the cell's axes, 16 hexadecimal digits.
    pub cell_id: String,
    /// The dataset's name in the experiment.
    pub dataset: String,
    /// The method's name in the experiment.
    pub method: String,
    /// The evaluation level: γ of the test points, in units of the scaled features.
    pub level: f64,
    /// The level the model was trained at; 0 for nominal methods.
    pub train_level: f64,
    /// The repeat, from 0.
    pub repeat: u32,
    /// How the cell ended.
    pub status: Status,
    /// Why it did not end well, or what a reader of its numbers should know.
    pub reason: Option<String>,
    /// The number of the cell's random streams.
    pub seed: u64,
    /// The numbers; present iff the status is ok.
    pub measurement: Option<Measurement>,
}

/// The numbers of a cell that was measured. Errors and accuracies are fractions in [0, 1].
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// Training rows.
    pub n_train: u32,
    /// Validation rows.
    pub n_validation: u32,
    /// Test rows.
    pub n_test: u32,
    /// Input features n that vary on the training rows.
    pub n_features: u32,
    /// Feature dimension D; `None` for exact kernels.
    pub feature_dim: Option<u32>,
    /// The selected λ.
    pub lambda: f64,
    /// The selected bandwidth σ; `None` for linear models.
    pub sigma: Option<f64>,
    /// The feature-uncertainty bound trained with; `None` for nominal methods.
    pub bound: Option<String>,
    /// The solver's name.
    pub solver: String,
    /// The solver's iterations; `None` where it does not tell.
    pub iterations: Option<u32>,
    /// Primal objective of the selected model.
    pub objective: f64,
    /// Dual objective of the selected model.
    pub dual_objective: f64,
    /// Certified relative gap `(P − D)/P`.
    pub relative_gap: f64,
    /// Mean γ_i of the training points.
    pub gamma_mean: f64,
    /// Accuracy on clean test points.
    pub accuracy: f64,
    /// Accuracy on test points with random noise.
    pub noisy_accuracy: f64,
    /// Robust error shown by the attack: a lower bound.
    pub attack_error: f64,
    /// Robust error not excluded by the certificate: an upper bound.
    pub certified_error: f64,
    /// λ′ of the nominal SVM with the same classifier up to a positive factor; only for uniform Γ_i.
    pub nominal_lambda: Option<f64>,
    /// Certified relative gap of the scaled classifier in that nominal problem: near 0.
    pub nominal_gap: Option<f64>,
    /// `attack_error` and the open points that a search broke; `None` without a search.
    pub exact_attack_error: Option<f64>,
    /// `certified_error` less the open points that a search certified; `None` without a search.
    pub exact_certified_error: Option<f64>,
    /// Robust error not excluded by the paper's bounds; `None` where there are none.
    pub paper_certified_error: Option<f64>,
}
