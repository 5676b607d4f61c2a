//! Players of running matches, by the session or token of a request. A limit that an address has reached does not fall on them:
//! strangers behind the same address must not make somebody lose a match.
//!
//! Asked only where a request would be refused, so it must cost less than what is refused. Sessions and tokens that were valid
//! lately are known without the database; others are looked up at a bounded pace. Whether a player plays is read once in
//! [`limits::ACTIVE_PLAYER_INTERVAL`], however many ask.

use super::bearer::Bearer;
use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap};
use axum::middleware::Next;
use axum::response::Response;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tochki_pages::context::{SessionCell, cookie};
use tochki_protocol::{Account, PlayerId, limits};
use tochki_server::{Arena, LogFailure as _};

/// How many unknown sessions and tokens are looked up in a second.
const LOOKUPS_PER_SECOND: NonZeroU32 =
    NonZeroU32::new(limits::ACTIVE_PLAYER_LOOKUPS_PER_SECOND).unwrap();

/// The sessions and tokens that were valid lately.
#[derive(Clone)]
pub(super) struct ActivePlayers {
    arena: Arena,
    /// By the digests of their tokens. Held for a lookup, never across an await.
    known: Arc<Mutex<HashMap<Vec<u8>, Known>>>,
    lookups: Arc<DefaultDirectRateLimiter>,
}

#[derive(Clone)]
struct Known {
    account: Account,
    seen_at: Instant,
    /// Whether the player had a running match, and when that was read. Locked while it is read, so that others wait for the
    /// answer.
    playing: Arc<tokio::sync::Mutex<Option<(Instant, bool)>>>,
}

impl ActivePlayers {
    pub(super) fn new(arena: &Arena) -> Self {
        Self {
            arena: arena.clone(),
            known: Arc::default(),
            lookups: Arc::new(RateLimiter::direct(Quota::per_second(LOOKUPS_PER_SECOND))),
        }
    }

    /// The player who sends this request, if one with a running match.
    pub(super) async fn playing(
        &self,
        headers: &HeaderMap,
        extensions: &Extensions,
    ) -> Option<PlayerId> {
        let known = self.known(headers, extensions).await?;
        let mut playing = known.playing.lock().await;
        let is_playing = match *playing {
            Some((read_at, is_playing)) if read_at.elapsed() < limits::ACTIVE_PLAYER_INTERVAL => {
                is_playing
            }
            _ => {
                let running = self.arena.matches.running_match(&known.account).await;
                let running = running.log_failure("looking for the match of a player")?;
                *playing = Some((Instant::now(), running.is_some()));
                running.is_some()
            }
        };
        is_playing.then_some(known.account.id)
    }

    async fn known(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<Known> {
        let session = match extensions.get::<Bearer>() {
            Some(Bearer(token)) => Err(token),
            None => Ok(cookie::token(headers, self.arena.settings.secure())?),
        };
        let digest = match &session {
            Ok(session) => session.digest(),
            Err(token) => token.digest(),
        };
        if let Some(known) = self.lock().get(&digest) {
            return Some(known.clone());
        }
        self.lookups.check().ok()?;
        let accounts = &self.arena.accounts;
        let found = match session {
            Ok(session) => accounts.session(&session).await,
            Err(token) => match accounts.token_session(token).await {
                Ok(found) => Ok(Some(found.session)),
                Err(error) if error.failure().is_none() => Ok(None),
                Err(error) => Err(error),
            },
        };
        let found = found.log_failure("looking for the player of a request")??;
        Some(self.remember(digest, found.account))
    }

    /// Remembers that the session or token with this digest is of this player.
    pub(super) fn note(&self, digest: Vec<u8>, account: Account) {
        self.remember(digest, account);
    }

    fn remember(&self, digest: Vec<u8>, account: Account) -> Known {
        let mut known = self.lock();
        if known.len() >= limits::ACTIVE_PLAYERS_CAPACITY {
            known.retain(|_, known| known.seen_at.elapsed() < limits::ACTIVE_PLAYER_LIFETIME);
        }
        let now = Instant::now();
        let entry = known.entry(digest).or_insert_with(|| Known {
            account: account.clone(),
            seen_at: now,
            playing: Arc::default(),
        });
        entry.account = account;
        entry.seen_at = now;
        entry.clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Vec<u8>, Known>> {
        self.known.lock().expect("no panic while the lock is held")
    }
}

/// Gives a request the cell for its session, and remembers the session that was read for it.
pub(super) async fn keep_session(
    State(players): State<ActivePlayers>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(token) = cookie::token(request.headers(), players.arena.settings.secure()) else {
        return next.run(request).await;
    };
    let cell = SessionCell::default();
    request.extensions_mut().insert(cell.clone());
    let response = next.run(request).await;
    if let Some(session) = cell.read_session() {
        players.note(token.digest(), session.account.clone());
    }
    response
}
