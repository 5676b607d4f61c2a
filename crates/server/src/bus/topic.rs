//! Topics of notifications, between tasks of this instance and between instances.
//!
//! A topic only names what has changed. The receiver reads it from the database, so a lost or a spurious one does no harm.

use crate::bus::channel::ChatChannel;
use std::fmt;
use tochki_protocol::{MatchId, PlayerId, limits};
use tochki_rules::GameKind;

/// The session or token with which a stream was opened; its end ends the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Credential {
    /// A session, by its number: the token in its cookie may be replaced while it is open.
    Session(i64),
    /// A token of a program, by its number.
    Token(i64),
}

/// The subject of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// The waiting room of a game.
    Room(GameKind),
    /// Any waiting room, and any open table.
    Rooms,
    /// The status of a match: absences, audience, rematch.
    Status(MatchId),
    /// The events of a match, up to this version.
    Events(MatchId, u32),
    /// The messages of a chat channel.
    Chat(ChatChannel),
    /// This match was annulled.
    Annulled(MatchId),
    /// The unread notifications of a player.
    Notified(PlayerId),
    /// A session or a token has ended.
    Ended(Credential),
    /// Some sessions or tokens have ended.
    SomeEnded,
}

impl Topic {
    /// Parses what [`fmt::Display`] writes.
    fn read(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once('=').unwrap_or((text, ""));
        let id = || rest.parse().ok();
        Some(match kind {
            "room" => Self::Room(rest.parse().ok()?),
            "rooms" => Self::Rooms,
            "status" => Self::Status(MatchId(id()?)),
            "events" => {
                let (id, version) = rest.split_once('=')?;
                Self::Events(MatchId(id.parse().ok()?), version.parse().ok()?)
            }
            "chat" => Self::Chat(ChatChannel::read(rest)?),
            "annulled" => Self::Annulled(MatchId(id()?)),
            "notified" => Self::Notified(PlayerId(id()?)),
            "session" => Self::Ended(Credential::Session(id()?)),
            "token" => Self::Ended(Credential::Token(id()?)),
            "ended" => Self::SomeEnded,
            _ => return None,
        })
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Room(game) => write!(f, "room={}", game.id()),
            Self::Rooms => f.write_str("rooms"),
            Self::Status(id) => write!(f, "status={id}"),
            Self::Events(id, version) => write!(f, "events={id}={version}"),
            Self::Chat(channel) => write!(f, "chat={channel}"),
            Self::Annulled(id) => write!(f, "annulled={id}"),
            Self::Notified(player) => write!(f, "notified={player}"),
            Self::Ended(Credential::Session(id)) => write!(f, "session={id}"),
            Self::Ended(Credential::Token(id)) => write!(f, "token={id}"),
            Self::SomeEnded => f.write_str("ended"),
        }
    }
}

/// The messages by which an instance tells the others of these topics, each of at most [`limits::BUS_MESSAGE_MAX_BYTES`].
/// Without any topic there is one message, which only shows that the instance lives.
pub(crate) fn messages(instance: &str, topics: impl IntoIterator<Item = Topic>) -> Vec<String> {
    let mut messages = vec![instance.to_owned()];
    for topic in topics {
        let topic = topic.to_string();
        let last = messages.last_mut().expect("there is one from the start");
        if last.len() + 1 + topic.len() > limits::BUS_MESSAGE_MAX_BYTES {
            messages.push(format!("{instance} {topic}"));
        } else {
            last.push(' ');
            last.push_str(&topic);
        }
    }
    messages
}

/// The topics of a message of another instance; of its own there are none. What a later release has added is left out.
pub(crate) fn read_message(instance: &str, message: &str) -> Vec<Topic> {
    let mut words = message.split(' ');
    if words.next() == Some(instance) {
        return Vec::new();
    }
    words.filter_map(Topic::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_read_back() {
        let topics = [
            Topic::Room(GameKind::DEFAULT),
            Topic::Rooms,
            Topic::Status(MatchId(1)),
            Topic::Events(MatchId(2), 40),
            Topic::Chat(ChatChannel::Lobby),
            Topic::Chat(ChatChannel::Spectators(MatchId(3))),
            Topic::Annulled(MatchId(6)),
            Topic::Notified(PlayerId(7)),
            Topic::Ended(Credential::Session(4)),
            Topic::Ended(Credential::Token(5)),
            Topic::SomeEnded,
        ];
        let sent = messages("a", topics);
        assert_eq!(sent.len(), 1);
        assert_eq!(read_message("b", &sent[0]), topics);
        assert_eq!(read_message("a", &sent[0]), [], "its own");
        assert_eq!(
            read_message("b", "a later=7 rooms events=x"),
            [Topic::Rooms]
        );
    }

    #[test]
    fn a_long_message_is_split() {
        let topics: Vec<Topic> = (0..2000)
            .map(|id| Topic::Events(MatchId(1_000_000_000_000 + id), 1234))
            .collect();
        let sent = messages("instance", topics.iter().copied());
        assert!(sent.len() > 1);
        assert!(
            sent.iter()
                .all(|message| message.len() <= limits::BUS_MESSAGE_MAX_BYTES)
        );
        let read = sent
            .iter()
            .flat_map(|message| read_message("other", message));
        assert_eq!(read.collect::<Vec<_>>(), topics);
    }

    #[test]
    fn a_message_without_topics_says_nothing_but_that_somebody_lives() {
        assert_eq!(messages("a", []), ["a"]);
        assert_eq!(read_message("b", "a"), []);
    }
}
