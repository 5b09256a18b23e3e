//! What is wanted of a data file: its label column, its features, and who asked, which errors say.

use super::super::Manifest;

/// The columns wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// The label's column; `None` if labels are not wanted. LIBSVM files have one label column without a name.
    pub(crate) label: Option<&'a str>,
    /// Whether a file without the label's column will do.
    pub(crate) label_may_lack: bool,
    /// The features.
    pub(crate) features: WantedFeatures<'a>,
    /// Who asks.
    pub(crate) asked_by: AskedBy,
    /// LIBSVM files: the index of the first feature, 0 or 1.
    pub(crate) first_index: usize,
    /// LIBSVM files: the number of features if known; those after the largest index are 0 everywhere.
    pub(crate) width: Option<usize>,
}

/// The feature columns wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WantedFeatures<'a> {
    /// All but the label and these.
    AllBut(&'a [String]),
    /// These, in this order.
    These(&'a [String]),
}

/// Who asks for columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedBy {
    /// A dataset's manifest.
    Manifest,
    /// The options of a command.
    Options,
    /// A trained model.
    Model,
}

impl<'a> Wanted<'a> {
    /// What `manifest` declares.
    pub(super) fn by_manifest(manifest: &'a Manifest) -> Self {
        Self {
            label: Some(&manifest.label_column),
            label_may_lack: false,
            features: WantedFeatures::AllBut(&manifest.ignore_columns),
            asked_by: AskedBy::Manifest,
            first_index: manifest.first_index.unwrap_or(1),
            width: manifest.features,
        }
    }
}

impl AskedBy {
    /// Ends "there is no column `x`, which … " of the label's column.
    pub(super) fn names_label(self) -> &'static str {
        match self {
            Self::Manifest => "the manifest names as label_column",
            Self::Options => "--label names",
            Self::Model => "the model's labels were in",
        }
    }

    /// Ends "there is no column `x`, which … " of a column that is left out.
    pub(super) fn names_left_out(self) -> &'static str {
        match self {
            Self::Manifest => "the manifest names as one of ignore_columns",
            Self::Options | Self::Model => "--ignore names",
        }
    }

    /// How to leave `column` out, with a comma or `or` before it; nothing where that cannot be.
    pub(super) fn leave_out(self, column: &str) -> String {
        match self {
            Self::Manifest => {
                format!(", or leave it out with ignore_columns = [\"{column}\"] in the manifest")
            }
            Self::Options => format!(", or leave it out with --ignore {column}"),
            Self::Model => String::new(),
        }
    }

    /// What to do about a cell of `column` that is no number.
    pub(super) fn mend_cell(self, column: &str) -> String {
        let mend = "write numbers as 1.5, leave the cell empty if the value is missing";
        match self {
            Self::Manifest => {
                format!("{mend}, or name the column in ignore_columns of the manifest")
            }
            Self::Options => format!("{mend}, or leave the column out with --ignore {column}"),
            Self::Model => mend.to_owned(),
        }
    }
}
