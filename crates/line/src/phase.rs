//! The phase of a client, and the events it waits for in it.

use crate::message::{Message, fitted};
use crate::registry::GamePermit;
use crate::state::State;
use std::future::pending;
use std::sync::Arc;
use tochki_protocol::{PlayerId, TableId, TableLink};
use tochki_rules::boxes::Boxes;
use tochki_rules::{Game as _, Seat};
use tochki_server::matches::{LiveMatch, PublishedEvent, StatusUpdate};
use tochki_server::presence::PresenceGuard;
use tochki_server::tables::db::TableState;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};

/// The phase of a client.
pub(crate) enum Phase {
    Login,
    Lobby,
    Waiting(Waiting),
    Playing(Box<Playing>),
}

/// A game that has not begun: a seat at a table.
pub(crate) struct Waiting {
    pub(crate) id: TableId,
    pub(crate) link: TableLink,
    pub(crate) table: watch::Receiver<TableState>,
    /// The terms for which the client was said to be ready: the opponent, and whether the game is rated.
    pub(crate) agreed: Option<(PlayerId, bool)>,
    /// The guard of the presence: while it lives, the player is at the table.
    pub(crate) _here: PresenceGuard,
    /// The permit of the creator.
    pub(crate) _permit: Option<GamePermit>,
}

/// A running match.
pub(crate) struct Playing {
    pub(crate) live: Arc<LiveMatch>,
    pub(crate) me: Seat,
    pub(crate) events: broadcast::Receiver<PublishedEvent>,
    pub(crate) status: watch::Receiver<StatusUpdate>,
    /// The board as the client was told it, up to this version.
    pub(crate) boxes: Boxes,
    pub(crate) version: u32,
    /// Whether the client was told that the opponent is away.
    pub(crate) opponent_away: bool,
    /// The guard of the presence: while it lives, the player is present. An unresponsive client has none.
    pub(crate) here: Option<PresenceGuard>,
    pub(crate) _permit: GamePermit,
}

/// A change of a game.
pub(crate) enum Change {
    Table,
    Event(PublishedEvent),
    /// Events were missed.
    Missed,
    Status,
}

impl Phase {
    /// Returns the state of the protocol.
    pub(crate) fn state(&self) -> State {
        match self {
            Self::Login => State::Login,
            Self::Lobby => State::Lobby,
            Self::Waiting(_) => State::Waiting,
            Self::Playing(playing) => playing.state(),
        }
    }

    /// Waits for the next change. Nothing is lost when the wait is cancelled.
    pub(crate) async fn next(&mut self) -> Change {
        match self {
            Self::Login | Self::Lobby => pending().await,
            Self::Waiting(waiting) => match waiting.table.changed().await {
                Ok(()) => Change::Table,
                Err(_) => pending().await,
            },
            Self::Playing(playing) => tokio::select! {
                biased;
                received = playing.events.recv() => match received {
                    Ok(event) => Change::Event(event),
                    Err(RecvError::Lagged(_)) => Change::Missed,
                    Err(RecvError::Closed) => pending().await,
                },
                Ok(()) = playing.status.changed() => Change::Status,
            },
        }
    }
}

impl Playing {
    pub(crate) fn state(&self) -> State {
        if self.boxes.to_move() == Some(self.me) {
            State::OnTurn
        } else {
            State::OpponentsTurn
        }
    }

    /// Returns the message that names the opponent.
    pub(crate) fn opponent(&self) -> Message {
        let card = &self.live.player_cards()[self.me.other().index()];
        Message::OpponentJoined(fitted(&card.name))
    }
}
