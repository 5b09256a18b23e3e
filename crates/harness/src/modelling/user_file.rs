//! Data files without a manifest, as the commands that train and use models take them.

use crate::data::{
    AskedBy, Cells, DataError, DataFile, Format, LoadedTask, Manifest, MissingPolicy, Table,
    TaskSpec, Wanted, WantedFeatures, binary_task, check_columns,
};
use crate::model_file::{ClassSide, Classes};
use crate::source_error::nearest_name;
use sha2::{Digest, Sha256};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A data file and how it is read.
#[derive(Debug, Clone)]
pub(crate) struct UserFile {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    /// LIBSVM files: the index of the first feature, 0 or 1.
    pub(crate) first_index: usize,
}

/// What is asked of a file: to tell the labels `positive` of the column `label` from the others; where none are given
/// and there are two, the last of them, in the order of numbers or of the alphabet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TaskQuestion<'a> {
    pub(crate) label: &'a str,
    pub(crate) positive: &'a [String],
    /// Columns that are no features.
    pub(crate) ignored: &'a [String],
    pub(crate) missing: MissingPolicy,
}

/// The binary task of a file.
#[derive(Debug)]
pub(crate) struct UserTask {
    pub(crate) task: LoadedTask,
    pub(crate) classes: Classes,
    /// The label's column.
    pub(crate) label: String,
    /// What became of missing values.
    pub(crate) missing: MissingPolicy,
    /// SHA-256 of the file's bytes, in hexadecimal digits.
    pub(crate) sha256: String,
}

impl UserFile {
    /// The file `path`, in the format `given` or the one its name says.
    ///
    /// # Errors
    /// [`DataError::UnknownFormat`] if neither says it.
    pub(crate) fn new(
        path: &Path,
        given: Option<Format>,
        first_index: usize,
    ) -> Result<Self, DataError> {
        let extension = path.extension().and_then(OsStr::to_str);
        let named = match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => Some(Format::Csv),
            Some("parquet" | "pq") => Some(Format::Parquet),
            Some("svm" | "libsvm" | "svmlight") => Some(Format::Svmlight),
            _ => None,
        };
        let path = path.to_owned();
        match given.or(named) {
            Some(format) => Ok(Self {
                path,
                format,
                first_index,
            }),
            None => Err(DataError::UnknownFormat { path }),
        }
    }

    /// That the columns asked for are there, as far as the file's header tells.
    ///
    /// # Errors
    /// A [`DataError`] with the column that is not.
    pub(crate) fn check_columns(&self, question: &TaskQuestion<'_>) -> Result<(), DataError> {
        check_columns(&self.path, self.format, &self.wanted(question))
    }

    /// The task asked for.
    ///
    /// # Errors
    /// A [`DataError`] with the place of what is wrong.
    pub(crate) fn task(&self, question: &TaskQuestion<'_>) -> Result<UserTask, DataError> {
        let (label, ignored, missing) = (question.label, question.ignored, question.missing);
        let (cells, sha256) = self.cells(&self.wanted(question))?;
        let written = labels(&self.path, &cells, label)?;
        let classes = sorted_labels(&written);
        let sides = self.classes(question, classes.iter().cloned())?;
        let numbers: BTreeMap<&str, i64> = classes.iter().map(String::as_str).zip(0..).collect();
        let numbers = written.iter().map(|text| numbers[text.as_str()]);
        let table = Table {
            path: self.path.clone(),
            unit: cells.unit,
            columns: cells.columns,
            values: cells.values,
            labels: numbers.collect(),
        };
        let labels = classes.clone();
        let manifest = Manifest::of_file(&self.path, self.format, label, ignored, labels);
        let file = DataFile {
            manifest,
            table,
            sha256,
        };
        let spec = TaskSpec {
            positive: Some(sides.positive.labels.clone()),
            negative: None,
            missing,
        };
        Ok(UserTask {
            task: binary_task(&file, &spec).map_err(in_options)?,
            classes: sides,
            label: label.to_owned(),
            missing,
            sha256: file.sha256,
        })
    }

    /// What is read of the file.
    pub(super) fn wanted<'a>(&self, question: &TaskQuestion<'a>) -> Wanted<'a> {
        Wanted {
            label: Some(question.label),
            label_may_lack: false,
            features: WantedFeatures::AllBut(question.ignored),
            asked_by: AskedBy::Options,
            first_index: self.first_index,
            width: None,
        }
    }

    /// The classes of a file with these different `labels`.
    ///
    /// # Errors
    /// A [`DataError`] if they are not two and none is named positive, or one that is named is not there.
    pub(super) fn classes(
        &self,
        question: &TaskQuestion<'_>,
        labels: impl IntoIterator<Item = String>,
    ) -> Result<Classes, DataError> {
        let classes = sorted(labels);
        let column = question.label.to_owned();
        if question.positive.is_empty() && classes.len() > 2 {
            return Err(DataError::ManyClasses {
                path: self.path.clone(),
                column,
                classes,
            });
        }
        if let [class] = classes.as_slice() {
            return Err(DataError::OneLabel {
                path: self.path.clone(),
                column,
                class: class.clone(),
            });
        }
        let positive = if question.positive.is_empty() {
            vec![classes[1].clone()]
        } else {
            self.known(question.positive, &classes)?
        };
        Ok(sides(&classes, &positive))
    }

    /// The labels `given`, each once; an error if one is not among `classes`.
    fn known(&self, given: &[String], classes: &[String]) -> Result<Vec<String>, DataError> {
        let mut known: Vec<String> = Vec::new();
        for text in given {
            let label = Classes::label(text);
            if !classes.contains(&label) {
                let near = nearest_name(&label, classes.iter().map(String::as_str));
                return Err(DataError::UnknownClass {
                    dataset: self.path.display().to_string(),
                    class: text.clone(),
                    side: "positive",
                    near: near.map(str::to_owned),
                    classes: classes.to_vec(),
                });
            }
            if !known.contains(&label) {
                known.push(label);
            }
        }
        Ok(known)
    }

    /// What is wanted of the file, and SHA-256 of its bytes.
    fn cells(&self, wanted: &Wanted<'_>) -> Result<(Cells, String), DataError> {
        let bytes = std::fs::read(&self.path).map_err(|source| DataError::Io {
            path: self.path.clone(),
            source,
        })?;
        let cells = Cells::read(&self.path, &bytes, self.format, wanted)?;
        Ok((cells, format!("{:x}", Sha256::digest(&bytes))))
    }
}

