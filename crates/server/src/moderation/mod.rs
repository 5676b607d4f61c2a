//! Moderation: operators read reports, remove messages, mute players, close accounts and annul matches. Each action is
//! written to `audit` in its own transaction.
//!
//! 1. `appointment` manages operators.
//! 2. A sanction stays with the person (`crate::accounts::sanctions`): it also holds for new names from the same address.
//! 3. Reports are kept for [`limits::REPORT_LIFETIME`], the audit log for
//!    [`limits::AUDIT_LIFETIME`]; the sweeper deletes what is older.

mod act_log;
pub mod annulments;
mod appointment;
pub mod db;

pub use appointment::{appoint, dismiss, operators};

use crate::accounts::sessions::OpenSessions;
use crate::bus::notifier::Notifier;
use crate::chat::MessageText;
use crate::db::{Db, Tx};
use crate::detached::run_detached;
use crate::matches::Matches;
use crate::names;
use crate::notifications::db::{Cause, insert_annulments, insert_causes};
use crate::{Error, LogFailure as _, WithSubject as _, bus};
use act_log::log_act;
use std::ops::Deref;
use std::time::Duration;
use tochki_names::NameKey;
use tochki_play::Command;
use tochki_protocol::{
    Account, Activity, AnnulledGames, AnnulmentNotice, Code, MarkedName, MatchId, MessageId,
    ModerationAction, ModerationOverview, NotificationKind, PlayerId, ReportId, Ring,
    SharedAddress, limits,
};

/// The actions of operators.
#[derive(Clone)]
pub struct Operators {
    db: Db,
    sessions: OpenSessions,
    matches: Matches,
    notifier: Notifier,
}

/// An operator: an account that was found to be one of an operator.
#[derive(Clone)]
pub struct Operator(Account);

impl Deref for Operator {
    type Target = Account;

    fn deref(&self) -> &Account {
        &self.0
    }
}

/// The subject of an action.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A player. A report that is dismissed names them itself.
    Player(Option<PlayerId>),
    /// A message.
    Message(MessageId),
    /// A match.
    Match(MatchId),
}

/// An action of an operator.
pub struct ModerationRequest {
    /// The action.
    act: ModerationAction,
    /// To whom, or what.
    target: Target,
    /// The report that leads to it, which is closed by it with all others of the same message.
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
        target: Target,
        report: Option<ReportId>,
        why: Option<String>,
    ) -> Result<Self, Code> {
        Ok(Self {
            act,
            target,
            report,
            why: MessageText::read_short(why.as_deref().unwrap_or_default())?,
        })
    }
}

/// Work left to do after the commit.
enum AfterCommit {
    None,
    Closed(PlayerId, db::ClosedAccount),
    Removed(db::RemovedMessage),
    Annulled(MatchId),
}

impl Operators {
    pub(super) fn open(
        db: Db,
        sessions: OpenSessions,
        matches: Matches,
        notifier: Notifier,
    ) -> Self {
        Self {
            db,
            sessions,
            matches,
            notifier,
        }
    }

    /// Returns the operator with this account.
    ///
    /// # Errors
    /// `not_operator`.
    pub async fn identify(&self, account: Account) -> Result<Operator, Error> {
        if self.is(&account).await? {
            Ok(Operator(account))
        } else {
            Err(Code::NotOperator.into())
        }
    }

    /// Returns whether this is the account of an operator.
    pub async fn is(&self, account: &Account) -> Result<bool, Error> {
        appointment::is_operator(&self.db, account).await
    }

    /// Reports, found players and the audit: `find` is the beginning of a name, the pages are counted from 0.
    pub async fn overview(
        &self,
        _: &Operator,
        find: Option<&str>,
        reports_page: u32,
        page: u32,
    ) -> Result<ModerationOverview, Error> {
        let (reports, more_reports) = db::reports(&self.db, reports_page).await?;
        let waiting = db::waiting_reports(&self.db).await?;
        let found = match find.map(str::trim).filter(|find| !find.is_empty()) {
            Some(find) => db::find_by_prefix(&self.db, NameKey::of(find).as_str()).await?,
            None => Vec::new(),
        };
        let (audit, more) = db::audit(&self.db, page).await?;
        Ok(ModerationOverview {
            reports,
            more_reports,
            waiting,
            found,
            audit,
            more,
        })
    }

    /// Present players and running matches. The pages are counted from 0.
    pub async fn activity(
        &self,
        _: &Operator,
        people: u32,
        matches: u32,
    ) -> Result<Activity, Error> {
        let (people, more_people) = db::activity::people(&self.db, people).await?;
        let (matches, more_matches) = db::activity::matches(&self.db, matches).await?;
        Ok(Activity {
            people,
            more_people,
            people_count: db::activity::people_count(&self.db).await?,
            matches,
            more_matches,
            match_count: db::activity::match_count(&self.db).await?,
        })
    }

