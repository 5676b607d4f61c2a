//! What people say to each other, and what an operator sees of it.

use super::{Account, MatchId, MessageId, PlayerId, ReportId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use tochki_play::Millis;

/// Where something is said, as programs name it: `lobby`, or the number of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Venue {
    /// All waiting rooms, which share one chat.
    Lobby,
    /// A table.
    Match(MatchId),
}

impl fmt::Display for Venue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lobby => f.write_str("lobby"),
            Self::Match(id) => id.fmt(f),
        }
    }
}

impl FromStr for Venue {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "lobby" => Ok(Self::Lobby),
            number => number.parse().map(Self::Match),
        }
    }
}

impl Serialize for Venue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Lobby => serializer.serialize_str("lobby"),
            Self::Match(id) => id.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Venue {
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
pub enum Chat {
    /// That of the waiting rooms.
    Lobby,
    /// That of a match's two players, which is theirs for ever.
    Players,
    /// That of those who watch a match. The players see it after the end.
    Spectators,
}

/// A message: `said {id, place, chat, from, text, at}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// In one chat, what was said later has a greater number.
    pub id: MessageId,
    /// Where.
    pub place: Venue,
    /// To whom.
    pub chat: Chat,
    /// Who.
    pub from: Account,
    /// Plain text, as `server::chat::Words` lets it through.
    pub text: String,
    /// When.
    pub at: Millis,
}

/// The chat of a place as one visitor sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Talk {
    /// The last messages of each chat that they see, oldest first.
    pub messages: Vec<Said>,
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
    pub about: Option<Judged>,
    /// Where it was said.
    pub place: Venue,
    /// To whom.
    pub chat: Chat,
    /// What was said.
    pub text: String,
    /// When it was said.
    pub said_at: Millis,
    /// Why it was reported; may be nothing.
    pub reason: String,
    /// When it was reported.
    pub at: Millis,
}

/// A player as an operator sees them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// Who.
    pub player: Account,
    /// Until when they may say nothing; with [`Judged::EVER`], for ever.
    pub muted_until: Option<Millis>,
    /// Since when the account is closed.
    pub closed_at: Option<Millis>,
}

impl Judged {
    /// The year 9999 and later, which is for ever.
    pub const EVER: Millis = Millis(253_370_764_800_000);
}

/// What an operator has done, as it stands in the audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
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

impl Act {
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
pub struct Audited {
    /// Its number; the greatest is the latest.
    pub id: i64,
    /// The operator's name.
    pub operator: String,
    /// What was done.
    pub act: Act,
    /// To whom.
    pub player: Option<PlayerId>,
    /// What they were called.
    pub name: Option<String>,
    /// The report that led to it.
    pub report: Option<ReportId>,
    /// Why; may be nothing.
    pub why: String,
    /// When.
    pub at: Millis,
}

/// What an operator has before them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Desk {
    /// What waits for somebody to see to it, oldest first.
    pub reports: Vec<Report>,
    /// How many wait in all.
    pub waiting: u32,
    /// The players whose names begin with what was looked for.
    pub found: Vec<Judged>,
    /// A page of what was done, latest first.
    pub audit: Vec<Audited>,
    /// Whether there are more pages.
    pub more: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_the_contracts() {
        let said = |place, chat| Said {
            id: MessageId(5),
            place,
            chat,
            from: Account {
                id: PlayerId(7),
                name: "Ёж".into(),
                guest: false,
            },
            text: "a < b".into(),
            at: Millis(9),
        };
        for (said, place, chat) in [
            (said(Venue::Lobby, Chat::Lobby), r#""lobby""#, "lobby"),
            (
                said(Venue::Match(MatchId(17)), Chat::Spectators),
                "17",
                "spectators",
            ),
        ] {
            let written = serde_json::to_string(&said).unwrap();
            let expected = format!(
                r#"{{"id":5,"place":{place},"chat":"{chat}","from":{{"id":7,"name":"Ёж"}},"text":"a < b","at":9}}"#
            );
            assert_eq!(written, expected);
            assert_eq!(serde_json::from_str::<Said>(&written).unwrap(), said);
        }
    }

    #[test]
    fn an_act_goes_by_its_word() {
        for act in Act::ALL {
            assert_eq!(serde_json::to_value(act).unwrap(), act.word());
            assert_eq!(Act::read(act.word()), Some(act));
        }
        assert_eq!(Act::read("burnt"), None);
    }
}
