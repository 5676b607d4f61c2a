//! The dependencies that each crate may have, in its manifest and as cargo resolves it.

use serde_json::Value;
use std::error::Error;
use std::path::Path;
use std::process::Command;

/// A crate that may depend on these and on nothing else.
struct Pure {
    name: &'static str,
    dependencies: &'static [&'static str],
    /// Whether each of the dependencies must be behind a feature.
    optional: bool,
}

const PURE: [Pure; 9] = [
    Pure {
        name: "tochki-rules",
        dependencies: &["schemars", "serde", "serde_json"],
        optional: true,
    },
    Pure {
        name: "tochki-engine",
        dependencies: &["rand_core", "rand_xoshiro", "tochki-rules"],
        optional: false,
    },
    // Not on `web-sys` and `js-sys`, so it knows neither the DOM nor clocks.
    Pure {
        name: "tochki-engine-wasm",
        dependencies: &[
            "serde",
            "serde_json",
            "tochki-engine",
            "tochki-rules",
            "wasm-bindgen",
        ],
        optional: false,
    },
    Pure {
        name: "tochki-names",
        dependencies: &[
            "tochki-protocol",
            "tochki-rules",
            "unicode-normalization",
            "unicode-properties",
            "unicode-script",
            "unicode-security",
        ],
        optional: false,
    },
    Pure {
        name: "tochki-puzzles",
        dependencies: &["tochki-engine", "tochki-rules"],
        optional: false,
    },
    Pure {
        name: "tochki-tournaments",
        dependencies: &[
            "integer-blossom",
            "jiff",
            "rrule",
            "serde",
            "serde_json",
            "tochki-play",
            "tochki-rules",
        ],
        optional: false,
    },
    Pure {
        name: "tochki-records",
        dependencies: &[
            "chardetng",
            "encoding_rs",
            "serde",
            "serde_json",
            "tochki-rules",
        ],
        optional: false,
    },
    Pure {
        name: "tochki-play",
        dependencies: &["schemars", "serde", "serde_json", "tochki-rules"],
        optional: false,
    },
    Pure {
        name: "tochki-protocol",
        dependencies: &[
            "schemars",
            "serde",
            "serde_json",
            "tochki-play",
            "tochki-rules",
        ],
        optional: false,
    },
];

/// The crates that have no SQL outside their tests.
const WITHOUT_SQL: [&str; 8] = [
    "tochki",
    "tochki-bot",
    "tochki-client",
    "tochki-house-bots",
    "tochki-line",
    "tochki-load",
    "tochki-pages",
    "tochki-web",
];

/// The arguments that choose a build, and the crates that must not be in it. An `*` stands for any ending.
const TREES: [(&str, &[&str], &[&str]); 10] = [
    (
        "tochki-protocol",
        &["--package", "tochki-protocol"],
        &["tokio*", "axum*", "hyper*", "leptos*", "sqlx*", "http"],
    ),
    (
        "tochki-server",
        &["--package", "tochki-server"],
        &[
            "leptos*",
            "axum*",
            "hyper*",
            "tower*",
            "http",
            "wasm-bindgen",
            "own-postgres",
            "tochki",
            "tochki-pages",
            "tochki-web",
        ],
    ),
    (
        "tochki-client",
        &["--package", "tochki-client"],
        &[
            "leptos*",
            "axum*",
            "sqlx*",
            "own-postgres",
            "tochki-engine*",
            "tochki-server",
            "tochki",
            "tochki-pages",
            "tochki-web",
        ],
    ),
    (
        "tochki-bot",
        &["--package", "tochki-bot"],
        &[
            "leptos*",
            "axum*",
            "sqlx*",
            "own-postgres",
            "tochki-server",
            "tochki",
            "tochki-pages",
            "tochki-web",
        ],
    ),
    (
        "tochki-house-bots",
        &["--package", "tochki-house-bots"],
        &[
            "leptos*",
            "axum*",
            "hyper*",
            "tower*",
            "http",
            "own-postgres",
            "tochki",
            "tochki-pages",
            "tochki-web",
        ],
    ),
    (
        "tochki-line",
        &["--package", "tochki-line"],
        &[
            "leptos*",
            "axum*",
            "hyper*",
            "tower*",
            "http",
            "own-postgres",
            "tochki",
            "tochki-pages",
            "tochki-web",
        ],
    ),
    // It has the `sqlx` of `own-postgres`, which starts its databases; WITHOUT_SQL and the words see to it that it uses none.
    (
        "tochki-load",
        &["--package", "tochki-load"],
        &[
            "leptos*",
            "axum*",
            "hyper*",
            "tochki-server",
            "tochki",
            "tochki-pages",
            "tochki-web",
        ],
    ),
    (
        "tochki-engine-cli",
        &["--package", "tochki-engine-cli"],
        &[
            "tokio*",
            "axum*",
            "hyper*",
            "leptos*",
            "sqlx*",
            "tochki-server",
        ],
    ),
    (
        "own-postgres",
        &["--package", "own-postgres"],
        &["tochki*", "leptos*", "axum*", "hyper*"],
    ),
    (
        "the client",
        &[
            "--package",
            "tochki",
            "--features",
            "hydrate",
            "--target",
            "wasm32-unknown-unknown",
        ],
        &[
            "tokio",
            "sqlx*",
            "axum*",
            "hyper*",
            "tochki-records",
            "tochki-server",
            "own-postgres",
            "schemars",
        ],
    ),
];

