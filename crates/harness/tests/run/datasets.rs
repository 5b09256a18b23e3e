//! `robust-svm datasets list` and `verify`.

use crate::fetch::{content, datasets, workspace};
use crate::http_server::{Reply, Server, ranged};
use crate::support::{Ended, SMALL, Workspace, replaced};
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
        "32,561",
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

    // The list tells too: of another size, or of a small file with another digest.
    let listed = || {
        let list = datasets(&workspace, &["list"]);
        line(&list.stdout, "served").unwrap()
    };
    assert!(listed().ends_with("  DIFFERENT from its manifest"));
    fs::write(workspace.path("datasets/served.csv"), "x").unwrap();
    assert!(listed().ends_with("  DIFFERENT from its manifest"));
    fs::write(workspace.path("datasets/served.csv"), content()).unwrap();
    assert!(listed().ends_with("  yes"));

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

#[test]
fn a_data_file_has_the_name_of_no_manifest_and_no_download() {
    for name in [
        "served.toml",
        "served.part",
        "served.part.json",
        "served.part.new",
        "other.TOML",
    ] {
        let workspace = workspace("https://a.org/a", "");
        let manifest = fs::read_to_string(workspace.path("catalogue/served.toml")).unwrap();
        workspace.write(
            "catalogue/served.toml",
            &replaced(&manifest, "served.csv", name),
        );
        let ended = datasets(&workspace, &["list"]);
        assert_eq!(ended.code, 2, "{}", ended.told());
        let told = "a data file cannot be named *.";
        assert!(ended.stderr.contains(told), "{}", ended.told());
    }
}

#[test]
fn verify_knows_the_catalogue_too() {
    let workspace = workspace("https://a.org/a", "");
    let ended = datasets(&workspace, &["verify", "served"]);
    assert_eq!(ended.code, 2, "{}", ended.told());
    let told = "fetch it by `robust-svm datasets fetch served`";
    assert!(ended.stderr.contains(told), "{}", ended.told());
}

#[test]
fn json_tells_what_came_before_one_that_failed() {
    let served = content();
    let server = Server::start(move |asked, _| match asked.path.as_str() {
        "/served" => ranged(asked, &served, "\"one\""),
        _ => Reply::new("404 Not Found", b""),
    });
    let workspace = workspace(&server.url("/served"), "");
    let manifest = fs::read_to_string(workspace.path("catalogue/served.toml")).unwrap();
    workspace.write("catalogue/gone.toml", &manifest.replace("served", "gone"));
    let ended = datasets(&workspace, &["fetch", "served", "gone", "--format", "json"]);
    assert_eq!(ended.code, 74, "{}", ended.told());
    let told: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let all = told["datasets"].as_array().unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!(all[0]["name"], "served");
}

#[test]
fn nothing_to_verify_is_told() {
    let workspace = Workspace::new();
    fs::create_dir(workspace.path("catalogue")).unwrap();
    for name in ["blobs", "rings"] {
        fs::remove_file(workspace.path(&format!("datasets/{name}.csv"))).unwrap();
    }
    let ended = datasets(&workspace, &["verify"]);
    let told = "no data file is at hand: `robust-svm datasets list` shows what can be fetched\n";
    assert_eq!((ended.code, ended.stdout.as_str()), (0, told));
    assert_eq!(datasets(&workspace, &["verify", "--quiet"]).stdout, "");
}

/// A faulty manifest is told, and costs its own dataset alone.
#[test]
fn one_faulty_manifest_does_not_stop_the_others() {
    let server = Server::of(&content());
    let workspace = workspace(&server.url("/served"), "");
    workspace.write("catalogue/torn.toml", "name = \n");
    // Of one name the folder's counts, so that the program's is not meant.
    workspace.write("catalogue/a9a.toml", "name = \"a9a\"\n");
    workspace.write("datasets/rings.toml", "nmae = \"rings\"\n");
    let faults = |ended: &Ended, of_datasets: bool| {
        assert_eq!(ended.code, 2, "{}", ended.told());
        for (file, is_told) in [
            ("catalogue/torn.toml:", true),
            ("catalogue/a9a.toml", true),
            ("datasets/rings.toml:", of_datasets),
        ] {
            assert_eq!(ended.stderr.contains(file), is_told, "{}", ended.told());
        }
    };
    let fetched = datasets(&workspace, &["fetch", "a9a", "served"]);
    faults(&fetched, false);
    assert!(
        fetched.stdout.contains("served: fetched to "),
        "{}",
        fetched.told()
    );
    let listed = datasets(&workspace, &["list"]);
    faults(&listed, true);
    let names: Vec<&str> = listed
        .stdout
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(names.contains(&"blobs") && names.contains(&"served") && names.contains(&"higgs"));
    assert!(!names.contains(&"rings") && !names.contains(&"a9a"));
    let verified = datasets(&workspace, &["verify"]);
    faults(&verified, true);
    assert!(
        verified.stdout.contains("served.csv"),
        "{}",
        verified.told()
    );
    let named = datasets(&workspace, &["verify", "rings", "served"]);
    assert_eq!(named.code, 2, "{}", named.told());
    assert!(named.stdout.contains("served.csv") && named.stderr.contains("datasets/rings.toml"));
    let faulty = datasets(&workspace, &["verify", "a9a"]);
    assert!(
        faulty.stderr.contains("catalogue/a9a.toml"),
        "{}",
        faulty.told()
    );
}
