//! The Nesterov–Todd scalings of all cones.

use super::blocks::Blocks;
use super::cones::Cones;
use super::data::ConicData;
use super::psd::PsdScaling;
use robust_svm_core::CoreError;

pub(super) struct Scalings {
    pub(super) samples: Cones,
    pub(super) curvature: Cones,
    /// None for Nyström features.
    pub(super) matrix: Option<PsdScaling>,
}

impl Scalings {
    pub(super) fn new(data: &ConicData) -> Self {
        let n = data.curvature.matrix_dim();
        Self {
            samples: Cones::new(data.samples, data.n + 1),
            curvature: Cones::new(data.curvature.count, data.curvature.tail + 1),
            matrix: (n > 0).then(|| PsdScaling::new(n)),
        }
    }

    /// Sets the scalings to those of (s, z).
    ///
    /// # Errors
    /// [`CoreError::Numerical`] if a matrix is not inside its cone.
    pub(super) fn update(&mut self, s: &Blocks, z: &Blocks) -> Result<(), CoreError> {
        self.samples.update(&s.samples, &z.samples);
        self.curvature.update(&s.curvature, &z.curvature);
        match &mut self.matrix {
            Some(matrix) => matrix.update(&s.matrix, &z.matrix),
            None => Ok(()),
        }
    }

    /// Mehrotra's correction of the predictor (ds, dz) in every cone, into `out`.
    pub(super) fn correct(
        &mut self,
        (ds, dz): (&Blocks, &Blocks),
        weight: f64,
        centre: f64,
        out: &mut Blocks,
    ) {
        let pair = (&ds.samples[..], &dz.samples[..]);
        self.samples.correct(pair, weight, centre, &mut out.samples);
        let pair = (&ds.curvature[..], &dz.curvature[..]);
        self.curvature
            .correct(pair, weight, centre, &mut out.curvature);
        if let Some(matrix) = &self.matrix {
            matrix.correct((&ds.matrix, &dz.matrix), weight, centre, &mut out.matrix);
        }
    }

    /// `v ← W⁻² v` in the cones of the curvature.
    pub(super) fn apply_inverse_twice_to_curvature(&mut self, v: &mut Blocks) {
        self.curvature.apply_inverse_twice(&mut v.curvature);
        if let Some(matrix) = &mut self.matrix {
            matrix.apply_inverse_twice(&mut v.matrix);
        }
    }
}
