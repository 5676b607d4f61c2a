//! The lock of whoever counts open tables, or the games that began at them.

use crate::Error;
use crate::db::Tx;

/// The key of the advisory lock. The release before takes it, too, so it stays. The other key that is a plain number is that of
/// [`super::count_running`].
const OPEN_TABLES_LOCK: i64 = 8;

/// Makes the next transaction that counts wait until this one ends, so that no limit can be exceeded.
pub async fn lock(tx: &mut Tx) -> Result<(), Error> {
    sqlx::query!("select pg_advisory_xact_lock($1)", OPEN_TABLES_LOCK)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
