//! The text of one file that says what a file and its includes say, with the comments of all of them.

use super::sources::{INCLUDE, Sources};
use toml_edit::{ArrayOfTables, Document, DocumentMut, Item, Key, Table, Value};

/// The text of the first file on top of what it includes, by the rules of [`super::merge`].
pub(super) fn joined_text(sources: &Sources) -> String {
    let mut text = "# Put together from these files, the later over the earlier:\n".to_owned();
    for source in sources.iter().skip(1).chain(sources.iter().take(1)) {
        if let Some(name) = source.path.file_name() {
            text = format!("{text}# {}\n", name.to_string_lossy());
        }
    }
    let mut joined = Joined::of(sources, 0);
    joined.document.set_trailing(joined.trailing);
    format!("{text}{}\n{}", joined.head, joined.document)
}

/// Files put together.
struct Joined {
    document: DocumentMut,
    /// Comments that stood above the keys `include`.
    head: String,
    /// What stands behind the last line.
    trailing: String,
    /// Sections of the next file stand behind this place.
    end: isize,
}

impl Joined {
    fn of(sources: &Sources, index: usize) -> Self {
        let source = sources.get(index);
        let mut joined = Self {
            document: DocumentMut::new(),
            head: String::new(),
            trailing: String::new(),
            end: 0,
        };
        for &included in &source.includes {
            joined.add(Self::of(sources, included));
        }
        // The text has been parsed before: one that is refused here leaves a digest that does not agree.
        let parsed = Document::parse(source.text.as_str()).map(Document::into_mut);
        let mut document = parsed.unwrap_or_default();
        let include = document.remove_entry(INCLUDE);
        joined.add(Self {
            head: include.map_or_else(String::new, |(key, value)| comments(&key, &value)),
            trailing: document.trailing().as_str().unwrap_or_default().to_owned(),
            end: last_position(document.as_table()),
            document,
        });
        joined
    }

    /// Puts `own` on top.
    fn add(&mut self, own: Self) {
        let mut table = own.document.into_table();
        move_positions(&mut table, self.end);
        self.end += own.end + 1;
        self.head.push_str(&own.head);
        self.trailing.push_str(&own.trailing);
        merge(self.document.as_table_mut(), table, true);
    }
}

/// The keys of `own` on top of `base`; at the `top`, sections `[[…]]` come one after the other.
fn merge(base: &mut Table, own: Table, top: bool) {
    for (key, item) in entries(own) {
        let Some((old_key, old)) = base.remove_entry(key.get()) else {
            base.insert_formatted(&key, item);
            continue;
        };
        let item = match (old, item) {
            (old, item) if top && is_sections(&old) && is_sections(&item) => appended(old, item),
            (Item::Table(old), Item::Table(own)) => Item::Table(merged(old, own)),
            (old, item) if old.is_table_like() && item.is_table_like() => {
                let inline = item.is_inline_table() && old.is_inline_table();
                let (mut old, own) = (table_of(old), table_of(item));
                merge(&mut old, own, false);
                if inline {
                    Item::Value(Value::InlineTable(old.into_inline_table()))
                } else {
                    old.set_implicit(false);
                    Item::Table(old)
                }
            }
            (old, item) => {
                let key = with_comments_above(key, &comments(&old_key, &old));
                base.insert_formatted(&key, item);
                continue;
            }
        };
        let key = with_comments_above(key, &comments(&old_key, &Item::None));
        base.insert_formatted(&key, item);
    }
}

/// Two sections of one name: it stands where the first did, under the comments of both.
fn merged(mut base: Table, own: Table) -> Table {
    let above = |table: &Table| prefix(table.decor().prefix());
    let comments = above(&base) + above(&own).trim_start_matches('\n');
    base.set_implicit(base.is_implicit() && own.is_implicit());
    base.set_dotted(base.is_dotted() && own.is_dotted());
    if base.position().is_none() {
        base.set_position(own.position());
    }
    merge(&mut base, own, false);
    base.decor_mut().set_prefix(comments);
    base
}

fn entries(mut table: Table) -> Vec<(Key, Item)> {
    let keys: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    let entries = keys.iter().filter_map(|key| table.remove_entry(key));
    entries.collect()
}

fn table_of(item: Item) -> Table {
    item.into_table().unwrap_or_default()
}

fn is_sections(item: &Item) -> bool {
    match item {
        Item::ArrayOfTables(_) => true,
        Item::Value(Value::Array(list)) => list.iter().all(Value::is_inline_table),
        _ => false,
    }
}

fn appended(base: Item, own: Item) -> Item {
    let mut list = ArrayOfTables::new();
    for item in [base, own] {
        if let Ok(tables) = item.into_array_of_tables() {
            tables.into_iter().for_each(|table| list.push(table));
        }
    }
    Item::ArrayOfTables(list)
}

/// The comments above a key and behind its value, each on a line of its own.
fn comments(key: &Key, value: &Item) -> String {
    let above = prefix(key.leaf_decor().prefix());
    let behind = value.as_value().and_then(|value| value.decor().suffix());
    let behind = prefix(behind);
    match behind.trim() {
        "" => above,
        comment => format!("{above}{comment}\n"),
    }
}

fn prefix(text: Option<&toml_edit::RawString>) -> String {
    text.and_then(toml_edit::RawString::as_str)
        .unwrap_or_default()
        .to_owned()
}

fn with_comments_above(mut key: Key, comments: &str) -> Key {
    if comments.trim().is_empty() {
        return key;
    }
    let own = prefix(key.leaf_decor().prefix());
    let own = format!("{comments}{}", own.trim_start_matches('\n'));
    key.leaf_decor_mut().set_prefix(own);
    key
}

/// The place of the last section.
fn last_position(table: &Table) -> isize {
    let below = table.iter().map(|(_, item)| match item {
        Item::Table(table) => last_position(table),
        Item::ArrayOfTables(list) => list.iter().map(last_position).max().unwrap_or(0),
        _ => 0,
    });
    below.max().unwrap_or(0).max(table.position().unwrap_or(0))
}

/// Moves all sections by `by` places, each with an empty line or comments above it.
fn move_positions(table: &mut Table, by: isize) {
    table.set_position(table.position().map(|place| place + by));
    if prefix(table.decor().prefix()).is_empty() {
        table.decor_mut().set_prefix("\n");
    }
    for (_, item) in table.iter_mut() {
        match item {
            Item::Table(table) => move_positions(table, by),
            Item::ArrayOfTables(list) => {
                list.iter_mut().for_each(|table| move_positions(table, by));
            }
            _ => {}
        }
    }
}
