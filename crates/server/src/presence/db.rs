//! Presence: one row for each player, place and instance, renewed by heartbeats.
//!
//! A row is alive while its heartbeat is younger than [`limits::PRESENCE_TIMEOUT`] and it is not marked as gone. A row that
//! is marked as gone stays alive for [`limits::RELOAD_GRACE`], so that a page reload is no absence.

use crate::db::rows::results;
use crate::db::terms::StoredTerms;
use crate::db::{Connection, Db, Tx};
use crate::{Error, LogFailure as _};
use sqlx::PgExecutor;
use std::time::Duration;
use tochki_play::{Rating, Timestamp};
use tochki_protocol::limits;
use tochki_protocol::{MatchId, PlayerId, QuickGame, RatingBounds, WaitingPlayer};

/// Totals of presence, of all instances.
#[derive(Debug)]
pub struct Observed {
    /// Number of rows.
    pub rows: i64,
    /// The age in seconds of the oldest heartbeat of a row that is not marked as gone.
    pub oldest_beat: f64,
}

/// Looks over all presence.
pub async fn observe(db: &Db) -> Result<Observed, Error> {
    let observed = sqlx::query_as!(
        Observed,
        r#"select count(*) as "rows!",
                  coalesce(extract(epoch from now() - min(beat_at) filter (where gone_at is null)), 0)::float8
                      as "oldest_beat!"
           from presence"#
    )
    .fetch_one(db)
    .await?;
    Ok(observed)
}

/// Writes that these players have streams at these places. Returns the players who are left out: those whose row another
/// transaction has locked, or who do not exist any more. So nobody waits for the lock of somebody else.
///
/// A stream means that scripts run, so the presence from loading the page without scripts is deleted.
pub async fn arrive(
    db: &mut Connection,
    instance: &str,
    players: &[i64],
    places: &[String],
) -> Result<Vec<PlayerId>, Error> {
    let left_out = sqlx::query_scalar!(
        r#"with open as materialized (
             select distinct player_id, place from unnest($2::bigint[], $3::text[]) as open (player_id, place)
         ), free as materialized (
             select id from players where id in (select player_id from open) order by id for key share skip locked
         ), loaded as (
             delete from presence p using open o
             where p.instance = 'page' and p.player_id = o.player_id and p.place = o.place
         ), here as (
             insert into presence (player_id, place, instance)
             select o.player_id, o.place, $1 from open o join free f on f.id = o.player_id
             order by o.place, o.player_id
             on conflict (place, player_id, instance) do update set beat_at = now(), gone_at = null
         )
         select distinct player_id as "id!" from open where player_id not in (select id from free)"#,
        instance,
        players,
        places
    )
    .fetch_all(db)
    .await?;
    Ok(left_out.into_iter().map(PlayerId).collect())
}

/// Writes heartbeats for all open streams of an instance. Returns those whose rows are not there any more, or are in use
/// by another transaction; their players have to arrive again, if their streams are still open.
pub async fn heartbeat(
    db: &Db,
    instance: &str,
    players: &[i64],
    places: &[String],
) -> Result<Vec<(i64, String)>, Error> {
    let missing = sqlx::query!(
        r#"with open as (
             select distinct player_id, place from unnest($2::bigint[], $3::text[]) as open (player_id, place)
         ), here as (
             select p.ctid from presence p join open using (player_id, place)
             where p.instance = $1 and p.gone_at is null for update of p skip locked
         ), written as (
             update presence p set beat_at = now() from here where p.ctid = here.ctid
             returning p.player_id, p.place
         )
         select player_id as "player_id!", place as "place!" from open
         except all select player_id, place from written"#,
        instance,
        players,
        places
    )
    .fetch_all(db)
    .await?;
    Ok(missing
        .into_iter()
        .map(|row| (row.player_id, row.place))
        .collect())
}

