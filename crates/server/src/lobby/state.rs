//! The state of a waiting room as last read, and each player's part of it.

use super::changes::{Change, affected_players, arrivals, parties, readers, table_changes};
use super::scores::PublishedScores;
use crate::frame::lobby_frame;
use crate::lobby::db;
use crate::{Error, matches, tables};
use bytes::Bytes;
use std::collections::BTreeMap;
use std::time::Instant;
use tochki_protocol::{
    Challenge, ChallengeClosed, ChallengeId, ChallengeOutcome, CloseReason, FinishedSummary,
    JustFinished, LobbyEvent, MatchFinished, MatchId, MatchStarted, MatchSummary, PlayerId,
    PlayerLeft, TableId, WaitingPlayer, WaitingRoom,
};
use tochki_rules::GameKind;

/// The part of a room that concerns one player.
pub struct PlayerView {
    /// Open challenges from and to them.
    pub challenges: Vec<Challenge>,
    /// Their running matches of the game of the room.
    pub matches: Vec<MatchSummary>,
}

/// The state of a waiting room, as last read.
#[derive(Default)]
pub(super) struct LobbyState {
    players: BTreeMap<PlayerId, WaitingPlayer>,
    challenges: BTreeMap<ChallengeId, db::RecentChallenge>,
    matches: BTreeMap<MatchId, matches::db::RecentMatch>,
    tables: BTreeMap<TableId, tables::db::ListedTable>,
    finished: Vec<FinishedSummary>,
    published: PublishedScores,
    /// The first frame of a stream, for all players without challenges or matches here. It is encoded when the first of them
    /// connects after a change.
    snapshot: Option<Bytes>,
}

/// The first frame of a stream.
pub(super) enum Snapshot {
    /// Shared by all players without challenges or matches here.
    Shared(Bytes),
    /// Of one player, and not encoded yet.
    Own(WaitingRoom),
}

impl Snapshot {
    pub(super) fn frame(self) -> Result<Bytes, Error> {
        match self {
            Self::Shared(frame) => Ok(frame),
            Self::Own(room) => lobby_frame(&LobbyEvent::Snapshot(room)),
        }
    }
}

/// Data read by one refresh.
pub(super) struct Reading {
    pub(super) players: Vec<WaitingPlayer>,
    pub(super) challenges: Vec<db::RecentChallenge>,
    pub(super) matches: Vec<matches::db::RecentMatch>,
    pub(super) tables: Vec<tables::db::ListedTable>,
    pub(super) finished: Vec<FinishedSummary>,
}

impl LobbyState {
    /// Replaces the state by a reading, and returns the differences in the order in which clients apply them: arrivals,
    /// challenges, matches, tables, departures.
    ///
    /// A reading includes what ended within [`tochki_protocol::limits::LOBBY_HISTORY`], so that something that began and
    /// ended between two readings is still announced.
    pub(super) fn apply(&mut self, game: GameKind, reading: Reading, now: Instant) -> Vec<Change> {
        let Reading {
            players,
            challenges,
            matches,
            tables,
            finished,
        } = reading;
        let mut events = Vec::new();
        let players: BTreeMap<_, _> = players
            .into_iter()
            .map(|player| (player.id, player))
            .collect();
        events.extend(arrivals(&self.players, &players));

        let challenges: BTreeMap<_, _> = challenges
            .into_iter()
            .map(|recent| (recent.challenge.id, recent))
            .collect();
        for (&id, recent) in &challenges {
            let recipients = Some(parties(&recent.challenge));
            let before = self.challenges.get(&id);
            if before.is_none() {
                let challenged = LobbyEvent::Challenged(recent.challenge.clone());
                events.push(Change::of(recipients, challenged));
            }
            if let Some(why) = recent.closed
                && before.is_none_or(|before| before.closed.is_none())
            {
                events.push(Change::of(
                    recipients,
                    LobbyEvent::ChallengeClosed(ChallengeClosed { id, why }),
                ));
            }
        }

        let matches: BTreeMap<_, _> = matches
            .into_iter()
            .map(|recent| (recent.summary.id, recent))
            .collect();
        for (&match_id, recent) in &matches {
            let recipients = affected_players(game, &recent.summary);
            let before = self.matches.get(&match_id);
            if before.is_none() {
                let started = MatchStarted {
                    match_id,
                    game: recent.summary.game,
                    players: recent.summary.players.clone(),
                };
                events.push(Change::of(recipients, LobbyEvent::MatchStarted(started)));
            }
            if recent.finished && before.is_none_or(|before| !before.finished) {
                events.push(Change::of(
                    recipients,
                    LobbyEvent::MatchFinished(MatchFinished { match_id }),
                ));
            }
        }

        if finished != self.finished {
            let matches = finished.clone();
            let event = LobbyEvent::JustFinished(JustFinished { matches });
            events.push(Change::of(None, event));
        }

        if let Some(scores) = self.published.update(game, matches.values(), now) {
            events.push(Change::of(None, LobbyEvent::Scores(scores)));
        }

        let tables: BTreeMap<_, _> = tables
            .into_iter()
            .map(|listed| (listed.table.id, listed))
            .collect();
        events.extend(table_changes(&self.tables, &tables));

        for (&id, before) in &self.players {
            if !players.contains_key(&id) {
                events.push(Change::of(
                    readers(before),
                    LobbyEvent::Left(PlayerLeft { id }),
                ));
            }
        }

        // What was open and is missing from the reading ended before the history of the reading.
        for (&id, before) in &self.challenges {
            if before.closed.is_none() && !challenges.contains_key(&id) {
                let recipients = Some(parties(&before.challenge));
                let why = CloseReason::Expired;
                events.push(Change::of(
                    recipients,
                    LobbyEvent::ChallengeClosed(ChallengeClosed { id, why }),
                ));
            }
        }
        for (&match_id, before) in &self.matches {
            if !before.finished && !matches.contains_key(&match_id) {
                let recipients = affected_players(game, &before.summary);
                events.push(Change::of(
                    recipients,
                    LobbyEvent::MatchFinished(MatchFinished { match_id }),
                ));
            }
        }

        let is_same = players == self.players
            && matches == self.matches
            && tables == self.tables
            && finished == self.finished;
        *self = Self {
            players,
            challenges,
            matches,
            tables,
            finished,
            published: std::mem::take(&mut self.published),
            snapshot: self.snapshot.take().filter(|_| is_same),
        };
        events
    }

