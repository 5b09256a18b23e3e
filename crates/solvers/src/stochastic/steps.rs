//! The steps.

use super::iterate::Iterate;
use super::settings::{StepRule, StochasticMethod, StochasticSettings};
use crate::Intercept;

/// The rate of AdaGrad for a free intercept under Pegasos, in units of the margin.
const INTERCEPT_RATE: f64 = 1.0;

/// The rule of the steps, with what it remembers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Steps {
    rule: StepRule,
    method: StochasticMethod,
    intercept: Intercept,
    /// `λ' = λ/L`.
    curvature: f64,
    /// Samples of a full batch.
    size: usize,
    /// Samples taken.
    taken: usize,
    /// `Σ_t g_tk²` of each weight and of the intercept (D + 1), where the rule asks for it.
    squares: Vec<f64>,
}

impl Steps {
    /// For L samples of D features (`samples`, `dim`), regularised with `lambda` as `intercept` says.
    pub(crate) fn new(
        (samples, dim): (usize, usize),
        (intercept, lambda): (Intercept, f64),
        settings: &StochasticSettings,
    ) -> Self {
        Self {
            rule: settings.step,
            method: settings.method,
            intercept,
            curvature: lambda / samples as f64,
            size: settings.batch.min(samples),
            taken: 0,
            squares: vec![0.0; dim + 1],
        }
    }

    /// What it remembers beside the number of samples taken: `Σ_t g_tk²` (D + 1).
    pub(crate) fn squares(&self) -> &[f64] {
        &self.squares
    }

    /// As after the steps on `taken` samples that left these `squares`.
    pub(crate) fn remember(&mut self, taken: usize, squares: Vec<f64>) {
        debug_assert_eq!(squares.len(), self.squares.len());
        (self.taken, self.squares) = (taken, squares);
    }

    /// Moves `x` along `v`, minus a sub-gradient of the mean loss of a batch of `samples`, with the weight of these beside a full
    /// batch.
    pub(crate) fn advance(&mut self, x: &mut Iterate, v: &Iterate, samples: usize) {
        self.taken += samples;
        let size = self.size as f64;
        let (weight, weights) = (samples as f64 / size, self.taken as f64 / size);
        let (rule, method) = (self.rule, self.method);
        let pegasos = 1.0 / (self.curvature * weights);
        let curvature = weight * self.curvature;
        let step = |x: &mut f64, v: f64, squares: &mut f64| {
            let v = weight * v;
            let length = match rule {
                StepRule::Pegasos => pegasos,
                StepRule::AdaGrad { rate } => {
                    let g = match method {
                        StochasticMethod::Subgradient => v - curvature * *x,
                        StochasticMethod::Proximal => v,
                    };
                    adagrad(rate, g, squares)
                }
                StepRule::Constant { rate } => rate,
            };
            match method {
                StochasticMethod::Subgradient => *x += length * (v - curvature * *x),
                StochasticMethod::Proximal => *x = (*x + length * v) / (1.0 + length * curvature),
            }
        };
        let (of_intercept, of_weights) = self.squares.split_last_mut().expect("D + 1 of them");
        for ((ζ, v), squares) in x.zeta.iter_mut().zip(&v.zeta).zip(of_weights) {
            step(ζ, *v, squares);
        }
        match (self.intercept, rule) {
            (Intercept::None, _) => {}
            (Intercept::Penalised, _) => step(&mut x.intercept, v.intercept, of_intercept),
            (Intercept::Free, rule) => {
                let g = weight * v.intercept;
                let length = match rule {
                    StepRule::Constant { rate } => rate,
                    StepRule::AdaGrad { rate } => adagrad(rate, g, of_intercept),
                    StepRule::Pegasos => adagrad(INTERCEPT_RATE, g, of_intercept),
                };
                x.intercept += length * g;
            }
        }
    }
}

