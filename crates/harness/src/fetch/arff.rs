//! ARFF, the format of OpenML and Weka, as CSV: the names of its attributes are the header, its rows the lines.

use super::unpack::Stop;
use std::io::{BufRead, Write};

/// Writes the ARFF file `from` as CSV. `?` becomes an empty cell. Rows must have a value for each attribute; sparse rows,
/// `{index value, …}`, are refused.
pub(super) fn to_csv(mut from: impl BufRead, to: &mut dyn Write) -> Result<(), Stop> {
    let mut bytes = Vec::new();
    let mut number = 0;
    let mut names = Vec::new();
    let mut in_rows = false;
    loop {
        bytes.clear();
        number += 1;
        if from.read_until(b'\n', &mut bytes).map_err(Stop::read)? == 0 {
            break;
        }
        let at = |problem: &str| Stop::Read(format!("line {number}: {problem}"));
        let line = std::str::from_utf8(&bytes).map_err(|_| at("not UTF-8 text"))?;
        let line = line.trim();
        if line.is_empty() || line.starts_with('%') {
            continue;
        }
        if in_rows {
            if line.starts_with('{') {
                return Err(at("a sparse row: expected a value for each attribute"));
            }
            let fields = fields(line).map_err(at)?;
            if fields.len() != names.len() {
                let (found, expected) = (fields.len(), names.len());
                return Err(at(&format!("{found} values for {expected} attributes")));
            }
            write_line(&fields, to)?;
            continue;
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word.to_ascii_lowercase().as_str() {
            "@relation" => {}
            "@attribute" => names.push(attribute(rest.trim_start()).map_err(at)?),
            "@data" if names.is_empty() => return Err(at("no @attribute above @data")),
            "@data" => {
                in_rows = true;
                write_line(&names, to)?;
            }
            _ => return Err(at("expected @relation, @attribute or @data")),
        }
    }
    if in_rows {
        return Ok(());
    }
    Err(Stop::Read("there is no @data".to_owned()))
}

/// The name that a declaration begins with.
fn attribute(text: &str) -> Result<String, &'static str> {
    if text.starts_with(['\'', '"']) {
        return Ok(quoted(text)?.0);
    }
    let name = text.split(char::is_whitespace).next().unwrap_or_default();
    if name.is_empty() {
        return Err("an attribute without a name");
    }
    Ok(name.to_owned())
}

/// The values of a row, without quotes; those that are missing are empty.
fn fields(line: &str) -> Result<Vec<String>, &'static str> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        let tail = if rest.starts_with(['\'', '"']) {
            let (field, tail) = quoted(rest)?;
            fields.push(field);
            tail.trim_start()
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            let field = rest[..end].trim_end();
            fields.push(if field == "?" { "" } else { field }.to_owned());
            &rest[end..]
        };
        match tail.strip_prefix(',') {
            Some(next) => rest = next,
            None if tail.is_empty() => return Ok(fields),
            None => return Err("text after the closing quotation mark of a value"),
        }
    }
}

/// The text between the quotes that `text` begins with, and what follows them. A backslash keeps the next character as it is.
fn quoted(text: &str) -> Result<(String, &str), &'static str> {
    let mut characters = text.char_indices();
    let quote = characters.next().map(|(_, quote)| quote);
    let mut inner = String::new();
    while let Some((index, character)) = characters.next() {
        match character {
            '\\' => inner.extend(characters.next().map(|(_, character)| character)),
            _ if Some(character) == quote => {
                return Ok((inner, &text[index + character.len_utf8()..]));
            }
            _ => inner.push(character),
        }
    }
    Err("a quotation mark that is not closed")
}

/// A line of CSV.
fn write_line(fields: &[String], to: &mut dyn Write) -> Result<(), Stop> {
    let cell = |field: &String| {
        if field.contains([',', '"', '\n']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.clone()
        }
    };
    let cells: Vec<String> = fields.iter().map(cell).collect();
    writeln!(to, "{}", cells.join(",")).map_err(Stop::Write)
}

#[cfg(test)]
mod tests {
    use super::{Stop, to_csv};

    fn csv(arff: &str) -> Result<String, String> {
        let mut to = Vec::new();
        match to_csv(arff.as_bytes(), &mut to) {
            Ok(()) => Ok(String::from_utf8(to).unwrap()),
            Err(Stop::Read(message)) => Err(message),
            Err(Stop::Write(error)) => panic!("{error}"),
        }
    }

    #[test]
    fn attributes_become_the_header_and_rows_the_lines() {
        let text = csv(
            "% a comment\n@RELATION 'two words'\n\n@attribute V1 numeric\n@ATTRIBUTE 'petal length' real\n\
             @attribute \"a,b\" {x, y}\n@attribute Class {1,2}\r\n@DATA\n% between\n0.5, -1e3,x,1\r\n?,2,'it\\'s \"y\"',2\n",
        );
        let expected = "V1,petal length,\"a,b\",Class\n0.5,-1e3,x,1\n,2,\"it's \"\"y\"\"\",2\n";
        assert_eq!(text.as_deref(), Ok(expected));
    }

    #[test]
    fn what_is_not_arff_is_told_with_its_line() {
        let head = "@relation r\n@attribute a real\n@attribute b real\n@data\n";
        let row = |row: &str| csv(&format!("{head}{row}\n")).unwrap_err();
        assert_eq!(row("1"), "line 5: 1 values for 2 attributes");
        assert!(row("{0 1}").starts_with("line 5: a sparse row"));
        assert_eq!(row("'1,2"), "line 5: a quotation mark that is not closed");
        assert!(row("'1'2,3").starts_with("line 5: text after"));
        assert!(
            csv("a,b\n1,2\n")
                .unwrap_err()
                .starts_with("line 1: expected @relation")
        );
        assert_eq!(csv("@relation r\n").unwrap_err(), "there is no @data");
        assert!(csv("@data\n").unwrap_err().contains("no @attribute"));
    }
}
