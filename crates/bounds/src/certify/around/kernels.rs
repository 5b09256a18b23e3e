//! Kernel expansions around a point: `h(u) = Σ_j w_j κ_j(‖x + Gu − z_j‖) + y b`, `w_j = yc_j`, with Gaussians κ_j of bandwidths `σ_j ≥ σ`.

use super::{Cell, Minorant};
use ndarray::{Array1, Array2, ArrayView1, Axis};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::linalg::matmul;

/// The kernel functions in the coordinates of a frame, `x + Gu`.
#[derive(Debug, Clone)]
pub(in crate::certify) struct Kernels {
    /// Of bandwidth σ, that in whose Hilbert space h is.
    pub(in crate::certify) kernel: GaussianKernel,
    /// κ_j (m).
    pub(in crate::certify) functions: Vec<GaussianKernel>,
    /// `w_j` (m).
    pub(in crate::certify) weights: Array1<f64>,
    /// `‖x − z_j‖²` (m).
    pub(in crate::certify) squares: Array1<f64>,
    /// `Gᵀ(x − z_j)` as rows (m × n).
    pub(in crate::certify) offsets: Array2<f64>,
    /// `GᵀG` (n × n).
    pub(in crate::certify) gram: Array2<f64>,
    /// `‖Σ^{1/2}‖_{p→2}`.
    pub(in crate::certify) longest: f64,
    /// `‖h − yb‖_H`.
    pub(in crate::certify) norm: f64,
    /// `y b`.
    pub(in crate::certify) constant: f64,
    /// How far `Σ_j w_jκ_j` may be from the true sum at u = 0.
    pub(in crate::certify) error: f64,
}

impl Kernels {
    /// `w_jκ_j` at u = c.
    fn terms(&self, c: ArrayView1<'_, f64>) -> Array1<f64> {
        let square = c.dot(&self.gram.dot(&c));
        let mut terms = self.offsets.dot(&c);
        ndarray::Zip::from(&mut terms)
            .and(&self.squares)
            .and(&self.weights)
            .and(&ArrayView1::from(&self.functions))
            .for_each(|term, before, w, kernel| {
                let scale = -1.0 / (2.0 * kernel.sigma() * kernel.sigma());
                let distance = (before + 2.0 * *term + square).max(0.0);
                *term = w * (scale * distance).exp();
            });
        terms
    }

    /// `h(u)`.
    pub(in crate::certify) fn value(&self, u: ArrayView1<'_, f64>) -> f64 {
        self.terms(u).sum() + self.constant
    }

    /// How far each computed squared distance may be from the true one at u = c with `‖c‖_p = size` (m): it is
    /// the sum `‖x−z‖² + 2⟨x−z, Gc⟩ + ‖Gc‖²`, whose rounding is relative to `(‖x−z‖ + ‖Gc‖)²`, however near to
    /// z the way leads.
    fn roundings(&self, n: usize, size: f64) -> Array1<f64> {
        let way = self.longest * size;
        let share = 4.0 * (n as f64 + 2.0) * f64::EPSILON;
        self.squares
            .mapv(|square| share * (square.sqrt() + way).powi(2))
    }

    /// Over movements of the inputs by at most ρ from u = c: a bound on the third derivative of h along unit
    /// vectors, and the least that `Σ_j w_jκ_j` can be, each term by itself.
    fn term_by_term(
        &self,
        c: ArrayView1<'_, f64>,
        roundings: &Array1<f64>,
        reach: f64,
    ) -> (f64, f64) {
        let square = c.dot(&self.gram.dot(&c));
        let σ = self.kernel.sigma();
        let products = self.offsets.dot(&c);
        let (mut third, mut floor) = (0.0, 0.0);
        let distances = products.iter().zip(&self.squares).zip(roundings);
        let functions = self.weights.iter().zip(&self.functions);
        for (((product, before), rounding), (w, kernel)) in distances.zip(functions) {
            let squared = before + 2.0 * product + square;
            let near = ((squared - rounding).max(0.0).sqrt() - reach).max(0.0);
            let far = (squared + rounding).max(0.0).sqrt() + reach;
            let (most, least) = (kernel.at_distance(near), kernel.at_distance(far));
            floor += w * if *w > 0.0 { least } else { most };
            let share = σ / kernel.sigma();
            let cubic = steepest_cubic(far / kernel.sigma());
            third += w.abs() * most * cubic * (share * share * share);
        }
        (third / (σ * σ * σ), floor)
    }

