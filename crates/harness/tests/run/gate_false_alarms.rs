//! How often the gate cries out where nothing changed: docs/gate.md, "False alarms".

use rand::seq::SliceRandom as _;
use robust_svm_core::seed::CellSeed;
use robust_svm_harness::gate::{Basis, Verdict, compare_rows};
use robust_svm_harness::store::{CellRow, read_cells};
use statrs::distribution::{Binomial, DiscreteCDF as _};
use std::collections::BTreeMap;
use std::path::Path;

const PAIRS: u64 = 200;
const REPEATS: usize = 12;

/// The cells of `tests/data/gate/false-alarms.toml`, by repeat; within one by method and level.
fn stored() -> Vec<Vec<CellRow>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gate/false-alarms.parquet");
    let mut rows: Vec<CellRow> = read_cells(&path).unwrap();
    rows.sort_by(|a, b| {
        (&a.method, a.level)
            .partial_cmp(&(&b.method, b.level))
            .unwrap()
    });
    let mut repeats: BTreeMap<u32, Vec<CellRow>> = BTreeMap::new();
    for row in rows {
        repeats.entry(row.repeat).or_default().push(row);
    }
    repeats.into_values().collect()
}

/// Rows of these repeats, numbered anew.
fn block(repeats: &[Vec<CellRow>], chosen: &[usize]) -> Vec<CellRow> {
    let numbered = chosen.iter().zip(0..).flat_map(|(&r, number)| {
        repeats[r].iter().cloned().map(move |row| CellRow {
            repeat: number,
            ..row
        })
    });
    numbered.collect()
}

/// How many of [`PAIRS`] pairs of disjoint blocks regress and how many improve, paired by their places.
fn alarms(repeats: &[Vec<CellRow>], alpha: f64) -> (u64, u64) {
    let mut stream = CellSeed::new(2018, "false alarms", 0).stream("blocks");
    let mut order: Vec<usize> = (0..repeats.len()).collect();
    let (mut regressed, mut improved) = (0, 0);
    for _ in 0..PAIRS {
        order.shuffle(&mut stream);
        let baseline = block(repeats, &order[..REPEATS]);
        let now = block(repeats, &order[REPEATS..2 * REPEATS]);
        let compared = compare_rows(&now, &baseline, false, alpha);
        let Basis::Tests {
            tested,
            few_repeats,
            alpha,
        } = compared.basis
        else {
            panic!("{:?} is no test", compared.basis);
        };
        assert_eq!(tested.len(), 34);
        // A draw that is another one is never taken for the same.
        assert_eq!(few_repeats, []);
        regressed += u64::from(compared.verdict == Verdict::Regressed);
        improved += u64::from(tested.iter().any(|t| t.better.holm <= alpha));
    }
    (regressed, improved)
}

/// Alarms are at most the 95 % quantile of as many as the level allows. Given the 240 repeats, which pair a repeat is in and
/// on which side of it is random, so each pair raises an alarm with probability α at most, independently of the others.
#[test]
fn alarms_keep_their_level() {
    let repeats = stored();
    assert_eq!(repeats.len(), 240);
    for (alpha, documented) in [(0.05, (2, 2)), (0.25, (12, 11))] {
        let (regressed, improved) = alarms(&repeats, alpha);
        let most = Binomial::new(alpha, PAIRS).unwrap().inverse_cdf(0.95);
        assert!(
            regressed.max(improved) <= most,
            "{regressed}, {improved} at {alpha}"
        );
        // A gate that never cries out would keep every level.
        assert_eq!(
            (regressed, improved),
            documented,
            "docs/gate.md has other figures for {alpha}"
        );
    }
}

/// In how many of all pairs of repeats, which are two draws, every objective of a method agrees: what the rule for losses in
/// few repeats rests on, which asks for half.
#[test]
fn other_draws_have_other_objectives() {
    let repeats = stored();
    let mut pairs = 0_u32;
    let mut agree: BTreeMap<&str, u32> = BTreeMap::new();
    for (first, then) in repeats.iter().enumerate() {
        for now in &repeats[first + 1..] {
            pairs += 1;
            for (now, then) in now.chunk_by(same_method).zip(then.chunk_by(same_method)) {
                let objective = |row: &CellRow| row.measurement.as_ref().unwrap().objective;
                let agrees = now.iter().zip(then).all(|(now, then)| {
                    assert_eq!((&now.method, now.level), (&then.method, then.level));
                    (objective(now) - objective(then)).abs() <= 1e-6 * objective(then).abs()
                });
                *agree.entry(&then[0].method).or_default() += u32::from(agrees);
            }
        }
    }
    assert_eq!(pairs, 240 * 239 / 2);
    assert_eq!(agree.len(), 7);
    let most = agree.values().max().unwrap();
    assert_eq!(*most, 1, "docs/gate.md has another figure: {agree:?}");
}

fn same_method(a: &CellRow, b: &CellRow) -> bool {
    a.method == b.method
}
