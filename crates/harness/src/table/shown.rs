//! How numbers are displayed.

/// `1 cell`, `2 cells`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

/// A fraction in percent with one decimal.
pub(crate) fn percent(fraction: f64) -> String {
    let shown = format!("{:.1}", 100.0 * fraction);
    // A rounding error just below zero is zero to a reader.
    if shown == "-0.0" {
        "0.0".to_owned()
    } else {
        shown
    }
}

/// Three significant digits, without an exponent where the number is of a usual size.
pub(crate) fn three_digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = value.abs().log10().floor() as i32;
    if (-4..5).contains(&exponent) {
        let rounding = 10_f64.powi(2 - exponent);
        ((value * rounding).round() / rounding).to_string()
    } else {
        scientific(value)
    }
}

/// Two significant digits with an exponent; 0 as such.
pub(crate) fn scientific(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else {
        format!("{value:.1e}")
    }
}

/// A p-value: three decimals, or two significant digits with an exponent where it is small.
pub(crate) fn p_value(p: f64) -> String {
    if p >= 1e-3 {
        format!("{p:.3}")
    } else {
        format!("{p:.1e}")
    }
}

/// What stands where there is no value.
pub(crate) const NONE: &str = "—";