    /// The minorant on `cell`, with `M = −∇²h(c) + Tρ/3 GᵀG`, ρ the longest movement of the inputs in the cell
    /// and T the largest third derivative of h along a unit vector there.
    ///
    /// *Proof.* Taylor's remainder is at most `T‖δ‖³/6`, which is ½ `δᵀδ` times `Tρ/3` where ‖δ‖ ≤ ρ. For T
    /// there are two bounds. In the kernel's Hilbert space `‖∂³_δ k(x,·)‖²_H = E(ωᵀδ)⁶ = 15 ‖δ‖⁶/σ⁶` with ω of
    /// the kernel's spectrum N(0, I/σ²), so `T ≤ √15 ‖h‖_H/σ³`. Term by term, along a unit vector that makes
    /// t of x − z, the third derivative of κ_j is `κ_j (3t/σ_j − (t/σ_j)³)/σ_j³` with |t| ≤ r and r the distance, which
    /// stays within ρ of that at c. ∎
    ///
    /// Where a squared distance may be off by s, κ_j may by κ_j (e^{s/2σ²} − 1) at most, as `σ_j ≥ σ`. Rounding of `Σw_jκ_j` by e moves the gradient along δ by at most `e r‖δ‖/σ²` and the curvature by
    /// `e (1 + r²/σ²)‖δ‖²/σ²`, r the longest distance to a centre.
    pub(in crate::certify) fn minorant(&self, cell: &Cell) -> Minorant {
        let σ2 = self.kernel.sigma() * self.kernel.sigma();
        let terms = self.terms(cell.centre.view());
        let shift = self.gram.dot(&cell.centre);
        let mut offsets = self.offsets.clone();
        offsets += &shift;
        let mut weighted = offsets.clone();
        let share = |kernel: &GaussianKernel| (self.kernel.sigma() / kernel.sigma()).powi(2);
        let shares: Array1<f64> = self.functions.iter().map(share).collect();
        let terms_and_shares = || terms.iter().zip(&shares);
        for (mut row, (term, share)) in weighted.outer_iter_mut().zip(terms_and_shares()) {
            row *= -term / σ2 * share;
        }
        let gradient = weighted.sum_axis(Axis(0));
        for (mut row, share) in weighted.outer_iter_mut().zip(&shares) {
            row *= *share;
        }
        let boxed = self.gram.indexed_iter().fold(0.0, |sum, ((k, l), entry)| {
            sum + entry.abs() * cell.half[k] * cell.half[l]
        });
        let reach = boxed.sqrt().min(self.longest * cell.longest());
        let roundings = self.roundings(cell.centre.len(), cell.p.of(cell.centre.view()));
        let (third, floor) = self.term_by_term(cell.centre.view(), &roundings, reach);
        let third = third.min(15.0_f64.sqrt() * self.norm / (σ2 * self.kernel.sigma()));
        let remainder = third * reach / 3.0;
        let mut curvature = matmul(offsets.t(), weighted.view());
        curvature /= σ2;
        curvature.scaled_add((&terms * &shares).sum() / σ2 + remainder, &self.gram);
        // Every distance is at most the longest at the point and the way from it.
        let furthest = self.squares.iter().fold(0.0_f64, |most, s| most.max(*s));
        let r = furthest.sqrt() + self.longest * cell.gamma;
        let of_terms = terms.iter().zip(&roundings);
        let error = self.error
            + of_terms
                .map(|(term, rounding)| term.abs() * (rounding / (2.0 * σ2)).exp_m1())
                .sum::<f64>();
        let slack = error * (1.0 + reach * r / σ2 + 0.5 * reach * reach * (1.0 + r * r / σ2) / σ2);
        Minorant {
            value: terms.sum() + self.constant,
            slack,
            floor: floor + self.constant - self.error,
            gradient,
            excess: self.gram.diag().mapv(|entry| remainder * entry),
            curvature,
        }
    }
}

/// `max { |3s − s³| : 0 ≤ s ≤ r }`.
fn steepest_cubic(r: f64) -> f64 {
    if r <= 1.0 {
        3.0 * r - r * r * r
    } else {
        2.0_f64.max(r * r * r - 3.0 * r)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Kernels};
    use ndarray::{Array1, Array2, array};
    use robust_svm_core::kernel::GaussianKernel;
    use robust_svm_core::uncertainty::Norm;

    /// `f = Δ³k` by third differences of step h: its third derivative between the centres is `√15 ‖f‖_H` but for
    /// h², and nothing smaller than `T ρ/3` keeps the quadratic below it at the ends of ±ρ.
    #[test]
    fn the_third_derivative_is_met_by_a_third_difference() {
        let (h, rho) = (0.05, 0.05);
        let kernel = GaussianKernel::new(1.0).unwrap();
        let centres: Array2<f64> = array![[-1.5 * h], [-0.5 * h], [0.5 * h], [1.5 * h]];
        let weights = array![-1.0, 3.0, -3.0, 1.0];
        let gram = kernel.matrix(centres.view(), centres.view());
        let kernels = Kernels {
            kernel,
            functions: vec![kernel; 4],
            norm: weights.dot(&gram.dot(&weights)).sqrt(),
            weights,
            squares: centres.column(0).mapv(|z| z * z),
            offsets: -centres,
            gram: Array2::eye(1),
            longest: 1.0,
            constant: 0.0,
            error: 0.0,
        };
        let below = kernels.minorant(&Cell::whole(Norm::Two, rho, 1));
        let gaps: Array1<f64> = [-rho, rho]
            .iter()
            .map(|&d| {
                let quadratic = below.gradient[0] * d - 0.5 * below.curvature[(0, 0)] * d * d;
                kernels.value(array![d].view()) - (below.value + quadratic)
            })
            .collect();
        let remainder = 15.0_f64.sqrt() * kernels.norm * rho * rho * rho / 6.0;
        assert!(gaps.iter().all(|gap| *gap > -below.slack), "{gaps}");
        let least = gaps[0].min(gaps[1]);
        assert!(least < 0.03 * remainder, "{least} of {remainder}");
    }
}
