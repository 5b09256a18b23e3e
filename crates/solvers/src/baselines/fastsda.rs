//! Fast subclass discriminant analysis, fastSDA [K. Chumachenko, J. Raitoharju, A. Iosifidis, M. Gabbouj, *Speed-up and multi-view
//! extensions to subclass discriminant analysis*, Pattern Recognition 111 (2021), and *Robust fast subclass discriminant
//! analysis*, EUSIPCO 2020].
//!
//! Each class is cut into subclasses by k-means. Subclass discriminant analysis [M. Zhu, A. Martinez, IEEE TPAMI 28 (2006)]
//! maximises the scatter between the means μ_z of subclasses of different classes over the total scatter:
//!
//! ```text
//! max tr WᵀS_bW / tr WᵀS_tW,   S_b = Σ_{z<z′, classes differ} p_zp_z′ (μ_z − μ_z′)(μ_z − μ_z′)ᵀ = XᵀL_bX,   S_t = XᵀX
//! ```
//!
//! with the rows X (N × n) centred and `p_z = N_z/N`. L_b (N × N) is constant on subclasses, so (derived) with J (N × Z) the orthonormal
//! `J_iz = 1/√N_z` for the rows of subclass z, `L_b = J B̃ Jᵀ`, `B̃ = N^{−1/2}BN^{−1/2}`, B the Laplacian (Z × Z) of the weights `p_zp_z′`: its
//! eigenvectors are those of B̃ spread over the rows, `T = JV`, and no N × N matrix is made. Those of eigenvalue 0, the constant among them, are
//! left out. The regression `W = (XᵀX + δI)⁻¹XᵀT` of spectral regression [D. Cai, X. He, J. Han, IEEE TKDE 20 (2008)] has the directions of
//! the discriminant analysis where T is in the span of X: if `Xw = t` then `S_bw = XᵀL_bt = ρXᵀt = ρS_tw`.
//!
//! With one subclass a class T spans all centred indicators of classes, and as δ → 0 W spans the space of linear discriminant
//! analysis [J. Ye, ICML 2007].
//!
//! The papers' targets come from vectors made orthogonal by Gram-Schmidt, these from the eigenvectors of B̃; the weights of the "robust"
//! variants for rare and easily confused classes are not here. `δ = ridge · tr XᵀX/n` is our scale.

use super::projection::{Projection, centred, check_setting, check_training_rows};
use crate::SolverError;
use crate::signs::fix_signs;
use ndarray::{Array1, Array2, Axis, s};
use rand::Rng;
use robust_svm_core::data::LabelledDataset;
use robust_svm_core::features::kmeans_landmarks;
use robust_svm_core::kernel::squared_distances;
use robust_svm_core::linalg::{matmul, positive_definite_solve, symmetric_eigen};

/// Eigenvalues of B̃ up to this share of the largest are 0.
const SMALLEST: f64 = 1e-10;

/// Settings of fastSDA.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FastSdaSettings {
    /// Components at most, from 1 to n; there are never more than subclasses less one.
    pub dimension: usize,
    /// Subclasses of each class, at least 1; fewer where a class has fewer rows.
    pub subclasses: usize,
    /// δ as a share of the mean eigenvalue of XᵀX, positive. Default 1e−3.
    pub ridge: f64,
}

impl FastSdaSettings {
    /// The default ridge, with d and the number of subclasses.
    pub fn new(dimension: usize, subclasses: usize) -> Self {
        Self {
            dimension,
            subclasses,
            ridge: 1e-3,
        }
    }
}

