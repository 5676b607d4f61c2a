//! The events of tournaments that are watched on this instance.
//!
//! Once a second the versions of all these tournaments are read by one query; what has changed in one is read once, encoded once and
//! sent to all who watch it. The rows are the truth, so no message between instances is needed, and none can be lost.

use super::feeds::{Feed, Frames};
use super::{Tournaments, db};
use crate::frame::tournament_frame;
use crate::{Error, LogFailure as _, WithSubject as _};
use std::collections::{HashMap, HashSet};
use tochki_protocol::{
    Account, MatchId, PlayerId, RoundState, StandingsTop, Tournament, TournamentEvent,
    TournamentId, TournamentLink, TournamentPlayer, TournamentRound, TournamentState, limits,
};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

/// The state that those who watch a tournament have been told.
struct Told {
    version: i64,
    tournament: Tournament,
    players: HashMap<PlayerId, Account>,
    /// The number of the last pairing.
    last_pairing: i64,
    running: HashSet<MatchId>,
}

impl Tournaments {
    /// Subscribes to the events of a tournament. What happens between the snapshot and the first frames is told twice.
    ///
    /// # Errors
    /// `no_such_tournament`.
    pub(crate) async fn watch(&self, id: TournamentId) -> Result<Feed, Error> {
        let frames = self.feeds.subscribe(id);
        let opening = async {
            let tournament = self.get(id).await?;
            let asks_presence =
                tournament.rounds.is_some() || tournament.state == TournamentState::Open;
            let top = self.top(id).await?;
            // The frames of the snapshot and the standings.
            let opening = self::frames(&[
                TournamentEvent::Snapshot(Box::new(tournament)),
                TournamentEvent::Standings(top),
            ])?;
            Ok(Feed {
                opening,
                frames,
                asks_presence,
            })
        };
        opening.await.with_subject(id)
    }

    async fn top(&self, id: TournamentId) -> Result<StandingsTop, Error> {
        let standings = self.standings(id, 0).await?;
        let mut top = standings.rows;
        top.truncate(limits::STANDINGS_TOP_LEN);
        Ok(StandingsTop {
            version: standings.version,
            players: standings.players,
            top,
        })
    }

