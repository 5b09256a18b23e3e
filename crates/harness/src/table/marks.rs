//! The marks of captions and remarks.

/// How a piece of text is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Plain,
    Emphasis,
    Strong,
    Formula,
    Subscript,
    Superscript,
}

/// The pieces of a marked text, without the marks. A mark without its end, or before a space, is a character like others.
pub(super) fn pieces(text: &str) -> Vec<(Mark, &str)> {
    let mut pieces = Vec::new();
    let mut plain = 0;
    let mut at = 0;
    while at < text.len() {
        if let Some((mark, inside, end)) = marked(text, at) {
            push(&mut pieces, Mark::Plain, &text[plain..at]);
            push(&mut pieces, mark, inside);
            (plain, at) = (end, end);
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    push(&mut pieces, Mark::Plain, &text[plain..]);
    pieces
}

fn push<'a>(pieces: &mut Vec<(Mark, &'a str)>, mark: Mark, text: &'a str) {
    if text.is_empty() {
        return;
    }
    // A formula is text with indices.
    if mark == Mark::Formula {
        for (inner, text) in self::pieces(text) {
            let index = matches!(inner, Mark::Subscript | Mark::Superscript);
            pieces.push((if index { inner } else { mark }, text));
        }
    } else {
        pieces.push((mark, text));
    }
}

/// The marked piece that starts at `at`: its mark, its text, and where it ends.
fn marked(text: &str, at: usize) -> Option<(Mark, &str, usize)> {
    const PAIRS: [(&str, Mark); 3] = [
        ("**", Mark::Strong),
        ("*", Mark::Emphasis),
        ("`", Mark::Formula),
    ];
    let rest = &text[at..];
    for (sign, mark) in PAIRS {
        let Some(inside) = rest.strip_prefix(sign) else {
            continue;
        };
        let length = inside.find(sign)?;
        let written = &inside[..length];
        let is_marked = !written.is_empty() && !written.starts_with(char::is_whitespace);
        return is_marked.then_some((mark, written, at + length + 2 * sign.len()));
    }
    if let Some(inside) = rest.strip_prefix("^{") {
        let length = inside.find('}')?;
        return Some((Mark::Superscript, &inside[..length], at + length + 3));
    }
    let inside = rest.strip_prefix('_')?;
    let length = inside
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(inside.len());
    (length > 0).then_some((Mark::Subscript, &inside[..length], at + length + 1))
}

#[cfg(test)]
mod tests {
    use super::{Mark, pieces};

    #[test]
    fn marks_and_signs_that_are_none() {
        let text = "**Bold**: *low–high*, σ_max^{1/2} 3 * 4, `|ω_jᵀδ| ≤ 1`; * alone **";
        assert_eq!(
            pieces(text),
            [
                (Mark::Strong, "Bold"),
                (Mark::Plain, ": "),
                (Mark::Emphasis, "low–high"),
                (Mark::Plain, ", σ"),
                (Mark::Subscript, "max"),
                (Mark::Superscript, "1/2"),
                (Mark::Plain, " 3 * 4, "),
                (Mark::Formula, "|ω"),
                (Mark::Subscript, "j"),
                (Mark::Formula, "ᵀδ| ≤ 1"),
                (Mark::Plain, "; * alone **"),
            ]
        );
        assert_eq!(pieces(""), []);
    }
}
