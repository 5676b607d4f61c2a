//! The accounts of the house bots, and the lease of the instance that runs them.

use crate::Error;
use crate::db::rows::account;
use crate::db::{Db, Tx};
use crate::names::db::NameRow;
use std::time::Duration;
use tochki_protocol::Account;
use tochki_rules::GameKind;

/// A house bot as it is stored.
pub(crate) struct StoredHouseBot {
    /// Its account.
    pub account: Account,
    /// Its game.
    pub game: String,
    /// Its level, 1 to 8.
    pub level: i16,
    /// Whether an operator has closed the account.
    pub closed: bool,
}

/// All house bots.
pub(crate) async fn all(db: &Db) -> Result<Vec<StoredHouseBot>, Error> {
    let rows = sqlx::query!(
        r#"select p.id, p.name, p.guest, p.bot, b.game, b.level, p.closed_at is not null as "closed!"
           from house_bots b join players p on p.id = b.player_id order by b.game, b.level"#
    )
    .fetch_all(db)
    .await?;
    let read = rows.into_iter().map(|row| StoredHouseBot {
        account: account(row.id, row.name, row.guest, row.bot),
        game: row.game,
        level: row.level,
        closed: row.closed,
    });
    Ok(read.collect())
}

/// Adds a house bot. `None` if its name is taken, or if another instance has added it.
pub(crate) async fn insert(
    tx: &mut Tx,
    name: &NameRow<'_>,
    game: GameKind,
    level: u8,
) -> Result<Option<Account>, Error> {
    let id = sqlx::query_scalar!(
        "insert into players (name, name_key, name_skeleton, bot)
         select $1, $2, $3, true where not exists (select from house_bots where game = $4 and level = $5)
         on conflict do nothing returning id",
        name.text,
        name.key,
        name.skeleton,
        game.id(),
        i16::from(level)
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(id) = id else {
        return Ok(None);
    };
    sqlx::query!(
        "insert into house_bots (player_id, game, level) values ($1, $2, $3)",
        id,
        game.id(),
        i16::from(level)
    )
    .execute(&mut **tx)
    .await?;
    Ok(Some(account(id, name.text.to_owned(), false, true)))
}

/// Takes or renews the lease. False while another holder has it.
pub(crate) async fn take_lease(db: &Db, holder: &str, lasting: Duration) -> Result<bool, Error> {
    let taken = sqlx::query!(
        "update house_bot_lease set holder = $1, held_until = now() + $2::interval
         where holder = $1 or holder is null or held_until < now()",
        holder,
        lasting as _
    )
    .execute(db)
    .await?;
    Ok(taken.rows_affected() > 0)
}

/// Releases the lease, so that another instance need not wait for its expiry.
pub(crate) async fn release_lease(db: &Db, holder: &str) -> Result<(), Error> {
    sqlx::query!(
        "update house_bot_lease set holder = null where holder = $1",
        holder
    )
    .execute(db)
    .await?;
    Ok(())
}
