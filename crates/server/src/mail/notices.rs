//! Notices by mail: of turns before their time runs out, of tournaments before they begin, and once a day of the notifications that are
//! unread.
//!
//! 1. All are rows that the sweeper looks for: `turn_reminders`, which the change of a deadline inserts, tournaments whose players were
//!    reminded, and `digest_at` of an address. The transaction that takes them writes the mails, so that no instance writes a second one.
//! 2. A notice names only what it is about. Before it is sent it is read anew: it is not sent to who has moved meanwhile, has read the
//!    notifications, or has switched such mails off, and it has the names of that time. So are all other mails, whose links may be used
//!    up by then.

use super::Mails;
use super::content::{Mail, Notice, Waiting};
use super::db::{self, DueMail};
use crate::Error;
use crate::secrets::SessionToken;
use tochki_protocol::{NotificationKind, limits};

/// Ends of the tokens that end one kind of mail alone. A token without one ends the notices of sign-ins.
const TURNS: &str = ".turns";
const TOURNAMENTS: &str = ".tournaments";
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
            let (_, reminders) = db::notices::write_tournaments(&self.db).await?;
            if some || others || reminders {
                self.wake();
            }
            if turns.max(digests) < limits::MAIL_NOTICE_BATCH_LEN {
                return Ok(());
            }
        }
    }

    /// Reads the content of a mail as of now; `None` if there is nothing to tell any more.
    pub(super) async fn read_anew(&self, due: &DueMail) -> Result<Option<Mail>, Error> {
        let notice = match &due.content {
            Waiting::Ready(mail) => return self.read_ready(mail, due).await,
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
            Notice::Tournament {
                tournament,
                starts_at,
            } => {
                let (player, db) = (due.player, &self.db);
                let soon = db::notices::tournament(db, player, tournament, starts_at).await?;
                Ok(soon.map(|notification| Mail::TournamentSoon {
                    name: to.name,
                    notification,
                    at: starts_at,
                    unsubscribe: to.unsubscribe + TOURNAMENTS,
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

    /// A mail with the name that its player has now; `None` if its link is used up, its address is that of the player no longer, or such
    /// mails were switched off.
    async fn read_ready(&self, mail: &Mail, due: &DueMail) -> Result<Option<Mail>, Error> {
        let name = match mail {
            // To an address that the player has no longer.
            Mail::Changed { .. } => db::name(&self.db, due.player).await?,
            Mail::Confirm { token, .. } => {
                let hash = SessionToken::from_cookie(token).digest();
                db::name_of_pending(&self.db, due.player, &hash).await?
            }
            Mail::Reset { token, .. } => {
                let hash = SessionToken::from_cookie(token).digest();
                let reset = db::reset_of(&self.db, &hash).await?;
                reset.map(|(_, name)| name)
            }
            Mail::SignIn { .. }
            | Mail::YourTurn { .. }
            | Mail::TournamentSoon { .. }
            | Mail::Digest { .. } => {
                let to = db::recipient(&self.db, due.player).await?;
                let to = to.filter(|to| to.address == due.address && to.sign_ins);
                to.map(|to| to.name)
            }
        };
        Ok(name.map(|name| mail.clone().with_name(name)))
    }

    /// Ends the mails of the kind that a link names, for whoever has it. Returns whether there is such a link.
    pub(crate) async fn unsubscribe(&self, link: &str) -> Result<bool, Error> {
        if let Some(token) = link.strip_suffix(TURNS) {
            db::notices::unsubscribe(&self.db, token, &[NotificationKind::YourTurn]).await
        } else if let Some(token) = link.strip_suffix(TOURNAMENTS) {
            db::notices::unsubscribe(&self.db, token, &[NotificationKind::TournamentSoon]).await
        } else if let Some(token) = link.strip_suffix(DIGESTS) {
            db::notices::unsubscribe(&self.db, token, &db::notices::of_digest()).await
        } else {
            db::unsubscribe_sign_ins(&self.db, link).await
        }
    }
}
