//! One waiting room in memory: what it knows of the database, and who listens.

use super::super::db::{self, Db, challenges, matches, tables};
use super::super::presence::Place;
use crate::Error;
use bytes::Bytes;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use tochki_protocol::{
    Challenge, ChallengeClosed, ChallengeId, ChallengeOutcome, CloseReason, LobbyEvent,
    MatchFinished, MatchId, MatchStarted, MatchSummary, PlayerCard, PlayerId, PlayerLeft, Table,
    TableClosed, TableId, WaitingRoom,
};
use tochki_rules::GameKind;
use tokio::sync::broadcast;

/// How many notices a slow listener may be behind before it is given a new snapshot instead.
const PATIENCE: usize = 256;

/// One event, encoded once for everybody.
#[derive(Clone, Debug)]
pub struct LobbyUpdate {
    /// Only these players are concerned; without it everybody is.
    pub only: Option<[PlayerId; 2]>,
    /// The event as a stream sends it.
    pub frame: Bytes,
}

/// The receiving end of a room.
pub type LobbySubscription = broadcast::Receiver<LobbyUpdate>;

pub(super) struct LobbyRoom {
    game: GameKind,
    /// What is known. News is sent, and listening begins, under this lock, so that whoever begins to listen gets a snapshot
    /// and misses nothing after it. Held for a moment, never across a wait.
    known: Mutex<LobbyState>,
    news: broadcast::Sender<LobbyUpdate>,
    /// How many readings were asked for.
    asked: AtomicU64,
    /// Up to which request the last reading counts. Held while reading, so that of many requests one reading serves all.
    served: tokio::sync::Mutex<u64>,
}

#[derive(Default)]
struct LobbyState {
    players: BTreeMap<PlayerId, PlayerCard>,
    challenges: BTreeMap<ChallengeId, challenges::Recent>,
    matches: BTreeMap<MatchId, matches::Recent>,
    tables: BTreeMap<TableId, Table>,
}

/// What is read of a room at once.
struct Reading {
    players: Vec<PlayerCard>,
    challenges: Vec<challenges::Recent>,
    matches: Vec<matches::Recent>,
    tables: Vec<Table>,
}

impl LobbyRoom {
    pub(super) fn new(game: GameKind) -> Self {
        Self {
            game,
            known: Mutex::default(),
            news: broadcast::channel(PATIENCE).0,
            asked: AtomicU64::new(0),
            served: tokio::sync::Mutex::new(0),
        }
    }

    pub(super) fn game(&self) -> GameKind {
        self.game
    }

    pub(super) fn has_listeners(&self) -> bool {
        self.news.receiver_count() > 0
    }

    /// Reads the room again and tells its listeners what is new. Comes back when a reading that began after the call is
    /// done, whoever made it.
    pub(super) async fn refresh(&self, db: &Db) -> Result<(), Error> {
        let mine = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let mut served = self.served.lock().await;
        if *served >= mine {
            return Ok(());
        }
        let covers = self.asked.load(Ordering::SeqCst);
        // One point in time for all, so that what happened together is seen together.
        let mut view = db::view(db).await?;
        let place = Place::Lobby(self.game).to_string();
        let reading = Reading {
            players: db::presence::at(&mut view, &place, self.game.id()).await?,
            challenges: challenges::recent(&mut view, self.game).await?,
            matches: matches::recent(&mut view, self.game, &place).await?,
            tables: tables::listed(&mut view, self.game).await?,
        };
        // It has changed nothing, so there is nothing to commit.
        view.rollback().await?;
        *served = covers;
        let mut known = self.known.lock().expect("no panic while comparing");
        for (only, event) in known.learn(self.game, reading) {
            // Nobody listening is no failure.
            let _ = self.news.send(LobbyUpdate {
                only,
                frame: super::super::streams::lobby_frame(&event)?,
            });
        }
        Ok(())
    }

    pub(super) fn listen(&self, player: PlayerId) -> (WaitingRoom, LobbySubscription) {
        let known = self.known.lock().expect("no panic while comparing");
        (known.seen_by(self.game, player), self.news.subscribe())
    }

    pub(super) fn seen_by(&self, player: PlayerId) -> WaitingRoom {
        self.known
            .lock()
            .expect("no panic while comparing")
            .seen_by(self.game, player)
    }

    pub(super) fn endings_for(&self, player: PlayerId) -> Vec<ChallengeOutcome> {
        self.known
            .lock()
            .expect("no panic while comparing")
            .endings_for(player)
    }
}

