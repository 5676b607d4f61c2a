//! Established players by name: `tochki operator establish`, on the machine of the server. How matches establish a player is in
//! `crate::db::matches`.

use super::act_log::log_act;
use super::appointment::COMMAND_LINE;
use crate::Error;
use crate::db::{self, Db, operator as moderation};
use crate::names::NameKey;
use tochki_protocol::{Code, ModerationAction};
use tochki_rules::GameKind;

/// Makes a player established in these games, or, with `revoked`, established no longer. Returns the name, and the games in
/// which that has changed something.
///
/// # Errors
/// `no_such_player`: there is no open account of this name. A guest has none.
pub async fn establish(
    db: &Db,
    name: &str,
    games: &[GameKind],
    revoked: bool,
) -> Result<(String, Vec<GameKind>), Error> {
    let key = NameKey::of(name);
    let stored = db::accounts::by_name(db, key.as_str()).await?;
    let account = stored
        .map(|stored| stored.account)
        .filter(|account| !account.guest)
        .ok_or(Code::NoSuchPlayer)?;
    let mut tx = crate::db::begin(db).await?;
    let mut changed = Vec::new();
    for &game in games {
        if db::established::set(&mut tx, account.id, game, !revoked).await? {
            changed.push(game);
        }
    }
    if !changed.is_empty() {
        let ids: Vec<_> = changed.iter().map(|game| game.id()).collect();
        let why = ids.join(", ");
        let act = if revoked {
            ModerationAction::EstablishedRevoked
        } else {
            ModerationAction::Established
        };
        let entry = moderation::NewAuditEntry {
            player: Some(account.id),
            why: &why,
            ..moderation::NewAuditEntry::new(act)
        };
        moderation::insert_audit_entry(&mut tx, None, COMMAND_LINE, &entry).await?;
        tx.commit().await?;
        log_act(None, &entry);
    }
    Ok((account.name, changed))
}
