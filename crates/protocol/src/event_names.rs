//! Names of the server-sent events that are in no enum. [`LobbyEvent`](crate::LobbyEvent),
//! [`PersonalEvent`](crate::PersonalEvent), [`StatusEvent`](crate::StatusEvent) and `tochki_play::Event` know their own.

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

/// An operator has annulled a match of the reader.
pub const RATING_CORRECTED: &str = "rating_corrected";
