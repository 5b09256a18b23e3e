//! What cannot be fetched is told with the reason, and leaves everything as it was.

use crate::fetch::{assert_fetched, content, datasets, entry, sha256, workspace, zipped};
use crate::http_server::{Reply, Server, ranged};
use crate::support::{Ended, Workspace};
use bzip2::write::BzEncoder;
use insta::{assert_snapshot, with_settings};
use std::fs;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// That there is no trace of `served`.
fn assert_nothing(workspace: &Workspace) {
    let names = workspace.relative("datasets").into_keys();
    let served = names.filter(|path| !path.display().to_string().contains("blobs"));
    let served: Vec<_> = served
        .filter(|path| !path.display().to_string().contains("rings"))
        .collect();
    assert!(served.is_empty(), "{served:?}");
}

/// What was told, the server's port left out.
fn assert_told(name: &str, ended: &Ended) {
    with_settings!({filters => vec![(r"127\.0\.0\.1:\d+", "[server]")]}, {
        assert_snapshot!(name, ended.told());
    });
}

#[test]
fn what_is_not_what_was_published_is_not_kept() {
    let server = Server::of(&content());
    let lines = format!("sha256 = \"{}\"", sha256(b"another file"));
    let workspace = workspace(&server.url("/served"), &lines);
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_told("fetch_wrong_checksum", &ended);
    assert_eq!(ended.code, 3);
    assert_nothing(&workspace);
}

#[test]
fn what_is_not_what_was_recorded_leaves_the_file_that_is_there() {
    let (first, second) = (content(), [content(), b"1,2,0\n".to_vec()].concat());
    let changed = Arc::new(AtomicBool::new(false));
    let (one, two, is_changed) = (first.clone(), second.clone(), Arc::clone(&changed));
    let server = Server::start(move |asked, _| {
        if is_changed.load(Ordering::SeqCst) {
            ranged(asked, &two, "\"two\"")
        } else {
            ranged(asked, &one, "\"one\"")
        }
    });
    let workspace = workspace(&server.url("/served"), "");
    assert_fetched(
        &workspace,
        &datasets(&workspace, &["fetch", "served"]),
        &first,
    );
    changed.store(true, Ordering::SeqCst);
    let ended = datasets(&workspace, &["fetch", "served", "--again"]);
    assert_eq!(ended.code, 3, "{}", ended.told());
    for sum in [sha256(&first), sha256(&second)] {
        assert!(ended.stderr.contains(&sum), "{}", ended.told());
    }
    let still = datasets(&workspace, &["fetch", "served"]);
    assert_fetched(&workspace, &still, &first);
    // The advice of the error.
    fs::remove_file(workspace.path("datasets/served.toml")).unwrap();
    let accepted = datasets(&workspace, &["fetch", "served", "--again"]);
    assert_fetched(&workspace, &accepted, &second);
}

#[test]
fn a_data_file_that_was_changed_is_told_and_fetched_again_on_demand() {
    let content = content();
    let server = Server::of(&content);
    let workspace = workspace(&server.url("/served"), "");
    assert_fetched(
        &workspace,
        &datasets(&workspace, &["fetch", "served"]),
        &content,
    );
    fs::write(workspace.path("datasets/served.csv"), "x,y,label\n1,2,0\n").unwrap();
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_eq!(ended.code, 3, "{}", ended.told());
    assert!(ended.stderr.contains("--again"), "{}", ended.told());
    let ended = datasets(&workspace, &["fetch", "served", "--again"]);
    assert_fetched(&workspace, &ended, &content);
}

#[test]
fn a_server_that_says_no_is_asked_once_and_one_that_is_busy_again() {
    let server = Server::start(|_, _| Reply::new("404 Not Found", b"no such file"));
    let workspace_404 = workspace(&server.url("/served"), "");
    let ended = datasets(&workspace_404, &["fetch", "served"]);
    assert_told("fetch_not_found", &ended);
    assert_eq!((ended.code, server.asked().len()), (74, 1));
    assert_nothing(&workspace_404);

    let content = content();
    let served = content.clone();
    let server = Server::start(move |asked, count| match count {
        0 => Reply::new("503 Service Unavailable", b"").header("Retry-After", "1"),
        1 => Reply::new("429 Too Many Requests", b""),
        _ => ranged(asked, &served, "\"one\""),
    });
    let workspace = workspace(&server.url("/served"), "");
    let ended = datasets(&workspace, &["fetch", "served", "--retries", "2"]);
    assert_fetched(&workspace, &ended, &content);
    assert_eq!(server.asked().len(), 3);

    let server = Server::start(|_, _| Reply::new("500 Internal Server Error", b""));
    let workspace = crate::fetch::workspace(&server.url("/served"), "");
    let ended = datasets(&workspace, &["fetch", "served", "--retries", "1"]);
    assert_eq!(
        (ended.code, server.asked().len()),
        (74, 2),
        "{}",
        ended.told()
    );
    assert!(ended.stderr.contains("(2 trials)"), "{}", ended.told());
}