    /// The players whose names are older than the rules about names, and would be refused today.
    pub async fn marked_names(&self, _: &Operator) -> Result<Vec<MarkedName>, Error> {
        names::db::marked(&self.db).await
    }

    /// The annulled matches of which this player has not been told.
    pub async fn notices(&self, player: &Account) -> Result<Vec<AnnulmentNotice>, Error> {
        db::annulments::unread(&self.db, player.id).await
    }

    /// This player has been told.
    pub async fn mark_notices_read(&self, player: &Account) -> Result<(), Error> {
        db::annulments::mark_read(&self.db, player.id).await
    }

    /// Carries out an action. Closing an account ends its sessions and streams, and resigns its match.
    ///
    /// # Errors
    /// `no_such_player`, `no_such_message`, `not_found`, `yourself`; for an annulment `no_such_match`,
    /// `not_finished`, `not_rated`, or `annulled`.
    pub async fn act(&self, operator: &Operator, request: ModerationRequest) -> Result<(), Error> {
        let ModerationRequest {
            act,
            target,
            report,
            why,
        } = request;
        let mut tx = crate::db::begin(&self.db).await?;
        let mut entry = db::NewAuditEntry {
            report,
            why: why.as_str(),
            ..db::NewAuditEntry::new(act)
        };
        let reported = match report {
            Some(report) => Some(db::close_report(&mut tx, report).await?),
            None => None,
        };
        if act == ModerationAction::Dismissed {
            entry.player = reported.ok_or(Code::NotFound)?;
        } else {
            match target {
                Target::Player(player) => entry.player = player,
                Target::Message(message) => entry.message = Some(message),
                Target::Match(id) => entry.match_id = Some(id),
            }
        }
        if entry.player == Some(operator.id) {
            return Err(Code::OwnAccount.into());
        }
        let after = carry_out(&mut tx, operator.id, &mut entry).await?;
        let by = Some(operator.id);
        db::insert_audit_entry(&mut tx, by, &operator.name, &entry).await?;
        tell(&mut tx, &entry, &after).await?;
        tx.commit().await?;
        log_act(by, &entry);
        self.notifier.notify_causes();
        match after {
            AfterCommit::None => {}
            AfterCommit::Closed(player, ended) => self.end_sessions_and_match(player, ended).await,
            AfterCommit::Annulled(id) => {
                self.notifier.notify_match(id);
                self.notifier.notify_annulled(id);
            }
            AfterCommit::Removed(message) => self.notifier.notify_chat(message.channel),
        }
        Ok(())
    }

    /// The players with most points from few, young, or same-address accounts.
    pub async fn rings(&self, _: &Operator) -> Result<Vec<Ring>, Error> {
        db::rings::list(&self.db).await
    }

    /// The accounts that entered a tournament at one address, the latest first.
    pub async fn shared_addresses(&self, _: &Operator) -> Result<Vec<SharedAddress>, Error> {
        db::shared_addresses::list(&self.db).await
    }

    /// Annuls all rated matches of a player, but those that the operator has played. Both players of each get back what it gave or
    /// took, and are told. It goes on also if the operator does not wait for it, a batch of matches at a time; whatever ends it in
    /// between, the same request again does the rest.
    ///
    /// # Errors
    /// `yourself`, `no_such_player`, `message_too_long`.
    pub async fn annul_all(
        &self,
        operator: &Operator,
        player: PlayerId,
        why: Option<String>,
    ) -> Result<AnnulledGames, Error> {
        let why = MessageText::read_short(why.as_deref().unwrap_or_default())?;
        if player == operator.id {
            return Err(Code::OwnAccount.into());
        }
        if !db::exists(&self.db, player).await? {
            return Err(Code::NoSuchPlayer.into());
        }
        let (this, operator) = (self.clone(), operator.clone());
        run_detached(async move { this.annul_batches(&operator, player, why.as_str()).await }).await
    }

