//! `docs/api.md` against the code: the tables of endpoints, error codes with their statuses, stream events.
//!
//! These tests need neither a server nor a database. The tables of endpoints are made of the list of endpoints: with
//! `UPDATE_DOCS=1` (`cargo make api-docs`) they are written, and otherwise compared.

use leptos::server_fn::axum::server_fn_paths;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Write as _};
use std::fs;
use std::path::Path;
use tochki_pages::endpoint::Endpoint;
use tochki_play::Event;
use tochki_protocol::{Code, LobbyEvent, PersonalEvent, StatusEvent, TournamentEvent, event_names};

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads the page that is checked.
fn page() -> String {
    read("docs/api.md")
}

/// Returns the words in backticks.
fn quoted(text: &str) -> impl Iterator<Item = String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// Returns the cells of each row of the page's tables, heads and rules among them.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
        .map(|row| row.split('|').map(str::trim).collect())
}

/// Returns the section under this heading, up to the next heading.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, rest) = page
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("docs/api.md has no section {heading:?}"));
    rest.split("\n#").next().unwrap_or(rest)
}

#[track_caller]
fn same<T: Ord + Debug>(what: &str, code: &BTreeSet<T>, page: &BTreeSet<T>) {
    let missing: Vec<_> = code.difference(page).collect();
    let unknown: Vec<_> = page.difference(code).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "{what}: in the code and not in docs/api.md: {missing:?}; in docs/api.md and not in the code: {unknown:?}"
    );
}

/// The head of a table of endpoints.
const HEAD: &str = "| endpoint | who | takes | answers | errors |\n|---|---|---|---|---|\n";

/// Returns the row of an endpoint.
fn row(endpoint: &Endpoint) -> String {
    let names = |optional: bool| {
        let arguments = endpoint.arguments.iter();
        let arguments = arguments.filter(|argument| argument.is_optional == optional);
        let names: Vec<_> = arguments.map(|it| format!("`{}`", it.name)).collect();
        names.join(", ")
    };
    let takes = match (names(false), names(true)) {
        (required, optional) if optional.is_empty() => required,
        (required, optional) if required.is_empty() => format!("optional {optional}"),
        (required, optional) => format!("{required}, optional {optional}"),
    };
    let errors = endpoint.errors().map(|(code, note)| match note {
        Some(note) => format!("`{}` ({note})", code.as_str()),
        None => format!("`{}`", code.as_str()),
    });
    let errors = errors.collect::<Vec<_>>().join(", ");
    let address = format!("`{} {}`", endpoint.method.as_str(), endpoint.path);
    let cells = [
        address.as_str(),
        endpoint.who(),
        &takes,
        endpoint.answers,
        &errors,
    ];
    let mut row = String::from("|");
    for cell in cells {
        row += if cell.is_empty() { "" } else { " " };
        let _ = write!(row, "{cell} |");
    }
    row + "\n"
}

/// Returns the page with the table of each section as the endpoints have it.
fn with_tables(page: &str) -> String {
    let mut tables = BTreeMap::<&str, String>::new();
    for endpoint in Endpoint::all() {
        if !endpoint.answers.is_empty() {
            let table = tables.entry(endpoint.section());
            *table.or_insert_with(|| HEAD.to_owned()) += &row(endpoint);
        }
    }
    let mut written = String::with_capacity(page.len());
    let (mut section, mut lines) = ("", page.split_inclusive('\n').peekable());
    while let Some(line) = lines.next() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading.trim_end();
        }
        let is_table = line.starts_with("| endpoint |");
        if let Some(table) = is_table.then(|| tables.remove(section)).flatten() {
            while lines.next_if(|line| line.starts_with('|')).is_some() {}
            written += &table;
        } else {
            written += line;
        }
    }
    assert!(tables.is_empty(), "docs/api.md lacks tables of {tables:?}");
    written
}

/// Returns the addresses of the router that are neither endpoints nor pages, by method.
fn routes() -> BTreeSet<String> {
    let router = read("crates/web/src/http/router.rs");
    let mut found = BTreeSet::new();
    for arguments in router.split(".get(").skip(1) {
        // Other calls of the same name have no address.
        let address = arguments.trim_start().strip_prefix("\"/");
        let Some((path, _)) = address.and_then(|rest| rest.split_once('"')) else {
            continue;
        };
        // A player's page is for people, and the other is a script of the service worker.
        if path != "@{name}" && path != "release.js" {
            found.insert(format!("GET /{path}"));
        }
    }
    found
}

#[test]
fn every_server_function_is_an_endpoint() {
    let functions = server_fn_paths().map(|(path, method)| format!("{method} {path}"));
    let endpoints = Endpoint::all().iter();
    let endpoints = endpoints.filter(|endpoint| endpoint.answer.is_some());
    let endpoints: BTreeSet<String> = endpoints
        .map(|endpoint| format!("{} {}", endpoint.method.as_str(), endpoint.path))
        .collect();
    assert!(endpoints.len() > 70, "{}", endpoints.len());
    assert_eq!(
        endpoints,
        functions.collect(),
        "declared without #[endpoint]"
    );
}

#[test]
fn tables_of_endpoints_are_up_to_date() {
    let page = page();
    let written = with_tables(&page);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/api.md");
        fs::write(path, written).expect("docs/api.md is written");
        return;
    }
    for (stands, belongs) in page.lines().zip(written.lines()) {
        assert_eq!(stands, belongs, "`cargo make api-docs` writes the tables");
    }
    assert_eq!(page, written, "`cargo make api-docs` writes the tables");
}

