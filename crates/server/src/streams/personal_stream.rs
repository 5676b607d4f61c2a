//! The personal stream: a player's challenges and match in all games, and when it is their move.
//!
//! Challenges and starts come from the waiting rooms, which publish them anyway; turns and ends come from the match itself,
//! so that they are sent as soon as on its own stream.

use super::{EventStream, FrameSource, StreamContext as _, StreamFailure, serve};
use crate::accounts::StreamCaller;
use crate::app_state::AppState;
use crate::detached::run_detached;
use crate::frame::personal_frame;
use crate::lobby::{LobbySubscription, LobbyUpdate};
use crate::matches::{LiveMatch, PublishedEvent};
use crate::presence::PresenceGuard;
use crate::presence::place::Place;
use crate::tournaments::RoundCall;
use crate::{Error, WithSubject as _};
use bytes::Bytes;
use futures::future::select_all;
use std::collections::VecDeque;
use std::sync::Arc;
use tochki_protocol::{
    Account, Code, MatchFinished, MatchId, PersonalEvent, PersonalSnapshot, TournamentPaired,
    YourMove,
};
use tochki_rules::{GameKind, Seat};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// Opens the stream. While it is open, the player waits in the rooms of the games in `available`. A program says by `clocks` whether it
/// takes live clocks of all kinds.
///
/// # Errors
/// `out_of_scope` when a token that may only read is to be available; `players_full`.
pub async fn personal_stream(
    app: &AppState,
    available: &[GameKind],
    clocks: bool,
    caller: StreamCaller,
) -> Result<EventStream, Error> {
    let StreamCaller {
        account: player,
        session,
        may_play,
    } = caller;
    if !available.is_empty() && !may_play {
        return Err(Code::OutOfScope.into());
    }
    let id = player.id;
    if !available.is_empty() && player.bot {
        crate::lobby::db::set_takes_clocks(&app.db, id, clocks).await?;
    }
    let reader = open(app, available, player).await?;
    Ok(serve(app, "me", reader, Some(id), Some(session)))
}

/// Brings the player into the rooms of the games in `available`, and reads the snapshot.
pub(super) async fn open(
    app: &AppState,
    available: &[GameKind],
    player: Account,
) -> Result<Reader, Error> {
    let mut presence = Vec::new();
    if !available.is_empty() {
        app.capacity.check_player(Some(player.id)).await?;
        for game in available {
            let here = app.presence.join(player.id, Place::Lobby(*game));
            presence.push(here.await?);
        }
    }
    let (open_calls, calls) = app.tournaments.round_calls();
    let mut reader = Reader {
        app: app.clone(),
        player,
        rooms: Vec::new(),
        running: None,
        ready: VecDeque::new(),
        calls,
        _presence: presence,
    };
    reader.begin().await.with_subject(reader.player.id)?;
    for call in open_calls {
        reader.call(&call)?;
    }
    Ok(reader)
}

/// The frames about a player.
pub(super) struct Reader {
    app: AppState,
    player: Account,
    /// The waiting room of every game.
    rooms: Vec<LobbySubscription>,
    /// The player's match.
    running: Option<Running>,
    ready: VecDeque<Bytes>,
    /// The rounds of tournaments that begin soon.
    calls: broadcast::Receiver<Arc<RoundCall>>,
    /// The player is in the rooms while these live.
    _presence: Vec<PresenceGuard>,
}

struct Running {
    live: Arc<LiveMatch>,
    seat: Seat,
    events: broadcast::Receiver<PublishedEvent>,
    /// The version of the board at which the player was last asked to move.
    asked_at: Option<u32>,
}

impl FrameSource for Reader {
    async fn next_frame(&mut self) -> Result<Option<Bytes>, StreamFailure> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Ok(Some(frame));
            }
            let done = tokio::select! {
                biased;
                // What has happened is read from the match itself, also after missed events.
                received = next_event(&mut self.running) => match received {
                    Ok(_) | Err(RecvError::Lagged(_)) => self.look().await,
                    Err(RecvError::Closed) => return Ok(None),
                },
                called = self.calls.recv() => match called {
                    Ok(call) => self.call(&call),
                    // Who missed a call has a page that counts down all the same.
                    Err(RecvError::Lagged(_)) => continue,
                    Err(RecvError::Closed) => return Ok(None),
                },
                received = next_update(&mut self.rooms) => {
                    match received {
                        Ok(update) => match update.personal {
                            Some(personal) if personal.players.contains(&self.player.id) => {
                                self.pass_on(update.frame, personal.started).await
                            }
                            _ => continue,
                        },
                        // A slow client gets a new snapshot instead of what it missed, so that nothing piles up.
                        Err(RecvError::Lagged(_)) => self.begin().await,
                        Err(RecvError::Closed) => return Ok(None),
                    }
                }
            };
            done.with_subject(self.player.id)
                .context("reading what concerns a player")?;
        }
    }
}

