//! JSON schemas of the types with hand-written serde implementations. All other schemas are derived.

use super::{
    ChatPlace, ClockText, Code, CredentialJson, LinesText, MatchId, SetupText, TableLink,
    TournamentScore,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use tochki_play::ClockRule;
use tochki_rules::{boxes, dots, gomoku, reversi};

impl JsonSchema for Code {
    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = Self::ALL.iter().map(|code| code.as_str()).collect();
        json_schema!({ "description": "Why a request was refused.", "type": "string", "enum": names })
    }
}

impl JsonSchema for TournamentScore {
    fn schema_name() -> Cow<'static, str> {
        "TournamentScore".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number of points, with halves and quarters.",
            "type": "number",
            "minimum": 0,
            "multipleOf": 0.25,
        })
    }
}

impl JsonSchema for ChatPlace {
    fn schema_name() -> Cow<'static, str> {
        "ChatPlace".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let lobby = json_schema!({ "const": "lobby" });
        let table = json_schema!({ "type": "string", "pattern": "^table:[0-9]+$" });
        let one_match = generator.subschema_for::<MatchId>();
        json_schema!({ "description": "Where a chat is.", "anyOf": [lobby, table, one_match] })
    }
}

impl JsonSchema for SetupText {
    fn schema_name() -> Cow<'static, str> {
        "SetupText".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let setups = [
            generator.subschema_for::<dots::Setup>(),
            generator.subschema_for::<boxes::Setup>(),
            generator.subschema_for::<gomoku::Setup>(),
            generator.subschema_for::<reversi::Setup>(),
            json_schema!({ "description": "The same as its JSON text.", "type": "string" }),
        ];
        json_schema!({
            "description": "The setup of the game. What is left out has the game's default.",
            "anyOf": setups,
            "default": {},
        })
    }
}

impl JsonSchema for LinesText {
    fn schema_name() -> Cow<'static, str> {
        "LinesText".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let lines = generator.subschema_for::<Vec<Vec<String>>>();
        let text = json_schema!({ "description": "A line in each row, with blanks between its moves.", "type": "string" });
        json_schema!({ "description": "Lines of moves.", "anyOf": [lines, text] })
    }
}

impl JsonSchema for ClockText {
    fn schema_name() -> Cow<'static, str> {
        "ClockText".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = ClockRule::json_schema(generator);
        schema.insert("default".into(), "none".into());
        schema
    }
}

impl JsonSchema for CredentialJson {
    fn schema_name() -> Cow<'static, str> {
        "Credential".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "`RegistrationResponseJSON` or `AuthenticationResponseJSON` of WebAuthn, or its JSON text.",
            "type": ["object", "string"],
        })
    }
}

impl JsonSchema for TableLink {
    fn schema_name() -> Cow<'static, str> {
        "TableLink".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The last part of the address of a table.",
            "type": "string",
            "pattern": "^[0-9A-Za-z]{10}$",
        })
    }
}
