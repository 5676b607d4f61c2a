//! Small crates whose borders are crossed, or are not.

use crate::source::{Reader, Source};
use crate::{CRATES, Crate, circles, circles_in, upward, vocabulary, words};
use std::path::Path;

/// A crate of files, each with its text.
fn source(files: &[(&str, &str)]) -> Source {
    let mut reader = Reader::default();
    for (file, text) in files {
        let stem = file.trim_end_matches(".rs").trim_end_matches("/mod");
        let path = if stem == "lib" {
            Vec::new()
        } else {
            stem.split('/').map(str::to_owned).collect()
        };
        reader.add(Path::new(file), path, text).unwrap();
    }
    reader.finish()
}

#[track_caller]
fn check(files: &[(&str, &str)], base: &[&str], wanted: &[&str]) {
    let base: Vec<_> = base.iter().map(|&name| name.to_owned()).collect();
    let imports = source(files).imports(&base);
    let found: Vec<_> = imports
        .iter()
        .map(|((from, to), places)| format!("{from} -> {to} at {}", places[0]))
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn imports_are_found_as_they_are_written() {
    check(
        &[
            ("lib.rs", "mod a; mod b; mod c; mod d; mod e; mod f;"),
            ("a.rs", "use crate::b::B;\nuse super::{c::{self, C}, d};"),
            ("b.rs", "fn f() -> crate::c::C { todo!() }"),
            (
                "c.rs",
                "fn f() {\n  view! { <p>{move || super::d::read()}</p> }\n}",
            ),
            ("d.rs", "#[serde(with = \"crate::e\")] struct S;"),
            ("e.rs", "macro_rules! m { () => { $crate::f::g() } }"),
            ("f.rs", "// crate::a\nconst TEXT: &str = \"crate::a::A\";"),
        ],
        &[],
        &[
            "a -> b at a.rs:1",
            "a -> c at a.rs:2",
            "a -> d at a.rs:2",
            "b -> c at b.rs:1",
            "c -> d at c.rs:2",
            "d -> e at d.rs:1",
            "e -> f at e.rs:1",
        ],
    );
}

#[test]
fn what_is_exported_again_is_where_it_is_defined() {
    check(
        &[
            (
                "lib.rs",
                "mod a; mod b; mod c; pub use b::B; pub use c::*; use a::A; pub struct Own;",
            ),
            ("a.rs", "use crate::B; use crate::C; use super::Own;"),
            ("b.rs", "pub struct B;"),
            ("c.rs", "pub struct C;"),
        ],
        &[],
        &[
            "(itself) -> a at lib.rs:1",
            "a -> (itself) at a.rs:1",
            "a -> b at a.rs:1",
            "a -> c at a.rs:1",
        ],
    );
}

#[test]
fn what_the_root_exports_and_uses_is_imported_by_it() {
    check(
        &[
            ("lib.rs", "mod a; pub use a::A; fn f(a: A) {}"),
            ("a.rs", "pub struct A;"),
        ],
        &[],
        &["(itself) -> a at lib.rs:1"],
    );
}

#[test]
fn folders_of_a_module_are_told_apart() {
    check(
        &[
            ("lib.rs", "mod api; mod ui;"),
            ("api.rs", "pub struct Api;"),
            ("ui/mod.rs", "mod a; mod b;"),
            ("ui/a/mod.rs", "mod inner; use crate::api::Api;"),
            (
                "ui/a/inner.rs",
                "use super::super::b; fn f() { b::f(); super::g() }",
            ),
            (
                "ui/b.rs",
                "pub(in crate::ui) fn f() {} use crate::ui;\nfn g() { ui::a::h() }",
            ),
        ],
        &["ui"],
        &["a -> b at ui/a/inner.rs:1", "b -> a at ui/b.rs:2"],
    );
}

#[test]
fn tests_may_look_wherever_they_like() {
    check(
        &[
            ("lib.rs", "mod a; mod b; #[cfg(test)] mod laws;"),
            (
                "a.rs",
                "#[cfg(test)] use crate::b::{X, Y}; struct S { #[cfg(test)] x: crate::b::X, y: u8 }
                 #[cfg(test)] mod tests { use crate::b::X; }",
            ),
            ("b.rs", "#[cfg(not(test))] use crate::a::S;"),
            ("laws.rs", "use crate::a; use crate::b;"),
        ],
        &[],
        &["b -> a at b.rs:1"],
    );
}

#[test]
fn a_circle_is_a_fault() {
    let imports = source(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b;"),
        ("b.rs", "use crate::c;"),
        ("c.rs", "\nuse crate::a;"),
    ])
    .imports(&[]);
    let faults = circles("server", &imports);
    assert_eq!(faults.len(), 1);
    assert!(faults[0].contains("c.rs:2: c imports a"), "{faults:?}");
}

