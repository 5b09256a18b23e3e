//! Chromium without a window, driven through its DevTools protocol over pipes.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(90);

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    /// What the browser told without being asked.
    events: Vec<Value>,
    next: u64,
    /// Its profile and its downloads.
    folder: TempDir,
}

/// Chromium, where it is installed.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .flat_map(|name| std::env::split_paths(&path).map(move |folder| folder.join(name)))
        .find(|program| program.is_file())
}

impl Browser {
    /// Starts it; `None`, and a word on standard error, where there is none.
    pub(crate) fn start() -> Option<Self> {
        let Some(program) = program() else {
            eprintln!("skipped: Chromium is not installed");
            return None;
        };
        let folder = TempDir::new().expect("a folder for the browser");
        // The protocol's pipes are the file descriptors 3 and 4.
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null",
            ])
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
            ])
            .args([
                "--no-first-run",
                "--disable-background-networking",
                "--hide-scrollbars",
            ])
            .args([
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
            ])
            .args(["--remote-debugging-pipe", "--window-size=1400,1000"])
            .arg(format!(
                "--user-data-dir={}",
                folder.path().join("profile").display()
            ))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell starts");
        let input = child.stdin.take().expect("it is a pipe");
        let output = child.stdout.take().expect("it is a pipe");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("messages are JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self {
            child,
            input,
            messages,
            session: None,
            events: Vec::new(),
            next: 1,
            folder,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        let downloads = browser.downloads().display().to_string();
        let allow =
            json!({ "behavior": "allow", "downloadPath": downloads, "eventsEnabled": true });
        browser.call("Browser.setDownloadBehavior", allow);
        Some(browser)
    }

    /// Clicks on what `selector` finds first, which saves a file, and waits until it is whole: a file stands there empty before.
    pub(crate) fn save(&mut self, selector: &str) -> Vec<u8> {
        let before = self.events.len();
        self.click(selector);
        let find = |events: &[Value], method: &str, key: &str, value: &Value| {
            let mut found = events[before..]
                .iter()
                .filter(|event| event["method"] == method);
            found
                .find(|event| event["params"][key] == *value)
                .map(|event| event["params"].clone())
        };
        loop {
            let canceled = find(
                &self.events,
                "Browser.downloadProgress",
                "state",
                &json!("canceled"),
            );
            assert!(canceled.is_none(), "{selector}: the browser saves nothing");
            let whole = find(
                &self.events,
                "Browser.downloadProgress",
                "state",
                &json!("completed"),
            );
            if let Some(whole) = whole {
                let begun = find(
                    &self.events,
                    "Browser.downloadWillBegin",
                    "guid",
                    &whole["guid"],
                );
                let name = begun.expect("a download begins before it ends")["suggestedFilename"]
                    .as_str()
                    .expect("it has a name")
                    .to_owned();
                return std::fs::read(self.downloads().join(name)).expect("it is saved");
            }
            self.wait();
        }
    }

    /// Where files are saved to.
    fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// Opens the file `path` and waits until it is there.
    pub(crate) fn open(&mut self, path: &Path) {
        let url = format!("file://{}", path.display());
        self.events.clear();
        self.call("Page.navigate", json!({ "url": url }));
        while !self
            .events
            .iter()
            .any(|e| e["method"] == "Page.loadEventFired")
        {
            self.wait();
        }
    }

    /// The value of `expression`, a script's; what a script throws is a failure.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let ask = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
        });
        let answer = self.call("Runtime.evaluate", ask);
        let thrown = &answer["exceptionDetails"];
        assert!(thrown.is_null(), "{expression}: {thrown}");
        answer["result"]["value"].clone()
    }

    /// Clicks with the mouse on what `selector` finds first.
    pub(crate) fn click(&mut self, selector: &str) {
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()",
            json!(selector)
        ));
        for (kind, buttons) in [("mousePressed", 1), ("mouseReleased", 0)] {
            let event = json!({
                "type": kind, "x": place[0], "y": place[1], "button": "left", "buttons": buttons, "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => panic!("its code is not known: {key}"),
        };
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let event = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text,
            });
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Types a text.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// The page as people without, or with, a dark scheme of their system see it.
    pub(crate) fn prefer(&mut self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
    }

    /// What went wrong on the page so far: errors and warnings of its console, and addresses it asked for.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        // An answer comes after all that was told before.
        self.value("0");
        let complaint = |event: &Value| {
            let method = event["method"].as_str()?;
            let url = event["params"]["request"]["url"]
                .as_str()
                .unwrap_or_default();
            let own = ["file:", "data:", "blob:"]
                .iter()
                .any(|scheme| url.starts_with(scheme));
            let is_one = match method {
                "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded" => true,
                "Network.requestWillBeSent" => !own,
                _ => false,
            };
            is_one.then(|| event.to_string())
        };
        self.events.iter().filter_map(complaint).collect()
    }

    /// The answer to a call of the protocol.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.next;
        self.next += 1;
        let mut message = json!({ "id": id, "method": method });
        message["params"] = parameters;
        if let Some(session) = self
            .session
            .as_ref()
            .filter(|_| !method.starts_with("Browser."))
        {
            message["sessionId"] = json!(session);
        }
        let text = format!("{message}\0");
        self.input
            .write_all(text.as_bytes())
            .expect("the browser listens");
        loop {
            let message = self.next_message();
            if message["id"] == json!(id) {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn wait(&mut self) {
        let message = self.next_message();
        self.events.push(message);
    }

    fn next_message(&self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE);
        message.expect("the browser answers")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
