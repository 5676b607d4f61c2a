//! The description of the interface against the served one: addresses, arguments, error codes, events. The fields of answers and
//! events are checked with every answer that any test gets (`described.rs`).

use super::app::TestApp;
use super::described::DESCRIPTION;
use leptos::server_fn::axum::server_fn_paths;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tochki_play::Event;
use tochki_protocol::{Code, LobbyEvent, PersonalEvent, StatusEvent, TournamentEvent, event_names};

/// Returns all operations by method and path.
fn operations() -> impl Iterator<Item = (String, &'static Value)> {
    let paths = DESCRIPTION["paths"].as_object().expect("paths").iter();
    paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods").iter();
        methods.map(move |(method, operation)| {
            (format!("{} {path}", method.to_uppercase()), operation)
        })
    })
}

#[tokio::test]
async fn description_is_public() {
    let app = TestApp::init().await;
    let served = app.visitor().get("/api/openapi.json").await;
    assert_eq!(served.assert_ok(), *DESCRIPTION);
    assert_eq!(served.header("access-control-allow-origin"), Some("*"));
    let program = app.with_user("ann").await.as_program("read").await;
    assert_eq!(
        program.get("/api/openapi.json").await.assert_ok()["openapi"],
        "3.1.0"
    );
}

#[test]
fn every_server_function_is_described() {
    let described: BTreeSet<String> = operations().map(|(operation, _)| operation).collect();
    let served: Vec<_> = server_fn_paths().collect();
    assert!(served.len() > 70, "{}", served.len());
    for (path, method) in served {
        assert!(
            described.contains(&format!("{method} {path}")),
            "{method} {path}"
        );
    }
}

/// `tests/server/api_contract.rs` sees to it that the page has all routes of the router.
#[test]
fn every_address_of_the_contract_is_described() {
    let page = include_str!("../../docs/api.md");
    let addresses = page.split('`').skip(1).step_by(2).filter(|word| {
        (word.starts_with("GET /") || word.starts_with("POST /")) && !word.contains('*')
    });
    let contract: BTreeSet<String> = addresses.map(str::to_owned).collect();
    let described: BTreeSet<String> = operations().map(|(operation, _)| operation).collect();
    assert_eq!(described, contract);
}

#[test]
fn every_error_code_is_described_under_its_status() {
    let mut found = BTreeSet::new();
    for (_, operation) in operations() {
        for (status, response) in operation["responses"].as_object().expect("responses") {
            let schema = &response["content"]["application/json"]["schema"];
            for code in schema["properties"]["code"]["enum"]
                .as_array()
                .into_iter()
                .flatten()
            {
                found.insert((code.as_str().expect("a code").to_owned(), status.clone()));
            }
        }
    }
    // `tests/server/api_contract.rs` compares the page with the code.
    let page = include_str!("../../docs/api.md");
    let status_of = |code: &Code| {
        let cell = format!(" | `{}` |", code.as_str());
        let row = page
            .lines()
            .find(|line| line.contains(&cell))
            .expect("a row");
        row.trim_start_matches("| ")
            .chars()
            .take(3)
            .collect::<String>()
    };
    let codes = Code::ALL
        .iter()
        .map(|code| (code.as_str().to_owned(), status_of(code)));
    assert_eq!(found, codes.collect());
}

#[test]
fn every_event_is_described() {
    let names = |path: &str| -> BTreeSet<&str> {
        let content = &DESCRIPTION["paths"][path]["get"]["responses"]["200"]["content"];
        let lines = content["application/x-ndjson"]["schema"]["oneOf"].as_array();
        let lines = lines.expect("lines").iter();
        lines
            .map(|line| line["title"].as_str().expect("a name"))
            .collect()
    };
    let check = |path: &str, groups: &[&[&'static str]]| {
        let expected: BTreeSet<&str> = groups
            .concat()
            .into_iter()
            .chain(["release", "signed_out", "rating_corrected", "notified"])
            .collect();
        assert_eq!(names(path), expected, "{path}");
    };
    let others = ["said", "watchers", "annulled"];
    check(
        "/events/match/{id}",
        &[
            event_names::of::<Event>(),
            event_names::of::<StatusEvent>(),
            &others,
        ],
    );
    check(
        "/events/lobby",
        &[event_names::of::<LobbyEvent>(), &["said"]],
    );
    check("/events/me", &[event_names::of::<PersonalEvent>()]);
    check(
        "/events/table/{link}",
        &[&["table", "match_started", "table_closed", "said"]],
    );
    check(
        "/events/tournament/{id}",
        &[event_names::of::<TournamentEvent>()],
    );
}

#[test]
fn every_reference_leads_somewhere() {
    fn check(value: &Value) {
        match value {
            Value::Object(object) => {
                if let Some(Value::String(to)) = object.get("$ref") {
                    assert!(DESCRIPTION.pointer(&to[1..]).is_some(), "{to}");
                }
                object.values().for_each(check);
            }
            Value::Array(items) => items.iter().for_each(check),
            _ => {}
        }
    }
    check(&DESCRIPTION);
}

#[test]
fn arguments_and_scopes_are_described() {
    let challenge = &DESCRIPTION["paths"]["/api/challenge"]["post"];
    for kind in ["application/json", "application/x-www-form-urlencoded"] {
        let schema = &challenge["requestBody"]["content"][kind]["schema"];
        assert_eq!(schema["required"], json!(["opponent", "game"]));
        assert!(schema["properties"]["rated"].is_object());
    }
    let scopes = json!([{ "session": [] }, { "token": ["play"] }]);
    assert_eq!(challenge["security"], scopes);
    let read = &DESCRIPTION["paths"]["/api/match"]["get"];
    let needed: Vec<_> = read["parameters"]
        .as_array()
        .expect("parameters")
        .iter()
        .map(|of| &of["required"])
        .collect();
    assert_eq!(needed, [&json!(true), &json!(false)]);
    assert_eq!(read["parameters"][1]["schema"]["type"], "boolean");
    let scopes = json!([{ "session": [] }, { "token": ["read"] }, {}]);
    assert_eq!(read["security"], scopes);
    assert!(
        DESCRIPTION["paths"]["/api/tokens"]["get"]["security"][1].is_null(),
        "no token reaches it"
    );
}
