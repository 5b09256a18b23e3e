//! Explicit feature maps `φ: R^n → R^D` [Couellan & Jan §2].

mod identity;
mod landmarks;
mod map;
mod nystrom;
mod rff;

pub use identity::Identity;
pub use landmarks::uniform_landmarks;
pub use map::{FeatureMap, Features};
pub use nystrom::Nystrom;
pub use rff::Rff;
