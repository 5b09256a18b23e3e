//! From what was downloaded to the data file, in streams.

use super::digest::BLOCK;
use super::progress::{Progress, Watched};
use super::{FetchError, arff};
use crate::data::{Compression, Download};
use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use zip::ZipArchive;
use zip::result::ZipError;

/// Why a stream ended early.
pub(super) enum Stop {
    /// What is read is not what it should be.
    Read(String),
    /// What is unpacked cannot be written.
    Write(io::Error),
}

impl Stop {
    #[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
    pub(super) fn read(error: impl ToString) -> Self {
        Self::Read(error.to_string())
    }
}

/// Writes the data file that is in `packed` to `to`.
///
/// # Errors
/// [`FetchError::Unreadable`] and [`FetchError::Member`] if it is not in there, [`FetchError::Io`] of disk `to_path`.
pub(super) fn unpack(
    download: &Download,
    packed: &Path,
    to: &mut dyn Write,
    to_path: &Path,
    progress: &mut Progress,
) -> Result<(), FetchError> {
    let file = File::open(packed).map_err(FetchError::io("read", packed))?;
    let length = file.metadata().map_err(FetchError::io("read", packed))?;
    let stopped = if download.compression == Compression::Zip {
        from_archive(download, file, to, progress)?
    } else {
        progress.begin(0, Some(length.len()));
        let inner = BufReader::with_capacity(
            BLOCK,
            Watched {
                inner: file,
                progress,
            },
        );
        match download.compression {
            Compression::None | Compression::Zip => convert(download, inner, to),
            Compression::Bz2 => convert(download, MultiBzDecoder::new(inner), to),
            Compression::Gz => convert(download, MultiGzDecoder::new(inner), to),
            Compression::Xz => convert(download, XzReader::new(inner, true), to),
        }
    };
    progress.finish();
    stopped.map_err(|stop| match stop {
        Stop::Read(message) => FetchError::Unreadable {
            url: download.url.clone(),
            format: match download.compression {
                Compression::None => "ARFF",
                packed => packed.name(),
            },
            message,
        },
        Stop::Write(source) => FetchError::io("write", to_path)(source),
    })
}

/// The one file of a zip archive that is wanted.
fn from_archive(
    download: &Download,
    file: File,
    to: &mut dyn Write,
    progress: &mut Progress,
) -> Result<Result<(), Stop>, FetchError> {
    let mut archive = match ZipArchive::new(BufReader::new(file)) {
        Ok(archive) => archive,
        Err(error) => return Ok(Err(of_zip(error))),
    };
    let names = archive.file_names().flatten().map(Cow::into_owned);
    let members: Vec<String> = names.filter(|name| !name.ends_with('/')).collect();
    let problem = match (&download.member, members.as_slice()) {
        (Some(member), _) if members.contains(member) => None,
        (None, [_]) => None,
        (Some(member), _) => Some(format!("has no file `{member}`")),
        (None, []) => Some("is empty".to_owned()),
        (None, _) => Some("has several files".to_owned()),
    };
    if let Some(problem) = problem {
        return Err(FetchError::Member {
            url: download.url.clone(),
            problem,
            members,
        });
    }
    let member = download.member.as_ref().unwrap_or(&members[0]);
    let inner = match archive.by_name(member) {
        Ok(inner) => inner,
        Err(error) => return Ok(Err(of_zip(error))),
    };
    progress.begin(0, Some(inner.size()));
    Ok(convert(download, Watched { inner, progress }, to))
}

/// What is wrong with an archive.
fn of_zip(error: ZipError) -> Stop {
    Stop::Read(match error {
        ZipError::InvalidArchive(what) => {
            format!("its list of files is not there or damaged ({what})")
        }
        ZipError::UnsupportedArchive(what) => {
            format!("it is packed in a way that is not known here ({what})")
        }
        other => other.to_string(),
    })
}

/// Writes `from` as the data file: as it is, below a header, or from ARFF.
fn convert(download: &Download, mut from: impl Read, to: &mut dyn Write) -> Result<(), Stop> {
    if download.arff {
        return arff::to_csv(BufReader::with_capacity(BLOCK, from), to);
    }
    if !download.columns.is_empty() {
        writeln!(to, "{}", download.columns.join(",")).map_err(Stop::Write)?;
    }
    let mut block = vec![0; BLOCK];
    loop {
        match from.read(&mut block) {
            Ok(0) => return Ok(()),
            Ok(count) => to.write_all(&block[..count]).map_err(Stop::Write)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Stop::read(error)),
        }
    }
}
