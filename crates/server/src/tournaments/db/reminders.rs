//! Reminders of tournaments: who has asked for them, and the causes of notifications that they are.

use crate::Error;
use crate::db::{Db, Tx};
use tochki_protocol::{NotificationKind, PlayerId, TournamentId, limits};

/// Writes that a player is to be reminded of a locked tournament.
pub async fn insert(tx: &mut Tx, id: TournamentId, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "insert into tournament_reminders (tournament_id, player_id) values ($1, $2) on conflict do nothing",
        id.0,
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Forgets that a player is to be reminded of a locked tournament, and takes back what the player was told. Returns whether something
/// was.
pub async fn delete(tx: &mut Tx, id: TournamentId, player: PlayerId) -> Result<bool, Error> {
    sqlx::query!(
        "delete from tournament_reminders where tournament_id = $1 and player_id = $2",
        id.0,
        player.0
    )
    .execute(&mut **tx)
    .await?;
    let told = sqlx::query!(
        "insert into notification_causes (player_id, subject)
         select $2::bigint, 'tournament_soon:' || id from tournaments where id = $1 and reminded_at is not null",
        id.0,
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(told.rows_affected() > 0)
}

/// Returns whether a player has asked to be reminded of a tournament.
pub async fn is_asked(db: &Db, id: TournamentId, player: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (
               select from tournament_reminders where tournament_id = $1 and player_id = $2) as "is!""#,
        id.0,
        player.0
    )
    .fetch_one(db)
    .await?)
}

/// Inserts causes for all who are to be reminded now, in the statement that writes that this is done: so whatever is killed when,
/// nobody is forgotten, and nobody is told twice. What another instance has locked is left out. Returns whether there was somebody.
pub async fn tell_due(db: &Db) -> Result<bool, Error> {
    const {
        assert!(
            limits::TOURNAMENT_REMINDERS_AT_ONCE == 20,
            "the number in the query"
        );
    };
    Ok(sqlx::query_scalar!(
        r#"with due as materialized (
               select id from tournaments
               where state = 'open' and reminded_at is null and starts_at > now() and starts_at <= now() + $1::interval
                   and created_at <= starts_at - $1::interval
               order by starts_at, id limit 20 for no key update skip locked
           ), done as (
               update tournaments t set reminded_at = now() from due d where t.id = d.id
           ), told as (
               insert into notification_causes (player_id, subject, kind)
               select p.player_id, 'tournament_soon:' || p.tournament_id, $2
               from (
                   select e.tournament_id, e.player_id
                   from tournament_entrants e join due d on d.id = e.tournament_id where e.state = 'here'
                   union
                   select r.tournament_id, r.player_id from tournament_reminders r join due d on d.id = r.tournament_id) p
               where not exists (select from house_bots b where b.player_id = p.player_id)
               order by p.tournament_id, p.player_id
               returning id
           )
           select exists (select from told) as "told!""#,
        limits::TOURNAMENT_REMINDED_BEFORE as _,
        NotificationKind::TournamentSoon.as_str()
    )
    .fetch_one(db)
    .await?)
}
