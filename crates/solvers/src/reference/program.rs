//! A cone program in the variables ζ (D), b, ξ (L) and bounds t, with the margins as its first rows.

use crate::{Intercept, SolverError};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolution, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT,
    SupportedConeT,
};
use ndarray::{ArrayView1, ArrayView2};

/// `min λ/2 ‖ζ‖² + Σξ_i + ⟨c, t⟩` under rows `⟨a, x⟩ + d ≥ 0`, ξ ≥ 0, and second-order cones.
pub(super) struct Program {
    dim: usize,
    samples: usize,
    lambda: f64,
    intercept: Intercept,
    /// The costs c of the bounds.
    costs: Vec<f64>,
    /// Rows that are ≥ 0: their entries, and d.
    linear: Vec<(Vec<(usize, f64)>, f64)>,
    /// Second-order cones, each with its rows.
    cones: Vec<Vec<Vec<(usize, f64)>>>,
}

impl Program {
    /// The program without constraints but ξ ≥ 0.
    pub(super) fn new((samples, dim): (usize, usize), lambda: f64, intercept: Intercept) -> Self {
        Self {
            dim,
            samples,
            lambda,
            intercept,
            costs: Vec::new(),
            linear: (0..samples)
                .map(|i| (vec![(dim + 1 + i, 1.0)], 0.0))
                .collect(),
            cones: Vec::new(),
        }
    }

    /// One more variable, which costs `cost`; its index.
    pub(super) fn add_bound(&mut self, cost: f64) -> usize {
        self.costs.push(cost);
        self.dim + self.samples + self.costs.len()
    }

    /// `y_i(⟨ζ, φ_i⟩ + b) + ξ_i − weight · t ≥ 1`, t the variable `bound`.
    pub(super) fn add_margin(
        &mut self,
        sample: usize,
        φ: ArrayView1<'_, f64>,
        y: f64,
        (bound, weight): (usize, f64),
    ) {
        let mut row: Vec<_> = φ.iter().enumerate().map(|(k, φ)| (k, y * φ)).collect();
        if self.intercept != Intercept::None {
            row.push((self.dim, y));
        }
        row.extend([(self.dim + 1 + sample, 1.0), (bound, -weight)]);
        self.linear.push((row, -1.0));
    }

    /// `⟨row, x⟩ ≥ 0`.
    pub(super) fn add_linear(&mut self, row: Vec<(usize, f64)>) {
        self.linear.push((row, 0.0));
    }

    /// `‖Mζ‖₂ ≤ t`, t the variable `bound`.
    pub(super) fn add_cone(&mut self, matrix: ArrayView2<'_, f64>, bound: usize) {
        let mut rows = vec![vec![(bound, 1.0)]];
        rows.extend(matrix.outer_iter().map(|row| entries(row, 1.0)));
        self.cones.push(rows);
    }

    /// Hands it to Clarabel.
    pub(super) fn solve(&self) -> Result<DefaultSolution<f64>, SolverError> {
        let width = self.dim + 1 + self.samples + self.costs.len();
        let mut kinds: Vec<SupportedConeT<f64>> = vec![NonnegativeConeT(self.linear.len())];
        kinds.extend(self.cones.iter().map(|rows| SecondOrderConeT(rows.len())));
        // Clarabel's form is Ax + s = d, s in the cone.
        let (mut i, mut j, mut values) = (vec![], vec![], vec![]);
        let linear = self.linear.iter().map(|(row, _)| row);
        let mut height = 0;
        for row in linear.chain(self.cones.iter().flatten()) {
            for (column, value) in row {
                i.push(height);
                j.push(*column);
                values.push(-value);
            }
            height += 1;
        }
        let a = CscMatrix::new_from_triplets(height, width, i, j, values);
        let mut d: Vec<f64> = self.linear.iter().map(|(_, d)| *d).collect();
        d.resize(height, 0.0);
        // λ keeps at 0 an intercept that is in no row.
        let curved = self.dim + usize::from(self.intercept != Intercept::Free);
        let diagonal: Vec<usize> = (0..curved).collect();
        let q = CscMatrix::new_from_triplets(
            width,
            width,
            diagonal.clone(),
            diagonal,
            vec![self.lambda; curved],
        );
        let mut costs = vec![0.0; width];
        costs[self.dim + 1..=self.dim + self.samples].fill(1.0);
        costs[self.dim + 1 + self.samples..].copy_from_slice(&self.costs);
        let settings = DefaultSettings {
            verbose: false,
            ..DefaultSettings::default()
        };
        let mut solver = DefaultSolver::new(&q, &costs, &a, &d, &kinds, settings)
            .map_err(|error| SolverError::Backend(format!("Clarabel: {error}")))?;
        solver.solve();
        Ok(solver.solution)
    }

    /// ζ and b of a solution.
    pub(super) fn classifier<'s>(&self, x: &'s [f64]) -> (ArrayView1<'s, f64>, f64) {
        let b = match self.intercept {
            Intercept::None => 0.0,
            Intercept::Free | Intercept::Penalised => x[self.dim],
        };
        (ArrayView1::from(&x[..self.dim]), b)
    }
}

/// `sign · row` as entries for ζ.
pub(super) fn entries(row: ArrayView1<'_, f64>, sign: f64) -> Vec<(usize, f64)> {
    let entries = row.iter().enumerate();
    entries.map(|(k, value)| (k, sign * value)).collect()
}
