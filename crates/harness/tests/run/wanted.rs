//! Cells run by themselves are the cells of the whole.

use crate::classifiers::NOISY;
use crate::safe_ellipsoid::SAFE;
use crate::studies::{BANDWIDTH, TIGHTNESS};
use crate::support::{OTHER_METHODS, SMALL, Workspace};
use robust_svm_harness::data::DataFolders;
use robust_svm_harness::plan::plan;
use robust_svm_harness::run::{CellSink, Collect, Experiment};
use robust_svm_harness::spec::SpecFile;
use robust_svm_harness::store::{CellResult, Record};
use robust_svm_harness::study::{bandwidth_rule, bound_tightness, classifiers, safe_ellipsoid};
use std::fmt::Debug;

/// The rows of the cells of `group` whose index `keep` keeps.
fn rows<E: Experiment>(
    experiment: &E,
    group: E::Group,
    keep: impl Fn(usize) -> bool,
) -> Vec<E::Row> {
    let cells = experiment.cells(group).into_iter().enumerate();
    let wanted: Vec<String> = cells
        .filter_map(|(index, cell)| keep(index).then_some(cell.id))
        .collect();
    let mut sink = Collect::new(&wanted);
    experiment.run_group(group, &mut sink);
    let rows: Vec<E::Row> = sink.results.into_iter().map(|result| result.row).collect();
    let ids: Vec<&str> = rows.iter().map(Record::cell_id).collect();
    assert_eq!(
        ids, wanted,
        "the wanted cells and no others, in their order"
    );
    rows
}

/// Of the first group: the odd cells, and the last, are those of the whole.
fn cells_alone_are_those_of_the_whole<E: Experiment>(experiment: &E)
where
    E::Row: PartialEq + Debug,
{
    let group = experiment.groups()[0];
    let all = rows(experiment, group, |_| true);
    assert!(all.len() > 3);
    let odd: Vec<E::Row> = all.iter().skip(1).step_by(2).cloned().collect();
    assert_eq!(rows(experiment, group, |index| index % 2 == 1), odd);
    let last = all.len() - 1;
    assert_eq!(rows(experiment, group, |index| index == last), all[last..]);
}

fn file(workspace: &Workspace, text: &str) -> (SpecFile, DataFolders) {
    workspace.write("small.toml", text);
    let file = SpecFile::read(&workspace.path("small.toml")).expect("it is written");
    (file, DataFolders::new([workspace.path("datasets")]))
}

#[test]
fn of_every_kind() {
    let workspace = Workspace::new();
    let (small, folders) = file(&workspace, &(SMALL.to_owned() + OTHER_METHODS));
    cells_alone_are_those_of_the_whole(&plan(small, &folders).expect("a plan"));
    let (tightness, folders) = file(&workspace, TIGHTNESS);
    let tightness = bound_tightness::plan(tightness, &folders).expect("a plan");
    cells_alone_are_those_of_the_whole(&tightness);
    let (bandwidth, _) = file(&workspace, BANDWIDTH);
    cells_alone_are_those_of_the_whole(&bandwidth_rule::plan(bandwidth).expect("a plan"));
    let (safe, folders) = file(&workspace, SAFE);
    cells_alone_are_those_of_the_whole(&safe_ellipsoid::plan(safe, &folders).expect("a plan"));
    let (noisy, folders) = file(&workspace, NOISY);
    cells_alone_are_those_of_the_whole(&classifiers::plan(noisy, &folders).expect("a plan"));
}

/// What a sink is told.
#[derive(Default)]
struct Told(Vec<(&'static str, String)>);

impl<R: Record> CellSink<R> for Told {
    fn wants(&self, _id: &str) -> bool {
        true
    }

    fn begin(&mut self, id: &str) {
        self.0.push(("begin", id.to_owned()));
    }

    fn finish(&mut self, result: CellResult<R>) {
        self.0.push(("finish", result.row.cell_id().to_owned()));
    }
}

#[test]
fn a_cell_is_told_before_its_work_and_after() {
    let workspace = Workspace::new();
    let told = |groups: &dyn Fn(&mut Told)| {
        let mut told = Told::default();
        groups(&mut told);
        assert!(!told.0.is_empty());
        for pair in told.0.chunks(2) {
            assert_eq!((pair[0].0, pair[1].0), ("begin", "finish"));
            assert_eq!(pair[0].1, pair[1].1);
        }
    };
    let (small, folders) = file(&workspace, SMALL);
    let small = plan(small, &folders).expect("a plan");
    told(&|sink| small.run_group(small.groups()[0], sink));
    let (tightness, folders) = file(&workspace, TIGHTNESS);
    let tightness = bound_tightness::plan(tightness, &folders).expect("a plan");
    told(&|sink| tightness.run_group(tightness.groups()[0], sink));
}