/// Fills `presence` after a crash of Postgres, which empties the table. The players of running matches who were not known to be
/// absent count as present for [`limits::PRESENCE_TIMEOUT`] more; within that time, players with a stream are written again.
pub async fn refill(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "with first as (
             insert into presence_kept default values on conflict do nothing returning kept
         )
         insert into presence (player_id, place, instance)
         select seat, 'match:' || m.id, 'crash'
         from matches m cross join unnest(array[m.seat1, m.seat2]) as seat
         where exists (select from first) and m.finished_at is null and not m.correspondence and not exists (
             select from absences a where a.match_id = m.id and a.player_id = seat)
         on conflict do nothing"
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Marks players as gone whose last stream at this place has ended.
pub async fn mark_gone(
    db: &mut Connection,
    instance: &str,
    players: &[i64],
    places: &[String],
) -> Result<(), Error> {
    sqlx::query!(
        "update presence set gone_at = now()
         where instance = $1 and gone_at is null and (player_id, place) in
         (select * from unnest($2::bigint[], $3::text[]))",
        instance,
        players,
        places
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Stores that a player has loaded a page without scripts, which counts as presence for `lasting`, at least
/// [`limits::PRESENCE_TIMEOUT`].
pub async fn page_load(
    db: &Db,
    player: PlayerId,
    place: &str,
    lasting: Duration,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into presence (player_id, place, instance, beat_at, gone_at)
         values ($1, $2, 'page', now() + $3::interval - $4::interval, now() + $3::interval)
         on conflict (place, player_id, instance) do update set beat_at = excluded.beat_at, gone_at = excluded.gone_at",
        player.0,
        place,
        lasting as _,
        limits::PRESENCE_TIMEOUT as _
    )
    .execute(db)
    .await?;
    end_absences(db, &[player.0], &[place.to_owned()]).await
}

/// Stores that a player who has never opened the match has read it, which counts for [`limits::STREAMLESS_PRESENCE`]. A read a
/// moment after a stored one is not stored. Returns whether the opponent may have been told of an absence, which is over now.
pub async fn note_streamless(db: &Db, id: MatchId, player: PlayerId) -> Result<bool, Error> {
    let was_away = sqlx::query_scalar!(
        r#"with waited as materialized (
               select match_id, player_id, since from absences
               where match_id = $1 and player_id = $2 and awaited and since < now() + arrival_timeout() - $3::interval
               for no key update skip locked
           ), extended as (
               update absences a set since = now() + arrival_timeout() from waited w
               where a.match_id = w.match_id and a.player_id = w.player_id
           )
           select since <= now() - $4::interval as "was_away!" from waited"#,
        id.0,
        player.0,
        limits::STREAMLESS_READ_INTERVAL as _,
        limits::ABSENCE_NOTICE_DELAY as _
    )
    .fetch_optional(db)
    .await?;
    Ok(was_away == Some(true))
}

