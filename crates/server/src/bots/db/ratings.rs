//! The ratings of the house bots, and the matches that they are fitted to.

use crate::Error;
use crate::db::{Db, Tx};
use tochki_protocol::limits;
use tochki_rules::GameKind;

/// A finished match of a house bot with a person who has a rating.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BotMatch {
    /// The level of the bot.
    pub(crate) level: u8,
    /// The rating of the person at the start of the match.
    pub(crate) rating: f64,
    /// The score of the bot: 0, ½ or 1.
    pub(crate) score: f64,
}

/// Locks the fit of a game. False while it is not due, and while another instance does it.
pub(crate) async fn lock_due(tx: &mut Tx, game: GameKind) -> Result<bool, Error> {
    sqlx::query!(
        "insert into house_bot_ratings (game, level2) values ($1, $2) on conflict do nothing",
        game.id(),
        limits::HOUSE_BOT_LEVEL_2_RATING
    )
    .execute(&mut **tx)
    .await?;
    let due = sqlx::query_scalar!(
        "select game from house_bot_ratings f
         where f.game = $1
             and exists (select from house_bots b where b.game = f.game)
             and (f.fitted_at < now() - $2::interval or exists (
                 select from house_bots b where b.game = f.game and not exists (
                     select from ratings r where r.player_id = b.player_id and r.game = f.game and r.ranked)))
         for update skip locked",
        game.id(),
        limits::HOUSE_BOT_FIT_INTERVAL as _
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(due.is_some())
}

/// The latest matches of the house bots of a game with people whose rating was of enough matches, and is: at most
/// [`limits::HOUSE_BOT_FIT_MAX_MATCHES_OF_ONE`] of each person. Who was away, whose clock then runs out, has not lost because the bot
/// is strong.
pub(crate) async fn matches(tx: &mut Tx, game: GameKind) -> Result<Vec<BotMatch>, Error> {
    let rows = sqlx::query!(
        r#"select level, rating as "rating!", winner as "winner!", seat as "seat!"
           from (
               select b.level, m.winner, m.finished_at,
                      case when m.seat1 = b.player_id then m.rating2 else m.rating1 end as rating,
                      case when m.seat1 = b.player_id then 1::smallint else 2::smallint end as seat,
                      row_number() over (partition by p.id order by m.finished_at desc, m.id desc) as nth
               from house_bots b
               join matches m on m.seat1 = b.player_id or m.seat2 = b.player_id
               join players p on p.id = case when m.seat1 = b.player_id then m.seat2 else m.seat1 end
               join ratings r on r.player_id = p.id and r.game = m.game
               where b.game = $1 and m.game = $1 and m.winner is not null and m.reason not in ('absence', 'time')
                   and not p.guest and not p.bot and r.ranked
                   and not case when m.seat1 = b.player_id then m.provisional2 else m.provisional1 end) played
           where nth <= $3
           order by finished_at desc limit $2"#,
        game.id(),
        limits::HOUSE_BOT_FIT_MAX_MATCHES,
        limits::HOUSE_BOT_FIT_MAX_MATCHES_OF_ONE
    )
    .fetch_all(&mut **tx)
    .await?;
    let played = rows.into_iter().map(|row| BotMatch {
        level: row.level.unsigned_abs() as u8,
        rating: row.rating,
        score: match row.winner {
            0 => 0.5,
            winner if winner == row.seat => 1.0,
            _ => 0.0,
        },
    });
    Ok(played.collect())
}

/// Sets the rating of the house bot of a level, which is shown without a question mark.
pub(crate) async fn set(db: &Db, game: GameKind, level: u8, rating: f64) -> Result<(), Error> {
    sqlx::query!(
        "insert into ratings (player_id, game, rating, ranked)
         select player_id, game, $3, true from house_bots where game = $1 and level = $2
         on conflict (player_id, game) do update set rating = excluded.rating, ranked = true",
        game.id(),
        i16::from(level),
        rating
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Stores when a game was fitted, and to how many matches.
pub(crate) async fn note_fitted(
    tx: &mut Tx,
    game: GameKind,
    level_2: f64,
    matches: usize,
) -> Result<(), Error> {
    sqlx::query!(
        "update house_bot_ratings set level2 = $2, games = $3, fitted_at = now() where game = $1",
        game.id(),
        level_2,
        i32::try_from(matches).unwrap_or(i32::MAX)
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
