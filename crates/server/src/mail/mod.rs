//! Mail, where the operator has set a server that takes it (`SMTP_URL`).
//!
//! 1. An address is optional. It is confirmed by a link, and gets nothing else before. What changes an address, or needs one, is in
//!    `accounts::mail`; the addresses, links and mails are in `db`.
//! 2. A mail is a row of `mails`, inserted by the transaction of what it tells. [`Mails`] takes rows (`for update skip locked`), sends
//!    them, and tries those again that failed. So a restart loses none, and of two instances one sends it.
//! 3. The words are those of the pages, above this crate: whoever starts the sending gives a function that writes a [`Letter`].
//! 4. Notices of games, which `notices` writes, are read anew before they are sent.
//! 5. Links have the configured origin, never the `Host` of a request. A link is a random token, of which the database has a hash;
//!    the row of a mail has it until the mail is sent.

mod address;
mod content;
pub mod db;
mod message;
mod notices;

pub use address::MailAddress;
pub use content::{Compose, Letter, Mail};

use crate::db::Db;
use crate::mail::db::DueMail;
use crate::mail::message::Sender;
use crate::settings::Settings;
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _};
use std::sync::Arc;
use tochki_protocol::limits;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The mails of the site.
#[derive(Clone)]
pub struct Mails {
    db: Db,
    sender: Option<Arc<Sender>>,
    /// Wakes the sending of this instance.
    wake: Arc<Notify>,
}

impl Mails {
    pub(crate) fn open(db: Db, settings: &Settings) -> Result<Self, Error> {
        let sender = Sender::of(settings)?;
        Ok(Self {
            db,
            sender: sender.map(Arc::new),
            wake: Arc::default(),
        })
    }

    /// Returns whether this site sends mail.
    pub fn are_sent(&self) -> bool {
        self.sender.is_some()
    }

    /// Sends what waits, from now on until the shutdown.
    pub fn start(&self, tasks: &Tasks, compose: Compose) {
        let Some(sender) = self.sender.clone() else {
            return;
        };
        let (mails, shutdown) = (self.clone(), tasks.shutdown());
        tasks.spawn("mail", move || {
            mails
                .clone()
                .send_loop(sender.clone(), compose, shutdown.clone())
        });
    }

    /// There may be something to send.
    pub(crate) fn wake(&self) {
        self.wake.notify_one();
    }

    async fn send_loop(self, sender: Arc<Sender>, compose: Compose, shutdown: CancellationToken) {
        loop {
            let sent = self.send_due(&sender, compose, &shutdown).await;
            if sent.log_failure("sending mail") == Some(true) {
                continue;
            }
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = self.wake.notified() => {}
                () = tokio::time::sleep(limits::MAIL_POLL_INTERVAL) => {}
            }
        }
    }

    /// Sends some of the mails that are due. Returns whether there may be more.
    async fn send_due(
        &self,
        sender: &Sender,
        compose: Compose,
        shutdown: &CancellationToken,
    ) -> Result<bool, Error> {
        let due = db::take_due(&self.db).await?;
        let more = !due.is_empty();
        for mail in due {
            // The rest is taken again once its time is over.
            if shutdown.is_cancelled() {
                return Ok(false);
            }
            self.send(sender, compose, mail).await?;
        }
        Ok(more)
    }

    async fn send(&self, sender: &Sender, compose: Compose, due: DueMail) -> Result<(), Error> {
        let Some(mail) = self.read_anew(&due).await? else {
            return db::give_up(&self.db, due.id).await;
        };
        let DueMail {
            id,
            address,
            language,
            attempts,
            ..
        } = due;
        let letter = compose(&mail, &language, sender.origin());
        match sender.send(&address, letter, mail.unsubscribe()).await {
            Ok(()) => db::sent(&self.db, id).await,
            Err(refused) => {
                // An address is in no log.
                tracing::warn!(mail = id, kind = mail.kind(), attempts, %refused, "a mail was not sent");
                if refused.is_final() || attempts >= limits::MAIL_MAX_ATTEMPTS {
                    db::give_up(&self.db, id).await
                } else {
                    db::try_later(&self.db, id, attempts).await
                }
            }
        }
    }
}
