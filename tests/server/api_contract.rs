//! `docs/api.md` against the code: endpoints with their arguments, error codes with their statuses, stream events.
//!
//! It reads the sources as text, so that it needs neither a server nor a database.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::fs;
use std::path::Path;
use tochki_play::Event;
use tochki_protocol::{Code, LobbyEvent, PersonalEvent, StatusEvent, event_names};

/// The required and the optional arguments of an endpoint.
type Arguments = (BTreeSet<String>, BTreeSet<String>);

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The page that is checked.
fn page() -> String {
    read("docs/api.md")
}

/// What stands in backticks.
fn quoted(text: &str) -> impl Iterator<Item = String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// The cells of each row of the page's tables, heads and rules among them.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
        .map(|row| row.split('|').map(str::trim).collect())
}

/// The section under this heading, up to the next heading.
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

/// Every server function by method and path, with its arguments.
fn server_functions() -> BTreeMap<String, Arguments> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/pages/src/api");
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder of server functions") {
        let source = fs::read_to_string(entry.expect("a file").path()).expect("a source file");
        for function in source.split("#[server(name").skip(1) {
            let (attribute, rest) = function.split_once(")]").expect("the end of #[server]");
            let (_, named) = attribute
                .split_once("endpoint = \"")
                .expect("a server function names its endpoint");
            let name = named.split('"').next().expect("a closing quote");
            let (_, protocol) = attribute
                .split_once("protocol = ")
                .expect("a server function names its protocol");
            let method = match protocol.trim() {
                "Query" => "GET",
                "Form" => "POST",
                other => panic!("the protocol {other} is new: add its method here"),
            };
            let (_, signature) = rest.split_once("pub async fn ").expect("a function");
            let (arguments, _) = signature.split_once("->").expect("an answer");
            found.insert(format!("{method} /api/{name}"), arguments_of(arguments));
        }
    }
    found
}

/// The arguments of `name(one: Type, #[server(default)] other: Type)`.
fn arguments_of(signature: &str) -> Arguments {
    let (_, inside) = signature.split_once('(').expect("arguments");
    let (inside, _) = inside.rsplit_once(')').expect("their end");
    let (mut required, mut optional) = Arguments::default();
    for argument in inside.split(',').map(str::trim) {
        let Some((name, kind)) = argument.split_once(": ") else {
            continue;
        };
        match name.strip_prefix("#[server(default)]") {
            Some(name) => optional.insert(name.trim().to_owned()),
            None if kind.starts_with("Option<") => optional.insert(name.to_owned()),
            None => required.insert(name.to_owned()),
        };
    }
    (required, optional)
}

/// The endpoints of the page: rows of five cells that begin with a method and a path under `/api`.
fn documented_endpoints(page: &str) -> BTreeMap<String, Vec<&str>> {
    let endpoints = rows(page).filter_map(|cells| {
        let address = cells[0].strip_prefix('`')?.strip_suffix('`')?;
        address
            .contains(" /api/")
            .then(|| (address.to_owned(), cells))
    });
    endpoints.collect()
}

/// Addresses of the router that are no server functions and no pages, by method.
fn routes() -> BTreeSet<String> {
    let router = read("crates/web/src/http/router.rs");
    let mut found = BTreeSet::new();
    for (call, method) in [(".get(", "GET"), (".post(", "POST")] {
        for arguments in router.split(call).skip(1) {
            // Other calls of the same name have no address.
            let address = arguments.trim_start().strip_prefix("\"/");
            let Some((path, _)) = address.and_then(|rest| rest.split_once('"')) else {
                continue;
            };
            // A player's page is for people, and the other is a script of the service worker.
            if path != "@{name}" && path != "release.js" {
                found.insert(format!("{method} /{path}"));
            }
        }
    }
    found
}

#[test]
fn endpoints_are_documented() {
    let page = page();
    let documented = documented_endpoints(&page).into_keys();
    let code = server_functions()
        .into_keys()
        .chain(routes().into_iter().filter(|route| is_api(route)));
    same("endpoints", &code.collect(), &documented.collect());
}

#[test]
fn other_addresses_are_documented() {
    let page = page();
    let code = routes().into_iter().filter(|route| !is_api(route));
    let streams = page
        .lines()
        .filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
    let others = rows(section(&page, "## Downloads and other addresses"))
        .filter_map(|cells| quoted(cells[0]).next());
    let documented = streams.map(str::to_owned).chain(others);
    same("addresses", &code.collect(), &documented.collect());
}

fn is_api(route: &str) -> bool {
    route.contains(" /api/")
}

#[test]
fn arguments_are_documented() {
    let page = page();
    let documented = documented_endpoints(&page);
    for (endpoint, (required, optional)) in server_functions() {
        let cells = documented
            .get(&endpoint)
            .unwrap_or_else(|| panic!("{endpoint} is not in docs/api.md"));
        let (before, after) = cells[2].split_once("optional").unwrap_or((cells[2], ""));
        let what = |kind| format!("{kind} arguments of {endpoint}");
        same(&what("required"), &required, &quoted(before).collect());
        same(&what("optional"), &optional, &quoted(after).collect());
    }
}

#[test]
fn errors_of_endpoints_exist() {
    let page = page();
    let known: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    for (endpoint, cells) in documented_endpoints(&page) {
        assert_eq!(cells.len(), 5, "{endpoint}: {cells:?}");
        let [.., errors] = cells[..] else { continue };
        for word in quoted(errors).filter(|word| word != "table") {
            assert!(
                known.contains(&*word),
                "{endpoint}: {word} is no error code"
            );
        }
    }
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

/// The status of each variant of `Code`, as `crates/pages/src/context/status.rs` has it: patterns, and then a constant.
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
        &["table", "match_started", "table_closed"],
    );
}

/// The scripts in `public/` have the names of events as literals.
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