#[test]
fn a_server_that_is_not_there_and_files_that_are_none_are_told() {
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let gone = workspace(&format!("http://{port}/served"), "");
    let ended = datasets(&gone, &["fetch", "served", "--retries", "0"]);
    assert_eq!(ended.code, 74, "{}", ended.told());
    assert!(ended.stderr.contains("HTTPS_PROXY"), "{}", ended.told());

    for (body, kind, told) in [
        (
            &b"<html>sign in first</html>"[..],
            "text/html; charset=utf-8",
            "found a web page",
        ),
        (&b""[..], "text/plain", "the file there is empty"),
    ] {
        let server =
            Server::start(move |_, _| Reply::new("200 OK", body).header("Content-Type", kind));
        let workspace = workspace(&server.url("/served"), "");
        let ended = datasets(&workspace, &["fetch", "served"]);
        assert_eq!(
            (ended.code, server.asked().len()),
            (74, 1),
            "{}",
            ended.told()
        );
        assert!(ended.stderr.contains(told), "{}", ended.told());
        assert!(!workspace.path("datasets/served.csv").exists());
    }
}

#[test]
fn damaged_archives_leave_nothing() {
    let content = content();
    let mut bz2 = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bz2.write_all(&content).unwrap();
    let mut damaged = bz2.finish().unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x10;
    let mut crc = zipped(&[("data.csv", &content)]);
    crc[200] ^= 0x10;
    for (compression, bytes) in [
        ("bz2", damaged.clone()),
        ("bz2", damaged[..middle].to_vec()),
        ("gz", content.clone()),
        ("xz", content.clone()),
        ("zip", content.clone()),
        ("zip", crc),
    ] {
        let server = Server::of(&bytes);
        let lines = format!("compression = \"{compression}\"");
        let workspace = workspace(&server.url("/served"), &lines);
        let ended = datasets(&workspace, &["fetch", "served"]);
        assert_eq!(ended.code, 74, "{compression}: {}", ended.told());
        let told = format!("not a readable {compression} file");
        assert!(ended.stderr.contains(&told), "{}", ended.told());
        assert_nothing(&workspace);
    }
}

#[test]
fn an_archive_of_several_files_must_be_told_which() {
    let server = Server::of(&zipped(&[("a.csv", &content()), ("b.csv", b"x")]));
    let workspace = workspace(&server.url("/served"), "compression = \"zip\"");
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_told("fetch_several_members", &ended);
    let download = format!(
        "url = \"{}\"\ncompression = \"zip\"\nmember = \"a.csv\"",
        server.url("/served")
    );
    workspace.write("catalogue/served.toml", &entry(&download));
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_fetched(&workspace, &ended, &content());
    assert_eq!(server.asked().len(), 1, "the archive was there");
}

