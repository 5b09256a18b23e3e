//! The file that `--out` names: it can be put there, and is none of those that are read.

use super::exit::{Ended, Exit};
use super::train::usage;
use std::path::{Path, is_separator};

/// That a file can be put at `out`, in a folder that is there or can be made, and that it is none of `inputs`, each with
/// what it is, as `data file`. Nothing is read or written.
///
/// # Errors
/// [`Exit::BadInput`] for a folder or an input by whatever name; [`Exit::InputOutput`] below what is no folder.
pub(super) fn check_out(out: &Path, inputs: &[(&str, &Path)]) -> Result<(), Ended> {
    let shown = out.display();
    let text = out.as_os_str().as_encoded_bytes();
    let ends_as_folder = text.last().is_some_and(|&last| is_separator(last.into()));
    if ends_as_folder || out.is_dir() {
        return usage(
            &format!("--out {shown} is a folder"),
            "name the file to write in it",
        );
    }
    if let Some((what, path)) = inputs.iter().find(|(_, path)| is_same_file(out, path)) {
        let name = if *path == out {
            String::new()
        } else {
            format!(" {}", path.display())
        };
        return usage(
            &format!("--out {shown} is the {what}{name}, which it would replace"),
            "name another file",
        );
    }
    let mut above = out.ancestors().skip(1);
    match above.find(|folder| !folder.as_os_str().is_empty() && folder.exists()) {
        Some(found) if !found.is_dir() => {
            let found = found.display();
            let message = format!(
                "--out {shown} cannot be written: {found} is no folder\n  \
                 = help: name a file in a folder, which is made if it is not there"
            );
            Err(Ended::new(Exit::InputOutput, message))
        }
        _ => Ok(()),
    }
}

/// Whether both are one file that is there, by another spelling or by links too.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let there = |path: &Path| Some((path.canonicalize().ok()?, identity(path)));
    match (there(one), there(other)) {
        (Some((one, of_one)), Some((other, of_other))) => {
            one == other || (of_one.is_some() && of_one == of_other)
        }
        _ => false,
    }
}

/// What a file and its hard links have in common.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    let found = path.metadata().ok()?;
    Some((found.dev(), found.ino()))
}

/// Elsewhere paths alone are compared.
#[cfg(not(unix))]
fn identity(_path: &Path) -> Option<(u64, u64)> {
    None
}
