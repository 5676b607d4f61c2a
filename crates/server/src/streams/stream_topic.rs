//! The topics of a shared stream, as its address and the ids of its events name them.

use tochki_protocol::{Code, MatchId, TableLink, TournamentId, limits};
use tochki_rules::GameKind;

/// A topic with its name, and the version that the client has of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamTopic {
    /// `match:7`, `lobby:dots`, `me`, `table:LINK`, `tournament:7` or `notified`.
    pub name: String,
    /// The subject.
    pub kind: TopicKind,
    /// The version of the last event that the client has. Only a match has versions.
    pub after: Option<u32>,
}

/// The subject of a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopicKind {
    /// The events of a match.
    Match(MatchId),
    /// A waiting room.
    Lobby(GameKind),
    /// The reader's challenges and match.
    Personal,
    /// An open table.
    Table(TableLink),
    /// A tournament.
    Tournament(TournamentId),
    /// Nothing but what all streams of the reader are told: the number of unread notifications, and annulments.
    Notified,
}

impl StreamTopic {
    /// Reads `match:7@12,lobby:dots,me`. `last_event_id` is the last id that a reconnecting client has read: the versions in it
    /// are newer than those of the list. A topic that is named twice counts once, from the earlier version.
    ///
    /// # Errors
    /// `bad_request` for a list without a topic, with more than [`limits::STREAM_MAX_TOPICS`], or with one that is none;
    /// `unknown_game`.
    pub fn read_list(list: &str, last_event_id: Option<&str>) -> Result<Vec<Self>, Code> {
        let mut topics: Vec<Self> = Vec::new();
        for text in list.split(',') {
            let topic: Self = Self::read(text)?;
            match topics.iter_mut().find(|known| known.name == topic.name) {
                // `None` is from the beginning.
                Some(known) => known.after = known.after.min(topic.after),
                None => topics.push(topic),
            }
            if topics.len() > limits::STREAM_MAX_TOPICS {
                return Err(Code::BadRequest);
            }
        }
        // The topic of the last event, and after a blank the versions of all.
        let versions = last_event_id.and_then(|id| id.split_once(' '));
        let versions = versions.map(|(_, versions)| versions.trim());
        for text in versions.unwrap_or_default().split_terminator(',') {
            let last = Self::read(text)?;
            if let Some(topic) = topics.iter_mut().find(|topic| topic.name == last.name) {
                topic.after = last.after;
            }
        }
        Ok(topics)
    }

    fn read(text: &str) -> Result<Self, Code> {
        let (name, after) = match text.split_once('@') {
            Some((name, version)) => {
                let version: u64 = version.parse().map_err(|_| Code::BadRequest)?;
                // The stream answers a version that the match has not reached with `resync`.
                (name, Some(u32::try_from(version).unwrap_or(u32::MAX)))
            }
            None => (text, None),
        };
        let kind = match name.split_once(':') {
            Some(("match", id)) => TopicKind::Match(id.parse().map_err(|_| Code::BadRequest)?),
            Some(("lobby", game)) => TopicKind::Lobby(game.parse().map_err(|_| Code::UnknownGame)?),
            Some(("table", link)) => TopicKind::Table(link.parse().map_err(|_| Code::BadRequest)?),
            Some(("tournament", id)) => {
                TopicKind::Tournament(id.parse().map_err(|_| Code::BadRequest)?)
            }
            None if name == "me" => TopicKind::Personal,
            None if name == "notified" => TopicKind::Notified,
            _ => return Err(Code::BadRequest),
        };
        if after.is_some() && !matches!(kind, TopicKind::Match(_)) {
            return Err(Code::BadRequest);
        }
        // As the kind is written, so that `match:07` is the same topic as `match:7`.
        let name = match &kind {
            TopicKind::Match(id) => format!("match:{id}"),
            TopicKind::Tournament(id) => format!("tournament:{id}"),
            TopicKind::Lobby(_)
            | TopicKind::Personal
            | TopicKind::Table(_)
            | TopicKind::Notified => name.to_owned(),
        };
        Ok(Self { name, kind, after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(list: &str, last: Option<&str>, expected: Result<&[(&str, Option<u32>)], Code>) {
        let read = StreamTopic::read_list(list, last);
        let read = read.as_ref().map_err(|code| *code).map(|topics| {
            let topics = topics.iter();
            let named = topics.map(|topic| (&*topic.name, topic.after));
            named.collect::<Vec<_>>()
        });
        assert_eq!(read, expected.map(<[_]>::to_vec), "{list}");
    }

    #[test]
    fn topics_are_read_with_their_versions() {
        check(
            "match:7@12,lobby:dots,me,table:abcdeFG123,notified,tournament:07",
            None,
            Ok(&[
                ("match:7", Some(12)),
                ("lobby:dots", None),
                ("me", None),
                ("table:abcdeFG123", None),
                ("notified", None),
                ("tournament:7", None),
            ]),
        );
        check(
            "match:7@99999999999",
            None,
            Ok(&[("match:7", Some(u32::MAX))]),
        );
        check(
            "match:7@3,match:07@2,me,me",
            None,
            Ok(&[("match:7", Some(2)), ("me", None)]),
        );
        check("match:7@3,match:7", None, Ok(&[("match:7", None)]));
    }

    #[test]
    fn the_last_event_has_the_newer_versions() {
        let topics = "match:7@3,match:9@4,me";
        for (last, expected) in [
            ("me match:7@5,match:9@6", [Some(5), Some(6)]),
            ("match:7 match:7@5", [Some(5), Some(4)]),
            // A topic that the stream no longer has.
            ("match:8 match:8@5", [Some(3), Some(4)]),
            // No topic had a version yet.
            ("me ", [Some(3), Some(4)]),
            ("me", [Some(3), Some(4)]),
            ("", [Some(3), Some(4)]),
        ] {
            let [seven, nine] = expected;
            let expected = [("match:7", seven), ("match:9", nine), ("me", None)];
            check(topics, Some(last), Ok(&expected));
        }
        for last in ["me x", "me match:7@x", "me match:7@1,,"] {
            check(topics, Some(last), Err(Code::BadRequest));
        }
    }

    #[test]
    fn what_is_no_topic_is_refused() {
        for list in [
            "",
            ",",
            "me,",
            "dots",
            "match",
            "match:",
            "match:x",
            "match:-",
            "match:7@",
            "match:7@-1",
            "match:7@x",
            "me@1",
            "lobby:dots@1",
            "me:dots",
            "table:",
            "table:../x",
            "table:a b",
            "tournament:x",
            "tournament:7@1",
            "watch:7",
            "Match:7",
            " me",
        ] {
            check(list, None, Err(Code::BadRequest));
        }
        check("lobby:chess", None, Err(Code::UnknownGame));
        let list = |count: usize| {
            (0..count)
                .map(|id| format!("match:{id}"))
                .collect::<Vec<_>>()
                .join(",")
        };
        let most = limits::STREAM_MAX_TOPICS;
        assert_eq!(
            StreamTopic::read_list(&list(most), None).unwrap().len(),
            most
        );
        check(&list(most + 1), None, Err(Code::BadRequest));
    }
}