/// Ends the absences of players who are back at these places. One whose match is locked ends with the next heartbeat, so
/// that no other waits for it.
pub async fn end_absences(
    db: impl PgExecutor<'_>,
    players: &[i64],
    places: &[String],
) -> Result<(), Error> {
    sqlx::query!(
        "with ended as (
             select a.match_id, a.player_id
             from absences a
             join matches m on m.id = a.match_id
             join unnest($1::bigint[], $2::text[]) as here (player_id, place)
                 on here.player_id = a.player_id and here.place = 'match:' || a.match_id
             where exists (
                 select from presence p where p.place = here.place and p.player_id = here.player_id
                     and is_alive(p.beat_at, p.gone_at))
             order by a.match_id, a.player_id
             for key share of m skip locked for update of a skip locked
         ), back as (
             delete from absences a using ended
             where a.match_id = ended.match_id and a.player_id = ended.player_id
             returning a.match_id, a.player_id, a.since
         )
         insert into time_away as t (match_id, player_id, ms)
         select distinct match_id, player_id, (extract(epoch from now() - since) * 1000)::bigint from back
         where since <= now() - $3::interval
         on conflict (match_id, player_id) do update set ms = t.ms + excluded.ms",
        players,
        places,
        limits::ABSENCE_NOTICE_DELAY as _
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The players in the waiting room of this game, and those who still sit at one of its last [`limits::MATCHES_LEFT_OPEN`] matches that
/// ended, with their ratings, results and quick games in this game, ascending by rating. Of the guests of one address (of IPv6: of one
/// site) all but the first [`limits::GUESTS_LISTED_BY_ADDRESS`] are unlisted.
///
/// The number of matches is a literal, because with a parameter Postgres expects a tenth of all matches.
pub async fn players_of_room(
    tx: &mut Tx,
    place: &str,
    game: &str,
) -> Result<Vec<WaitingPlayer>, Error> {
    const { assert!(limits::MATCHES_LEFT_OPEN == 100, "the number in the query") };
    let rows = sqlx::query!(
        r#"with waiting as (
               select distinct player_id from presence where place = $1 and is_alive(beat_at, gone_at)
           ), seated as (
               -- Neither a bot nor a client of the line protocol could answer there.
               select distinct here.player_id
               from (select id, seat1, seat2 from matches where game = $2 and finished_at is not null and winner is not null
                     order by finished_at desc limit 100) m
               join presence here on here.place = 'match:' || m.id and here.player_id in (m.seat1, m.seat2)
               where is_alive(here.beat_at, here.gone_at) and not (select p.bot from players p where p.id = here.player_id)
                   and here.player_id not in (select player_id from waiting)
                   and not exists (select from playing where playing.player_id = here.player_id)
                   and not exists (select from presence line where line.player_id = here.player_id and line.place = 'line:' || $2)
           ), here as (
               select player_id, false as sits from waiting union all select player_id, true from seated
           ), guests as (
               select g.id, row_number() over (partition by address_site(a.address) order by g.id) as nth
               from players g
               cross join lateral (
                   select address from addresses a where a.player_id = g.id order by a.seen_at desc limit 1) a
               where g.guest and g.id = any(array(select player_id from here))
           )
           select p.id, p.name, p.guest, p.bot, coalesce(r.rating, $3) as "rating!", is_provisional(p.guest, r.ranked) as "provisional!",
                  t.won1 + t.won2 as won, t.drawn1 + t.drawn2 as drawn, t.lost1 + t.lost2 as lost,
                  exists (select from guests where guests.id = p.id and guests.nth > $4) as "unlisted!", here.sits as "sits!",
                  q.setup as "quick_setup?", q.clock as "quick_clock?", q.rated as "quick_rated?", ms(q.since) as quick_since,
                  q.min_rating as "min_rating?", q.max_rating as "max_rating?"
           from here join players p on p.id = here.player_id left join ratings r on r.player_id = p.id and r.game = $2
           left join tallies t on t.player_id = p.id and t.game = $2
           left join quick_games q on q.player_id = p.id and q.game = $2
           -- By its key: of a join alone Postgres expects so many that it reads all players.
           where p.id = any(array(select player_id from here))
           order by 5, p.id"#,
        place,
        game,
        Rating::START.0,
        limits::GUESTS_LISTED_BY_ADDRESS
    )
    .fetch_all(&mut **tx)
    .await?;
    let players = rows.into_iter().map(|row| {
        let quick = (
            row.quick_setup,
            row.quick_clock,
            row.quick_rated,
            row.quick_since,
        );
        let quick_game = match quick {
            (Some(setup), Some(clock), Some(rated), Some(since)) => {
                // What a newer release has written is left out, and the player stays.
                let terms = StoredTerms::new(game.to_owned(), setup, clock).read(rated);
                let terms = terms.log_failure("reading a quick game");
                terms.map(|terms| QuickGame {
                    setup: terms.setup,
                    clock: terms.clock,
                    rated,
                    ratings: RatingBounds {
                        min: row.min_rating,
                        max: row.max_rating,
                    },
                    since: Timestamp(since),
                })
            }
            _ => None,
        };
        WaitingPlayer {
            id: PlayerId(row.id),
            name: row.name,
            rating: row.rating,
            guest: row.guest,
            provisional: row.provisional,
            bot: row.bot,
            results: results(row.won, row.drawn, row.lost),
            quick_game,
            unlisted: row.unlisted,
            just_finished: row.sits,
        }
    });
    Ok(players.collect())
}

