//! Which samples an epoch visits, in which order.

use rand::RngCore;
use rand_chacha::ChaCha20Rng;

/// How far projected gradients reach below and above 0. Samples at a bound whose gradient points beyond the reach of the
/// last epoch are set aside [Hsieh et al., ICML 2008, §3.2].
#[derive(Debug, Clone, Copy)]
pub(super) struct Violation {
    /// The smallest projected gradient.
    pub(super) low: f64,
    /// The largest projected gradient.
    pub(super) high: f64,
    /// The sum of their sizes: D, concave, rises by no more while no α moves by more than 1.
    pub(super) sum: f64,
}

impl Violation {
    /// None seen.
    pub(super) const NONE: Self = Self {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        sum: 0.0,
    };

    /// Takes in the gradient of −D at `alpha`; its projection: 0 where it points out of [0, 1].
    #[inline(always)]
    pub(super) fn take(&mut self, gradient: f64, alpha: f64) -> f64 {
        let projected = if alpha <= 0.0 {
            gradient.min(0.0)
        } else if alpha >= 1.0 {
            gradient.max(0.0)
        } else {
            gradient
        };
        self.low = self.low.min(projected);
        self.high = self.high.max(projected);
        self.sum += projected.abs();
        projected
    }

    /// Whether a sample may be set aside.
    #[inline(always)]
    pub(super) fn sets_aside(self, gradient: f64, alpha: f64) -> bool {
        (alpha <= 0.0 && gradient > self.high) || (alpha >= 1.0 && gradient < self.low)
    }

    /// The reach as thresholds of the next epoch: a side without violation sets nothing aside.
    pub(super) fn thresholds(self) -> Self {
        Self {
            low: if self.low < 0.0 {
                self.low
            } else {
                f64::NEG_INFINITY
            },
            high: if self.high > 0.0 {
                self.high
            } else {
                f64::INFINITY
            },
            sum: self.sum,
        }
    }

    /// The largest difference of projected gradients.
    pub(super) fn width(self) -> f64 {
        self.high.max(0.0) - self.low.min(0.0)
    }
}

/// The samples in play, and the stream that orders them.
pub(super) struct Active {
    /// The samples' numbers.
    pub(super) samples: Vec<u32>,
    /// Beyond these gradients samples are set aside.
    pub(super) thresholds: Violation,
    rng: ChaCha20Rng,
    numbers: Vec<u32>,
}

impl Active {
    /// All of `len` samples.
    pub(super) fn all(len: usize, rng: ChaCha20Rng) -> Self {
        Self {
            samples: (0..len as u32).collect(),
            thresholds: Violation {
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
                sum: 0.0,
            },
            rng,
            numbers: vec![0; len],
        }
    }

    /// A random order [R. Durstenfeld, Comm. ACM 7 (1964)]. The place is the high word of a product, whose bias, below
    /// `L/2³²`, is of no matter here.
    pub(super) fn shuffle(&mut self) {
        let numbers = &mut self.numbers[..self.samples.len()];
        for number in numbers.iter_mut() {
            *number = self.rng.next_u32();
        }
        for (last, &number) in numbers.iter().enumerate().skip(1) {
            let place = (u64::from(number) * (last as u64 + 1)) >> 32;
            self.samples.swap(last, place as usize);
        }
    }
}
