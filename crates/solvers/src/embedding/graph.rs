//! The graphs of principal components, discriminants and margins.

use super::laplacian::Laplacian;
use super::marginal;
use crate::SolverError;
use ndarray::ArrayView2;

/// Which inputs a direction is to keep together and which apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    pub(super) together: Option<Laplacian>,
    pub(super) apart: Laplacian,
    /// How many directions have a meaning.
    pub(super) most: usize,
}

impl Graph {
    /// Principal components of `inputs` inputs: all apart, none together; N − 1 directions at most.
    ///
    /// # Errors
    /// [`SolverError::Shape`] for fewer than two inputs.
    pub fn pca(inputs: usize) -> Result<Self, SolverError> {
        at_least_two("inputs", inputs)?;
        Ok(Self {
            together: None,
            apart: Laplacian::Complete { inputs },
            most: inputs - 1,
        })
    }

    /// Linear discriminants [Yan et al., Table 1]: `W_ij = 1/N_c` within class c together, `1/N` for all apart; one
    /// direction fewer than there are classes with inputs.
    ///
    /// # Errors
    /// [`SolverError::Setting`] for a label that is not below `classes`, [`SolverError::OneClass`] unless two classes have inputs.
    pub fn lda(labels: &[usize], classes: usize) -> Result<Self, SolverError> {
        let sizes = class_sizes(labels, classes)?;
        let most = sizes.iter().filter(|size| **size > 0).count() - 1;
        let labels = labels.to_vec();
        Ok(Self {
            apart: Laplacian::Complete {
                inputs: labels.len(),
            },
            together: Some(Laplacian::Classes { labels, sizes }),
            most,
        })
    }

    /// Marginal Fisher analysis [Yan et al., §3.1]: together i and j of one class if one is among the `k1` nearest of its
    /// class to the other; apart, for each class, the `k2` nearest pairs of an input in it and one outside. Nearness is that of
    /// `squared_distances` (N × N, symmetric): of inputs for the linear form, in the kernel's space ([`super::gram_distances`]) for
    /// the others. Of pairs equally near those of lower indices count first; where a class has fewer, all count.
    ///
    /// # Errors
    /// As [`Graph::lda`]; [`SolverError::Shape`] unless the distances are N × N, [`SolverError::NotFinite`],
    /// [`SolverError::Setting`] for k1 or k2 of 0.
    pub fn mfa(
        squared_distances: ArrayView2<'_, f64>,
        labels: &[usize],
        classes: usize,
        k1: usize,
        k2: usize,
    ) -> Result<Self, SolverError> {
        let sizes = class_sizes(labels, classes)?;
        marginal::check(squared_distances, labels, (k1, k2))?;
        Ok(Self {
            together: Some(marginal::within(squared_distances, labels, k1)),
            apart: marginal::between(squared_distances, labels, sizes.len(), k2),
            most: labels.len(),
        })
    }

    /// N, the number of inputs.
    pub fn inputs(&self) -> usize {
        self.apart.inputs()
    }

    /// The Laplacian L of what is kept together; PCA has none.
    pub fn together(&self) -> Option<&Laplacian> {
        self.together.as_ref()
    }

    /// The Laplacian B of what is kept apart.
    pub fn apart(&self) -> &Laplacian {
        &self.apart
    }
}

fn at_least_two(what: &'static str, found: usize) -> Result<(), SolverError> {
    if found < 2 {
        return Err(SolverError::Shape {
            what,
            expected: 2,
            found,
        });
    }
    Ok(())
}

/// N_c of each class, of which two have inputs.
fn class_sizes(labels: &[usize], classes: usize) -> Result<Vec<usize>, SolverError> {
    let mut sizes = vec![0; classes];
    for label in labels {
        *sizes.get_mut(*label).ok_or(SolverError::Setting {
            name: "labels",
            expected: "below the number of classes",
            found: label.to_string(),
        })? += 1;
    }
    if sizes.iter().filter(|size| **size > 0).count() < 2 {
        return Err(SolverError::OneClass { rows: labels.len() });
    }
    Ok(sizes)
}
