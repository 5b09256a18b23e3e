//! The command lines that compute cells again.

use crate::plan::{PlannedCell, escaped};
use crate::run::Experiment;
use std::path::Path;

/// The axes that others decide.
const DERIVED: [&str; 1] = ["train_level"];

/// The command line that computes `cells`, and maybe others beside them, into a new folder named after `results` and
/// `tag`: those of `all` that have a value of theirs on every axis. `None` where there is no cell.
pub(crate) fn run_command<'a>(
    results: &Path,
    cells: &[&PlannedCell],
    all: impl Iterator<Item = &'a PlannedCell>,
    tag: &str,
) -> Option<String> {
    let all: Vec<&PlannedCell> = all.collect();
    let mut only = Vec::new();
    for (index, (axis, _)) in cells.first()?.axes.iter().enumerate() {
        if DERIVED.contains(axis) {
            continue;
        }
        let values = distinct(cells, index);
        if values.len() < distinct(&all, index).len() || cells.len() == 1 {
            only.extend(
                values
                    .iter()
                    .map(|value| format!("{axis}={}", escaped(value))),
            );
        }
    }
    let folder = results.display().to_string();
    let folder = folder.trim_end_matches('/');
    let only = match only[..] {
        [] => String::new(),
        _ => format!(" --only {}", quoted(&only.join(","))),
    };
    let file = quoted(&format!("{folder}/experiment.toml"));
    let out = quoted(&format!("{folder}-{tag}"));
    Some(format!("robust-svm run {file}{only} --out {out}"))
}

/// `command` with what cells that are measured themselves are run with.
pub(crate) fn isolated<E: Experiment>(command: String, experiment: &E) -> String {
    if experiment.measures_processes() {
        command + " --isolate"
    } else {
        command
    }
}

/// The command line that computes `cells` again and compares them with what is stored.
pub(crate) fn verify_command(results: &Path, cells: &[&PlannedCell]) -> String {
    let ids = cells.iter().map(|cell| format!(" --id {}", cell.id));
    let folder = quoted(&results.display().to_string());
    format!("robust-svm verify {folder}{}", ids.collect::<String>())
}

/// The values of the axis with `index`, each once, in the order of the cells.
fn distinct<'a>(cells: &[&'a PlannedCell], index: usize) -> Vec<&'a str> {
    let mut values = Vec::new();
    for cell in cells {
        let value = cell.axes.get(index).map_or("", |(_, value)| value.as_str());
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// `text` as one word of a shell.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::{quoted, run_command, verify_command};
    use crate::plan::PlannedCell;
    use std::path::Path;

    fn cell(dataset: &str, level: &str, repeat: &str) -> PlannedCell {
        PlannedCell {
            id: format!("{dataset}{level}{repeat}"),
            axes: vec![
                ("dataset", dataset.to_owned()),
                ("level", level.to_owned()),
                ("train_level", level.to_owned()),
                ("repeat", repeat.to_owned()),
            ],
        }
    }

    #[test]
    fn a_cell_is_asked_for_by_its_axes() {
        let all = [cell("wine", "0.5", "0"), cell("my data", "0.5", "0")];
        let of =
            |cell: &PlannedCell| run_command(Path::new("results/x/"), &[cell], all.iter(), "t");
        assert_eq!(
            of(&all[0]).unwrap(),
            "robust-svm run results/x/experiment.toml --only dataset=wine,level=0.5,repeat=0 --out results/x-t"
        );
        assert_eq!(
            of(&all[1]).unwrap(),
            "robust-svm run results/x/experiment.toml --only 'dataset=my data,level=0.5,repeat=0' --out results/x-t"
        );
        assert_eq!(
            of(&cell("a,b", "1", "0")).unwrap(),
            r"robust-svm run results/x/experiment.toml --only 'dataset=a\,b,level=1,repeat=0' --out results/x-t"
        );
        let verify = verify_command(Path::new("results/x"), &[&all[0]]);
        assert_eq!(verify, "robust-svm verify results/x --id wine0.50");
    }

    #[test]
    fn axes_that_all_cells_share_are_left_out() {
        let mut all = Vec::new();
        for dataset in ["wine", "iris"] {
            for level in ["0", "1"] {
                all.extend(["0", "1"].map(|repeat| cell(dataset, level, repeat)));
            }
        }
        let command = run_command(Path::new("r"), &[&all[0], &all[1]], all.iter(), "t");
        let expected = "robust-svm run r/experiment.toml --only dataset=wine,level=0 --out r-t";
        assert_eq!(command.as_deref(), Some(expected));
        let every: Vec<&PlannedCell> = all.iter().collect();
        let command = run_command(Path::new("r"), &every, all.iter(), "t");
        let expected = "robust-svm run r/experiment.toml --out r-t";
        assert_eq!(command.as_deref(), Some(expected));
    }

    #[test]
    fn words_are_words_of_a_shell() {
        assert_eq!(quoted("a-b/c.toml"), "a-b/c.toml");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("$HOME"), "'$HOME'");
    }
}
