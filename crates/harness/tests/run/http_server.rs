//! A server of one file at a time on this machine, which does what a test wants of it.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a client asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) path: String,
    /// The header `Range`.
    pub(crate) range: Option<String>,
    /// The header `If-Range`.
    pub(crate) if_range: Option<String>,
}

/// What it gets.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    status: &'static str,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    /// So many bytes of the body are sent.
    cut: usize,
    /// The connection stays open after these, and nothing comes.
    stalls: bool,
}

impl Reply {
    pub(crate) fn new(status: &'static str, body: &[u8]) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.to_vec(),
            cut: body.len(),
            stalls: false,
        }
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The connection breaks after so many bytes of the body.
    pub(crate) fn cut(mut self, bytes: usize) -> Self {
        self.cut = bytes;
        self
    }

    /// Nothing comes after so many bytes of the body.
    pub(crate) fn stall(mut self, bytes: usize) -> Self {
        self.stalls = true;
        self.cut(bytes)
    }
}

/// The file `content` of the version `tag`, as a server gives it that knows ranges.
pub(crate) fn ranged(asked: &Asked, content: &[u8], tag: &str) -> Reply {
    let same = asked.if_range.as_deref().is_none_or(|known| known == tag);
    let from = asked.range.as_deref().filter(|_| same).map(|range| {
        let from = range
            .strip_prefix("bytes=")
            .and_then(|r| r.strip_suffix('-'));
        let from: usize = from.expect("a range to the end").parse().unwrap();
        from
    });
    let reply = match from {
        Some(from) if from >= content.len() => Reply::new("416 Range Not Satisfiable", b""),
        Some(from) => {
            let range = format!("bytes {from}-{}/{}", content.len() - 1, content.len());
            Reply::new("206 Partial Content", &content[from..]).header("Content-Range", &range)
        }
        None => Reply::new("200 OK", content),
    };
    reply.header("ETag", tag)
}

/// Answers until the tests end.
pub(crate) struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// `answer` gets the request and how many came before it.
    pub(crate) fn start(answer: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let answer = Arc::new(answer);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                std::thread::spawn(move || serve(&stream.unwrap(), &log, &*answer));
            }
        });
        Self { address, asked }
    }

    /// Of a file that has one version and comes whole, to who asks for ranges in parts.
    pub(crate) fn of(content: &[u8]) -> Self {
        let content = content.to_vec();
        Self::start(move |asked, _| ranged(asked, &content, "\"one\""))
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// The requests so far, in order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

/// One request; then the connection is closed.
fn serve(
    mut stream: &TcpStream,
    log: &Mutex<Vec<Asked>>,
    answer: &(dyn Fn(&Asked, usize) -> Reply + Send + Sync),
) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else {
        return;
    };
    let mut asked = Asked {
        path: first.split(' ').nth(1).unwrap_or_default().to_owned(),
        range: None,
        if_range: None,
    };
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(": ").expect("a header");
        match name.to_ascii_lowercase().as_str() {
            "range" => asked.range = Some(value.to_owned()),
            "if-range" => asked.if_range = Some(value.to_owned()),
            _ => {}
        }
    }
    let count = {
        let mut log = log.lock().unwrap();
        log.push(asked.clone());
        log.len() - 1
    };
    let reply = answer(&asked, count);
    let mut head = format!("HTTP/1.1 {}\r\nConnection: close\r\n", reply.status);
    let chunked = reply
        .headers
        .iter()
        .any(|(name, _)| *name == "Transfer-Encoding");
    if !chunked {
        write!(head, "Content-Length: {}\r\n", reply.body.len()).unwrap();
    }
    for (name, value) in &reply.headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    // A client that has gone is what some tests want.
    let _ = stream.write_all(format!("{head}\r\n").as_bytes());
    let _ = stream.write_all(&reply.body[..reply.cut]);
    let _ = stream.flush();
    if reply.stalls {
        std::thread::sleep(Duration::from_mins(2));
    }
}
