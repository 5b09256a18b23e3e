//! Which training a scratch folder is of: a line for each thing that the result follows from.

use super::solve::{epochs, tolerance};
use super::train::StreamPlan;
use crate::modelling::train::TrainPlan;
use crate::modelling::user_file::{TaskQuestion, UserFile};
use sha2::{Digest, Sha256};

/// The lines, each a name and a value. Checkpoints and progress change nothing.
pub(super) fn job(
    sha256: &str,
    file: &UserFile,
    question: &TaskQuestion<'_>,
    plan: &StreamPlan<'_>,
) -> String {
    // Debug writes each text quoted, so that no two trainings are written alike. What has a line below is left out.
    let TrainPlan { gamma, seed, .. } = plan.train;
    let others = TrainPlan {
        gamma: 0.0,
        seed: 0,
        ..plan.train.clone()
    };
    let options = format!(
        "{:?} {} {question:?} {others:?}",
        file.format, file.first_index
    );
    [
        format!("program {}", env!("ROBUST_SVM_CODE_SHA256")),
        format!("data {sha256}"),
        format!("options {:x}", Sha256::digest(options)),
        format!("--gamma {gamma}"),
        format!("--seed {seed}"),
        format!("--solver {}", plan.solver.name()),
        format!("--epochs {}", epochs(plan)),
        format!("--tolerance {}", tolerance(plan)),
    ]
    .join("\n")
}

/// What is otherwise in the training `found` than in the one that is `asked` for, in the words of a message.
pub(super) fn differences(found: &str, asked: &str) -> Vec<String> {
    let there = |name: &str| -> Option<&str> {
        let lines = found.lines().filter_map(|line| line.split_once(' '));
        let mut named = lines.filter(|(there, _)| *there == name);
        named.next().map(|(_, value)| value)
    };
    let mut differences = Vec::new();
    for (name, value) in asked.lines().filter_map(|line| line.split_once(' ')) {
        let then = there(name);
        if then == Some(value) {
            continue;
        }
        differences.push(match (name, then) {
            ("program", _) => "another version of the program".to_owned(),
            ("data", _) => "another data file".to_owned(),
            (option, Some(then)) if option.starts_with("--") => {
                format!("{option} {then} (now {value})")
            }
            _ => "other options".to_owned(),
        });
    }
    differences.dedup();
    differences
}

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn what_differs_is_named_with_its_values_where_it_has_any() {
        let found = "program a\ndata b\noptions c\n--epochs 8\n--tolerance 0.01";
        assert!(differences(found, found).is_empty());
        let asked = "program a\ndata x\noptions y\n--epochs 16\n--tolerance 0.01";
        let told = ["another data file", "other options", "--epochs 8 (now 16)"];
        assert_eq!(differences(found, asked), told);
        assert_eq!(
            differences("", "program a"),
            ["another version of the program"]
        );
    }
}
