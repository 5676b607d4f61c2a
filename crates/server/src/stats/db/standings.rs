//! Standings: the players of a game by rating, read from one index.

use crate::Error;
use crate::db::Db;
use crate::db::rows::{card, results};
use crate::db::terms::rating_kind;
use tochki_play::Pace;
use tochki_protocol::{PlayerId, StandingsEntry};
use tochki_rules::GameKind;

/// A page of the people, or the bots, who are ranked ([`crate::matches::db::ranking`]), the best first.
///
/// Skipped rows are read only in the index.
pub async fn page(
    db: &Db,
    game: GameKind,
    pace: Pace,
    bots: bool,
    skip: i64,
    limit: u32,
) -> Result<Vec<StandingsEntry>, Error> {
    let rows = sqlx::query!(
        "select p.id, p.name, p.guest, p.bot, page.rating, page.games,
             t.won1 + t.won2 as won, t.drawn1 + t.drawn2 as drawn, t.lost1 + t.lost2 as lost
         from (select player_id, rating, games from ratings where game = $1 and bot = $4 and listed and ranked
               order by rating desc, player_id offset $2 limit $3) page
         join players p on p.id = page.player_id
         left join tallies t on t.player_id = page.player_id and t.game = rated_game($1)
         order by page.rating desc, page.player_id",
        rating_kind(game, pace),
        skip,
        i64::from(limit),
        bots
    )
    .fetch_all(db)
    .await?;
    let first = u32::try_from(skip).unwrap_or(u32::MAX).saturating_add(1);
    let entries = (first..).zip(rows).map(|(place, row)| StandingsEntry {
        place,
        player: card(row.id, row.name, row.rating, row.guest, false, row.bot),
        games: row.games.cast_unsigned(),
        results: results(row.won, row.drawn, row.lost),
    });
    Ok(entries.collect())
}

/// The people with the best ratings among those who have played rated matches and are not ranked yet. Their places begin with
/// `first`.
pub async fn provisional(
    db: &Db,
    game: GameKind,
    pace: Pace,
    first: u32,
    limit: u32,
) -> Result<Vec<StandingsEntry>, Error> {
    let rows = sqlx::query!(
        "select p.id, p.name, p.guest, p.bot, best.rating, best.games,
             t.won1 + t.won2 as won, t.drawn1 + t.drawn2 as drawn, t.lost1 + t.lost2 as lost
         from (select player_id, rating, games from ratings
               where game = $1 and not bot and listed and not ranked and games > 0
               order by rating desc, player_id limit $2) best
         join players p on p.id = best.player_id
         left join tallies t on t.player_id = best.player_id and t.game = rated_game($1)
         order by best.rating desc, best.player_id",
        rating_kind(game, pace),
        i64::from(limit)
    )
    .fetch_all(db)
    .await?;
    let entries = (first..).zip(rows).map(|(place, row)| StandingsEntry {
        place,
        player: card(row.id, row.name, row.rating, row.guest, true, row.bot),
        games: row.games.cast_unsigned(),
        results: results(row.won, row.drawn, row.lost),
    });
    Ok(entries.collect())
}

/// The number of people, or of bots, in the standings.
pub async fn count(db: &Db, game: GameKind, pace: Pace, bots: bool) -> Result<u32, Error> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from ratings where game = $1 and bot = $2 and listed and ranked"#,
        rating_kind(game, pace),
        bots
    )
    .fetch_one(db)
    .await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// The entry of this player, if they are in the standings of people, or of bots.
pub async fn entry(
    db: &Db,
    game: GameKind,
    pace: Pace,
    bots: bool,
    player: PlayerId,
) -> Result<Option<StandingsEntry>, Error> {
    let row = sqlx::query!(
        r#"select p.name, p.guest, p.bot, mine.rating, mine.games,
                  t.won1 + t.won2 as won, t.drawn1 + t.drawn2 as drawn, t.lost1 + t.lost2 as lost,
                  (select count(*) + 1 from ratings above
                   where above.game = $1 and above.bot = mine.bot and above.listed and above.ranked and above.rating >= mine.rating
                       and (above.rating > mine.rating or above.player_id < mine.player_id)) as "place!"
           from ratings mine join players p on p.id = mine.player_id
           left join tallies t on t.player_id = mine.player_id and t.game = rated_game(mine.game)
           where mine.player_id = $2 and mine.game = $1 and mine.bot = $3 and mine.listed and mine.ranked"#,
        rating_kind(game, pace),
        player.0,
        bots
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| StandingsEntry {
        place: u32::try_from(row.place).unwrap_or(u32::MAX),
        player: card(player.0, row.name, row.rating, row.guest, false, row.bot),
        games: row.games.cast_unsigned(),
        results: results(row.won, row.drawn, row.lost),
    }))
}
