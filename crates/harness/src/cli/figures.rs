//! `robust-svm figures`.

use super::args::{Arguments, Command, RunArguments};
use super::exit::{Ended, Exit, plan_error, spec_error, store_error, views_error};
use super::output::OutputFormat;
use super::run::run;
use super::say::{say, say_json};
use crate::data::DataFolders;
use crate::figures::{self, RffToy, UncertainPlane};
use crate::plan::{Plan, plan};
use crate::plot::{PaperFigure, PlaneFigure, Plot, PlotError, write_into};
use crate::spec::SpecFile;
use crate::store::{CellRow, Cells, Record};
use crate::study::{bound_tightness, safe_ellipsoid};
use crate::views::{Viewed as _, axes};
use clap::{Args, Parser as _, ValueEnum};
use serde::Serialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Examples:
  robust-svm figures
  robust-svm figures rff-toy noise --out paper/figures
  robust-svm figures --list

Experiments are read from ./experiments, and run or continued in ./results as `robust-svm run` does, tables and
plots included. Each figure is written as .svg, .png and .pdf.";

#[derive(Debug, Args)]
pub(super) struct FiguresArguments {
    /// The figures [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<FigureName>,
    /// Where they are written, a folder that is made if need be
    #[arg(long, value_name = "DIR", default_value = "results/figures")]
    out: PathBuf,
    /// List the figures, and make none
    #[arg(long)]
    list: bool,
    /// Worker threads of experiments [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Say nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// A figure that can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FigureName {
    RffToy,
    Noise,
    Certificates,
    BoundTightness,
    SafeEllipsoid,
    NgeuUncertainty,
}

impl FigureName {
    fn name(self) -> &'static str {
        match self {
            Self::RffToy => "rff-toy",
            Self::Noise => "noise",
            Self::Certificates => "certificates",
            Self::BoundTightness => "bound-tightness",
            Self::SafeEllipsoid => "safe-ellipsoid",
            Self::NgeuUncertainty => "ngeu-uncertainty",
        }
    }

    fn shows(self) -> &'static str {
        match self {
            Self::RffToy => "points that no line separates, and their features, which one does",
            Self::Noise => "accuracy and robust error against noise",
            Self::Certificates => {
                "the robust error between attack and certificate, and the paper's bound"
            }
            Self::BoundTightness => "bounds over the largest movement of features found",
            Self::SafeEllipsoid => "the volume of the safe SVM's ellipsoid against noise",
            Self::NgeuUncertainty => "what graph embedding projects uncertain points on",
        }
    }

    /// The experiment whose rows it shows.
    fn experiment(self) -> Option<&'static str> {
        match self {
            Self::RffToy | Self::NgeuUncertainty => None,
            Self::Noise => Some("noise-grid"),
            Self::Certificates => Some("certificates"),
            Self::BoundTightness => Some("bound-tightness"),
            Self::SafeEllipsoid => Some("safe-svm"),
        }
    }
}

/// What the command says as JSON.
#[derive(Serialize)]
struct FiguresObject<T> {
    command: &'static str,
    figures: Vec<T>,
}

/// A figure that can be made.
#[derive(Serialize)]
struct Listed {
    figure: &'static str,
    shows: &'static str,
    /// The experiment whose rows it shows; none where it is made from a seed.
    experiment: Option<&'static str>,
}

/// A figure that was asked for.
#[derive(Serialize)]
struct Made {
    figure: &'static str,
    files: Vec<PathBuf>,
    /// Why there are none.
    error: Option<String>,
}

/// Makes the figures asked for; one that cannot be made says so, and the others go on.
pub(super) fn figures(arguments: &FiguresArguments, format: OutputFormat) -> Result<Exit, Ended> {
    if arguments.list {
        if format == OutputFormat::Json {
            let figures = FigureName::value_variants().iter().map(|figure| Listed {
                figure: figure.name(),
                shows: figure.shows(),
                experiment: figure.experiment(),
            });
            say_json(&FiguresObject {
                command: "figures",
                figures: figures.collect(),
            })?;
            return Ok(Exit::Ok);
        }
        for figure in FigureName::value_variants() {
            let from = figure.experiment();
            let from = from.map_or("a seed".to_owned(), |name| {
                format!("experiments/{name}.toml")
            });
            say(format!(
                "{:<16} {} (from {from})",
                figure.name(),
                figure.shows()
            ))?;
        }
        return Ok(Exit::Ok);
    }
    let wanted = match arguments.names.as_slice() {
        [] => FigureName::value_variants(),
        names => names,
    };
    let is_json = format == OutputFormat::Json;
    let quiet = arguments.quiet || is_json;
    let mut exit = Exit::Ok;
    let mut all_made = Vec::new();
    for (index, &figure) in wanted.iter().enumerate() {
        if !quiet {
            eprintln!(
                "figure {} of {}: {}",
                index + 1,
                wanted.len(),
                figure.name()
            );
        }
        let (files, error) = match make(figure, arguments, quiet) {
            Ok(files) => (files, None),
            Err(ended) => (Vec::new(), Some(ended.message)),
        };
        let name = figure.name();
        match &error {
            None if quiet => {}
            None => {
                let place = arguments.out.join(name);
                eprintln!("wrote {}.svg, .png and .pdf", place.display());
            }
            Some(message) => {
                if !is_json {
                    eprintln!("error: figure {name} is not made: {message}");
                }
                exit = Exit::SomeCellsFailed;
            }
        }
        all_made.push(Made {
            figure: name,
            files,
            error,
        });
    }
    if is_json {
        say_json(&FiguresObject {
            command: "figures",
            figures: all_made,
        })?;
    }
    Ok(exit)
}

