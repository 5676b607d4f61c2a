//! The pairings of a tournament, and those who wait for one in an arena.

use crate::Error;
use crate::db::rows::{account, parse_stored};
use crate::db::{Db, Tx};
use sqlx::types::Json;
use std::collections::HashSet;
use tochki_play::{Rating, Timestamp};
use tochki_protocol::{
    ByeKind, MatchId, PlayerId, PlayersPaired, TournamentBye, TournamentFormat, TournamentId,
    TournamentMeeting, TournamentPairing, TournamentResult, TournamentScore, limits,
};
use tochki_tournaments::arena::Sheet;

/// The entrants who wait, and the number of active ones.
pub struct Line {
    /// Since when each of those who may be paired waits.
    pub waits_from: Vec<Timestamp>,
    /// The number of players who wait, are about to, or play in this tournament.
    pub active: usize,
}

/// Reads who may be paired now. Who plays elsewhere, is on vacation, has closed the account, or has not been seen since entering, is
/// not.
pub async fn line(db: &Db, id: TournamentId) -> Result<Line, Error> {
    let rows = sqlx::query!(
        r#"select ms(e.waits_from) as "waits_from!", e.waits_from <= now() as "due!",
                  is_free_entrant(e.player_id)
                      and (e.here_round > 0 or e.sheet is not null or is_anywhere(e.player_id)) as "free!",
                  e.number in (
                      select unnest(array[p.first, p.second]) from tournament_pairings p
                      where p.tournament_id = $1 and p.finished_at is null) as "plays!"
           from tournament_entrants e where e.tournament_id = $1 and e.state = 'here'"#,
        id.0
    )
    .fetch_all(db)
    .await?;
    Ok(Line {
        active: rows.iter().filter(|row| row.free || row.plays).count(),
        waits_from: rows
            .into_iter()
            .filter(|row| row.free && row.due)
            .map(|row| Timestamp(row.waits_from))
            .collect(),
    })
}

/// An entrant, with what pairing depends on.
pub struct StoredEntrant {
    /// The place in the order of joining.
    pub number: i32,
    /// The player.
    pub player: PlayerId,
    /// The rating, rounded.
    pub rating: i32,
    /// The score.
    pub sheet: Sheet,
    /// Since when the entrant waits.
    pub waits_from: Timestamp,
    /// Whether the entrant takes part, and may be paired.
    pub is_waiting: bool,
    /// The address at which they entered, while it is kept.
    pub address: Option<String>,
}

/// All entrants, in the order of joining.
pub async fn entrants(db: &Db, id: TournamentId) -> Result<Vec<StoredEntrant>, Error> {
    let rows = sqlx::query!(
        r#"select e.number, e.player_id, round(coalesce(r.rating, $2))::int as "rating!", e.sheet as "sheet: Json<Sheet>", e.address,
                  ms(e.waits_from) as "waits_from!",
                  e.state = 'here' and is_free_entrant(e.player_id)
                      and (e.here_round > 0 or e.sheet is not null or is_anywhere(e.player_id)) as "is_waiting!"
           from tournament_entrants e join tournaments t on t.id = e.tournament_id
           left join ratings r on r.player_id = e.player_id and r.game = t.game
           where e.tournament_id = $1 order by e.number"#,
        id.0,
        Rating::START.0
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| StoredEntrant {
            number: row.number,
            player: PlayerId(row.player_id),
            rating: row.rating,
            sheet: row.sheet.map(|sheet| sheet.0).unwrap_or_default(),
            waits_from: Timestamp(row.waits_from),
            is_waiting: row.is_waiting,
            address: row.address,
        })
        .collect())
}

/// A pairing that was made: the places in the order of joining.
pub struct PairedBefore {
    /// The player with the first move.
    pub first: i32,
    /// The other player.
    pub second: i32,
}

/// The pairings of two of these entrants, from the first to the last.
pub async fn of_entrants(
    db: &Db,
    id: TournamentId,
    numbers: &[i32],
) -> Result<Vec<PairedBefore>, Error> {
    let rows = sqlx::query_as!(
        PairedBefore,
        r#"select first, second as "second!" from tournament_pairings
           where tournament_id = $1 and second is not null and (first = any($2) or second = any($2)) order by id"#,
        id.0,
        numbers
    )
    .fetch_all(db)
    .await?;
    Ok(rows)
}