impl LobbyState {
    /// Takes in a reading and says what is new in it, in the order in which it makes sense: who came, who asked whom,
    /// what ended, what began, who went.
    ///
    /// A reading also holds what ended within the last 20 seconds, so that something that began and ended between two
    /// readings is still told.
    fn learn(
        &mut self,
        game: GameKind,
        reading: Reading,
    ) -> Vec<(Option<[PlayerId; 2]>, LobbyEvent)> {
        let Reading {
            players,
            challenges,
            matches,
            tables,
        } = reading;
        let mut told = Vec::new();
        let players: BTreeMap<_, _> = players.into_iter().map(|card| (card.id, card)).collect();
        for card in players
            .values()
            .filter(|card| self.players.get(&card.id) != Some(card))
        {
            told.push((None, LobbyEvent::Joined(card.clone())));
        }

        let challenges: BTreeMap<_, _> = challenges
            .into_iter()
            .map(|recent| (recent.challenge.id, recent))
            .collect();
        for (&id, recent) in &challenges {
            let only = Some(parties(&recent.challenge));
            let before = self.challenges.get(&id);
            if before.is_none() {
                told.push((only, LobbyEvent::Challenged(recent.challenge.clone())));
            }
            if let Some(why) = recent.closed
                && before.is_none_or(|before| before.closed.is_none())
            {
                told.push((
                    only,
                    LobbyEvent::ChallengeClosed(ChallengeClosed { id, why }),
                ));
            }
        }

        let matches: BTreeMap<_, _> = matches
            .into_iter()
            .map(|recent| (recent.summary.id, recent))
            .collect();
        for (&match_id, recent) in &matches {
            let only = called(game, &recent.summary);
            let before = self.matches.get(&match_id);
            if before.is_none() {
                let started = MatchStarted {
                    match_id,
                    game: recent.summary.game,
                    players: recent.summary.players.clone(),
                };
                told.push((only, LobbyEvent::MatchStarted(started)));
            }
            if recent.finished && before.is_none_or(|before| !before.finished) {
                told.push((only, LobbyEvent::MatchFinished(MatchFinished { match_id })));
            }
        }

        let tables: BTreeMap<_, _> = tables.into_iter().map(|table| (table.id, table)).collect();
        for (id, table) in &tables {
            if self.tables.get(id) != Some(table) {
                told.push((None, LobbyEvent::Table(table.clone())));
            }
        }
        for &id in self.tables.keys().filter(|id| !tables.contains_key(id)) {
            told.push((None, LobbyEvent::TableClosed(TableClosed { id })));
        }

        for id in self.players.keys().filter(|id| !players.contains_key(id)) {
            told.push((None, LobbyEvent::Left(PlayerLeft { id: *id })));
        }

        // What was open and is in no reading any more ended longer ago than a reading remembers.
        for (&id, before) in &self.challenges {
            if before.closed.is_none() && !challenges.contains_key(&id) {
                let only = Some(parties(&before.challenge));
                let why = CloseReason::Expired;
                told.push((
                    only,
                    LobbyEvent::ChallengeClosed(ChallengeClosed { id, why }),
                ));
            }
        }
        for (&match_id, before) in &self.matches {
            if !before.finished && !matches.contains_key(&match_id) {
                let only = called(game, &before.summary);
                told.push((only, LobbyEvent::MatchFinished(MatchFinished { match_id })));
            }
        }

        *self = Self {
            players,
            challenges,
            matches,
            tables,
        };
        told
    }

    fn seen_by(&self, game: GameKind, player: PlayerId) -> WaitingRoom {
        let mut players: Vec<_> = self.players.values().cloned().collect();
        players.sort_by(|a, b| a.rating.total_cmp(&b.rating).then(a.id.cmp(&b.id)));
        let open = self.of(player).filter(|recent| recent.closed.is_none());
        let concerned = |recent: &&matches::Recent| {
            called(game, &recent.summary).is_none_or(|only| only.contains(&player))
        };
        let running = self.matches.values().rev().filter(|game| !game.finished);
        WaitingRoom {
            players,
            challenges: open.map(|recent| recent.challenge.clone()).collect(),
            matches: running
                .filter(concerned)
                .map(|game| game.summary.clone())
                .collect(),
            tables: self.tables.values().cloned().collect(),
        }
    }

    fn endings_for(&self, player: PlayerId) -> Vec<ChallengeOutcome> {
        let ending = |recent: &challenges::Recent| {
            Some(ChallengeOutcome {
                challenge: recent.challenge.clone(),
                why: recent.closed?,
            })
        };
        self.of(player).filter_map(ending).collect()
    }

    /// The challenges of late from or to this player.
    fn of(&self, player: PlayerId) -> impl Iterator<Item = &challenges::Recent> {
        self.challenges
            .values()
            .filter(move |recent| parties(&recent.challenge).contains(&player))
    }
}

fn parties(challenge: &Challenge) -> [PlayerId; 2] {
    [challenge.from.id, challenge.to.id]
}

/// A match of another game concerns nobody in this room but the two who are called to their table.
fn called(game: GameKind, summary: &MatchSummary) -> Option<[PlayerId; 2]> {
    let players = summary.players.each_ref().map(|card| card.id);
    (summary.game != game).then_some(players)
}
