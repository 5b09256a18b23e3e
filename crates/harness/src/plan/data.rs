//! Checks of the section `[data]`, of any kind of experiment, that need no data.

use super::PlanError;
use crate::spec::Spanned;
use crate::spec::{RowCapSpec, SharesSpec, SpecFile};
use robust_svm_core::data::{RowCap, SplitShares};

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
