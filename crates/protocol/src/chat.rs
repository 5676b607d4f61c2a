//! What people say to each other, and what an operator sees of it.

use super::{Account, MatchId, MessageId, PlayerId, ReportId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use tochki_play::Timestamp;

/// Where something is said, as programs name it: `lobby`, or the number of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChatPlace {
    /// All waiting rooms, which share one chat.
    Lobby,
    /// A table.
    Match(MatchId),
}

impl fmt::Display for ChatPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lobby => f.write_str("lobby"),
            Self::Match(id) => id.fmt(f),
        }
    }
}

impl FromStr for ChatPlace {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "lobby" => Ok(Self::Lobby),
            number => number.parse().map(Self::Match),
        }
    }
}

impl Serialize for ChatPlace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Lobby => serializer.serialize_str("lobby"),
            Self::Match(id) => id.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ChatPlace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Named {
            Number(MatchId),
            Word(String),
        }
        match Named::deserialize(deserializer)? {
            Named::Number(id) => Ok(Self::Match(id)),
            Named::Word(word) => word.parse().map_err(serde::de::Error::custom),
        }
    }
}

/// Which chat of a place it is: a match has two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatAudience {
    /// That of the waiting rooms.
    Lobby,
    /// That of a match's two players, which is theirs for ever.
    Players,
    /// That of those who watch a match. The players see it after the end.
    Spectators,
}

/// A message: `said {id, place, chat, from, text, at}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// In one chat, what was said later has a greater number.
    pub id: MessageId,
    /// Where.
    pub place: ChatPlace,
    /// To whom.
    pub chat: ChatAudience,
    /// Who.
    pub from: Account,
    /// Plain text, as `server::chat::MessageText` lets it through.
    pub text: String,
    /// When.
    pub at: Timestamp,
}

/// The chat of a place as one visitor sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatHistory {
    /// The last messages of each chat that they see, oldest first.
    pub messages: Vec<ChatMessage>,
    /// Whom they do not want to hear, anywhere.
    pub muted: Vec<Account>,
}

/// What a player has reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Its number.
    pub id: ReportId,
    /// Who has reported it, as far as they are still there.
    pub from: Option<Account>,
    /// Whose message it was.
    pub about: Option<ModeratedPlayer>,
    /// Where it was said.
    pub place: ChatPlace,
    /// To whom.
    pub chat: ChatAudience,
    /// What was said.
    pub text: String,
    /// When it was said.
    pub said_at: Timestamp,
    /// Why it was reported; may be nothing.
    pub reason: String,
    /// When it was reported.
    pub at: Timestamp,
}

/// A player as an operator sees them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModeratedPlayer {
    /// Who.
    pub player: Account,
    /// Until when they may say nothing; with [`ModeratedPlayer::EVER`], for ever.
    pub muted_until: Option<Timestamp>,
    /// Since when the account is closed.
    pub closed_at: Option<Timestamp>,
}

impl ModeratedPlayer {
    /// The year 9999 and later, which is for ever.
    pub const EVER: Timestamp = Timestamp(253_370_764_800_000);
}

/// What an operator has done, as it stands in the audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModerationAction {
    /// A report came to nothing.
    Dismissed,
    /// A player may say nothing for an hour.
    MutedHour,
    /// For a day.
    MutedDay,
    /// For ever.
    MutedEver,
    /// They may speak again.
    Unmuted,
    /// An account was closed.
    Closed,
    /// It was opened again.
    Opened,
}

impl ModerationAction {
    const ALL: [Self; 7] = [
        Self::Dismissed,
        Self::MutedHour,
        Self::MutedDay,
        Self::MutedEver,
        Self::Unmuted,
        Self::Closed,
        Self::Opened,
    ];

    /// Reads the word back.
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.word() == word)
    }

    /// The word on the wire and in the database.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Dismissed => "dismissed",
            Self::MutedHour => "muted_hour",
            Self::MutedDay => "muted_day",
            Self::MutedEver => "muted_ever",
            Self::Unmuted => "unmuted",
            Self::Closed => "closed",
            Self::Opened => "opened",
        }
    }
}

/// A line of the audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Its number; the greatest is the latest.
    pub id: i64,
    /// The operator's name.
    pub operator: String,
    /// What was done.
    pub act: ModerationAction,
    /// To whom.
    pub player: Option<PlayerId>,
    /// What they were called.
    pub name: Option<String>,
    /// The report that led to it.
    pub report: Option<ReportId>,
    /// Why; may be nothing.
    pub why: String,
    /// When.
    pub at: Timestamp,
}

/// What an operator has before them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModerationOverview {
    /// What waits for somebody to see to it, oldest first.
    pub reports: Vec<Report>,
    /// How many wait in all.
    pub waiting: u32,
    /// The players whose names begin with what was looked for.
    pub found: Vec<ModeratedPlayer>,
    /// A page of what was done, latest first.
    pub audit: Vec<AuditEntry>,
    /// Whether there are more pages.
    pub more: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_the_contracts() {
        let said = |place, chat| ChatMessage {
            id: MessageId(5),
            place,
            chat,
            from: Account {
                id: PlayerId(7),
                name: "Ёж".into(),
                guest: false,
            },
            text: "a < b".into(),
            at: Timestamp(9),
        };
        for (said, place, chat) in [
            (
                said(ChatPlace::Lobby, ChatAudience::Lobby),
                r#""lobby""#,
                "lobby",
            ),
            (
                said(ChatPlace::Match(MatchId(17)), ChatAudience::Spectators),
                "17",
                "spectators",
            ),
        ] {
            let written = serde_json::to_string(&said).unwrap();
            let expected = format!(
                r#"{{"id":5,"place":{place},"chat":"{chat}","from":{{"id":7,"name":"Ёж"}},"text":"a < b","at":9}}"#
            );
            assert_eq!(written, expected);
            assert_eq!(serde_json::from_str::<ChatMessage>(&written).unwrap(), said);
        }
    }

    #[test]
    fn an_act_goes_by_its_word() {
        for act in ModerationAction::ALL {
            assert_eq!(serde_json::to_value(act).unwrap(), act.word());
            assert_eq!(ModerationAction::read(act.word()), Some(act));
        }
        assert_eq!(ModerationAction::read("burnt"), None);
    }
}
