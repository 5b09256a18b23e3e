//! `robust-svm datasets fetch`: what comes is checked, unpacked, recorded, and usable by its name.

use crate::http_server::{Reply, Server};
use crate::support::{Ended, SMALL, Workspace, replaced};
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// SHA-256 in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// A data file of two classes, the larger the better to be cut.
pub(crate) fn content() -> Vec<u8> {
    let mut text = "x,y,label\n".to_owned();
    for i in 0..3000_u32 {
        let (a, b) = (i.wrapping_mul(2_654_435_761) >> 8, i.wrapping_mul(40_503));
        writeln!(text, "{}.{},{},{}", i % 7, a % 9973, b % 1009, i % 2).unwrap();
    }
    text.into_bytes()
}

/// The manifest of the dataset `served`, whose [download] has these lines.
pub(crate) fn entry(download: &str) -> String {
    format!(
        "name = \"served\"\nfile = \"served.csv\"\nformat = \"csv\"\nlabel_column = \"label\"\n\
         class_names = [\"even\", \"odd\"]  # by number\nlicence = \"CC0\"\n\n[download]\n{download}\n"
    )
}

/// A workspace with a catalogue that has `served` at `url`, and these further lines.
pub(crate) fn workspace(url: &str, lines: &str) -> Workspace {
    let workspace = Workspace::new();
    let download = format!("url = \"{url}\"\n{lines}");
    workspace.write("catalogue/served.toml", &entry(&download));
    workspace
}

