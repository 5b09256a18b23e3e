//! Numbered notes for entries that do not rest on all their cells.

use crate::stats::Counts;

/// Notes in the order of their first use, each given once.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    notes: Vec<String>,
}

impl Footnotes {
    /// The note of an entry, by its place among the notes; none if every cell was measured.
    pub(super) fn of(&mut self, counts: Counts) -> Option<usize> {
        if counts.complete() {
            return None;
        }
        let note = note(counts);
        let known = self.notes.iter().position(|other| *other == note);
        Some(known.unwrap_or_else(|| {
            self.notes.push(note);
            self.notes.len() - 1
        }))
    }

    /// The notes.
    pub(super) fn into_notes(self) -> Vec<String> {
        self.notes
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

/// A number in raised digits.
pub(super) fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number
        .to_string()
        .bytes()
        .map(|digit| DIGITS[usize::from(digit - b'0')])
        .collect()
}

/// The letter of a number from 1 on, as raised digits after a number may be read as its power: a, …, z, aa, ab, ….
pub(super) fn letter(number: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = number;
    while rest > 0 {
        letters.push(char::from(b'a' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn letters_go_on_after_z() {
        let letters = [1, 26, 27, 52, 53, 702, 703].map(letter);
        assert_eq!(letters, ["a", "z", "aa", "az", "ba", "zz", "aaa"]);
    }
}
