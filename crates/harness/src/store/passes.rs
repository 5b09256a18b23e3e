//! Many part files made few, in passes over all of them.

use super::part::{PartReader, write_part};
use super::sorted_merge::{SortedMerge, Source};
use super::{Record, StoreError};
use std::path::{Path, PathBuf};

/// The most files that are read at once.
pub(super) const FAN_IN: usize = 32;

/// Merges the part files `parts`, `fan_in` ≥ 2 at a time, into part files in `folder`, until at most `fan_in` are left, and
/// gives these. A part that lies in `folder` itself goes when the file that holds its cells is in place: after a kill each
/// cell is in one file or in two of one content, and whoever comes next merges what is there.
///
/// # Errors
/// [`StoreError`] if a part cannot be read, is not whole, or none can be written.
pub(super) fn merge_parts<R: Record + 'static>(
    mut parts: Vec<PathBuf>,
    folder: &Path,
    fan_in: usize,
) -> Result<Vec<PathBuf>, StoreError> {
    let mut number = 0;
    while parts.len() > fan_in {
        let mut fewer = Vec::with_capacity(parts.len().div_ceil(fan_in));
        for some in parts.chunks(fan_in) {
            if let [single] = some {
                fewer.push(single.clone());
                continue;
            }
            let merged = loop {
                let path = folder.join(format!("merged-{number:06}.part"));
                number += 1;
                if !path.exists() {
                    break path;
                }
            };
            let cells = SortedMerge::new(part_sources::<R>(some)?)?.united();
            write_part(&merged, cells)?;
            for part in some.iter().filter(|part| part.starts_with(folder)) {
                std::fs::remove_file(part).map_err(StoreError::io("remove", part))?;
            }
            fewer.push(merged);
        }
        parts = fewer;
    }
    Ok(parts)
}

/// The cells of each of `parts`.
///
/// # Errors
/// [`StoreError`] if one cannot be opened.
pub(super) fn part_sources<R: Record + 'static>(
    parts: &[PathBuf],
) -> Result<Vec<Source<R>>, StoreError> {
    let source = |part: &PathBuf| Ok(Box::new(PartReader::open(part)?) as Source<R>);
    parts.iter().map(source).collect()
}

#[cfg(test)]
mod tests {
    use super::super::joined::JoinedWriter;
    use super::super::part::write_part;
    use super::super::sorted_merge::SortedMerge;
    use super::super::stored::{PARTS, parts};
    use super::super::stored_cell::StoredCell;
    use super::{merge_parts, part_sources};
    use crate::spec::{Kind, SpecFile};
    use crate::store::{
        CellRow, Manifest, ResultsFolder, StageSeconds, Status, StoreError, Stored, TimingRow,
        TraceRow, Works,
    };
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;
    use tempfile::TempDir;

    /// More than a block of a part.
    const CELLS: u32 = 300;

    fn cell(number: u32) -> StoredCell<CellRow> {
        let cell_id = format!(
            "{:016x}",
            u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        );
        let point = |iteration| TraceRow {
            cell_id: cell_id.clone(),
            iteration,
            primal: f64::from(number),
            dual: f64::from(iteration),
            relative_gap: 0.5,
        };
        StoredCell {
            timing: Some(TimingRow {
                cell_id: cell_id.clone(),
                seconds: StageSeconds::default(),
                start_bytes: None,
                peak_bytes: None,
                worker: number % 2,
            }),
            // Some have no trace, one is longer than others.
            trace: (0..number % 5).map(point).collect(),
            row: CellRow {
                dataset: format!("dataset {}", number % 7),
                method: "linear".into(),
                level: f64::from(number),
                train_level: 0.0,
                repeat: number,
                status: if number == 11 {
                    Status::Failed
                } else {
                    Status::Skipped
                },
                reason: (number == 11).then(|| "for the test".into()),
                seed: 1,
                measurement: None,
                cell_id,
            },
        }
    }

    /// Stores these cells as a part.
    fn store(folder: &Path, name: &str, cells: impl Iterator<Item = u32>) {
        let mut cells: Vec<_> = cells.map(cell).collect();
        cells.sort_by(|a, b| a.id().cmp(b.id()));
        let path = folder.join(PARTS).join(format!("{name}.part"));
        write_part(&path, cells.into_iter().map(Ok)).unwrap();
    }

    fn results(path: &Path) -> ResultsFolder {
        let text = "name = \"test\"\n";
        let file = SpecFile::from_text(Path::new("test.toml"), text.into()).unwrap();
        let manifest = Manifest::new(Kind::Classification, "test", 1, &file, &[]);
        ResultsFolder::open(path, manifest, text, false).unwrap()
    }

