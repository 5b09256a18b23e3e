//! `robust-svm datasets list` and `verify`.

use crate::fetch::{content, datasets, workspace};
use crate::http_server::Server;
use crate::support::{SMALL, Workspace, replaced};
use std::fs;

#[test]
fn the_list_has_what_is_here_and_what_can_be_fetched() {
    let server = Server::of(&content());
    let workspace = workspace(&server.url("/served"), "");
    fs::remove_file(workspace.path("datasets/rings.csv")).unwrap();
    let line = |name: &str| -> Vec<String> {
        let listed = datasets(&workspace, &["list"]);
        assert_eq!(listed.code, 0, "{}", listed.told());
        let line = listed.stdout.lines().find(|line| line.starts_with(name));
        let fields = line.unwrap_or_default().split("  ").map(str::trim);
        fields
            .filter(|field| !field.is_empty())
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(line("blobs ")[6], "yes");
    assert_eq!(line("rings ")[6], "no: manifest only");
    let a9a = [
        "a9a",
        "32561",
        "123",
        "2",
        "?",
        "www.csie.ntu.edu.tw",
        "to fetch (address not tried)",
    ];
    assert_eq!(line("a9a "), a9a);
    assert_eq!(line("served ")[6], "to fetch (address not tried)");
    assert_eq!(datasets(&workspace, &["fetch", "served"]).code, 0);
    assert_eq!(line("served ")[6], "yes");

    let listed = datasets(&workspace, &["list", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&listed.stdout).unwrap();
    let all = told["datasets"].as_array().unwrap();
    let of = |name: &str| all.iter().find(|dataset| dataset["name"] == name).unwrap();
    assert_eq!(of("served")["bytes"], content().len());
    assert_eq!(of("served")["file"], "datasets/served.csv");
    assert_eq!(of("served")["tried"], true);
    assert_eq!(of("rings")["file"], serde_json::Value::Null);
    assert_eq!(of("rings")["url"], serde_json::Value::Null);
    assert!(of("higgs")["url"].as_str().unwrap().starts_with("https://"));
    assert_eq!(of("higgs")["tried"], false);
}

#[test]
fn files_are_compared_with_their_manifests() {
    let server = Server::of(&content());
    let workspace = workspace(&server.url("/served"), "");
    assert_eq!(datasets(&workspace, &["fetch", "served"]).code, 0);
    fs::remove_file(workspace.path("datasets/rings.csv")).unwrap();
    let all = datasets(&workspace, &["verify"]);
    assert_eq!(all.code, 0, "{}", all.told());
    let line = |told: &str, name: &str| {
        told.lines()
            .find(|line| line.starts_with(name))
            .map(str::to_owned)
    };
    assert!(line(&all.stdout, "served").unwrap().ends_with("equal"));
    assert!(
        line(&all.stdout, "blobs")
            .unwrap()
            .contains("none declared")
    );
    assert_eq!(line(&all.stdout, "rings"), None, "it is not at hand");
    assert_eq!(line(&all.stdout, "a9a"), None, "it is not at hand");

    let mut bytes = content();
    bytes[1000] ^= 1;
    fs::write(workspace.path("datasets/served.csv"), bytes).unwrap();
    let quiet = datasets(&workspace, &["verify", "--quiet"]);
    assert_eq!(quiet.code, 3, "{}", quiet.told());
    assert!(
        line(&quiet.stdout, "served")
            .unwrap()
            .contains("DIFFERENT: expected")
    );
    assert_eq!(line(&quiet.stdout, "blobs"), None);
    let json = datasets(&workspace, &["verify", "served", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(
        (json.code, &told["files"][0]["verdict"]),
        (3, &"different".into())
    );
    assert_ne!(told["files"][0]["declared"], told["files"][0]["sha256"]);
    assert_eq!(datasets(&workspace, &["verify", "blobs"]).code, 0);

    // Without its file, experiments say how to get it.
    fs::remove_file(workspace.path("datasets/served.csv")).unwrap();
    let small = replaced(SMALL, "[\"blobs\"]", "[\"served\"]");
    workspace.write("small.toml", &small);
    let ended = workspace.run(&[]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    let advice = "robust-svm datasets fetch served";
    assert!(ended.stderr.contains(advice), "{}", ended.told());
}

#[test]
fn what_is_not_at_hand_cannot_be_compared() {
    let workspace = Workspace::new();
    fs::create_dir(workspace.path("catalogue")).unwrap();
    fs::remove_file(workspace.path("datasets/rings.csv")).unwrap();
    for (name, told) in [
        ("rings", "is not there"),
        ("a9a", "robust-svm datasets fetch a9a"),
        ("blosb", "did you mean `blobs`?"),
    ] {
        let ended = datasets(&workspace, &["verify", name]);
        assert_eq!(ended.code, 2, "{}", ended.told());
        assert!(ended.stderr.contains(told), "{}", ended.told());
    }
}
