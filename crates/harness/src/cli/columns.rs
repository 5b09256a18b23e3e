//! Columns on a terminal.

/// `lines` below `header`, each column as wide as it must be, two spaces apart.
pub(super) fn columns(header: &[String], lines: &[Vec<String>]) -> String {
    let all = || std::iter::once(header).chain(lines.iter().map(Vec::as_slice));
    let width = |column| {
        let fields = all().filter_map(|line| line.get(column));
        fields.map(|field: &String| field.chars().count()).max()
    };
    let widths: Vec<usize> = (0..header.len()).map(|c| width(c).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in all() {
        let fields = line.iter().zip(&widths);
        let padded: Vec<String> = fields.map(|(field, w)| format!("{field:<w$}")).collect();
        text.push_str(padded.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn columns_are_as_wide_as_they_must_be() {
        let line = |fields: [&str; 3]| fields.map(str::to_owned).to_vec();
        let text = columns(
            &line(["cell", "γ", "result"]),
            &[line(["a", "0.25", "equal"]), line(["abcde", "1", "—"])],
        );
        assert_eq!(
            text,
            "cell   γ     result\na      0.25  equal\nabcde  1     —\n"
        );
    }
}
