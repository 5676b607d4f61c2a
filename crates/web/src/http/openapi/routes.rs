//! Endpoints that are neither server functions nor streams: downloads, forms that answer pages, health.

use super::schemas::Schemas;
use serde_json::{Value, json};
use tochki_pages::api::CreateToken;
use tochki_protocol::{ArchiveLine, Code};

/// The facts about an address that `docs/api.md` does not state.
pub(super) struct Route {
    /// The content of the answer, by its type.
    pub(super) content: Value,
    /// Names of parameters in the query, all optional texts.
    pub(super) query: &'static [&'static str],
    /// The body of a `POST`.
    pub(super) body: Option<Value>,
    /// Errors that are answered as JSON.
    pub(super) errors: &'static [Code],
    /// The other answers: statuses and their meanings.
    pub(super) others: &'static [(u16, &'static str)],
    /// Whether requests are counted and guarded like those of `/api`.
    pub(super) is_guarded: bool,
}

/// The answer to a reader who has the content already.
const UNCHANGED: (u16, &str) = (304, "`If-None-Match` has the `ETag`: nothing has changed.");

impl Route {
    fn answering(kind: &str, schema: Value) -> Self {
        Self {
            content: json!({ kind: { "schema": schema } }),
            query: &[],
            body: None,
            errors: &[],
            others: &[],
            is_guarded: true,
        }
    }

    fn text(kind: &str) -> Self {
        Self::answering(kind, json!({ "type": "string" }))
    }

    /// Returns a route for browsers, which is counted with the pages.
    fn open(kind: &str) -> Self {
        Self {
            is_guarded: false,
            ..Self::text(kind)
        }
    }

    /// Returns a form whose answer is a page.
    fn page(fields: Value, required: &[&str]) -> Self {
        let schema = json!({ "type": "object", "properties": fields, "required": required });
        Self {
            body: Some(json!({ "application/x-www-form-urlencoded": { "schema": schema } })),
            others: &[(
                303,
                "Back to the account page, with the error in its address.",
            )],
            ..Self::text("text/html")
        }
    }

    /// Returns the route at this address.
    pub(super) fn at(path: &str, schemas: &mut Schemas) -> Option<Self> {
        let text = || json!({ "type": "string" });
        Some(match path {
            "/api/my_data" | "/api/openapi.json" => {
                Self::answering("application/json", json!({ "type": "object" }))
            }
            "/api/games" => Self {
                content: json!({
                    "application/x-ndjson": { "schema": schemas.answer::<ArchiveLine>() },
                    "application/x-go-sgf": { "schema": text() },
                }),
                ..Self::text("application/x-ndjson")
            },
            "/match/{id}/sgf" => Self {
                query: &["dialect"],
                errors: &[Code::NoSuchMatch, Code::BrokenRecord],
                ..Self::text("application/x-go-sgf")
            },
            "/tournament/{id}/trf" => Self {
                errors: &[Code::NoSuchTournament],
                ..Self::text("text/plain")
            },
            "/tournament/{id}/csv" => Self {
                errors: &[Code::NoSuchTournament],
                ..Self::text("text/csv")
            },
            "/tournament/{id}/json" => Self {
                errors: &[Code::NoSuchTournament, Code::NotFinished],
                ..Self::answering("application/json", json!({ "type": "object" }))
            },
            "/tournaments.ics" => Self {
                query: &["game"],
                errors: &[Code::UnknownGame],
                others: &[UNCHANGED],
                ..Self::text("text/calendar")
            },
            "/history/sgf" => Self {
                query: &["game", "opponent", "result", "dialect"],
                errors: &[Code::InvalidFilter, Code::UnknownGame],
                others: &[(303, "A browser that is not signed in is sent to do that.")],
                ..Self::text("application/x-go-sgf")
            },
            "/history/jsonl" => Self {
                query: &["game", "opponent", "result"],
                errors: &[Code::InvalidFilter, Code::UnknownGame],
                others: &[(303, "A browser that is not signed in is sent to do that.")],
                ..Self::answering("application/jsonl", schemas.answer::<ArchiveLine>())
            },
            "/account/token" => {
                let end = schemas.argument("end", |of: &CreateToken| &of.end);
                Self::page(
                    json!({ "name": text(), "scopes": text(), "end": end.schema, "password": text() }),
                    &["name", "scopes", "end", "password"],
                )
            }
            "/tournaments/new" => {
                let names = [
                    "sent",
                    "game",
                    "offset",
                    "name",
                    "begin",
                    "starts_at",
                    "duration",
                    "is_rated",
                    "streaks",
                    "last_games",
                    "berserk",
                    "format",
                    "rounds",
                    "break",
                    "round_days",
                    "missed",
                    "double",
                    "best_of",
                    "min_rating",
                    "max_rating",
                    "min_games",
                    "min_age_days",
                    "guests",
                    "bots",
                    "password",
                    "description",
                ];
                let fields: serde_json::Map<_, _> = names
                    .map(|name| (name.to_owned(), text()))
                    .into_iter()
                    .collect();
                Self {
                    others: &[
                        (303, "To the page of the tournament."),
                        (422, "The page says what is wrong."),
                    ],
                    ..Self::page(Value::Object(fields), &[])
                }
            }
            "/mail/unsubscribe/{token}" => Self {
                errors: &[Code::BadLink],
                ..Self::text("text/plain")
            },
            "/account/codes" => Self::page(json!({ "password": text() }), &["password"]),
            "/sgf" => {
                let record = json!({ "type": "object", "properties": {
                    "sgf": text(), "file": text(), "ply": text(), "step": text(),
                } });
                Self {
                    body: Some(json!({
                        "application/x-www-form-urlencoded": { "schema": record },
                        "multipart/form-data": { "schema": record },
                    })),
                    others: &[
                        (400, "The page says that there is no record."),
                        (413, "The page says that the record is too large."),
                        (422, "The page says why it is no record."),
                    ],
                    ..Self::text("text/html")
                }
            }
            "/embed/match/{id}" => Self {
                errors: &[Code::NoSuchMatch, Code::BrokenRecord],
                ..Self::text("text/html")
            },
            "/match/{id}/card.png" => Self {
                errors: &[Code::NoSuchMatch, Code::BrokenRecord],
                others: &[UNCHANGED],
                ..Self::answering("image/png", json!({ "type": "string", "format": "binary" }))
            },
            "/card/{game}" => Self {
                errors: &[Code::NotFound],
                others: &[UNCHANGED],
                ..Self::answering("image/png", json!({ "type": "string", "format": "binary" }))
            },
            "/match/{id}/beat" => Self {
                query: &["seen"],
                others: &[(404, "There is no such match.")],
                ..Self::open("text/html")
            },
            "/texts/{file}" => Self {
                others: &[(404, "There is no such file.")],
                ..Self::open("text/javascript")
            },
            "/info_pages.css" => Self::open("text/css"),
            "/healthz" => Self {
                others: &[(503, "A task does not run.")],
                ..Self::open("text/plain")
            },
            "/readyz" => Self {
                others: &[(503, "It cannot serve.")],
                ..Self::open("text/plain")
            },
            _ => return None,
        })
    }
}
