//! Linear projections of other authors, and nearest neighbours behind them.

use super::Fitted;
use super::fitted::{Candidate, Chosen, Selection};
use super::projected::{ProjectedNeighbours, Projector};
use crate::run::failure::Failure;
use crate::study::classifiers::plan_method::Projection;
use crate::study::classifiers::prepare::Prepared;
use robust_svm_solvers::baselines::{
    self, FastSdaSettings, RsldaSettings, TrpcaSettings, fit_fast_sda, fit_rslda, fit_trpca,
};
use robust_svm_solvers::{KNearest, SolverError};

/// The price λ₁ of robust sparse LDA, and the prices λ₂ that are tried.
const RSLDA_SPARSITY: f64 = 1e-4;
const RSLDA_ERROR_PRICES: [f64; 2] = [1e-1, 1e-3];
/// By how much its penalty weight grows from round to round: to a residual of 1e−7 in about a hundred rounds.
const RSLDA_GROWTH: f64 = 1.2;
/// Shares of the rows that trimmed components keep.
const TRPCA_KEPT: [f64; 2] = [0.9, 0.5];
/// Random starts of trimmed components beside the principal ones.
const TRPCA_STARTS: usize = 2;
/// Subclasses of a class in fast subclass discriminant analysis.
const SUBCLASSES: [usize; 3] = [1, 2, 4];
/// Its ridges: with about as many features as rows little regularisation fits noise.
const RIDGES: [f64; 3] = [1.0, 0.1, 1e-3];

/// The best of the dimensions and of the method's own settings, of which the column `width` has the first: the price λ₂, the share of
/// rows kept, or the number of subclasses. Dimensions above the number of features are left out.
pub(super) fn fit(
    name: Projection,
    dims: &[usize],
    k: usize,
    prepared: &Prepared,
) -> Result<Fitted, Failure> {
    let mut selection = Selection::new(prepared);
    for &dims in dims.iter().filter(|dims| **dims <= prepared.features()) {
        for (width, settings) in settings(name) {
            let chosen = Chosen {
                dims: Some(dims as u32),
                width: Some(width),
                ..Chosen::default()
            };
            let projection = projected(&settings, dims, prepared);
            let candidate = projection.and_then(|projection| neighbours(projection, k, prepared));
            selection.offer(chosen, candidate.map_err(Failure::from));
        }
    }
    selection.finish()
}

/// The settings of a method.
enum Settings {
    Rslda { error_price: f64 },
    Trpca { kept: f64 },
    FastSda { subclasses: usize, ridge: f64 },
}

fn settings(name: Projection) -> Vec<(f64, Settings)> {
    match name {
        Projection::Rslda => RSLDA_ERROR_PRICES
            .map(|error_price| (error_price, Settings::Rslda { error_price }))
            .into(),
        Projection::Trpca => TRPCA_KEPT
            .map(|kept| (kept, Settings::Trpca { kept }))
            .into(),
        Projection::FastSda => RIDGES
            .into_iter()
            .flat_map(|ridge| {
                SUBCLASSES
                    .map(|subclasses| (subclasses as f64, Settings::FastSda { subclasses, ridge }))
            })
            .collect(),
    }
}

fn projected(
    settings: &Settings,
    dims: usize,
    prepared: &Prepared,
) -> Result<baselines::Projection, SolverError> {
    let train = &prepared.train;
    match *settings {
        Settings::Rslda { error_price } => {
            let settings = RsldaSettings {
                growth: RSLDA_GROWTH,
                ..RsldaSettings::new(dims, RSLDA_SPARSITY, error_price)
            };
            let solution = fit_rslda(train, &settings)?;
            if solution.converged {
                Ok(solution.projection)
            } else {
                let text = "the residual of RSLDA is not within its tolerance";
                Err(SolverError::Backend(text.into()))
            }
        }
        Settings::Trpca { kept } => {
            let rows = train.rows() as f64;
            let settings = TrpcaSettings {
                kept: Some((kept * rows).ceil() as usize),
                random_starts: TRPCA_STARTS,
                ..TrpcaSettings::new(dims)
            };
            let mut rng = prepared.seeds.stream("trpca");
            Ok(fit_trpca(train.x().view(), &settings, &mut rng)?.projection)
        }
        Settings::FastSda { subclasses, ridge } => {
            let settings = FastSdaSettings {
                ridge,
                ..FastSdaSettings::new(dims, subclasses)
            };
            fit_fast_sda(train, &settings, &mut prepared.seeds.stream("fastsda"))
        }
    }
}

fn neighbours(
    projection: baselines::Projection,
    k: usize,
    prepared: &Prepared,
) -> Result<Candidate, SolverError> {
    let train = &prepared.train;
    let coordinates = projection.project(train.x().view())?;
    let dims = coordinates.ncols();
    let neighbours = KNearest::new(coordinates, train.labels().to_vec(), train.classes(), k)?;
    Ok(Candidate::plain(ProjectedNeighbours {
        projector: Projector::Affine(projection),
        dims,
        neighbours,
    }))
}
