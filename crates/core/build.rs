//! Links the system's OpenBLAS when LAPACK is asked for.

fn main() {
    if std::env::var_os("CARGO_FEATURE_LAPACK").is_some() {
        println!("cargo::rustc-link-lib=openblas");
    }
}
