//! The queue of Web Push (RFC 8030, 8291, 8292): notifications for browsers that have no page open. `crates/web/src/push` sends them.
//!
//! 1. The transaction that makes notifications of causes also queues a push for each subscription of the player.
//! 2. After [`limits::PUSH_DELAY`] an instance claims it, unless the player has come to the match, has read the notification or has
//!    switched such pushes off meanwhile, or the turn is over. A claim ends by itself, so that the push of an instance that has died is
//!    sent by another one. An instance claims no more than it has places for, and a host has some of these only, so that one that hangs
//!    keeps no push to another from its way.
//! 3. The push service answers: taken, gone for ever, or later: then all pushes to the subscription wait, newer ones too. A push that is
//!    sent twice, because its sender has died in between, replaces the first one by its topic, and in the browser by its tag.
//!
//! Without a contact (`CONTACT`), which push services want to know, there is no push.

mod endpoint;
mod vapid;

pub use endpoint::{Endpoint, is_public};

use crate::Error;
use crate::clock;
use crate::db::Db;
use crate::notifications::db::pushes as db;
use crate::settings::Settings;
use endpoint::PushHosts;
use std::collections::HashMap;
use std::slice;
use std::sync::Arc;
use std::time::Duration;
use tochki_protocol::{Account, Code, Notification, limits};
use vapid::VapidKey;

/// A subscription as a browser describes it.
pub struct NewSubscription {
    endpoint: String,
    p256dh: Vec<u8>,
    auth: Vec<u8>,
    language: String,
}

/// A push that this instance is to send.
pub struct Push(db::ClaimedPush);

/// The outcome of a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The push service has it.
    Taken,
    /// The push service wants nothing of it.
    Refused,
    /// The subscription has ended.
    Gone,
    /// To be sent again, after this time if the push service says so.
    Later(Option<Duration>),
}

/// Pushes and their subscriptions.
#[derive(Clone)]
pub struct Pushes {
    db: Db,
    /// `None` without a contact.
    key: Option<Arc<VapidKey>>,
    hosts: Arc<PushHosts>,
    pub(super) delay: Duration,
}

impl Pushes {
    /// Reads the key of this server, or makes it.
    pub(super) async fn open(db: Db, settings: &Settings) -> Result<Self, Error> {
        let key = match &settings.contact {
            Some(contact) => {
                let secret = db::key(&db, &VapidKey::random_secret()).await?;
                Some(Arc::new(VapidKey::read(&secret, contact.clone())?))
            }
            None => None,
        };
        Ok(Self {
            db,
            key,
            hosts: Arc::new(PushHosts::new(&settings.push_hosts)),
            delay: settings.push_delay,
        })
    }

    /// Returns whether there are pushes.
    pub fn is_on(&self) -> bool {
        self.key.is_some()
    }

    /// The public key of this server, with which browsers subscribe; `None` without a contact.
    pub fn public_key(&self) -> Option<&str> {
        Some(self.key.as_ref()?.public())
    }

    /// Reads a subscription as a browser describes it: keys in base64url.
    ///
    /// # Errors
    /// `not_found` where there are no pushes, `bad_request` for an endpoint of no push service, or keys that are none.
    pub fn read_subscription(
        &self,
        endpoint: &str,
        p256dh: &str,
        auth: &str,
        language: String,
    ) -> Result<NewSubscription, Code> {
        if !self.is_on() {
            return Err(Code::NotFound);
        }
        let endpoint = Endpoint::read(endpoint, &self.hosts).ok_or(Code::BadRequest)?;
        let [p256dh, auth] = [p256dh, auth].map(vapid::decode);
        let (p256dh, auth) = p256dh.zip(auth).ok_or(Code::BadRequest)?;
        if !vapid::are_keys(&p256dh, &auth) {
            return Err(Code::BadRequest);
        }
        Ok(NewSubscription {
            endpoint: endpoint.as_str().to_owned(),
            p256dh,
            auth,
            language,
        })
    }

    /// Subscribes a browser for the session with this digest. It takes the place of what the browser had before, and of the oldest of
    /// the player where there are more than [`limits::PUSH_SUBSCRIPTIONS_PER_PLAYER`].
    ///
    /// # Errors
    /// `signed_out` if the session has ended.
    pub async fn subscribe(
        &self,
        player: &Account,
        session: &[u8],
        subscription: &NewSubscription,
    ) -> Result<(), Error> {
        let row = subscription.row();
        if db::subscribe(&self.db, player.id, session, &row).await? {
            Ok(())
        } else {
            Err(Code::SignedOut.into())
        }
    }

    /// Puts a subscription in the place of one of the same player, whose endpoint is `old`: the browser has given that up by itself. One
    /// that does not say which takes the place of that of its session.
    ///
    /// # Errors
    /// `not_found` if the player, or the session, has no such subscription: the browser may have made it for another account.
    pub async fn renew(
        &self,
        player: &Account,
        session: &[u8],
        old: Option<&str>,
        subscription: &NewSubscription,
    ) -> Result<(), Error> {
        let row = subscription.row();
        if db::renew(&self.db, player.id, session, old, &row).await? {
            Ok(())
        } else {
            Err(Code::NotFound.into())
        }
    }

