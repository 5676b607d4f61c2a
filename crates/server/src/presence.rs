//! Who has a stream open where, and how many watch, on this instance; the database gathers it from all.
//!
//! Opening and closing go through one task, so that what is written last is what was true last, however fast a page
//! reloads.

use super::db::{self, Db};
use super::notifier::Notifier;
use crate::{Error, LogFailure as _};
use base64::Engine as _;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tochki_protocol::{Code, MatchId, PlayerId, TableId};
use tochki_rules::GameKind;
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
    Lobby(GameKind),
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
enum PresenceKey {
    Player(PlayerId, Place),
    Audience(MatchId),
}

/// The streams of this instance.
#[derive(Clone)]
pub struct Presence {
    db: Db,
    notifier: Notifier,
    /// How many streams are open at each spot. Held for a look or a count, never across a wait.
    open: Arc<Mutex<HashMap<PresenceKey, usize>>>,
    changes: mpsc::UnboundedSender<Change>,
}

struct Change {
    spot: PresenceKey,
    written: Option<oneshot::Sender<bool>>,
}

/// A stream that is open; dropping it ends the stream's part in the presence of its player, or in the audience.
pub struct PresenceGuard {
    presence: Presence,
    spot: PresenceKey,
}

impl Presence {
    pub(super) fn open(db: Db, notifier: Notifier, closing: CancellationToken) -> Self {
        let (changes, inbox) = mpsc::unbounded_channel();
        let presence = Self {
            db,
            notifier,
            open: Arc::default(),
            changes,
        };
        tokio::spawn(presence.clone().write(inbox, closing));
        presence
    }

    /// A stream of this player opens here. Comes back once the database knows.
    pub async fn enter(&self, player: PlayerId, place: Place) -> Result<PresenceGuard, Error> {
        self.attend(PresenceKey::Player(player, place)).await
    }

    /// A stream of somebody who watches opens. Comes back once the database knows.
    pub async fn watch(&self, id: MatchId) -> Result<PresenceGuard, Error> {
        self.attend(PresenceKey::Audience(id)).await
    }

    async fn attend(&self, spot: PresenceKey) -> Result<PresenceGuard, Error> {
        *self
            .open
            .lock()
            .expect("no panic while counting")
            .entry(spot)
            .or_default() += 1;
        let attendance = PresenceGuard {
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
        self.notify(PresenceKey::Player(player, place));
        Ok(())
    }

    fn notify(&self, spot: PresenceKey) {
        match spot {
            PresenceKey::Player(_, Place::Lobby(game)) => self.notifier.notify(game),
            PresenceKey::Player(_, Place::Match(id)) | PresenceKey::Audience(id) => {
                self.notifier.notify_match(id);
            }
            // Who is here is seen when somebody looks around.
            PresenceKey::Player(_, Place::Table(_)) => {}
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
                    let here: Vec<PresenceKey> = batch.iter().map(|change: &Change| change.spot).collect();
                    let written = self.write_spots(&instance, &here).await;
                    let written = written.log_failure("writing presence").is_some();
                    for change in batch.drain(..) {
                        if let Some(tell) = change.written {
                            // The request may have been cancelled.
                            let _ = tell.send(written);
                        }
                        self.notify(change.spot);
                    }
                }
                _ = beat.tick() => {
                    let open: Vec<PresenceKey> = self.open.lock().expect("no panic while counting").keys().copied().collect();
                    // The next heartbeat makes up for one that fails.
                    let written = self.write_spots(&instance, &open).await;
                    written.log_failure("writing the presence heartbeat");
                }
            }
        }
    }

    /// Writes what is true of these spots now.
    async fn write_spots(&self, instance: &str, spots: &[PresenceKey]) -> Result<(), Error> {
        let (mut here, mut gone) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        let mut watched = (Vec::new(), Vec::new());
        {
            let open = self.open.lock().expect("no panic while counting");
            for spot in spots {
                let count = open.get(spot).copied().unwrap_or(0);
                match *spot {
                    PresenceKey::Player(player, place) => {
                        let side = if count > 0 { &mut here } else { &mut gone };
                        side.0.push(player.0);
                        side.1.push(place.to_string());
                    }
                    PresenceKey::Audience(id) => {
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
            db::match_status::watched(&self.db, instance, &watched.0, &watched.1).await?;
        }
        Ok(())
    }
}

impl Drop for PresenceGuard {
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
