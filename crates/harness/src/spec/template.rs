//! Sections `[template.NAME]`: keys that methods have in common.

use super::merge::merge_tables;
use super::sources::Sources;
use crate::source_error::{SourceError, nearest_name};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The section of templates, and the key of a method or template that names one.
const TEMPLATE: &str = "template";

/// Puts the keys of templates into the methods that name them; a method's own keys win. The templates go.
pub(super) fn resolve_templates(
    sources: &Sources,
    table: &mut DeTable<'_>,
) -> Result<(), Box<SourceError>> {
    let section = table.remove(TEMPLATE);
    let span = section.as_ref().map_or(0..0, Spanned::span);
    let templates = match section.map(Spanned::into_inner) {
        None => DeTable::new(),
        Some(DeValue::Table(templates)) => templates,
        Some(_) => {
            let help = "write a section [template.NAME] with keys of a method";
            let message = "`template` is a section for each template";
            return Err(Box::new(sources.error(span, message, help)));
        }
    };
    let templates = Templates { sources, templates };
    // Templates that nothing uses are looked at as well: an unknown name or a circle is a slip there too.
    for (name, template) in &templates.templates {
        if let DeValue::Table(keys) = template.get_ref() {
            templates.with_template(keys.clone(), &[name.get_ref()])?;
        } else {
            let message = format!("template `{}` is no table", name.get_ref());
            let help = "write a section [template.NAME] with keys of a method";
            return Err(Box::new(sources.error(template.span(), message, help)));
        }
    }
    let Some(DeValue::Array(methods)) = table.get_mut("method").map(Spanned::get_mut) else {
        return Ok(());
    };
    for method in methods.iter_mut() {
        if let DeValue::Table(keys) = method.get_mut() {
            *keys = templates.with_template(std::mem::take(keys), &[])?;
        }
    }
    Ok(())
}

struct Templates<'s, 'i> {
    sources: &'s Sources,
    templates: DeTable<'i>,
}

impl<'i> Templates<'_, 'i> {
    /// `keys` on top of those of the template that they name; `above` are the templates that are being put together.
    fn with_template(
        &self,
        mut keys: DeTable<'i>,
        above: &[&str],
    ) -> Result<DeTable<'i>, Box<SourceError>> {
        let Some(named) = keys.remove(TEMPLATE) else {
            return Ok(keys);
        };
        let refuse = |message: String, help: String| {
            Err(Box::new(self.sources.error(named.span(), message, help)))
        };
        let Some(name) = named.get_ref().as_str() else {
            let message = "`template` is the name of a template in quotes".to_owned();
            return refuse(message, "for example template = \"rff\"".to_owned());
        };
        if above.contains(&name) {
            let message = format!("template `{name}` extends itself");
            let chain = above.iter().copied().chain([name]).collect::<Vec<_>>();
            let help = format!("break the circle {}", chain.join(" → "));
            return refuse(message, help);
        }
        let Some(DeValue::Table(template)) = self.templates.get(name).map(Spanned::get_ref) else {
            let names = || self.templates.keys().map(|name| name.get_ref().as_ref());
            let help = match nearest_name(name, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if self.templates.is_empty() => format!("add a section [template.{name}]"),
                None => format!("templates here: {}", names().collect::<Vec<_>>().join(", ")),
            };
            return refuse(format!("there is no template `{name}`"), help);
        };
        let above = [above, &[name]].concat();
        let base = self.with_template(template.clone(), &above)?;
        Ok(merge_tables(base, keys))
    }
}
