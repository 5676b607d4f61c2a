//! Chat messages, reports and moderation.

use super::{Account, MatchId, MessageId, PlayerId, ReportId, TableId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use tochki_play::Timestamp;

/// The place of a chat. As text: `lobby`, `table:` and the number of an open table, or the number of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChatPlace {
    /// All waiting rooms, which share one chat.
    Lobby,
    /// An open table.
    Table(TableId),
    /// A match.
    Match(MatchId),
}

impl fmt::Display for ChatPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lobby => f.write_str("lobby"),
            Self::Table(id) => write!(f, "table:{id}"),
            Self::Match(id) => id.fmt(f),
        }
    }
}

impl FromStr for ChatPlace {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        match text.strip_prefix("table:") {
            Some(number) => number.parse().map(Self::Table),
            None if text == "lobby" => Ok(Self::Lobby),
            None => text.parse().map(Self::Match),
        }
    }
}

impl Serialize for ChatPlace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Lobby => serializer.serialize_str("lobby"),
            Self::Table(_) => serializer.collect_str(self),
            Self::Match(id) => id.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ChatPlace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum NumberOrText {
            Number(MatchId),
            Text(String),
        }
        match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(id) => Ok(Self::Match(id)),
            NumberOrText::Text(text) => text.parse().map_err(serde::de::Error::custom),
        }
    }
}

/// The audience of a chat: a match has one chat of its players and one of its spectators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChatAudience {
    /// Everybody in the waiting rooms.
    Lobby,
    /// The two players of an open table or of a match; nobody else sees it, also after the end.
    Players,
    /// The spectators of a match. The players see it after the end.
    Spectators,
}

/// A message: `said {id, place, chat, from, text, at}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatMessage {
    /// Ascending within a chat.
    pub id: MessageId,
    /// The place of the chat.
    pub place: ChatPlace,
    /// The audience of the chat.
    pub chat: ChatAudience,
    /// The sender.
    pub from: Account,
    /// Plain text, validated by `server::chat::MessageText`.
    pub text: String,
    /// When the message was sent.
    pub at: Timestamp,
    /// Whether an operator has removed the message; then the text is empty. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
}

/// The chat of a place as one visitor sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatHistory {
    /// The last messages of each chat the visitor can read, oldest first.
    pub messages: Vec<ChatMessage>,
    /// The players whom the visitor has muted, in all chats.
    pub muted: Vec<Account>,
    /// Whether the visitor is an operator, who can remove messages. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub operator: bool,
}

/// A message that players have reported: all open reports of it in one entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// The first report. Closing it closes all of them.
    pub id: ReportId,
    /// The number of players who reported the message.
    pub count: u32,
    /// The player who reported the message first; `None` if the account was deleted.
    pub from: Option<Account>,
    /// The message; `None` if it was deleted or removed.
    pub message: Option<MessageId>,
    /// The sender of the message; `None` if the account was deleted.
    pub about: Option<ModeratedPlayer>,
    /// The place of the message.
    pub place: ChatPlace,
    /// The audience of the message.
    pub chat: ChatAudience,
    /// The text of the message.
    pub text: String,
    /// When the message was sent.
    pub said_at: Timestamp,
    /// The reason given by the first player; may be empty.
    pub reason: String,
    /// The reasons given by the others, without empty ones; at most ten.
    pub more_reasons: Vec<String>,
    /// When the message was first reported.
    pub at: Timestamp,
}

/// A player as an operator sees them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModeratedPlayer {
    /// The player.
    pub player: Account,
    /// The end of the player's mute; [`ModeratedPlayer::EVER`] is without end.
    pub muted_until: Option<Timestamp>,
    /// When the account was closed.
    pub closed_at: Option<Timestamp>,
    /// The name of the account whose sanction this account has, because both came from one address. Omitted if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sanction_of: Option<String>,
}

impl ModeratedPlayer {
    /// 9999-01-01: muted without end.
    pub const EVER: Timestamp = Timestamp(253_370_764_800_000);
}

