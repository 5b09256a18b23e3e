//! Errors that point into a text file, shown as a compiler shows them.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

/// Something wrong at one place of a text file. `Display` gives the message, the place, the line with
/// the place underlined, and the help; `{:#}` with colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceError {
    /// The file.
    pub path: PathBuf,
    /// The file's whole text.
    pub source: String,
    /// The place, in bytes of the text.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl SourceError {
    /// From toml's error about `text`. Unknown keys and unknown values get the known name they are
    /// nearest to as help, or the list of all known names.
    pub fn from_toml(
        path: impl Into<PathBuf>,
        text: impl Into<String>,
        error: &toml::de::Error,
    ) -> Self {
        let source = text.into();
        let (message, help) = explain(error.message());
        Self {
            path: path.into(),
            span: error.span().unwrap_or(0..0),
            source,
            message,
            help,
        }
    }

    /// The span, moved inside the text, on character boundaries, and ended where its first line ends.
    fn first_line_of_span(&self) -> Range<usize> {
        let text = &self.source;
        let start = text.floor_char_boundary(self.span.start.min(text.len()));
        let end = text.ceil_char_boundary(self.span.end.clamp(start, text.len()));
        let line_length = text[start..end].lines().next().map_or(0, str::len);
        start..start + line_length
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = AnnotationKind::Primary.span(self.first_line_of_span());
        let snippet = Snippet::source(&self.source)
            .path(self.path.display().to_string())
            .annotation(place);
        let mut report =
            Group::with_title(Level::ERROR.no_name().primary_title(&self.message)).element(snippet);
        if let Some(help) = &self.help {
            report = report.element(Level::HELP.message(help));
        }
        let renderer = if f.alternate() {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        f.write_str(&renderer.render(&[report]))
    }
}

impl std::error::Error for SourceError {}

/// The candidate `found` is probably a slip of: the nearest by edit distance (transpositions count
/// once), if no more than a third of the longer name would have to change; one that differs in hyphens alone is
/// nearer than all others. Case is ignored. Of equally near candidates, the first.
pub fn nearest_name<'a>(
    found: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let found = found.to_lowercase();
    candidates
        .into_iter()
        .map(|name| {
            let distance = strsim::damerau_levenshtein(&found, &name.to_lowercase());
            let distance = if same_letters(&found, name) {
                0
            } else {
                distance
            };
            (distance, name)
        })
        .filter(|(distance, name)| {
            let longer = found.chars().count().max(name.chars().count());
            *distance <= (longer / 3).max(1) && *distance < longer
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Whether two names differ in hyphens, underscores and case alone: `arcs1` and `arcs-1`.
pub(crate) fn same_letters(a: &str, b: &str) -> bool {
    let letters = |name: &str| name.replace(['-', '_'], "").to_lowercase();
    letters(a) == letters(b)
}

/// Message and help for serde's `message`, in the words of a TOML file: keys and values.
fn explain(message: &str) -> (String, Option<String>) {
    let noun = if message.starts_with("unknown field `") {
        "key"
    } else if message.starts_with("unknown variant `") {
        "value"
    } else {
        return (in_terms_of_keys(message), None);
    };
    let mut names = quoted(message);
    let Some(found) = names.next() else {
        return (message.to_owned(), None);
    };
    let known: Vec<&str> = names.collect();
    let help = match nearest_name(found, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => format!("no {noun}s are known here"),
        None => format!("known {noun}s: `{}`", known.join("`, `")),
    };
    (format!("unknown {noun} `{found}`"), Some(help))
}

/// The texts between backticks.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').skip(1).step_by(2)
}

/// serde speaks of Rust's fields and types where the file's reader sees keys and values.
fn in_terms_of_keys(message: &str) -> String {
    for kind in ["missing", "duplicate"] {
        if let Some(rest) = message.strip_prefix(&format!("{kind} field ")) {
            return format!("{kind} key {rest}");
        }
    }
    if message == "wanted string or table" {
        return "expected a name in quotes".to_owned();
    }
    let Some((found, expected)) = message.rsplit_once(", expected ") else {
        return message.to_owned();
    };
    let expected = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a table",
        structure if structure.starts_with("struct ") => "a table",
        other => other,
    };
    let found = match found {
        "invalid type: sequence" => "invalid type: list",
        "invalid type: map" => "invalid type: table",
        other => other,
    };
    format!("{found}, expected {expected}")
}

#[cfg(test)]
mod tests {
    use super::{SourceError, nearest_name};
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only the errors are of interest")]
    struct File {
        name: String,
        repeats: Option<u32>,
        split: Option<Split>,
        scale: Option<Scale>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only the errors are of interest")]
    struct Split {
        train: f64,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Scale {
        Standardize,
        MinMax,
        None,
    }

    /// How the error of a faulty file is shown.
    fn shown(text: &str) -> String {
        let error = toml::from_str::<File>(text).expect_err("the file is faulty");
        SourceError::from_toml("experiments/a.toml", text, &error).to_string()
    }

