//! Event streams. A stream reconnects until it succeeds.

use crate::client::Client;
use crate::error::Error;
use crate::frames::{Frame, Frames};
use reqwest::Response;
use serde::de::DeserializeOwned;
use tochki_play::Event;
use tochki_protocol::{
    ChatMessage, LobbyEvent, MatchId, PersonalEvent, Snapshot, StatusEvent, event_names,
};
use tochki_rules::GameKind;

/// The events of an address.
#[derive(Debug)]
struct Stream {
    client: Client,
    path: String,
    query: Vec<(&'static str, String)>,
    open: Option<(Response, Frames)>,
}

impl Stream {
    fn new(client: &Client, path: String, query: Vec<(&'static str, String)>) -> Self {
        Self {
            client: client.clone(),
            path,
            query,
            open: None,
        }
    }

    /// Waits for the next event, after this one where the stream has ids. Cancelling the wait loses nothing.
    async fn next(&mut self, last_id: Option<u32>) -> Result<Frame, Error> {
        loop {
            let (response, frames) = match &mut self.open {
                Some(open) => open,
                None => {
                    let opened = self.client.open(&self.path, &self.query, last_id).await?;
                    self.open.insert((opened, Frames::default()))
                }
            };
            if let Some(frame) = frames.next() {
                return Ok(frame);
            }
            match response.chunk().await {
                Ok(Some(bytes)) => frames.push(&bytes),
                // Ended, broken, or silent for too long.
                Ok(None) | Err(_) => self.open = None,
            }
        }
    }
}

/// Reads an event from its name and its data.
fn read_event<E: DeserializeOwned>(name: &str, data: &str) -> serde_json::Result<E> {
    serde_json::from_str(&format!(r#"{{"{name}":{data}}}"#))
}

/// An item of the stream of a match.
#[derive(Clone, Debug, PartialEq)]
pub enum MatchUpdate {
    /// The next event: each version comes once, in order.
    Event {
        /// The version of the match after the event.
        version: u32,
        /// The event.
        event: Event,
    },
    /// The match as it stands, in place of the events before: deadlines were shifted by an outage, or the stream was opened with
    /// a version that the match has not reached.
    Snapshot(Box<Snapshot>),
    /// Absences, spectators, a rematch.
    Status(StatusEvent),
    /// A chat message.
    Said(Box<ChatMessage>),
}

/// The stream of a match. While it is open, its player is present.
#[derive(Debug)]
pub struct MatchStream {
    stream: Stream,
    id: MatchId,
    version: u32,
}

impl MatchStream {
    /// Returns the version of the last event that was read.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Waits for the next update, as long as it takes. The wait may be cancelled.
    ///
    /// # Errors
    /// Refusals: `no_such_match`, `bad_token`. A lost connection is no error.
    pub async fn next(&mut self) -> Result<MatchUpdate, Error> {
        loop {
            let after = Some(self.version);
            let Frame { id, name, data } = self.stream.next(after).await?;
            if let Some(version) = id {
                if version <= self.version {
                    continue;
                }
                if version > self.version + 1 {
                    // The server does not leave one out; a proxy might. What was missed is sent again.
                    self.stream.open = None;
                    continue;
                }
                let read = Event::read(&name, &data);
                let event = read.map_err(|error| Error::Unreadable(error.to_string()))?;
                self.version = version;
                return Ok(MatchUpdate::Event { version, event });
            }
            if name == event_names::SAID {
                if let Ok(message) = serde_json::from_str(&data) {
                    return Ok(MatchUpdate::Said(Box::new(message)));
                }
                continue;
            }
            match read_event(&name, &data) {
                Ok(StatusEvent::Resync {}) => {
                    let snapshot = self.stream.client.snapshot(self.id).await?;
                    // The stream goes on where it is; what the snapshot has already is skipped.
                    self.version = snapshot.version;
                    return Ok(MatchUpdate::Snapshot(Box::new(snapshot)));
                }
                Ok(event) => return Ok(MatchUpdate::Status(event)),
                // Events that a newer server has besides are skipped.
                Err(_) => {}
            }
        }
    }
}

/// The stream of the events that concern a player in all games. After a lost connection it begins with a snapshot again.
#[derive(Debug)]
pub struct PersonalStream(Stream);

impl PersonalStream {
    /// Waits for the next event, as long as it takes. The wait may be cancelled.
    ///
    /// # Errors
    /// Refusals: `bad_token`, `out_of_scope`. A lost connection is no error.
    pub async fn next(&mut self) -> Result<PersonalEvent, Error> {
        loop {
            let Frame { name, data, .. } = self.0.next(None).await?;
            if let Ok(event) = read_event(&name, &data) {
                return Ok(event);
            }
        }
    }
}

/// The stream of a waiting room. After a lost connection it begins with a snapshot again.
#[derive(Debug)]
pub struct LobbyStream(Stream);

impl LobbyStream {
    /// Waits for the next event, as long as it takes. The wait may be cancelled.
    ///
    /// # Errors
    /// Refusals: `bad_token`, `out_of_scope`. A lost connection is no error.
    pub async fn next(&mut self) -> Result<LobbyEvent, Error> {
        loop {
            let Frame { name, data, .. } = self.0.next(None).await?;
            if let Ok(event) = read_event(&name, &data) {
                return Ok(event);
            }
        }
    }
}

impl Client {
    /// Returns the events of a match after a version; 0 is before the first. The stream connects when its first event is asked
    /// for.
    #[must_use]
    pub fn match_events(&self, id: MatchId, after: u32) -> MatchStream {
        MatchStream {
            stream: Stream::new(self, format!("/events/match/{id}"), Vec::new()),
            id,
            version: after,
        }
    }

    /// Returns the events that concern the player. While the stream is open, the player waits in the rooms of these games.
    #[must_use]
    pub fn personal_events(&self, available: &[GameKind]) -> PersonalStream {
        self.personal_stream(available.iter().map(ToString::to_string).collect())
    }

    /// Returns the events that concern the player, as [`Client::personal_events`] does. The player is challenged with live clocks of
    /// all kinds, also with those that have a bank or periods.
    #[must_use]
    pub fn personal_events_with_all_clocks(&self, available: &[GameKind]) -> PersonalStream {
        let games = available.iter().map(ToString::to_string);
        self.personal_stream(games.chain(["clocks".to_owned()]).collect())
    }

    fn personal_stream(&self, available: Vec<String>) -> PersonalStream {
        let mut query = Vec::new();
        if !available.is_empty() {
            query.push(("available", available.join(",")));
        }
        PersonalStream(Stream::new(self, "/events/me".to_owned(), query))
    }

    /// Returns the events of a waiting room, in which the player waits while the stream is open.
    #[must_use]
    pub fn lobby_events(&self, game: GameKind) -> LobbyStream {
        let query = vec![("game", game.to_string())];
        LobbyStream(Stream::new(self, "/events/lobby".to_owned(), query))
    }
}
