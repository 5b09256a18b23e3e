//! What past runs took: the timings of results folders.

use crate::store::{Manifest, StoreError, Work, read_frame};
use polars::prelude::{DataFrame, Float64Chunked, PolarsResult};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Cells of one group with one key and the same sizes, taken together, as they share work.
#[derive(Debug, Clone, PartialEq)]
pub struct Timed {
    /// The work of each.
    pub work: Work,
    /// How many cells.
    pub cells: usize,
    /// Mean seconds of a cell until its model is chosen.
    pub training: f64,
    /// Mean seconds of what comes after.
    pub evaluating: f64,
    /// Whether they were made by the code that runs now.
    pub same_code: bool,
}

/// A results folder whose timings are used.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The folder.
    pub folder: PathBuf,
    /// Its timed cells.
    pub cells: usize,
    /// Whether they were made by the code that runs now.
    pub same_code: bool,
    /// The largest memory of the process, in bytes, where it is known.
    pub peak_bytes: Option<u64>,
    /// Worker threads.
    pub workers: usize,
    /// The work of its cells.
    pub works: Vec<Work>,
}

/// What is known of past runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Past {
    /// The folders.
    pub sources: Vec<Source>,
    /// Their cells.
    pub timed: Vec<Timed>,
    /// Folders with timings that cannot be used, and why.
    pub passed_over: Vec<(PathBuf, String)>,
}

/// Gathers the timings of `folders`; those without results are left out. `ours` names the code that runs now.
pub fn past(folders: &[PathBuf], ours: &Manifest) -> Past {
    let mut past = Past::default();
    for folder in folders {
        let (manifest, timings) = (folder.join("manifest.toml"), folder.join("timings.parquet"));
        if !manifest.exists() || !timings.exists() {
            continue;
        }
        match read(folder, &manifest, &timings, ours) {
            Ok((source, timed)) => {
                past.sources.push(source);
                past.timed.extend(timed);
            }
            Err(reason) => past.passed_over.push((folder.clone(), reason)),
        }
    }
    past
}

fn read(
    folder: &Path,
    manifest: &Path,
    timings: &Path,
    ours: &Manifest,
) -> Result<(Source, Vec<Timed>), String> {
    let text = |error: StoreError| error.to_string();
    let same_code = Manifest::read(manifest).map_err(text)?.code.sha256 == ours.code.sha256;
    let frame = read_frame(timings).map_err(text)?;
    let cells = cells(&frame).map_err(|_| "it does not tell the sizes of its cells".to_owned())?;
    let peaks = frame.column("peak_bytes").and_then(|column| column.u64());
    let workers = frame.column("worker").and_then(|column| column.u32());
    let source = Source {
        folder: folder.to_owned(),
        cells: cells.len(),
        same_code,
        peak_bytes: peaks.ok().and_then(|peaks| peaks.iter().flatten().max()),
        workers: 1 + workers.map_or(0, |all| all.iter().flatten().max().unwrap_or(0)) as usize,
        works: cells.iter().map(|(work, _)| work.clone()).collect(),
    };
    Ok((source, together(cells, same_code)))
}

/// The work of each cell whose work is known, and its seconds before its model is chosen and after.
fn cells(frame: &DataFrame) -> PolarsResult<Vec<(Work, [f64; 2])>> {
    let text = |name: &str| frame.column(name)?.str();
    let count = |name: &str| frame.column(name)?.u32();
    let stage = |name: &str| frame.column(name)?.f64();
    let texts = [
        text("group")?,
        text("dataset")?,
        text("work")?,
        text("map")?,
    ];
    let counts = [
        count("rows")?,
        count("dim")?,
        count("candidates")?,
        count("blocks")?,
    ];
    let probes = frame.column("probes")?.u64()?;
    let training = [
        stage("prepare_seconds")?,
        stage("features_seconds")?,
        stage("solve_seconds")?,
        stage("select_seconds")?,
    ];
    let evaluating = [stage("evaluate_seconds")?, stage("attack_seconds")?];
    let sum = |stages: &[&Float64Chunked], i| stages.iter().filter_map(|s| s.get(i)).sum();
    let cell = |i: usize| {
        let text = |of: usize| texts[of].get(i).map(str::to_owned);
        let count = |of: usize| counts[of].get(i);
        let work = Work {
            group: text(0)?,
            dataset: text(1)?,
            key: text(2)?,
            map: text(3)?,
            rows: count(0)?,
            dim: count(1)?,
            candidates: count(2)?,
            blocks: count(3)?,
            probes: probes.get(i)?,
        };
        Some((work, [sum(&training, i), sum(&evaluating, i)]))
    };
    Ok((0..frame.height()).filter_map(cell).collect())
}

/// Cells that differ in nothing that is known beforehand, taken together.
fn together(cells: Vec<(Work, [f64; 2])>, same_code: bool) -> Vec<Timed> {
    let mut sums: BTreeMap<(String, String, String), (Work, usize, [f64; 2])> = BTreeMap::new();
    for (work, seconds) in cells {
        let sizes = format!("{} {} {}", work.rows, work.dim, work.candidates);
        let key = (work.group.clone(), work.key.clone(), sizes);
        let (_, count, sums) = sums.entry(key).or_insert((work, 0, [0.0; 2]));
        *count += 1;
        sums[0] += seconds[0];
        sums[1] += seconds[1];
    }
    let of = |(work, cells, sums): (Work, usize, [f64; 2])| Timed {
        work,
        cells,
        training: sums[0] / cells as f64,
        evaluating: sums[1] / cells as f64,
        same_code,
    };
    sums.into_values().map(of).collect()
}
