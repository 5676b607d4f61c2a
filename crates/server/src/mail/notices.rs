//! Notices by mail: of turns before their time runs out, and once a day of the notifications that are unread.
//!
//! 1. Both are rows that the sweeper looks for: `turn_reminders`, which the change of a deadline inserts, and `digest_at` of an address.
//!    The transaction that takes them writes the mails, so that no instance writes a second one.
//! 2. A notice names only what it is about. Before it is sent it is read anew: it is not sent to who has moved meanwhile, has read the
//!    notifications, or has switched such mails off, and it has the names of that time.

use super::Mails;
use super::content::{Mail, Notice, Waiting};
use super::db::{self, DueMail};
use crate::Error;
use tochki_protocol::limits;

/// Ends of the tokens that end one kind of mail alone. A token without one ends the notices of sign-ins.
const TURNS: &str = ".turns";
const DIGESTS: &str = ".digest";

impl Mails {
    /// Writes the notices that are due. The sweeper does so.
    pub async fn write_notices(&self) -> Result<(), Error> {
        if !self.are_sent() {
            return Ok(());
        }
        loop {
            let (turns, some) = db::notices::write_turns(&self.db).await?;
            let (digests, others) = db::notices::write_digests(&self.db).await?;
            if some || others {
                self.wake();
            }
            if turns.max(digests) < limits::MAIL_NOTICE_BATCH_LEN {
                return Ok(());
            }
        }
    }

    /// What a mail tells now; `None` if there is nothing to tell any more.
    pub(super) async fn read_anew(&self, due: &DueMail) -> Result<Option<Mail>, Error> {
        let notice = match &due.content {
            Waiting::Ready(mail) => return Ok(Some(mail.clone())),
            Waiting::Notice(notice) => notice,
        };
        let to = db::recipient(&self.db, due.player).await?;
        // The address may be that of somebody else by now.
        let Some(to) = to.filter(|to| to.address == due.address) else {
            return Ok(None);
        };
        match *notice {
            Notice::Turn {
                match_id,
                deadline_at,
            } => {
                let turn = db::notices::turn(&self.db, due.player, match_id, deadline_at).await?;
                let left = deadline_at - crate::clock::now();
                Ok(turn.map(|notification| Mail::YourTurn {
                    name: to.name,
                    notification,
                    left,
                    until: deadline_at,
                    unsubscribe: to.unsubscribe + TURNS,
                }))
            }
            Notice::Digest { at } => {
                let (notifications, count) = db::notices::digest(&self.db, due.player, at).await?;
                Ok((count > 0).then(|| Mail::Digest {
                    name: to.name,
                    notifications,
                    count,
                    unsubscribe: to.unsubscribe + DIGESTS,
                }))
            }
        }
    }

    /// Ends the mails of the kind that a link names, for whoever has it. Returns whether there is such a link.
    pub(crate) async fn unsubscribe(&self, link: &str) -> Result<bool, Error> {
        if let Some(token) = link.strip_suffix(TURNS) {
            db::notices::unsubscribe(&self.db, token, true).await
        } else if let Some(token) = link.strip_suffix(DIGESTS) {
            db::notices::unsubscribe(&self.db, token, false).await
        } else {
            db::unsubscribe_sign_ins(&self.db, link).await
        }
    }
}
