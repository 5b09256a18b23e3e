//! Attacks on trained models: perturbations in the set that lower `y f(x+δ)`, so a lower bound on the
//! robust error. Independent of the certificates, except that linear models share their closed form.

mod linear;
mod options;
mod pgd;
mod rows;
mod run;

pub use options::AttackOptions;
pub use run::{Attack, attack};
