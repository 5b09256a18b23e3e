//! The page's template, and the files that go into it as they are.

use super::ReportError;
use crate::table::marked;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;

/// Templates by their names; those that end in `.html.j2` escape what they are given.
const TEMPLATES: [(&str, &str); 5] = [
    ("report.html.j2", include_str!("templates/report.html.j2")),
    (
        "overview.html.j2",
        include_str!("templates/overview.html.j2"),
    ),
    ("tables.html.j2", include_str!("templates/tables.html.j2")),
    ("figures.html.j2", include_str!("templates/figures.html.j2")),
    ("origin.html.j2", include_str!("templates/origin.html.j2")),
];

const STYLE: [&str; 4] = [
    include_str!("templates/report.css"),
    include_str!("templates/tables.css"),
    include_str!("templates/figures.css"),
    include_str!("templates/print.css"),
];

const SCRIPT: [&str; 6] = [
    include_str!("templates/report.js"),
    include_str!("templates/files.js"),
    include_str!("templates/tables.js"),
    include_str!("templates/data.js"),
    include_str!("templates/panel.js"),
    include_str!("templates/cells.js"),
];

const FONTS: [(u32, &[u8]); 2] = [
    (400, include_bytes!("../../assets/OpenSans-Regular.ttf")),
    (600, include_bytes!("../../assets/OpenSans-Semibold.ttf")),
];

/// Fills the template with `page`; the page's script reads `data`.
pub(super) fn filled(page: &impl Serialize, data: &impl Serialize) -> Result<String, ReportError> {
    let environment = environment()?;
    let fonts: Vec<(u32, String)> = FONTS
        .iter()
        .map(|(weight, bytes)| (*weight, BASE64_STANDARD.encode(bytes)))
        .collect();
    let data = serde_json::to_string(data).expect("texts and numbers have a JSON form");
    let template = environment.get_template("report.html.j2")?;
    Ok(template.render(context! {
        page => Value::from(Serde(page)),
        fonts,
        style => Value::from_safe_string(STYLE.concat()),
        script => Value::from_safe_string(SCRIPT.concat()),
        // No text of it ends the element that it is in.
        data => Value::from_safe_string(data.replace('<', "\\u003c")),
    })?)
}

/// The templates, and the filter for texts with marks.
pub(super) fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()?;
    environment.set_syntax(syntax);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    environment.add_filter("marked", |text: &str| Value::from_safe_string(marked(text)));
    Ok(environment)
}
