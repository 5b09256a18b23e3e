//! The labels of many rows, each text once.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The labels of some rows, as they are written.
#[derive(Debug, Clone)]
pub(crate) struct Labels {
    /// `None` = missing; shared by the parts of a whole.
    texts: Arc<[Option<String>]>,
    /// The places of the rows' texts in these.
    places: Vec<u32>,
}

impl Labels {
    /// The labels with these keys, `None` = missing; `text` writes one.
    pub(super) fn new<K: Copy + Ord>(
        keys: impl Iterator<Item = Option<K>>,
        text: impl Fn(K) -> String,
    ) -> Self {
        let (mut texts, mut known) = (Vec::new(), BTreeMap::new());
        let mut last = None;
        let place = |key: Option<K>| match last {
            Some((before, place)) if before == key => place,
            _ => {
                let place = *known.entry(key).or_insert_with(|| {
                    texts.push(key.map(&text));
                    texts.len() as u32 - 1
                });
                last = Some((key, place));
                place
            }
        };
        let places = keys.map(place).collect();
        Self {
            texts: texts.into(),
            places,
        }
    }

    /// The texts there are, in the order in which the whole has them; not all need be of these rows.
    pub(crate) fn texts(&self) -> &[Option<String>] {
        &self.texts
    }

    /// The place of each row's text in [`Labels::texts`].
    pub(crate) fn places(&self) -> impl ExactSizeIterator<Item = usize> {
        self.places.iter().map(|place| *place as usize)
    }

    /// The labels of some of the rows.
    pub(super) fn part(&self, rows: Range<usize>) -> Self {
        Self {
            texts: Arc::clone(&self.texts),
            places: self.places[rows].to_vec(),
        }
    }

    /// The text of each row.
    pub(crate) fn into_texts(self) -> Vec<Option<String>> {
        self.places()
            .map(|place| self.texts[place].clone())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Labels;

    #[test]
    fn each_row_has_its_text_and_each_text_is_there_once() {
        let rows = [Some("b"), Some("b"), None, Some("a"), Some("b"), None];
        let labels = Labels::new(rows.into_iter(), str::to_owned);
        assert_eq!(labels.texts().len(), 3);
        assert_eq!(labels.places().collect::<Vec<_>>(), [0, 0, 1, 2, 0, 1]);
        let expected = rows.map(|text| text.map(str::to_owned));
        assert_eq!(labels.part(2..4).into_texts(), expected[2..4]);
        assert_eq!(labels.into_texts(), expected);
    }
}
