//! Counts of frequencies, and of maps, that keep to the range.

use super::plan::{BandwidthPlan, Cell};
use super::row::Kept;
use crate::run::failure::Failure;
use crate::spec::FrequenciesName;
use crate::stats::Share;
use ndarray::ArrayView1;
use rand::Rng;
use robust_svm_core::features::Rff;
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::seed::CellSeed;

/// What is counted of one cell.
struct Counter {
    cell: Cell,
    sigma: f64,
    /// `θ_max σ/γ`: what `‖Σ^{⊤/2}ω‖₂` may be at σ = 1.
    limit: f64,
    frequencies: u64,
    maps: u64,
}

impl Counter {
    /// Counts the map whose frequencies have these `supports` at σ = 1; smaller maps are its first frequencies.
    fn add(&mut self, supports: ArrayView1<'_, f64>) {
        let mine = supports.iter().take(self.cell.dim / 2);
        let kept = mine.filter(|support| **support <= self.limit).count();
        self.frequencies += kept as u64;
        self.maps += u64::from(kept == self.cell.dim / 2);
    }

    fn kept(&self, plan: &BandwidthPlan) -> Kept {
        let draws = u64::from(plan.draws);
        Kept {
            sigma: self.sigma,
            separate: Share::of(self.frequencies, draws * (self.cell.dim as u64 / 2)),
            joint: Share::of(self.maps, draws),
        }
    }
}

/// What the cells of `plan` with `n` and `frequencies` keep, from the same draws for all of them.
pub(super) fn measure(
    plan: &BandwidthPlan,
    n: usize,
    frequencies: FrequenciesName,
) -> Result<Vec<Kept>, Failure> {
    let counter = |cell: Cell| -> Result<Counter, Failure> {
        let sigma = plan.sigma(cell)?;
        Ok(Counter {
            cell,
            sigma,
            limit: plan.theta_max * sigma / plan.gamma,
            frequencies: 0,
            maps: 0,
        })
    };
    let cells = plan.grid(n, frequencies);
    let mut counters: Vec<Counter> = cells.into_iter().map(counter).collect::<Result<_, _>>()?;
    let most = plan.dim.iter().copied().max().unwrap_or_default();
    let seeds = CellSeed::new(plan.seed, &format!("n = {n}"), 0);
    let mut rng = seeds.stream(frequencies.name());
    for _ in 0..plan.draws {
        let map = draw(n, most, frequencies, &mut rng)?;
        for &shape in &plan.shapes {
            let set = shape.set(n).map_err(Failure::failed)?;
            let supports = set.support(map.frequencies());
            let of_shape = counters.iter_mut().filter(|c| c.cell.shape == shape);
            of_shape.for_each(|counter| counter.add(supports.view()));
        }
    }
    Ok(counters.iter().map(|counter| counter.kept(plan)).collect())
}

/// A map of the kernel with σ = 1: frequencies at another σ are these over σ.
fn draw(
    n: usize,
    dim: usize,
    frequencies: FrequenciesName,
    rng: &mut impl Rng,
) -> Result<Rff, Failure> {
    let kernel = GaussianKernel::new(1.0).map_err(Failure::failed)?;
    match frequencies {
        FrequenciesName::Gaussian => Rff::draw(kernel, n, dim, rng),
        FrequenciesName::Orthogonal => Rff::draw_orthogonal(kernel, n, dim, rng),
        FrequenciesName::Structured => Rff::draw_structured(kernel, n, dim, rng),
    }
    .map_err(Failure::failed)
}
