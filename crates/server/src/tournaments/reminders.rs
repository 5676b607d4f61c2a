//! Reminders of tournaments that begin soon, for those who have entered and for those who have asked.

use super::{Tournaments, db};
use crate::{Error, WithSubject as _};
use tochki_protocol::limits::{self, in_millis};
use tochki_protocol::{Account, Code, TournamentId, TournamentState};

impl Tournaments {
    /// Tells all who are to be reminded now. The driver does so, with each of its turns.
    pub(super) async fn remind(&self) -> Result<(), Error> {
        if db::reminders::tell_due(&self.db).await? {
            self.notifier.notify_causes();
        }
        Ok(())
    }

    /// Asks to be reminded of a tournament before its start, or takes that back. Who enters is reminded also without.
    ///
    /// # Errors
    /// `no_such_tournament`, or `not_open` once it has begun, or begins so soon that nobody is reminded any more.
    pub async fn set_reminder(
        &self,
        player: &Account,
        id: TournamentId,
        is_on: bool,
    ) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = self.lock(&mut tx, id).await?;
            let tournament = &stored.tournament;
            if tournament.state != TournamentState::Open {
                return Err(Code::NotOpen.into());
            }
            let told = if is_on {
                let before = in_millis(limits::TOURNAMENT_REMINDED_BEFORE);
                if tournament.starts_at - stored.now <= before {
                    return Err(Code::NotOpen.into());
                }
                db::reminders::insert(&mut tx, id, player.id).await?;
                false
            } else {
                db::reminders::delete(&mut tx, id, player.id).await?
            };
            tx.commit().await?;
            if told {
                self.notifier.notify_causes();
            }
            Ok(())
        };
        done.await.with_subject(id)
    }
}