/// `rate/sqrt(Σg²)`, g now among them; 0 as long as all are 0.
fn adagrad(rate: f64, g: f64, squares: &mut f64) -> f64 {
    *squares += g * g;
    if *squares > 0.0 {
        rate / squares.sqrt()
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::Steps;
    use crate::stochastic::iterate::Iterate;
    use crate::{Intercept, StepRule, StochasticMethod, StochasticSettings};
    use approx::assert_relative_eq;
    use ndarray::array;

    /// Two steps along (1, −2; b: 1), λ = 2, L = 4: λ' = ½; ζ and b after each.
    fn two_steps(
        method: StochasticMethod,
        step: StepRule,
        intercept: Intercept,
    ) -> [(f64, f64, f64); 2] {
        let settings = StochasticSettings {
            method,
            step,
            ..StochasticSettings::default()
        };
        let mut steps = Steps::new((4, 2), (intercept, 2.0), &settings);
        let mut x = Iterate::zeros(2);
        let v = Iterate {
            zeta: array![1.0, -2.0],
            intercept: 1.0,
        };
        [(); 2].map(|()| {
            steps.advance(&mut x, &v, 1);
            (x.zeta[0], x.zeta[1], x.intercept)
        })
    }

    #[test]
    fn steps_worked_by_hand() {
        use Intercept::{Free, None, Penalised};
        use StochasticMethod::{Proximal, Subgradient};
        let half = 0.5_f64.sqrt();
        let constant = StepRule::Constant { rate: 0.5 };
        let adagrad = StepRule::AdaGrad { rate: 0.5 };
        let cases = [
            // η = 2, then 1: ζ = v/λ' at once, and where it is it stays.
            (
                Subgradient,
                StepRule::Pegasos,
                Penalised,
                [(2.0, -4.0, 2.0), (2.0, -4.0, 2.0)],
            ),
            (
                Subgradient,
                StepRule::Pegasos,
                Free,
                [(2.0, -4.0, 1.0), (2.0, -4.0, 1.0 + half)],
            ),
            // (0 + 2v)/2 = v, then (v + v)/1.5.
            (
                Proximal,
                StepRule::Pegasos,
                None,
                [(1.0, -2.0, 0.0), (4.0 / 3.0, -8.0 / 3.0, 0.0)],
            ),
            (
                Subgradient,
                constant,
                Free,
                [(0.5, -1.0, 0.5), (0.875, -1.75, 1.0)],
            ),
            (
                Subgradient,
                constant,
                Penalised,
                [(0.5, -1.0, 0.5), (0.875, -1.75, 0.875)],
            ),
            (
                Proximal,
                constant,
                Free,
                [(0.4, -0.8, 0.5), (0.72, -1.44, 1.0)],
            ),
            (
                Proximal,
                constant,
                Penalised,
                [(0.4, -0.8, 0.4), (0.72, -1.44, 0.72)],
            ),
        ];
        for (method, step, intercept, expected) in cases {
            for (found, expected) in two_steps(method, step, intercept).into_iter().zip(expected) {
                assert_relative_eq!(found.0, expected.0, max_relative = 1e-15);
                assert_relative_eq!(found.1, expected.1, max_relative = 1e-15);
                assert_relative_eq!(found.2, expected.2, max_relative = 1e-15);
            }
        }
        // AdaGrad's first step has the length of its rate in every weight. Then g = 1 − ½·½ = ¾ and
        // −2 + ½·½ = −1.75, beside 1 and −2 of the first.
        let [first, second] = two_steps(Subgradient, adagrad, Free);
        assert_eq!(first, (0.5, -0.5, 0.5));
        assert_relative_eq!(second.0, 0.5 + 0.5 * 0.75 / 1.25, max_relative = 1e-15);
        let length = 0.5 / (4.0_f64 + 1.75 * 1.75).sqrt();
        assert_relative_eq!(second.1, -0.5 - 1.75 * length, max_relative = 1e-15);
        assert_relative_eq!(second.2, 0.5 + 0.5 * half, max_relative = 1e-15);
        // Of the losses alone: (½ + ½√½)/(1 + ½·½√½).
        let [first, second] = two_steps(Proximal, adagrad, Free);
        assert_relative_eq!(first.0, 0.4, max_relative = 1e-15);
        let expected = (0.4 + 0.5 * half) / (1.0 + 0.25 * half);
        assert_relative_eq!(second.0, expected, max_relative = 1e-15);
    }

    /// Batches of two samples, the second with one: a step of half the weight, from what the first left.
    #[test]
    fn a_short_batch_moves_by_its_share() {
        use StochasticMethod::{Proximal, Subgradient};
        let after = |method, step| {
            let settings = StochasticSettings {
                method,
                step,
                batch: 2,
                ..StochasticSettings::default()
            };
            let mut steps = Steps::new((4, 1), (Intercept::Free, 2.0), &settings);
            let mut x = Iterate::zeros(1);
            let at = |v| Iterate {
                zeta: array![v],
                intercept: v,
            };
            steps.advance(&mut x, &at(1.0), 2);
            steps.advance(&mut x, &at(2.0), 1);
            (x.zeta[0], x.intercept)
        };
        let half = 0.5_f64.sqrt();
        // W = 1, then 3/2: ζ = (v_1 + v_2/2)/(λ'W).
        let pegasos = after(Subgradient, StepRule::Pegasos);
        assert_relative_eq!(pegasos.0, 8.0 / 3.0, max_relative = 1e-15);
        assert_relative_eq!(pegasos.1, 1.0 + half, max_relative = 1e-15);
        // 0.4, then (0.4 + ½·½·2)/(1 + ½·½·½).
        let constant = after(Proximal, StepRule::Constant { rate: 0.5 });
        assert_relative_eq!(constant.0, 0.8, max_relative = 1e-15);
        assert_relative_eq!(constant.1, 1.0, max_relative = 1e-15);
        // 0.4, then with g = ½·2 and η = ½√½: (0.4 + η)/(1 + η/4).
        let adagrad = after(Proximal, StepRule::AdaGrad { rate: 0.5 });
        let expected = (0.4 + 0.5 * half) / (1.0 + 0.125 * half);
        assert_relative_eq!(adagrad.0, expected, max_relative = 1e-15);
        assert_relative_eq!(adagrad.1, 0.5 + 0.5 * half, max_relative = 1e-15);
    }
}
