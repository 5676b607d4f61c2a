//! JSON schemas of the types with hand-written serde implementations. All other schemas are derived.

use super::{ClientId, ClockRule};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

impl JsonSchema for ClientId {
    fn schema_name() -> Cow<'static, str> {
        "ClientId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The name that a client gives a move of its own, so that sending it twice makes it once.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_-]+$",
            "minLength": 1,
            "maxLength": Self::MAX,
        })
    }
}

impl JsonSchema for ClockRule {
    fn schema_name() -> Cow<'static, str> {
        "ClockRule".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "`none`; `300+5`, initial time and increment in seconds; `25/300`, seconds for each move and a bank; `600~30x5`, byo-yomi: initial time, then periods; `3d`, days for each move; `3d+1d..7d`, initial time, increment and cap in days (`d`) or hours (`h`).",
            "type": "string",
            "pattern": r"^(none|[0-9]{2,5}\+[0-9]{1,2}|[0-9]{1,3}/[0-9]{1,5}|[0-9]{1,5}~[0-9]{1,3}x[0-9]{1,2}|[0-9]{1,2}d|[0-9]{1,3}[dh]\+[0-9]{1,3}[dh]\.\.[0-9]{1,3}[dh])$",
        })
    }
}