    async fn annul_batches(
        &self,
        operator: &Account,
        player: PlayerId,
        why: &str,
    ) -> Result<AnnulledGames, Error> {
        let mut annulled = 0;
        loop {
            let mut tx = crate::db::begin(&self.db).await?;
            let ids = db::annulments::annul_next_of(&mut tx, player, operator.id).await?;
            if ids.is_empty() {
                break;
            }
            let entry = db::NewAuditEntry {
                player: Some(player),
                why,
                ..db::NewAuditEntry::new(ModerationAction::AllAnnulled)
            };
            // Together with the first of its effects.
            if annulled == 0 {
                let by = Some(operator.id);
                db::insert_audit_entry(&mut tx, by, &operator.name, &entry).await?;
            }
            insert_annulments(&mut tx, &ids).await?;
            tx.commit().await?;
            self.notifier.notify_causes();
            if annulled == 0 {
                log_act(Some(operator.id), &entry);
            }
            annulled += u32::try_from(ids.len()).unwrap_or(u32::MAX);
            for id in ids {
                self.notifier.notify_match(id);
                self.notifier.notify_annulled(id);
            }
        }
        let own = db::annulments::count_own(&self.db, player, operator.id).await?;
        Ok(AnnulledGames { annulled, own })
    }

    /// Ends the sessions and the match of a closed account. A failure has no lasting effect: every instance polls for ended
    /// sessions, and a player without a stream loses as absent.
    async fn end_sessions_and_match(&self, player: PlayerId, ended: db::ClosedAccount) {
        for &session in &ended.sessions {
            self.sessions.end(bus::topic::Credential::Session(session));
        }
        self.sessions.poll_soon();
        let Some(id) = ended.playing else { return };
        let resigned = async {
            let live = self.matches.get(id).await?;
            let seat = live.seat_of(player).ok_or(Code::NotAPlayer)?;
            live.command(Command::Leave { seat }).await
        };
        resigned
            .await
            .with_subject(id)
            .log_failure("resigning for a closed account");
    }
}

/// Inserts what the players concerned are told of an action. Of a report that was dismissed nobody is told, and the owner of a closed
/// account sees that when signing in.
async fn tell(
    tx: &mut Tx,
    entry: &db::NewAuditEntry<'_>,
    after: &AfterCommit,
) -> Result<(), Error> {
    if let AfterCommit::Annulled(id) = after {
        return insert_annulments(tx, &[*id]).await;
    }
    let is_told = matches!(
        entry.act,
        ModerationAction::MutedHour
            | ModerationAction::MutedDay
            | ModerationAction::MutedEver
            | ModerationAction::Unmuted
            | ModerationAction::MessageRemoved
            | ModerationAction::Opened
    );
    let Some(player) = entry.player.filter(|_| is_told) else {
        return Ok(());
    };
    let cause = Cause {
        player,
        kind: Some(NotificationKind::Operator),
        match_id: None,
        other: None,
        act: Some(entry.act),
    };
    insert_causes(tx, &[cause]).await
}

/// Does what the entry of the audit log says, and completes the entry.
async fn carry_out(
    tx: &mut Tx,
    operator: PlayerId,
    entry: &mut db::NewAuditEntry<'_>,
) -> Result<AfterCommit, Error> {
    let target = || entry.player.ok_or(Code::NoSuchPlayer);
    let exists = match entry.act {
        ModerationAction::Dismissed => true,
        ModerationAction::MutedHour => {
            db::mute(tx, target()?, Some(limits::MUTE_SHORT)).await?
        }
        ModerationAction::MutedDay => {
            db::mute(tx, target()?, Some(limits::MUTE_LONG)).await?
        }
        ModerationAction::MutedEver => db::mute(tx, target()?, None).await?,
        ModerationAction::Unmuted => db::mute(tx, target()?, Some(Duration::ZERO)).await?,
        ModerationAction::Opened => db::reopen_account(tx, target()?).await?,
        ModerationAction::Closed => {
            let player = target()?;
            let ended = db::close_account(tx, player).await?;
            return Ok(AfterCommit::Closed(
                player,
                ended.ok_or(Code::NoSuchPlayer)?,
            ));
        }
        ModerationAction::MessageRemoved => {
            let id = entry.message.ok_or(Code::NoSuchMessage)?;
            let removed = db::remove_message(tx, id).await?;
            let removed = removed.ok_or(Code::NoSuchMessage)?;
            entry.player = Some(removed.author);
            return Ok(AfterCommit::Removed(removed));
        }
        ModerationAction::Annulled => {
            let id = entry.match_id.ok_or(Code::NoSuchMatch)?;
            db::annulments::annul(tx, id, operator).await?;
            return Ok(AfterCommit::Annulled(id));
        }
        // Several transactions: see `Operators::annul_all`.
        ModerationAction::AllAnnulled
        // These are done on the command line alone, the last two by earlier releases alone.
        | ModerationAction::OperatorAdded
        | ModerationAction::OperatorRemoved
        | ModerationAction::Established
        | ModerationAction::EstablishedRevoked => return Err(Code::NotFound.into()),
    };
    if exists {
        Ok(AfterCommit::None)
    } else {
        Err(Code::NoSuchPlayer.into())
    }
}
