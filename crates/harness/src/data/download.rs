//! The table `[download]` of a manifest: where its data file comes from, and what is to be done with what comes.

use super::{Fault, Format};
use serde::{Deserialize, Serialize};

/// Where a data file is fetched, and how what is there becomes the data file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Download {
    /// The address, `https://…`. Of this machine `http://localhost…` and `http://127.0.0.1…` will do.
    pub url: String,
    /// How the file there is packed.
    #[serde(default)]
    pub compression: Compression,
    /// Zip: which file of the archive is wanted. May be left out where there is one.
    pub member: Option<String>,
    /// The names of the columns of a CSV file that has no header: they become its first line.
    #[serde(default)]
    pub columns: Vec<String>,
    /// The file is ARFF, with values for each attribute: its declarations become the header of a CSV file.
    #[serde(default)]
    pub arff: bool,
    /// SHA-256 of what is at the address, in hexadecimal digits: published, or recorded when it was fetched first.
    pub sha256: Option<String>,
    /// Its size, for readers.
    pub bytes: Option<u64>,
    /// Whether it has been fetched from there by who wrote this.
    #[serde(default)]
    pub tried: bool,
}

/// How a file is packed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// By bzip2.
    Bz2,
    /// By gzip.
    Gz,
    /// By xz.
    Xz,
    /// In an archive of files.
    Zip,
}

impl Compression {
    /// Its name in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bz2 => "bz2",
            Self::Gz => "gz",
            Self::Xz => "xz",
            Self::Zip => "zip",
        }
    }
}

impl Download {
    /// The host in the address.
    pub fn host(&self) -> &str {
        let rest = self.url.split_once("://").map_or("", |(_, rest)| rest);
        rest.split(['/', '?', '#']).next().unwrap_or_default()
    }

    /// Whether the address is encrypted: then no redirection may leave encryption.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.url.starts_with("https://")
    }

    /// The first contradiction in it; `format` is that of the data file.
    pub(super) fn fault(&self, format: Format) -> Option<Fault> {
        let host = self.host();
        let name = host.split(':').next().unwrap_or_default();
        let local = self.url.starts_with("http://") && ["localhost", "127.0.0.1"].contains(&name);
        if host.is_empty() || !(self.is_encrypted() || local) {
            let message = format!(
                "expected an address that begins with https://, found `{}`",
                self.url
            );
            return Some(Fault::new("download.url", message));
        }
        if self.member.is_some() && self.compression != Compression::Zip {
            let message = "`member` is for zip archives".to_owned();
            return Some(Fault::new("download.member", message));
        }
        if format != Format::Csv && (self.arff || !self.columns.is_empty()) {
            let key = if self.arff {
                "download.arff"
            } else {
                "download.columns"
            };
            let message = "`columns` and `arff` are for data files with format = \"csv\"";
            return Some(Fault::new(key, message.to_owned()));
        }
        if self.arff && !self.columns.is_empty() {
            let message = "an ARFF file names its columns: leave `columns` out".to_owned();
            return Some(Fault::new("download.columns", message));
        }
        let plain = |name: &String| !name.is_empty() && !name.contains([',', '"', '\n', '\r']);
        if let Some(bad) = self.columns.iter().find(|name| !plain(name)) {
            let message = format!("a column cannot be named {bad:?}");
            let fault = Fault::new("download.columns", message);
            return Some(fault.help("names have no commas, quotation marks or ends of lines"));
        }
        let digest =
            |text: &String| text.len() == 64 && text.chars().all(|c| c.is_ascii_hexdigit());
        let bad = self.sha256.as_ref().filter(|text| !digest(text))?;
        let message = format!("expected 64 hexadecimal digits, found `{bad}`");
        Some(Fault::new("download.sha256", message))
    }
}
