//! The report as people use it, in a browser.

use crate::devtools::Browser;
use crate::support::{OTHER_METHODS, SMALL, Workspace, replaced};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

/// Two datasets and every method, run.
fn results() -> Workspace {
    let workspace = Workspace::new();
    let both = replaced(SMALL, "\"blobs\"", "\"blobs\", \"rings\"");
    workspace.write("small.toml", &(both + OTHER_METHODS));
    workspace.run_well(&[]);
    workspace
}

const PAGE: &str = "results/small/report.html";

/// The texts of a column of the first table of `tables/accuracy`, as they stand.
fn column(browser: &mut Browser, column: usize) -> Vec<String> {
    let texts = browser.value(&format!(
        "[...document.querySelectorAll('#table-accuracy tbody tr')].filter((row) => !row.hidden).map((row) => row.cells[{column}].textContent)"
    ));
    let texts = texts.as_array().unwrap().iter();
    texts
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

fn mean(text: &str) -> f64 {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.split(' ').next().unwrap().parse().unwrap()
}

fn means(texts: &[String]) -> Vec<f64> {
    texts.iter().map(|text| mean(text)).collect()
}

#[test]
fn tables_are_sorted_filtered_and_saved() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let workspace = results();
    browser.open(&workspace.path(PAGE));

    // By mouse: upwards, downwards, as it was. Equal ones stay in their order.
    let before = column(&mut browser, 2);
    let heading = "#table-accuracy th[data-key=linear]";
    browser.click(&format!("{heading} button"));
    let mut sorted = before.clone();
    sorted.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
    assert_eq!(means(&column(&mut browser, 2)), means(&sorted));
    let direction = format!("document.querySelector('{heading}').getAttribute('aria-sort')");
    assert_eq!(browser.value(&direction), "ascending");
    browser.click(&format!("{heading} button"));
    sorted.reverse();
    assert_eq!(means(&column(&mut browser, 2)), means(&sorted));
    assert_ne!(means(&before), means(&sorted));
    browser.click(&format!("{heading} button"));
    assert_eq!(column(&mut browser, 2), before);
    assert_eq!(browser.value(&direction), "none");

    // By keyboard: the levels, as numbers; datasets stay in their order within each.
    browser.value("document.querySelector('#table-accuracy th[data-key=dataset] button').focus()");
    browser.press("Tab");
    browser.press("Enter");
    assert_eq!(
        column(&mut browser, 1),
        ["0", "0", "0", "0.3", "0.3", "0.3"]
    );
    let datasets = ["blobs", "rings", "all datasets"];
    assert_eq!(column(&mut browser, 0), [datasets, datasets].concat());

    // Filters.
    browser.click("#table-accuracy input[type=search]");
    browser.type_text("RINGS 0.3");
    assert_eq!(column(&mut browser, 0), ["rings"]);
    let count = "document.querySelector('#table-accuracy .count').textContent";
    assert_eq!(browser.value(count), "1 of 6 lines");
    browser.value("{ const e = document.querySelector('#table-accuracy input'); e.value = ''; e.dispatchEvent(new Event('input')); }");
    browser.value("{ const e = document.querySelector('#table-accuracy select'); e.value = 'blobs'; e.dispatchEvent(new Event('change')); }");
    assert_eq!(column(&mut browser, 0), ["blobs", "blobs"]);

    // Every table's files are those of the results folder, whatever is sorted or filtered.
    let files = browser
        .value("[...document.querySelectorAll('[data-file]')].map((link) => link.dataset.file)");
    let named: BTreeSet<&str> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f.as_str().unwrap())
        .collect();
    let tables = workspace.path("results/small/tables");
    let written: BTreeSet<String> = fs::read_dir(&tables)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension() != Some("md".as_ref()))
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(named, written.iter().map(String::as_str).collect());
    for name in named {
        // Chromium refuses the eleventh of files that come in quick succession.
        std::thread::sleep(Duration::from_millis(250));
        let saved = browser.save(&format!("[data-file='{name}']"));
        assert_eq!(saved, fs::read(tables.join(name)).unwrap(), "{name}");
    }
    let svg = String::from_utf8(browser.save("#figure-robust_error [data-save=svg]")).unwrap();
    roxmltree::Document::parse(&svg).unwrap();
    assert!(
        browser
            .save("#figure-robust_error [data-save=png]")
            .starts_with(b"\x89PNG")
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn numbers_lead_to_their_cells() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let workspace = results();
    browser.open(&workspace.path(PAGE));
    // The mean of an entry, made again from the cells that the panel lists.
    let entry = "#table-accuracy tbody tr:nth-child(2) td[data-rests]:nth-child(6)";
    browser.click(entry);
    let told = "document.querySelector('.panel[open]').innerText";
    let text = browser.value(told).as_str().unwrap().to_owned();
    let command = "robust-svm explain results/small tables/accuracy:blobs/0.3/rff";
    assert!(text.contains(command), "{text}");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let explained = workspace.program(&words);
    assert_eq!(explained.code, 0, "{}", explained.told());
    let ids =
        browser.value("[...document.querySelectorAll('.panel td code')].map((e) => e.textContent)");
    let ids: Vec<&str> = ids
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_str().unwrap())
        .collect();
    let rows = workspace.rows("results/small");
    let row = |id: &str| {
        rows.iter()
            .find(|row| row.cell_id == id)
            .expect("it is a cell")
    };
    let of_entry = ids.iter().map(|id| row(id));
    let repeats: Vec<u32> = of_entry.clone().map(|row| row.repeat).collect();
    assert_eq!(repeats, [0, 1]);
    assert!(
        of_entry
            .clone()
            .all(|row| (&*row.dataset, &*row.method, row.level) == ("blobs", "rff", 0.3))
    );
    let mean: f64 = of_entry
        .map(|row| row.measurement.as_ref().unwrap().accuracy)
        .sum::<f64>()
        / 2.0;
    let shown = browser.value(&format!(
        "document.querySelector('{entry}').dataset.numbers"
    ));
    let shown: f64 = shown
        .as_str()
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!((shown - mean).abs() < 1e-12, "{shown} {mean}");

    // A cell's own panel; Escape leads back to the entry.
    browser.click(".panel td code button");
    let text = browser.value(told).as_str().unwrap().to_owned();
    assert!(
        text.contains(&format!("robust-svm explain results/small {}", ids[0])),
        "{text}"
    );
    assert!(text.contains(&row(ids[0]).seed.to_string()), "{text}");
    browser.press("Escape");
    assert_eq!(
        browser.value("document.querySelector('.panel').open"),
        json!(false)
    );

    // By keyboard: one stop of a table, arrows within it, Enter opens.
    browser.value("document.querySelector('#table-accuracy td[tabindex=\"0\"]').focus()");
    browser.press("ArrowDown");
    browser.press("ArrowRight");
    let at = "[document.activeElement.parentElement.rowIndex, document.activeElement.cellIndex]";
    assert_eq!(browser.value(at), json!([3, 6]));
    browser.press("Enter");
    assert_eq!(
        browser.value("document.querySelector('.panel').open"),
        json!(true)
    );
    browser.press("Escape");
    assert_eq!(browser.value(at), json!([3, 6]));
    let stops = "document.querySelectorAll('#table-accuracy td[tabindex=\"0\"]').length";
    assert_eq!(browser.value(stops), json!(1));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn cells_are_paged_sorted_and_filtered() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let workspace = results();
    browser.open(&workspace.path(PAGE));
    let rows = workspace.rows("results/small");
    assert_eq!(rows.len(), 56);
    let ids = "[...document.querySelectorAll('#cells td code')].map((e) => e.textContent)";
    let all: Vec<&str> = rows.iter().map(|row| row.cell_id.as_str()).collect();
    assert_eq!(browser.value(ids), json!(all[..50]));
    browser.click("#cells .pages button:last-of-type");
    assert_eq!(browser.value(ids), json!(all[50..]));
    browser.click("#cells th[data-key=certified_error] button");
    let mut sorted: Vec<_> = rows.iter().collect();
    let error = |row: &&robust_svm_harness::store::CellRow| {
        row.measurement.as_ref().unwrap().certified_error
    };
    sorted.sort_by(|a, b| error(a).total_cmp(&error(b)));
    let sorted: Vec<&str> = sorted[..50]
        .iter()
        .map(|row| row.cell_id.as_str())
        .collect();
    assert_eq!(browser.value(ids), json!(sorted));
    browser.click("#cells input");
    browser.type_text(&rows[17].cell_id);
    assert_eq!(browser.value(ids), json!([rows[17].cell_id]));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The contrast of every text with what is behind it, the least first: [ratio, text].
