//! What a file includes, and its own keys, as one table.

use super::SpecError;
use super::sources::{INCLUDE, Sources, shifted};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// The content of the file `index` on top of what it includes; places are those in the row of files.
pub(super) fn joined(sources: &Sources, index: usize) -> Result<Spanned<DeTable<'_>>, SpecError> {
    let source = sources.get(index);
    let own = sources.table(index)?;
    let span = shifted(own.span(), source.start);
    let mut own = moved_table(own.into_inner(), source.start);
    own.remove(INCLUDE);
    let mut base = DeTable::new();
    for &included in &source.includes {
        base = merge_files(base, joined(sources, included)?.into_inner());
    }
    Ok(Spanned::new(span, merge_files(base, own)))
}

/// The keys of two files: tables key by key, sections `[[…]]` one after the other, of other values `own`'s.
fn merge_files<'i>(mut base: DeTable<'i>, own: DeTable<'i>) -> DeTable<'i> {
    for (key, value) in own {
        let value = match base.remove(key.get_ref().as_ref()) {
            Some(other) if is_sections(&other) && is_sections(&value) => appended(other, value),
            Some(other) => merged(other, value),
            None => value,
        };
        base.insert(key, value);
    }
    base
}

/// The keys of two tables, at any depth; of what both have and is no table, `own`'s.
pub(super) fn merge_tables<'i>(mut base: DeTable<'i>, own: DeTable<'i>) -> DeTable<'i> {
    for (key, value) in own {
        let value = match base.remove(key.get_ref().as_ref()) {
            Some(other) => merged(other, value),
            None => value,
        };
        base.insert(key, value);
    }
    base
}

fn merged<'i>(base: Spanned<DeValue<'i>>, own: Spanned<DeValue<'i>>) -> Spanned<DeValue<'i>> {
    let span = own.span();
    let value = match (base.into_inner(), own.into_inner()) {
        (DeValue::Table(base), DeValue::Table(own)) => DeValue::Table(merge_tables(base, own)),
        (_, own) => own,
    };
    Spanned::new(span, value)
}

/// Whether `value` is a list of tables, as sections `[[…]]` are.
fn is_sections(value: &Spanned<DeValue<'_>>) -> bool {
    let list = value.get_ref().as_array();
    list.is_some_and(|list| list.iter().all(|entry| entry.get_ref().is_table()))
}

fn appended<'i>(base: Spanned<DeValue<'i>>, own: Spanned<DeValue<'i>>) -> Spanned<DeValue<'i>> {
    let span = own.span();
    let entries = |value: Spanned<DeValue<'i>>| match value.into_inner() {
        DeValue::Array(entries) => entries,
        _ => DeArray::new(),
    };
    let list = entries(base).into_iter().chain(entries(own)).collect();
    Spanned::new(span, DeValue::Array(list))
}

/// `table` with all its places moved by `start`.
fn moved_table(table: DeTable<'_>, start: usize) -> DeTable<'_> {
    let entries = table.into_iter();
    entries
        .map(|(key, value)| {
            let key = Spanned::new(shifted(key.span(), start), key.into_inner());
            (key, moved(value, start))
        })
        .collect()
}

fn moved(value: Spanned<DeValue<'_>>, start: usize) -> Spanned<DeValue<'_>> {
    let span = shifted(value.span(), start);
    let value = match value.into_inner() {
        DeValue::Table(table) => DeValue::Table(moved_table(table, start)),
        DeValue::Array(list) => {
            let entries = list.into_iter();
            DeValue::Array(entries.map(|entry| moved(entry, start)).collect())
        }
        other => other,
    };
    Spanned::new(span, value)
}
