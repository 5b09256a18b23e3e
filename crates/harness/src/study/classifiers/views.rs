//! Tables and figures of the study.

use super::plan::ClassifiersPlan;
use super::plot::{confusions, noise};
use super::row::ClassifierRow;
use super::summary::Summary;
use super::table::{accuracy, by_noise};
use super::table_confusion::confusion;
use super::table_published::comparison;
use crate::store::Cells;
use crate::views::{Viewed, Views, ViewsError};

impl Viewed for ClassifiersPlan {
    fn views(&self, cells: &Cells<ClassifierRow>) -> Result<Views, ViewsError> {
        let rows = cells.rows()?;
        let summary = Summary::new(self, &rows);
        let mut tables = vec![accuracy(&summary)];
        let mut plots = confusions(&summary);
        if let Some(published) = &self.published {
            tables.push(comparison(&summary, published));
        }
        if self.noise.kinds.len() > 1 {
            tables.push(by_noise(&summary));
            plots.insert(0, noise(&summary));
        }
        tables.push(confusion(&summary));
        Ok(Views {
            summary: None,
            tables,
            plots,
        })
    }
}
