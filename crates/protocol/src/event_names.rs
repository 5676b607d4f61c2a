//! Names of the server-sent events: constants for those that are in no enum, and [`of`] for [`LobbyEvent`],
//! [`PersonalEvent`], [`StatusEvent`] and `tochki_play::Event`.
//!
//! [`LobbyEvent`]: crate::LobbyEvent
//! [`PersonalEvent`]: crate::PersonalEvent
//! [`StatusEvent`]: crate::StatusEvent

use super::json::DecodeError;
use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

/// The release of the server: the first event of every stream.
pub const RELEASE: &str = "release";

/// The session has ended elsewhere: the last event of a stream.
pub const SIGNED_OUT: &str = "signed_out";

/// Nothing else happens: sent to pages, which check by it that their stream still works.
pub const HEARTBEAT: &str = "heartbeat";

/// A chat message.
pub const SAID: &str = "said";

/// The players who watch a match.
pub const WATCHERS: &str = "watchers";

/// An operator has annulled the match of this stream.
pub const ANNULLED: &str = "annulled";

/// A player's vacation has begun or ended (`tochki_play::Event::VacationChanged`).
pub const VACATION_CHANGED: &str = "vacation_changed";

/// A player has halved the own clock (`tochki_play::Event::Berserked`).
pub const BERSERKED: &str = "berserked";

/// An operator has annulled a match of the reader.
pub const RATING_CORRECTED: &str = "rating_corrected";

/// The number of unread notifications of the reader.
pub const NOTIFIED: &str = "notified";

/// A topic of a shared stream has ended, or could not be opened; the others go on.
pub const TOPIC_ENDED: &str = "topic_ended";

/// The names of all events of an enum, as serde derives them. A browser needs a listener for each.
pub fn of<E: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &[&str] = &[];
    // There is no event to read: this only lets serde say which names it would accept.
    let _ = E::deserialize(NameReader(&mut names));
    names
}

/// Takes the names of the variants of an enum, and fails.
struct NameReader<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for NameReader<'_> {
    type Error = DecodeError;

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, DecodeError> {
        *self.0 = variants;
        Err(DecodeError::Invalid)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, DecodeError> {
        Err(DecodeError::Invalid)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StatusEvent;

    #[test]
    fn names_are_those_of_the_variants() {
        let names = of::<StatusEvent>();
        assert_eq!(names.len(), 6);
        assert_eq!(names[3], "next_match");
        for event in [StatusEvent::Resync {}, StatusEvent::Heartbeat {}] {
            assert!(names.contains(&event.encode().unwrap().name));
        }
    }
}