#[test]
fn other_addresses_are_documented() {
    let page = page();
    let endpoints = Endpoint::all().iter();
    let endpoints = endpoints.filter(|endpoint| endpoint.answers.is_empty());
    let endpoints = endpoints.map(|it| format!("{} {}", it.method.as_str(), it.path));
    let code = routes().into_iter().chain(endpoints);
    let streams = page
        .lines()
        .filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
    let others = rows(section(&page, "## Downloads and other addresses")).filter_map(|cells| {
        let address = quoted(cells[0]).next()?;
        let (_, path) = address.split_once(' ')?;
        let who = Endpoint::at(path).map_or("visitor", Endpoint::who);
        assert_eq!(cells[1], who, "{address}");
        Some(address)
    });
    let documented = streams.map(str::to_owned).chain(others);
    same("addresses", &code.collect(), &documented.collect());
}

#[test]
fn error_codes_are_documented_with_their_status() {
    let statuses = statuses();
    let code = Code::ALL.iter().map(|code| {
        let status = statuses.get(&format!("{code:?}")).unwrap_or_else(|| {
            panic!("{code:?} has no status in crates/pages/src/context/status.rs")
        });
        (code.as_str().to_owned(), *status)
    });
    let page = page();
    let documented = rows(section(&page, "## Errors")).filter_map(|cells| {
        let status: u16 = cells[0].parse().ok()?;
        Some((quoted(cells[1]).next()?, status))
    });
    same("error codes", &code.collect(), &documented.collect());
}

/// Returns the status of each variant of `Code`, as `crates/pages/src/context/status.rs` has it: patterns, and then a constant.
fn statuses() -> BTreeMap<String, u16> {
    let source = read("crates/pages/src/context/status.rs");
    let (_, arms) = source.split_once("match code {").expect("a match");
    let words = arms.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':'));
    let (mut found, mut waiting) = (BTreeMap::new(), Vec::new());
    for word in words {
        if let Some(variant) = word.strip_prefix("Code::") {
            waiting.push(variant.to_owned());
        } else if let Some(name) = word.strip_prefix("StatusCode::") {
            found.extend(waiting.drain(..).map(|code| (code, number(name))));
        }
    }
    found
}

fn number(name: &str) -> u16 {
    match name {
        "BAD_REQUEST" => 400,
        "UNAUTHORIZED" => 401,
        "FORBIDDEN" => 403,
        "NOT_FOUND" => 404,
        "METHOD_NOT_ALLOWED" => 405,
        "CONFLICT" => 409,
        "PAYLOAD_TOO_LARGE" => 413,
        "UNPROCESSABLE_ENTITY" => 422,
        "TOO_MANY_REQUESTS" => 429,
        "INTERNAL_SERVER_ERROR" => 500,
        "SERVICE_UNAVAILABLE" => 503,
        _ => panic!("the status {name} is new: add its number here"),
    }
}

#[test]
fn stream_events_are_documented() {
    // Chat messages have one event, which both streams carry; `watchers` only the players of a match get; the page hears of
    // `annulled` from a script.
    let of_match = [
        event_names::of::<Event>(),
        event_names::of::<StatusEvent>(),
        &[
            event_names::SAID,
            event_names::WATCHERS,
            event_names::ANNULLED,
        ],
    ]
    .concat();
    // Its other events are those of its topics.
    check_events("### `GET /events`", &[event_names::TOPIC_ENDED]);
    check_events("### `GET /events/match/{id}`", &of_match);
    let of_lobby = [event_names::of::<LobbyEvent>(), &[event_names::SAID]].concat();
    check_events("### `GET /events/lobby`", &of_lobby);
    check_events("### `GET /events/me`", event_names::of::<PersonalEvent>());
    check_events(
        "### `GET /events/table/{link}`",
        &["table", "match_started", "table_closed", event_names::SAID],
    );
    let of_tournament = event_names::of::<TournamentEvent>();
    check_events("### `GET /events/tournament/{id}`", of_tournament);
}

/// Compares the literals in the scripts of `public/` with the names of events.
#[test]
fn scripts_listen_to_the_events_of_streams() {
    let pages = ["public/chat.js", "public/waiting.js"].map(read).concat();
    for name in [
        event_names::SAID,
        event_names::WATCHERS,
        event_names::ANNULLED,
        event_names::RATING_CORRECTED,
        event_names::RELEASE,
    ] {
        let listener = format!("document.addEventListener(\"{name}\"");
        assert!(pages.contains(&listener), "no script: {listener}");
    }
    let table = read("public/open_table.js");
    let listeners = table.split(" on(\"").skip(1);
    let heard: BTreeSet<&str> = listeners
        .filter_map(|text| text.split('"').next())
        .collect();
    let sent = [
        "table",
        "match_started",
        "table_closed",
        event_names::SAID,
        event_names::RATING_CORRECTED,
        event_names::RELEASE,
        event_names::SIGNED_OUT,
    ];
    same("events of a table", &BTreeSet::from(sent), &heard);
}

#[track_caller]
fn check_events(heading: &str, names: &[&str]) {
    let page = page();
    let documented = rows(section(&page, heading)).filter_map(|cells| quoted(cells[0]).next());
    let code = names.iter().map(|name| (*name).to_owned());
    same(heading, &code.collect(), &documented.collect());
}