const CONTRASTS: &str = "(() => {
  const rgba = (text) => { const v = text.match(/[\\d.]+/g).map(Number); return [v[0], v[1], v[2], v[3] ?? 1]; };
  const linear = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = (e) => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] > 0) return c; } return [255, 255, 255]; };
  const found = [];
  for (const e of document.querySelectorAll('body *')) {
    if (!e.checkVisibility({ visibilityProperty: true }) || e.closest('.hidden, .skip, script, title, desc, button:disabled')) continue;
    const text = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join(' ').trim();
    if (!text) continue;
    const style = getComputedStyle(e);
    const [a, b] = [light(rgba(e instanceof SVGElement ? style.fill : style.color)), light(behind(e))];
    found.push([(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), `${e.tagName}.${e.className?.baseVal ?? e.className}: ${text.slice(0, 40)}`]);
  }
  return found.sort((a, b) => a[0] - b[0]).slice(0, 5).concat([[found.length, '']]);
})()";

/// Parts of figures that stand in the colour they were drawn in; 50 at most.
const UNCHANGED: &str = "(() => {
  const hex = (text) => '#' + text.match(/\\d+/g).slice(0, 3).map((v) => Number(v).toString(16).padStart(2, '0')).join('').toUpperCase();
  const same = (e, name) => e.hasAttribute(name) && e.getAttribute(name) !== 'none' && hex(getComputedStyle(e)[name]) === e.getAttribute(name);
  return [...document.querySelectorAll('figure svg g *')].filter((e) => same(e, 'fill') || same(e, 'stroke')).slice(0, 50).map((e) => e.outerHTML.slice(0, 200));
})()";

