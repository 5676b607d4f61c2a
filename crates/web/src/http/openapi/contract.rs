//! The addresses of the interface: the endpoints, and after them the streams and downloads, whose answers are in words only in
//! `docs/api.md`.

use tochki_pages::endpoint::{CallerKind, Endpoint};
use tochki_protocol::Code;

const PAGE: &str = include_str!("../../../../../docs/api.md");

/// An address.
pub(super) struct Address {
    /// `GET` or `POST`.
    pub(super) method: &'static str,
    /// The path, with its parameters in braces.
    pub(super) path: &'static str,
    /// The section of `docs/api.md`.
    pub(super) section: &'static str,
    /// The callers in words.
    pub(super) who: &'static str,
    /// The answer in words, or what the address is for.
    pub(super) text: String,
    /// The codes of its own errors.
    pub(super) errors: Vec<Code>,
    /// The endpoint, where a token may be taken.
    pub(super) endpoint: Option<&'static Endpoint>,
}

impl Address {
    fn of_endpoint(endpoint: &'static Endpoint) -> Self {
        Self {
            method: endpoint.method.as_str(),
            path: endpoint.path,
            section: endpoint.section(),
            who: endpoint.who(),
            text: format!("Answers {}.", endpoint.answers),
            errors: endpoint.errors().map(|(code, _)| code).collect(),
            endpoint: Some(endpoint),
        }
    }

    /// Returns an address whose answer the page describes.
    fn of_page(
        (method, path): (&'static str, &'static str),
        section: &'static str,
        text: String,
    ) -> Self {
        let endpoint = Endpoint::at(path);
        Self {
            method,
            path,
            section,
            who: endpoint.map_or("visitor", Endpoint::who),
            errors: codes(&text),
            text,
            endpoint,
        }
    }

    /// Returns whether the address answers without a signed-in player.
    pub(super) fn for_visitors(&self) -> bool {
        self.endpoint
            .is_none_or(|endpoint| endpoint.caller == CallerKind::Visitor)
    }
}

/// Lists all addresses, in the order of the page.
pub(super) fn addresses() -> Vec<Address> {
    let described = Endpoint::all().iter().copied();
    let described = described.filter(|endpoint| !endpoint.answers.is_empty());
    let mut found: Vec<_> = described.map(Address::of_endpoint).collect();
    let mut section = "";
    let mut lines = PAGE.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading;
        } else if let Some(stream) = line.strip_prefix("### `GET ") {
            // Its text ends with the table of its events.
            let mut text = String::new();
            while let Some(more) = lines.next_if(|line| !line.starts_with(['|', '#'])) {
                text = text + more + " ";
            }
            let address = ("GET", stream.trim_end_matches('`'));
            found.push(Address::of_page(address, section, text.trim().to_owned()));
        } else if let Some((address, [_, what])) = row(line) {
            found.push(Address::of_page(address, section, what.to_owned()));
        }
    }
    found
}

/// Parses a row of a table of other addresses: a method and a path, callers, and a purpose.
fn row(line: &'static str) -> Option<((&'static str, &'static str), [&'static str; 2])> {
    let cells = line.strip_prefix("| `")?.strip_suffix('|')?;
    let (address, cells) = cells.split_once("` |")?;
    let (method, path) = address.split_once(' ')?;
    let known = matches!(method, "GET" | "POST") && path.starts_with('/');
    let cells: Vec<_> = cells.split('|').map(str::trim).collect();
    let cells = cells.try_into().ok().filter(|_| known)?;
    Some(((method, path), cells))
}

/// Returns the error codes in backticks.
fn codes(text: &str) -> Vec<Code> {
    let words = text.split('`').skip(1).step_by(2);
    let find = |word: &str| Code::ALL.iter().copied().find(|code| code.as_str() == word);
    words.filter_map(find).collect()
}
