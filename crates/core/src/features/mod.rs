//! Explicit feature maps `φ: R^n → R^D` [Couellan & Jan §2].

mod blocks;
mod fourier;
mod identity;
mod kmeans;
mod landmarks;
mod leverage;
mod map;
mod nystrom;
mod orthogonal;
mod rff;
mod transformer;

pub use blocks::BLOCK_ROWS;
pub use fourier::FourierTransform;
pub use identity::Identity;
pub use kmeans::kmeans_landmarks;
pub use landmarks::uniform_landmarks;
pub use leverage::{LEVERAGE_ROWS, leverage_landmarks, leverage_scores};
pub use map::{FeatureMap, Features};
pub use nystrom::Nystrom;
pub use rff::{Rff, Waves};