/// The labels in `cells` as they are compared.
fn labels(path: &Path, cells: &Cells, column: &str) -> Result<Vec<String>, DataError> {
    let texts = cells.labels.iter().flatten();
    let labels: Vec<String> = texts
        .map(|text| text.as_deref().map(Classes::label).unwrap_or_default())
        .collect();
    let Some(empty) = labels.iter().position(String::is_empty) else {
        return Ok(labels);
    };
    let others: Vec<String> = labels.into_iter().filter(|l| !l.is_empty()).collect();
    Err(DataError::Label {
        path: path.to_owned(),
        place: cells.unit.place(empty),
        column: column.to_owned(),
        found: "an empty cell".to_owned(),
        expected: sorted_labels(&others).join(", "),
    })
}

/// The different labels: numbers first, in their order, then texts, in the alphabet's.
fn sorted_labels(written: &[String]) -> Vec<String> {
    let distinct: BTreeSet<&String> = written.iter().collect();
    sorted(distinct.into_iter().cloned())
}

/// Different labels in their order.
pub(super) fn sorted(labels: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut labels: Vec<String> = labels.into_iter().collect();
    labels.sort_by(|a, b| order(a, b));
    labels
}

fn order(a: &str, b: &str) -> Ordering {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(p), Ok(q)) => p.total_cmp(&q).then_with(|| a.cmp(b)),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

/// The classes with the labels `positive` and the others of `all`.
fn sides(all: &[String], positive: &[String]) -> Classes {
    let name = positive.join(" or ");
    let negative: Vec<String> = all
        .iter()
        .filter(|l| !positive.contains(l))
        .cloned()
        .collect();
    Classes {
        negative: ClassSide {
            name: match negative.as_slice() {
                [only] => only.clone(),
                _ => format!("not {name}"),
            },
            labels: negative,
        },
        positive: ClassSide {
            name,
            labels: positive.to_vec(),
        },
    }
}

/// The error of a task in the words of the options that it came from.
fn in_options(error: DataError) -> DataError {
    match error {
        DataError::MissingValue {
            path,
            place,
            column,
            count,
            ..
        } => DataError::MissingValue {
            path,
            place,
            column,
            count,
            remedy: "--missing drop leaves such rows out, --missing median puts in the training median",
        },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::{sides, sorted_labels};

    #[test]
    fn labels_are_sorted_as_numbers_then_as_texts() {
        let written = ["10", "b", "-1", "9", "a", "b"].map(str::to_owned);
        assert_eq!(sorted_labels(&written), ["-1", "9", "10", "a", "b"]);
    }

    #[test]
    fn the_other_labels_are_negative() {
        let all = ["bus", "opel", "van"].map(str::to_owned);
        let classes = sides(&all, &all[..1]);
        assert_eq!(classes.negative.name, "not bus");
        assert_eq!(classes.negative.labels, ["opel", "van"]);
        let classes = sides(&all, &all[1..]);
        assert_eq!(
            (
                classes.positive.name.as_str(),
                classes.negative.name.as_str()
            ),
            ("opel or van", "bus")
        );
    }
}