/// Returns the faults of the manifests and of the builds that cargo makes of them.
pub(crate) fn faults(workspace: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let metadata = cargo(
        workspace,
        &["metadata", "--no-deps", "--format-version=1", "--offline"],
    )?;
    let mut faults = manifests(&serde_json::from_str(&metadata)?);
    for (name, arguments, unwanted) in TREES {
        let mut words = vec![
            "tree",
            "--offline",
            "--edges=normal",
            "--prefix=none",
            "--format={p}",
        ];
        words.extend(arguments);
        faults.extend(tree(name, &cargo(workspace, &words)?, unwanted));
    }
    Ok(faults)
}

fn cargo(workspace: &Path, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new("cargo")
        .args(arguments)
        .current_dir(workspace)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn manifests(metadata: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let pure = PURE.iter().find(|pure| pure.name == name);
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            // Of development and of build scripts.
            if !dependency["kind"].is_null() {
                continue;
            }
            let on = dependency["name"].as_str().unwrap_or_default();
            if let Some(pure) = pure {
                if !pure.dependencies.contains(&on) {
                    faults.push(format!("{manifest}: {name} must not depend on {on}"));
                } else if pure.optional && dependency["optional"] != true {
                    faults.push(format!(
                        "{manifest}: {on} must be behind a feature of {name}"
                    ));
                }
            }
            if WITHOUT_SQL.contains(&name) && on == "sqlx" {
                faults.push(format!(
                    "{manifest}: only tests of {name} may depend on sqlx"
                ));
            }
        }
    }
    faults
}

fn tree(name: &str, told: &str, unwanted: &[&str]) -> Vec<String> {
    let mut faults: Vec<_> = (told.lines().skip(1))
        .filter_map(|line| line.split(' ').next())
        .filter(|package| unwanted.iter().any(|pattern| fits(package, pattern)))
        .map(|package| {
            format!("{name} must not depend on {package}, directly or not; `cargo tree --invert {package}` says why it does")
        })
        .collect();
    faults.sort();
    faults.dedup();
    faults
}

fn fits(name: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn with(name: &str, dependency: Value) -> Vec<String> {
        manifests(&json!({
            "packages": [{ "name": name, "manifest_path": "Cargo.toml", "dependencies": [dependency] }]
        }))
    }

    #[test]
    fn a_pure_crate_depends_on_what_is_listed() {
        let kind = Value::Null;
        let serde = json!({ "name": "serde", "kind": kind, "optional": true });
        assert!(with("tochki-rules", serde).is_empty());
        let always = json!({ "name": "serde", "kind": kind, "optional": false });
        assert_eq!(with("tochki-rules", always).len(), 1);
        let tokio = json!({ "name": "tokio", "kind": kind, "optional": true });
        assert_eq!(with("tochki-play", tokio.clone()).len(), 1);
        assert!(with("tochki-server", tokio).is_empty());
        let dom = json!({ "name": "web-sys", "kind": kind, "optional": false });
        assert_eq!(with("tochki-engine-wasm", dom).len(), 1);
    }

    #[test]
    fn crates_without_sql_have_sqlx_for_their_tests_alone() {
        let test = json!({ "name": "sqlx", "kind": "dev", "optional": false });
        assert!(with("tochki", test).is_empty());
        let always = json!({ "name": "sqlx", "kind": null, "optional": true });
        assert_eq!(with("tochki", always.clone()).len(), 1);
        assert_eq!(with("tochki-line", always.clone()).len(), 1);
        assert_eq!(with("tochki-load", always.clone()).len(), 1);
        assert!(with("tochki-server", always).is_empty());
    }

    #[test]
    fn what_is_depended_on_indirectly_counts() {
        let told = "tochki-server v0.1.0\nserde v1.0.0\naxum-core v0.5.0 (*)\naxum-core v0.5.0\n";
        assert_eq!(tree("tochki-server", told, &["axum*"]).len(), 1);
        assert!(tree("tochki-server", told, &["axum", "tochki-server"]).is_empty());
    }
}
