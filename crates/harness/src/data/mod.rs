//! From a dataset's name to a task: manifests, the folders they are in, readers, class sides.

mod digest;
mod download;
mod error;
mod fault;
mod labelled;
mod load;
mod locate;
mod manifest;
mod read;
mod sides;
mod statistics;
mod task;

pub(crate) use digest::digest_of_file;
pub(crate) use download::is_trusted;
pub use download::{Compression, Download};
pub use error::DataError;
use fault::Fault;
pub use labelled::{LabelledTask, labelled_task, two_sided_task};
pub use load::{DataFile, load_task, read_data_file};
pub use locate::DataFolders;
pub use manifest::{Format, Manifest, RecommendedSplit, TaskKind};
pub(crate) use read::{
    AskedBy, BlockReader, CellBlock, Cells, Size, Wanted, WantedFeatures, check_columns,
    column_names, size_of,
};
pub use read::{RowUnit, SparseTable, Table};
pub use statistics::{constant_columns, duplicate_rows, missing_values};
pub use task::{LoadReport, LoadedTask, MissingPolicy, TaskSpec, binary_task};
