//! What is wrong with a manifest.

/// What is wrong with the value of a key.
pub(super) struct Fault {
    /// The key; that of a table within as `download.url`.
    pub(super) key: &'static str,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Fault {
    pub(super) fn new(key: &'static str, message: String) -> Self {
        let help = None;
        Self { key, message, help }
    }

    pub(super) fn help(mut self, help: &str) -> Self {
        self.help = Some(help.to_owned());
        self
    }
}
