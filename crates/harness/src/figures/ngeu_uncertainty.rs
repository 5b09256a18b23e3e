//! Six normally distributed inputs of two classes in the plane, and the directions that graph embedding projects them on,
//! with and without their uncertainty [Laakom et al., Figure 3].

use ndarray::{Array1, Array2, array};
use rand::Rng;
use rand_distr::{Distribution as _, StandardNormal};
use robust_svm_core::CoreError;
use robust_svm_core::distribution::{Covariances, GaussianInputs, InputKernel};
use robust_svm_core::seed::CellSeed;
use robust_svm_solvers::SolverError;
use robust_svm_solvers::embedding::{
    EmbeddingSettings, Graph, KernelEmbedding, LinearEmbedding, gram_distances,
};
use std::f64::consts::PI;

/// The seed of the inputs: not searched for.
pub(crate) const NGEU_SEED: u64 = 3;
/// Inputs of each class.
const PER_CLASS: usize = 3;
/// The standard deviations along the axes of an ellipse are uniform in this range.
const DEVIATIONS: std::ops::Range<f64> = 0.05..0.7;
/// Neighbours within a class, and pairs between classes, of the MFA graph.
const MFA: (usize, usize) = (2, 3);

/// The inputs and the directions.
#[derive(Debug)]
pub(crate) struct UncertainPlane {
    /// The means (6 × 2), together at the origin.
    pub(crate) means: Array2<f64>,
    /// The classes (6), 0 or 1.
    pub(crate) classes: Vec<usize>,
    /// A factor of each covariance: `Σ_i = R_i R_iᵀ` (6 of 2 × 2).
    pub(crate) roots: Vec<Array2<f64>>,
    /// The directions with the graph of LDA.
    pub(crate) lda: GraphDirections,
    /// The directions with the graph of MFA.
    pub(crate) mfa: GraphDirections,
}

/// The first direction of each form with one graph: unit vectors of the plane.
#[derive(Debug)]
pub(crate) struct GraphDirections {
    /// Of the means alone.
    pub(crate) ge: Array1<f64>,
    /// With the covariances in the scatters.
    pub(crate) geu: Array1<f64>,
    /// Of mean embeddings by the linear kernel.
    pub(crate) ngeu: Array1<f64>,
}