    pub(super) fn snapshot_for(
        &mut self,
        game: GameKind,
        player: PlayerId,
    ) -> Result<Snapshot, Error> {
        let elsewhere = |recent: &matches::db::RecentMatch| {
            !recent.finished
                && affected_players(game, &recent.summary)
                    .is_some_and(|players| players.contains(&player))
        };
        let mut tables = self.tables.values();
        if self
            .players
            .get(&player)
            .is_some_and(|player| player.unlisted)
            || self.open_challenges(player).next().is_some()
            || self.matches.values().any(elsewhere)
            || tables.any(|listed| !listed.is_shown_to(player))
        {
            return Ok(Snapshot::Own(self.visible_to(game, player)));
        }
        if let Some(snapshot) = &self.snapshot {
            return Ok(Snapshot::Shared(snapshot.clone()));
        }
        let snapshot = lobby_frame(&LobbyEvent::Snapshot(self.visible_to(game, player)))?;
        self.snapshot = Some(snapshot.clone());
        Ok(Snapshot::Shared(snapshot))
    }

    pub(super) fn player_view(&self, game: GameKind, player: PlayerId) -> PlayerView {
        let is_own = |recent: &&matches::db::RecentMatch| {
            let summary = &recent.summary;
            !recent.finished
                && summary.game == game
                && summary.players.iter().any(|card| card.id == player)
        };
        let own = self.matches.values().rev().filter(is_own);
        PlayerView {
            challenges: self.open_challenges(player).cloned().collect(),
            matches: own.map(|recent| recent.summary.clone()).collect(),
        }
    }

    pub(super) fn visible_to(&self, game: GameKind, player: PlayerId) -> WaitingRoom {
        let is_seen = |card: &&WaitingPlayer| !card.unlisted || card.id == player;
        let mut players: Vec<_> = self.players.values().filter(is_seen).cloned().collect();
        players.sort_by(|a, b| a.rating.total_cmp(&b.rating).then(a.id.cmp(&b.id)));
        let concerned = |recent: &&matches::db::RecentMatch| {
            affected_players(game, &recent.summary)
                .is_none_or(|recipients| recipients.contains(&player))
        };
        let running = self.matches.values().rev().filter(|game| !game.finished);
        WaitingRoom {
            players,
            challenges: self.open_challenges(player).cloned().collect(),
            matches: running
                .filter(concerned)
                .map(|game| game.summary.clone())
                .collect(),
            tables: self
                .tables
                .values()
                .filter(|listed| listed.is_shown_to(player))
                .map(|listed| listed.table.clone())
                .collect(),
            finished: self.finished.clone(),
        }
    }

    pub(super) fn outcomes_for(&self, player: PlayerId) -> Vec<ChallengeOutcome> {
        let outcome = |recent: &db::RecentChallenge| {
            Some(ChallengeOutcome {
                challenge: recent.challenge.clone(),
                why: recent.closed?,
            })
        };
        self.of(player).filter_map(outcome).collect()
    }

    /// The open challenges from or to this player.
    fn open_challenges(&self, player: PlayerId) -> impl Iterator<Item = &Challenge> {
        let open = self.of(player).filter(|recent| recent.closed.is_none());
        open.map(|recent| &recent.challenge)
    }

