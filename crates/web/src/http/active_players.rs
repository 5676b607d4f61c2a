//! Players of running matches, by the session, token or known browser of a request. A limit that an address has reached does not
//! fall on them: strangers behind the same address must not make somebody lose a match. The browser counts because a player who
//! has lost the session has to sign in again.
//!
//! Looked up only where a request would be refused, so a lookup must cost less than the request. Sessions, tokens and browsers
//! that were used lately are known without the database; other sessions and tokens are looked up at a bounded pace for each
//! address and site. Whether a player plays is read once in [`limits::ACTIVE_PLAYER_INTERVAL`], however many requests ask.

use super::bearer::Bearer;
use super::rate_limits::prune_rate_limit;
use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap};
use axum::middleware::Next;
use axum::response::Response;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use hashlink::LruCache;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;
use tochki_pages::context::{SessionCell, cookie};
use tochki_protocol::{Account, PlayerId, limits};
use tochki_server::accounts::ClientAddress;
use tochki_server::{AppState, LogFailure as _};

/// The rate of lookups of unknown sessions and tokens, per second.
const LOOKUPS_PER_SECOND: NonZeroU32 =
    NonZeroU32::new(limits::ACTIVE_PLAYER_LOOKUPS_PER_SECOND).unwrap();

/// The sessions, tokens and browsers that were used lately.
#[derive(Clone)]
pub(super) struct ActivePlayers {
    app: AppState,
    /// The players by the digests of their tokens, those that were used least recently dropped first. Held for a lookup, never
    /// across an await.
    known: Arc<Mutex<LruCache<Vec<u8>, Known>>>,
    lookups: Arc<DefaultKeyedRateLimiter<IpAddr>>,
}

#[derive(Clone)]
struct Known {
    account: Account,
    /// The digest of the browser in which this session was used last. A session has one, because its cookie is not checked.
    browser: Option<Vec<u8>>,
    /// Whether the player had a running match, and when that was read. Locked while it is read, so that others wait for the
    /// answer.
    playing: Arc<tokio::sync::Mutex<Option<(Instant, bool)>>>,
}

impl ActivePlayers {
    pub(super) fn open(app: &AppState) -> Self {
        let lookups = Arc::new(RateLimiter::keyed(Quota::per_second(LOOKUPS_PER_SECOND)));
        app.tasks.spawn("lookups of players", {
            let (lookups, shutdown) = (lookups.clone(), app.shutdown.clone());
            move || prune_rate_limit(lookups.clone(), shutdown.clone())
        });
        Self {
            app: app.clone(),
            known: Arc::new(Mutex::new(LruCache::new(limits::ACTIVE_PLAYERS_CAPACITY))),
            lookups,
        }
    }

    /// Returns the player who sends this request, if that player has a running match.
    pub(super) async fn playing(
        &self,
        headers: &HeaderMap,
        extensions: &Extensions,
    ) -> Option<PlayerId> {
        if let Some(known) = self.by_credentials(headers, extensions).await
            && self.is_playing(&known).await
        {
            return Some(known.account.id);
        }
        // A request with a token has no cookies.
        let browser = cookie::device(headers, self.app.settings.secure())?;
        let known = self.lock().get(&browser.digest()).cloned()?;
        let is_playing = self.is_playing(&known).await;
        is_playing.then_some(known.account.id)
    }

    async fn is_playing(&self, known: &Known) -> bool {
        let mut playing = known.playing.lock().await;
        match *playing {
            Some((read_at, is_playing)) if read_at.elapsed() < limits::ACTIVE_PLAYER_INTERVAL => {
                is_playing
            }
            _ => {
                let running = self.app.matches.running_match(&known.account).await;
                let Some(running) = running.log_failure("looking for the match of a player") else {
                    return false;
                };
                *playing = Some((Instant::now(), running.is_some()));
                running.is_some()
            }
        }
    }

