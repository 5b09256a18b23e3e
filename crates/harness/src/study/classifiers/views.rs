//! Tables and figures of the study.

use super::plan::ClassifiersPlan;
use super::row::ClassifierRow;
use super::summary::Summary;
use super::table::{accuracy, by_noise};
use crate::views::{Viewed, Views, ViewsError};

impl Viewed for ClassifiersPlan {
    fn views(&self, rows: &[ClassifierRow]) -> Result<Views, ViewsError> {
        let summary = Summary::new(self, rows);
        let mut tables = vec![accuracy(&summary)];
        if self.noise.kinds.len() > 1 {
            tables.push(by_noise(&summary));
        }
        Ok(Views {
            summary: None,
            tables,
            plots: Vec::new(),
        })
    }
}
