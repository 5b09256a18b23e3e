//! One group: a single cell, for a worker process of its own.

use super::method::map_name;
use super::plan::{Cell, ScalingPlan};
use super::row::{ScalingRow, Trained};
use super::size::Sizes;
use super::train::train;
use crate::plan::PlannedCell;
use crate::run::failure::{Failure, guarded};
use crate::run::stopwatch::Stopwatch;
use crate::run::{CellSink, Experiment};
use crate::spec::{Kind, MapName, SpecFile};
use crate::store::{CellResult, Manifest, Status, Work};

impl Experiment for ScalingPlan {
    type Row = ScalingRow;
    type Group = Cell;

    fn name(&self) -> &str {
        &self.name
    }

    fn file(&self) -> &SpecFile {
        &self.file
    }

    fn manifest(&self) -> Manifest {
        Manifest::new(Kind::Scaling, &self.name, self.seed, &self.file, &[])
    }

    fn groups(&self) -> Vec<Cell> {
        self.all()
    }

    fn part(&self, cell: Cell) -> String {
        self.planned(cell).id
    }

    fn cells(&self, cell: Cell) -> Vec<PlannedCell> {
        vec![self.planned(cell)]
    }

    fn works(&self, cell: Cell) -> Vec<Work> {
        let (method, sizes) = (self.method(cell), cell.sizes);
        let dim = match method.map {
            MapName::ExactKernel => sizes.rows,
            _ => method.features(&sizes).unwrap_or(sizes.inputs),
        };
        vec![Work {
            group: self.part(cell),
            dataset: format!("n = {}", sizes.inputs),
            key: method.key(),
            map: map_name(method.map).to_owned(),
            rows: sizes.rows as u32,
            dim: dim as u32,
            candidates: 1,
            blocks: u32::from(!method.solver.is_streamed()),
            probes: 0,
        }]
    }

    fn measures_processes(&self) -> bool {
        true
    }

    fn run_group(&self, cell: Cell, sink: &mut dyn CellSink<ScalingRow>) {
        let id = self.planned(cell).id;
        if !sink.wants(&id) {
            return;
        }
        self.warm_up(cell);
        sink.begin(&id);
        let mut watch = Stopwatch::default();
        let trained = guarded(|| train(self, cell, &mut watch));
        sink.finish(CellResult {
            row: self.row(cell, trained),
            seconds: watch.take(),
            trace: Vec::new(),
        });
    }

    fn unmeasured(&self, cell: Cell, _index: usize, failure: Failure) -> ScalingRow {
        self.row(cell, Err(failure))
    }
}

impl ScalingPlan {
    /// Trains a small problem of the same method first, so that the program's code is in memory when what the cell takes is
    /// counted: some ten MiB.
    fn warm_up(&self, cell: Cell) {
        let sizes = Sizes {
            rows: 64,
            inputs: 4,
            dim: 8,
            landmarks: 8,
        };
        let small = Cell { sizes, ..cell };
        // What comes of it is told of no cell.
        let _ = guarded(|| train(self, small, &mut Stopwatch::default()));
    }

    fn row(&self, cell: Cell, trained: Result<Trained, Failure>) -> ScalingRow {
        let (method, sizes) = (self.method(cell), cell.sizes);
        let (status, reason) = match &trained {
            Ok(_) => (Status::Ok, None),
            Err(failure) => (failure.status, Some(failure.reason.clone())),
        };
        ScalingRow {
            cell_id: self.planned(cell).id,
            method: method.name.clone(),
            solver: method.solver.name().to_owned(),
            map: map_name(method.map).to_owned(),
            bound: method.bound().map(str::to_owned),
            axis: cell.axis.name().to_owned(),
            rows: sizes.rows as u32,
            inputs: sizes.inputs as u32,
            features: method.features(&sizes).map(|count| count as u32),
            repeat: cell.repeat,
            status,
            reason,
            seed: self.seeds(cell).number(),
            trained: trained.ok(),
        }
    }
}