/// An action of an operator, as in the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ModerationAction {
    /// A report was dismissed.
    Dismissed,
    /// A player was muted for an hour.
    MutedHour,
    /// A player was muted for a day.
    MutedDay,
    /// A player was muted without end.
    MutedEver,
    /// A player was unmuted.
    Unmuted,
    /// An account was closed.
    Closed,
    /// A closed account was reopened.
    Opened,
    /// A message was removed.
    MessageRemoved,
    /// A rated match was annulled.
    Annulled,
    /// All rated matches of a player were annulled.
    AllAnnulled,
    /// A player became an operator.
    OperatorAdded,
    /// An operator is no longer one.
    OperatorRemoved,
    /// A player was named as established.
    Established,
    /// A player is established no longer.
    EstablishedRevoked,
}

impl ModerationAction {
    const ALL: [Self; 14] = [
        Self::Dismissed,
        Self::MutedHour,
        Self::MutedDay,
        Self::MutedEver,
        Self::Unmuted,
        Self::Closed,
        Self::Opened,
        Self::MessageRemoved,
        Self::Annulled,
        Self::AllAnnulled,
        Self::OperatorAdded,
        Self::OperatorRemoved,
        Self::Established,
        Self::EstablishedRevoked,
    ];

    /// Parses the name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == name)
    }

    /// The name in JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dismissed => "dismissed",
            Self::MutedHour => "muted_hour",
            Self::MutedDay => "muted_day",
            Self::MutedEver => "muted_ever",
            Self::Unmuted => "unmuted",
            Self::Closed => "closed",
            Self::Opened => "opened",
            Self::MessageRemoved => "message_removed",
            Self::Annulled => "annulled",
            Self::AllAnnulled => "all_annulled",
            Self::OperatorAdded => "operator_added",
            Self::OperatorRemoved => "operator_removed",
            Self::Established => "established",
            Self::EstablishedRevoked => "established_revoked",
        }
    }
}

/// An entry of the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditEntry {
    /// Ascending.
    pub id: i64,
    /// The operator's name, or `tochki operator` for the command line.
    pub operator: String,
    /// The action.
    pub act: ModerationAction,
    /// The player concerned.
    pub player: Option<PlayerId>,
    /// The name of the player at that time.
    pub name: Option<String>,
    /// The report that led to the action.
    pub report: Option<ReportId>,
    /// The match concerned.
    #[serde(rename = "match")]
    pub match_id: Option<MatchId>,
    /// The reason; may be empty.
    pub why: String,
    /// When the operator acted.
    pub at: Timestamp,
}

/// The content of the operator's page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModerationOverview {
    /// A page of reported messages, in the order of their first reports.
    pub reports: Vec<Report>,
    /// Whether there are more pages of reports.
    pub more_reports: bool,
    /// The number of all reported messages that wait.
    pub waiting: u32,
    /// The players whose names begin with the search text.
    pub found: Vec<ModeratedPlayer>,
    /// A page of the audit log, latest first.
    pub audit: Vec<AuditEntry>,
    /// Whether there are more pages.
    pub more: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_encoded_as_documented() {
        let said = |place, chat| ChatMessage {
            id: MessageId(5),
            place,
            chat,
            from: Account {
                id: PlayerId(7),
                name: "Ёж".into(),
                guest: false,
                bot: false,
            },
            text: "a < b".into(),
            at: Timestamp(9),
            removed: false,
        };
        for (said, place, chat) in [
            (
                said(ChatPlace::Table(TableId(3)), ChatAudience::Players),
                r#""table:3""#,
                "players",
            ),
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
    fn an_action_is_parsed_from_its_name() {
        for action in ModerationAction::ALL {
            assert_eq!(serde_json::to_value(action).unwrap(), action.as_str());
            assert_eq!(ModerationAction::parse(action.as_str()), Some(action));
        }
        assert_eq!(ModerationAction::parse("burnt"), None);
    }
}