    /// The recent challenges from or to this player.
    fn of(&self, player: PlayerId) -> impl Iterator<Item = &db::RecentChallenge> {
        self.challenges
            .values()
            .filter(move |recent| parties(&recent.challenge).contains(&player))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lobby::scores::tests::running;
    use tochki_play::Timestamp;
    use tochki_protocol::PlayerCard;

    fn waiting(id: i64) -> WaitingPlayer {
        WaitingPlayer {
            id: PlayerId(id),
            name: format!("player-{id}"),
            rating: 1600.0,
            guest: false,
            provisional: false,
            bot: false,
            results: tochki_protocol::ResultCounts::default(),
            quick_game: None,
            unlisted: false,
            just_finished: false,
        }
    }

    fn challenge(from: i64, to: i64) -> db::RecentChallenge {
        let card = |id| running(1, GameKind::Dots, 0).summary.players[id as usize % 2].clone();
        let card = |id| PlayerCard {
            id: PlayerId(id),
            ..card(id)
        };
        db::RecentChallenge {
            challenge: Challenge {
                id: ChallengeId(1),
                from: card(from),
                to: card(to),
                setup: GameKind::Dots.default_setup(),
                clock: "300+5".parse().unwrap(),
                rated: true,
                expires_at: Timestamp(0),
            },
            closed: None,
        }
    }

    const GAME: GameKind = GameKind::Dots;

    #[track_caller]
    fn check(state: &mut LobbyState, player: i64) -> Bytes {
        let frame = state
            .snapshot_for(GAME, PlayerId(player))
            .and_then(Snapshot::frame);
        let frame = frame.unwrap();
        let own = LobbyEvent::Snapshot(state.visible_to(GAME, PlayerId(player)));
        assert_eq!(frame, lobby_frame(&own).unwrap());
        frame
    }

    #[test]
    fn a_snapshot_is_encoded_once_for_all_until_the_room_changes() {
        let mut state = LobbyState::default();
        let read = |state: &mut LobbyState, players, matches, challenges| {
            let reading = Reading {
                players,
                challenges,
                matches,
                tables: Vec::new(),
                finished: Vec::new(),
            };
            state.apply(GAME, reading, Instant::now());
        };
        let two = || vec![waiting(1), waiting(2)];
        read(&mut state, two(), vec![], vec![]);
        let first = check(&mut state, 1);
        assert_eq!(check(&mut state, 2).as_ptr(), first.as_ptr());
        read(&mut state, two(), vec![], vec![]);
        assert_eq!(check(&mut state, 2).as_ptr(), first.as_ptr());

        read(&mut state, two(), vec![running(5, GAME, 1)], vec![]);
        let second = check(&mut state, 1);
        assert_ne!(second, first);
        let other = running(6, GameKind::Gomoku, 1);
        let matches = vec![running(5, GAME, 2), other];
        read(&mut state, two(), matches, vec![challenge(3, 4)]);
        let third = check(&mut state, 7);
        assert_ne!(third, second);
        assert_eq!(check(&mut state, 8).as_ptr(), third.as_ptr());
        for concerned in [1, 2, 3, 4] {
            assert_ne!(check(&mut state, concerned), third);
        }
    }

    #[test]
    fn a_guest_who_is_not_listed_is_told_of_themselves_and_nobody_else_is() {
        let mut state = LobbyState::default();
        let mut read = |players: [(i64, bool); 2]| {
            let reading = Reading {
                players: players
                    .map(|(id, listed)| WaitingPlayer {
                        unlisted: !listed,
                        ..waiting(id)
                    })
                    .into(),
                challenges: Vec::new(),
                matches: Vec::new(),
                tables: Vec::new(),
                finished: Vec::new(),
            };
            let changes = state.apply(GAME, reading, Instant::now()).into_iter();
            let told: Vec<_> = changes
                .map(|change| {
                    let recipient = change.recipients.map(|[id, _]| id.0);
                    match change.event {
                        LobbyEvent::Joined(card) => (recipient, "joined", card.id.0),
                        LobbyEvent::Left(left) => (recipient, "left", left.id.0),
                        other => panic!("{other:?}"),
                    }
                })
                .collect();
            let seen = [1, 2].map(|reader| {
                let players = state.visible_to(GAME, PlayerId(reader)).players;
                players.iter().map(|card| card.id.0).collect::<Vec<_>>()
            });
            (told, seen)
        };
        let (told, seen) = read([(1, true), (2, false)]);
        assert_eq!(told, [(None, "joined", 1), (Some(2), "joined", 2)]);
        assert_eq!(seen, [vec![1], vec![1, 2]]);
        let (told, _) = read([(1, true), (2, true)]);
        assert_eq!(told, [(None, "joined", 2)]);
        let (told, seen) = read([(1, true), (2, false)]);
        assert_eq!(told, [(None, "left", 2), (Some(2), "joined", 2)]);
        assert_eq!(seen, [vec![1], vec![1, 2]]);
    }
}