    /// Joins what `folder` holds, and gives the bytes of the three files.
    fn join(folder: &Path, fan_in: usize) -> BTreeMap<&'static str, Vec<u8>> {
        let results = results(folder);
        let torn = results.recover::<CellRow>().unwrap().torn;
        assert!(torn.is_empty(), "{torn:?}");
        let sources = results.sources::<CellRow>(fan_in).unwrap();
        let cells = SortedMerge::new(sources).unwrap().united();
        let tally = results.write_joined(cells, &Works::default()).unwrap();
        results.finish(&tally).unwrap();
        assert_eq!(tally.counts.total(), CELLS as usize);
        assert_eq!(tally.counts.failed, 1);
        assert_eq!(tally.first_without_numbers, Some(first()));
        assert!(!folder.join(PARTS).exists());
        let read = |name| (name, fs::read(folder.join(name)).unwrap());
        let names = ["cells.parquet", "timings.parquet", "convergence.parquet"];
        names.into_iter().map(read).collect()
    }

    /// The first cell by identity: none has numbers.
    fn first() -> CellRow {
        let rows = (0..CELLS).map(|number| cell(number).row);
        rows.min_by(|a, b| a.cell_id.cmp(&b.cell_id)).unwrap()
    }

    /// The files of one part that holds all cells.
    fn of_one_part() -> BTreeMap<&'static str, Vec<u8>> {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("results");
        drop(results(&path));
        store(&path, "all", 0..CELLS);
        join(&path, 2)
    }

    #[test]
    fn the_joined_files_hold_what_was_stored() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("results");
        drop(results(&path));
        for part in 0..20 {
            store(
                &path,
                &part.to_string(),
                (0..CELLS).filter(|n| n % 20 == part),
            );
        }
        join(&path, 3);
        let there = Stored::<CellRow>::read(&path).unwrap();
        let mut cells: Vec<_> = (0..CELLS).map(cell).collect();
        cells.sort_by(|a, b| a.id().cmp(b.id()));
        let rows: Vec<_> = cells.iter().map(|cell| cell.row.clone()).collect();
        let timings: Vec<_> = cells
            .iter()
            .filter_map(|cell| cell.timing.clone())
            .collect();
        let traces: Vec<_> = cells.into_iter().flat_map(|cell| cell.trace).collect();
        assert_eq!(
            (there.rows, there.timings, there.traces),
            (rows, timings, traces)
        );
        assert!(!there.waiting);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        /// Cells are cut into parts in any way, some joined already and some in two parts.
        #[test]
        fn bytes_do_not_depend_on_how_parts_are_cut_and_merged(
            places in prop::collection::vec((0_u32..40, 0_u32..40), CELLS as usize),
            fan_in in 2_usize..9,
        ) {
            let folder = TempDir::new().unwrap();
            let path = folder.path().join("results");
            let folder = results(&path);
            // What part 0 holds is joined, and stored a second time where it is in another part too.
            let mut writer = JoinedWriter::create(&path, &WORKS).unwrap();
            let mut joined: Vec<_> = (0..CELLS).filter(|n| places[*n as usize].0 == 0).map(cell).collect();
            joined.sort_by(|a, b| a.id().cmp(b.id()));
            for cell in joined {
                writer.push(cell).unwrap();
            }
            writer.finish().unwrap();
            drop(folder);
            for part in 1..40 {
                let is_in = |n: &u32| {
                    let (one, other) = places[*n as usize];
                    one == part || other == part
                };
                if (0..CELLS).any(|n| is_in(&n)) {
                    store(&path, &part.to_string(), (0..CELLS).filter(is_in));
                }
            }
            prop_assert_eq!(join(&path, fan_in), of_one_part());
        }
    }

    static WORKS: std::sync::LazyLock<Works> = std::sync::LazyLock::new(Works::default);

    /// The files of parts after a kill at a moment of a pass: the first are merged, `removed` of them removed.
    fn killed(path: &Path, removed: usize) {
        drop(results(path));
        for part in 0..10 {
            store(
                path,
                &format!("{part}"),
                (0..CELLS).filter(|n| n % 10 == part),
            );
        }
        let of_parts = path.join(PARTS);
        let some = parts(&of_parts).unwrap();
        let cells = SortedMerge::new(part_sources::<CellRow>(&some[..4]).unwrap());
        write_part(
            &of_parts.join("merged-000000.part"),
            cells.unwrap().united(),
        )
        .unwrap();
        for part in &some[..removed] {
            fs::remove_file(part).unwrap();
        }
    }

    #[test]
    fn a_kill_in_a_pass_loses_nothing() {
        let expected = of_one_part();
        for removed in 0..=4 {
            let folder = TempDir::new().unwrap();
            let path = folder.path().join("results");
            killed(&path, removed);
            fs::write(path.join(PARTS).join(".tmp-left"), "half of a file").unwrap();
            let there = results(&path).recover::<CellRow>().unwrap().ids.len();
            assert_eq!(there, CELLS as usize);
            assert_eq!(join(&path, 2), expected, "{removed} removed");
        }
    }

    #[test]
    fn a_merged_file_that_is_torn_is_told_and_its_parts_are_kept_until_it_is_whole() {
        let expected = of_one_part();
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("results");
        killed(&path, 0);
        let merged = path.join(PARTS).join("merged-000000.part");
        let whole = fs::read(&merged).unwrap();
        fs::write(&merged, &whole[..whole.len() / 2]).unwrap();
        let before = parts(&path.join(PARTS)).unwrap();
        let refused = results(&path).join::<CellRow>(&WORKS);
        assert!(matches!(refused, Err(StoreError::Damaged { path, .. }) if path == merged));
        assert_eq!(parts(&path.join(PARTS)).unwrap(), before);
        let refused = merge_parts::<CellRow>(before, &path.join(PARTS), 3);
        assert!(matches!(refused, Err(StoreError::Damaged { path, .. }) if path == merged));
        let recovered = results(&path).recover::<CellRow>().unwrap();
        assert_eq!(recovered.torn, [merged]);
        assert_eq!(recovered.ids.len(), CELLS as usize);
        assert_eq!(join(&path, 4), expected);
    }
}
