//! Checks of the section `[data]`, of any kind of experiment, that need no data.

use super::PlanError;
use crate::spec::Spanned;
use crate::spec::{DataSpec, DatasetEntry, RowCapSpec, SharesSpec, SpecFile};
use robust_svm_core::data::{RowCap, Scaling, SplitShares};

/// How a dataset is split and scaled.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    /// Shares of the parts.
    pub shares: SplitShares,
    /// The most rows of the parts.
    pub cap: RowCap,
    /// How features are scaled.
    pub scaling: Scaling,
}

impl Parts {
    /// What `[data]` says of all datasets.
    pub(super) fn check(file: &SpecFile, data: &DataSpec) -> Result<Self, PlanError> {
        Ok(Self {
            cap: check_cap(file, &data.max_rows)?,
            shares: check_shares(file, &data.split)?,
            scaling: data.scale.into(),
        })
    }

    /// With what one dataset has otherwise.
    pub(super) fn of_entry(self, file: &SpecFile, entry: &DatasetEntry) -> Result<Self, PlanError> {
        let cap = check_cap(file, &entry.max_rows)?;
        Ok(Self {
            shares: match &entry.split {
                Some(shares) => check_shares(file, shares)?,
                None => self.shares,
            },
            cap: RowCap {
                train: cap.train.or(self.cap.train),
                validation: cap.validation.or(self.cap.validation),
                test: cap.test.or(self.cap.test),
            },
            scaling: entry.scale.map_or(self.scaling, Scaling::from),
        })
    }
}

/// The most rows of each part.
pub(crate) fn check_cap(file: &SpecFile, spec: &RowCapSpec) -> Result<RowCap, PlanError> {
    let cap = |key: &str, value: &Option<Spanned<usize>>| -> Result<Option<usize>, PlanError> {
        value
            .as_ref()
            .map(|rows| at_least_two_rows(file, key, rows))
            .transpose()
    };
    Ok(RowCap {
        train: cap("train", &spec.train)?,
        validation: cap("validation", &spec.validation)?,
        test: cap("test", &spec.test)?,
    })
}

fn at_least_two_rows(
    file: &SpecFile,
    key: &str,
    rows: &Spanned<usize>,
) -> Result<usize, PlanError> {
    if *rows.get_ref() < 2 {
        let message = format!(
            "`max_rows.{key}` must be at least 2, found {}",
            rows.get_ref()
        );
        return Err(file
            .error_at(rows.span(), message, "each part needs both classes")
            .into());
    }
    Ok(*rows.get_ref())
}

/// The shares of the parts.
pub(crate) fn check_shares(
    file: &SpecFile,
    spec: &Spanned<SharesSpec>,
) -> Result<SplitShares, PlanError> {
    let shares = spec.get_ref();
    let list = [shares.train, shares.validation, shares.test];
    if list.iter().all(|s| *s > 0.0) && (list.iter().sum::<f64>() - 1.0).abs() <= 1e-9 {
        return Ok(SplitShares {
            train: shares.train,
            validation: shares.validation,
            test: shares.test,
        });
    }
    Err(file
        .error_at(
            spec.span(),
            format!("the shares of `split` must be positive with sum 1, found {list:?}"),
            "for example split = { train = 0.6, validation = 0.2, test = 0.2 }",
        )
        .into())
}
