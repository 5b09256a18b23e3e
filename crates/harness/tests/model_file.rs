//! Model files: what is written is read, to the bit, and what is not one is refused.

use insta::assert_snapshot;
use ndarray::{Array1, Array2, Axis};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use robust_svm_bounds::certify::Certifier;
use robust_svm_core::data::{Scaler, Scaling};
use robust_svm_core::features::{Features, Identity, Nystrom, Rff};
use robust_svm_core::kernel::GaussianKernel;
use robust_svm_core::model::{FeatureModel, KernelModel, Model};
use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet};
use robust_svm_harness::data::MissingPolicy;
use robust_svm_harness::model_file::{ClassSide, Classes, SavedModel, Training};
use std::path::Path;
use std::sync::Arc;

/// The width of the raw data; the second column is constant.
const COLUMNS: usize = 4;

fn matrix(rows: usize, columns: usize, rng: &mut ChaCha20Rng) -> Array2<f64> {
    Array2::from_shape_simple_fn((rows, columns), || rng.gen_range(-3.0..3.0))
}

fn raw(rows: usize, rng: &mut ChaCha20Rng) -> Array2<f64> {
    let mut x = matrix(rows, COLUMNS, rng) * 17.3;
    x.column_mut(1).fill(0.1);
    x
}

/// A model of every kind in turn.
fn model(kind: usize, scaled: &Array2<f64>, sigma: f64, rng: &mut ChaCha20Rng) -> Model {
    let kernel = GaussianKernel::new(sigma).unwrap();
    let n = scaled.ncols();
    let mut weights = |d: usize| Array1::from_shape_simple_fn(d, || rng.gen_range(-2.0..2.0));
    let (intercept, all) = (weights(1)[0], weights(64));
    let features = match kind {
        0 => Features::Identity(Identity::new(n)),
        1 => Features::Rff(Arc::new(Rff::draw(kernel, n, 10, rng).unwrap())),
        2 => Features::Rff(Arc::new(Rff::draw_phased(kernel, n, 7, rng).unwrap())),
        3 => Features::Rff(Arc::new(Rff::draw_orthogonal(kernel, n, 10, rng).unwrap())),
        4 => Features::Nystrom(Arc::new(Nystrom::new(kernel, scaled.clone()).unwrap())),
        _ => {
            let beta = all.slice(ndarray::s![..scaled.nrows()]);
            return Model::Kernel(KernelModel::new(kernel, scaled.view(), beta, intercept));
        }
    };
    let d = robust_svm_core::features::FeatureMap::dim(&features);
    Model::Feature(FeatureModel {
        features,
        zeta: all.slice(ndarray::s![..d]).to_owned(),
        intercept,
    })
}

fn side(name: &str, label: &str) -> ClassSide {
    ClassSide {
        name: name.to_owned(),
        labels: vec![label.to_owned()],
    }
}

fn saved(kind: usize, shape: usize, sigma: f64, seed: u64) -> SavedModel {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let x = raw(12, &mut rng);
    let scaling = [Scaling::Standardize, Scaling::MinMax, Scaling::None][seed as usize % 3];
    let scaler = Scaler::fit(x.view(), scaling);
    let scaled = scaler.apply(x.view());
    let n = scaled.ncols();
    let factor = match shape {
        0 => Factor::Identity,
        1 => Factor::Diagonal(matrix(1, n, &mut rng).row(0).mapv(f64::abs)),
        _ => Factor::Full(matrix(n, n, &mut rng)),
    };
    let norm = [Norm::One, Norm::Two, Norm::Infinity][shape];
    SavedModel {
        columns: (0..COLUMNS).map(|c| format!("c\u{f6}l \"{c}\"")).collect(),
        label: "y".to_owned(),
        missing: MissingPolicy::Median,
        classes: Classes {
            positive: side("sick", "1"),
            negative: side("well", "-1"),
        },
        scaling,
        set: UncertaintySet::new(norm, factor).unwrap(),
        model: model(kind, &scaled, sigma, &mut rng),
        sigma: (kind > 0).then_some(sigma),
        scaler,
        training: Training {
            program: "robust-svm 0.0.0".to_owned(),
            data_sha256: "00".to_owned(),
            seed: u64::MAX,
            rows: 12,
            validation_rows: 0,
            solver: "interior-point".to_owned(),
            bound: (kind == 1).then(|| "geodesic".to_owned()),
            gamma: 0.1 + 0.2,
            lambda: 1e-300,
            relative_gap: -1e-17,
        },
    }
}

