//! The figures of a run.

use crate::support::{DATASETS, METHODS, axes, names, run, summarise};
use robust_svm_harness::plot::{Plot, PlotError, classification_plots};
use robust_svm_harness::stats::{Axes, LevelUnit};
use robust_svm_harness::store::{CellRow, Status};
use std::path::Path;

const FIGURES: [&str; 3] = ["accuracy", "noisy_accuracy", "robust_error"];

/// The figures' bytes, by name.
fn written(rows: &[CellRow], axes: &Axes) -> Vec<(String, Vec<u8>)> {
    let plots = classification_plots(&summarise(rows, axes), axes).unwrap();
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for plot in plots {
        let name = plot.name();
        files.push((format!("{name}.svg"), plot.svg().unwrap().into_bytes()));
        files.push((format!("{name}.png"), plot.png().unwrap()));
        files.push((format!("{name}.pdf"), plot.pdf().unwrap()));
    }
    files.sort();
    files
}

fn is_svg(name: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|ending| ending == "svg")
}

fn texts(svg: &[u8]) -> (String, Vec<String>) {
    let svg = std::str::from_utf8(svg).unwrap();
    let document = roxmltree::Document::parse(svg).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    let size = format!(
        "{}x{}",
        root.attribute("width").unwrap(),
        root.attribute("height").unwrap()
    );
    let nodes = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    let texts = nodes
        .filter_map(|node| node.text())
        .map(|text| text.trim().to_owned());
    (size, texts.collect())
}

fn png_size(png: &[u8]) -> (u32, u32) {
    let mut reader = png::Decoder::new(png).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let dark = pixels.iter().filter(|&&value| value < 0x60).count();
    assert!(
        dark > 1000,
        "a figure has lines and text, {dark} dark values"
    );
    (info.width, info.height)
}

#[test]
fn every_dataset_method_and_level_is_named_in_every_figure() {
    let axes = axes(8);
    let files = written(&run(&axes, 3), &axes);
    let expected: Vec<String> = FIGURES
        .iter()
        .flat_map(|name| ["pdf", "png", "svg"].map(|end| format!("{name}.{end}")))
        .collect();
    assert_eq!(
        files
            .iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>(),
        expected
    );
    for formats in files.chunks(3) {
        let [(_, pdf), (_, png), (name, svg)] = formats else {
            panic!("three of each")
        };
        assert!(pdf.starts_with(b"%PDF"), "{name}");
        let (size, texts) = texts(svg);
        for wanted in DATASETS[..8]
            .iter()
            .chain(&METHODS)
            .chain(&["0.5", "level γ (standard deviations)"])
        {
            assert!(
                texts.iter().any(|text| text == wanted),
                "{name} lacks {wanted}"
            );
        }
        let (width, height) = png_size(png);
        assert_eq!(size, format!("{}x{}", width / 2, height / 2), "{name}");
        assert_eq!(width, 1920);
    }
}

/// [`run`] with the paper's bound of some methods, 30 points above the certificate.
fn with_paper(axes: &Axes) -> Vec<CellRow> {
    let mut rows = run(axes, 2);
    for row in rows.iter_mut().filter(|row| row.method.ends_with("rff")) {
        let m = row.measurement.as_mut().unwrap();
        m.paper_certified_error = Some((m.certified_error + 0.3).min(1.0));
    }
    rows
}

#[test]
fn certificates_are_drawn_where_the_paper_has_one() {
    let axes = Axes {
        levels: vec![0.0, 0.1],
        ..axes(2)
    };
    let without = written(&run(&axes, 2), &axes);
    assert!(
        without
            .iter()
            .all(|(name, _)| !name.starts_with("certificates"))
    );
    let files = written(&with_paper(&axes), &axes);
    let (_, svg) = files
        .iter()
        .find(|(name, _)| name == "certificates.svg")
        .expect("a figure of the certificates");
    let texts = texts(svg).1;
    for wanted in [
        "certified by the paper's bounds",
        "certified",
        "shown by an attack",
    ] {
        assert!(
            texts.iter().any(|text| text == wanted),
            "no {wanted} in {texts:?}"
        );
    }
    // Dashes reach higher than anything else: the axis has the room.
    let top = |svg: &[u8]| {
        let marks = self::texts(svg).1;
        marks
            .iter()
            .filter_map(|text| text.parse::<f64>().ok())
            .fold(0.0, f64::max)
    };
    let of = |wanted: &str| &files.iter().find(|(name, _)| name == wanted).unwrap().1;
    assert!(top(of("certificates.svg")) > top(of("robust_error.svg")));
    // The other figures are as without.
    for (name, bytes) in &without {
        assert!(of(name) == bytes, "{name}");
    }
}

