//! Who has a stream open where, on this instance; the database gathers it from all.
//!
//! Opening and closing go through one task, so that what is written last is what was true last, however fast a page
//! reloads.

use super::bells::Bells;
use super::db::{self, Db};
use crate::rules::Kind;
use crate::wire::{ApiError, Code, MatchId, PlayerId};
use base64::Engine as _;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// How often an instance says that its streams are still open. A row lives for ten seconds.
const BEAT: Duration = Duration::from_secs(3);

/// Somewhere a player can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The waiting room of a game.
    Lobby(Kind),
    /// A table.
    Match(MatchId),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lobby(game) => write!(f, "lobby:{}", game.id()),
            Self::Match(id) => write!(f, "match:{id}"),
        }
    }
}

type Spot = (PlayerId, Place);

/// The streams of this instance.
#[derive(Clone)]
pub struct Presence {
    db: Db,
    bells: Bells,
    /// How many streams each player has open at each place. Held for a look or a count, never across a wait.
    open: Arc<Mutex<HashMap<Spot, usize>>>,
    changes: mpsc::UnboundedSender<Change>,
}

struct Change {
    spot: Spot,
    written: Option<oneshot::Sender<bool>>,
}

/// A stream that is open; dropping it ends the stream's part in the player's presence.
pub struct Attendance {
    presence: Presence,
    spot: Spot,
}

impl Presence {
    pub(super) fn open(db: Db, bells: Bells, closing: CancellationToken) -> Self {
        let (changes, inbox) = mpsc::unbounded_channel();
        let presence = Self {
            db,
            bells,
            open: Arc::default(),
            changes,
        };
        tokio::spawn(presence.clone().write(inbox, closing));
        presence
    }

    /// A stream of this player opens here. Comes back once the database knows.
    pub async fn enter(&self, player: PlayerId, place: Place) -> Result<Attendance, ApiError> {
        let spot = (player, place);
        *self
            .open
            .lock()
            .expect("no panic while counting")
            .entry(spot)
            .or_default() += 1;
        let attendance = Attendance {
            presence: self.clone(),
            spot,
        };
        let (written, known) = oneshot::channel();
        let _ = self.changes.send(Change {
            spot,
            written: Some(written),
        });
        if known.await == Ok(true) {
            Ok(attendance)
        } else {
            Err(Code::Unavailable.into())
        }
    }

    /// A page was loaded that may have no scripts: it counts as long as a beat, at a table for twelve seconds, unless a
    /// stream follows.
    pub async fn page_load(&self, player: PlayerId, place: Place) -> Result<(), ApiError> {
        let ahead = match place {
            Place::Lobby(_) => 0,
            Place::Match(_) => 2,
        };
        db::presence::page_load(&self.db, player, &place.to_string(), ahead).await?;
        self.ring(place);
        Ok(())
    }

    fn ring(&self, place: Place) {
        if let Place::Lobby(game) = place {
            self.bells.ring(game);
        }
    }

    async fn write(self, mut inbox: mpsc::UnboundedReceiver<Change>, closing: CancellationToken) {
        // Instances come and go, so each takes a name that none had before.
        let instance =
            base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(rand::random::<[u8; 12]>());
        let mut beat = tokio::time::interval(BEAT);
        let mut batch = Vec::new();
        loop {
            tokio::select! {
                biased;
                // Nobody is marked as gone for it: they come back to the next server, or to another, before their beat
                // is too old.
                () = closing.cancelled() => return,
                _ = inbox.recv_many(&mut batch, 256) => {
                    let here: Vec<Spot> = batch.iter().map(|change: &Change| change.spot).collect();
                    let written = self.write_spots(&instance, &here).await;
                    for change in batch.drain(..) {
                        if let Some(tell) = change.written {
                            let _ = tell.send(written.is_ok());
                        }
                        self.ring(change.spot.1);
                    }
                }
                _ = beat.tick() => {
                    let open: Vec<Spot> = self.open.lock().expect("no panic while counting").keys().copied().collect();
                    // A beat that fails is made good by the next; the database has logged why.
                    let _ = self.write_spots(&instance, &open).await;
                }
            }
        }
    }

    /// Writes what is true of these spots now.
    async fn write_spots(&self, instance: &str, spots: &[Spot]) -> Result<(), ApiError> {
        let (mut here, mut gone) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        {
            let open = self.open.lock().expect("no panic while counting");
            for spot in spots {
                let side = if open.contains_key(spot) {
                    &mut here
                } else {
                    &mut gone
                };
                side.0.push(spot.0.0);
                side.1.push(spot.1.to_string());
            }
        }
        if !here.0.is_empty() {
            db::presence::beat(&self.db, instance, &here.0, &here.1).await?;
        }
        if !gone.0.is_empty() {
            db::presence::gone(&self.db, instance, &gone.0, &gone.1).await?;
        }
        Ok(())
    }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        let mut open = self.presence.open.lock().expect("no panic while counting");
        if let Some(count) = open.get_mut(&self.spot) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.spot);
            }
        }
        drop(open);
        let _ = self.presence.changes.send(Change {
            spot: self.spot,
            written: None,
        });
    }
}
