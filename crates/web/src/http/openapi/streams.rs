//! The event streams: the events of each, and their data.

use super::schemas::Schemas;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tochki_play::Event;
use tochki_protocol::{
    Account, AnnulmentNotice, ChatMessage, Code, LobbyEvent, MatchStarted, Notified, PersonalEvent,
    StatusEvent, Table, TableClosed, TournamentEvent, event_names,
};

/// The events of a stream by name, and which of them have an id.
pub(super) struct Stream {
    events: BTreeMap<String, Value>,
    with_id: Vec<String>,
    /// The schema of an id.
    id: Value,
}

/// The streams whose topics a shared stream carries.
const TOPICS: [&str; 5] = [
    "/events/match/{id}",
    "/events/lobby",
    "/events/me",
    "/events/table/{link}",
    "/events/tournament/{id}",
];

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
            id: json!({ "type": "integer", "minimum": 1 }),
        }
    }

    /// The stream that carries several topics: the events of all, each with its topic.
    fn shared(schemas: &mut Schemas) -> Self {
        let mut events: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for topic in TOPICS {
            let of_topic = Self::at(topic, schemas).map(|stream| stream.events);
            for (name, data) in of_topic.unwrap_or_default() {
                let known = events.entry(name).or_default();
                // Waiting rooms and players have a `snapshot` of their own each.
                if !known.contains(&data) {
                    known.push(data);
                }
            }
        }
        let ended = json!({
            "type": "object",
            "properties": { "topic": { "type": "string" }, "code": schemas.answer::<Code>(), "message": { "type": "string" } },
            "required": ["topic", "code", "message"],
        });
        events.insert(event_names::TOPIC_ENDED.into(), vec![ended]);
        let events = events.into_iter().map(|(name, mut data)| match data.len() {
            1 => (name, data.remove(0)),
            _ => (name, json!({ "anyOf": data })),
        });
        let stream = Self::of(events);
        let of_stream = [
            event_names::HEARTBEAT,
            event_names::NOTIFIED,
            event_names::RATING_CORRECTED,
            event_names::RELEASE,
            event_names::SIGNED_OUT,
            event_names::TOPIC_ENDED,
        ];
        let with_id = stream.events.keys().cloned();
        Self {
            with_id: with_id
                .filter(|name| !of_stream.contains(&name.as_str()))
                .collect(),
            id: json!({ "type": "string", "description": "The topic, a blank, and the topics with versions." }),
            ..stream
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
            "/events" => Some(Self::shared(schemas)),
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
                said,
            ])),
            "/events/tournament/{id}" => Some(Self::of(schemas.variants::<TournamentEvent>())),
            _ => None,
        }?;
        let of_reader = [
            (event_names::RATING_CORRECTED, corrected),
            (event_names::NOTIFIED, schemas.answer::<Notified>()),
        ];
        for (name, data) in of_reader {
            stream.events.insert(name.into(), data);
        }
        Some(stream)
    }

    /// The answer: server-sent events, or lines of JSON. `OpenAPI` 3.1 has no words for a sequence, so a schema is that of one
    /// item.
    pub(super) fn content(&self) -> Value {
        let line = |(name, data): (&String, &Value)| {
            let mut properties = json!({ "event": { "const": name }, "data": data });
            let mut required = vec!["event", "data"];
            if self.with_id.contains(name) {
                properties["id"] = self.id.clone();
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
                "description": "Each event has `event:`, `data:` with JSON on one line, and where it has a version or a topic, `id:`.",
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
