//! Subscriptions of a push service, and causes of pushes to it at an even rate.

use crate::Result;
use sqlx::PgConnection;
use std::time::Duration;
use std::{env, str::FromStr};
use tokio::time::{MissedTickBehavior, interval};

/// The public key and the secret of a browser: those of the example of RFC 8291.
const KEY: &str = "042571b2becdfde360551aaf1ed0f4cd366c11cebe555f89bcb7b186a53339173168ec\
     e2ebe018597bd30479b86e3c8f8eced577ca59187e9246990db682008b0e";
const SECRET: &str = "05305932a1c7eabe13b6cec9fda48882";

/// The parts of a second in which causes are inserted.
const PARTS: u32 = 10;

/// Subscribes a browser of each player in a running match by correspondence, to the push service at `SEEDED_HOST`.
pub(crate) async fn subscribe(db: &mut PgConnection) -> Result<()> {
    let host = env::var("SEEDED_HOST")?;
    sqlx::query(
        "insert into sessions (token_hash, player_id, expires_at)
         select sha256(('load' || id)::bytea), id, now() + interval '1 day' from players
         where id in (select seat1 from matches where finished_at is null and correspondence
             union select seat2 from matches where finished_at is null and correspondence)",
    )
    .execute(&mut *db)
    .await?;
    sqlx::query(
        "insert into push_subscriptions (session_id, player_id, endpoint, p256dh, auth, language)
         select id, player_id, 'https://' || $1 || '/' || player_id, decode($2, 'hex'), decode($3, 'hex'), 'en' from sessions",
    )
    .bind(host)
    .bind(KEY)
    .bind(SECRET)
    .execute(&mut *db)
    .await?;
    // What players were told before, and have read.
    sqlx::query(
        "insert into notifications (player_id, subject, kind, match_id, cause, created_at, read_at)
         select m.seat1, 'match:-' || m.id, 'game_over', m.id, -m.id, now() - interval '1 day', now() from matches m",
    )
    .execute(&mut *db)
    .await?;
    let last =
        "select setval(pg_get_serial_sequence('players', 'id'), (select max(id) from players))";
    crate::seed::run(db, last).await?;
    crate::seed::run(db, "analyze sessions, push_subscriptions, notifications").await
}

/// Lets `SEEDED_RATE` turns a second begin, as far as notifications are concerned, for `SEEDED_SECONDS`: in one match after the other.
pub(crate) async fn queue(db: &mut PgConnection) -> Result<()> {
    let (rate, seconds): (u32, u32) = (number("SEEDED_RATE")?, number("SEEDED_SECONDS")?);
    let mut ticks = interval(Duration::from_secs(1) / PARTS);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut last = 0;
    for _ in 0..seconds * PARTS {
        ticks.tick().await;
        let mut left = i64::from(rate / PARTS);
        while left > 0 {
            let ids: Vec<i64> = sqlx::query_scalar(
                "insert into notification_causes (player_id, subject, kind, match_id, other_id)
                 select case to_move when 1 then seat1 else seat2 end, 'match:' || id, 'your_turn', id,
                     case to_move when 1 then seat2 else seat1 end
                 from matches where id > $1 and finished_at is null and correspondence order by id limit $2
                 returning match_id",
            )
            .bind(last)
            .bind(left)
            .fetch_all(&mut *db)
            .await?;
            if ids.is_empty() && last == 0 {
                return Err("no match is running".into());
            }
            // After the last match comes the first again.
            last = ids.iter().copied().max().unwrap_or(0);
            left -= i64::try_from(ids.len())?;
        }
    }
    Ok(())
}

fn number<T: FromStr>(name: &str) -> Result<T>
where
    T::Err: std::error::Error + 'static,
{
    Ok(env::var(name)?.parse::<T>()?)
}