    #[test]
    fn a_misspelt_key_is_told_its_name() {
        insta::assert_snapshot!(shown("name = \"a\"\nrepaets = 3\n"), @r"
        unknown key `repaets`
         --> experiments/a.toml:2:1
          |
        2 | repaets = 3
          | ^^^^^^^
          |
          = help: did you mean `repeats`?
        ");
        insta::assert_snapshot!(shown("name = \"a\"\nsplit = { tarin = 0.5 }\n"), @r"
        unknown key `tarin`
         --> experiments/a.toml:2:11
          |
        2 | split = { tarin = 0.5 }
          |           ^^^^^
          |
          = help: did you mean `train`?
        ");
    }

    #[test]
    fn a_strange_key_gets_the_list_of_keys() {
        insta::assert_snapshot!(shown("name = \"ä\"\ncolour = \"grün\"\n"), @r#"
        unknown key `colour`
         --> experiments/a.toml:2:1
          |
        2 | colour = "grün"
          | ^^^^^^
          |
          = help: known keys: `name`, `repeats`, `split`, `scale`
        "#);
    }

    #[test]
    fn unknown_values() {
        insta::assert_snapshot!(shown("name = \"a\"\nscale = \"standardise\"\n"), @r#"
        unknown value `standardise`
         --> experiments/a.toml:2:9
          |
        2 | scale = "standardise"
          |         ^^^^^^^^^^^^^
          |
          = help: did you mean `standardize`?
        "#);
        insta::assert_snapshot!(shown("name = \"a\"\nscale = 1\n"), @r"
        expected a name in quotes
         --> experiments/a.toml:2:9
          |
        2 | scale = 1
          |         ^
        ");
        insta::assert_snapshot!(shown("name = \"a\"\nscale = \"whiten\"\n"), @r#"
        unknown value `whiten`
         --> experiments/a.toml:2:9
          |
        2 | scale = "whiten"
          |         ^^^^^^^^
          |
          = help: known values: `standardize`, `min-max`, `none`
        "#);
    }

    #[test]
    fn missing_and_duplicate_keys_and_wrong_types() {
        insta::assert_snapshot!(shown("repeats = 3\n"), @r"
        missing key `name`
         --> experiments/a.toml:1:1
          |
        1 | repeats = 3
          | ^
        ");
        insta::assert_snapshot!(shown("name = \"a\"\n\n[split]\n\n"), @r"
        missing key `train`
         --> experiments/a.toml:3:1
          |
        3 | [split]
          | ^^^^^^^
        ");
        insta::assert_snapshot!(shown("name = \"a\"\nname = \"b\"\n"), @r#"
        duplicate key
         --> experiments/a.toml:2:1
          |
        2 | name = "b"
          | ^^^^
        "#);
        insta::assert_snapshot!(shown("name = \"a\"\nsplit = 1.0\n"), @r"
        invalid type: floating point `1.0`, expected a table
         --> experiments/a.toml:2:9
          |
        2 | split = 1.0
          |         ^^^
        ");
        insta::assert_snapshot!(shown("name = \"a\"\nrepeats = \"many\"\n"), @r#"
        invalid type: string "many", expected a whole number, 0 or more
         --> experiments/a.toml:2:11
          |
        2 | repeats = "many"
          |           ^^^^^^
        "#);
    }

    #[test]
    fn syntax_errors_even_at_the_end_of_the_file() {
        insta::assert_snapshot!(shown("name = \"a"), @r#"
        invalid basic string, expected `"`
         --> experiments/a.toml:1:10
          |
        1 | name = "a
          |          ^
        "#);
        insta::assert_snapshot!(shown("name = "), @r"
        string values must be quoted, expected literal string
         --> experiments/a.toml:1:8
          |
        1 | name = 
          |        ^
        ");
        insta::assert_snapshot!(shown(""), @r"
        missing key `name`
         --> experiments/a.toml:1:1
          |
        1 |
          | ^
        ");
    }

    #[test]
    fn spans_outside_the_text_and_over_lines_are_shown_all_the_same() {
        let error = |span| SourceError {
            path: "a.toml".into(),
            source: "ä = 1\nb = 2\n".to_owned(),
            span,
            message: "wrong".to_owned(),
            help: None,
        };
        insta::assert_snapshot!(error(0..9), @r"
        wrong
         --> a.toml:1:1
          |
        1 | ä = 1
          | ^^^^^
        ");
        insta::assert_snapshot!(error(1..2), @r"
        wrong
         --> a.toml:1:1
          |
        1 | ä = 1
          | ^
        ");
        insta::assert_snapshot!(error(40..50), @r"
        wrong
         --> a.toml:2:7
          |
        2 | b = 2
          |      ^
        ");
    }

    #[test]
    fn near_names_are_near() {
        let names = ["lambda", "sigma", "dim"];
        assert_eq!(nearest_name("lamdba", names), Some("lambda"));
        assert_eq!(nearest_name("Sigma", names), Some("sigma"));
        assert_eq!(nearest_name("di", names), Some("dim"));
        assert_eq!(nearest_name("x", names), None);
        let bounds = ["arcs", "arcs-1", "arcs-inf"];
        assert_eq!(nearest_name("arcs1", bounds), Some("arcs-1"));
        assert_eq!(nearest_name("ArcsInf", bounds), Some("arcs-inf"));
        assert_eq!(nearest_name("arc", bounds), Some("arcs"));
        assert_eq!(nearest_name("gamma", names), None);
    }
}
