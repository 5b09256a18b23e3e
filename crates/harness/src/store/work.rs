//! How much work a cell is, as far as it is known before it is run.

use polars::prelude::Column;

/// Sizes of the work for one cell: what its seconds are estimated from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// The cell's group.
    pub group: String,
    /// Its dataset; of experiments without data what stands for one.
    pub dataset: String,
    /// What is done, whatever the sizes: kind, map, bound and solver. Cells with one key are timed together.
    pub key: String,
    /// The feature map, which cells share.
    pub map: String,
    /// Training rows.
    pub rows: u32,
    /// Feature dimension D.
    pub dim: u32,
    /// Models trained to choose from.
    pub candidates: u32,
    /// Blocks of features, rows × D each, held at a time.
    pub blocks: u32,
    /// Points at which the chosen model is evaluated: copies of test rows and the attack's steps.
    pub probes: u64,
}

impl Work {
    /// A number that the time of training grows with: one pass over the features for each candidate.
    pub fn training(&self) -> f64 {
        f64::from(self.candidates.max(1)) * f64::from(self.rows.max(1)) * f64::from(self.dim.max(1))
    }

    /// A number that the time of evaluating grows with: one row of features for each probe.
    pub fn evaluating(&self) -> f64 {
        self.probes.max(1) as f64 * f64::from(self.dim.max(1))
    }

    /// The bytes of its blocks of features.
    pub fn block_bytes(&self) -> f64 {
        8.0 * f64::from(self.blocks) * f64::from(self.rows) * f64::from(self.dim)
    }
}

/// The work of each cell of an experiment, by the cell's identity.
#[derive(Debug, Default)]
pub struct Works {
    /// Identities in order, each with its place in `works`.
    cells: Vec<(Box<str>, u32)>,
    /// Equal ones that follow each other are one.
    works: Vec<Work>,
}

impl Works {
    /// The work of the cell with the identity `id`, if it is known.
    pub fn get(&self, id: &str) -> Option<&Work> {
        let place = self.cells.binary_search_by(|(cell, _)| (**cell).cmp(id));
        let (_, work) = self.cells[place.ok()?];
        self.works.get(work as usize)
    }
}

impl FromIterator<(String, Work)> for Works {
    fn from_iter<I: IntoIterator<Item = (String, Work)>>(all: I) -> Self {
        let mut of = Self::default();
        for (id, work) in all {
            if of.works.last() != Some(&work) {
                of.works.push(work);
            }
            let place = of.works.len() - 1;
            of.cells.push((id.into_boxed_str(), place as u32));
        }
        of.cells.sort_unstable();
        of
    }
}

/// The columns that `works` add to `timings.parquet`; empty where it is not known.
pub(super) fn work_columns(works: &[Option<&Work>]) -> Vec<Column> {
    fn text<'a>(works: &[Option<&'a Work>], name: &str, get: fn(&'a Work) -> &'a str) -> Column {
        let values: Vec<Option<&str>> = works.iter().map(|work| work.map(get)).collect();
        Column::new(name.into(), values)
    }
    let count = |name: &str, get: fn(&Work) -> u32| {
        let values: Vec<Option<u32>> = works.iter().map(|work| work.map(get)).collect();
        Column::new(name.into(), values)
    };
    let probes: Vec<Option<u64>> = works.iter().map(|work| work.map(|w| w.probes)).collect();
    vec![
        text(works, "group", |work| &work.group),
        text(works, "dataset", |work| &work.dataset),
        text(works, "work", |work| &work.key),
        text(works, "map", |work| &work.map),
        count("rows", |work| work.rows),
        count("dim", |work| work.dim),
        count("candidates", |work| work.candidates),
        count("blocks", |work| work.blocks),
        Column::new("probes".into(), probes),
    ]
}