/// The players at this place.
pub async fn ids_at(db: &Db, place: &str) -> Result<Vec<PlayerId>, Error> {
    let ids = sqlx::query_scalar!(
        "select distinct player_id from presence
         where place = $1 and is_alive(beat_at, gone_at)",
        place
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(PlayerId).collect())
}

/// The number of players who are somewhere, without this one and the house bots.
pub async fn count_others(db: &Db, player: Option<PlayerId>) -> Result<i64, Error> {
    Ok(sqlx::query_scalar!(
        r#"select count(distinct player_id) as "count!" from presence
           where is_alive(beat_at, gone_at) and player_id is distinct from $1
               and not exists (select from house_bots b where b.player_id = presence.player_id)"#,
        player.map(|player| player.0)
    )
    .fetch_one(db)
    .await?)
}

/// The number of players at these places, without the house bots.
pub async fn count_at(db: &Db, places: &[String]) -> Result<u32, Error> {
    let count = sqlx::query_scalar!(
        r#"select count(distinct player_id) as "count!" from presence
         where place = any($1) and is_alive(beat_at, gone_at)
             and not exists (select from house_bots b where b.player_id = presence.player_id)"#,
        places
    )
    .fetch_one(db)
    .await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Deletes rows that are no longer alive. Open challenges of players who have left a waiting room are closed with `left`.
/// For players who have left a running match an absence is inserted, from the time when they were last present. Returns
/// the places of what was deleted.
///
/// Those who are marked as gone are found by an index. Those whose instance has ended without marking them are found by
/// reading all rows, only where `also_silent`.
pub async fn delete_expired(db: &Db, also_silent: bool) -> Result<Vec<String>, Error> {
    let places = sqlx::query_scalar!(
        r#"with free as materialized (
               -- Who has left a match that is locked is looked at again later, so that nobody else waits for it.
               select 'match:' || m.id as place from matches m
               where m.id in (
                   select substr(place, 7)::bigint from presence
                   where place like 'match:%' and gone_at < now() and not is_alive(beat_at, gone_at)
                   union all
                   select substr(place, 7)::bigint from presence
                   where $1 and place like 'match:%' and not is_alive(beat_at, gone_at))
               order by m.id for key share skip locked
           ), gone as materialized (
               select ctid from presence
               where gone_at < now() and not is_alive(beat_at, gone_at) and heartbeat_is_fresh()
                   and (place not like 'match:%' or place in (select place from free))
               for update skip locked
           ), silent as materialized (
               select ctid from presence
               where $1 and not is_alive(beat_at, gone_at) and heartbeat_is_fresh()
                   and (place not like 'match:%' or place in (select place from free))
               for update skip locked
           ), dead as (
               delete from presence where ctid = any (array(select ctid from gone union select ctid from silent))
               returning player_id, place, coalesce(gone_at, beat_at) as there_until
           ), departed as (
               select player_id, place, max(there_until) as gone_at from dead
               where not exists (
                   select 1 from presence p
                   where p.player_id = dead.player_id and p.place = dead.place and is_alive(p.beat_at, p.gone_at))
               group by player_id, place
           ), absent as (
               insert into absences (match_id, player_id, since, awaited)
               select m.id, d.player_id, d.gone_at, false
               from departed d
               join matches m on m.id = case when d.place like 'match:%' then substr(d.place, 7)::bigint end
               where m.finished_at is null and not m.correspondence
               on conflict (match_id, player_id) do update set since = excluded.since, awaited = false
           ), orphaned as (
               -- A challenge that is being answered just now is left to its answer.
               select c.id from challenges c
               where c.closed_at is null and not c.correspondence and exists (
                   select 1 from departed d
                   where d.place = 'lobby:' || c.game and d.player_id in (c.from_id, c.to_id))
               order by c.id for update skip locked
           ), closed as (
               update challenges set closed_at = now(), closed_why = 'left' where id in (select id from orphaned)
           )
           select distinct place as "place!" from dead"#,
        also_silent
    )
    .fetch_all(db)
    .await?;
    Ok(places)
}