/// The number of the next wave.
pub async fn next_round(db: &Db, id: TournamentId) -> Result<i32, Error> {
    Ok(sqlx::query_scalar!(
        r#"select coalesce(max(round) + 1, 1) as "round!" from (
               select round from tournament_pairings where tournament_id = $1 order by id desc limit 1) last"#,
        id.0
    )
    .fetch_one(db)
    .await?)
}

/// Locks the players of these entrants in the order of their ids, and returns the numbers of those who still may be paired.
pub async fn lock_free(
    tx: &mut Tx,
    id: TournamentId,
    numbers: &[i32],
) -> Result<HashSet<i32>, Error> {
    // As `pairing::db::players::lock_players`, for more than two.
    sqlx::query!(
        "select id from players where id in (
             select player_id from tournament_entrants where tournament_id = $1 and number = any($2))
         order by id for no key update",
        id.0,
        numbers
    )
    .fetch_all(&mut **tx)
    .await?;
    let free = sqlx::query_scalar!(
        "select number from tournament_entrants
         where tournament_id = $1 and number = any($2) and state = 'here' and waits_from <= now() and is_free_entrant(player_id)
             and (here_round > 0 or sheet is not null or is_anywhere(player_id))",
        id.0,
        numbers
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(free.into_iter().collect())
}

/// The facts that decide in a rated tournament whether a match is.
#[derive(Clone, Copy)]
pub struct RatingBounds {
    /// Whether people and bots take part: then none is.
    pub is_mixed: bool,
    /// Whether arranging games would be easy: then two are rated [`limits::RATED_MATCHES_PER_PAIR`] times a day at most, and not at
    /// all if they share an address.
    pub is_bounded: bool,
}

