//! Downloads that break off go on where they ended, and never mix two versions of a file.

use crate::fetch::{assert_fetched, content, datasets, workspace};
use crate::http_server::{Asked, Reply, Server, ranged};
use crate::support::{PROGRAM, Workspace};
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

fn part(workspace: &Workspace) -> Vec<u8> {
    fs::read(workspace.path("datasets/served.part")).unwrap()
}

/// A request for what comes after `from` bytes of the version `tag`.
fn after(path: &str, from: usize, tag: &str) -> Asked {
    Asked {
        path: path.to_owned(),
        range: Some(format!("bytes={from}-")),
        if_range: Some(tag.to_owned()),
    }
}

#[test]
fn a_connection_that_breaks_again_and_again_is_taken_up_where_it_broke() {
    let content = content();
    let cuts = [1, content.len() / 3, content.len() - 1];
    let served = content.clone();
    let server = Server::start(move |asked, count| {
        let reply = ranged(asked, &served, "\"one\"");
        let before = if count == 0 { 0 } else { cuts[count - 1] };
        match cuts.get(count) {
            Some(cut) => reply.cut(cut - before),
            None => reply,
        }
    });
    let workspace = workspace(&server.url("/served"), "");
    // One trial in a row may fail: each brings something.
    let ended = datasets(&workspace, &["fetch", "served", "--retries", "1"]);
    assert_fetched(&workspace, &ended, &content);
    let asked = server.asked();
    assert_eq!(asked[0].range, None);
    let expected = cuts.map(|cut| after("/served", cut, "\"one\""));
    assert_eq!(asked[1..], expected);
}

#[test]
fn the_same_command_goes_on_from_the_part_that_stays() {
    let content = content();
    let cut = 12_345;
    let served = content.clone();
    let server = Server::start(move |asked, count| {
        // A date will do where there is no entity tag that tells versions apart to the byte.
        let date = "Sat, 21 Nov 2026 08:00:00 GMT";
        let mut reply = ranged(asked, &served, date);
        reply = reply.header("Last-Modified", date);
        if count == 0 { reply.cut(cut) } else { reply }
    });
    let workspace = workspace(&server.url("/served"), "");
    let broken = datasets(&workspace, &["fetch", "served", "--retries", "0"]);
    assert_eq!(broken.code, 74, "{}", broken.told());
    assert!(
        broken.stderr.contains("goes on from the 12345 bytes"),
        "{}",
        broken.told()
    );
    assert!(part(&workspace) == content[..cut]);
    assert!(!workspace.path("datasets/served.csv").exists());
    assert!(!workspace.path("datasets/served.toml").exists());
    // The part is no dataset.
    let listed = datasets(&workspace, &["list"]);
    assert!(!listed.stdout.contains("part"), "{}", listed.told());
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_fetched(&workspace, &ended, &content);
    assert_eq!(server.asked()[1].range, Some(format!("bytes={cut}-")));
}

