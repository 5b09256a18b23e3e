//! A number that tells penalties and maps apart.

use super::{Radii, StreamProblem};
use robust_svm_core::features::Features;
use robust_svm_core::penalty::PenaltyMatrix;
use sha2::{Digest, Sha256};

/// SHA-256 of Γ, A and the parameters of the map, as four words. One Γ is told from as many equal ones.
pub(super) fn fingerprint(problem: &StreamProblem<'_>) -> [u64; 4] {
    let mut hash = Sha256::new();
    match problem.radii() {
        Radii::Equal(radius) => part(&mut hash, "one radius", [radius]),
        Radii::Each(radii) => part(&mut hash, "radii", radii.iter().copied().map(f64::from)),
    }
    match problem.matrix() {
        PenaltyMatrix::Diagonal(a) => part(&mut hash, "diagonal", a.iter().copied()),
        // The problem refuses the others.
        _ => part(&mut hash, "orthogonal", []),
    }
    match problem.features().map() {
        Features::Identity(_) => part(&mut hash, "identity", []),
        Features::Rff(map) => {
            part(&mut hash, "waves", map.frequencies().iter().copied());
            let phases = map.phases().into_iter().flatten().copied();
            part(&mut hash, "phases", phases);
        }
        Features::Nystrom(map) => {
            part(&mut hash, "width", [map.kernel().sigma()]);
            part(&mut hash, "landmarks", map.landmarks().iter().copied());
            part(&mut hash, "projection", map.projection().iter().copied());
        }
    }
    let digest = hash.finalize();
    std::array::from_fn(|k| u64::from_le_bytes(std::array::from_fn(|byte| digest[8 * k + byte])))
}

/// The name of a part, its values and their number.
fn part(hash: &mut Sha256, name: &str, values: impl IntoIterator<Item = f64>) {
    hash.update(name);
    let mut count = 0_u64;
    for value in values {
        hash.update(value.to_le_bytes());
        count += 1;
    }
    hash.update(count.to_le_bytes());
}