fn parse(text: &str) -> Result<SavedModel, String> {
    SavedModel::parse(Path::new("m.json"), text).map_err(|error| error.to_string())
}

fn bits(values: &Array1<f64>) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

proptest! {
    /// Decisions and certificates of raw rows, gaps included, and the text of the file.
    #[test]
    fn a_model_that_was_read_is_the_model_to_the_bit(
        kind in 0_usize..6, shape in 0_usize..3, sigma in 0.3..6.0_f64, seed in any::<u64>(),
    ) {
        let before = saved(kind, shape, sigma, seed);
        let text = before.to_json(Path::new("m.json")).unwrap();
        let after = parse(&text).unwrap();
        let mut x = raw(9, &mut ChaCha20Rng::seed_from_u64(!seed));
        x[(3, 2)] = f64::NAN;
        prop_assert_eq!(bits(&before.decision(x.view())), bits(&after.decision(x.view())));
        let worst = |model: &SavedModel| {
            let scaled = model.scale(x.view());
            let y = Array1::from_shape_fn(9, |i| if i % 2 == 0 { 1.0 } else { -1.0 });
            let certifier = Certifier::new(&model.model, &model.set).unwrap();
            bits(&certifier.points(scaled.view(), y.view()).unwrap().worst_margin(0.2))
        };
        prop_assert_eq!(worst(&before), worst(&after));
        prop_assert_eq!(&before.training, &after.training);
        prop_assert_eq!((&before.columns, &before.label), (&after.columns, &after.label));
        prop_assert_eq!((&before.classes, before.missing), (&after.classes, after.missing));
        prop_assert_eq!((&before.scaler, before.scaling), (&after.scaler, after.scaling));
        prop_assert_eq!((&before.set, before.sigma), (&after.set, after.sigma));
        prop_assert_eq!(after.to_json(Path::new("m.json")).unwrap(), text);
    }
}

/// The entry at the end of `path` of a good file, changed.
fn changed(kind: usize, path: &[&str], value: serde_json::Value) -> String {
    let text = saved(kind, 0, 1.0, 3).to_json(Path::new("m.json")).unwrap();
    let mut file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut entry = &mut file;
    for key in path {
        entry = &mut entry[*key];
    }
    *entry = value;
    let faulty = parse(&file.to_string());
    faulty.map(|_| ()).expect_err("the file is faulty")
}

