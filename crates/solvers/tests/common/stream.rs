//! Problems whose rows come in blocks, and sources that go wrong.

use super::normals;
use ndarray::{Array1, Array2, s};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::features::{FeatureMap, Features, Identity, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_solvers::Intercept;
use robust_svm_solvers::stream::{
    Block, BlockFeatures, BlockSource, MemoryBlocks, Radii, StreamError, StreamProblem,
};
use std::sync::Arc;

/// Rows, labels, a map and a penalty.
pub(crate) struct Data {
    pub(crate) x: Array2<f32>,
    pub(crate) y: Array1<f32>,
    pub(crate) map: BlockFeatures,
    pub(crate) radii: Vec<f32>,
    pub(crate) matrix: PenaltyMatrix,
}

impl Data {
    /// Two overlapping classes in R^n and one of the maps: 0 the identity, 1 random Fourier features, 2 Nyström.
    pub(crate) fn draw(seed: u64, (rows, n): (usize, usize), map: usize, gamma: f32) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut y =
            Array1::from_shape_simple_fn(
                rows,
                || if rng.r#gen::<f32>() < 0.4 { 1.0 } else { -1.0 },
            );
        (y[0], y[1]) = (1.0, -1.0);
        let mut x = normals(&mut rng, (rows, n)).mapv(|x| x as f32);
        for (mut x, y) in x.outer_iter_mut().zip(&y) {
            x[0] += y;
        }
        let kernel = GaussianKernel::new(2.0).unwrap();
        let map = match map {
            0 => Features::Identity(Identity::new(n)),
            1 => Features::Rff(Arc::new(Rff::draw(kernel, n, 10, &mut rng).unwrap())),
            _ => {
                let landmarks = x.slice(s![..7.min(rows), ..]).mapv(f64::from);
                Features::Nystrom(Arc::new(Nystrom::new(kernel, landmarks).unwrap()))
            }
        };
        let diagonal = Array1::from_shape_simple_fn(map.dim(), || rng.gen_range(0.0..2.0));
        let matrix = if seed.is_multiple_of(2) {
            PenaltyMatrix::Orthogonal
        } else {
            PenaltyMatrix::Diagonal(diagonal)
        };
        let radii = (0..rows).map(|_| gamma * rng.r#gen::<f32>()).collect();
        let map = BlockFeatures::new(map).unwrap();
        Self {
            x,
            y,
            map,
            radii,
            matrix,
        }
    }

    pub(crate) fn source(&self, block_rows: usize) -> MemoryBlocks<'_> {
        let source = MemoryBlocks::new(self.x.view(), self.y.view()).unwrap();
        source.with_block_rows(block_rows).unwrap()
    }

    pub(crate) fn problem<'a>(
        &'a self,
        source: &'a dyn BlockSource,
        lambda: f64,
        intercept: Intercept,
    ) -> StreamProblem<'a> {
        let problem = StreamProblem::new(source, &self.map, lambda).unwrap();
        let problem = problem.with_penalty(Radii::Each(&self.radii), &self.matrix);
        problem.unwrap().with_intercept(intercept)
    }

    /// The same in memory: features, labels and penalty.
    pub(crate) fn in_memory(&self) -> (Array2<f64>, Array1<f64>, FeaturePenalty) {
        let penalty = FeaturePenalty {
            radii: self.radii.iter().map(|r| f64::from(*r)).collect(),
            matrix: self.matrix.clone(),
        };
        let phi = self.map.map().transform(self.x.mapv(f64::from).view());
        (phi, self.y.mapv(f64::from), penalty)
    }
}

/// What is done with a block in the place of a visit.
pub(crate) type Fault = fn(Block<'_>, &mut Visit<'_>) -> Result<(), StreamError>;
pub(crate) type Visit<'a> = dyn FnMut(Block<'_>) -> Result<(), StreamError> + 'a;

/// A source whose passes go wrong: the change made to a block from some read on, or a failure.
pub(crate) struct Faulty<'a> {
    pub(crate) source: MemoryBlocks<'a>,
    pub(crate) reads: std::sync::atomic::AtomicUsize,
    pub(crate) good: usize,
    pub(crate) fault: Fault,
}

impl BlockSource for Faulty<'_> {
    fn rows(&self) -> usize {
        self.source.rows()
    }

    fn width(&self) -> usize {
        self.source.width()
    }

    fn blocks(&self) -> usize {
        self.source.blocks()
    }

    fn read(
        &self,
        order: &[usize],
        visit: &mut dyn FnMut(Block<'_>) -> Result<(), StreamError>,
    ) -> Result<(), StreamError> {
        let read = self
            .reads
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.source.read(order, &mut |block| {
            if read < self.good || block.index != 1 {
                visit(block)
            } else {
                (self.fault)(block, visit)
            }
        })
    }
}
