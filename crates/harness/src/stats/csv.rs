//! Comma-separated values as RFC 4180 has them, with `\n` line ends.

/// One record, line end included; fields with a comma, quote or line break are quoted.
pub(crate) fn record(fields: &[String]) -> String {
    let quoted: Vec<String> = fields.iter().map(|field| quote(field)).collect();
    quoted.join(",") + "\n"
}

/// A number in the shortest form that reads back as the same bits; empty for `None`.
pub(crate) fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:?}"))
}

fn quote(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
