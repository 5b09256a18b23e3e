//! Hashes the workspace's sources, so that results know the code they came from: a change of any
//! source file or locked dependency changes the digest, a rebuild elsewhere does not. The revision of the
//! checkout is told besides; nothing is compared by it.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    // Of this run, not of when the script was built: checkouts that share a target folder share the script.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let crates = Path::new(&here).join("..");
    let mut files = vec![crates.join("../Cargo.lock"), crates.join("../Cargo.toml")];
    for name in ["core", "bounds", "solvers", "harness"] {
        let folder = crates.join(name).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        collect(&folder, &mut files);
    }
    let mut hash = Sha256::new();
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(&crates).unwrap_or(file);
        let text = std::fs::read(file).unwrap_or_default();
        hash.update(name.to_string_lossy().as_bytes());
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    println!(
        "cargo::rustc-env=ROBUST_SVM_CODE_SHA256={:x}",
        hash.finalize()
    );
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok();
    let version = version.map_or_else(String::new, |o| String::from_utf8_lossy(&o.stdout).into());
    println!("cargo::rustc-env=ROBUST_SVM_RUSTC={}", version.trim());
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=ROBUST_SVM_TARGET={target}");
    tell_revision(&crates.join(".."));
}

/// Tells the revision of the checkout in `root`, and whether the files hashed were changed since; nothing if there is no
/// checkout, or it is not of this workspace.
fn tell_revision(root: &Path) {
    let git = |arguments: &[&str]| -> Option<String> {
        let output = Command::new("git")
            .current_dir(root)
            .args(arguments)
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    if git(&["ls-files", "--error-unmatch", "crates/harness/build.rs"]).is_none() {
        return;
    }
    let Some(revision) = git(&["rev-parse", "HEAD"]) else {
        return;
    };
    // HEAD moves with a checkout, its log with a commit too. A file that is not there would run this at every build.
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name]).map(|path| root.join(path));
        if let Some(path) = path.filter(|path| path.exists()) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    println!("cargo::rustc-env=ROBUST_SVM_REVISION={revision}");
    let changed = git(&[
        "status",
        "--porcelain",
        "--",
        "Cargo.lock",
        "Cargo.toml",
        "crates/core/src",
        "crates/bounds/src",
        "crates/solvers/src",
        "crates/harness/src",
    ]);
    if changed.is_none_or(|changed| !changed.is_empty()) {
        println!("cargo::rustc-env=ROBUST_SVM_DIRTY=1");
    }
}

/// Adds the Rust files below `folder` in order of name.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
