//! Events as they are stored and sent: a name, and beside it a body as JSON text.

use serde::Serialize;
use std::fmt;

/// An event in two parts, as a row of the table of events and a frame of a stream have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedEvent {
    /// What happened, such as `moved`.
    pub name: &'static str,
    /// The rest as JSON on one line, without the name.
    pub body: String,
}

/// An event cannot be written as JSON. No event of this program is such; it would be a bug.
#[derive(Debug)]
pub struct EncodeError(String);

impl EncodedEvent {
    /// Encodes an event that serde tags externally, as it does by default: `{"name":body}`. The body is written once,
    /// straight to text, and read back by adding the name again. Tagged adjacently (`{"name":"moved","body":…}`) it would
    /// be cut out in the same way; browsers would have to read a struct around each event, too.
    ///
    /// # Errors
    ///
    /// If the event cannot be written as JSON, or its variant has another name or no content.
    pub fn of(name: &'static str, event: &impl Serialize) -> Result<Self, EncodeError> {
        let mut json = serde_json::to_string(event)
            .map_err(|error| EncodeError(format!("{name}: {error}")))?;
        let start = format!("{{\"{name}\":");
        if !json.starts_with(&start) || json.pop() != Some('}') {
            return Err(EncodeError(format!(
                "{name}: not an event of this name with a body"
            )));
        }
        json.drain(..start.len());
        Ok(Self { name, body: json })
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an event cannot be written as JSON: {}", self.0)
    }
}

impl std::error::Error for EncodeError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    enum Sample {
        Named { at: u8 },
        Wrapped(BTreeMap<[u8; 1], u8>),
        Bare,
    }

    #[test]
    fn an_event_is_its_name_and_its_body() {
        let encoded = EncodedEvent::of("named", &Sample::Named { at: 1 }).unwrap();
        assert_eq!((encoded.name, &*encoded.body), ("named", r#"{"at":1}"#));
    }

    #[test]
    fn what_cannot_be_written_is_an_error() {
        let no_json = Sample::Wrapped(BTreeMap::from([([1], 1)]));
        assert!(EncodedEvent::of("wrapped", &no_json).is_err());
        assert!(EncodedEvent::of("bare", &Sample::Bare).is_err());
        assert!(EncodedEvent::of("other", &Sample::Named { at: 1 }).is_err());
    }
}