    async fn by_credentials(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<Known> {
        let session = match extensions.get::<Bearer>() {
            Some(Bearer(token)) => Err(token),
            None => Ok(cookie::token(headers, self.app.settings.secure())?),
        };
        let digest = match &session {
            Ok(session) => session.digest(),
            Err(token) => token.digest(),
        };
        if let Some(known) = self.lock().get(&digest) {
            return Some(known.clone());
        }
        let client = extensions.get::<ClientAddress>()?;
        for owner in [Some(client.address), client.site()].into_iter().flatten() {
            self.lookups.check_key(&owner).ok()?;
        }
        let accounts = &self.app.accounts;
        let found = match session {
            Ok(session) => accounts.session(&session).await,
            Err(token) => match accounts.token_session(token).await {
                Ok(found) => Ok(Some(found.session)),
                Err(error) if error.failure().is_none() => Ok(None),
                Err(error) => Err(error),
            },
        };
        let found = found.log_failure("looking for the player of a request")??;
        Some(remember(&mut self.lock(), digest, &found.account))
    }

    /// Remembers that the session, token or browser with this digest is of this player.
    pub(super) fn note(&self, digest: Vec<u8>, account: &Account) {
        remember(&mut self.lock(), digest, account);
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<Vec<u8>, Known>> {
        self.known.lock().expect("no panic while the lock is held")
    }
}

fn remember(known: &mut LruCache<Vec<u8>, Known>, digest: Vec<u8>, account: &Account) -> Known {
    if let Some(entry) = known.get_mut(&digest) {
        entry.account = account.clone();
        return entry.clone();
    }
    let entry = Known {
        account: account.clone(),
        browser: None,
        playing: Arc::default(),
    };
    known.insert(digest, entry.clone());
    entry
}

/// Remembers that the session with this digest is of this player, and the browser in which it is used: the last one alone.
fn remember_session(
    known: &mut LruCache<Vec<u8>, Known>,
    session: Vec<u8>,
    browser: Option<Vec<u8>>,
    account: &Account,
) {
    // A guest cannot sign in again.
    let browser = browser.filter(|_| !account.guest);
    let former = known.get(&session).and_then(|known| known.browser.clone());
    if let Some(former) = former.filter(|former| Some(former) != browser.as_ref()) {
        known.remove(&former);
    }
    if let Some(browser) = &browser {
        remember(known, browser.clone(), account);
    }
    remember(known, session.clone(), account);
    if let Some(session) = known.get_mut(&session) {
        session.browser = browser;
    }
}

/// Gives a request the cell for its session, and remembers the session that was read or opened for it, and its browser.
pub(super) async fn keep_session(
    State(players): State<ActivePlayers>,
    mut request: Request,
    next: Next,
) -> Response {
    let secure = players.app.settings.secure();
    let token = cookie::token(request.headers(), secure);
    let browser = cookie::device(request.headers(), secure);
    let cell = SessionCell::default();
    request.extensions_mut().insert(cell.clone());
    let response = next.run(request).await;
    if let (Some(token), Some(session)) = (token, cell.read_session()) {
        let browser = browser.map(|browser| browser.digest());
        remember_session(
            &mut players.lock(),
            token.digest(),
            browser,
            &session.account,
        );
    }
    if let Some(signed_in) = cell.signed_in() {
        for digest in &signed_in.digests {
            players.note(digest.clone(), &signed_in.account);
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_remembered_with_one_browser_and_that_of_a_guest_with_none() {
        let mut known = LruCache::new(8);
        let account = |guest| Account {
            id: PlayerId(1),
            name: "ann".into(),
            guest,
            bot: false,
        };
        for browser in 0..100 {
            remember_session(&mut known, vec![0], Some(vec![1, browser]), &account(false));
        }
        assert_eq!(known.len(), 2);
        assert!(known.contains_key(&vec![1, 99]));
        remember_session(&mut known, vec![2], Some(vec![3]), &account(true));
        assert_eq!(known.len(), 3);
        for session in 4..100 {
            remember_session(&mut known, vec![session], None, &account(true));
        }
        assert_eq!(known.len(), 8);
    }
}