    /// Ends the subscription of a player with this endpoint, if there is one.
    pub async fn unsubscribe(&self, player: &Account, endpoint: &str) -> Result<(), Error> {
        db::unsubscribe(&self.db, player.id, endpoint).await
    }

    /// Returns whether this endpoint is subscribed for the session with this digest.
    pub async fn is_subscribed(&self, session: &[u8], endpoint: &str) -> Result<bool, Error> {
        db::is_subscribed(&self.db, session, endpoint).await
    }

    /// Claims pushes that are due, as many as there are `places`. `sending` is how many are being sent to each host; none gets more than
    /// [`limits::PUSHES_AT_ONCE_PER_HOST`]. Each is to be settled within [`limits::PUSH_LEASE`].
    pub async fn claim(
        &self,
        places: usize,
        sending: &HashMap<String, usize>,
    ) -> Result<Vec<Push>, Error> {
        let claimed = db::claim(&self.db, places, sending).await?;
        Ok(claimed.into_iter().map(Push).collect())
    }

    /// The endpoint of a push; `None` for a host that is allowed no longer.
    pub fn endpoint(&self, push: &Push) -> Option<Endpoint> {
        Endpoint::read(&push.0.endpoint, &self.hosts)
    }

    /// The header `Authorization` of a push to this endpoint; `None` without a contact.
    pub fn authorization(&self, endpoint: &Endpoint) -> Option<String> {
        let key = self.key.as_ref()?;
        Some(key.authorization(&endpoint.origin(), clock::now()))
    }

    /// Deletes pushes that are done with.
    pub async fn delete(&self, pushes: &[Push]) -> Result<(), Error> {
        if pushes.is_empty() {
            return Ok(());
        }
        db::delete(&self.db, pushes.iter().map(|Push(push)| push)).await
    }

    /// Notes what has become of a push.
    pub async fn settle(&self, push: &Push, outcome: Outcome) -> Result<(), Error> {
        let Push(claimed) = push;
        match outcome {
            Outcome::Taken | Outcome::Refused => self.delete(slice::from_ref(push)).await,
            Outcome::Gone => db::delete_subscription(&self.db, claimed).await,
            Outcome::Later(told) => {
                db::postpone(&self.db, claimed, retry_delay(told, claimed.attempts)).await
            }
        }
    }
}

impl NewSubscription {
    fn row(&self) -> db::SubscriptionRow<'_> {
        db::SubscriptionRow {
            endpoint: &self.endpoint,
            p256dh: &self.p256dh,
            auth: &self.auth,
            language: &self.language,
        }
    }
}

/// The delay before a push is sent again: as told, within limits, else twice as long after each attempt.
fn retry_delay(told: Option<Duration>, attempts: i32) -> Duration {
    if let Some(told) = told {
        return told.clamp(limits::PUSH_MIN_TOLD_RETRY, limits::PUSH_MAX_TOLD_RETRY);
    }
    let delay = limits::PUSH_MIN_RETRY * (1 << attempts.clamp(1, 16).saturating_sub(1));
    delay.min(limits::PUSH_MAX_RETRY)
}

impl Push {
    /// The host of the push service, with its port, as [`Pushes::claim`] counts them.
    pub fn host(&self) -> &str {
        self.0.endpoint.split('/').nth(2).unwrap_or_default()
    }

    /// The news that the push tells.
    pub fn notification(&self) -> &Notification {
        &self.0.notification
    }

    /// The number of games in which it is the player's turn, for the badge of the app.
    pub fn on_turn(&self) -> u32 {
        self.0.on_turn
    }

    /// The tag of the language of its words.
    pub fn language(&self) -> &str {
        &self.0.language
    }

    /// The public key of the browser, and its secret.
    pub fn keys(&self) -> (&[u8], &[u8]) {
        (&self.0.p256dh, &self.0.auth)
    }

    /// The topic: at most 32 characters of base64url. A push replaces one of the same topic that was not delivered yet.
    pub fn topic(&self) -> String {
        topic(&self.0.subject)
    }
}

fn topic(subject: &str) -> String {
    let is_allowed = |c: char| c.is_ascii_alphanumeric();
    let topic = subject.chars().map(|c| if is_allowed(c) { c } else { '-' });
    topic.take(32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_service_is_asked_again_neither_at_once_nor_never() {
        let told = |seconds| Some(Duration::from_secs(seconds));
        for (told, attempts, expected) in [
            (told(0), 1, 30),
            (told(29), 9, 30),
            (told(120), 1, 120),
            (told(7_200), 1, 7_200),
            (told(u64::MAX), 1, 86_400),
            (None, 1, 10),
            (None, 2, 20),
            (None, 4, 80),
            (None, 99, 3_600),
        ] {
            let delay = retry_delay(told, attempts);
            assert_eq!(delay.as_secs(), expected, "{told:?} {attempts}");
        }
    }

    #[test]
    fn a_topic_is_short_and_base64url() {
        assert_eq!(topic("match:7"), "match-7");
        for subject in ["challenger", "challenged"] {
            let longest = format!("{subject}:{}", i64::MAX);
            assert_eq!(topic(&longest), format!("{subject}-{}", i64::MAX));
        }
        assert!(topic(&"é".repeat(40)).chars().all(|c| c == '-'));
    }
}
