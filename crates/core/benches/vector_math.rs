//! Elementary functions of slices beside the standard library's, on a million values.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use robust_svm_core::vector_math::{exp_in_place, sincos, waves_and_slopes};

const COUNT: usize = 1_000_000;

fn main() {
    divan::main();
}

/// What the callers give at a time.
const ROW: usize = 1000;

/// Values spread evenly over `[low, high]`, in an order without pattern.
fn values(low: f64, high: f64) -> Vec<f64> {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    (0..COUNT)
        .map(|i| low + (high - low) * (i as f64 * golden).fract())
        .collect()
}

/// Sines and cosines of phases as random Fourier features have them.
fn bench_sincos(bencher: Bencher<'_, '_>, sincos: impl Fn(&[f64], &mut [f64], &mut [f64])) {
    let (phases, mut sin, mut cos) = (values(-20.0, 20.0), [0.0; ROW], [0.0; ROW]);
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        for row in black_box(&phases).chunks_exact(ROW) {
            sincos(row, &mut sin, &mut cos);
            black_box((&sin, &cos));
        }
    });
}

#[divan::bench]
fn sincos_std(bencher: Bencher<'_, '_>) {
    bench_sincos(bencher, |phases, sin, cos| {
        for ((x, sin), cos) in phases.iter().zip(sin).zip(cos) {
            (*sin, *cos) = x.sin_cos();
        }
    });
}

#[divan::bench]
fn sincos_vector(bencher: Bencher<'_, '_>) {
    bench_sincos(bencher, sincos);
}

/// Rows that are changed in place, from a copy.
fn bench_in_place(bencher: Bencher<'_, '_>, values: &[f64], change: impl Fn(&mut [f64])) {
    let mut changed = [0.0; ROW];
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        for row in black_box(values).chunks_exact(ROW) {
            changed.copy_from_slice(row);
            change(&mut changed);
            black_box(&changed);
        }
    });
}

#[divan::bench]
fn waves_vector(bencher: Bencher<'_, '_>) {
    let (cosine, sine) = ([0.7; ROW], [-0.3; ROW]);
    bench_in_place(bencher, &values(-20.0, 20.0), |phases| {
        black_box(waves_and_slopes(phases, &cosine, &sine));
    });
}

/// Exponents as Gaussian kernels have them.
#[divan::bench]
fn exp_std(bencher: Bencher<'_, '_>) {
    bench_in_place(bencher, &values(-30.0, 0.0), |row| {
        for x in row {
            *x = x.exp();
        }
    });
}

#[divan::bench]
fn exp_vector(bencher: Bencher<'_, '_>) {
    bench_in_place(bencher, &values(-30.0, 0.0), exp_in_place);
}