/// Returns whether a player is present at this place.
pub async fn is_present(tx: &mut Tx, player: PlayerId, place: &str) -> Result<bool, Error> {
    let there = sqlx::query_scalar!(
        r#"select exists (
               select 1 from presence
               where player_id = $1 and place = $2 and is_alive(beat_at, gone_at)) as "there!""#,
        player.0,
        place
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(there)
}

/// Returns whether a player can be challenged in the waiting room of this game: is there, or still sits at one of its matches that ended
/// lately, as [`players_of_room`] lists them.
pub async fn can_be_challenged(
    tx: &mut Tx,
    player: PlayerId,
    place: &str,
    game: &str,
) -> Result<bool, Error> {
    const { assert!(limits::MATCHES_LEFT_OPEN == 100, "the number in the query") };
    let there = sqlx::query_scalar!(
        r#"select exists (
               select 1 from presence
               where player_id = $1 and place = $2 and is_alive(beat_at, gone_at))
           or exists (
               select 1
               from (select id, seat1, seat2 from matches where game = $3 and finished_at is not null and winner is not null
                     order by finished_at desc limit 100) m
               join presence here on here.place = 'match:' || m.id
               join players p on p.id = $1
               where $1 in (m.seat1, m.seat2) and here.player_id = $1 and is_alive(here.beat_at, here.gone_at) and not p.bot
                   and not exists (select from presence line where line.player_id = $1 and line.place = 'line:' || $3)) as "there!""#,
        player.0,
        place,
        game
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(there)
}

/// Writes the number of spectators of each match at this instance. Returns the matches that are left out, because another
/// transaction has locked them or they do not exist.
pub async fn write_audience(
    db: &mut Connection,
    instance: &str,
    ids: &[i64],
    counts: &[i32],
) -> Result<Vec<MatchId>, Error> {
    let left_out = sqlx::query_scalar!(
        r#"with watched as materialized (
             select id, max(count) as count from unnest($2::bigint[], $3::int[]) as watched (id, count) group by id
         ), free as materialized (
             select id from matches where id in (select id from watched) order by id for key share skip locked
         ), written as (
             insert into audiences (match_id, instance, count)
             select w.id, $1, w.count from watched w join free f on f.id = w.id order by w.id
             on conflict (match_id, instance) do update set count = excluded.count, beat_at = now()
         )
         select id as "id!" from watched where id not in (select id from free)"#,
        instance,
        ids,
        counts
    )
    .fetch_all(db)
    .await?;
    Ok(left_out.into_iter().map(MatchId).collect())
}

/// Writes heartbeats for the spectators of these matches at this instance. Returns the matches that have no row; their
/// spectators have to be written again, if they are still there.
pub async fn audience_heartbeat(
    db: &Db,
    instance: &str,
    ids: &[i64],
) -> Result<Vec<MatchId>, Error> {
    let missing = sqlx::query_scalar!(
        r#"with written as (
             update audiences set beat_at = now() where instance = $1 and match_id = any($2) returning match_id
         )
         select id as "id!" from unnest($2::bigint[]) as open (id)
         except select match_id from written"#,
        instance,
        ids
    )
    .fetch_all(db)
    .await?;
    Ok(missing.into_iter().map(MatchId).collect())
}