#[test]
fn a_server_without_ranges_sends_all_once_more() {
    let content = content();
    let served = content.clone();
    let server = Server::start(move |_, count| {
        let reply = Reply::new("200 OK", &served).header("ETag", "\"one\"");
        if count == 0 { reply.cut(5000) } else { reply }
    });
    let workspace = workspace(&server.url("/served"), "");
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_fetched(&workspace, &ended, &content);
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn without_a_way_to_tell_versions_apart_it_begins_anew() {
    let content = content();
    let served = content.clone();
    let server = Server::start(move |_, count| {
        // A weak tag says that two versions mean the same, not that their bytes are equal.
        let reply = Reply::new("200 OK", &served).header("ETag", "W/\"one\"");
        if count == 0 { reply.cut(5000) } else { reply }
    });
    let workspace = workspace(&server.url("/served"), "");
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_fetched(&workspace, &ended, &content);
    assert!(server.asked().iter().all(|asked| asked.range.is_none()));
}

/// The answer to a request for the rest of a file that has changed to this.
type Second = fn(&Asked, &[u8]) -> Reply;

#[test]
fn a_file_that_changes_between_two_parts_is_fetched_anew_whatever_the_server_says() {
    let old = content();
    let new: Vec<u8> = old
        .iter()
        .map(|b| if *b == b'.' { b'1' } else { *b })
        .collect();
    let cut = 5000;
    // A server that heeds If-Range sends the whole; one that does not must be caught by the tag of its answer, its
    // place or its length.
    let seconds: [Second; 4] = [
        |asked, new| ranged(asked, new, "\"two\""),
        |asked, new| {
            let blind = Asked {
                if_range: None,
                ..asked.clone()
            };
            ranged(&blind, new, "\"two\"")
        },
        |_, new| {
            let range = format!("bytes 0-{}/{}", new.len() - 1, new.len());
            Reply::new("206 Partial Content", new).header("Content-Range", &range)
        },
        |_, new| {
            let longer = format!("bytes 5000-{}/{}", new.len(), new.len() + 1);
            Reply::new("206 Partial Content", &new[4999..]).header("Content-Range", &longer)
        },
    ];
    for (second, requests) in seconds.into_iter().zip([2, 3, 3, 3]) {
        let (first, later) = (old.clone(), new.clone());
        let server = Server::start(move |asked, count| match (count, &asked.range) {
            (0, _) => ranged(asked, &first, "\"one\"").cut(cut),
            (_, Some(_)) => second(asked, &later),
            _ => ranged(asked, &later, "\"two\""),
        });
        let workspace = workspace(&server.url("/served"), "");
        let ended = datasets(&workspace, &["fetch", "served"]);
        assert_fetched(&workspace, &ended, &new);
        assert_eq!(server.asked()[1], after("/served", cut, "\"one\""));
        assert_eq!(server.asked().len(), requests);
    }
}

#[test]
fn another_address_is_another_file() {
    let content = content();
    let served = content.clone();
    let server = Server::start(move |asked, _| {
        let reply = ranged(asked, &served, "\"one\"");
        if asked.path == "/first" {
            reply.cut(777)
        } else {
            reply
        }
    });
    let workspace = workspace(&server.url("/first"), "");
    let broken = datasets(&workspace, &["fetch", "served", "--retries", "0"]);
    assert_eq!((broken.code, part(&workspace).len()), (74, 777));
    let url = format!("url = \"{}\"", server.url("/second"));
    workspace.write("catalogue/served.toml", &crate::fetch::entry(&url));
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_fetched(&workspace, &ended, &content);
    assert_eq!(server.asked()[1].range, None);
}

#[test]
fn a_killed_download_goes_on_and_no_other_process_touches_it_meanwhile() {
    let content = content();
    let half = content.len() / 2;
    let served = content.clone();
    let server = Server::start(move |asked, count| {
        let reply = ranged(asked, &served, "\"one\"");
        if count == 0 { reply.stall(half) } else { reply }
    });
    let workspace = workspace(&server.url("/served"), "");
    let mut child = Command::new(PROGRAM)
        .current_dir(workspace.path(""))
        .env_remove("ROBUST_SVM_DATA")
        .env("NO_PROXY", "127.0.0.1")
        .args(["datasets", "fetch", "served", "--catalogue", "catalogue"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let there = || fs::read(workspace.path("datasets/served.part")).map_or(0, |part| part.len());
    for _ in 0..600 {
        if there() == half {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(there(), half);
    let other = datasets(&workspace, &["fetch", "served"]);
    assert_eq!(other.code, 2, "{}", other.told());
    assert!(other.stderr.contains("another process"), "{}", other.told());
    child.kill().unwrap();
    child.wait().unwrap();
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_fetched(&workspace, &ended, &content);
    assert_eq!(server.asked()[1..], [after("/served", half, "\"one\"")]);
}