/// `robust-svm datasets` with the workspace's catalogue, without a proxy.
pub(crate) fn datasets(workspace: &Workspace, arguments: &[&str]) -> Ended {
    let mut command = workspace.command();
    for name in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY"] {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    command.env("ROBUST_SVM_CATALOGUE", "catalogue");
    let output = command.arg("datasets").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).expect("messages are UTF-8");
    Ended {
        code: output.status.code().expect("no signal ended it"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// That `served` was fetched: its bytes are `expected`, and nothing else is left.
pub(crate) fn assert_fetched(workspace: &Workspace, ended: &Ended, expected: &[u8]) {
    assert_eq!(ended.code, 0, "{}", ended.told());
    let found = fs::read(workspace.path("datasets/served.csv")).unwrap();
    assert!(
        found == expected,
        "{} bytes of {}",
        found.len(),
        expected.len()
    );
    let names = workspace.relative("datasets").into_keys();
    let names: Vec<String> = names.map(|path| path.display().to_string()).collect();
    let all = [
        "blobs.csv",
        "blobs.toml",
        "rings.csv",
        "rings.toml",
        "served.csv",
        "served.toml",
    ];
    assert_eq!(names, all.map(|name| format!("datasets/{name}")));
}

#[test]
fn a_fetched_dataset_is_recorded_and_used_by_its_name() {
    let content = content();
    let server = Server::of(&content);
    let workspace = workspace(&server.url("/served"), "");
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_fetched(&workspace, &ended, &content);
    assert!(
        ended.stdout.contains("recorded in the manifest"),
        "{}",
        ended.told()
    );
    assert!(ended.stdout.contains("licence: CC0"), "{}", ended.told());
    let manifest = fs::read_to_string(workspace.path("datasets/served.toml")).unwrap();
    let table: toml::Table = manifest.parse().unwrap();
    let sum = sha256(&content);
    for table in [&table, table["download"].as_table().unwrap()] {
        assert_eq!(table["sha256"].as_str(), Some(sum.as_str()));
        assert_eq!(
            table["bytes"].as_integer(),
            i64::try_from(content.len()).ok()
        );
    }
    assert_eq!(table["download"]["tried"].as_bool(), Some(true));
    assert!(manifest.contains("# by number"), "comments stay");

    let small = replaced(SMALL, "[\"blobs\"]", "[\"served\"]");
    let small = replaced(
        &small,
        "0.2 }\n",
        "0.2 }\nmax_rows = { train = 60, validation = 20, test = 20 }\n",
    );
    workspace.write("small.toml", &small);
    workspace.run_well(&[]);
    let train = [
        "train",
        "datasets/served.csv",
        "--label",
        "label",
        "--features",
        "identity",
        "--out",
        "m.json",
    ];
    assert_eq!(workspace.program(&train).code, 0);

    // It is there now: nothing is asked for.
    let again = datasets(&workspace, &["fetch", "served"]);
    assert_eq!(again.code, 0, "{}", again.told());
    assert!(again.stdout.contains("is there"), "{}", again.told());
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn every_compression_is_unpacked_and_its_digests_are_told_apart() {
    let content = content();
    let half = content.len() / 2;
    let gz = |bytes: &[u8]| {
        let mut to = GzEncoder::new(Vec::new(), flate2::Compression::default());
        to.write_all(bytes).unwrap();
        to.finish().unwrap()
    };
    let bz2 = |bytes: &[u8]| {
        let mut to = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        to.write_all(bytes).unwrap();
        to.finish().unwrap()
    };
    let mut xz = XzWriter::new(Vec::new(), XzOptions::with_preset(2)).unwrap();
    xz.write_all(&content).unwrap();
    let xz = xz.finish().unwrap();
    let zip = zipped(&[("folder/other.txt", b"no data"), ("data.csv", &content)]);
    let alone = zipped(&[("data.csv", &content)]);
    // Of bz2 and gz several streams in a row are one file, as parallel compressors write it.
    let two_bz2 = [bz2(&content[..half]), bz2(&content[half..])].concat();
    let two_gz = [gz(&content[..half]), gz(&content[half..])].concat();
    for (lines, packed) in [
        ("compression = \"none\"", &content),
        ("compression = \"bz2\"", &bz2(&content)),
        ("compression = \"bz2\"", &two_bz2),
        ("compression = \"gz\"", &gz(&content)),
        ("compression = \"gz\"", &two_gz),
        ("compression = \"xz\"", &xz),
        ("compression = \"zip\"\nmember = \"data.csv\"", &zip),
        ("compression = \"zip\"", &alone),
    ] {
        let server = Server::of(packed);
        let lines = format!("{lines}\nsha256 = \"{}\"", sha256(packed).to_uppercase());
        let workspace = workspace(&server.url("/packed"), &lines);
        let ended = datasets(&workspace, &["fetch", "served", "--format", "json"]);
        assert_fetched(&workspace, &ended, &content);
        let told: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
        let dataset = &told["datasets"][0];
        assert_eq!(dataset["sha256"], sha256(&content).as_str());
        assert_eq!(dataset["checked"], true);
        assert_eq!(dataset["outcome"], "fetched");
    }
}

#[test]
fn a_libsvm_file_is_read_as_servers_give_it() {
    // A blank at the end of a line, signs before labels and values that are left out, as in the files of LIBSVM.
    let mut text = String::new();
    for i in 0..90 {
        let (label, third) = if i % 3 == 0 {
            ("+1", " 3:0.25")
        } else {
            ("-1", "")
        };
        let x = f64::from((i * 37) % 90) / 90.0;
        writeln!(text, "{label} 1:{x} 2:{}{third} ", 1.0 - x * x).unwrap();
    }
    let mut packed = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    let server = Server::of(&packed.finish().unwrap());
    let workspace = Workspace::new();
    let download = format!(
        "url = \"{}\"\ncompression = \"bz2\"",
        server.url("/served.bz2")
    );
    let svm = replaced(&entry(&download), "served.csv", "served.svm");
    let svm = replaced(
        &svm,
        "format = \"csv\"\nlabel_column = \"label\"",
        "format = \"svmlight\"",
    );
    let svm = replaced(
        &svm,
        "licence",
        "label_values = [-1, 1]\nrows = 90\nfeatures = 3\nlicence",
    );
    workspace.write("catalogue/served.toml", &svm);
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    let file = fs::read(workspace.path("datasets/served.svm")).unwrap();
    assert_eq!(file, text.as_bytes());
    workspace.write(
        "small.toml",
        &replaced(SMALL, "[\"blobs\"]", "[\"served\"]"),
    );
    workspace.run_well(&[]);
}

/// A zip archive of these files.
pub(crate) fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn files_without_a_header_and_arff_files_become_csv() {
    let content = content();
    let rows = &content[content.iter().position(|b| *b == b'\n').unwrap() + 1..];
    let server = Server::of(rows);
    let columns = workspace(&server.url("/rows"), "columns = [\"x\", \"y\", \"label\"]");
    let ended = datasets(&columns, &["fetch", "served"]);
    assert_fetched(&columns, &ended, &content);

    let head = b"% x\n@relation r\n@attribute x real\n@attribute y real\n@attribute 'label' {0,1}\n@data\n";
    let server = Server::of(&[head, rows].concat());
    let arff = workspace(&server.url("/arff"), "arff = true");
    let ended = datasets(&arff, &["fetch", "served"]);
    assert_fetched(&arff, &ended, &content);
}

#[test]
fn redirections_are_followed_and_bodies_without_a_length_end_where_they_end() {
    let content = content();
    let served = content.clone();
    let server = Server::start(move |asked, _| match asked.path.as_str() {
        "/old" => Reply::new("302 Found", b"").header("Location", "/new"),
        "/new" => {
            let mut body = format!("{:x}\r\n", served.len()).into_bytes();
            body.extend([&served[..], b"\r\n0\r\n\r\n"].concat());
            Reply::new("200 OK", &body).header("Transfer-Encoding", "chunked")
        }
        _ => Reply::new("301 Moved Permanently", b"").header("Location", "/loop"),
    });
    let moved = workspace(&server.url("/old"), "");
    let ended = datasets(&moved, &["fetch", "served"]);
    assert_fetched(&moved, &ended, &content);

    let circle = workspace(&server.url("/loop"), "");
    let ended = datasets(&circle, &["fetch", "served"]);
    assert_eq!(ended.code, 74, "{}", ended.told());
    assert!(ended.stderr.contains("redirect"), "{}", ended.told());
}

#[test]
fn it_goes_to_the_folder_asked_for_or_the_first_of_the_environment() {
    let content = content();
    let server = Server::of(&content);
    let workspace = workspace(&server.url("/served"), "");
    let ended = datasets(&workspace, &["fetch", "served", "--to", "elsewhere"]);
    assert_eq!(ended.code, 0, "{}", ended.told());
    assert!(
        ended.stdout.contains("ROBUST_SVM_DATA=elsewhere"),
        "{}",
        ended.told()
    );
    assert_eq!(
        fs::read(workspace.path("elsewhere/served.csv")).unwrap(),
        content
    );

    let mut command = workspace.command();
    command
        .env("ROBUST_SVM_DATA", "first:second")
        .env("NO_PROXY", "127.0.0.1");
    let arguments = [
        "datasets",
        "fetch",
        "served",
        "--catalogue",
        "catalogue",
        "-q",
    ];
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty());
    assert_eq!(
        fs::read(workspace.path("first/served.csv")).unwrap(),
        content
    );
    assert!(!workspace.path("datasets/served.csv").exists());
}

#[test]
fn a_data_file_got_by_other_means_is_adopted_if_the_catalogue_knows_its_digest() {
    let content = content();
    let workspace = Workspace::new();
    let known = entry("url = \"https://example.invalid/served\"");
    let known = replaced(
        &known,
        "\n[download]",
        &format!("sha256 = \"{}\"\n[download]", sha256(&content)),
    );
    workspace.write("catalogue/served.toml", &known);
    fs::write(workspace.path("datasets/served.csv"), &content).unwrap();
    let ended = datasets(&workspace, &["fetch", "served"]);
    assert_fetched(&workspace, &ended, &content);
    assert!(ended.stdout.contains("was there"), "{}", ended.told());
    let manifest = fs::read_to_string(workspace.path("datasets/served.toml")).unwrap();
    assert!(!manifest.contains("tried = true"), "{manifest}");
}
