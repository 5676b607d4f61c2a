//! Time zones of players: rows of `time_zones`.

use crate::Error;
use crate::db::Tx;
use sqlx::PgExecutor;
use tochki_play::Timestamp;
use tochki_protocol::{PlayerId, limits};

/// The time zone of a player.
pub struct StoredZone {
    /// The IANA name.
    pub zone: String,
    /// The time from which on it may be changed; `None` if it may be now.
    pub changeable_at: Option<Timestamp>,
}

/// The time zone of a player, if it is known.
pub async fn read(
    executor: impl PgExecutor<'_>,
    player: PlayerId,
) -> Result<Option<StoredZone>, Error> {
    let row = sqlx::query!(
        r#"select zone, case when changed_at + $2::interval > now() then ms(changed_at + $2::interval) end as changeable_at
           from time_zones where player_id = $1"#,
        player.0,
        limits::TIME_ZONE_CHANGE_INTERVAL as _
    )
    .fetch_optional(executor)
    .await?;
    Ok(row.map(|row| StoredZone {
        zone: row.zone,
        changeable_at: row.changeable_at.map(Timestamp),
    }))
}

/// The name of the time zone of a player, if it is known.
pub async fn name(
    executor: impl PgExecutor<'_>,
    player: PlayerId,
) -> Result<Option<String>, Error> {
    Ok(
        sqlx::query_scalar!("select zone from time_zones where player_id = $1", player.0)
            .fetch_optional(executor)
            .await?,
    )
}

/// Stores the time zone of a locked player.
pub async fn write(tx: &mut Tx, player: PlayerId, zone: &str) -> Result<(), Error> {
    sqlx::query!(
        "insert into time_zones (player_id, zone) values ($1, $2)
         on conflict (player_id) do update set zone = $2, changed_at = now()",
        player.0,
        zone
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
