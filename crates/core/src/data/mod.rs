//! Datasets in memory: splitting, scaling and nearest neighbours. File formats are the harness's.

mod dataset;
mod labelled;
mod labelled_split;
mod neighbours;
mod noise;
mod scale;
mod split;

pub use dataset::Dataset;
pub use labelled::LabelledDataset;
pub use labelled_split::{fold_splits, labelled_split};
pub use neighbours::{nearest_neighbour_distances, nearest_neighbours};
pub use noise::{noisy_copies, normal_copies};
pub use scale::{Scaler, Scaling};
pub use split::{Holdout, RowCap, Split, SplitShares, holdout_split, stratified_split};
