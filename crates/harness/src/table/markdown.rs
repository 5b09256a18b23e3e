//! Markdown tables that also read well as plain text.

/// A table whose first `left` columns are aligned left and whose others, the numbers, are aligned right.
///
/// `lines` have as many fields as `header`.
pub(crate) fn table(header: &[String], left: usize, lines: &[Vec<String>]) -> String {
    let escape = |line: &[String]| -> Vec<String> {
        line.iter().map(|field| field.replace('|', "\\|")).collect()
    };
    let header = escape(header);
    let lines: Vec<Vec<String>> = lines.iter().map(|line| escape(line)).collect();
    let widths: Vec<usize> = (0..header.len())
        .map(|column| {
            let fields = lines.iter().chain([&header]).map(|line| &line[column]);
            fields
                .map(|field| field.chars().count())
                .fold(3, usize::max)
        })
        .collect();
    let pad = |line: &[String]| {
        let fields = line.iter().zip(&widths).enumerate();
        let padded = fields.map(|(column, (field, &width))| {
            if column < left {
                format!(" {field:<width$} |")
            } else {
                format!(" {field:>width$} |")
            }
        });
        format!("|{}\n", padded.collect::<String>())
    };
    let rule: Vec<String> = widths
        .iter()
        .enumerate()
        .map(|(column, &width)| {
            let dashes = "-".repeat(width - 1);
            if column < left {
                format!(":{dashes}")
            } else {
                format!("{dashes}:")
            }
        })
        .collect();
    let body: String = lines.iter().map(|line| pad(line)).collect();
    pad(&header) + &pad(&rule) + &body
}

/// A fraction in percent with one decimal.
pub(super) fn percent(fraction: f64) -> String {
    let shown = format!("{:.1}", 100.0 * fraction);
    // A rounding error just below zero is zero to a reader.
    if shown == "-0.0" {
        "0.0".to_owned()
    } else {
        shown
    }
}
