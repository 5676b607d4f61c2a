//! The start of a match: one place, whichever way two players came together.

use super::terms::StoredTerms;
use super::{Tx, tables};
use crate::Error;
use tochki_play::Terms;
use tochki_protocol::{MatchId, PlayerId};

/// Starts a match between two players, closes every other open challenge of both with `busy`, and lets them get up from
/// open tables; what they have opened is closed. A match of a guest is never rated, whatever the terms say.
///
/// A player who is in a running match already is refused by the constraint on `playing`. The caller holds the locks of
/// [`super::challenges::lock_players`], so that two starts with a common player come one after the other.
pub async fn start_match(
    tx: &mut Tx,
    seats: [PlayerId; 2],
    terms: &Terms,
) -> Result<MatchId, Error> {
    let stored = StoredTerms::of(terms)?;
    let id = sqlx::query_scalar!(
        "insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, deadline_at)
         values ($1, $2, $3, $4 and not exists (select from players where id in ($5, $6) and guest), $5, $6,
             coalesce((select rating from ratings where player_id = $5 and game = $1), 1600),
             coalesce((select rating from ratings where player_id = $6 and game = $1), 1600),
             now() + $7::bigint * interval '1 millisecond')
         returning id",
        stored.game,
        stored.setup,
        stored.clock,
        terms.rated,
        seats[0].0,
        seats[1].0,
        terms.clock.initial().map(|initial| initial.0)
    )
    .fetch_one(&mut **tx)
    .await?;
    let ids = seats.map(|player| player.0);
    sqlx::query!(
        "insert into playing (player_id, match_id) select unnest($1::bigint[]), $2",
        &ids,
        id
    )
    .execute(&mut **tx)
    .await?;
    // Until they come to the table.
    sqlx::query!(
        "insert into absences (match_id, player_id, since, awaited)
         select $2, player_id, now() + welcome(), true from unnest($1::bigint[]) as p (player_id)",
        &ids,
        id
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update challenges set closed_at = now(), closed_why = 'busy'
         where closed_at is null and (from_id = any($1) or to_id = any($1))",
        &ids
    )
    .execute(&mut **tx)
    .await?;
    tables::leave_seats(tx, &ids).await?;
    tables::close_all_of(tx, &ids, None).await?;
    Ok(MatchId(id))
}
