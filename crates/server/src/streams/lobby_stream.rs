//! The stream of a waiting room: a snapshot, then every change. A player with an open stream is in the room.

use super::{EventStream, FrameSource, StreamContext as _, StreamFailure, serve};
use crate::accounts::StreamCaller;
use crate::app_state::AppState;
use crate::chat::ChatSubscriptions;
use crate::frame::heartbeat_event;
use crate::lobby::{LobbySubscription, LobbyUpdate};
use crate::presence::PresenceGuard;
use crate::presence::place::Place;
use crate::{Error, WithSubject as _};
use bytes::Bytes;
use tochki_protocol::{Account, ChatPlace, PlayerId};
use tochki_rules::GameKind;
use tokio::sync::broadcast::error::RecvError;

/// Opens the stream for this player.
pub async fn lobby_stream(
    app: &AppState,
    game: GameKind,
    caller: StreamCaller,
) -> Result<EventStream, Error> {
    let StreamCaller {
        account: player,
        session,
        ..
    } = caller;
    let id = player.id;
    let reader = open(app, game, player).await?;
    Ok(serve(app, "lobby", reader, Some(id), Some(session)))
}

/// Brings the player into the room.
pub(super) async fn open(app: &AppState, game: GameKind, player: Account) -> Result<Reader, Error> {
    app.capacity.check_player(Some(player.id)).await?;
    let presence = app.presence.join(player.id, Place::Lobby(game)).await?;
    let (snapshot, updates) = app.lobbies.subscribe(game, &player).await?;
    Ok(Reader {
        app: app.clone(),
        game,
        updates,
        chat: app
            .chats
            .subscribe(ChatPlace::Lobby, Some(player.id))
            .await?,
        player,
        snapshot: Some(snapshot),
        _presence: presence,
    })
}

/// The frames of a waiting room.
pub(super) struct Reader {
    app: AppState,
    game: GameKind,
    player: Account,
    /// The first frame, until it is sent.
    snapshot: Option<Bytes>,
    updates: LobbySubscription,
    chat: ChatSubscriptions,
    /// The player is in the room while this lives.
    _presence: PresenceGuard,
}

impl FrameSource for Reader {
    fn heartbeat() -> Bytes {
        heartbeat_event()
    }

    async fn next_frame(&mut self) -> Result<Option<Bytes>, StreamFailure> {
        if let Some(snapshot) = self.snapshot.take() {
            return Ok(Some(snapshot));
        }
        loop {
            let received = tokio::select! {
                received = self.updates.recv() => received,
                message = self.chat.next() => return Ok(message),
            };
            match received {
                Ok(update) if is_for(&update, self.player.id) => {
                    return Ok(Some(update.frame));
                }
                Ok(_) => {}
                // A slow client gets a new snapshot instead of what it missed, so that nothing piles up.
                Err(RecvError::Lagged(_)) => {
                    let (snapshot, updates) = self
                        .app
                        .lobbies
                        .subscribe(self.game, &self.player)
                        .await
                        .with_subject(self.player.id)
                        .context("reading a waiting room for a slow stream")?;
                    self.updates = updates;
                    return Ok(Some(snapshot));
                }
                Err(RecvError::Closed) => return Ok(None),
            }
        }
    }
}

fn is_for(update: &LobbyUpdate, player: PlayerId) -> bool {
    match update.recipients {
        Some(players) => players.contains(&player),
        None => !update.hidden_from.contains(&player),
    }
}
