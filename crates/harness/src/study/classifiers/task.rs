//! A dataset of the study: its rows, and how they are parted.

use super::parts::Parts;
use super::spec_data::{AwgnSpec, Entry};
use crate::data::{
    DataError, DataFolders, LabelledTask, labelled_task, read_data_file, two_sided_task,
};
use crate::store::DatasetIdentity;
use ndarray::Array2;
use rand_distr::{Distribution, StandardNormal};
use robust_svm_core::CoreError;
use robust_svm_core::data::{LabelledDataset, Scaling};
use robust_svm_core::seed::CellSeed;

/// A dataset of an experiment.
#[derive(Debug)]
pub struct ClassifierTask {
    /// Its name in the experiment.
    pub label: String,
    /// How its rows are parted.
    pub parts: Parts,
    /// How its features are scaled; [`Scaling::None`] leaves every column as it is.
    pub scaling: Scaling,
    /// Its rows; why there are none, where it is optional and not at hand.
    pub loaded: Result<LabelledTask, String>,
}

impl ClassifierTask {
    /// What the manifest says of it. A dataset that is not at hand has another digest than when it is.
    pub(super) fn identity(&self) -> DatasetIdentity {
        let task = self.loaded.as_ref().ok();
        let classes = task.map(|task| task.data.classes());
        DatasetIdentity {
            name: self.label.clone(),
            sha256: task
                .map_or(DatasetIdentity::NOT_AT_HAND, |task| &task.digest)
                .to_owned(),
            rows: task.map_or(0, |task| task.data.rows()),
            positive: None,
            classes,
            features: task.map_or(0, |task| task.data.features()),
            rows_dropped: task.map_or(0, |task| task.rows_dropped),
            values_imputed: 0,
            constant_features: Vec::new(),
        }
    }
}

/// The rows of `entry`; the reason where it is optional and not in `folders`.
pub(super) fn load(
    entry: &Entry,
    folders: &DataFolders,
    seed: u64,
) -> Result<Result<LabelledTask, String>, DataError> {
    let file = match read_data_file(&entry.name, folders) {
        Ok(file) => file,
        Err(
            ref error @ (DataError::UnknownDataset { ref name, .. }
            | DataError::DataFileNotFound { ref name, .. }),
        ) if entry.optional => {
            if let DataError::UnknownDataset {
                near: Some(near), ..
            } = error
            {
                log::warn!(
                    "there is no dataset `{name}`, which is optional: its cells are skipped; did you mean `{near}`?"
                );
            }
            return Ok(Err(format!(
                "the data of dataset `{name}` are not at hand: put its file into the folder datasets, or name its folder in ROBUST_SVM_DATA"
            )));
        }
        Err(error) => return Err(error),
    };
    let (positive, negative) = (entry.positive.clone(), entry.negative.clone());
    let mut task = if positive.is_some() || negative.is_some() {
        two_sided_task(&file, positive, negative, entry.drop_missing)?
    } else {
        labelled_task(&file, entry.drop_missing)?
    };
    task.data = changed(&task.data, entry, seed)?;
    Ok(Ok(task))
}

/// `data` divided and with noise, as `entry` says.
fn changed(data: &LabelledDataset, entry: &Entry, seed: u64) -> Result<LabelledDataset, CoreError> {
    let mut x = data.x().clone();
    if let Some(divisor) = &entry.divide_by {
        x /= *divisor.get_ref();
    }
    if let Some(noise) = &entry.awgn {
        let mut rng = CellSeed::new(seed, entry.label(), 0).stream("awgn");
        let draw = || -> f64 { StandardNormal.sample(&mut rng) };
        let noise_at_1 = Array2::from_shape_simple_fn(x.raw_dim(), draw);
        x.scaled_add(deviation(*noise.get_ref()), &noise_at_1);
    }
    LabelledDataset::new(x, data.labels().to_vec(), data.classes())
}

/// The standard deviation of the noise: the ratio in decibels is `10 log₁₀(power of the signal / variance)`.
fn deviation(noise: AwgnSpec) -> f64 {
    (noise.signal_power * 10.0_f64.powf(-noise.snr_db / 10.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{AwgnSpec, deviation};

    /// At 10 dB the noise has a tenth of the signal's power; at 9.5 dB and power 1, 0.335 from a table of decibels.
    #[test]
    fn deviations_of_decibels() {
        let of = |snr_db, signal_power| {
            deviation(AwgnSpec {
                snr_db,
                signal_power,
            })
        };
        approx::assert_relative_eq!(of(10.0, 1.0), 0.1_f64.sqrt());
        approx::assert_relative_eq!(of(0.0, 4.0), 2.0);
        approx::assert_relative_eq!(of(9.5, 1.0), 0.335, max_relative = 1e-3);
    }
}
