//! Setups as JSON: an object whose missing fields take their defaults.

use crate::{GameKind, InvalidSetup, Setup};
use serde::Deserialize;
use serde_json::Value;

impl Setup {
    /// Reads the setup of a game as a player or a program sends it.
    ///
    /// A missing value, or `null`, is the default setup.
    ///
    /// # Errors
    ///
    /// If the value is no object, has a field that the game does not know, or a value that no board may have.
    pub fn parse(kind: GameKind, setup: Option<&Value>) -> Result<Self, InvalidSetup> {
        let fields = match setup {
            None | Some(Value::Null) => return Ok(kind.default_setup()),
            Some(fields @ Value::Object(_)) => fields,
            Some(_) => return Err(InvalidSetup::new("a setup is an object")),
        };
        match kind {
            GameKind::Dots => Deserialize::deserialize(fields).map(Self::Dots),
            GameKind::Boxes => Deserialize::deserialize(fields).map(Self::Boxes),
            GameKind::Gomoku => Deserialize::deserialize(fields).map(Self::Gomoku),
            GameKind::Reversi => Deserialize::deserialize(fields).map(Self::Reversi),
        }
        .map_err(|error| InvalidSetup::from_json(&error))
    }

    /// The fields of the setup as a JSON object, without the game; [`Setup::parse`] reads them back.
    ///
    /// # Errors
    ///
    /// If the fields cannot be written as JSON, which would be a bug.
    pub fn fields(&self) -> serde_json::Result<Value> {
        match self {
            Self::Dots(setup) => serde_json::to_value(setup),
            Self::Boxes(setup) => serde_json::to_value(setup),
            Self::Gomoku(setup) => serde_json::to_value(setup),
            Self::Reversi(setup) => serde_json::to_value(setup),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dots;
    use serde_json::json;

    #[test]
    fn a_game_is_its_id_and_nothing_is_the_default_setup() {
        for &kind in GameKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.id());
            assert_eq!(Setup::parse(kind, None), Ok(kind.default_setup()));
        }
    }

    #[test]
    fn a_setup_flattens_into_its_surroundings() {
        #[derive(Debug, PartialEq, serde::Serialize, Deserialize)]
        struct Challenge {
            rated: bool,
            #[serde(flatten)]
            setup: Setup,
        }
        let challenge = Challenge {
            rated: true,
            setup: GameKind::Dots.default_setup(),
        };
        let text =
            r#"{"rated":true,"game":"dots","setup":{"width":39,"height":32,"start":"empty"}}"#;
        assert_eq!(serde_json::to_string(&challenge).unwrap(), text);
        assert_eq!(serde_json::from_str::<Challenge>(text).unwrap(), challenge);
    }

    #[test]
    fn every_setup_has_its_form() {
        for (kind, form) in [
            (
                GameKind::Dots,
                r#"{"width":39,"height":32,"start":"empty"}"#,
            ),
            (GameKind::Boxes, r#"{"cols":3,"rows":3}"#),
            (GameKind::Gomoku, r#"{"size":19,"rule":"freestyle"}"#),
            (GameKind::Reversi, "{}"),
        ] {
            let text = format!(r#"{{"game":"{kind}","setup":{form}}}"#);
            let setup = kind.default_setup();
            assert_eq!(serde_json::to_string(&setup).unwrap(), text);
            assert_eq!(serde_json::from_str::<Setup>(&text).unwrap(), setup);
            assert_eq!(
                Setup::parse(kind, Some(&setup.fields().unwrap())),
                Ok(setup)
            );
            assert_eq!(Setup::parse(kind, Some(&json!({}))), Ok(setup));
            assert!(Setup::parse(kind, Some(&json!({"colour": "red"}))).is_err());
        }
    }

    #[test]
    fn a_setup_in_range_may_be_too_small_for_a_match() {
        for (kind, setup, message) in [
            (
                GameKind::Boxes,
                json!({"cols": 0}),
                "cols and rows are 1 to 10",
            ),
            (
                GameKind::Boxes,
                json!({"rows": 11}),
                "cols and rows are 1 to 10",
            ),
            (
                GameKind::Boxes,
                json!({"rows": -1}),
                "cols and rows are 1 to 10",
            ),
            (GameKind::Gomoku, json!({"size": 4}), "size is 5 to 22"),
            (GameKind::Gomoku, json!({"size": 275}), "size is 5 to 22"),
        ] {
            let refused = Setup::parse(kind, Some(&setup)).unwrap_err();
            assert_eq!(refused.to_string(), message, "{setup}");
        }
        for (kind, setup, fits) in [
            (GameKind::Boxes, json!({"cols": 1}), false),
            (GameKind::Boxes, json!({"cols": 2, "rows": 10}), true),
            (GameKind::Gomoku, json!({"size": 17}), false),
            (
                GameKind::Gomoku,
                json!({"size": 15, "rule": "standard"}),
                true,
            ),
        ] {
            let read = Setup::parse(kind, Some(&setup)).unwrap();
            assert_eq!(read.for_match().is_ok(), fits, "{setup}");
        }
    }

    #[test]
    fn what_a_setup_leaves_out_takes_the_default() {
        let parse = |value| Setup::parse(GameKind::Dots, Some(&value));
        let expected = dots::Setup::new(10, 32, dots::Opening::Cross).unwrap();
        assert_eq!(
            parse(json!({"width": 10, "start": "cross"})),
            Ok(Setup::Dots(expected))
        );
        assert_eq!(
            parse(json!({"width": 51})).unwrap_err().to_string(),
            "width and height are 1 to 50"
        );
        assert!(
            parse(json!({"size": 19}))
                .unwrap_err()
                .to_string()
                .contains("unknown field `size`")
        );
        assert!(parse(json!([39, 32])).is_err());
    }
}
