//! Checks of the key `embedding` and of those that are its own.

use super::check_method::{Checks, MAX_COUNT};
use super::grid::check_counts;
use super::plan_method::{Dims, Embedding, Form, Graph, Widths};
use super::spec_method::{EmbeddingSpec, FormName, GraphName, UncertaintySpec, UnitName};
use crate::plan::PlanError;
use crate::plan::numbers::{Allowed, check_count, check_numbers};
use crate::spec::Spanned;
use robust_svm_solvers::EmbeddingSettings;

/// Neighbours of the marginal graph, within the class and between classes, where they are not given.
const NEIGHBOURS: (usize, usize) = (5, 20);

impl Checks<'_> {
    /// A graph embedding with its grids.
    pub(super) fn embedding(&self, spec: &Spanned<EmbeddingSpec>) -> Result<Embedding, PlanError> {
        let spec = spec.get_ref();
        let graph = self.graph(spec)?;
        let unit_together = spec
            .unit
            .as_ref()
            .is_some_and(|unit| *unit.get_ref() == UnitName::Together);
        let (form, is_kernel) = match spec.form {
            FormName::Ge => (Form::Points, true),
            FormName::Geu => (Form::Linear, false),
            FormName::Ngeu => (Form::MeanEmbeddings, true),
        };
        if !is_kernel && let Some(kernel) = &self.spec.kernel {
            let help = "the form geu is linear: leave it out";
            return Err(self.meaningless("kernel", kernel.span(), "in the form geu", help));
        }
        if form == Form::Points
            && let Some(uncertainty) = &self.spec.uncertainty
        {
            let help = "the form ge embeds points: leave it out, or write form = \"ngeu\"";
            return Err(self.meaningless(
                "uncertainty",
                uncertainty.span(),
                "in the form ge",
                help,
            ));
        }
        Ok(Embedding {
            graph,
            kernels: if is_kernel {
                self.kernels()?
            } else {
                Vec::new()
            },
            widths: if form == Form::Points {
                Widths::Points
            } else {
                self.widths()?
            },
            form,
            dims: self.dims()?,
            k: self.k()?,
            unit_together,
            settings: self.settings(spec)?,
        })
    }

    /// The graph with its own settings; those of other graphs are refused.
    fn graph(&self, spec: &EmbeddingSpec) -> Result<Graph, PlanError> {
        let name = spec.graph;
        let given = [
            (
                "within",
                spec.within.as_ref().map(Spanned::span),
                name == GraphName::Mfa,
            ),
            (
                "between",
                spec.between.as_ref().map(Spanned::span),
                name == GraphName::Mfa,
            ),
            (
                "unit",
                spec.unit.as_ref().map(Spanned::span),
                name != GraphName::Pca,
            ),
            (
                "ridge",
                spec.ridge.as_ref().map(Spanned::span),
                name != GraphName::Pca,
            ),
        ];
        for (key, span, meant) in given {
            if let Some(span) = span
                && !meant
            {
                let beside = format!("with the graph {}", name.name());
                return Err(self.meaningless(key, span, &beside, "leave it out"));
            }
        }
        let count = |key, given: &Option<Spanned<usize>>, default| match given {
            Some(count) => check_count(self.file, key, count, MAX_COUNT),
            None => Ok(default),
        };
        Ok(match name {
            GraphName::Pca => Graph::Pca,
            GraphName::Lda => Graph::Lda,
            GraphName::Mfa => Graph::Mfa {
                within: count("within", &spec.within, NEIGHBOURS.0)?,
                between: count("between", &spec.between, NEIGHBOURS.1)?,
            },
        })
    }

    fn settings(&self, spec: &EmbeddingSpec) -> Result<EmbeddingSettings, PlanError> {
        let Some(ridge) = &spec.ridge else {
            return Ok(EmbeddingSettings::default());
        };
        let list = Spanned::new(ridge.span(), vec![ridge.clone()]);
        check_numbers(self.file, "ridge", &list, Allowed::Positive)?;
        Ok(EmbeddingSettings {
            ridge: *ridge.get_ref(),
        })
    }

    fn widths(&self) -> Result<Widths, PlanError> {
        let written = self.needed("uncertainty", self.spec.uncertainty.as_ref())?;
        let numbers = |list: &[Spanned<f64>]| {
            let list = Spanned::new(written.span(), list.to_vec());
            check_numbers(self.file, "uncertainty", &list, Allowed::Positive)
        };
        Ok(match written.get_ref() {
            UncertaintySpec::NearestNeighbour(list) => Widths::NearestNeighbour(numbers(list)?),
            UncertaintySpec::NearestNeighbourTotal(list) => {
                Widths::NearestNeighbourTotal(numbers(list)?)
            }
            UncertaintySpec::Isotropic(list) => Widths::Isotropic(numbers(list)?),
            UncertaintySpec::Level => Widths::Level,
        })
    }

    /// The dimensions tried.
    pub(super) fn dims(&self) -> Result<Dims, PlanError> {
        let check = |list| check_counts(self.file, "dims", list);
        let of = |(label, list): (&String, _)| Ok((label.clone(), check(list)?));
        Ok(Dims {
            all: check(self.needed("dims", self.spec.dims.as_ref())?)?,
            on: self
                .spec
                .dims_on
                .iter()
                .map(of)
                .collect::<Result<_, PlanError>>()?,
        })
    }
}
