//! Quick games: players who play the first opponent that wants the same.

use crate::Error;
use crate::db::terms::StoredTerms;
use crate::db::{Db, Tx};
use std::time::Duration;
use tochki_play::Terms;
use tochki_protocol::{PlayerId, RatingBounds, limits};
use tochki_rules::GameKind;

/// Stores that a locked player wants a quick game, in the place of another one. Asking once more for the same keeps its time. Returns
/// the game of the room that shows another one from now on, and that of a room where it was shown before.
pub async fn insert(
    tx: &mut Tx,
    player: PlayerId,
    address: &str,
    terms: &Terms,
    ratings: RatingBounds,
) -> Result<Vec<GameKind>, Error> {
    let stored = StoredTerms::of(terms)?;
    let before = sqlx::query!(
        "select game, setup, clock, rated, min_rating, max_rating from quick_games where player_id = $1",
        player.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    let is_same = before.as_ref().is_some_and(|before| {
        (&before.game, &before.setup, &before.clock, before.rated)
            == (&stored.game, &stored.setup, &stored.clock, terms.rated)
            && (before.min_rating, before.max_rating) == (ratings.min, ratings.max)
    });
    let kind = terms.setup.kind();
    let mut changed = Vec::new();
    if !is_same {
        changed.push(kind);
        let left: Option<GameKind> = before.and_then(|before| before.game.parse().ok());
        changed.extend(left.filter(|left| *left != kind));
    }
    sqlx::query!(
        "insert into quick_games as q (player_id, game, setup, clock, rated, address, min_rating, max_rating)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (player_id) do update set
             game = excluded.game, setup = excluded.setup, clock = excluded.clock, rated = excluded.rated,
             min_rating = excluded.min_rating, max_rating = excluded.max_rating,
             address = excluded.address, asked_at = excluded.asked_at,
             since = case when $9 then q.since else excluded.since end",
        player.0,
        stored.game,
        stored.setup,
        stored.clock,
        terms.rated,
        address,
        ratings.min,
        ratings.max,
        is_same
    )
    .execute(&mut **tx)
    .await?;
    Ok(changed)
}

/// Deletes the quick game of a locked player. Returns whether there was one.
pub async fn delete(tx: &mut Tx, player: PlayerId) -> Result<bool, Error> {
    let deleted = sqlx::query!("delete from quick_games where player_id = $1", player.0)
        .execute(&mut **tx)
        .await?;
    Ok(deleted.rows_affected() > 0)
}

/// The player who has waited longest in the room of those whom this player's quick game may be played with. Who asks has to be in
/// the room, too: otherwise nobody would be at the board.
pub async fn opponent(
    db: &Db,
    player: PlayerId,
    pause: Duration,
) -> Result<Option<PlayerId>, Error> {
    let opponent = sqlx::query_scalar!(
        "select o.player_id from quick_games q
         join quick_games o on o.game = q.game and o.setup = q.setup and o.clock = q.clock and o.rated = q.rated
             and o.player_id <> q.player_id and o.address <> q.address
         where q.player_id = $1
             and exists (
                 select from presence p
                 where p.player_id = o.player_id and p.place = 'lobby:' || o.game and is_alive(p.beat_at, p.gone_at))
             and exists (
                 select from presence p
                 where p.player_id = q.player_id and p.place = 'lobby:' || q.game and is_alive(p.beat_at, p.gone_at))
             and may_quick_pair(q.player_id, o.player_id, $2)
         order by o.since, o.player_id limit 1",
        player.0,
        pause as _
    )
    .fetch_optional(db)
    .await?;
    Ok(opponent.map(PlayerId))
}

/// Pairs of players in the rooms whose quick games may become a match, the longest waiting first. A player may be in several.
pub async fn pairs(db: &Db, pause: Duration) -> Result<Vec<[PlayerId; 2]>, Error> {
    let rows = sqlx::query!(
        "with here as (
             select q.player_id, q.game, q.setup, q.clock, q.rated, q.address, q.since from quick_games q
             where exists (
                 select from presence p
                 where p.player_id = q.player_id and p.place = 'lobby:' || q.game and is_alive(p.beat_at, p.gone_at))
             order by q.since limit $2
         )
         select a.player_id as one, b.player_id as other
         from here a join here b on a.game = b.game and a.setup = b.setup and a.clock = b.clock and a.rated = b.rated
             and a.player_id < b.player_id and a.address <> b.address
         where may_quick_pair(a.player_id, b.player_id, $1)
         order by least(a.since, b.since), greatest(a.since, b.since) limit $2",
        pause as _,
        limits::QUICK_GAMES_PER_SWEEP
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| [PlayerId(row.one), PlayerId(row.other)])
        .collect())
}

/// The terms that the quick games of two locked players have in common, if they still may become a match.
pub async fn lock_pair(
    tx: &mut Tx,
    players: [PlayerId; 2],
    pause: Duration,
) -> Result<Option<Terms>, Error> {
    let ids = players.map(|player| player.0);
    let row = sqlx::query!(
        "select game, setup, clock, rated from quick_games
         where player_id = $1 and may_quick_pair($1, $2, $3)",
        ids[0],
        ids[1],
        pause as _
    )
    .fetch_optional(&mut **tx)
    .await?;
    row.map(|row| StoredTerms::new(row.game, row.setup, row.clock).read(row.rated))
        .transpose()
}

/// Deletes the quick games of players who are not in the room of their game, and have not asked a moment ago.
pub async fn delete_left(db: &Db) -> Result<bool, Error> {
    let deleted = sqlx::query!(
        "delete from quick_games where player_id in (
             select player_id from quick_games q
             where q.asked_at < now() - $1::interval and heartbeat_is_fresh() and not exists (
                 select from presence p
                 where p.player_id = q.player_id and p.place = 'lobby:' || q.game and is_alive(p.beat_at, p.gone_at))
             order by q.player_id for update skip locked)",
        limits::LOBBY_PAGE_PRESENCE as _
    )
    .execute(db)
    .await?;
    Ok(deleted.rows_affected() > 0)
}
