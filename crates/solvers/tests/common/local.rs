//! Samples, feature maps and uncertainty sets for tests of the local bound.

use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::StandardNormal;
use robust_svm_core::features::{Features, Identity, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
use std::sync::Arc;

/// What a [`LocalPenalty`](robust_svm_solvers::LocalPenalty) is made of, and labels.
pub(crate) struct Setting {
    pub features: Features,
    pub sets: UncertaintySets,
    pub x: Array2<f64>,
    pub y: Array1<f64>,
    pub gamma: f64,
}

pub(crate) fn normal(rng: &mut ChaCha20Rng, shape: (usize, usize)) -> Array2<f64> {
    Array2::from_shape_simple_fn(shape, || rng.sample(StandardNormal))
}

/// A map of `R^n`: 0 identity, 1 paired, 2 phased, 3 orthogonal random features, 4 Nyström with landmarks in `x`.
pub(crate) fn map(kind: usize, x: &Array2<f64>, dim: usize, rng: &mut ChaCha20Rng) -> Features {
    let n = x.ncols();
    let kernel = GaussianKernel::new((n as f64).sqrt()).unwrap();
    match kind {
        0 => Features::Identity(Identity::new(n)),
        1 => Features::Rff(Arc::new(Rff::draw(kernel, n, dim, rng).unwrap())),
        2 => Features::Rff(Arc::new(Rff::draw_phased(kernel, n, dim, rng).unwrap())),
        3 => Features::Rff(Arc::new(Rff::draw_orthogonal(kernel, n, dim, rng).unwrap())),
        _ => {
            let rows = dim.min(x.nrows());
            let landmarks = x.slice(ndarray::s![..rows, ..]).to_owned();
            Features::Nystrom(Arc::new(Nystrom::new(kernel, landmarks).unwrap()))
        }
    }
}

/// Two classes in R^n that a sphere parts, with noise; sets of full, diagonal and no factors, sizes in 0.2..1.
pub(crate) fn setting(
    seed: u64,
    (rows, n): (usize, usize),
    kind: usize,
    norm: Norm,
    shared: bool,
    gamma: f64,
) -> Setting {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let x = normal(&mut rng, (rows, n));
    let mut y: Array1<f64> = x
        .outer_iter()
        .map(|x| {
            let score = x.dot(&x) + x[0] - n as f64 + 0.5 * rng.sample::<f64, _>(StandardNormal);
            if score > 0.0 { 1.0 } else { -1.0 }
        })
        .collect();
    (y[0], y[1]) = (1.0, -1.0);
    let mut shape = |kind: usize| {
        let factor = match kind % 3 {
            0 => Factor::Full(normal(&mut rng, (n, n)) * 0.6),
            1 => Factor::Diagonal(normal(&mut rng, (1, n)).row(0).mapv(f64::abs)),
            _ => Factor::Identity,
        };
        UncertaintySet::new(norm, factor).unwrap()
    };
    let sets = if shared {
        shape(seed as usize).into()
    } else {
        UncertaintySets::each((0..rows).map(&mut shape).collect()).unwrap()
    };
    let sizes = Array1::from_shape_simple_fn(rows, || rng.gen_range(0.2..1.0));
    let sets = sets.with_sizes(sizes).unwrap();
    let features = map(kind, &x, 12, &mut rng);
    Setting {
        features,
        sets,
        x,
        y,
        gamma,
    }
}