/// Makes one figure; its files.
fn make(
    figure: FigureName,
    arguments: &FiguresArguments,
    quiet: bool,
) -> Result<Vec<PathBuf>, Ended> {
    let Some(experiment) = figure.experiment() else {
        let (drawing, told) = from_seed(figure)?;
        if !quiet {
            eprintln!("{told}");
        }
        return write(arguments, &Plot::of_plane(figure.name(), drawing));
    };
    let file = PathBuf::from("experiments").join(format!("{experiment}.toml"));
    let results = PathBuf::from("results").join(experiment);
    let ended = run(
        &run_arguments(&file, &results, arguments.threads, quiet),
        OutputFormat::Text,
    )?;
    if !matches!(ended, Exit::Ok | Exit::SomeCellsFailed) {
        let message = format!("{} has no cell with numbers", file.display());
        return Err(Ended::new(Exit::NothingMeasured, message));
    }
    let drawing = drawing(figure, &file, &results)?.ok_or_else(|| {
        let message = format!(
            "{} has none of the datasets and methods that it shows",
            file.display()
        );
        Ended::new(Exit::BadInput, message)
    })?;
    write(arguments, &Plot::of_paper(figure.name(), drawing))
}

/// A figure that no experiment is run for, and what is told of it.
fn from_seed(figure: FigureName) -> Result<(PlaneFigure, String), Ended> {
    let internal = |error: &dyn std::fmt::Display| Ended::new(Exit::Internal, error.to_string());
    if matches!(figure, FigureName::NgeuUncertainty) {
        let plane = UncertainPlane::new(figures::NGEU_SEED).map_err(|error| internal(&error))?;
        let [lda, mfa] = [&plane.lda, &plane.mfa].map(figures::GraphDirections::turned);
        let told = format!(
            "seed {}: uncertainty turns the direction by {lda:.0}° with the graph of LDA, by {mfa:.0}° with MFA's",
            figures::NGEU_SEED,
        );
        return Ok((figures::ngeu_drawing(&plane), told));
    }
    let toy = RffToy::new(figures::SEED).map_err(|error| internal(&error))?;
    let told = format!(
        "seed {}: the line keeps a margin of {:.2} from every set (gap {})",
        figures::SEED,
        toy.robust_margin(),
        toy.relative_gap
    );
    Ok((figures::drawing(&toy), told))
}

/// `robust-svm run` on `file` into `results`.
fn run_arguments(file: &Path, results: &Path, threads: Option<u16>, quiet: bool) -> RunArguments {
    let mut words: Vec<OsString> = vec!["robust-svm".into(), "run".into(), file.into()];
    words.extend(["--out".into(), results.into()]);
    if let Some(threads) = threads {
        words.extend(["--threads".into(), threads.to_string().into()]);
    }
    if quiet {
        words.push("--quiet".into());
    }
    match Arguments::parse_from(words).command {
        Command::Run(run) => *run,
        other => unreachable!("`run` was written, not {other:?}"),
    }
}

/// The figure from the rows of its experiment, which is complete.
fn drawing(figure: FigureName, file: &Path, results: &Path) -> Result<Option<PaperFigure>, Ended> {
    let folders = DataFolders::from_env();
    let file = SpecFile::read(file).map_err(spec_error)?;
    let classification = |file| -> Result<(Plan, Vec<CellRow>), Ended> {
        let plan = plan(file, &folders).map_err(plan_error)?;
        Ok((plan, cells(results)?.rows().map_err(store_error)?))
    };
    Ok(match figure {
        FigureName::RffToy | FigureName::NgeuUncertainty => None,
        FigureName::Noise => {
            let (plan, rows) = classification(file)?;
            figures::noise(&rows, &axes(&plan))
        }
        FigureName::Certificates => {
            let (plan, rows) = classification(file)?;
            figures::certificates(&rows, &axes(&plan))
        }
        FigureName::BoundTightness => {
            let plan = bound_tightness::plan(file, &folders).map_err(plan_error)?;
            let views = plan.views(&cells(results)?).map_err(views_error)?;
            figures::tightness(views.plots)
        }
        FigureName::SafeEllipsoid => {
            let plan = safe_ellipsoid::plan(file, &folders).map_err(plan_error)?;
            let views = plan.views(&cells(results)?).map_err(views_error)?;
            figures::safe_ellipsoid(views.plots)
        }
    })
}

fn cells<R: Record>(results: &Path) -> Result<Cells<R>, Ended> {
    Cells::open(&results.join("cells.parquet")).map_err(store_error)
}

/// Writes the figure in its three forms; the files.
fn write(arguments: &FiguresArguments, plot: &Plot) -> Result<Vec<PathBuf>, Ended> {
    let written = write_into(&arguments.out, plot);
    written.map_err(|error: PlotError| Ended::new(Exit::InputOutput, error))
}
