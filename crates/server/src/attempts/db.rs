//! Rate limits on attempts, as leaky buckets: each key fills with each attempt and drains with time.

use crate::Error;
use crate::db::{Db, Tx};
use std::time::Duration;

/// Counts an attempt, unless the bucket is full.
///
/// The bucket has room for `burst` attempts; one more each `period`. Returns `None`, or after how many seconds there is
/// room again.
pub async fn take(
    tx: &mut Tx,
    key: &[u8],
    burst: u32,
    period: Duration,
) -> Result<Option<u32>, Error> {
    let row = sqlx::query!(
        r#"with taken as (
               insert into attempts as a (key, empty_at) values ($1, now() + $2::interval)
               on conflict (key) do update set empty_at = greatest(a.empty_at, now()) + $2::interval
               where greatest(a.empty_at, now()) <= now() + $2::interval * ($3::float8 - 1)
               returning a.key)
           select exists (select from taken) as "taken!",
               (select ceil(extract(epoch from empty_at - now() - $2::interval * ($3::float8 - 1)))::int
                from attempts where key = $1) as seconds"#,
        key,
        period as _,
        f64::from(burst)
    )
    .fetch_one(&mut **tx)
    .await?;
    if row.taken {
        return Ok(None);
    }
    let seconds = row.seconds.and_then(|seconds| u32::try_from(seconds).ok());
    Ok(Some(seconds.unwrap_or_default().max(1)))
}

/// After how many seconds there is room for an attempt; `None` if there is.
pub async fn wait(db: &Db, key: &[u8], burst: u32, period: Duration) -> Result<Option<u32>, Error> {
    let seconds = sqlx::query_scalar!(
        r#"select ceil(extract(epoch from empty_at - now() - $2::interval * ($3::float8 - 1)))::int as "seconds!"
           from attempts where key = $1 and empty_at > now() + $2::interval * ($3::float8 - 1)"#,
        key,
        period as _,
        f64::from(burst)
    )
    .fetch_optional(db)
    .await?;
    Ok(seconds.map(|seconds| u32::try_from(seconds).unwrap_or_default().max(1)))
}

/// Takes an attempt back. A bucket that was deleted meanwhile is empty.
pub async fn refund(tx: &mut Tx, key: &[u8], period: Duration) -> Result<(), Error> {
    sqlx::query!(
        "update attempts set empty_at = empty_at - $2::interval where key = $1",
        key,
        period as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Deletes empty buckets.
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!("delete from attempts where empty_at < now()")
        .execute(db)
        .await?;
    Ok(())
}