/// Reads who takes part. Those who were removed, or only stayed away, have not played.
pub async fn rating_bounds(tx: &mut Tx, id: TournamentId) -> Result<RatingBounds, Error> {
    Ok(sqlx::query_as!(
        RatingBounds,
        r#"select (select count(distinct p.bot) > 1 from tournament_entrants e join players p on p.id = e.player_id
                   where e.tournament_id = t.id and e.state <> 'left') as "is_mixed!",
                  not t.by_operator and (t.password_hash is not null
                      or (select count(*) < $2 from tournament_entrants e
                          where e.tournament_id = t.id and e.state <> 'removed'
                              and (e.sheet->'performance'->>'games')::bigint > 0)) as "is_bounded!"
           from tournaments t where t.id = $1"#,
        id.0,
        limits::TOURNAMENT_UNBOUNDED_PLAYERS
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Returns whether a match of two locked entrants is rated in a rated tournament.
pub async fn can_be_rated(
    tx: &mut Tx,
    bounds: RatingBounds,
    [one, other]: [PlayerId; 2],
) -> Result<bool, Error> {
    if bounds.is_mixed {
        return Ok(false);
    }
    Ok(sqlx::query_scalar!(
        r#"select may_be_rated($1, $2) and (not $3 or not are_rated_out($1, $2) and not exists (
               select from addresses a join addresses b on b.address = a.address
               where a.player_id = $1 and b.player_id = $2)) as "can!""#,
        one.0,
        other.0,
        bounds.is_bounded
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Returns whether a match of two entrants of a locked arena counts for nothing: both entered at one address, and enough players who
/// entered at others have played, whom each could meet instead. In a school all may come from one address: then all counts.
pub async fn is_uncounted(
    tx: &mut Tx,
    id: TournamentId,
    [one, other]: [i32; 2],
) -> Result<bool, Error> {
    let is_uncounted = sqlx::query_scalar!(
        r#"select case when a.address = b.address then (
               select count(*) >= $4 from tournament_entrants e
               where e.tournament_id = $1 and e.state <> 'removed' and e.address <> a.address
                   and (e.sheet->'performance'->>'games')::bigint > 0) else false end as "is!"
           from tournament_entrants a join tournament_entrants b on b.tournament_id = a.tournament_id
           where a.tournament_id = $1 and a.number = $2 and b.number = $3"#,
        id.0,
        one,
        other,
        limits::TOURNAMENT_OTHERS_TO_MEET
    );
    Ok(is_uncounted.fetch_one(&mut **tx).await?)
}

/// Lets entrants of a locked tournament who play elsewhere wait so many milliseconds from now on: nobody chooses the moment of the
/// next pairing by another game.
pub async fn delay_busy(tx: &mut Tx, id: TournamentId, delay: i64) -> Result<(), Error> {
    sqlx::query!(
        "update tournament_entrants e set waits_from = now() + $2::bigint * interval '1 millisecond'
         where e.tournament_id = $1 and e.state = 'here' and exists (
             select from playing y join matches m on m.id = y.match_id
             where y.player_id = e.player_id and m.tournament_id is distinct from $1)",
        id.0,
        delay
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Closes the pairings of a locked tournament whose matches were ended by an instance of a release that knows no tournaments: they do
/// not count.
pub async fn close_ended(tx: &mut Tx, id: TournamentId) -> Result<(), Error> {
    sqlx::query!(
        "update tournament_pairings p set finished_at = m.finished_at, counts = false, winner = coalesce(m.winner, 0)
         from matches m
         where p.tournament_id = $1 and p.finished_at is null and m.id = p.match_id and m.finished_at is not null",
        id.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A pairing to be.
pub struct NewPairing {
    /// The wave.
    pub round: i32,
    /// The places in the order of joining, the one with the first move in front.
    pub numbers: [i32; 2],
    /// The match.
    pub match_id: MatchId,
    /// Whether it counts for nothing.
    pub is_uncounted: bool,
}

/// Inserts a pairing, in the transaction that starts its match.
pub async fn insert(tx: &mut Tx, id: TournamentId, new: &NewPairing) -> Result<(), Error> {
    let [first, second] = new.numbers;
    sqlx::query!(
        "insert into tournament_pairings (tournament_id, round, first, second, match_id, counts) values ($1, $2, $3, $4, $5, $6)",
        id.0,
        new.round,
        first,
        second,
        new.match_id.0,
        new.is_uncounted.then_some(false)
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A pairing as it is read.
#[expect(clippy::struct_excessive_bools, reason = "these are columns")]
struct Row {
    format: String,
    round: i32,
    match_id: Option<i64>,
    winner: Option<i16>,
    forfeit: bool,
    counts: Option<bool>,
    points: Option<Vec<i32>>,
    berserk: Option<Vec<bool>>,
    id1: i64,
    name1: String,
    guest1: bool,
    bot1: bool,
    id2: i64,
    name2: String,
    guest2: bool,
    bot2: bool,
}

impl Row {
    fn read(self) -> TournamentPairing {
        let is_arena = self.format == TournamentFormat::Arena.as_str();
        let points = self.points.and_then(|points| {
            let [first, second] = points[..] else {
                return None;
            };
            Some([first, second].map(i32::cast_unsigned))
        });
        TournamentPairing {
            round: self.round.cast_unsigned(),
            match_id: self.match_id.map(MatchId),
            players: [
                account(self.id1, self.name1, self.guest1, self.bot1),
                account(self.id2, self.name2, self.guest2, self.bot2),
            ],
            winner: self.winner.and_then(|winner| u8::try_from(winner).ok()),
            forfeit: self.forfeit,
            counts: self.counts,
            berserk: match self.berserk.as_deref() {
                Some(&[first, second]) => [first, second],
                _ => [false; 2],
            },
            points: points.map(|points| {
                points.map(|points| {
                    if is_arena {
                        TournamentScore::of_points(points)
                    } else {
                        TournamentScore::of_halves(points)
                    }
                })
            }),
        }
    }
}

/// A page of the pairings of two, the latest first, after the first `skip`.
pub async fn page(db: &Db, id: TournamentId, skip: i64) -> Result<Vec<TournamentPairing>, Error> {
    const {
        assert!(limits::TOURNAMENT_PAGE_LEN == 50, "the number in the query");
    };
    let rows = sqlx::query_as!(
        Row,
        r#"select t.format, p.round, p.match_id, p.winner, p.forfeit, p.counts, p.points, p.berserk,
                  a.id as id1, a.name as name1, a.guest as guest1, a.bot as bot1,
                  b.id as id2, b.name as name2, b.guest as guest2, b.bot as bot2
           from tournament_pairings p join tournaments t on t.id = p.tournament_id
           join tournament_entrants e on e.tournament_id = p.tournament_id and e.number = p.first
           join tournament_entrants f on f.tournament_id = p.tournament_id and f.number = p.second
           join players a on a.id = e.player_id join players b on b.id = f.player_id
           where p.tournament_id = $1 order by p.id desc offset $2 limit 50"#,
        id.0,
        skip
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Row::read).collect())
}

/// A page of the pairings of two in a round, in their order, after the first `skip`.
pub async fn page_of_round(
    db: &Db,
    id: TournamentId,
    round: i32,
    skip: i64,
) -> Result<Vec<TournamentPairing>, Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select t.format, p.round, p.match_id, p.winner, p.forfeit, p.counts, p.points, p.berserk,
                  a.id as id1, a.name as name1, a.guest as guest1, a.bot as bot1,
                  b.id as id2, b.name as name2, b.guest as guest2, b.bot as bot2
           from tournament_pairings p join tournaments t on t.id = p.tournament_id
           join tournament_entrants e on e.tournament_id = p.tournament_id and e.number = p.first
           join tournament_entrants f on f.tournament_id = p.tournament_id and f.number = p.second
           join players a on a.id = e.player_id join players b on b.id = f.player_id
           where p.tournament_id = $1 and p.round = $2 order by p.id offset $3 limit 50"#,
        id.0,
        round,
        skip
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Row::read).collect())
}

/// A page of those without an opponent in a round, those with more points first, after the first `skip`.
pub async fn byes_of_round(
    db: &Db,
    id: TournamentId,
    round: i32,
    skip: i64,
) -> Result<Vec<TournamentBye>, Error> {
    let rows = sqlx::query!(
        r#"select p.bye as "bye!", a.id, a.name, a.guest, a.bot
           from tournament_pairings p
           join tournament_entrants e on e.tournament_id = p.tournament_id and e.number = p.first
           join players a on a.id = e.player_id
           where p.tournament_id = $1 and p.round = $2 and p.bye is not null
           order by p.points desc, p.id offset $3 limit 50"#,
        id.0,
        round,
        skip
    )
    .fetch_all(db)
    .await?;
    let byes = rows.into_iter().map(|row| {
        let kind = parse_stored(&row.bye, ByeKind::read(&row.bye))?;
        Ok(TournamentBye {
            player: account(row.id, row.name, row.guest, row.bot),
            kind,
            points: TournamentScore::of_halves(kind.halves()),
        })
    });
    byes.collect()
}

/// The games by appointment of a round that have not begun, those with a time first.
pub async fn to_come(
    db: &Db,
    id: TournamentId,
    round: i32,
) -> Result<Vec<TournamentMeeting>, Error> {
    let rows = sqlx::query!(
        r#"select ms(a.at) as at, p.id as id1, p.name as name1, p.guest as guest1, p.bot as bot1,
                  q.id as id2, q.name as name2, q.guest as guest2, q.bot as bot2
           from tournament_appointments a
           join tournament_entrants e on e.tournament_id = a.tournament_id and e.number = a.first
           join tournament_entrants f on f.tournament_id = a.tournament_id and f.number = a.second
           join players p on p.id = e.player_id join players q on q.id = f.player_id
           where a.tournament_id = $1 and a.round = $2 order by a.at nulls last, a.first"#,
        id.0,
        round
    )
    .fetch_all(db)
    .await?;
    let meetings = rows.into_iter().map(|row| TournamentMeeting {
        players: [
            account(row.id1, row.name1, row.guest1, row.bot1),
            account(row.id2, row.name2, row.guest2, row.bot2),
        ],
        at: row.at.map(Timestamp),
    });
    Ok(meetings.collect())
}

/// The number of all pairings of two; of a round, of these or of those without an opponent, whichever are more.
pub async fn count(db: &Db, id: TournamentId, round: Option<i32>) -> Result<i64, Error> {
    let count = sqlx::query_scalar!(
        r#"select greatest(count(*) filter (where second is not null),
                      count(*) filter (where second is null and $2::int is not null)) as "count!"
           from tournament_pairings where tournament_id = $1 and ($2::int is null or round = $2)"#,
        id.0,
        round
    );
    Ok(count.fetch_one(db).await?)
}

/// The pairings of two after the one with this number, in their order, each with its own number.
pub async fn after(
    db: &Db,
    id: TournamentId,
    last: i64,
) -> Result<Vec<(i64, PlayersPaired)>, Error> {
    let rows = sqlx::query!(
        r#"select p.id, p.round, p.match_id as "match_id!",
                  a.id as id1, a.name as name1, a.guest as guest1, a.bot as bot1,
                  b.id as id2, b.name as name2, b.guest as guest2, b.bot as bot2
           from tournament_pairings p
           join tournament_entrants e on e.tournament_id = p.tournament_id and e.number = p.first
           join tournament_entrants f on f.tournament_id = p.tournament_id and f.number = p.second
           join players a on a.id = e.player_id join players b on b.id = f.player_id
           where p.tournament_id = $1 and p.id > $2 and p.match_id is not null order by p.id"#,
        id.0,
        last
    )
    .fetch_all(db)
    .await?;
    let pairings = rows.into_iter().map(|row| {
        let paired = PlayersPaired {
            match_id: MatchId(row.match_id),
            players: [
                account(row.id1, row.name1, row.guest1, row.bot1),
                account(row.id2, row.name2, row.guest2, row.bot2),
            ],
            round: row.round.cast_unsigned(),
        };
        (row.id, paired)
    });
    Ok(pairings.collect())
}

/// The number of the last pairing, and the matches that run.
pub async fn running(db: &Db, id: TournamentId) -> Result<(i64, HashSet<MatchId>), Error> {
    // Read first, so that no later pairing is missed: one that is read twice does no harm.
    let last = sqlx::query_scalar!(
        r#"select coalesce(max(id), 0) as "last!" from tournament_pairings where tournament_id = $1"#,
        id.0
    );
    let last = last.fetch_one(db).await?;
    let running = sqlx::query_scalar!(
        r#"select match_id as "match_id!" from tournament_pairings
           where tournament_id = $1 and finished_at is null and match_id is not null and id <= $2"#,
        id.0,
        last
    );
    let running = running.fetch_all(db).await?;
    Ok((last, running.into_iter().map(MatchId).collect()))
}

/// The results of those of these matches that have ended.
pub async fn ended(
    db: &Db,
    id: TournamentId,
    running: impl IntoIterator<Item = &MatchId>,
) -> Result<Vec<TournamentResult>, Error> {
    let ids: Vec<i64> = running.into_iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        r#"select match_id as "match_id!", winner, forfeit from tournament_pairings
           where tournament_id = $1 and match_id = any($2) and finished_at is not null order by finished_at, id"#,
        id.0,
        &ids
    )
    .fetch_all(db)
    .await?;
    let results = rows.into_iter().map(|row| TournamentResult {
        match_id: MatchId(row.match_id),
        winner: row.winner.and_then(|winner| u8::try_from(winner).ok()),
        forfeit: row.forfeit,
    });
    Ok(results.collect())
}

/// The running matches of the players with the highest scores.
pub async fn top_running(db: &Db, id: TournamentId) -> Result<Vec<MatchId>, Error> {
    const { assert!(limits::TOURNAMENT_BOARDS == 6, "the number in the query") };
    let ids = sqlx::query_scalar!(
        r#"select p.match_id as "match_id!" from tournament_pairings p
           join tournament_entrants e on e.tournament_id = p.tournament_id and e.number = p.first
           join tournament_entrants f on f.tournament_id = p.tournament_id and f.number = p.second
           where p.tournament_id = $1 and p.finished_at is null
           order by greatest(e.score, f.score) desc, least(e.score, f.score) desc, p.id limit 6"#,
        id.0
    );
    let ids = ids.fetch_all(db).await?;
    Ok(ids.into_iter().map(MatchId).collect())
}

/// The matches that a player has won against the highest rated opponents.
pub async fn best_wins(db: &Db, id: TournamentId, player: PlayerId) -> Result<Vec<MatchId>, Error> {
    const {
        assert!(
            limits::TOURNAMENT_BEST_GAMES == 3,
            "the number in the query"
        );
    };
    let ids = sqlx::query_scalar!(
        r#"select p.match_id as "match_id!" from tournament_pairings p join matches m on m.id = p.match_id
           where p.tournament_id = $1 and p.counts and not p.forfeit
               and (m.seat1 = $2 and p.winner = 1 or m.seat2 = $2 and p.winner = 2)
           order by case when m.seat1 = $2 then m.rating2 else m.rating1 end desc, p.id limit 3"#,
        id.0,
        player.0
    );
    let ids = ids.fetch_all(db).await?;
    Ok(ids.into_iter().map(MatchId).collect())
}
