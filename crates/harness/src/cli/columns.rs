//! Columns on a terminal.

/// `lines` below `header`, each column as wide as it must be, two spaces apart.
pub(super) fn columns(header: &[String], lines: &[Vec<String>]) -> String {
    aligned(header, lines, &[])
}

/// As [`columns`], with the columns of numbers `right`, from 0, ending below each other.
pub(super) fn aligned(header: &[String], lines: &[Vec<String>], right: &[usize]) -> String {
    let all = || std::iter::once(header).chain(lines.iter().map(Vec::as_slice));
    let width = |column| {
        let fields = all().filter_map(|line| line.get(column));
        fields.map(|field: &String| field.chars().count()).max()
    };
    let widths: Vec<usize> = (0..header.len()).map(|c| width(c).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in all() {
        let fields = line.iter().zip(&widths).enumerate();
        let padded: Vec<String> = fields
            .map(|(column, (field, w))| {
                if right.contains(&column) {
                    format!("{field:>w$}")
                } else {
                    format!("{field:<w$}")
                }
            })
            .collect();
        text.push_str(padded.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{aligned, columns};

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
    #[test]
    fn numbers_end_below_each_other() {
        let line = |fields: [&str; 2]| fields.map(str::to_owned).to_vec();
        let lines = [line(["7", "a"]), line(["1,024", "b"])];
        let text = aligned(&line(["rows", "x"]), &lines, &[0]);
        assert_eq!(text, " rows  x\n    7  a\n1,024  b\n");
    }
}
