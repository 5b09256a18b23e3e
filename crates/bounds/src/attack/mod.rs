//! Attacks: perturbations in the sets that lower `y f(x+δ)` of a trained model, so a lower bound on the
//! robust error; and those that move features far, so counter-evidence to a feature bound. Independent of
//! the certificates and bounds, except that linear models share their closed form.

mod draws;
mod linear;
mod margin;
mod movement;
mod objective;
mod options;
mod rotation;
mod rows;
mod run;
mod search;

pub use draws::{points_together, skip};
pub use movement::movement;
pub use options::AttackOptions;
pub use run::{Attack, attack};
