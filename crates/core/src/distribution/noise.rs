//! Noise of a declared distribution around known points, to draw from.

use super::{Covariances, EmpiricalInputs, GaussianInputs};
use crate::CoreError;
use crate::check::{check_finite, check_length};
use crate::linalg::{matmul, symmetric_eigen};
use crate::uncertainty::{Norm, UncertaintySet};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

/// The distribution of the noise of each of L inputs in `R^n`, of mean 0. What is measured again and again needs no such
/// declaration: its replicates are [`EmpiricalInputs`] themselves.
#[derive(Debug, Clone, PartialEq)]
pub enum NoiseDistribution {
    /// `N(0, Σ_i)`.
    Normal(Covariances),
    /// Uniform in the Euclidean ball of radius r_i ≥ 0 (L).
    UniformBall(Array1<f64>),
    /// Uniform in the box of half widths H_ik ≥ 0 (L × n).
    UniformBox(Array2<f64>),
    /// Independent Laplace noise of density `exp(−|t|/B_ik)/2B_ik`, scales B ≥ 0 (L × n).
    Laplace(Array2<f64>),
}

impl NoiseDistribution {
    /// Normally distributed inputs with the means in the rows of `means` (L × n) and the covariances of this noise: `r_i²/(n+2)` of
    /// each coordinate in a ball, `H²/3` in a box, `2B²` of Laplace noise. For the linear and the quadratic kernel, which see two
    /// moments only, they are as good as the noise itself.
    ///
    /// # Errors
    /// As [`NoiseDistribution::draw`], but that a full Σ_i has no negative eigenvalue is not looked at.
    pub fn matched_normal(&self, means: Array2<f64>) -> Result<GaussianInputs, CoreError> {
        self.check(means.view())?;
        let covariances = match self {
            Self::Normal(covariances) => covariances.clone(),
            Self::UniformBall(radii) => {
                let unit = Norm::Two.uniform_variance(means.ncols());
                Covariances::Isotropic(radii.mapv(|r| r * r * unit))
            }
            Self::UniformBox(widths) => Covariances::Diagonal(widths.mapv(|h| h * h / 3.0)),
            Self::Laplace(scales) => Covariances::Diagonal(scales.mapv(|b| 2.0 * b * b)),
        };
        GaussianInputs::new(means, covariances)
    }

    /// `draws` values of each input with noise around its row of `means` (L × n), drawn one input after another.
    ///
    /// # Errors
    /// [`CoreError::Shape`] and [`CoreError::NotFinite`] for parameters that do not fit, [`CoreError::Parameter`] for negative
    /// ones and no draws, [`CoreError::Numerical`] for a Σ_i with a negative eigenvalue.
    pub fn draw(
        &self,
        means: ArrayView2<'_, f64>,
        draws: usize,
        rng: &mut impl Rng,
    ) -> Result<EmpiricalInputs, CoreError> {
        self.check(means)?;
        let mut inputs = Vec::with_capacity(means.nrows());
        for (i, mean) in means.outer_iter().enumerate() {
            let mut values = self.noise(i, (draws, mean.len()), rng)?;
            values += &mean;
            inputs.push(values);
        }
        EmpiricalInputs::new(inputs)
    }

    /// Noise of the input i, a draw a row.
    fn noise(
        &self,
        i: usize,
        shape: (usize, usize),
        rng: &mut impl Rng,
    ) -> Result<Array2<f64>, CoreError> {
        let scaled = |scales: ArrayView1<'_, f64>, mut one: Box<dyn FnMut() -> f64 + '_>| {
            let mut values = Array2::from_shape_simple_fn(shape, &mut *one);
            values *= &scales;
            values
        };
        Ok(match self {
            Self::Normal(covariances) => {
                let z = Array2::from_shape_simple_fn(shape, || StandardNormal.sample(rng));
                normal(covariances, i, z)?
            }
            Self::UniformBall(radii) => {
                let ball = UncertaintySet::sphere();
                let mut values = Array2::zeros(shape);
                for mut row in values.outer_iter_mut() {
                    row.assign(&ball.sample(radii[i], shape.1, rng));
                }
                values
            }
            Self::UniformBox(widths) => {
                scaled(widths.row(i), Box::new(|| rng.gen_range(-1.0..1.0)))
            }
            Self::Laplace(scales) => {
                // By the inverse of the distribution function.
                let one = || {
                    let u: f64 = rng.gen_range(-0.5..0.5);
                    -u.signum() * (-2.0 * u.abs()).ln_1p()
                };
                scaled(scales.row(i), Box::new(one))
            }
        })
    }

    /// That the parameters are for these inputs.
    fn check(&self, means: ArrayView2<'_, f64>) -> Result<(), CoreError> {
        check_finite("means", means)?;
        let parameters = match self {
            Self::Normal(covariances) => {
                return GaussianInputs::new(means.to_owned(), covariances.clone()).map(|_| ());
            }
            Self::UniformBall(radii) => radii.view().insert_axis(Axis(1)),
            Self::UniformBox(parameters) | Self::Laplace(parameters) => {
                check_length("width of the noise", means.ncols(), parameters.ncols())?;
                parameters.view()
            }
        };
        check_length("noise distributions", means.nrows(), parameters.nrows())?;
        check_finite("noise", parameters)?;
        match parameters.iter().find(|parameter| **parameter < 0.0) {
            Some(negative) => Err(CoreError::parameter("noise", "≥ 0", negative)),
            None => Ok(()),
        }
    }
}

/// `Σ_i^{1/2} z` for each row z of `z`.
fn normal(
    covariances: &Covariances,
    i: usize,
    mut z: Array2<f64>,
) -> Result<Array2<f64>, CoreError> {
    match covariances {
        Covariances::Zero => z.fill(0.0),
        Covariances::Isotropic(variances) => z *= variances[i].sqrt(),
        Covariances::Diagonal(variances) => z *= &variances.row(i).mapv(f64::sqrt),
        Covariances::Full(matrices) => {
            let (values, vectors) = symmetric_eigen(matrices[i].view())?;
            let largest = values.iter().fold(0.0_f64, |largest, v| largest.max(*v));
            if values.iter().any(|v| *v < -1e-10 * largest) {
                let reason = "a covariance has a negative eigenvalue";
                return Err(CoreError::Numerical(reason.into()));
            }
            z *= &values.mapv(|v| v.max(0.0).sqrt());
            return Ok(matmul(z.view(), vectors.t()));
        }
    }
    Ok(z)
}
