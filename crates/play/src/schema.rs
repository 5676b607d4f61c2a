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
            "description": "`none`, or the initial time and the increment in seconds, such as `300+5`.",
            "type": "string",
            "pattern": r"^(none|[0-9]{2,5}\+[0-9]{1,2})$",
        })
    }
}