#[test]
fn files_of_other_programs_and_versions() {
    assert_snapshot!(parse("label,a\n").unwrap_err(), @r"
    m.json is not a model file: expected value at line 1 column 1
      = help: `robust-svm train` writes model files
    ");
    assert_snapshot!(parse("{}").unwrap_err(), @r"
    m.json is not a model file: missing field `format` at line 1 column 2
      = help: `robust-svm train` writes model files
    ");
    assert_snapshot!(parse(r#"{"format": "booster", "version": 7}"#).unwrap_err(), @"m.json is not a model file: its `format` is `booster`, not `robust-svm-model`");
    assert_snapshot!(changed(0, &["version"], 2.into()), @r"
    m.json is a model file of version 2, and this program knows version 1
      = help: use the program that wrote it, or a newer one
    ");
    assert_snapshot!(changed(0, &["version"], 0.into()), @r"
    m.json is a model file of version 0, and this program knows version 1
      = help: use the program that wrote it, or a newer one
    ");
}

#[test]
fn entries_that_contradict_each_other() {
    use serde_json::json;
    assert_snapshot!(changed(0, &["weights"], json!([1.0])), @"m.json: not a valid model: `weights`: expected 3, one a feature, found 1");
    assert_snapshot!(changed(0, &["weights"], json!([1.0, null, 1.0])), @r"
    m.json is not a model file: invalid type: null, expected f64 at line 1 column 834
      = help: `robust-svm train` writes model files
    ");
    assert_snapshot!(changed(0, &["weight"], json!([1.0])), @r"
    m.json is not a model file: unknown field `weight`, expected one of `format`, `version`, `columns`, `label`, `missing`, `classes`, `scaling`, `uncertainty`, `training`, `intercept`, `features`, `weights` at line 1 column 823
      = help: `robust-svm train` writes model files
    ");
    assert_snapshot!(changed(0, &["scaling", "kept"], json!([0, 2, 4])), @"m.json: not a valid model: `scaling`: column 4 of 4 is kept");
    assert_snapshot!(changed(0, &["scaling", "divisors"], json!([1.0, 0.0, 1.0])), @"m.json: not a valid model: `scaling`: divisors must be positive, found 0");
    assert_snapshot!(changed(0, &["columns"], json!(["a", "b", "a", "c"])), @"m.json: not a valid model: `columns`: `a` is there twice");
    assert_snapshot!(changed(0, &["classes", "positive", "labels"], json!(["-1"])), @"m.json: not a valid model: `classes`: the label `-1` is of both classes");
    assert_snapshot!(changed(0, &["uncertainty", "shape"], json!({"diagonal": [1.0]})), @"m.json: not a valid model: `uncertainty`: expected 3 scales, found 1");
    assert_snapshot!(changed(0, &["uncertainty", "shape"], json!({"full": [[1.0, 0.0, 0.0]]})), @"m.json: not a valid model: `uncertainty`: expected 3 rows of Σ^{1/2}");
    assert_snapshot!(changed(0, &["uncertainty", "norm"], json!("3")), @r"
    m.json is not a model file: unknown variant `3`, expected one of `1`, `2`, `infinity` at line 1 column 782
      = help: `robust-svm train` writes model files
    ");
    assert_snapshot!(changed(0, &["training", "gamma"], json!(-1.0)), @"m.json: not a valid model: `training`: gamma is -1");
    assert_snapshot!(changed(1, &["features", "sigma"], json!(0.0)), @"m.json: not a valid model: `features`: sigma must be positive and finite, found 0");
    assert_snapshot!(changed(1, &["features", "frequencies"], json!([[1.0, 2.0]])), @"m.json: not a valid model: `frequencies`: expected 3 numbers a row, row 1 has 2");
    assert_snapshot!(changed(4, &["features", "sigma"], json!(1.5)), @"m.json: not a valid model: `projection`: projection must be that of the landmarks' kernel matrix, found an error of 6.0e-1 in feature 1");
    assert_snapshot!(changed(5, &["features", "support_points"], json!([])), @"m.json: not a valid model: `weights`: expected 0, one a feature, found 12");
}

/// A model that would not be read is not written.
#[test]
fn a_model_that_is_not_finite_is_not_written() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("m.json");
    let mut faulty = saved(1, 0, 1.0, 3);
    let Model::Feature(model) = &mut faulty.model else {
        panic!("it has features");
    };
    model.zeta[3] = f64::NAN;
    assert!(faulty.write(&path).is_err());
    assert!(!path.exists());
    let good = saved(1, 0, 1.0, 3);
    good.write(&path).unwrap();
    let read = SavedModel::read(&path).unwrap();
    let x = raw(3, &mut ChaCha20Rng::seed_from_u64(1));
    let one = x.index_axis(Axis(0), 0).insert_axis(Axis(0));
    assert_eq!(bits(&read.decision(one)), bits(&good.decision(one)));
    let gone = SavedModel::read(&folder.path().join("no.json")).unwrap_err();
    assert!(gone.is_io());
}
