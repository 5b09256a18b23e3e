//! Dual coordinate descent on sparse one-hot and on dense problems.
fn main() {}