/// Why it cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlaneError {
    #[error(transparent)]
    Core(#[from] CoreError),
    #[error(transparent)]
    Solver(#[from] SolverError),
}

impl UncertainPlane {
    /// Draws means and ellipses from `seed`, and embeds.
    pub(crate) fn new(seed: u64) -> Result<Self, PlaneError> {
        let mut rng = CellSeed::new(seed, "ngeu-uncertainty", 0).stream("inputs");
        let mut means =
            Array2::from_shape_simple_fn((2 * PER_CLASS, 2), || StandardNormal.sample(&mut rng));
        let centre: Array1<f64> = means.sum_axis(ndarray::Axis(0)) / means.nrows() as f64;
        means -= &centre;
        let roots: Vec<Array2<f64>> = (0..2 * PER_CLASS).map(|_| root(&mut rng)).collect();
        let classes: Vec<usize> = (0..2 * PER_CLASS).map(|i| i / PER_CLASS).collect();

        let covariances = roots.iter().map(|root| symmetric(&root.dot(&root.t())));
        let inputs = GaussianInputs::new(means.clone(), Covariances::Full(covariances.collect()))?;
        let points = GaussianInputs::points(means.clone())?;
        let lda = |_: &Array2<f64>| Graph::lda(&classes, 2);
        let mfa = |gram: &Array2<f64>| {
            let (within, between) = MFA;
            Graph::mfa(
                gram_distances(gram.view()).view(),
                &classes,
                2,
                within,
                between,
            )
        };
        Ok(Self {
            lda: GraphDirections::new(&points, &inputs, lda)?,
            mfa: GraphDirections::new(&points, &inputs, mfa)?,
            means,
            classes,
            roots,
        })
    }
}

impl GraphDirections {
    fn new(
        points: &GaussianInputs,
        inputs: &GaussianInputs,
        graph: impl Fn(&Array2<f64>) -> Result<Graph, SolverError>,
    ) -> Result<Self, PlaneError> {
        let settings = EmbeddingSettings::default();
        let of_points = InputKernel::Linear.gram(points)?;
        let linear = LinearEmbedding::fit(&graph(&of_points)?, inputs, 1, &settings)?;
        Ok(Self {
            ge: kernel_direction(points, &of_points, &graph(&of_points)?)?,
            geu: unit(linear.directions().column(0).to_owned()),
            ngeu: {
                let gram = InputKernel::Linear.gram(inputs)?;
                kernel_direction(inputs, &gram, &graph(&gram)?)?
            },
        })
    }
}

impl GraphDirections {
    /// The angle between the lines along the directions of GE and of NGEU, in degrees from 0 to 90.
    pub(crate) fn turned(&self) -> f64 {
        self.ge.dot(&self.ngeu).abs().min(1.0).acos().to_degrees()
    }
}

/// `p = Σ_i a_i m_i`, which a point x is projected on by `Σ_i a_i ⟨m_i, x⟩`.
fn kernel_direction(
    inputs: &GaussianInputs,
    gram: &Array2<f64>,
    graph: &Graph,
) -> Result<Array1<f64>, PlaneError> {
    let embedding = KernelEmbedding::fit(graph, gram.view(), 1, &EmbeddingSettings::default())?;
    Ok(unit(
        inputs.means().t().dot(&embedding.coefficients().column(0)),
    ))
}

/// An ellipse of random axes, turned by a random angle.
fn root(rng: &mut impl Rng) -> Array2<f64> {
    let (long, short) = (rng.gen_range(DEVIATIONS), rng.gen_range(DEVIATIONS));
    let (sin, cos) = rng.gen_range(0.0..PI).sin_cos();
    array![[long * cos, -short * sin], [long * sin, short * cos]]
}

/// `a` with the same bits on both sides of its diagonal.
fn symmetric(a: &Array2<f64>) -> Array2<f64> {
    Array2::from_shape_fn(a.dim(), |(i, j)| a[(i.max(j), i.min(j))])
}

/// `p` at length 1, pointing to the right.
fn unit(p: Array1<f64>) -> Array1<f64> {
    let length = p.dot(&p).sqrt().copysign(p[0]);
    p / length
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use ndarray::Axis;

    /// With two classes and the ridge r on both sides, the direction is `(S_w + r I)⁻¹(μ₁ − μ₀)`, Fisher's; GEU has
    /// `Σ_i L_ii Σ_i` in `S_w`, `L_ii = 1 − 1/3`, and as much in the total scatter less that within, `(1/3 − 1/6) Σ Σ_i`, is
    /// between the classes: then it is not Fisher's, and is held to the quotient it minimises.
    #[test]
    fn directions_are_those_of_their_definitions() {
        let plane = UncertainPlane::new(NGEU_SEED).unwrap();
        let of_class = |c: usize| plane.means.slice(ndarray::s![3 * c..3 * c + 3, ..]);
        let mean = |c| of_class(c).mean_axis(Axis(0)).unwrap();
        let mut within = Array2::zeros((2, 2));
        for c in 0..2 {
            let apart = &of_class(c) - &mean(c);
            within += &apart.t().dot(&apart);
        }
        let gap = mean(1) - mean(0);
        let total = plane.means.t().dot(&plane.means);
        let ridge = |trace: f64| EmbeddingSettings::default().ridge * trace / 6.0 * 4.0 / 6.0;

        let r = ridge(total.diag().sum());
        let [a, b, d] = [within[(0, 0)] + r, within[(0, 1)], within[(1, 1)] + r];
        let fisher = array![d * gap[0] - b * gap[1], a * gap[1] - b * gap[0]];
        assert_relative_eq!(unit(fisher), plane.lda.ge, epsilon = 1e-9);

        let summed = plane.roots.iter().map(|root| root.dot(&root.t()));
        let summed: Array2<f64> = summed.fold(Array2::zeros((2, 2)), |sum, Σ| sum + Σ);
        let r = ridge((&total + &summed).diag().sum());
        let left = &within + &(&summed * (2.0 / 3.0));
        let right = &total + &(&summed * (5.0 / 6.0));
        let quotient = |p: &Array1<f64>| {
            let square = |s: &Array2<f64>| p.dot(&s.dot(p)) + r * p.dot(p);
            square(&left) / square(&right)
        };
        let least = quotient(&plane.lda.geu);
        for k in 0..1800 {
            let (sin, cos) = (f64::from(k) * PI / 1800.0).sin_cos();
            assert!(least <= quotient(&array![cos, sin]) + 1e-12);
        }
    }

    /// Without uncertainty the three forms are one; with it they are not.
    #[test]
    fn what_turns_the_direction_is_the_uncertainty() {
        let plane = UncertainPlane::new(NGEU_SEED).unwrap();
        let points = GaussianInputs::points(plane.means.clone()).unwrap();
        let lda = |_: &Array2<f64>| Graph::lda(&plane.classes, 2);
        let certain = GraphDirections::new(&points, &points, lda).unwrap();
        assert!(certain.turned() < 1e-5);
        assert_relative_eq!(certain.ge, certain.geu, epsilon = 1e-7);
        assert!(plane.lda.turned() > 2.0 && plane.mfa.turned() > 2.0);
    }
}
