//! Kernels of a grid on the data at hand.

use super::fitted::Chosen;
use crate::run::failure::Failure;
use crate::study::classifiers::grid::KernelGrid;
use crate::study::classifiers::prepare::Prepared;
use robust_svm_core::distribution::InputKernel;
use robust_svm_core::kernel::GaussianKernel;

impl KernelGrid {
    /// The Gaussian kernel; an error for the other kernels, and for multiples of a median distance of 0.
    pub(super) fn gaussian(self, prepared: &Prepared) -> Result<GaussianKernel, Failure> {
        let sigma = match self {
            Self::Gaussian(sigma) => sigma,
            Self::GaussianTimesMedian(times) => {
                let median = prepared.median_distance.ok_or_else(|| {
                    Failure::failed("the median distance between training rows is 0: more than half of the pairs are equal")
                })?;
                times * median
            }
            Self::Linear | Self::Quadratic => {
                return Err(Failure::failed("this method has Gaussian kernels only"));
            }
        };
        GaussianKernel::new(sigma).map_err(Failure::failed)
    }

    /// The kernel.
    pub(super) fn kernel(self, prepared: &Prepared) -> Result<InputKernel, Failure> {
        match self {
            Self::Linear => Ok(InputKernel::Linear),
            Self::Quadratic => Ok(InputKernel::Quadratic),
            Self::Gaussian(_) | Self::GaussianTimesMedian(_) => {
                self.gaussian(prepared).map(InputKernel::Gaussian)
            }
        }
    }
}

impl Chosen {
    /// With this kernel.
    pub(super) fn of_kernel(kernel: InputKernel) -> Self {
        let (name, sigma) = match kernel {
            InputKernel::Linear => ("linear", None),
            InputKernel::Quadratic => ("quadratic", None),
            InputKernel::Gaussian(kernel) => ("gaussian", Some(kernel.sigma())),
        };
        Self {
            kernel: Some(name.to_owned()),
            sigma,
            ..Self::default()
        }
    }
}
