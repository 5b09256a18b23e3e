//! Gradients of F near a point: where F has a kink, one of them alone is no direction of descent.

use super::hull::shortest_of_hull;
use ndarray::{Array1, ArrayView1, Zip};

/// The most gradients that are kept.
const MOST: usize = 40;
/// Rounds in which coordinates at the box are found blocked.
const ROUNDS: usize = 4;

/// The current point and others near it, with their gradients; the current one is the first.
#[derive(Debug, Default)]
pub(super) struct Bundle(Vec<(Array1<f64>, Array1<f64>)>);

impl Bundle {
    /// Makes `s` the current point, and forgets those farther than `radius` from it.
    pub(super) fn move_to(&mut self, s: &Array1<f64>, gradient: &Array1<f64>, radius: f64) {
        self.keep_near(s, radius);
        self.0.insert(0, (s.clone(), gradient.clone()));
    }

    /// Adds the gradient of another point, the oldest making room.
    pub(super) fn add(&mut self, s: &Array1<f64>, gradient: &Array1<f64>) {
        if self.0.len() >= MOST {
            self.0.remove(1);
        }
        self.0.push((s.clone(), gradient.clone()));
    }

    /// Forgets the points farther than `radius` from `s`.
    pub(super) fn keep_near(&mut self, s: &Array1<f64>, radius: f64) {
        self.0.retain(|(other, _)| distance(s, other) <= radius);
    }

    /// The shortest vector of the convex hull of the gradients, without the coordinates in which it leads out of the
    /// box `ends` at `s`.
    pub(super) fn steepest(&self, s: &Array1<f64>, ends: (f64, f64)) -> Array1<f64> {
        let mut gradients: Vec<Array1<f64>> = self.0.iter().map(|(_, g)| g.clone()).collect();
        for _ in 0..ROUNDS {
            let views: Vec<ArrayView1<'_, f64>> = gradients.iter().map(Array1::view).collect();
            let shortest = shortest_of_hull(&views);
            let blocked = |t: usize| {
                (s[t] <= ends.0 && shortest[t] > 0.0) || (s[t] >= ends.1 && shortest[t] < 0.0)
            };
            let blocked: Vec<usize> = (0..s.len()).filter(|&t| blocked(t)).collect();
            if blocked.is_empty() {
                return shortest;
            }
            for gradient in &mut gradients {
                for &t in &blocked {
                    gradient[t] = 0.0;
                }
            }
        }
        let views: Vec<ArrayView1<'_, f64>> = gradients.iter().map(Array1::view).collect();
        shortest_of_hull(&views)
    }
}

/// The Euclidean distance.
pub(super) fn distance(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    let squares = Zip::from(a)
        .and(b)
        .fold(0.0, |sum, a, b| sum + (a - b) * (a - b));
    squares.sqrt()
}

#[cfg(test)]
mod tests {
    use super::Bundle;
    use ndarray::array;

    /// Scales at an end of the box: −g leads out of it at the lower end where g > 0, at the upper one where g < 0.
    #[test]
    fn coordinates_that_the_box_blocks_are_left_out() {
        let s = array![0.1, 0.5, 2.0];
        let of = |gradients: &[[f64; 3]]| {
            let mut bundle = Bundle::default();
            for gradient in gradients {
                bundle.add(&s, &ndarray::arr1(gradient));
            }
            bundle.steepest(&s, (0.1, 2.0))
        };
        assert_eq!(of(&[[3.0, 1.0, -2.0]]), array![0.0, 1.0, 0.0]);
        assert_eq!(of(&[[-3.0, 1.0, 2.0]]), array![-3.0, 1.0, 2.0]);
        // With the first coordinate the shortest would be nearer the second gradient.
        let blocked = of(&[[9.0, 1.0, 1.0], [1.0, 3.0, 1.0]]);
        assert_eq!(blocked, array![0.0, 1.0, 1.0]);
    }
}
