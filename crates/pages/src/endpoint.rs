//! The endpoints: the facts about each, from the place where it is declared.
//!
//! A server function is declared by `#[endpoint]`, another handler by an [`Endpoint`] of its own. The scopes of tokens, the `OpenAPI`
//! document, the tables of `docs/api.md` and the permission matrix are made of this list.

pub use inventory;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::collections::HashMap;
use std::sync::LazyLock;
use tochki_protocol::{Code, Scope};

/// Makes the schema of a type.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// Returns the schema of a type, by reference where it has a name.
pub fn schema_of<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Schema {
    schemas.subschema_for::<T>()
}

/// The method of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Arguments are in the query.
    Get,
    /// Arguments are a form or JSON.
    Post,
}

impl Method {
    /// Returns the name of the method.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

/// The callers that an endpoint is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallerKind {
    /// Everybody.
    Visitor,
    /// A signed-in player, also by a token.
    Player,
    /// A signed-in player with a session.
    SessionPlayer,
    /// Operators.
    Operator,
}

/// An argument of an endpoint.
#[derive(Debug)]
pub struct Argument {
    /// The name.
    pub name: &'static str,
    /// Whether the argument can be left out.
    pub is_optional: bool,
    /// The schema.
    pub schema: SchemaOf,
}

impl Argument {
    /// Returns an optional text.
    pub const fn optional_text(name: &'static str) -> Self {
        Self {
            name,
            is_optional: true,
            schema: schema_of::<Option<String>>,
        }
    }
}

/// An endpoint.
#[derive(Debug)]
pub struct Endpoint {
    /// The method.
    pub method: Method,
    /// The path, with its parameters in braces.
    pub path: &'static str,
    /// The callers.
    pub caller: CallerKind,
    /// The callers in words, where `caller` does not say all.
    pub who: Option<&'static str>,
    /// The scope that a token needs. `None` where no token is taken.
    pub scope: Option<Scope>,
    /// The documentation of the function.
    pub description: &'static str,
    /// The arguments, but those of the path.
    pub arguments: &'static [Argument],
    /// The answer in words.
    pub answers: &'static str,
    /// The schema of the answer of a server function.
    pub answer: Option<SchemaOf>,
    /// Whether the answer has an `ETag`.
    pub has_etag: bool,
    /// The errors that not every endpoint has, and notes on them.
    pub errors: &'static [(Code, Option<&'static str>)],
    /// The module of the declaration.
    pub module: &'static str,
    /// The line of the declaration.
    pub line: u32,
}

inventory::collect!(Endpoint);

/// The sections of `docs/api.md`, and the modules with the endpoints of each, all in order.
const SECTIONS: [(&str, &[&str]); 14] = [
    (
        "Accounts",
        &[
            "accounts",
            "guests",
            "recovery",
            "mail",
            "passkeys",
            "membership",
            "my_data",
            "tokens",
            "settings",
            "failures",
        ],
    ),
    ("For programs", &["openapi", "games"]),
    ("Waiting room", &["lobby"]),
    ("Tables", &["open_tables"]),
    ("Tournaments", &["tournaments", "leagues"]),
    ("Matches", &["matches"]),
    ("Chat", &["chat"]),
    ("Notifications", &["notifications"]),
    ("Statistics", &["stats"]),
    ("Games against the computer", &["computer_games"]),
    ("Puzzles", &["puzzles"]),
    ("Moderation", &["operator", "marked_names"]),
    ("Streams", &["events"]),
    (
        "Downloads and other addresses",
        &[
            "records",
            "downloads",
            "tournament_files",
            "tournament_calendar",
            "new_token",
            "new_tournament",
            "new_codes",
            "unsubscribe",
            "pages",
            "cards",
        ],
    ),
];

/// The endpoints, in the order of `docs/api.md`.
static ENDPOINTS: LazyLock<Vec<&'static Endpoint>> = LazyLock::new(|| {
    let mut all: Vec<_> = inventory::iter::<Endpoint>.into_iter().collect();
    all.sort_by_key(|endpoint| (endpoint.place(), endpoint.line));
    all
});

static BY_PATH: LazyLock<HashMap<&'static str, &'static Endpoint>> = LazyLock::new(|| {
    let all = ENDPOINTS.iter();
    all.map(|endpoint| (endpoint.path, *endpoint)).collect()
});

impl Endpoint {
    /// Creates an endpoint that is no server function, without errors of its own. [`inventory::submit`] registers it.
    ///
    /// # Panics
    /// While it is compiled, where a token would be let through to a handler that refuses it.
    #[track_caller]
    pub const fn handler(
        method: Method,
        path: &'static str,
        caller: CallerKind,
        scope: Option<Scope>,
        module: &'static str,
    ) -> Self {
        assert!(
            scope.is_none() || matches!(caller, CallerKind::Visitor | CallerKind::Player),
            "no token reaches a handler for sessions or operators"
        );
        Self {
            method,
            path,
            caller,
            who: None,
            scope,
            description: "",
            arguments: &[],
            answers: "",
            answer: None,
            has_etag: false,
            errors: &[],
            module,
            line: std::panic::Location::caller().line(),
        }
    }

    /// Returns all endpoints, in the order of `docs/api.md`.
    pub fn all() -> &'static [&'static Self] {
        &ENDPOINTS
    }

    /// Returns the endpoint of this path, its parameters in braces.
    pub fn at(path: &str) -> Option<&'static Self> {
        BY_PATH.get(path).copied()
    }

    /// Returns the callers in words.
    pub fn who(&self) -> &'static str {
        self.who.unwrap_or(match self.caller {
            CallerKind::Visitor => "visitor",
            CallerKind::Player | CallerKind::SessionPlayer => "player",
            CallerKind::Operator => "operator",
        })
    }

    /// Returns the errors of this endpoint, and notes on them; that of its callers is the first.
    pub fn errors(&self) -> impl Iterator<Item = (Code, Option<&'static str>)> {
        let of_caller = (self.caller == CallerKind::Operator).then_some((Code::NotOperator, None));
        of_caller.into_iter().chain(self.errors.iter().copied())
    }

    /// Returns the section of `docs/api.md` with this endpoint.
    ///
    /// # Panics
    /// If the module of the endpoint is in no section.
    pub fn section(&self) -> &'static str {
        SECTIONS[self.place().0].0
    }

    /// Returns the section, and the module in it.
    fn place(&self) -> (usize, usize) {
        let name = self.module.rsplit("::").next().unwrap_or_default();
        let mut sections = SECTIONS.iter().enumerate();
        let place = sections.find_map(|(section, (_, modules))| {
            let module = modules.iter().position(|module| *module == name)?;
            Some((section, module))
        });
        place.unwrap_or_else(|| panic!("the module {name} of {} is in no section", self.path))
    }
}
