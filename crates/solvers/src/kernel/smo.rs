//! Sequential minimal optimisation on a kernel matrix, with working sets by second-order information [R.-E. Fan,
//! P.-H. Chen, C.-J. Lin, *Working set selection using second order information for training support vector machines*, JMLR 6
//! (2005) 1889–1918, WSS 2].
//!
//! In `s_i = y_iα_i` the dual is `min ½ sᵀ(K/λ)s − yᵀs` over `Σs_i = 0` and `0 ≤ y_is_i ≤ 1`. With `F = Ks/λ − y`, its gradient, s is optimal
//! where no i whose s_i may grow has an F_i below that of a j whose s_j may fall; the largest difference is the violation.

use ndarray::ArrayView1;

/// The least curvature along a pair, of the largest entry of K: that of pairs of equal inputs is 0 or rounding.
const LEAST_CURVATURE: f64 = 1e-12;

/// Where the method stands.
pub(super) struct Smo<'a> {
    /// K, row by row.
    gram: &'a [f64],
    pub(super) y: &'a [f64],
    pub(super) lambda: f64,
    /// s (L).
    pub(super) signed: Vec<f64>,
    /// F (L).
    pub(super) gradient: Vec<f64>,
    diagonal: Vec<f64>,
    least_curvature: f64,
    /// Pairs optimised.
    pub(super) iterations: usize,
}

/// What stopped [`Smo::run`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The violation asked for.
    Violation,
    /// The number of iterations.
    Iterations,
    /// No pair can move any more.
    Stuck,
}

impl<'a> Smo<'a> {
    /// At α = 0, for K (L × L) row by row and labels `y` (L).
    pub(super) fn new(gram: &'a [f64], y: &'a [f64], lambda: f64) -> Self {
        let diagonal: Vec<f64> = gram.iter().step_by(y.len() + 1).copied().collect();
        // Of a semi-definite matrix the largest entry is there.
        let largest = diagonal.iter().copied().fold(0.0, f64::max);
        Self {
            gram,
            y,
            lambda,
            signed: vec![0.0; y.len()],
            gradient: y.iter().map(|y| -y).collect(),
            diagonal,
            least_curvature: f64::MIN_POSITIVE.max(LEAST_CURVATURE * largest),
            iterations: 0,
        }
    }

    /// α (L), within [0, 1].
    pub(super) fn alpha(&self) -> impl Iterator<Item = f64> + '_ {
        self.signed.iter().zip(self.y).map(|(s, y)| s * y)
    }

    /// Takes `F = Ks/λ − y` from `products` = Ks/λ computed afresh: what was added up step by step drifts.
    pub(super) fn refresh(&mut self, products: ArrayView1<'_, f64>) {
        for ((gradient, product), y) in self.gradient.iter_mut().zip(products).zip(self.y) {
            *gradient = product - y;
        }
    }

    /// Optimises pairs until the violation is at most `violation`, or `limit` pairs in all were optimised.
    pub(super) fn run(&mut self, violation: f64, limit: usize) -> Stop {
        while let Some(i) = self.first() {
            let (second, apart) = self.second(i);
            let Some(j) = second.filter(|_| apart > violation) else {
                return Stop::Violation;
            };
            if self.iterations >= limit {
                return Stop::Iterations;
            }
            self.iterations += 1;
            if !self.step(i, j) {
                return Stop::Stuck;
            }
        }
        Stop::Violation
    }

    pub(super) fn row(&self, i: usize) -> &'a [f64] {
        &self.gram[i * self.y.len()..(i + 1) * self.y.len()]
    }

    /// The least and the largest s_i.
    pub(super) fn bounds(&self, i: usize) -> [f64; 2] {
        [self.y[i].min(0.0), self.y[i].max(0.0)]
    }

    /// Whether α_i is strictly between 0 and 1.
    pub(super) fn is_free(&self, i: usize) -> bool {
        let (s, y) = (self.signed[i], self.y[i]);
        Self::may_grow(s, y) && Self::may_fall(s, y)
    }

    /// Whether s_i may grow: α_i < 1 of the positive class, α_i > 0 of the negative.
    fn may_grow(signed: f64, y: f64) -> bool {
        signed < y.max(0.0)
    }

    /// Whether s_i may fall.
    fn may_fall(signed: f64, y: f64) -> bool {
        signed > y.min(0.0)
    }

    /// The index of the least F among those that may grow.
    fn first(&self) -> Option<usize> {
        let (mut index, mut least) = (None, f64::INFINITY);
        for (i, (&s, &y)) in self.signed.iter().zip(self.y).enumerate() {
            if Self::may_grow(s, y) && self.gradient[i] < least {
                (index, least) = (Some(i), self.gradient[i]);
            }
        }
        index
    }

    /// Beside i: the index among those that may fall whose pair with i promises the largest decrease, `(F_j − F_i)²/2a`, `a` the curvature
    /// along the pair, and the largest of these differences.
    fn second(&self, i: usize) -> (Option<usize>, f64) {
        let (row, own, of_i) = (self.row(i), self.diagonal[i], self.gradient[i]);
        let (mut best, mut index, mut largest) = (0.0, None, f64::NEG_INFINITY);
        for (j, (&s, &y)) in self.signed.iter().zip(self.y).enumerate() {
            if !Self::may_fall(s, y) {
                continue;
            }
            let apart = self.gradient[j] - of_i;
            largest = if apart > largest { apart } else { largest };
            if apart > 0.0 {
                let curvature = (own + self.diagonal[j] - 2.0 * row[j]).max(self.least_curvature);
                let decrease = apart * apart / curvature;
                if decrease > best {
                    (best, index) = (decrease, Some(j));
                }
            }
        }
        (index, largest)
    }

    /// Moves s_i up and s_j down as far as is best; whether they could move.
    fn step(&mut self, i: usize, j: usize) -> bool {
        let (row_i, row_j) = (self.row(i), self.row(j));
        let curvature = self.diagonal[i] + self.diagonal[j] - 2.0 * row_i[j];
        let curvature = curvature.max(self.least_curvature) / self.lambda;
        let [top, bottom] = [self.y[i].max(0.0), self.y[j].min(0.0)];
        let rooms = [top - self.signed[i], self.signed[j] - bottom];
        let best = (self.gradient[j] - self.gradient[i]) / curvature;
        let length = best.min(rooms[0]).min(rooms[1]);
        let before = [self.signed[i], self.signed[j]];
        // At an end exactly, so that it is seen to be there.
        self.signed[i] = if length == rooms[0] {
            top
        } else {
            before[0] + length
        };
        self.signed[j] = if length == rooms[1] {
            bottom
        } else {
            before[1] - length
        };
        if [self.signed[i], self.signed[j]] == before {
            return false;
        }
        let scale = length / self.lambda;
        let rows = row_i.iter().zip(row_j);
        for (gradient, (a, b)) in self.gradient.iter_mut().zip(rows) {
            *gradient += scale * (a - b);
        }
        true
    }
}
