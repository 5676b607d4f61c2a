//! One waiting room in memory: its state as last read, and its subscribers.

use crate::db::Db;
use crate::frame::lobby_frame;
use crate::lobby::db;
use crate::presence::place::Place;
use crate::shared_read::SharedRead;
use crate::{Error, LogFailure as _, matches, presence, tables};
use bytes::Bytes;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tochki_protocol::{
    Challenge, ChallengeClosed, ChallengeId, ChallengeOutcome, CloseReason, FinishedSummary,
    JustFinished, LobbyEvent, MatchFinished, MatchId, MatchScore, MatchStarted, MatchSummary,
    PlayerId, PlayerLeft, Scores, TableClosed, TableId, WaitingPlayer, WaitingRoom, limits,
};
use tochki_rules::GameKind;
use tokio::sync::broadcast;

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

/// The part of a room that concerns one player.
pub struct PlayerView {
    /// Open challenges from and to them.
    pub challenges: Vec<Challenge>,
    /// Their running matches of the game of the room.
    pub matches: Vec<MatchSummary>,
}

/// The receiving end of a room.
pub type LobbySubscription = broadcast::Receiver<LobbyUpdate>;

pub(super) struct LobbyRoom {
    game: GameKind,
    /// The state as last read. Updates are sent and subscriptions created under this lock, so that a subscriber misses no
    /// update after its snapshot. Held for a moment, never across an await.
    state: Mutex<LobbyState>,
    updates: broadcast::Sender<LobbyUpdate>,
    /// Coalesces refreshes.
    refreshing: SharedRead,
}