impl Reader {
    /// Subscribes to everything, and begins with a snapshot.
    async fn begin(&mut self) -> Result<(), Error> {
        let mut snapshot = PersonalSnapshot::default();
        self.rooms.clear();
        for &game in GameKind::ALL {
            let lobbies = &self.app.lobbies;
            let (own, updates) = lobbies.subscribe_to_own(game, &self.player).await?;
            self.rooms.push(updates);
            snapshot.challenges.extend(own.challenges);
            snapshot.matches.extend(own.matches);
        }
        snapshot.challenges.sort_by_key(|challenge| challenge.id);
        let running = snapshot.matches.first().map(|summary| summary.id);
        self.push(&PersonalEvent::Snapshot(snapshot))?;
        self.running = None;
        match running {
            Some(id) => self.follow(id).await,
            None => Ok(()),
        }
    }

    /// Passes on an event of a waiting room that concerns the player.
    async fn pass_on(&mut self, frame: Bytes, started: Option<MatchId>) -> Result<(), Error> {
        let Some(id) = started else {
            self.ready.push_back(frame);
            return Ok(());
        };
        if self
            .running
            .as_ref()
            .is_some_and(|running| running.live.id() == id)
        {
            // It was in the snapshot.
            return Ok(());
        }
        // The end of the last match comes before the next one.
        self.look().await?;
        self.ready.push_back(frame);
        let live = self.app.matches.get(id).await?;
        if let Some(tournament) = live.tournament() {
            self.push(&PersonalEvent::Paired(TournamentPaired {
                tournament,
                match_id: id,
            }))?;
        }
        self.follow(id).await
    }

    async fn follow(&mut self, id: MatchId) -> Result<(), Error> {
        let live = self.app.matches.get(id).await?;
        let events = live.subscribe();
        // Many share the read, so it does not depend on this stream being read.
        let reading = live.clone();
        run_detached(async move { reading.catch_up().await }).await?;
        self.running = live.seat_of(self.player.id).map(|seat| Running {
            live,
            seat,
            events,
            asked_at: None,
        });
        self.look().await
    }

    /// Queues the end of the match, or that it is the player's move, once for each position.
    async fn look(&mut self) -> Result<(), Error> {
        let Some(running) = &mut self.running else {
            return Ok(());
        };
        let match_id = running.live.id();
        // It waits for the match, so it must not depend on this stream being read: the others wait with it.
        let live = running.live.clone();
        let turn = run_detached(async move { Ok(live.turn().await) }).await?;
        if turn.over {
            self.running = None;
            return self.push(&PersonalEvent::MatchFinished(MatchFinished { match_id }));
        }
        if turn.to_move == Some(running.seat) && running.asked_at != Some(turn.board_version) {
            running.asked_at = Some(turn.board_version);
            self.push(&PersonalEvent::YourMove(YourMove { match_id }))?;
        }
        Ok(())
    }

    /// Queues the call to a round, if the player takes part.
    fn call(&mut self, call: &RoundCall) -> Result<(), Error> {
        match call.for_player(self.player.id) {
            Some(soon) => self.push(&PersonalEvent::RoundSoon(soon)),
            None => Ok(()),
        }
    }

    fn push(&mut self, event: &PersonalEvent) -> Result<(), Error> {
        self.ready.push_back(personal_frame(event)?);
        Ok(())
    }
}

/// The next event of the match; none comes without one.
async fn next_event(running: &mut Option<Running>) -> Result<PublishedEvent, RecvError> {
    match running {
        Some(running) => running.events.recv().await,
        None => std::future::pending().await,
    }
}

/// The next update of any of the rooms.
async fn next_update(rooms: &mut [LobbySubscription]) -> Result<LobbyUpdate, RecvError> {
    let (received, ..) = select_all(rooms.iter_mut().map(|room| Box::pin(room.recv()))).await;
    received
}