/// A paper's certificate that is the certificate, as that of linear models, has no line of its own.
#[test]
fn a_reference_that_is_the_line_is_not_drawn_twice() {
    let mut axes = axes(1);
    axes.methods = names(&["linear"]);
    let mut rows = run(&axes, 1);
    let strokes = |rows: &[CellRow]| {
        let files = written(rows, &axes);
        let svg = files
            .into_iter()
            .find(|(name, _)| name == "certificates.svg")
            .unwrap()
            .1;
        String::from_utf8(svg).unwrap().matches("<polyline").count()
    };
    let set = |rows: &mut Vec<CellRow>, above: f64| {
        for m in rows.iter_mut().filter_map(|row| row.measurement.as_mut()) {
            m.paper_certified_error = Some((m.certified_error + above).min(1.0));
        }
    };
    set(&mut rows, 0.0);
    let equal = strokes(&rows);
    set(&mut rows, 0.2);
    assert!(strokes(&rows) > equal + 10);
}

#[test]
fn the_same_rows_in_any_order_give_the_same_bytes() {
    let axes = axes(3);
    let rows = run(&axes, 3);
    let mut reversed = rows.clone();
    reversed.reverse();
    assert!(written(&rows, &axes) == written(&reversed, &axes));
}

#[test]
fn a_method_without_results_has_no_curve_and_the_figure_says_so() {
    let axes = axes(2);
    let mut rows = run(&axes, 2);
    for row in rows.iter_mut().filter(|row| row.method == "robust-rff") {
        row.status = Status::Failed;
        row.measurement = None;
    }
    let complete = written(&run(&axes, 2), &axes);
    for ((name, svg), (_, complete)) in written(&rows, &axes).iter().zip(&complete) {
        if is_svg(name) {
            let note = texts(svg).1.join(" ");
            assert!(note.contains("without 20 of 140 cells"), "{name}: {note}");
            // Vermillion: the legend's is left, ten markers and two lines are not.
            let drawn = |svg: &[u8]| String::from_utf8_lossy(svg).matches("#D55E00").count();
            assert!(drawn(svg) + 12 <= drawn(complete), "{name}");
        }
    }
}

/// Title and caption can be had beside the drawing, and are those in it.
#[test]
fn figures_say_what_they_show() {
    let axes = axes(2);
    let plots = classification_plots(&summarise(&run(&axes, 2), &axes), &axes).unwrap();
    assert_eq!(plots.iter().map(Plot::name).collect::<Vec<_>>(), FIGURES);
    for plot in plots {
        let drawn = texts(plot.svg().unwrap().as_bytes()).1.join(" ");
        assert!(!plot.title().is_empty() && drawn.contains(plot.title()));
        assert!(!plot.caption().is_empty() && drawn.contains(plot.caption()));
    }
}

#[test]
fn small_and_empty_runs_are_drawn() {
    let one = Axes {
        unit: LevelUnit::StandardDeviation,
        datasets: names(&[
            "a dataset with a name that is far too long for the width of its own panel & <more>",
        ]),
        methods: names(&["only"]),
        levels: vec![0.3],
        robust: Vec::new(),
    };
    for rows in [run(&one, 1), Vec::new()] {
        let files = written(&rows, &one);
        for formats in files.chunks(3) {
            let [(_, pdf), (_, png), (name, svg)] = formats else {
                panic!("three of each")
            };
            assert!(pdf.starts_with(b"%PDF"), "{name}");
            assert!(png_size(png).0 > 0);
            let texts = texts(svg).1;
            assert!(texts.contains(&one.datasets[0]), "{name}");
            assert_eq!(
                texts.iter().any(|text| text == "no result"),
                rows.is_empty(),
                "{name}"
            );
        }
    }
}

#[test]
fn ten_unpaired_methods_and_unsorted_levels_are_drawn() {
    let methods: Vec<String> = (0..10).map(|m| format!("method-{m}")).collect();
    let axes = Axes {
        unit: LevelUnit::StandardDeviation,
        datasets: names(&DATASETS[..2]),
        methods,
        levels: vec![1.0, 0.0, 0.05, 0.1],
        robust: Vec::new(),
    };
    let files = written(&run(&axes, 2), &axes);
    for (_, svg) in files.iter().filter(|(name, _)| is_svg(name)) {
        let texts = texts(svg).1;
        assert!(
            axes.methods
                .iter()
                .chain(&axes.datasets)
                .all(|name| texts.contains(name))
        );
        let last = |label: &str| texts.iter().rposition(|text| text == label);
        assert!(last("0") < last("1"), "levels ascend");
    }
}

#[test]
fn axes_that_cannot_be_drawn_are_refused() {
    let refused = |axes: &Axes| classification_plots(&summarise(&[], axes), axes).unwrap_err();
    let mut none = axes(2);
    none.methods.clear();
    let error = refused(&none);
    assert!(matches!(
        error,
        PlotError::EmptyAxes {
            datasets: 2,
            methods: 0,
            levels: 5
        }
    ));
    let mut infinite = axes(2);
    infinite.levels.push(f64::INFINITY);
    let error = refused(&infinite);
    assert!(matches!(error, PlotError::Level(level) if level.is_infinite()));
}
