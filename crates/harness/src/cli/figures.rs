//! `robust-svm figures`.

use super::args::{Arguments, Command, RunArguments};
use super::exit::{Ended, Exit, plan_error, spec_error, store_error, views_error};
use super::output::OutputFormat;
use super::run::run;
use super::say::say;
use crate::data::DataFolders;
use crate::figures::{self, RffToy};
use crate::plan::{Plan, plan};
use crate::plot::{PaperFigure, Plot, PlotError, write_into};
use crate::spec::SpecFile;
use crate::store::{CellRow, Record, read_cells};
use crate::study::{bound_tightness, safe_ellipsoid};
use crate::views::{Viewed as _, axes};
use clap::{Args, Parser as _, ValueEnum};
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
    /// Where they are written
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
}

impl FigureName {
    fn name(self) -> &'static str {
        match self {
            Self::RffToy => "rff-toy",
            Self::Noise => "noise",
            Self::Certificates => "certificates",
            Self::BoundTightness => "bound-tightness",
            Self::SafeEllipsoid => "safe-ellipsoid",
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
        }
    }

    /// The experiment whose rows it shows.
    fn experiment(self) -> Option<&'static str> {
        match self {
            Self::RffToy => None,
            Self::Noise => Some("noise-grid"),
            Self::Certificates => Some("certificates"),
            Self::BoundTightness => Some("bound-tightness"),
            Self::SafeEllipsoid => Some("safe-svm"),
        }
    }
}

/// Makes the figures asked for; one that cannot be made says so, and the others go on.
pub(super) fn figures(arguments: &FiguresArguments) -> Result<Exit, Ended> {
    if arguments.list {
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
    let mut exit = Exit::Ok;
    for (index, &figure) in wanted.iter().enumerate() {
        if !arguments.quiet {
            eprintln!(
                "figure {} of {}: {}",
                index + 1,
                wanted.len(),
                figure.name()
            );
        }
        match make(figure, arguments) {
            Ok(()) if arguments.quiet => {}
            Ok(()) => {
                let place = arguments.out.join(figure.name());
                eprintln!("wrote {}.svg, .png and .pdf", place.display());
            }
            Err(ended) => {
                eprintln!(
                    "error: figure {} is not made: {}",
                    figure.name(),
                    ended.message
                );
                exit = Exit::SomeCellsFailed;
            }
        }
    }
    Ok(exit)
}

fn make(figure: FigureName, arguments: &FiguresArguments) -> Result<(), Ended> {
    let Some(experiment) = figure.experiment() else {
        let toy = RffToy::new(figures::SEED).map_err(|error| Ended::new(Exit::Internal, error))?;
        let drawing = figures::drawing(&toy);
        if !arguments.quiet {
            eprintln!(
                "seed {}: the line keeps a margin of {:.2} from every set (gap {})",
                figures::SEED,
                toy.robust_margin(),
                toy.relative_gap
            );
        }
        return write(arguments, &Plot::of_plane(figure.name(), drawing));
    };
    let file = PathBuf::from("experiments").join(format!("{experiment}.toml"));
    let results = PathBuf::from("results").join(experiment);
    let ended = run(
        &run_arguments(&file, &results, arguments),
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

/// `robust-svm run` on `file` into `results`, as `arguments` say.
fn run_arguments(file: &Path, results: &Path, arguments: &FiguresArguments) -> RunArguments {
    let mut words: Vec<OsString> = vec!["robust-svm".into(), "run".into(), file.into()];
    words.extend(["--out".into(), results.into()]);
    if let Some(threads) = arguments.threads {
        words.extend(["--threads".into(), threads.to_string().into()]);
    }
    if arguments.quiet {
        words.push("--quiet".into());
    }
    match Arguments::parse_from(words).command {
        Command::Run(run) => run,
        other => unreachable!("`run` was written, not {other:?}"),
    }
}

/// The figure from the rows of its experiment, which is complete.
fn drawing(figure: FigureName, file: &Path, results: &Path) -> Result<Option<PaperFigure>, Ended> {
    let folders = DataFolders::from_env();
    let file = SpecFile::read(file).map_err(spec_error)?;
    let classification = |file| -> Result<(Plan, Vec<CellRow>), Ended> {
        let plan = plan(file, &folders).map_err(plan_error)?;
        Ok((plan, rows(results)?))
    };
    Ok(match figure {
        FigureName::RffToy => None,
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
            let views = plan.views(&rows(results)?).map_err(views_error)?;
            figures::tightness(views.plots)
        }
        FigureName::SafeEllipsoid => {
            let plan = safe_ellipsoid::plan(file, &folders).map_err(plan_error)?;
            let views = plan.views(&rows(results)?).map_err(views_error)?;
            figures::safe_ellipsoid(views.plots)
        }
    })
}

fn rows<R: Record>(results: &Path) -> Result<Vec<R>, Ended> {
    read_cells(&results.join("cells.parquet")).map_err(store_error)
}

fn write(arguments: &FiguresArguments, plot: &Plot) -> Result<(), Ended> {
    let written = write_into(&arguments.out, plot);
    written.map_err(|error: PlotError| Ended::new(Exit::InputOutput, error))?;
    Ok(())
}
