//! Moderation: the operator reads reports, mutes players and closes accounts. Each action is written to `audit` in its own
//! transaction.

use crate::chat::MessageText;
use crate::db::{self, Db, operator as moderation};
use crate::matches::Matches;
use crate::names::NameKey;
use crate::sessions::OpenSessions;
use crate::settings::Settings;
use crate::{About as _, Error, LogFailure as _};
use tochki_play::Command;
use tochki_protocol::{Account, Code, ModerationAction, ModerationOverview, PlayerId, ReportId};

/// The actions of the operator.
#[derive(Clone)]
pub struct Operators {
    db: Db,
    sessions: OpenSessions,
    matches: Matches,
    /// The name of the account whose owner is one.
    name: Option<NameKey>,
}

/// An action of the operator.
pub struct ModerationRequest {
    /// What.
    act: ModerationAction,
    /// To whom. A report that is dismissed says so itself.
    player: Option<PlayerId>,
    /// The report that leads to it, which is closed by it.
    report: Option<ReportId>,
    /// Why.
    why: MessageText,
}

impl ModerationRequest {
    /// An action with an optional reason.
    ///
    /// # Errors
    /// `message_too_long`.
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
        matches: Matches,
        settings: &Settings,
    ) -> Self {
        Self {
            db,
            sessions,
            matches,
            name: settings.operator.as_deref().map(NameKey::of),
        }
    }

    /// Whether this is the account of an operator. A guest may be called the same, but has no account.
    pub fn is(&self, account: &Account) -> bool {
        !account.guest && self.name.as_ref() == Some(&NameKey::of(&account.name))
    }

    /// Reports, found players and the audit: `find` is the beginning of a name, `page` one of the audit, from 0.
    ///
    /// # Errors
    /// `not_operator`.
    pub async fn overview(
        &self,
        operator: &Account,
        find: Option<&str>,
        page: u32,
    ) -> Result<ModerationOverview, Error> {
        self.check(operator)?;
        let (reports, waiting) = moderation::reports(&self.db).await?;
        let found = match find.map(str::trim).filter(|find| !find.is_empty()) {
            Some(find) => moderation::find_by_prefix(&self.db, NameKey::of(find).as_str()).await?,
            None => Vec::new(),
        };
        let (audit, more) = moderation::audit(&self.db, page).await?;
        Ok(ModerationOverview {
            reports,
            waiting,
            found,
            audit,
            more,
        })
    }

    /// Carries out an action. Closing an account ends its sessions and streams, and resigns its match.
    ///
    /// # Errors
    /// `not_operator`, `no_such_player`, `not_found`, or `yourself`.
    pub async fn act(&self, operator: &Account, request: ModerationRequest) -> Result<(), Error> {
        self.check(operator)?;
        let ModerationRequest {
            act,
            mut player,
            report,
            why,
        } = request;
        if player == Some(operator.id) {
            return Err(Code::Yourself.into());
        }
        let mut tx = self.db.begin().await?;
        if let Some(report) = report {
            let about = moderation::close_report(&mut tx, report).await?;
            if act == ModerationAction::Dismissed {
                player = about.ok_or(Code::NotFound)?;
            }
        }
        let target = || player.ok_or(Code::NoSuchPlayer);
        let mut ended = None;
        let exists = match act {
            ModerationAction::Dismissed => report.is_some(),
            ModerationAction::MutedHour => moderation::mute(&mut tx, target()?, Some(1)).await?,
            ModerationAction::MutedDay => moderation::mute(&mut tx, target()?, Some(24)).await?,
            ModerationAction::MutedEver => moderation::mute(&mut tx, target()?, None).await?,
            ModerationAction::Unmuted => moderation::mute(&mut tx, target()?, Some(0)).await?,
            ModerationAction::Opened => moderation::reopen_account(&mut tx, target()?).await?,
            ModerationAction::Closed => {
                ended = moderation::close_account(&mut tx, target()?).await?;
                ended.is_some()
            }
        };
        if !exists {
            return Err(Code::NoSuchPlayer.into());
        }
        moderation::insert_audit_entry(&mut tx, operator, act, player, report, why.as_str())
            .await?;
        tx.commit().await?;
        if let (Some(ended), Some(player)) = (ended, player) {
            self.end_sessions_and_match(player, ended).await;
        }
        Ok(())
    }

    /// Ends the sessions and the match of a closed account. A failure has no lasting effect: every instance polls for ended
    /// sessions, and a player without a stream loses as absent.
    async fn end_sessions_and_match(&self, player: PlayerId, ended: db::operator::ClosedAccount) {
        for &session in &ended.sessions {
            self.sessions.end(session);
        }
        let Some(id) = ended.playing else { return };
        let resigned = async {
            let live = self.matches.get(id).await?;
            let seat = live.seat_of(player).ok_or(Code::NotAPlayer)?;
            live.command(Command::Leave { seat }).await
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
