//! Numbered notes for entries that do not rest on all their cells.

use crate::stats::Counts;

/// Notes in the order of their first use, each given once.
#[derive(Default)]
pub(super) struct Footnotes {
    notes: Vec<String>,
}

impl Footnotes {
    /// The marker of an entry: empty if every cell was measured.
    pub(super) fn marker(&mut self, counts: Counts) -> String {
        if counts.complete() {
            return String::new();
        }
        let note = note(counts);
        let known = self.notes.iter().position(|other| *other == note);
        let index = known.unwrap_or_else(|| {
            self.notes.push(note);
            self.notes.len() - 1
        });
        superscript(index + 1)
    }

    /// The notes, one line each.
    pub(super) fn lines(&self) -> String {
        let notes = self.notes.iter().enumerate();
        notes
            .map(|(index, note)| ["\n", &superscript(index + 1), " ", note, "\n"].concat())
            .collect()
    }
}

fn note(counts: Counts) -> String {
    let endings = [
        (counts.failed, "failed"),
        (counts.diverged, "diverged"),
        (counts.skipped, "skipped"),
        (counts.timed_out, "timed out"),
        (counts.out_of_memory, "out of memory"),
        (counts.crashed, "crashed"),
    ];
    let endings: Vec<String> = endings
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    if counts.cells == 0 {
        "no cells.".to_owned()
    } else {
        format!(
            "n = {} of {}: {}.",
            counts.ok,
            counts.cells,
            endings.join(", ")
        )
    }
}

fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number
        .to_string()
        .bytes()
        .map(|digit| DIGITS[usize::from(digit - b'0')])
        .collect()
}
