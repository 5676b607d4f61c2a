//! The event streams: the events of each, and their data.

use super::schemas::Schemas;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tochki_play::Event;
use tochki_protocol::{
    Account, AnnulmentNotice, ChatMessage, LobbyEvent, MatchStarted, PersonalEvent, StatusEvent,
    Table, TableClosed, event_names,
};

/// The events of a stream by name, and which of them have an id.
pub(super) struct Stream {
    events: BTreeMap<String, Value>,
    with_id: Vec<String>,
}

impl Stream {
    fn of(events: impl IntoIterator<Item = (String, Value)>) -> Self {
        let mut events: BTreeMap<String, Value> = events.into_iter().collect();
        let release = json!({
            "type": "object",
            "properties": { "release": { "type": "string" } },
            "required": ["release"],
        });
        events.insert(event_names::RELEASE.into(), release);
        events.insert(event_names::SIGNED_OUT.into(), json!({ "type": "object" }));
        Self {
            events,
            with_id: Vec::new(),
        }
    }

    /// The stream at this address.
    pub(super) fn at(path: &str, schemas: &mut Schemas) -> Option<Self> {
        let said = (
            event_names::SAID.to_owned(),
            schemas.answer::<ChatMessage>(),
        );
        let corrected = schemas.answer::<AnnulmentNotice>();
        let mut stream = match path {
            "/events/match/{id}" => {
                let versioned = schemas.variants::<Event>();
                let with_id = versioned.iter().map(|(name, _)| name.clone()).collect();
                let watchers = json!({
                    "type": "object",
                    "properties": { "players": { "type": "array", "items": schemas.answer::<Account>() } },
                    "required": ["players"],
                });
                let others = [
                    said,
                    (event_names::WATCHERS.into(), watchers),
                    (event_names::ANNULLED.into(), json!({ "type": "object" })),
                ];
                let status = schemas.variants::<StatusEvent>();
                Some(Self {
                    with_id,
                    ..Self::of(versioned.into_iter().chain(status).chain(others))
                })
            }
            "/events/lobby" => {
                let events = schemas.variants::<LobbyEvent>();
                Some(Self::of(events.into_iter().chain([said])))
            }
            "/events/me" => Some(Self::of(schemas.variants::<PersonalEvent>())),
            "/events/table/{link}" => Some(Self::of([
                ("table".into(), schemas.answer::<Table>()),
                ("match_started".into(), schemas.answer::<MatchStarted>()),
                ("table_closed".into(), schemas.answer::<TableClosed>()),
            ])),
            _ => None,
        }?;
        stream
            .events
            .insert(event_names::RATING_CORRECTED.into(), corrected);
        Some(stream)
    }

    /// The answer: server-sent events, or lines of JSON. `OpenAPI` 3.1 has no words for a sequence, so a schema is that of one
    /// item.
    pub(super) fn content(&self) -> Value {
        let line = |(name, data): (&String, &Value)| {
            let mut properties = json!({ "event": { "const": name }, "data": data });
            let mut required = vec!["event", "data"];
            if self.with_id.contains(name) {
                properties["id"] = json!({ "type": "integer", "minimum": 1 });
                required.push("id");
            }
            json!({
                "type": "object",
                "title": name,
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            })
        };
        let lines: Vec<Value> = self.events.iter().map(line).collect();
        json!({
            "text/event-stream": { "schema": {
                "description": "Each event has `event:`, `data:` with JSON on one line, and where it has a version, `id:`.",
                "type": "string",
                "x-events": self.events,
            } },
            "application/x-ndjson": { "schema": {
                "description": "A line. One without anything comes at least every three seconds.",
                "oneOf": lines,
            } },
        })
    }
}
