//! Parser of `docs/api.md`: callers, answer and errors of each endpoint. They are written only there; the types come from the
//! code. `tests/server/api_contract.rs` compares the two.

use tochki_protocol::Code;

const PAGE: &str = include_str!("../../../../../docs/api.md");

/// An address of the page.
pub(super) struct Address {
    /// `GET` or `POST`.
    pub(super) method: &'static str,
    /// With its parameters in braces.
    pub(super) path: &'static str,
    /// The heading above it.
    pub(super) section: &'static str,
    /// Who may call it.
    pub(super) who: &'static str,
    /// What it is for, or what it answers.
    pub(super) text: String,
    /// The codes of the errors that it names.
    pub(super) errors: Vec<Code>,
}

impl Address {
    /// Whether nobody has to be signed in.
    pub(super) fn for_visitors(&self) -> bool {
        self.who.starts_with("visitor")
    }
}

/// All addresses, in the order of the page.
pub(super) fn addresses() -> Vec<Address> {
    let mut section = "";
    let mut found = Vec::new();
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
            found.push(Address {
                method: "GET",
                path: stream.trim_end_matches('`'),
                section,
                who: if text.contains("For players.") {
                    "player"
                } else {
                    "visitor"
                },
                errors: codes(&text),
                text: text.trim().to_owned(),
            });
        } else if let Some((method, path, cells)) = row(line) {
            let (text, errors) = match cells[..] {
                [_, _, answers, errors] => (format!("Answers {answers}."), errors),
                [_, what] => (what.to_owned(), what),
                _ => continue,
            };
            found.push(Address {
                method,
                path,
                section,
                who: cells[0],
                text,
                errors: codes(errors),
            });
        }
    }
    found
}

/// A row of a table that begins with a method and a path, and its other cells.
fn row(line: &'static str) -> Option<(&'static str, &'static str, Vec<&'static str>)> {
    let cells = line.strip_prefix("| `")?.strip_suffix('|')?;
    let (address, cells) = cells.split_once("` |")?;
    let (method, path) = address.split_once(' ')?;
    let known = matches!(method, "GET" | "POST") && path.starts_with('/');
    known.then(|| (method, path, cells.split('|').map(str::trim).collect()))
}

/// The error codes in backticks.
fn codes(text: &str) -> Vec<Code> {
    let words = text.split('`').skip(1).step_by(2);
    let find = |word: &str| Code::ALL.iter().copied().find(|code| code.as_str() == word);
    words.filter_map(find).collect()
}
