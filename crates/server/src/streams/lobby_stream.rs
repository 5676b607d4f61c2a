//! The stream of a waiting room: a snapshot, then every change. Being connected is being in the room.

use super::super::Arena;
use super::super::accounts::Visitor;
use super::super::chat::ChatSubscriptions;
use super::super::lobby::LobbySubscription;
use super::super::presence::{Place, PresenceGuard};
use super::frame::lobby_frame;
use super::{EventStream, serve};
use crate::{About as _, Error, LogFailure as _};
use bytes::Bytes;
use futures::{Stream, stream};
use tochki_protocol::{Account, ChatPlace, LobbyEvent, PlayerId};
use tochki_rules::GameKind;
use tokio::sync::broadcast::error::RecvError;

/// Opens the stream for this player.
pub async fn lobby_stream(
    arena: &Arena,
    game: GameKind,
    visitor: Visitor,
) -> Result<EventStream, Error> {
    let Visitor {
        account: player,
        stay,
    } = visitor;
    let attendance = arena.presence.enter(player.id, Place::Lobby(game)).await?;
    let (room, listener) = arena.lobbies.listen(game, &player).await?;
    let reader = Reader {
        arena: arena.clone(),
        game,
        listener,
        ears: arena
            .chats
            .listen(ChatPlace::Lobby, Some(player.id))
            .await?,
        player,
        _attendance: attendance,
    };
    let first = lobby_frame(&LobbyEvent::Snapshot(room));
    Ok(serve(
        reader.frames(first),
        Some(stay),
        arena.closing.clone(),
    ))
}

struct Reader {
    arena: Arena,
    game: GameKind,
    player: Account,
    listener: LobbySubscription,
    ears: ChatSubscriptions,
    /// The player is in the room for as long as this lives.
    _attendance: PresenceGuard,
}

impl Reader {
    fn frames(self, first: Bytes) -> impl Stream<Item = Bytes> {
        stream::unfold((self, Some(first)), |(mut reader, first)| async move {
            let frame = match first {
                Some(frame) => frame,
                None => reader.next().await?,
            };
            Some((frame, (reader, None)))
        })
    }

    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let heard = tokio::select! {
                heard = self.listener.recv() => heard,
                said = self.ears.next() => return said,
            };
            match heard {
                Ok(notice) if concerns(notice.only, self.player.id) => return Some(notice.frame),
                Ok(_) => {}
                // Too slow to be told everything: told anew instead, so that nothing piles up.
                Err(RecvError::Lagged(_)) => {
                    let (room, listener) = self
                        .arena
                        .lobbies
                        .listen(self.game, &self.player)
                        .await
                        .about(self.player.id)
                        .log_failure("reading a waiting room for a slow stream")?;
                    self.listener = listener;
                    return Some(lobby_frame(&LobbyEvent::Snapshot(room)));
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

fn concerns(only: Option<[PlayerId; 2]>, player: PlayerId) -> bool {
    only.is_none_or(|players| players.contains(&player))
}
