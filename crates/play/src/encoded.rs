//! Encoding of events for storage and streams: the name of the event, and its body as JSON text.
//!
//! Event enums are tagged externally, serde's default, and not adjacently (`tag` and `content`). So serde gives the name of
//! the variant as a constant and the content apart from it, and [`EncodedEvent::of`] needs no second pass over the text. For
//! an adjacently tagged enum, serde's derive buffers content that comes before the tag; the WebAssembly client would pay for
//! that code in every enum.

use super::variant_serializer::VariantSerializer;
use serde::Serialize;
use std::fmt;

/// An event in two parts, as a row of the table of events and a frame of a stream have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedEvent {
    /// The name of the event, such as `moved`.
    pub name: &'static str,
    /// The content as JSON on one line, without the name.
    pub body: String,
}

/// An event that cannot be encoded as JSON: a bug.
#[derive(Debug)]
pub struct EncodeError(serde_json::Error);

impl EncodedEvent {
    /// Encodes a variant of an enum that serde tags externally, as it does by default: the name is that of serde, and the
    /// body the content of the variant.
    ///
    /// # Errors
    ///
    /// If the event cannot be written as JSON, or is no variant with a content.
    pub fn of(event: &impl Serialize) -> Result<Self, EncodeError> {
        let (name, body) = event.serialize(VariantSerializer).map_err(EncodeError)?;
        Ok(Self { name, body })
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
        Named {
            at: u8,
            #[serde(skip_serializing_if = "Option::is_none")]
            by: Option<u8>,
        },
        Wrapped(BTreeMap<[u8; 1], u8>),
        Empty {},
        Bare,
        Pair(u8, u8),
    }

    #[test]
    fn an_event_is_its_name_and_its_body() {
        let parts = |event| {
            let EncodedEvent { name, body } = EncodedEvent::of(&event).unwrap();
            (name, body)
        };
        let named = parts(Sample::Named { at: 1, by: None });
        assert_eq!(named, ("named", r#"{"at":1}"#.into()));
        let named = parts(Sample::Named { at: 1, by: Some(2) });
        assert_eq!(named, ("named", r#"{"at":1,"by":2}"#.into()));
        assert_eq!(parts(Sample::Empty {}), ("empty", "{}".into()));
        let wrapped = Sample::Wrapped(BTreeMap::new());
        assert_eq!(parts(wrapped), ("wrapped", "{}".into()));
    }

    #[test]
    fn what_cannot_be_written_is_an_error() {
        let no_json = Sample::Wrapped(BTreeMap::from([([1], 1)]));
        assert!(EncodedEvent::of(&no_json).is_err());
        assert!(EncodedEvent::of(&Sample::Bare).is_err());
        assert!(EncodedEvent::of(&Sample::Pair(1, 2)).is_err());
        assert!(EncodedEvent::of(&"bare").is_err());
        assert!(EncodedEvent::of(&Some(1)).is_err());
    }
}
