//! The datasets of an experiment: loaded, and split once to see that they can be.

use super::{MapPlan, Parts, Plan, PlanError, Task};
use crate::data::{DataFolders, MissingPolicy, TaskSpec, load_task};
use crate::spec::Spanned;
use crate::spec::{ChooseName, DataSpec, DatasetEntry, MissingName, Spec, SpecFile};
use robust_svm_core::features::LEVERAGE_ROWS;
use robust_svm_core::seed::CellSeed;

/// The datasets of `file`'s section `[data]`, from `folders`.
pub(crate) fn load_tasks(
    file: &SpecFile,
    data: &DataSpec,
    folders: &DataFolders,
) -> Result<Vec<Task>, PlanError> {
    let entries = &data.datasets;
    let parts = Parts::check(file, data)?;
    let mut tasks: Vec<Task> = Vec::new();
    for entry in entries.get_ref() {
        let dataset = entry.get_ref();
        if tasks.iter().any(|task| task.label == dataset.label()) {
            let message = format!("dataset `{}` is there twice", dataset.label());
            let help = "give one of them another name with label = \"…\"";
            return Err(file.error_at(entry.span(), message, help).into());
        }
        let spec = task_spec(dataset, data.missing);
        tasks.push(Task {
            label: dataset.label().to_owned(),
            parts: parts.of_entry(file, dataset)?,
            loaded: load_task(&dataset.name, folders, &spec).map_err(|source| PlanError::Data {
                place: if source.is_of_the_task() {
                    place(file, entry)
                } else {
                    String::new()
                },
                source: Box::new(source),
            })?,
        });
    }
    for task in &tasks {
        let data = &task.loaded.data;
        let (rows, features) = (data.rows(), data.features());
        log::info!("dataset `{}`: {rows} rows, {features} features", task.label);
    }
    if tasks.is_empty() {
        return Err(file
            .error_at(
                entries.span(),
                "`datasets` is empty",
                "name at least one dataset",
            )
            .into());
    }
    Ok(tasks)
}

/// That no dataset of a kind without `[selection]` has a grid of its own.
pub(crate) fn refuse_grids(file: &SpecFile, data: &DataSpec) -> Result<(), PlanError> {
    for entry in data.datasets.get_ref() {
        let dataset = entry.get_ref();
        let lambda = dataset.lambda.as_ref().map(|list| ("lambda", list.span()));
        let sigma = dataset.sigma.as_ref().map(|table| ("sigma", table.span()));
        if let Some((key, span)) = lambda.or(sigma) {
            let message = format!("`{key}` of a dataset has no meaning in a study");
            let help =
                "leave it out: datasets of a study differ in missing, split, max_rows and scale";
            return Err(file.error_at(span, message, help).into());
        }
    }
    Ok(())
}

/// The place of `entry` in the experiment file, as it is written before a message.
pub(crate) fn place(file: &SpecFile, entry: &Spanned<DatasetEntry>) -> String {
    format!("{}: ", file.place(&entry.span()))
}

fn task_spec(entry: &DatasetEntry, default: MissingName) -> TaskSpec {
    TaskSpec {
        positive: entry.positive.clone(),
        negative: entry.negative.clone(),
        missing: match entry.missing.unwrap_or(default) {
            MissingName::Drop => MissingPolicy::Drop,
            MissingName::Median => MissingPolicy::Median,
            MissingName::Error => MissingPolicy::Error,
        },
    }
}

/// Makes every split once: both classes in every part, enough rows for the landmarks.
pub(super) fn check_splits(plan: &Plan, spec: &Spec) -> Result<(), PlanError> {
    let entries = spec.data.datasets.get_ref();
    for (task, entry) in plan.tasks.iter().zip(entries) {
        for repeat in 0..plan.repeats {
            let seeds = CellSeed::new(plan.seed, &task.label, repeat);
            let split = task.split(&seeds).map_err(|source| PlanError::Split {
                place: place(&plan.file, entry),
                dataset: task.label.clone(),
                repeat,
                source,
            })?;
            check_landmarks(plan, spec, &task.label, split.train.len())?;
        }
    }
    Ok(())
}

fn check_landmarks(plan: &Plan, spec: &Spec, dataset: &str, train: usize) -> Result<(), PlanError> {
    for (method, written) in plan.methods.iter().zip(spec.method.get_ref()) {
        let MapPlan::Nystrom { landmarks, choose } = &method.map else {
            continue;
        };
        if method.max_train_rows.is_some_and(|limit| train > limit) {
            continue;
        }
        let features = &written.get_ref().features;
        if *choose == ChooseName::Leverage && train > LEVERAGE_ROWS {
            let span = features.choose.as_ref().map_or(0..0, Spanned::span);
            let message = format!(
                "leverage scores are for at most {LEVERAGE_ROWS} training rows, and dataset \
                 `{dataset}` has {train}"
            );
            let help = format!(
                "write choose = \"k-means\", or [data] max_rows with train at most {LEVERAGE_ROWS}"
            );
            return Err(plan.file.error_at(span, message, help).into());
        }
        let most = *landmarks.last().expect("sizes are not empty");
        if most > train {
            let span = features.landmarks.as_ref().map_or(0..0, Spanned::span);
            let message =
                format!("{most} landmarks, and dataset `{dataset}` has {train} training rows");
            let help = format!(
                "landmarks are training rows: use at most {train}, or leave the dataset out"
            );
            return Err(plan.file.error_at(span, message, help).into());
        }
    }
    Ok(())
}
