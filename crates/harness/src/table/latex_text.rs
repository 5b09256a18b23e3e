//! Text as LaTeX, for any of its engines.

use super::marks::{Mark, pieces};
use std::fmt::Write as _;

/// A marked text.
pub(super) fn marked(text: &str) -> String {
    let piece = |(mark, text): (Mark, &str)| {
        let text = escaped(text);
        match mark {
            Mark::Plain | Mark::Formula => text,
            Mark::Emphasis => format!("\\emph{{{text}}}"),
            Mark::Strong => format!("\\textbf{{{text}}}"),
            Mark::Subscript => format!("$_{{\\mathrm{{{text}}}}}$"),
            Mark::Superscript => format!("$^{{{text}}}$"),
        }
    };
    pieces(text).into_iter().map(piece).collect()
}

/// Displayed numbers: hyphens before digits are minus signs, `1.0e-9` is a power of ten.
pub(super) fn number(text: &str) -> String {
    let words = text.split(' ').map(|word| match power(word) {
        Some((mantissa, exponent)) => format!("{}$\\cdot10^{{{exponent}}}$", escaped(mantissa)),
        None => match word.strip_prefix('-') {
            Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => {
                format!("$-${}", escaped(rest))
            }
            _ => escaped(word),
        },
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Mantissa and exponent of a number that is written with both.
fn power(word: &str) -> Option<(&str, i32)> {
    let (mantissa, exponent) = word.split_once('e')?;
    mantissa.parse::<f64>().ok()?;
    Some((mantissa, exponent.parse().ok()?))
}

/// A text without any meaning to LaTeX. Letters of other scripts stay as they are: XeLaTeX and LuaLaTeX have them.
pub(super) fn escaped(text: &str) -> String {
    let mut latex = String::new();
    let mut raised = Index::new('^');
    let mut lowered = Index::new('_');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if let Some(index) = superscript(c) {
            lowered.close(&mut latex);
            raised.push(&mut latex, index);
            continue;
        }
        if let Some(index) = subscript(c) {
            raised.close(&mut latex);
            lowered.push(&mut latex, index);
            continue;
        }
        raised.close(&mut latex);
        lowered.close(&mut latex);
        if c.is_ascii_alphanumeric() && chars.next_if_eq(&'\u{304}').is_some() {
            let _ = write!(latex, "$\\bar{{{c}}}$");
            continue;
        }
        // Neighbouring hyphens are not a dash.
        if c == '-' && latex.ends_with('-') {
            latex += "{}";
        }
        if c == ' ' && chars.peek() == Some(&'%') {
            latex.push('~');
            continue;
        }
        match character(c) {
            Some(command) => latex += command,
            None if c.is_control() => latex.push(' '),
            None => latex.push(c),
        }
    }
    raised.close(&mut latex);
    lowered.close(&mut latex);
    latex
}

/// A run of raised or lowered characters.
struct Index {
    sign: char,
    open: bool,
}

impl Index {
    fn new(sign: char) -> Self {
        Self { sign, open: false }
    }

    fn push(&mut self, latex: &mut String, text: char) {
        if !self.open {
            let _ = write!(latex, "${}{{", self.sign);
            self.open = true;
        }
        if text == 'T' {
            *latex += "\\top";
        } else {
            latex.push(text);
        }
    }

    fn close(&mut self, latex: &mut String) {
        if self.open {
            *latex += "}$";
            self.open = false;
        }
    }
}

fn superscript(c: char) -> Option<char> {
    const RAISED: [char; 14] = [
        '⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁺', '⁻', 'ⁿ', 'ᵀ',
    ];
    const PLAIN: [char; 14] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', 'n', 'T',
    ];
    let place = RAISED.iter().position(|&raised| raised == c)?;
    Some(PLAIN[place])
}

fn subscript(c: char) -> Option<char> {
    const LOWERED: [char; 12] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉', 'ᵢ', 'ⱼ'];
    const PLAIN: [char; 12] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'i', 'j'];
    let place = LOWERED.iter().position(|&lowered| lowered == c)?;
    Some(PLAIN[place])
}

/// What stands for a character that is no letter of the text.
fn character(c: char) -> Option<&'static str> {
    Some(match c {
        '&' => "\\&",
        '%' => "\\%",
        '$' => "\\$",
        '#' => "\\#",
        '_' => "\\_",
        '{' => "\\{",
        '}' => "\\}",
        '~' => "\\textasciitilde{}",
        '^' => "\\textasciicircum{}",
        '\\' => "\\textbackslash{}",
        '`' => "\\textasciigrave{}",
        '"' => "''",
        '<' => "$<$",
        '>' => "$>$",
        '|' => "$|$",
        // After a line's end these would be its arguments.
        '*' => "{*}",
        '[' => "{[}",
        ']' => "{]}",
        '–' => "--",
        '—' => "---",
        '…' => "\\ldots{}",
        '\u{a0}' => "~",
        '−' => "$-$",
        '±' => "$\\pm$",
        '×' => "$\\times$",
        '÷' => "$\\div$",
        '·' => "$\\cdot$",
        '≤' => "$\\leq$",
        '≥' => "$\\geq$",
        '≠' => "$\\neq$",
        '≈' => "$\\approx$",
        '∞' => "$\\infty$",
        '‖' => "$\\|$",
        '√' => "$\\surd$",
        '∈' => "$\\in$",
        '→' => "$\\to$",
        '′' => "$'$",
        '½' => "$\\frac12$",
        'α' => "$\\alpha$",
        'β' => "$\\beta$",
        'γ' => "$\\gamma$",
        'δ' => "$\\delta$",
        'ε' => "$\\varepsilon$",
        'ζ' => "$\\zeta$",
        'η' => "$\\eta$",
        'θ' => "$\\theta$",
        'κ' => "$\\kappa$",
        'λ' => "$\\lambda$",
        'μ' => "$\\mu$",
        'ν' => "$\\nu$",
        'ξ' => "$\\xi$",
        'π' => "$\\pi$",
        'ρ' => "$\\rho$",
        'σ' => "$\\sigma$",
        'τ' => "$\\tau$",
        'φ' => "$\\varphi$",
        'χ' => "$\\chi$",
        'ψ' => "$\\psi$",
        'ω' => "$\\omega$",
        'Γ' => "$\\Gamma$",
        'Δ' => "$\\Delta$",
        'Θ' => "$\\Theta$",
        'Λ' => "$\\Lambda$",
        'Π' => "$\\Pi$",
        'Σ' => "$\\Sigma$",
        'Φ' => "$\\Phi$",
        'Ψ' => "$\\Psi$",
        'Ω' => "$\\Omega$",
        _ => return None,
    })
}
