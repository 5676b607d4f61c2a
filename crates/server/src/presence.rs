//! Who has a stream open where, and how many watch, on this instance; the database gathers it from all.
//!
//! Opening and closing go through one task, so that what is written last is what was true last, however fast a page
//! reloads.

use super::bells::Bells;
use super::db::{self, Db};
use crate::Error;
use base64::Engine as _;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tochki_protocol::{Code, MatchId, PlayerId, TableId};
use tochki_rules::Kind;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// How often an instance says that its streams are still open. A row lives for ten seconds.
const BEAT: Duration = Duration::from_secs(3);

/// How long loading a page counts, in seconds, for players whose browser runs no scripts: a page reloads itself every
/// five.
const LOBBY_PAGE: i32 = 10;
const TABLE_PAGE: i32 = 12;

/// Somewhere a player can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The waiting room of a game.
    Lobby(Kind),
    /// A match.
    Match(MatchId),
    /// An open table.
    Table(TableId),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lobby(game) => write!(f, "lobby:{}", game.id()),
            Self::Match(id) => write!(f, "match:{id}"),
            Self::Table(id) => write!(f, "table:{id}"),
        }
    }
}

/// What is counted: the streams of a player at a place, or those of all who watch a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Spot {
    Player(PlayerId, Place),
    Audience(MatchId),
}

/// The streams of this instance.
#[derive(Clone)]
pub struct Presence {
    db: Db,
    bells: Bells,
    /// How many streams are open at each spot. Held for a look or a count, never across a wait.
    open: Arc<Mutex<HashMap<Spot, usize>>>,
    changes: mpsc::UnboundedSender<Change>,
}

struct Change {
    spot: Spot,
    written: Option<oneshot::Sender<bool>>,
}

/// A stream that is open; dropping it ends the stream's part in the presence of its player, or in the audience.
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
    pub async fn enter(&self, player: PlayerId, place: Place) -> Result<Attendance, Error> {
        self.attend(Spot::Player(player, place)).await
    }

    /// A stream of somebody who watches opens. Comes back once the database knows.
    pub async fn watch(&self, id: MatchId) -> Result<Attendance, Error> {
        self.attend(Spot::Audience(id)).await
    }

    async fn attend(&self, spot: Spot) -> Result<Attendance, Error> {
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

    /// A page was loaded that may have no scripts: it counts for a while, unless a stream follows.
    pub async fn page_load(&self, player: PlayerId, place: Place) -> Result<(), Error> {
        let seconds = match place {
            Place::Lobby(_) => LOBBY_PAGE,
            Place::Match(_) | Place::Table(_) => TABLE_PAGE,
        };
        db::presence::page_load(&self.db, player, &place.to_string(), seconds).await?;
        self.ring(Spot::Player(player, place));
        Ok(())
    }

    fn ring(&self, spot: Spot) {
        match spot {
            Spot::Player(_, Place::Lobby(game)) => self.bells.ring(game),
            Spot::Player(_, Place::Match(id)) | Spot::Audience(id) => self.bells.ring_table(id),
            // Who is here is seen when somebody looks around.
            Spot::Player(_, Place::Table(_)) => {}
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
                        self.ring(change.spot);
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
    async fn write_spots(&self, instance: &str, spots: &[Spot]) -> Result<(), Error> {
        let (mut here, mut gone) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        let mut watched = (Vec::new(), Vec::new());
        {
            let open = self.open.lock().expect("no panic while counting");
            for spot in spots {
                let count = open.get(spot).copied().unwrap_or(0);
                match *spot {
                    Spot::Player(player, place) => {
                        let side = if count > 0 { &mut here } else { &mut gone };
                        side.0.push(player.0);
                        side.1.push(place.to_string());
                    }
                    Spot::Audience(id) => {
                        watched.0.push(id.0);
                        watched.1.push(i32::try_from(count).unwrap_or(i32::MAX));
                    }
                }
            }
        }
        if !here.0.is_empty() {
            db::presence::beat(&self.db, instance, &here.0, &here.1).await?;
        }
        if !gone.0.is_empty() {
            db::presence::gone(&self.db, instance, &gone.0, &gone.1).await?;
        }
        if !watched.0.is_empty() {
            db::around::watched(&self.db, instance, &watched.0, &watched.1).await?;
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
