//! Functions `f = Σ_j c_j κ_j(‖· − z_j‖) + b` of Gaussians κ_j: exact-kernel models at their support points, Nyström models at
//! their landmarks, both of one bandwidth, and models on uncertain points, of a bandwidth each.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use robust_svm_core::features::Nystrom;
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{KernelModel, RadialModel};

/// What certificates ask of an expansion.
#[derive(Debug, Clone)]
pub(super) struct Expansion {
    /// That in whose Hilbert space f is, the narrowest.
    pub(super) kernel: GaussianKernel,
    /// κ_j (m).
    pub(super) kernels: Vec<GaussianKernel>,
    /// z (m × n).
    pub(super) centres: Array2<f64>,
    /// c (m).
    pub(super) coefficients: Array1<f64>,
    /// `‖f‖_H` in the kernel's Hilbert space, for one bandwidth `sqrt(cᵀKc)`, never below the true value.
    pub(super) norm: f64,
    /// How far a computed `f(x)` may be from the true one.
    pub(super) evaluation_error: f64,
}

impl Expansion {
    /// An exact-kernel model.
    pub(super) fn kernel(model: &KernelModel) -> Self {
        Self::new(model.kernel(), model.centres(), model.coefficients())
    }

    /// A Nyström model with weights `zeta`. Its `‖f‖_H` is `‖ζ‖`, but only up to the rounding of K̂'s small
    /// eigenvalues; the norm of the expansion that is evaluated has no such error.
    pub(super) fn nystrom(map: &Nystrom, zeta: ArrayView1<'_, f64>) -> Self {
        let coefficients = map.landmark_coefficients(zeta);
        Self::new(map.kernel(), map.landmarks(), coefficients.view())
    }

    /// A model on uncertain points: `σ_j² = σ² + v_j`, and `‖f‖²_H = ΣΣ β_iβ_j⟨μ_i, μ_j⟩`, whose products are values of wider
    /// kernels, and known no worse than those of k.
    pub(super) fn radial(model: &RadialModel) -> Self {
        let (kernel, centres) = (model.kernel(), model.centres());
        let square = kernel.sigma() * kernel.sigma();
        let wider = |v: &f64| {
            GaussianKernel::new((square + v).sqrt()).expect("variances are finite and not negative")
        };
        let coefficients = model.coefficients();
        let mass: f64 = model.beta().iter().map(|β| β.abs()).sum();
        let error = kernel_error(kernel, centres);
        Self {
            kernel,
            kernels: model.variances().iter().map(wider).collect(),
            centres: centres.to_owned(),
            coefficients: coefficients.to_owned(),
            norm: (model.norm().powi(2) + error * mass * mass).sqrt(),
            evaluation_error: error * coefficients.iter().map(|c| c.abs()).sum::<f64>(),
        }
    }

    /// `centres` z (m × n) and `coefficients` c (m).
    fn new(
        kernel: GaussianKernel,
        centres: ArrayView2<'_, f64>,
        coefficients: ArrayView1<'_, f64>,
    ) -> Self {
        let gram = kernel.matrix(centres, centres);
        let square = coefficients.dot(&gram.dot(&coefficients)).max(0.0);
        let mass: f64 = coefficients.iter().map(|c| c.abs()).sum();
        let error = kernel_error(kernel, centres);
        Self {
            kernel,
            kernels: vec![kernel; coefficients.len()],
            centres: centres.to_owned(),
            coefficients: coefficients.to_owned(),
            norm: (square + error * mass * mass).sqrt(),
            evaluation_error: error * mass,
        }
    }
}

/// The error of one computed kernel value near `centres`: squared distances are differences of squared
/// norms, so their rounding is relative to those.
fn kernel_error(kernel: GaussianKernel, centres: ArrayView2<'_, f64>) -> f64 {
    let largest = centres
        .outer_iter()
        .fold(0.0_f64, |largest, z| largest.max(z.dot(&z)));
    1e-14 * (1.0 + largest / (kernel.sigma() * kernel.sigma()))
}
