//! One group: every cell of one input dimension and one way to draw frequencies.

use super::measure::measure;
use super::plan::{BandwidthPlan, Cell};
use super::row::{BandwidthRow, Kept};
use crate::plan::PlannedCell;
use crate::run::failure::{Failure, guarded};
use crate::run::stopwatch::Stopwatch;
use crate::run::{CellSink, Experiment};
use crate::spec::{FrequenciesName, Kind, SpecFile};
use crate::store::{CellResult, Manifest, Status, Work};

impl Experiment for BandwidthPlan {
    type Row = BandwidthRow;
    type Group = (usize, FrequenciesName);

    fn name(&self) -> &str {
        &self.name
    }

    fn file(&self) -> &SpecFile {
        &self.file
    }

    fn manifest(&self) -> Manifest {
        Manifest::new(Kind::BandwidthRule, &self.name, self.seed, &self.file, &[])
    }

    fn groups(&self) -> Vec<Self::Group> {
        let of_n = |&n: &usize| self.frequencies.iter().map(move |&f| (n, f));
        self.n.iter().flat_map(of_n).collect()
    }

    fn part(&self, (n, frequencies): Self::Group) -> String {
        format!("{n:05}-{}", frequencies.name())
    }

    fn cells(&self, (n, frequencies): Self::Group) -> Vec<PlannedCell> {
        let cells = self.grid(n, frequencies);
        cells.into_iter().map(Cell::planned).collect()
    }

    /// One draw serves every cell of a group.
    fn works(&self, (n, frequencies): Self::Group) -> Vec<Work> {
        let largest = self.dim.iter().copied().max().unwrap_or(1);
        let name = frequencies.name();
        let work = Work {
            group: self.part((n, frequencies)),
            dataset: format!("n = {n}"),
            key: format!("bandwidth-rule {name}"),
            map: name.to_owned(),
            rows: self.draws,
            dim: largest as u32,
            candidates: 0,
            blocks: 0,
            probes: u64::from(self.draws) * (n * self.shapes.len()) as u64,
        };
        vec![work; self.grid(n, frequencies).len()]
    }

    fn run_group(&self, (n, frequencies): Self::Group, sink: &mut dyn CellSink<BandwidthRow>) {
        let mut watch = Stopwatch::default();
        // One draw serves every cell.
        let mut kept: Option<Result<Vec<Kept>, Failure>> = None;
        for (index, cell) in self.grid(n, frequencies).into_iter().enumerate() {
            let id = cell.planned().id;
            if !sink.wants(&id) {
                continue;
            }
            sink.begin(&id);
            let kept = kept.get_or_insert_with(|| {
                guarded(|| watch.time(|s| &mut s.evaluate, || measure(self, n, frequencies)))
            });
            let kept = kept.as_ref().map(|kept| kept[index]);
            sink.finish(CellResult {
                row: self.row(cell, kept),
                seconds: watch.take(),
                trace: Vec::new(),
            });
        }
    }

    fn unmeasured(
        &self,
        (n, frequencies): Self::Group,
        index: usize,
        failure: Failure,
    ) -> BandwidthRow {
        self.row(self.grid(n, frequencies)[index], Err(&failure))
    }
}

impl BandwidthPlan {
    fn row(&self, cell: Cell, kept: Result<Kept, &Failure>) -> BandwidthRow {
        BandwidthRow {
            cell_id: cell.planned().id,
            n: cell.n as u32,
            dim: cell.dim as u32,
            shape: cell.shape.name().to_owned(),
            frequencies: cell.frequencies.name().to_owned(),
            rule: cell.rule.name().to_owned(),
            draws: self.draws,
            promised: self.promised(cell.rule),
            status: kept
                .as_ref()
                .map_or_else(|failure| failure.status, |_| Status::Ok),
            reason: kept.as_ref().err().map(|failure| failure.reason.clone()),
            kept: kept.ok(),
        }
    }
}
