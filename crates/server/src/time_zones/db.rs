//! Time zones of players: rows of `time_zones`.

use crate::db::{Db, Tx};
use crate::{Error, night};
use sqlx::PgExecutor;
use tochki_play::{Millis, Terms, Timestamp};
use tochki_protocol::{ChallengeId, MatchId, PlayerId, TableId, limits};

/// The time zone of a player.
pub struct StoredZone {
    /// The IANA name.
    pub zone: String,
    /// The time from which on it may be changed; `None` if it may be now.
    pub changeable_at: Option<Timestamp>,
}

/// A game that a player agrees to.
#[derive(Clone, Copy)]
pub enum AgreedGame<'a> {
    /// One with these terms.
    New(&'a Terms),
    /// That of a challenge.
    Challenge(ChallengeId),
    /// That of an open table.
    Table(TableId),
    /// Another one like this match.
    Rematch(MatchId),
    /// An adjourned one, which goes on by correspondence unless a time was agreed on.
    Adjourned,
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

/// Stores a time zone that a player has chosen, unless it was changed within [`limits::TIME_ZONE_CHANGE_INTERVAL`]. Of two at once the
/// second finds the row of the first. Returns whether it is another one from now on.
pub async fn change(db: &Db, player: PlayerId, zone: &str) -> Result<bool, Error> {
    let changed = sqlx::query!(
        "insert into time_zones as t (player_id, zone) values ($1, $2)
         on conflict (player_id) do update set zone = excluded.zone, changed_at = now()
         where t.zone <> excluded.zone and t.changed_at + $3::interval <= now()",
        player.0,
        zone,
        limits::TIME_ZONE_CHANGE_INTERVAL as _
    )
    .execute(db)
    .await?;
    Ok(changed.rows_affected() > 0)
}

/// Stores the time zone of the browser of a player who agrees to a game by correspondence, if none is known.
pub async fn adopt(
    db: &Db,
    player: PlayerId,
    zone: &str,
    game: AgreedGame<'_>,
) -> Result<(), Error> {
    let (mut challenge, mut table, mut rematch) = (None, None, None);
    match game {
        AgreedGame::New(_) | AgreedGame::Adjourned => {}
        AgreedGame::Challenge(id) => challenge = Some(id.0),
        AgreedGame::Table(id) => table = Some(id.0),
        AgreedGame::Rematch(id) => rematch = Some(id.0),
    }
    sqlx::query!(
        "insert into time_zones (player_id, zone, changed_at)
         select $1, $2, now() - $3::interval
         where $4 or exists (select from challenges where id = $5 and correspondence)
             or exists (select from open_tables where id = $6 and correspondence)
             or exists (select from matches where id = $7 and correspondence)
         on conflict (player_id) do nothing",
        player.0,
        zone,
        limits::TIME_ZONE_CHANGE_INTERVAL as _,
        matches!(game, AgreedGame::New(_) | AgreedGame::Adjourned),
        challenge,
        table,
        rematch
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns by how much later a turn of this player ends that ends so long after the start of the transaction, because of their night.
pub async fn grace_after(tx: &mut Tx, player: PlayerId, time: Millis) -> Result<Millis, Error> {
    let row = sqlx::query!(
        r#"select zone, ms(now()) as "now!" from time_zones where player_id = $1"#,
        player.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row.map_or(Millis::ZERO, |row| {
        night::grace(Timestamp(row.now) + time, &row.zone)
    }))
}
