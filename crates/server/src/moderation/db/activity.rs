//! Present players and running matches, for operators.

use crate::Error;
use crate::db::Db;
use crate::db::rows;
use crate::db::rows::{account, cards, parse_stored, parse_stored_game};
use crate::presence::place::Place;
use tochki_play::Timestamp;
use tochki_protocol::limits;
use tochki_protocol::{MatchId, PresentPlayer, RunningMatch};

/// Number of people, and of matches, on a page.
const PAGE_LEN: i64 = limits::ACTIVITY_PAGE_LEN as i64;

/// A page of the players who have a stream open, the latest first, and whether there are more pages. House bots are
/// not listed: they always wait, and their matches are listed anyway.
pub async fn people(db: &Db, page: u32) -> Result<(Vec<PresentPlayer>, bool), Error> {
    let rows = sqlx::query!(
        r#"select p.id, p.name, p.guest, p.bot, here.place, ms(here.since) as "since!"
           from (select player_id, place, min(since) as since from presence
                 where is_alive(beat_at, gone_at)
                     and not exists (select from house_bots b where b.player_id = presence.player_id)
                 group by player_id, place
                 order by 3 desc, player_id, place offset $1 limit $2) here
           join players p on p.id = here.player_id
           order by here.since desc, p.id, here.place"#,
        i64::from(page) * PAGE_LEN,
        PAGE_LEN + 1
    )
    .fetch_all(db)
    .await?;
    Ok(rows::page(rows, PAGE_LEN, |row| {
        Ok(PresentPlayer {
            player: account(row.id, row.name, row.guest, row.bot),
            place: parse_stored(&row.place, Place::read(&row.place))?.location(),
            since: Timestamp(row.since),
        })
    }))
}

/// The number of players who have a stream open, without the house bots.
pub async fn people_count(db: &Db) -> Result<u32, Error> {
    let count = sqlx::query_scalar!(
        r#"select count(distinct player_id) as "count!" from presence
           where is_alive(beat_at, gone_at)
               and not exists (select from house_bots b where b.player_id = presence.player_id)"#
    )
    .fetch_one(db)
    .await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A page of the running matches, the oldest first, and whether there are more pages.
pub async fn matches(db: &Db, page: u32) -> Result<(Vec<RunningMatch>, bool), Error> {
    let rows = sqlx::query!(
        r#"select m.id, m.game, m.rated, m.rating1, m.rating2, m.provisional1, m.provisional2, m.score1, m.score2, ms(m.started_at) as "started_at!",
                  a.id as id1, a.name as name1, a.guest as guest1, a.bot as bot1, b.id as id2, b.name as name2, b.guest as guest2, b.bot as bot2,
                  (select coalesce(sum(case e.kind when 'moved' then 1
                                            when 'taken_back' then -(e.body::jsonb ->> 'count')::bigint else 0 end), 0)
                   from match_events e where e.match_id = m.id)::bigint as "moves!",
                  (select ms(since) from reported_absences where match_id = m.id and player_id = m.seat1) as gone1,
                  (select ms(since) from reported_absences where match_id = m.id and player_id = m.seat2) as gone2
           from (select * from matches where finished_at is null order by started_at, id offset $1 limit $2) m
           join players a on a.id = m.seat1 join players b on b.id = m.seat2
           order by m.started_at, m.id"#,
        i64::from(page) * PAGE_LEN,
        PAGE_LEN + 1
    )
    .fetch_all(db)
    .await?;
    Ok(rows::page(rows, PAGE_LEN, |row| {
        Ok(RunningMatch {
            id: MatchId(row.id),
            game: parse_stored_game(&row.game)?,
            rated: row.rated,
            players: cards!(row),
            score: [row.score1.cast_unsigned(), row.score2.cast_unsigned()],
            moves: u32::try_from(row.moves).unwrap_or(0),
            started_at: Timestamp(row.started_at),
            gone_at: [row.gone1, row.gone2].map(|gone_at| gone_at.map(Timestamp)),
        })
    }))
}

/// The number of running matches.
pub async fn match_count(db: &Db) -> Result<u32, Error> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from matches where finished_at is null"#
    )
    .fetch_one(db)
    .await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}
