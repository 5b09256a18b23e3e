//! Training on blocks of rows in memory: rows a second of the stochastic method, and the interior point beside that on
//! features in memory. Plain figures of one run, in seconds and in seconds of processor time, which tell more on a machine that
//! does other things too: `cargo bench -p robust-svm-solvers --bench stream [-- epoch|gap|memory|interior|large]`; the last, ten
//! million rows that are nowhere in memory, only if asked.
#![allow(clippy::print_stdout, reason = "it reports")]

use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_core::features::{FeatureMap, Features, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::penalty::{FeaturePenalty, PenaltyMatrix};
use robust_svm_solvers::stream::{
    BLOCK_ROWS, Block, BlockFeatures, BlockSource, InteriorPointProgress, InteriorPointState,
    MemoryBlocks, Radii, StreamError, StreamProblem, StreamSettings, StreamState, solve_stream,
    train_stream,
};
use robust_svm_solvers::{
    InteriorPointSettings, Problem, StochasticSettings, SublinearProblem, solve, solve_stochastic,
};
use rustix::time::{ClockId, clock_gettime};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

const N: usize = 50;
const D: usize = 512;
const GAMMA: f64 = 0.02;
const MEAN_LAMBDA: f64 = 1e-5;

/// Uniform inputs, and labels by the sign of a wave with a tenth turned.
fn draw(rows: usize, rng: &mut ChaCha20Rng) -> (Array2<f32>, Array1<f32>) {
    let x = Array2::from_shape_simple_fn((rows, N), || rng.gen_range(-1.7_f32..1.7));
    let y = x.outer_iter().map(|x| {
        let side = (1.5 * x[0]).sin() + 0.7 * x[1] * x[2] + 0.3 * x[3];
        let turned = rng.r#gen::<f32>() < 0.1;
        if (side > 0.0) == turned { -1.0 } else { 1.0 }
    });
    let y = y.collect();
    (x, y)
}

/// Rows drawn anew in every pass.
struct Drawn(usize);

impl BlockSource for Drawn {
    fn rows(&self) -> usize {
        self.0
    }

    fn width(&self) -> usize {
        N
    }

    fn blocks(&self) -> usize {
        self.0.div_ceil(BLOCK_ROWS)
    }

    fn read(
        &self,
        order: &[usize],
        visit: &mut dyn FnMut(Block<'_>) -> Result<(), StreamError>,
    ) -> Result<(), StreamError> {
        for &index in order {
            let first_row = index * BLOCK_ROWS;
            let rows = BLOCK_ROWS.min(self.0 - first_row);
            let (x, y) = draw(rows, &mut ChaCha20Rng::seed_from_u64(index as u64));
            let (x, y) = (x.view(), y.view());
            visit(Block {
                index,
                first_row,
                x,
                y,
            })?;
        }
        Ok(())
    }
}

fn features() -> BlockFeatures {
    let kernel = GaussianKernel::new(6.0).unwrap();
    let rff = Rff::draw(kernel, N, D, &mut ChaCha20Rng::seed_from_u64(2)).unwrap();
    BlockFeatures::new(Features::Rff(Arc::new(rff))).unwrap()
}

/// Rows in memory and the map.
struct Data {
    x: Array2<f32>,
    y: Array1<f32>,
    features: BlockFeatures,
}

impl Data {
    fn draw(rows: usize) -> Self {
        let (x, y) = draw(rows, &mut ChaCha20Rng::seed_from_u64(1));
        Self {
            x,
            y,
            features: features(),
        }
    }

    fn lambda(&self) -> f64 {
        MEAN_LAMBDA * self.y.len() as f64
    }

    /// `work` with the robust problem on blocks of these rows.
    fn with_problem<T>(&self, work: impl FnOnce(&StreamProblem<'_>) -> T) -> T {
        let source = MemoryBlocks::new(self.x.view(), self.y.view()).unwrap();
        let problem = StreamProblem::new(&source, &self.features, self.lambda()).unwrap();
        let matrix = PenaltyMatrix::Orthogonal;
        let problem = problem.with_penalty(Radii::Equal(GAMMA), &matrix);
        work(&problem.unwrap())
    }
}

/// Seconds, and seconds of processor time.
#[derive(Clone, Copy)]
struct Took {
    wall: f64,
    processor: f64,
}

impl std::fmt::Display for Took {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} s ({:.2} CPU s)", self.wall, self.processor)
    }
}

struct Clock(Instant, f64);

impl Clock {
    fn start() -> Self {
        Self(Instant::now(), processor())
    }

    fn took(&self) -> Took {
        Took {
            wall: self.0.elapsed().as_secs_f64(),
            processor: processor() - self.1,
        }
    }
}

fn processor() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.unwrap().install(work)
}

fn settings(epochs: usize) -> StreamSettings {
    StreamSettings {
        steps: StochasticSettings {
            epochs,
            certify_every: epochs,
            tolerance: 1e-9,
            ..StreamSettings::default().steps
        },
        parallel: true,
        ..StreamSettings::default()
    }
}

