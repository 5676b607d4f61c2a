//! The differences between two readings of a waiting room, and the updates that tell of them.

use crate::tables::db::ListedTable;
use crate::{Error, LogFailure as _};
use bytes::Bytes;
use std::collections::BTreeMap;
use std::sync::Arc;
use tochki_protocol::{
    Challenge, LobbyEvent, MatchId, MatchSummary, PlayerId, PlayerLeft, TableClosed, TableId,
    WaitingPlayer,
};
use tochki_rules::GameKind;

/// One event, encoded once for all subscribers.
#[derive(Clone, Debug)]
pub struct LobbyUpdate {
    /// The recipients; `None` is all players, but those in `hidden_from`.
    pub recipients: Option<[PlayerId; 2]>,
    /// The players who are not told: those who have muted the creator of a table.
    pub hidden_from: Arc<[PlayerId]>,
    /// Set if the event also goes to the personal streams of two players.
    pub personal: Option<PersonalUpdate>,
    /// The event as a stream sends it.
    pub frame: Bytes,
}

/// An event of two players: a challenge, or the start of their match. The match itself publishes its end.
#[derive(Clone, Copy, Debug)]
pub struct PersonalUpdate {
    /// Both players.
    pub players: [PlayerId; 2],
    /// The match that has started.
    pub started: Option<MatchId>,
}

/// A difference between two readings, and its recipients.
pub(super) struct Change {
    pub(super) recipients: Option<[PlayerId; 2]>,
    hidden_from: Arc<[PlayerId]>,
    pub(super) event: LobbyEvent,
}

impl Change {
    /// An event for these two, or for everybody.
    pub(super) fn of(recipients: Option<[PlayerId; 2]>, event: LobbyEvent) -> Self {
        Self {
            recipients,
            hidden_from: Arc::default(),
            event,
        }
    }
}

/// The recipients of what happens to a player in the room: everybody, or that player alone where others do not see them.
pub(super) fn readers(player: &WaitingPlayer) -> Option<[PlayerId; 2]> {
    player.unlisted.then_some([player.id; 2])
}

/// The players who have come or changed. To others, whoever is no longer listed has left.
pub(super) fn arrivals(
    before: &BTreeMap<PlayerId, WaitingPlayer>,
    now: &BTreeMap<PlayerId, WaitingPlayer>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    for (&id, player) in now {
        let known = before.get(&id);
        if known == Some(player) {
            continue;
        }
        if player.unlisted && known.is_some_and(|known| !known.unlisted) {
            changes.push(Change::of(None, LobbyEvent::Left(PlayerLeft { id })));
        }
        let joined = LobbyEvent::Joined(player.clone());
        changes.push(Change::of(readers(player), joined));
    }
    changes
}

/// The differences between the tables of two readings. A player who mutes a creator is told that the table is closed; one who
/// no longer does, of the table. So is everybody but the creator while the creator is away.
pub(super) fn table_changes(
    before: &BTreeMap<TableId, ListedTable>,
    now: &BTreeMap<TableId, ListedTable>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    for (&id, listed) in now {
        let known = before.get(&id);
        let event = || LobbyEvent::Table(listed.table.clone());
        let creator = listed.table.creator.id;
        let is_back = known.is_some_and(|known| known.is_creator_away && !listed.is_creator_away);
        if is_back || known.is_none_or(|known| known.table != listed.table) {
            changes.push(Change {
                recipients: listed.is_creator_away.then_some([creator; 2]),
                hidden_from: listed.muted_by.as_slice().into(),
                event: event(),
            });
        }
        let Some(known) = known else { continue };
        if listed.is_creator_away && !known.is_creator_away {
            changes.push(Change {
                recipients: None,
                hidden_from: [creator].into(),
                event: LobbyEvent::TableClosed(TableClosed { id }),
            });
        }
        for &player in &listed.muted_by {
            if known.is_shown_to(player) {
                let closed = LobbyEvent::TableClosed(TableClosed { id });
                changes.push(Change::of(Some([player; 2]), closed));
            }
        }
        for &player in &known.muted_by {
            if listed.is_shown_to(player) {
                changes.push(Change::of(Some([player; 2]), event()));
            }
        }
    }
    for (&id, known) in before.iter().filter(|(id, _)| !now.contains_key(id)) {
        changes.push(Change {
            recipients: None,
            hidden_from: known.muted_by.as_slice().into(),
            event: LobbyEvent::TableClosed(TableClosed { id }),
        });
    }
    changes
}

/// The updates of these changes, in order. A change that cannot be encoded is logged and left out, and keeps no other from the
/// subscribers: the room counts all of them as sent.
pub(super) fn updates(
    game: GameKind,
    changes: Vec<Change>,
    encode: impl Fn(&LobbyEvent) -> Result<Bytes, Error>,
) -> impl Iterator<Item = LobbyUpdate> {
    changes.into_iter().filter_map(move |change| {
        let Change {
            recipients,
            hidden_from,
            event,
        } = change;
        let frame = encode(&event).log_failure("encoding a change of a waiting room")?;
        Some(LobbyUpdate {
            recipients,
            hidden_from,
            personal: personal(game, &event, recipients),
            frame,
        })
    })
}

/// The personal part of an event. A match of another game belongs to the room of that game.
fn personal(
    game: GameKind,
    event: &LobbyEvent,
    recipients: Option<[PlayerId; 2]>,
) -> Option<PersonalUpdate> {
    match event {
        LobbyEvent::Challenged(_) | LobbyEvent::ChallengeClosed(_) => {
            recipients.map(|players| PersonalUpdate {
                players,
                started: None,
            })
        }
        LobbyEvent::MatchStarted(started) if started.game == game => Some(PersonalUpdate {
            players: started.players.each_ref().map(|card| card.id),
            started: Some(started.match_id),
        }),
        _ => None,
    }
}

/// The players of a challenge.
pub(super) fn parties(challenge: &Challenge) -> [PlayerId; 2] {
    [challenge.from.id, challenge.to.id]
}

/// The recipients: for a match of another game only its two players.
pub(super) fn affected_players(game: GameKind, summary: &MatchSummary) -> Option<[PlayerId; 2]> {
    let players = summary.players.each_ref().map(|card| card.id);
    (summary.game != game).then_some(players)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::lobby_frame;

    #[test]
    fn a_change_that_cannot_be_encoded_keeps_no_other_from_the_subscribers() {
        let left = |id| Change::of(None, LobbyEvent::Left(PlayerLeft { id: PlayerId(id) }));
        let encode = |event: &LobbyEvent| match event {
            LobbyEvent::Left(left) if left.id == PlayerId(2) => {
                Err(Error::invariant("as a test wants it"))
            }
            _ => lobby_frame(event),
        };
        let changes = Vec::from([1, 2, 3].map(left));
        let sent: Vec<Bytes> = updates(GameKind::Dots, changes, encode)
            .map(|update| update.frame)
            .collect();
        let expected = [1, 3].map(|id| lobby_frame(&left(id).event).unwrap());
        assert_eq!(sent, expected);
    }
}
