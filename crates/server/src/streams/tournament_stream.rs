//! The stream of a tournament: the tournament and the first ranks, then what happens, once a second at most.

use super::{EventStream, FrameSource, StreamContext as _, StreamFailure, Viewer, serve};
use crate::Error;
use crate::accounts::StreamCaller;
use crate::app_state::AppState;
use crate::presence::PresenceGuard;
use crate::presence::place::Place;
use crate::tournaments::{Feed, Frames};
use bytes::Bytes;
use std::collections::VecDeque;
use tochki_protocol::TournamentId;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// Opens the stream, for anybody. A player is present by it, and counts as here when a round or an arena begins.
///
/// # Errors
/// `no_such_tournament`.
pub async fn tournament_stream(
    app: &AppState,
    id: TournamentId,
    caller: Option<StreamCaller>,
) -> Result<EventStream, Error> {
    let (viewer, session) = caller.map(Viewer::of).unzip();
    let reader = open(app, id, viewer.as_ref()).await?;
    let player = viewer.map(|viewer| viewer.account.id);
    Ok(serve(app, "tournament", reader, player, session))
}

/// Subscribes to the tournament, and makes a player present where that matters.
pub(super) async fn open(
    app: &AppState,
    id: TournamentId,
    viewer: Option<&Viewer>,
) -> Result<Reader, Error> {
    let Feed {
        opening,
        frames,
        asks_presence,
    } = app.tournaments.watch(id).await?;
    // The worker of a browser keeps its stream while a page is loaded again, as after entering. So who has not entered is present, too.
    let mut presence = None;
    if let Some(viewer) = viewer.filter(|viewer| viewer.may_play) {
        let player = viewer.account.id;
        if asks_presence || app.tournaments.asks_presence(id, player).await? {
            presence = Some(app.presence.join(player, Place::Tournament(id)).await?);
        }
    }
    Ok(Reader {
        _presence: presence,
        app: app.clone(),
        id,
        frames,
        ready: opening.iter().cloned().collect(),
    })
}

/// The frames of a tournament.
pub(super) struct Reader {
    app: AppState,
    id: TournamentId,
    frames: broadcast::Receiver<Frames>,
    ready: VecDeque<Bytes>,
    /// A player is present while this lives.
    _presence: Option<PresenceGuard>,
}

impl FrameSource for Reader {
    async fn next_frame(&mut self) -> Result<Option<Bytes>, StreamFailure> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Ok(Some(frame));
            }
            match self.frames.recv().await {
                Ok(frames) => self.ready.extend(frames.iter().cloned()),
                // A slow client gets a new snapshot instead of what it missed, so that nothing piles up.
                Err(RecvError::Lagged(_)) => {
                    let feed = self.app.tournaments.watch(self.id).await;
                    let Feed {
                        opening, frames, ..
                    } = feed.context("reading a tournament again")?;
                    self.frames = frames;
                    self.ready.extend(opening.iter().cloned());
                }
                Err(RecvError::Closed) => return Ok(None),
            }
        }
    }
}
