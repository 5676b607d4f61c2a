//! Appointment of operators, by `tochki operator` on the machine of the server.

use super::act_log::log_act;
use crate::db::Db;
use crate::moderation::db;
use crate::{Error, accounts};
use tochki_names::NameKey;
use tochki_protocol::{Account, Code, ModerationAction};

/// The operator in the audit log of an action on the command line. No player can have this name.
pub(super) const COMMAND_LINE: &str = "tochki operator";

/// Makes the owner of this account an operator. Returns the name, and whether they were none before.
///
/// # Errors
/// `no_such_player`: there is no open account of this name; a guest has none, and that of a bot will not do.
pub async fn appoint(db: &Db, name: &str) -> Result<(String, bool), Error> {
    change(db, name, ModerationAction::OperatorAdded).await
}

/// Takes the office from the owner of this account. Returns the name, and whether they were an operator before.
///
/// # Errors
/// `no_such_player`.
pub async fn dismiss(db: &Db, name: &str) -> Result<(String, bool), Error> {
    change(db, name, ModerationAction::OperatorRemoved).await
}

/// All operators, and since when, in the order of their names.
pub async fn operators(db: &Db) -> Result<Vec<db::Appointment>, Error> {
    db::operators(db).await
}

async fn change(db: &Db, name: &str, act: ModerationAction) -> Result<(String, bool), Error> {
    let key = NameKey::of(name);
    let stored = accounts::db::by_name(db, key.as_str()).await?;
    let account = stored
        .map(|stored| stored.account)
        .filter(|account| !account.guest && !account.bot)
        .ok_or(Code::NoSuchPlayer)?;
    let mut tx = crate::db::begin(db).await?;
    let changed = if act == ModerationAction::OperatorAdded {
        db::appoint(&mut tx, account.id).await?
    } else {
        db::dismiss(&mut tx, account.id).await?
    };
    if changed {
        let entry = db::NewAuditEntry {
            player: Some(account.id),
            ..db::NewAuditEntry::new(act)
        };
        db::insert_audit_entry(&mut tx, None, COMMAND_LINE, &entry).await?;
        tx.commit().await?;
        log_act(None, &entry);
    }
    Ok((account.name, changed))
}

/// Returns whether this is the account of an operator.
pub(super) async fn is_operator(db: &Db, account: &Account) -> Result<bool, Error> {
    accounts::db::is_operator(db, account.id).await
}