#[test]
fn both_schemes_can_be_read() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let workspace = results();
    browser.prefer("light");
    browser.open(&workspace.path(PAGE));
    let paper = "getComputedStyle(document.body).backgroundColor";
    let figure =
        "getComputedStyle(document.querySelector('#figure-accuracy path[fill=\"#FFFFFF\"]')).fill";
    let look = |browser: &mut Browser| [browser.value(paper), browser.value(figure)];
    let light = look(&mut browser);
    check_contrast(&mut browser);
    assert_eq!(browser.value(UNCHANGED).as_array().unwrap().len(), 50);
    // As the system has it, unless another is chosen, which is remembered.
    browser.prefer("dark");
    let dark = look(&mut browser);
    assert!(
        light[0] != dark[0] && light[1] != dark[1],
        "{light:?} {dark:?}"
    );
    assert_eq!(browser.value(UNCHANGED), json!([]));
    check_contrast(&mut browser);
    browser.click("[data-scheme-choice=light]");
    assert_eq!(look(&mut browser), light);
    browser.open(&workspace.path(PAGE));
    assert_eq!(look(&mut browser), light);
    let pressed = "document.querySelector('.scheme [aria-pressed=true]').textContent";
    assert_eq!(browser.value(pressed), "light");
    browser.click("[data-scheme-choice=auto]");
    assert_eq!(look(&mut browser), dark);
    // A panel too.
    browser.click("#table-accuracy td[data-rests]");
    check_contrast(&mut browser);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// WCAG 2.1, 1.4.3, level AA.
fn check_contrast(browser: &mut Browser) {
    let least = browser.value(CONTRASTS);
    let found = least.as_array().unwrap();
    assert!(found.last().unwrap()[0].as_f64() > Some(200.0), "{least}");
    assert!(found[0][0].as_f64() >= Some(4.5), "{least}");
}

#[test]
fn a_narrow_page_and_a_printed_one_lose_nothing_at_the_side() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let workspace = results();
    for (width, media) in [(400, "screen"), (1400, "screen"), (718, "print")] {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        browser.call("Emulation.setDeviceMetricsOverride", size);
        browser.call("Emulation.setEmulatedMedia", json!({ "media": media }));
        browser.open(&workspace.path(PAGE));
        let overflow = browser.value("document.documentElement.scrollWidth - innerWidth");
        assert!(overflow.as_i64() <= Some(0), "{width} {media}: {overflow}");
    }
    assert_eq!(
        browser.value("getComputedStyle(document.querySelector('.tools')).display"),
        "none"
    );
}

/// Without scripts everything is there to be read.
#[test]
fn a_page_without_scripts_is_whole() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let workspace = results();
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({ "value": true }),
    );
    browser.open(&workspace.path(PAGE));
    let shown: Value = browser.value(
        "[document.querySelectorAll('.document td').length, document.querySelectorAll('figure svg').length, \
         document.querySelector('.without-script').checkVisibility(), document.querySelector('.scheme').checkVisibility()]",
    );
    assert!(shown[0].as_u64() > Some(50), "{shown}");
    assert!(shown[1].as_u64() >= Some(4), "{shown}");
    assert_eq!((&shown[2], &shown[3]), (&json!(true), &json!(false)));
}
