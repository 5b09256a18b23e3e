//! Every form of a table, from one made by hand with text that each form could take for markup.

use crate::support::{axes, classification_tables, run};
use robust_svm_harness::store::Status;
use robust_svm_harness::table::{
    CellsOf, Column, Data, Document, Entry, Table, csv, latex, markdown,
};

/// Everything that means something to one of the forms.
const NASTY: &str = r#"a&b_c%d|e<f>g$h#i{j}k~l^m\n"o"`p`*q*[r]--s"#;

fn nasty() -> Document {
    let cells = || CellsOf::triple(NASTY, "Γ-rff", 0.1).and("n", None);
    let names = |name: &str| vec![Entry::name(name), Entry::name("0.1")];
    let lines = vec![
        [
            names(NASTY),
            vec![
                Entry {
                    best: true,
                    ..Entry::result("96.5 ± 1.3", [0.965, 0.013], [cells()])
                },
                Entry::result("9.2–10.0", [0.092, 0.1], [cells()]).noted(Some(0)),
            ],
        ],
        [
            names("[line, start]"),
            vec![
                Entry::result("-24.2", [-0.242], [cells()]),
                Entry::result("1.0e-9", [1e-9], [cells(), cells()]).noted(Some(1)),
            ],
        ],
        [
            names("*Nyström, p̄ ≤ ½"),
            vec![
                Entry::result("−1.2 [−2.0, +0.4] *", [-0.012, -0.02, 0.004], [cells()]),
                Entry::result("—", [], [cells()]),
            ],
        ],
    ];
    let table = Table {
        columns: vec![
            Column::names("dataset", "dataset"),
            Column::numbers("level γ", "level"),
            Column::numbers("a|b_c & more", "a").in_unit("%"),
            Column::numbers("σ²", "sigma_squared"),
        ],
        lines: lines.into_iter().map(|line| line.concat()).collect(),
        remark: "*Of all*, 95 % are < 2⁻ⁿ.".to_owned(),
        notes: vec!["n = 2 of 3: 1 failed.".to_owned(), "no cells.".to_owned()],
        ..Table::default()
    };
    let second = Table {
        title: Some("A second & last".to_owned()),
        caption: "Of its own, θ_max.".to_owned(),
        notes: Vec::new(),
        ..table.clone()
    };
    Document {
        name: "nasty".to_owned(),
        title: "Text & signs < 100 %".to_owned(),
        caption: "**Bold** and *not*, `|ω_jᵀδ| ≤ θ_max`, ‖Σ^{1/2}‖_F; * alone.".to_owned(),
        tables: vec![table, second],
        data: Data {
            header: vec!["name".to_owned(), "value".to_owned()],
            records: vec![vec![NASTY.to_owned(), "a,b\nc".to_owned()]],
        },
    }
}

#[test]
fn every_form_of_nasty_text() {
    insta::assert_snapshot!("nasty_markdown", markdown(&nasty()));
    insta::assert_snapshot!("nasty_latex", latex(&nasty(), "ex"));
    let expected = format!(
        "name,value\n\"{}\",\"a,b\nc\"\n",
        NASTY.replace('"', "\"\"")
    );
    assert_eq!(csv(&nasty().data), expected);
}

/// The commands that tables use.
const COMMANDS: &str = "begin end caption centering small footnotesize scriptsize tiny toprule midrule bottomrule \
    addlinespace resizebox ifdim width linewidth else fi shortstack textbf emph textsuperscript par smallskip setlength \
    tabcolsep LTcapwidth belowcaptionskip endfirsthead endhead endlastfoot mathrm bar top pm times div cdot leq geq infty \
    frac ldots textasciitilde textasciicircum textbackslash textasciigrave Gamma Sigma Phi alpha gamma delta varepsilon \
    zeta eta theta lambda sigma omega to";

/// LaTeX that no engine can stumble over: commands that are known, groups that close, as many fields on each line, and no
/// sign of its syntax in what was text.
fn check_latex(latex: &str) {
    let mut depth = 0;
    let mut columns = 0;
    for line in latex.lines().filter(|line| !line.starts_with('%')) {
        if let Some((_, sides)) = line.split_once("{@{}") {
            columns = sides.split('@').next().unwrap().len();
        }
        let fields = check_line(line, &mut depth);
        if line.ends_with("\\\\") && !line.starts_with("\\caption") {
            assert_eq!(fields, columns, "{line}");
            assert!(!line.starts_with(['[', '*']), "{line}");
        }
    }
    assert_eq!(depth, 0);
}

/// Checks a line; `depth` counts its groups. Returns its fields.
fn check_line(line: &str, depth: &mut i32) -> usize {
    // A label is no text.
    let label = line
        .find("\\label{")
        .map(|at| at..=at + line[at..].find('}').unwrap());
    let text = label.map_or(line.to_owned(), |label| line.replace(&line[label], ""));
    let (mut fields, mut math) = (1, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let mut command = String::new();
                while let Some(letter) = chars.next_if(char::is_ascii_alphabetic) {
                    command.push(letter);
                }
                if command.is_empty() {
                    let sign = chars.next().unwrap();
                    assert!("&%$#_{}\\|".contains(sign), "\\{sign} in {line}");
                } else {
                    let known = COMMANDS.split_whitespace().any(|known| known == command);
                    assert!(known, "\\{command} in {line}");
                }
            }
            '{' => *depth += 1,
            '}' => {
                *depth -= 1;
                assert!(*depth >= 0, "{line}");
            }
            '$' => math = !math,
            '&' => fields += 1,
            '^' | '_' | '|' | '<' => assert!(math, "{c} outside mathematics in {line}"),
            '#' | '"' | '`' => panic!("{c} in {line}"),
            '%' => assert!(chars.peek().is_none(), "a comment in {line}"),
            _ => {}
        }
    }
    assert!(!math, "{line}");
    fields
}

#[test]
fn latex_is_well_formed() {
    check_latex(&latex(&nasty(), "ex"));
    let axes = axes(10);
    let mut rows = run(&axes, 3);
    for row in rows
        .iter_mut()
        .filter(|row| row.repeat == 1 && row.level == 0.2)
    {
        row.status = Status::Failed;
        row.measurement = None;
    }
    let documents = classification_tables(&rows, &axes, &[]);
    assert_eq!(documents.len(), 5);
    for document in &documents {
        let latex = latex(document, "noise-grid");
        check_latex(&latex);
        let label = format!("\\label{{tab:noise-grid-{}}}", document.name);
        assert_eq!(latex.matches(&label).count(), 1);
        let long = document.tables[0].lines.len() > 40;
        assert_eq!(latex.contains("\\begin{longtable}"), long);
    }
}

/// Each caption, remark and letter that tables have, of any size or script.
#[test]
fn latex_keeps_letters_and_separates_hyphens() {
    let mut document = nasty();
    document.title = "中文 Éa--b---c Ωx̄²⁻³y₁₂ᵀ".to_owned();
    let latex = latex(&document, "ex");
    let title = "中文 Éa-{}-b-{}-{}-c $\\Omega$$\\bar{x}$$^{2-3}$y$_{12}$$^{\\top}$.";
    assert!(latex.contains(title), "{latex}");
    // A bar over what is no letter is none: `$\bar{%}$` would be without an end.
    document.title = "9%\u{304}".to_owned();
    let latex = self::latex(&document, "ex");
    assert!(!latex.contains("bar{%"), "{latex}");
    assert!(latex.contains("9\\%"), "{latex}");
}