#[test]
fn a_circle_is_a_fault_however_deep_it_is() {
    let source = source(&[
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "mod b;"),
        ("a/b/mod.rs", "mod c; mod d; mod e;"),
        ("a/b/c.rs", "use super::d::D;"),
        ("a/b/d/mod.rs", "mod inner; pub use inner::D;"),
        ("a/b/d/inner.rs", "pub struct D(crate::a::b::e::E);"),
        ("a/b/e.rs", "pub struct E; fn f() { super::c::g() }"),
    ]);
    let faults = circles_in("server", &source);
    assert_eq!(faults.len(), 1);
    let begin = "server::a::b: a circle of imports:\n";
    assert!(faults[0].starts_with(begin), "{faults:?}");
    assert!(
        faults[0].contains("a/b/d/inner.rs:1: d imports e"),
        "{faults:?}"
    );
}

#[test]
fn imports_go_down_the_layers() {
    let small = Crate {
        name: "small",
        folder: "src",
        layers: &[&["http"], &["api", "codec"]],
    };
    let imports = source(&[
        ("lib.rs", "mod http; mod api; mod codec;"),
        ("http.rs", "use crate::api;"),
        ("api.rs", "use crate::codec;"),
        ("codec.rs", "use crate::http;"),
    ])
    .imports(&[]);
    assert_eq!(
        upward(&small, &imports),
        ["codec.rs:1: codec must not import http"]
    );
}

#[test]
fn the_rules_have_no_floating_point_and_no_clock() {
    let of = |text: &str| {
        let source = source(&[("lib.rs", text)]);
        words::floats(&source, "rules").len() + words::paths(&source, "rules", &["std::time"]).len()
    };
    assert_eq!(
        of("fn f() -> u32 { 1_000 + 0xE1 + (0..2).len() as u32 + x.0.1 }"),
        0
    );
    assert_eq!(of("fn f() -> f64 { todo!() }"), 1);
    assert_eq!(of("const X: u8 = 1.5 as u8;"), 1);
    assert_eq!(of("const X: u8 = 1e3 as u8;"), 1);
    assert_eq!(of("fn f(x: f32) { x.powi(2f32 as i32) }"), 2);
    assert_eq!(of("use std::{fmt, time::Instant};"), 1);
    assert_eq!(of("fn f(at: std::time::Duration) {}"), 1);
}

#[test]
fn sql_is_in_the_database_code() {
    let of = |file: &str, text: &str| {
        let source = source(&[("lib.rs", "mod db; mod club;"), (file, text)]);
        words::sql(&source, Some("db")).len()
    };
    let query = "async fn f(db: Db) { sqlx::query!(\"select 1\").fetch_one(&db).await }";
    assert_eq!(of("db/club.rs", query), 0);
    assert_eq!(of("club/db.rs", query), 0);
    assert_eq!(of("club/db/names.rs", query), 0);
    assert_eq!(of("club/names.rs", query), 1);
    assert_eq!(of("club.rs", query), 1);
    assert_eq!(of("club.rs", "use sqlx::query_as; "), 1);
    assert_eq!(of("club.rs", "fn f() { query_scalar!(\"select 1\") }"), 1);
    assert_eq!(
        of("club.rs", "fn f(error: sqlx::Error) { page.query() }"),
        0
    );
}