    pub(super) async fn feed_loop(self, shutdown: CancellationToken) {
        let mut interval = tokio::time::interval(limits::TOURNAMENT_FEED_INTERVAL);
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut told = HashMap::new();
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = interval.tick() => {
                    let fed = self.feed_all(&mut told).await;
                    fed.log_failure("telling what happens in tournaments");
                }
            }
        }
    }

    async fn feed_all(&self, told: &mut HashMap<TournamentId, Told>) -> Result<(), Error> {
        let watched = self.feeds.watched();
        let senders: HashMap<_, _> = watched.into_iter().collect();
        told.retain(|id, _| senders.contains_key(id));
        if senders.is_empty() {
            return Ok(());
        }
        let ids: Vec<_> = senders.keys().copied().collect();
        for (id, version) in db::versions(&self.db, &ids).await? {
            if told.get(&id).is_some_and(|told| told.version >= version) {
                continue;
            }
            // One that cannot be read keeps no other from being told.
            let news = self
                .news(id, version, told.remove(&id))
                .await
                .with_subject(id);
            let news = news.log_failure("reading what has happened in a tournament");
            let Some((now, events)) = news else { continue };
            told.insert(id, now);
            let sender = &senders[&id];
            // Nobody may watch any more.
            let _ = sender.send(frames(&events)?);
        }
        Ok(())
    }

    /// Reads what has happened since `before`; without it, and where very much has, the tournament as it is.
    async fn news(
        &self,
        id: TournamentId,
        version: i64,
        before: Option<Told>,
    ) -> Result<(Told, Vec<TournamentEvent>), Error> {
        let tournament = self.get(id).await?;
        let ranking = self.ranking(id).await?;
        let players: HashMap<_, _> = ranking.players().map(|one| (one.id, one.clone())).collect();
        let mut events = Vec::new();
        let (last_pairing, running) = match &before {
            None => {
                events.push(TournamentEvent::Snapshot(Box::new(tournament.clone())));
                db::pairings::running(&self.db, id).await?
            }
            Some(before) => {
                if has_changed(&before.tournament, &tournament) {
                    events.push(TournamentEvent::Snapshot(Box::new(tournament.clone())));
                }
                events.extend(new_of(&players, &before.players).map(TournamentEvent::Joined));
                events.extend(new_of(&before.players, &players).map(TournamentEvent::Left));
                let ended = db::pairings::ended(&self.db, id, &before.running).await?;
                let mut running = before.running.clone();
                for result in ended {
                    running.remove(&result.match_id);
                    events.push(TournamentEvent::Result(result));
                }
                let mut last = before.last_pairing;
                for (number, paired) in db::pairings::after(&self.db, id, last).await? {
                    last = number;
                    running.insert(paired.match_id);
                    events.push(TournamentEvent::Paired(paired));
                }
                (last, running)
            }
        };
        if events.len() > limits::TOURNAMENT_FEED_EVENTS {
            events.clear();
            events.push(TournamentEvent::Snapshot(Box::new(tournament.clone())));
        }
        let round = before
            .as_ref()
            .and_then(|before| round_of(&before.tournament, &tournament));
        events.extend(round.map(TournamentEvent::Round));
        let top = self.top(id).await?;
        // Those of a large tournament may be a second old: then what is newer is told at the next turn.
        let version = version.min(top.version);
        events.push(TournamentEvent::Standings(top));
        let is_over = |one: &Tournament| {
            matches!(
                one.state,
                TournamentState::Finished | TournamentState::Cancelled
            )
        };
        if is_over(&tournament) && before.is_some_and(|before| !is_over(&before.tournament)) {
            events.push(TournamentEvent::Finished(TournamentLink {
                id,
                name: tournament.name.clone(),
            }));
        }
        let now = Told {
            version,
            tournament,
            players,
            last_pairing,
            running,
        };
        Ok((now, events))
    }
}

/// Returns whether the tournament itself has changed, and not only its players and their scores.
fn has_changed(before: &Tournament, now: &Tournament) -> bool {
    let plain = |one: &Tournament| Tournament {
        version: 0,
        players: 0,
        ..one.clone()
    };
    plain(before) != plain(now)
}

/// Returns the round that has begun, or whose games have all ended since.
fn round_of(before: &Tournament, now: &Tournament) -> Option<TournamentRound> {
    let (before, now_rounds) = (before.rounds.as_ref()?, now.rounds.as_ref()?);
    let number = now_rounds.round;
    // Over days the time of the next round is known before this one has ended.
    let is_live = now_rounds.days.is_none();
    let has_ended = now.state == TournamentState::Finished
        || is_live && now_rounds.round > 0 && now_rounds.round_at.is_some();
    let had_ended = is_live && before.round == number && before.round_at.is_some();
    if number > before.round && !has_ended {
        Some(TournamentRound {
            number,
            state: RoundState::Running,
        })
    } else if number > 0 && has_ended && !had_ended {
        Some(TournamentRound {
            number,
            state: RoundState::Finished,
        })
    } else {
        None
    }
}

/// Returns the players who are in the first map alone, in the order of their ids.
fn new_of<'a>(
    all: &'a HashMap<PlayerId, Account>,
    others: &HashMap<PlayerId, Account>,
) -> impl Iterator<Item = TournamentPlayer> + use<'a> {
    let mut new: Vec<_> = all
        .values()
        .filter(|one| !others.contains_key(&one.id))
        .collect();
    new.sort_unstable_by_key(|one| one.id);
    new.into_iter().map(|one| TournamentPlayer {
        player: one.clone(),
    })
}

/// Encodes events.
fn frames(events: &[TournamentEvent]) -> Result<Frames, Error> {
    events.iter().map(tournament_frame).collect()
}