#[test]
fn names_are_checked_before_the_first_download_and_files_of_others_are_not_touched() {
    let server = Server::of(&content());
    let workspace = workspace(&server.url("/served"), "");
    let ended = datasets(&workspace, &["fetch", "served", "sreved"]);
    assert_told("fetch_unknown_name", &ended);
    assert_eq!((ended.code, server.asked().len()), (2, 0));

    workspace.write("datasets/served.csv", "mine\n");
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_eq!(
        (ended.code, server.asked().len()),
        (2, 0),
        "{}",
        ended.told()
    );
    assert!(
        ended.stderr.contains("was not fetched by this program"),
        "{}",
        ended.told()
    );
    assert_eq!(
        fs::read(workspace.path("datasets/served.csv")).unwrap(),
        b"mine\n"
    );

    fs::remove_file(workspace.path("datasets/rings.csv")).unwrap();
    let ended = datasets(&workspace, &["fetch", "rings"]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    assert!(
        ended.stderr.contains("has no [download]"),
        "{}",
        ended.told()
    );
}

#[test]
fn catalogues_are_checked() {
    for (lines, told) in [
        ("url = \"http://example.org/a\"", "begins with https://"),
        ("url = \"https://\"", "begins with https://"),
        ("url = \"http://localhost:x@a.org/a\"", "has no user name"),
        ("url = \"https://me@a.org/a\"", "has no user name"),
        (
            "url = \"http://localhost.example.org/a\"",
            "begins with https://",
        ),
        (
            "url = \"https://a.org\"\nmember = \"x\"",
            "`member` is for zip",
        ),
        (
            "url = \"https://a.org\"\nsha256 = \"12\"",
            "64 hexadecimal digits",
        ),
        (
            "url = \"https://a.org\"\ncolumns = [\"a,b\"]",
            "cannot be named",
        ),
        (
            "url = \"https://a.org\"\ncolumns = [\"a\"]\narff = true",
            "leave `columns` out",
        ),
        ("url = \"https://a.org\"\nunpack = true", "unknown"),
        ("url = \"https://a.org\"\ncompression = \"rar\"", "rar"),
    ] {
        let workspace = Workspace::new();
        workspace.write("catalogue/served.toml", &entry(lines));
        let ended = datasets(&workspace, &["list"]);
        assert_eq!(ended.code, 2, "{}", ended.told());
        assert!(ended.stderr.contains(told), "{}", ended.told());
        assert!(
            ended.stderr.contains("catalogue/served.toml:"),
            "{}",
            ended.told()
        );
    }
    let workspace = Workspace::new();
    let manifest = entry("").replace("[download]", "");
    workspace.write("catalogue/served.toml", &manifest);
    let ended = datasets(&workspace, &["list"]);
    assert!(
        ended.stderr.contains("missing table [download]"),
        "{}",
        ended.told()
    );
    let ended = datasets(&workspace, &["list", "--catalogue", "nowhere"]);
    assert_eq!(ended.code, 74, "{}", ended.told());
    let told = "nowhere: cannot be read: there is no such folder, which --catalogue or";
    assert!(ended.stderr.contains(told), "{}", ended.told());
}

// Other systems have one address of their own only.
#[cfg(target_os = "linux")]
#[test]
fn no_redirection_leads_off_this_machine_without_encryption() {
    let port = std::sync::OnceLock::new();
    let port = Arc::new(port);
    let known = Arc::clone(&port);
    let served = content();
    // `127.0.0.2` stands for another machine; one of its answers leads back.
    let server = Server::at("0.0.0.0:0", move |asked, _| {
        let to = |host: &str, path: &str| {
            let url = format!("http://{host}:{}{path}", known.get().unwrap());
            Reply::new("302 Found", b"").header("Location", &url)
        };
        match asked.path.as_str() {
            "/off" => to("127.0.0.2", "/served"),
            "/round" => to("127.0.0.2", "/back"),
            "/back" => to("127.0.0.1", "/served"),
            _ => ranged(asked, &served, "\"one\""),
        }
    });
    let number = server.url("").rsplit(':').next().unwrap().to_owned();
    port.set(number.clone()).unwrap();
    for path in ["/off", "/round"] {
        let url = format!("http://127.0.0.1:{number}{path}");
        let workspace = workspace(&url, "");
        let ended = datasets(&workspace, &["fetch", "served"]);
        assert_eq!(ended.code, 74, "{}", ended.told());
        let told = "redirected to http://127.0.0.2";
        assert!(ended.stderr.contains(told), "{}", ended.told());
        assert!(!workspace.path("datasets/served.csv").exists());
    }
}

/// Who declared a sum is named: a manifest of a catalogue by its path, wherever it is.
#[test]
fn a_wrong_sum_names_the_manifest_that_declares_it() {
    let server = Server::of(&content());
    let workspace = Workspace::new();
    let lines = format!(
        "url = \"{}\"\nsha256 = \"{}\"",
        server.url("/served"),
        sha256(b"another file")
    );
    workspace.write("shelf/served.toml", &entry(&lines));
    let ended = datasets(&workspace, &["fetch", "served", "--catalogue", "shelf"]);
    assert_eq!(ended.code, 3, "{}", ended.told());
    for told in [
        "the one that `shelf/served.toml` declares",
        "correct the sha256 in shelf/served.toml",
    ] {
        assert!(ended.stderr.contains(told), "{}", ended.told());
    }
}

#[test]
fn an_archive_that_is_none_is_told_in_plain_words() {
    let server = Server::of(&content());
    let workspace = workspace(&server.url("/served"), "compression = \"zip\"");
    let ended = datasets(&workspace, &["fetch", "served"]);
    let told = "not a readable zip file: its list of files is not there or damaged (";
    assert!(ended.stderr.contains(told), "{}", ended.told());
}
