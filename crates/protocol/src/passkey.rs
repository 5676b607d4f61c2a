//! Passkeys in the API, and the JSON of authenticators.

use serde::{Deserialize, Deserializer, Serialize};
use tochki_play::Timestamp;

/// A passkey of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Passkey {
    /// The passkey, as `remove_passkey` takes it.
    pub id: i64,
    /// The player's name for the passkey; empty if nothing is known.
    pub name: String,
    /// When the passkey was added.
    pub created_at: Timestamp,
    /// When the passkey was last used to sign in, if ever.
    pub used_at: Option<Timestamp>,
}

/// The passkeys of the caller, and the operations that are possible with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Passkeys {
    /// The passkeys, oldest first.
    pub passkeys: Vec<Passkey>,
    /// Whether browsers can use passkeys at the address of this request.
    pub available: bool,
    /// Whether a passkey was used so lately in this session that `reset_password` is possible.
    pub proven: bool,
}

/// The answer of an authenticator, as browsers write it in JSON (`RegistrationResponseJSON`, `AuthenticationResponseJSON`).
/// Its JSON is checked where it is used. A form has it as a text, JSON as an object or a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CredentialJson(pub String);

impl<'de> Deserialize<'de> for CredentialJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => Self(text),
            object => Self(object.to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_is_an_object_or_its_text() {
        for (json, text) in [(r#"{"id":"x"}"#, r#"{"id":"x"}"#), (r#""{}""#, "{}")] {
            let read: CredentialJson = serde_json::from_str(json).unwrap();
            assert_eq!(read.0, text);
        }
    }
}
