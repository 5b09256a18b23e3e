//! The language of experiment files as a JSON Schema, and as the reference in `docs/experiments.md`: both made from
//! the types that files are read into.

mod language;
mod markdown;
mod types;

pub use language::schema;
pub use markdown::reference;
