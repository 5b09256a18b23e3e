//! How p-values are displayed.

/// Three decimals, or two significant digits with an exponent where it is small.
pub(crate) fn p_value(p: f64) -> String {
    if p >= 1e-3 {
        format!("{p:.3}")
    } else {
        format!("{p:.1e}")
    }
}
