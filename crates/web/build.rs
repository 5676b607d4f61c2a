//! Tells the server its commit, in `TOCHKI_COMMIT`.

use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=TOCHKI_COMMIT={}", commit());
}

/// Returns the commit that is built: from the environment, for builds without the history, or from Git. A debug build does not
/// know it, because each commit would compile everything anew.
fn commit() -> String {
    const UNKNOWN: &str = "unknown";
    println!("cargo::rerun-if-env-changed=TOCHKI_COMMIT");
    if let Some(commit) = env::var("TOCHKI_COMMIT").ok().filter(|it| is_word(it)) {
        return commit;
    }
    if env::var("PROFILE").as_deref() != Ok("release") {
        return UNKNOWN.into();
    }
    // The log has a line for each commit, also where the reference of the branch is in no file of its own.
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name]);
        // A file that is missing would count as changed each time.
        if let Some(path) = path.filter(|path| fs::exists(path).unwrap_or(false)) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = git(&["rev-parse", "--short", "HEAD"]);
    commit.unwrap_or_else(|| UNKNOWN.into())
}

/// Returns the output of a Git command, a single word, if Git and the history are there.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let word = text.trim();
    (output.status.success() && !word.is_empty()).then(|| word.to_owned())
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric())
}