#[test]
fn durations_are_limits() {
    let of = |file: &str, text: &str| {
        words::durations(&source(&[("lib.rs", ""), (file, text)]), Some("limits")).len()
    };
    let delay = "pub(crate) const DELAY: Duration = Duration::from_secs(1);";
    assert_eq!(of("bus.rs", delay), 1);
    assert_eq!(of("limits/bus.rs", delay), 0);
    let elsewhere = source(&[("lib.rs", ""), ("limits/bus.rs", delay)]);
    assert_eq!(words::durations(&elsewhere, None).len(), 1);
    assert_eq!(
        of(
            "bus.rs",
            "#[cfg(test)] mod tests { const MS: Duration = Duration::from_millis(1); }"
        ),
        0
    );
    assert_eq!(
        of(
            "bus.rs",
            "const DELAY: Duration = limits::BUS_DELAY; const fn f(at: Duration) {}"
        ),
        0
    );
    assert_eq!(
        of("bus.rs", "fn f() { sleep(Duration::from_millis(5)) }"),
        1
    );
    assert_eq!(
        of(
            "bus.rs",
            "fn f() -> u64 { std::time::Duration::from_secs(24 * (60 * 60)).as_secs() }"
        ),
        1
    );
    assert_eq!(of("bus.rs", "fn f() { sleep(Duration::new(1, 0)) }"), 1);
    assert_eq!(
        of(
            "bus.rs",
            "fn f(wait: u64) { sleep(Duration::from_secs(wait)) }"
        ),
        0
    );
    let faults = |name: &str| vocabulary(name, &source(&[("lib.rs", delay)])).len();
    assert_eq!(faults("server"), 1);
    assert_eq!(faults("load"), 0);
}

#[test]
fn each_crate_has_its_vocabulary() {
    let of = |name: &str, text: &str| vocabulary(name, &source(&[("lib.rs", text)])).len();
    let clock = "fn f() -> std::time::Instant { todo!() }";
    assert_eq!(of("engine", clock), 1);
    assert_eq!(of("engine-wasm", clock), 1);
    assert_eq!(of("puzzles", clock), 1);
    assert_eq!(of("load", clock), 0);
    let output = "fn f() { std::io::stdout(); println!(\"text\"); let print = 1; }";
    assert_eq!(of("puzzles", output), 2);
    assert_eq!(of("protocol", output), 2);
    assert_eq!(of("rules", output), 2);
    assert_eq!(of("rules", "fn f(line: std::io::Lines<File>) {}"), 0);
    assert_eq!(of("load", output), 0);
    assert_eq!(of("rules", "const X: &str = env!(\"NAME\");"), 0);
    let sql = "fn f() { sqlx::query(\"select 1\"); }";
    assert_eq!(of("line", sql), of("load", sql));
    assert!(of("load", sql) > 0);
}

#[test]
fn code_that_a_macro_makes_imports_nothing() {
    let imports = source(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "fn f() { quote!(crate::b::g()) }"),
        ("b.rs", "use crate::a;"),
    ])
    .imports(&[]);
    assert_eq!(circles("endpoint", &imports), [""; 0]);
}

#[test]
fn all_crates_are_checked() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for entry in std::fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path().join("src");
        let name = folder.parent().unwrap().file_name().unwrap();
        let wanted = format!("crates/{}/src", name.to_str().unwrap());
        let is_checked = CRATES.iter().any(|one| one.folder == wanted);
        assert!(is_checked || !folder.exists(), "{wanted}");
    }
}

#[test]
fn architecture_stays_short() {
    let lines = include_str!("../../../ARCHITECTURE.md").lines().count();
    assert!(lines <= 160, "ARCHITECTURE.md has {lines} lines");
}

#[test]
fn unsafe_is_found() {
    let of = |text: &str| words::unsafety(&source(&[("lib.rs", text)])).len();
    assert_eq!(of("fn f() { unsafe { g() } }"), 1);
    assert_eq!(of("// unsafe\nfn f() { g(\"unsafe\") }"), 0);
}
