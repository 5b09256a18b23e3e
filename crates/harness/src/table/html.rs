//! Marked text as HTML.

use super::marks::{Mark, pieces};

/// A marked text as HTML.
pub(crate) fn marked(text: &str) -> String {
    let piece = |(mark, text): (Mark, &str)| {
        let text = escaped(text);
        match mark {
            Mark::Plain => text,
            Mark::Emphasis => format!("<em>{text}</em>"),
            Mark::Strong => format!("<strong>{text}</strong>"),
            Mark::Formula => format!("<code>{text}</code>"),
            Mark::Subscript => format!("<sub>{text}</sub>"),
            Mark::Superscript => format!("<sup>{text}</sup>"),
        }
    };
    pieces(text).into_iter().map(piece).collect()
}

/// A text that is no markup, in an element or in quotes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