/// The steps of an epoch, without a certificate.
fn one_epoch(problem: &StreamProblem<'_>) -> Took {
    let (settings, mut rng) = (settings(1), ChaCha20Rng::seed_from_u64(3));
    let mut state = StreamState::new(problem, &settings, &mut rng).unwrap();
    let clock = Clock::start();
    let mut took = clock.took();
    let ended = train_stream(problem, &settings, &mut state, &mut |progress| {
        if progress.rows_done as usize == problem.rows() {
            took = clock.took();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    assert!(ended.is_err(), "stopped at the end of the epoch");
    took
}

fn epochs(data: &Data) {
    let rows = data.y.len() as f64;
    println!("one epoch of {rows} × {N}, D = {D}, robust, without a certificate");
    for _ in 0..5 {
        for threads in [1, 2] {
            let took = in_pool(threads, || data.with_problem(one_epoch));
            println!(
                "  {threads} threads: {took}, {:.0} rows/s, {:.0} rows/CPU s",
                rows / took.wall,
                rows / took.processor
            );
        }
    }
}

fn gaps(data: &Data) {
    println!("epochs and a certificate, 2 threads");
    for epochs in [1, 2, 4, 8] {
        let clock = Clock::start();
        let found = in_pool(2, || {
            data.with_problem(|problem| {
                let (settings, mut rng) = (settings(epochs), ChaCha20Rng::seed_from_u64(3));
                let mut state = StreamState::new(problem, &settings, &mut rng).unwrap();
                train_stream(problem, &settings, &mut state, &mut |_| {
                    ControlFlow::Continue(())
                })
            })
        });
        let found = found.unwrap();
        println!(
            "  {epochs} epochs: {}, relative gap {}, mean objective {:.5}",
            clock.took(),
            found.relative_gap,
            found.objective / data.y.len() as f64
        );
    }
}

/// The two methods beside those on features in memory.
fn beside_memory(data: &Data, interior: bool) {
    let rows = data.y.len();
    let phi = data.features.map().transform(data.x.mapv(f64::from).view());
    let y = data.y.mapv(f64::from);
    let penalty = FeaturePenalty {
        radii: Array1::from_elem(rows, GAMMA),
        matrix: PenaltyMatrix::Orthogonal,
    };
    if !interior {
        println!("{rows} rows, one thread, 8 epochs and a certificate");
        let problem = SublinearProblem::new(phi.view(), y.view(), &penalty, data.lambda()).unwrap();
        let settings = StreamSettings {
            parallel: false,
            ..settings(8)
        };
        let clock = Clock::start();
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        let found = solve_stochastic(&problem, &settings.steps, &mut rng).unwrap();
        println!(
            "  features in memory: {}, gap {}",
            clock.took(),
            found.relative_gap
        );
        let clock = Clock::start();
        let found = data.with_problem(|problem| {
            let mut state = StreamState::new(problem, &settings, &mut rng).unwrap();
            train_stream(problem, &settings, &mut state, &mut |_| {
                ControlFlow::Continue(())
            })
        });
        println!(
            "  on blocks: {}, gap {}",
            clock.took(),
            found.unwrap().relative_gap
        );
        return;
    }
    println!("interior point on {rows} rows to 1e-6");
    let problem = Problem::new(phi.view(), y.view(), &penalty, data.lambda()).unwrap();
    let settings = InteriorPointSettings {
        tolerance: 1e-6,
        parallel: true,
        ..InteriorPointSettings::default()
    };
    for threads in [1, 2] {
        in_pool(threads, || {
            let clock = Clock::start();
            let found = solve(&problem, &settings).unwrap();
            let (took, iterations) = (clock.took(), found.iterations);
            println!("  {threads} threads, features in memory: {took}, {iterations} iterations");
            let clock = Clock::start();
            let found = data.with_problem(|problem| {
                let mut state = InteriorPointState::new(problem);
                let go_on = &mut |_: InteriorPointProgress<'_>| ControlFlow::Continue(());
                solve_stream(problem, &settings, &mut state, go_on)
            });
            let (took, iterations) = (clock.took(), found.unwrap().iterations);
            println!("  {threads} threads, on blocks: {took}, {iterations} iterations");
        });
    }
}

/// Ten million rows; memory at its peak.
fn large() {
    let (source, features, matrix) = (Drawn(10_000_000), features(), PenaltyMatrix::Orthogonal);
    let rows = source.rows() as f64;
    let problem = StreamProblem::new(&source, &features, MEAN_LAMBDA * rows).unwrap();
    let problem = problem.with_penalty(Radii::Equal(GAMMA), &matrix).unwrap();
    let clock = Clock::start();
    let order: Vec<usize> = (0..source.blocks()).collect();
    source.read(&order, &mut |_| Ok(())).unwrap();
    println!("drawing {rows} rows: {}", clock.took());
    let clock = Clock::start();
    println!(
        "one epoch: {}, drawing and all",
        in_pool(2, || one_epoch(&problem))
    );
    println!("{} in all", clock.took());
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    println!("memory at its peak: {}", peak.unwrap_or("not known here"));
}

fn main() {
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let wanted = |name: &str| asked.is_empty() || asked.iter().any(|a| a == name);
    if wanted("epoch") || wanted("gap") {
        let data = Data::draw(1_000_000);
        if wanted("epoch") {
            epochs(&data);
        }
        if wanted("gap") {
            gaps(&data);
        }
    }
    if asked.iter().any(|a| a == "large") {
        large();
    }
    let small = Data::draw(50_000);
    for (name, interior) in [("memory", false), ("interior", true)] {
        if wanted(name) {
            beside_memory(&small, interior);
        }
    }
}
