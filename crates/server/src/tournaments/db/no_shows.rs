//! Players who stay away from games of a Swiss that they have not left: for a while they enter no other.

use crate::Error;
use crate::db::Tx;
use tochki_protocol::{PlayerId, TournamentId, limits};

/// Writes that an entrant has stayed away from a game. Each time the ban is twice as long.
pub async fn insert(tx: &mut Tx, id: TournamentId, number: i32) -> Result<(), Error> {
    sqlx::query!(
        "insert into no_shows as n (player_id, count, until)
         select player_id, 1, now() + $3::interval from tournament_entrants where tournament_id = $1 and number = $2
         on conflict (player_id) do update set count = n.count + 1,
             until = greatest(n.until, now() + least($4::interval, $3::interval * power(2, least(n.count, 16))))",
        id.0,
        number,
        limits::NO_SHOW_BAN as _,
        limits::NO_SHOW_BAN_MAX as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Returns whether a player may enter no Swiss now.
pub async fn is_banned(tx: &mut Tx, player: PlayerId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from no_shows where player_id = $1 and until > now()) as "is!""#,
        player.0
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Forgets what those have missed before who have played in a Swiss that is over, and have come to all their games. A ban that lasts
/// is not ended: it may be of another Swiss, for which the player has left this one.
pub async fn forgive(tx: &mut Tx, id: TournamentId) -> Result<(), Error> {
    sqlx::query!(
        "delete from no_shows where until <= now() and player_id in (
             select e.player_id from tournament_entrants e
             join tournament_pairings p on p.tournament_id = e.tournament_id and e.number in (p.first, p.second)
             where e.tournament_id = $1 and p.match_id is not null and p.counts
             group by e.player_id
             having bool_or(not p.forfeit)
                 and not bool_or(p.forfeit and e.number = case p.winner when 1 then p.second else p.first end))",
        id.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
