//! The feature maps as linfa's transformers of records and datasets.

use super::{FeatureMap, Features, Identity, Nystrom, Rff};
use linfa::DatasetBase;
use linfa::dataset::AsTargets;
use linfa::traits::Transformer;
use ndarray::{Array2, ArrayBase, Data, Ix2};

macro_rules! transformer {
    ($($map:ty),*) => {$(
        impl<D: Data<Elem = f64>> Transformer<ArrayBase<D, Ix2>, Array2<f64>> for $map {
            /// `φ(x_i)` for each record (p × n): p × D.
            ///
            /// # Panics
            /// If the records are not n wide.
            fn transform(&self, records: ArrayBase<D, Ix2>) -> Array2<f64> {
                FeatureMap::transform(self, records.view())
            }
        }

        impl<D: Data<Elem = f64>, T: AsTargets>
            Transformer<DatasetBase<ArrayBase<D, Ix2>, T>, DatasetBase<Array2<f64>, T>> for $map
        {
            /// The dataset with `φ(x_i)` in the place of each record, its targets and weights kept, names not.
            ///
            /// # Panics
            /// If the records are not n wide.
            fn transform(
                &self,
                dataset: DatasetBase<ArrayBase<D, Ix2>, T>,
            ) -> DatasetBase<Array2<f64>, T> {
                let features = FeatureMap::transform(self, dataset.records().view());
                let weights = dataset.weights.clone();
                dataset.with_records(features).with_weights(weights)
            }
        }
    )*};
}

transformer!(Features, Identity, Rff, Nystrom);

#[cfg(test)]
mod tests {
    use crate::features::{FeatureMap, Features, Identity, Nystrom, Rff};
    use crate::kernel::GaussianKernel;
    use linfa::Dataset;
    use linfa::traits::Transformer;
    use ndarray::{Array2, array};
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use std::sync::Arc;

    #[test]
    fn datasets_keep_their_targets() {
        let x = array![[0.0, 1.0], [2.0, -1.0], [0.5, 0.25]];
        let kernel = GaussianKernel::new(1.5).unwrap();
        let rff = Rff::draw(kernel, 2, 6, &mut ChaCha20Rng::seed_from_u64(1)).unwrap();
        let nystrom = Nystrom::new(kernel, x.clone()).unwrap();
        for map in [
            Features::Identity(Identity::new(2)),
            Features::Rff(Arc::new(rff)),
            Features::Nystrom(Arc::new(nystrom)),
        ] {
            let expected = FeatureMap::transform(&map, x.view());
            let records: Array2<f64> = Transformer::transform(&map, x.view());
            assert_eq!(records, expected);
            let dataset = Dataset::new(x.clone(), array![true, false, true]);
            let dataset = dataset.with_weights(array![1.0, 2.0, 3.0]);
            let moved = Transformer::transform(&map, dataset);
            assert_eq!(moved.records(), expected);
            assert_eq!(moved.targets(), array![true, false, true]);
            assert_eq!(moved.weights(), Some(&[1.0, 2.0, 3.0][..]));
        }
    }
}
