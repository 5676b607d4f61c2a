//! The operator: sees what was reported, and can silence players and close accounts. Whatever is done is written down in the
//! transaction that does it.

use super::chat::MessageText;
use super::db::{self, Db, operator as stored};
use super::matches::Matches;
use super::names::NameKey;
use super::sessions::OpenSessions;
use super::settings::Settings;
use crate::{About as _, Error, LogFailure as _};
use tochki_play::Command;
use tochki_protocol::{Account, Code, ModerationAction, ModerationOverview, PlayerId, ReportId};

/// What only an operator can do.
#[derive(Clone)]
pub struct Operators {
    db: Db,
    sessions: OpenSessions,
    tables: Matches,
    /// The name of the account whose owner is one.
    name: Option<NameKey>,
}

/// What an operator does, and to whom.
pub struct Doing {
    /// What.
    act: ModerationAction,
    /// To whom. A report that is dismissed says so itself.
    player: Option<PlayerId>,
    /// The report that leads to it, which is closed by it.
    report: Option<ReportId>,
    /// Why.
    why: MessageText,
}

impl Doing {
    /// Something to do, for a reason in words that may be left out.
    pub fn read(
        act: ModerationAction,
        player: Option<PlayerId>,
        report: Option<ReportId>,
        why: Option<String>,
    ) -> Result<Self, Code> {
        Ok(Self {
            act,
            player,
            report,
            why: MessageText::read_short(why.as_deref().unwrap_or_default())?,
        })
    }
}

impl Operators {
    pub(super) fn open(
        db: Db,
        sessions: OpenSessions,
        tables: Matches,
        settings: &Settings,
    ) -> Self {
        Self {
            db,
            sessions,
            tables,
            name: settings.operator.as_deref().map(NameKey::of),
        }
    }

    /// Whether this is the account of an operator. A guest may be called the same, but has no account.
    pub fn is(&self, account: &Account) -> bool {
        !account.guest && self.name.as_ref() == Some(&NameKey::of(&account.name))
    }

    /// What lies before an operator: `find` is the beginning of a name, `page` one of the audit, from 0.
    pub async fn desk(
        &self,
        operator: &Account,
        find: Option<&str>,
        page: u32,
    ) -> Result<ModerationOverview, Error> {
        self.check(operator)?;
        let (reports, waiting) = stored::reports(&self.db).await?;
        let found = match find.map(str::trim).filter(|find| !find.is_empty()) {
            Some(find) => stored::find(&self.db, NameKey::of(find).as_str()).await?,
            None => Vec::new(),
        };
        let (audit, more) = stored::audit(&self.db, page).await?;
        Ok(ModerationOverview {
            reports,
            waiting,
            found,
            audit,
            more,
        })
    }

    /// Does something. A closed account has no session any more, hears nothing, and has resigned.
    pub async fn act(&self, operator: &Account, doing: Doing) -> Result<(), Error> {
        self.check(operator)?;
        let Doing {
            act,
            mut player,
            report,
            why,
        } = doing;
        if player == Some(operator.id) {
            return Err(Code::Yourself.into());
        }
        let mut tx = self.db.begin().await?;
        if let Some(report) = report {
            let about = stored::close_report(&mut tx, report).await?;
            if act == ModerationAction::Dismissed {
                player = about.ok_or(Code::NotFound)?;
            }
        }
        let concerned = || player.ok_or(Code::NoSuchPlayer);
        let mut ended = None;
        let there = match act {
            ModerationAction::Dismissed => report.is_some(),
            ModerationAction::MutedHour => stored::mute(&mut tx, concerned()?, Some(1)).await?,
            ModerationAction::MutedDay => stored::mute(&mut tx, concerned()?, Some(24)).await?,
            ModerationAction::MutedEver => stored::mute(&mut tx, concerned()?, None).await?,
            ModerationAction::Unmuted => stored::mute(&mut tx, concerned()?, Some(0)).await?,
            ModerationAction::Opened => stored::open(&mut tx, concerned()?).await?,
            ModerationAction::Closed => {
                ended = stored::close(&mut tx, concerned()?).await?;
                ended.is_some()
            }
        };
        if !there {
            return Err(Code::NoSuchPlayer.into());
        }
        stored::write(&mut tx, operator, act, player, report, why.as_str()).await?;
        tx.commit().await?;
        if let (Some(ended), Some(player)) = (ended, player) {
            self.see_out(player, ended).await;
        }
        Ok(())
    }

    /// Ends what a closed account still has open here. What goes wrong sets itself right: other instances look for sessions
    /// that have ended, and whoever has no stream is away from the table and loses.
    async fn see_out(&self, player: PlayerId, ended: db::operator::Ended) {
        for session in &ended.sessions {
            self.sessions.end(session);
        }
        let Some(id) = ended.playing else { return };
        let resigned = async {
            let table = self.tables.table(id).await?;
            let seat = table.seat_of(player).ok_or(Code::NotAPlayer)?;
            table.command(Command::Resign { seat }).await
        };
        resigned
            .await
            .about(id)
            .log_failure("resigning for a closed account");
    }

    fn check(&self, account: &Account) -> Result<(), Error> {
        if self.is(account) {
            Ok(())
        } else {
            Err(Code::NotOperator.into())
        }
    }
}