#[derive(Default)]
struct LobbyState {
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

/// A difference between two readings, and its recipients.
struct Change {
    recipients: Option<[PlayerId; 2]>,
    hidden_from: Arc<[PlayerId]>,
    event: LobbyEvent,
}

impl Change {
    /// An event for these two, or for everybody.
    fn of(recipients: Option<[PlayerId; 2]>, event: LobbyEvent) -> Self {
        Self {
            recipients,
            hidden_from: Arc::default(),
            event,
        }
    }
}

/// The recipients of what happens to a player in the room: everybody, or that player alone where others do not see them.
fn readers(player: &WaitingPlayer) -> Option<[PlayerId; 2]> {
    player.unlisted.then_some([player.id; 2])
}

/// The players who have come or changed. To others, whoever is no longer listed has left.
fn arrivals(
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
fn table_changes(
    before: &BTreeMap<TableId, tables::db::ListedTable>,
    now: &BTreeMap<TableId, tables::db::ListedTable>,
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

/// The first frame of a stream.
enum Snapshot {
    /// Shared by all players without challenges or matches here.
    Shared(Bytes),
    /// Of one player, and not encoded yet.
    Own(WaitingRoom),
}

impl Snapshot {
    fn frame(self) -> Result<Bytes, Error> {
        match self {
            Self::Shared(frame) => Ok(frame),
            Self::Own(room) => lobby_frame(&LobbyEvent::Snapshot(room)),
        }
    }
}

/// The scores that the subscribers know; of a match without an entry they know that it is at the beginning.
#[derive(Default)]
struct PublishedScores {
    scores: BTreeMap<MatchId, MatchScore>,
    /// Time of the last publication.
    at: Option<Instant>,
}

/// Data read by one refresh.
struct Reading {
    players: Vec<WaitingPlayer>,
    challenges: Vec<db::RecentChallenge>,
    matches: Vec<matches::db::RecentMatch>,
    tables: Vec<tables::db::ListedTable>,
    finished: Vec<FinishedSummary>,
}

impl LobbyRoom {
    pub(super) fn new(game: GameKind) -> Self {
        Self {
            game,
            state: Mutex::default(),
            updates: broadcast::channel(limits::LOBBY_CHANNEL_CAPACITY).0,
            refreshing: SharedRead::default(),
        }
    }

    pub(super) fn game(&self) -> GameKind {
        self.game
    }

    pub(super) fn has_subscribers(&self) -> bool {
        self.updates.receiver_count() > 0
    }

    /// Reads the room again and publishes the differences. Many who ask at once share a reading.
    pub(super) async fn refresh(&self, db: &Db) -> Result<(), Error> {
        self.refreshing.run(async || self.read(db).await).await
    }

    async fn read(&self, db: &Db) -> Result<(), Error> {
        // One snapshot, so that the parts are consistent.
        let mut tx = crate::db::begin_read_only(db).await?;
        let place = Place::Lobby(self.game).to_string();
        let reading = Reading {
            players: presence::db::players_of_room(&mut tx, &place, self.game.id()).await?,
            challenges: db::recent(&mut tx, self.game).await?,
            matches: matches::db::recent(&mut tx, self.game, &place).await?,
            tables: tables::db::listed(&mut tx, self.game).await?,
            finished: matches::db::just_finished(&mut tx, self.game).await?,
        };
        // Read-only, so there is nothing to commit.
        tx.rollback().await?;
        let mut state = self.state.lock().expect("no panic while the lock is held");
        let changes = state.apply(self.game, reading, Instant::now());
        for update in updates(self.game, changes, lobby_frame) {
            // Fails without subscribers, which is fine.
            let _ = self.updates.send(update);
        }
        Ok(())
    }

    /// The first frame of a stream for this player, and a subscription to later changes.
    pub(super) fn subscribe(&self, player: PlayerId) -> Result<(Bytes, LobbySubscription), Error> {
        let (snapshot, updates) = {
            let mut state = self.state.lock().expect("no panic while the lock is held");
            let snapshot = state.snapshot_for(self.game, player)?;
            (snapshot, self.updates.subscribe())
        };
        Ok((snapshot.frame()?, updates))
    }

    /// The player's view of the room, and a subscription to later changes.
    pub(super) fn subscribe_to_own(&self, player: PlayerId) -> (PlayerView, LobbySubscription) {
        let state = self.state.lock().expect("no panic while the lock is held");
        (
            state.player_view(self.game, player),
            self.updates.subscribe(),
        )
    }

    pub(super) fn visible_to(&self, player: PlayerId) -> WaitingRoom {
        self.state
            .lock()
            .expect("no panic while the lock is held")
            .visible_to(self.game, player)
    }

    pub(super) fn outcomes_for(&self, player: PlayerId) -> Vec<ChallengeOutcome> {
        self.state
            .lock()
            .expect("no panic while the lock is held")
            .outcomes_for(player)
    }
}

impl LobbyState {
    /// Replaces the state by a reading, and returns the differences in the order in which clients apply them: arrivals,
    /// challenges, matches, tables, departures.
    ///
    /// A reading includes what ended within [`tochki_protocol::limits::LOBBY_HISTORY`], so that something that began and
    /// ended between two readings is still announced.
    fn apply(&mut self, game: GameKind, reading: Reading, now: Instant) -> Vec<Change> {
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

    fn snapshot_for(&mut self, game: GameKind, player: PlayerId) -> Result<Snapshot, Error> {
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

    fn player_view(&self, game: GameKind, player: PlayerId) -> PlayerView {
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

    fn visible_to(&self, game: GameKind, player: PlayerId) -> WaitingRoom {
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

    fn outcomes_for(&self, player: PlayerId) -> Vec<ChallengeOutcome> {
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

impl PublishedScores {
    /// The scores of running matches of this game that have changed, unless some were published just now.
    fn update<'a>(
        &mut self,
        game: GameKind,
        matches: impl Iterator<Item = &'a matches::db::RecentMatch>,
        now: Instant,
    ) -> Option<Scores> {
        if self
            .at
            .is_some_and(|at| now.duration_since(at) < limits::SCORES_INTERVAL)
        {
            return None;
        }
        let running = matches.filter(|recent| !recent.finished && recent.summary.game == game);
        let current: BTreeMap<_, _> = running
            .map(|recent| {
                let score = MatchScore {
                    match_id: recent.summary.id,
                    score: recent.summary.score,
                    progress: recent.summary.progress,
                };
                (score.match_id, score)
            })
            .collect();
        let changed = |score: &&MatchScore| match self.scores.get(&score.match_id) {
            Some(published) => published != *score,
            None => (score.score, score.progress) != ([0, 0], 0),
        };
        let matches: Vec<_> = current.values().filter(changed).copied().collect();
        self.scores = current;
        if matches.is_empty() {
            return None;
        }
        self.at = Some(now);
        Some(Scores { matches })
    }
}

/// The updates of these changes, in order. A change that cannot be encoded is logged and left out, and keeps no other from the
/// subscribers: the room counts all of them as sent.
fn updates(
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

fn parties(challenge: &Challenge) -> [PlayerId; 2] {
    [challenge.from.id, challenge.to.id]
}

/// The recipients: for a match of another game only its two players.
fn affected_players(game: GameKind, summary: &MatchSummary) -> Option<[PlayerId; 2]> {
    let players = summary.players.each_ref().map(|card| card.id);
    (summary.game != game).then_some(players)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lobby::db;
    use crate::matches;
    use std::time::Duration;
    use tochki_play::Timestamp;
    use tochki_protocol::PlayerCard;

    fn running(id: i64, game: GameKind, points: u32) -> matches::db::RecentMatch {
        let card = |id| PlayerCard {
            id: PlayerId(id),
            name: "Ann".into(),
            rating: 1600.0,
            guest: false,
            provisional: false,
            bot: false,
        };
        matches::db::RecentMatch {
            summary: MatchSummary {
                id: MatchId(id),
                game,
                players: [card(1), card(2)],
                score: [points, 0],
                progress: 10,
                started_at: Timestamp(0),
            },
            finished: false,
        }
    }

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

    #[test]
    fn scores_are_told_together_when_they_change_and_once_a_second() {
        let start = Instant::now();
        let mut published = PublishedScores::default();
        let mut tell = |points: &[u32], ms: u64| {
            let matches: Vec<_> = (1..)
                .zip(points)
                .map(|(id, points)| running(id, GameKind::Dots, *points))
                .collect();
            let now = start + Duration::from_millis(ms);
            let scores = published.update(GameKind::Dots, matches.iter(), now);
            scores.map(|scores| {
                let short = |score: MatchScore| (score.match_id.0, score.score[0]);
                scores.matches.into_iter().map(short).collect::<Vec<_>>()
            })
        };
        assert_eq!(tell(&[1, 1], 0), Some(vec![(1, 1), (2, 1)]));
        assert_eq!(tell(&[2, 1], 999), None, "too soon");
        assert_eq!(tell(&[2, 1], 1000), Some(vec![(1, 2)]), "not lost");
        assert_eq!(tell(&[2, 1], 2000), None, "nothing new");
        assert_eq!(tell(&[2, 3], 2001), Some(vec![(2, 3)]));
    }

    #[test]
    fn scores_of_other_games_belong_to_other_rooms() {
        let mut published = PublishedScores::default();
        let other = [running(1, GameKind::Gomoku, 1)];
        assert_eq!(
            published.update(GameKind::Dots, other.iter(), Instant::now()),
            None
        );
    }

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