/// The projection of fastSDA, components of largest eigenvalue first. `rng` is for k-means.
///
/// # Errors
/// [`SolverError`] if there are no rows or columns, the rows are of one class or all equal, or a setting is out of its range;
/// [`SolverError::Backend`] if the ridge is lost to rounding.
pub fn fit_fast_sda(
    data: &LabelledDataset,
    settings: &FastSdaSettings,
    rng: &mut impl Rng,
) -> Result<Projection, SolverError> {
    let x = data.x().view();
    check_training_rows(x, settings.dimension)?;
    let (subclasses, ridge) = (settings.subclasses, settings.ridge);
    check_setting("subclasses", "at least 1", subclasses > 0, &subclasses)?;
    let expected = "positive and finite";
    check_setting("ridge", expected, ridge > 0.0 && ridge.is_finite(), &ridge)?;
    if data.class_sizes().iter().filter(|size| **size > 0).count() < 2 {
        return Err(SolverError::OneClass { rows: data.rows() });
    }

    let (mean, rows) = centred(x);
    let parts = subclasses_of(data, subclasses, rng)?;
    let targets = targets(&parts, data.rows())?;
    let d = settings.dimension.min(targets.ncols());
    // XᵀT = Σ_z √N_z μ_z V_z, by the sums of the subclasses.
    let mut sums = Array2::<f64>::zeros((parts.len(), x.ncols()));
    for (mut sum, part) in sums.outer_iter_mut().zip(&parts) {
        for &i in &part.rows {
            sum += &rows.row(i);
        }
        sum /= (part.rows.len() as f64).sqrt();
    }
    let right = matmul(sums.t(), targets.slice(s![.., ..d]));
    let mut scatter = matmul(rows.t(), rows.view());
    let delta = ridge * scatter.diag().sum() / x.ncols() as f64;
    scatter.diag_mut().mapv_inplace(|v| v + delta);
    let mut components = positive_definite_solve(scatter, right)?;
    fix_signs(&mut components);
    Ok(Projection { mean, components })
}

/// The rows of a subclass.
struct Subclass {
    class: usize,
    rows: Vec<usize>,
}

/// The subclasses of each class by k-means, empty ones left out.
fn subclasses_of(
    data: &LabelledDataset,
    subclasses: usize,
    rng: &mut impl Rng,
) -> Result<Vec<Subclass>, SolverError> {
    let mut parts = Vec::new();
    for class in 0..data.classes() {
        let all = 0..data.rows();
        let rows: Vec<usize> = all.filter(|&i| data.labels()[i] == class).collect();
        if rows.is_empty() {
            continue;
        }
        let x = data.x().select(Axis(0), &rows);
        let centres = kmeans_landmarks(x.view(), subclasses.min(rows.len()), rng)?;
        let mut own = vec![Vec::new(); centres.nrows()];
        let distances = squared_distances(x.view(), centres.view());
        for (&row, distances) in rows.iter().zip(distances.outer_iter()) {
            let nearest = distances.iter().enumerate();
            let nearest = nearest.min_by(|a, b| a.1.total_cmp(b.1));
            own[nearest.expect("at least one centre").0].push(row);
        }
        let filled = own.into_iter().filter(|rows| !rows.is_empty());
        parts.extend(filled.map(|rows| Subclass { class, rows }));
    }
    Ok(parts)
}

/// The eigenvectors V (Z × k) of B̃ with eigenvalues above 0, the largest first.
fn targets(parts: &[Subclass], rows: usize) -> Result<Array2<f64>, SolverError> {
    let sizes: Array1<f64> = parts.iter().map(|part| part.rows.len() as f64).collect();
    let shares = &sizes / rows as f64;
    let z = parts.len();
    let mut laplacian = Array2::<f64>::zeros((z, z));
    for i in 0..z {
        for j in 0..z {
            if parts[i].class != parts[j].class {
                let weight = shares[i] * shares[j];
                laplacian[(i, i)] += weight / sizes[i];
                laplacian[(i, j)] = -weight / (sizes[i] * sizes[j]).sqrt();
            }
        }
    }
    let (values, vectors) = symmetric_eigen(laplacian.view())?;
    let largest = values[z - 1];
    let first = values.iter().take_while(|v| **v <= SMALLEST * largest);
    let positive = vectors.slice(s![.., first.count()..]);
    Ok(positive.slice(s![.., ..;-1]).to_owned())
}
