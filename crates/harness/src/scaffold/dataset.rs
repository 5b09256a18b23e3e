//! The manifest of a data file.

use super::ScaffoldError;
use crate::data::{
    AskedBy, Cells, DataError, DataFolders, Format, Manifest, Table, Wanted, WantedFeatures,
    column_names, missing_values,
};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Names of columns that hold classes.
const LABELS: [&str; 5] = ["label", "class", "target", "y", "outcome"];
/// A column with more values than these holds no classes.
const MOST_CLASSES: usize = 100;

/// A data file and what is said of it.
#[derive(Debug)]
pub(crate) struct DatasetFile<'a> {
    pub(crate) path: &'a Path,
    pub(crate) format: Format,
    /// The column with the classes; guessed by its name where absent.
    pub(crate) label: Option<&'a str>,
    /// Columns that are no features.
    pub(crate) ignored: &'a [String],
    /// LIBSVM files: the index of the first feature, 0 or 1.
    pub(crate) first_index: usize,
}

/// The place and text of a manifest of the dataset `name` beside its data file, in one of `folders`. The file has
/// been read by it.
///
/// # Errors
/// [`ScaffoldError`] if the file cannot be read, its classes cannot be told, or it is in no data folder.
pub(crate) fn dataset_manifest(
    name: &str,
    file: &DatasetFile<'_>,
    folders: &DataFolders,
) -> Result<(PathBuf, String), ScaffoldError> {
    let bytes = std::fs::read(file.path).map_err(|source| DataError::Io {
        path: file.path.to_owned(),
        source,
    })?;
    let folder = data_folder(file.path, folders)?;
    let label = label_column(file, &bytes)?;
    let wanted = Wanted {
        label: Some(&label),
        label_may_lack: false,
        features: WantedFeatures::AllBut(file.ignored),
        asked_by: AskedBy::Options,
        first_index: file.first_index,
        width: None,
    };
    let cells = Cells::read(file.path, &bytes, file.format, &wanted)?;
    let classes = classes(file.path, &label, &cells)?;
    let text = text(name, file, &label, &cells, &classes, &bytes);
    let path = folder.join(format!("{name}.toml"));
    let manifest = Manifest::parse(&path, &text)?;
    Table::read(file.path, &bytes, &manifest)?;
    Ok((path, text))
}

/// The folder of the data file, which must be a data folder.
fn data_folder(path: &Path, folders: &DataFolders) -> Result<PathBuf, ScaffoldError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let own = folder.canonicalize().ok();
    let known = folders
        .folders()
        .iter()
        .any(|other| other.canonicalize().ok() == own);
    if own.is_some() && known {
        return Ok(folder.to_owned());
    }
    Err(ScaffoldError::NoDataFolder {
        path: path.to_owned(),
    })
}

fn label_column(file: &DatasetFile<'_>, bytes: &[u8]) -> Result<String, ScaffoldError> {
    let columns = column_names(file.path, bytes, file.format)?;
    if let Some(label) = file.label {
        return Ok(label.to_owned());
    }
    let is_label = |column: &&String| LABELS.contains(&column.to_lowercase().as_str());
    let found: Vec<&String> = columns.iter().filter(is_label).collect();
    if let [only] = found.as_slice() {
        return Ok((*only).clone());
    }
    Err(ScaffoldError::WhichLabel {
        path: file.path.to_owned(),
        columns,
    })
}

/// The numbers of the classes, in increasing order.
fn classes(path: &Path, column: &str, cells: &Cells) -> Result<Vec<f64>, ScaffoldError> {
    let mut classes: Vec<f64> = Vec::new();
    for (row, cell) in cells.labels.iter().flatten().enumerate() {
        let found = cell.as_deref().unwrap_or_default().trim();
        let Some(number) = found.parse().ok().filter(|number: &f64| number.is_finite()) else {
            return Err(ScaffoldError::TextLabel {
                path: path.to_owned(),
                place: cells.unit.place(row),
                column: column.to_owned(),
                found: found.to_owned(),
            });
        };
        // Adding 0.0 makes −0.0 equal to 0.0.
        let place = classes.binary_search_by(|class| class.total_cmp(&(number + 0.0)));
        if let Err(place) = place {
            classes.insert(place, number + 0.0);
        }
    }
    if (2..=MOST_CLASSES).contains(&classes.len()) {
        return Ok(classes);
    }
    Err(ScaffoldError::NotClasses {
        path: path.to_owned(),
        column: column.to_owned(),
        found: classes.len(),
        most: MOST_CLASSES,
    })
}

fn text(
    name: &str,
    file: &DatasetFile<'_>,
    label: &str,
    cells: &Cells,
    classes: &[f64],
    bytes: &[u8],
) -> String {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let list = |texts: &mut dyn Iterator<Item = String>| texts.collect::<Vec<_>>().join(", ");
    let base = file.path.file_name().unwrap_or_default().to_string_lossy();
    let format = match file.format {
        Format::Csv => "csv",
        Format::Parquet => "parquet",
        Format::Svmlight => "svmlight",
    };
    let mut text = format!(
        "# The dataset {name}: what its data file holds. All keys of a manifest are explained in datasets/README.md.\n\
         name = {}\nfile = {}\nformat = \"{format}\"\n",
        quoted(name),
        quoted(&base)
    );
    if file.format == Format::Svmlight {
        let _ = writeln!(text, "first_index = {}", file.first_index);
    } else {
        let _ = writeln!(text, "label_column = {}", quoted(label));
    }
    let names = list(&mut classes.iter().map(|class| quoted(&class.to_string())));
    text.push_str("# Names of the classes in the order of their labels: rename them. Experiments name classes by them.\n");
    let _ = writeln!(text, "class_names = [{names}]");
    let numbered = classes
        .iter()
        .zip(0_u32..)
        .all(|(class, number)| *class == f64::from(number));
    if !numbered {
        text.push_str("# The labels in the file.\n");
        let _ = writeln!(
            text,
            "label_values = [{}]",
            list(&mut classes.iter().map(f64::to_string))
        );
    }
    let task = if classes.len() == 2 {
        "binary"
    } else {
        "multiclass"
    };
    let _ = writeln!(text, "task = \"{task}\"");
    if file.format != Format::Svmlight {
        text.push_str("# Columns that are no features; all others are.\n");
        let ignored = list(&mut file.ignored.iter().map(|column| quoted(column)));
        let _ = writeln!(text, "ignore_columns = [{ignored}]");
    }
    let _ = write!(
        text,
        "# Checked whenever the file is read.\nrows = {}\nfeatures = {}\nsha256 = \"{:x}\"\n",
        cells.values.nrows(),
        cells.values.ncols(),
        Sha256::digest(bytes)
    );
    let missing = missing_values(cells.values.view());
    let _ = writeln!(text, "# For readers.\nmissing_values = {missing}");
    text.push_str("# title = \"\"\n# citation = \"\"\n# licence = \"\"\n");
    text
}
