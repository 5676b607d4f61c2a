//! The rows of leagues: their members, their seasons and titles.

use crate::Error;
use crate::db::rows::{account, parse_stored, skip_unreadable};
use crate::db::terms::StoredTerms;
use crate::db::{Db, Tx};
use sqlx::PgExecutor;
use tochki_play::{Terms, Timestamp};
use tochki_protocol::{
    Account, League, LeagueId, LeagueTitle, PlayerId, TournamentId, TournamentState, limits,
};

/// A row of a league.
struct Row {
    id: i64,
    name: String,
    game: String,
    setup: serde_json::Value,
    clock: String,
    rated: bool,
    season: i32,
    next_at: i64,
    ended: bool,
    members: i64,
    made_by: i64,
    now: i64,
}

impl Row {
    fn read(self) -> Result<StoredLeague, Error> {
        let terms = StoredTerms::new(self.game, self.setup, self.clock).read(self.rated)?;
        let league = League {
            id: LeagueId(self.id),
            name: self.name,
            setup: terms.setup,
            clock: terms.clock,
            rated: terms.rated,
            season: self.season.cast_unsigned(),
            next_at: Timestamp(self.next_at),
            ended: self.ended,
            members: u32::try_from(self.members).unwrap_or(u32::MAX),
        };
        Ok(StoredLeague {
            league,
            made_by: PlayerId(self.made_by),
            now: Timestamp(self.now),
        })
    }
}

/// A league as it is kept.
pub struct StoredLeague {
    /// The league.
    pub league: League,
    /// The operator who opened it, who is also the creator of its tournaments.
    pub made_by: PlayerId,
    /// The time at which it was read, by the clock of the database.
    pub now: Timestamp,
}

/// Inserts a league whose first season begins after so many days.
pub async fn insert(
    tx: &mut Tx,
    operator: PlayerId,
    name: &str,
    terms: &Terms,
    lead_days: u32,
) -> Result<LeagueId, Error> {
    let stored = StoredTerms::of(terms)?;
    let id = sqlx::query_scalar!(
        "insert into leagues (name, game, setup, clock, rated, made_by, next_at)
         values ($1, $2, $3, $4, $5, $6, now() + $7::int * interval '1 day') returning id",
        name,
        stored.game,
        stored.setup,
        stored.clock,
        terms.rated,
        operator.0,
        i32::try_from(lead_days).unwrap_or(i32::MAX)
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(LeagueId(id))
}

/// A league, if there is one.
pub async fn read(db: impl PgExecutor<'_>, id: LeagueId) -> Result<Option<StoredLeague>, Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id, name, game, setup, clock, rated, season, ms(next_at) as "next_at!", ended_at is not null as "ended!",
                  (select count(*) from league_members m where m.league_id = l.id) as "members!", made_by,
                  ms(clock_timestamp()) as "now!"
           from leagues l where id = $1"#,
        id.0
    )
    .fetch_optional(db)
    .await?;
    row.map(Row::read).transpose()
}

/// A league, whose row is locked until the transaction ends. Whatever changes a league or its members locks it first, and no tournament
/// before it.
pub async fn lock(tx: &mut Tx, id: LeagueId) -> Result<Option<StoredLeague>, Error> {
    sqlx::query!("select from leagues where id = $1 for no key update", id.0)
        .fetch_optional(&mut **tx)
        .await?;
    read(&mut **tx, id).await
}

/// The leagues, those that go on and the latest first.
pub async fn list(db: &Db) -> Result<Vec<League>, Error> {
    const { assert!(limits::LEAGUES_LEN == 50, "the number in the query") };
    let rows = sqlx::query_as!(
        Row,
        r#"select id, name, game, setup, clock, rated, season, ms(next_at) as "next_at!", ended_at is not null as "ended!",
                  (select count(*) from league_members m where m.league_id = l.id) as "members!", made_by,
                  ms(clock_timestamp()) as "now!"
           from leagues l order by ended_at is not null, id desc limit 50"#
    )
    .fetch_all(db)
    .await?;
    let read = rows.into_iter().map(|row| Ok(row.read()?.league));
    Ok(skip_unreadable(read))
}

/// The leagues whose next season is due: its time has come, and the tournaments of the last one are over.
pub async fn due(db: &Db) -> Result<Vec<LeagueId>, Error> {
    const { assert!(limits::LEAGUES_AT_ONCE == 5, "the number in the query") };
    let ids = sqlx::query_scalar!(
        "select id from leagues l
         where ended_at is null and next_at <= now() and not exists (
             select from tournaments t
             where t.league_id = l.id and t.season = l.season and t.state in ('open', 'running'))
         order by next_at, id limit 5"
    );
    let ids = ids.fetch_all(db).await?;
    Ok(ids.into_iter().map(LeagueId).collect())
}

/// A tournament of a season.
#[derive(Clone, Copy, Debug)]
pub struct DivisionRow {
    /// The division, from 1.
    pub division: i32,
    /// The tournament.
    pub tournament: TournamentId,
    /// Its state.
    pub state: TournamentState,
}

/// The divisions of a season, the highest first.
pub async fn divisions(db: &Db, id: LeagueId, season: u32) -> Result<Vec<DivisionRow>, Error> {
    let rows = sqlx::query!(
        r#"select division as "division!", id, state from tournaments where league_id = $1 and season = $2 order by division"#,
        id.0,
        season.cast_signed()
    )
    .fetch_all(db)
    .await?;
    let rows = rows.into_iter().map(|row| {
        Ok(DivisionRow {
            division: row.division,
            tournament: TournamentId(row.id),
            state: parse_stored(&row.state, TournamentState::read(&row.state))?,
        })
    });
    rows.collect()
}

/// The players whom operators have removed from the tournaments of a season.
pub async fn removed(db: &Db, id: LeagueId, season: u32) -> Result<Vec<i64>, Error> {
    let ids = sqlx::query_scalar!(
        "select e.player_id from tournaments t join tournament_entrants e on e.tournament_id = t.id
         where t.league_id = $1 and t.season = $2 and e.state = 'removed'",
        id.0,
        season.cast_signed()
    );
    Ok(ids.fetch_all(db).await?)
}

/// The members of a league whose accounts are open, in the order of joining.
pub async fn members(db: impl PgExecutor<'_>, id: LeagueId) -> Result<Vec<Account>, Error> {
    let rows = sqlx::query!(
        "select p.id, p.name, p.guest, p.bot from league_members m join players p on p.id = m.player_id
         where m.league_id = $1 and p.closed_at is null and p.deleted_at is null order by m.joined_at, p.id",
        id.0
    )
    .fetch_all(db)
    .await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|row| account(row.id, row.name, row.guest, row.bot))
        .collect())
}

/// Returns whether a player is a member of a league.
pub async fn is_member(
    db: impl PgExecutor<'_>,
    id: LeagueId,
    player: PlayerId,
) -> Result<bool, Error> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from league_members where league_id = $1 and player_id = $2) as "is!""#,
        id.0,
        player.0
    )
    .fetch_one(db)
    .await?)
}

/// Makes a player a member of a locked league.
pub async fn join(tx: &mut Tx, id: LeagueId, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "insert into league_members (league_id, player_id) values ($1, $2) on conflict do nothing",
        id.0,
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Ends the memberships of these players in a locked league. Returns how many were members.
pub async fn leave(tx: &mut Tx, id: LeagueId, players: &[i64]) -> Result<u64, Error> {
    let left = sqlx::query!(
        "delete from league_members where league_id = $1 and player_id = any($2)",
        id.0,
        players
    )
    .execute(&mut **tx)
    .await?;
    Ok(left.rows_affected())
}

/// Ends a locked league: the season that runs is played to its end. Returns whether it went on.
pub async fn end(tx: &mut Tx, id: LeagueId) -> Result<bool, Error> {
    let ended = sqlx::query!(
        "update leagues set ended_at = now() where id = $1 and ended_at is null",
        id.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(ended.rows_affected() > 0)
}

/// Writes that a season of a locked league has begun, and when the next one may.
pub async fn begin_season(tx: &mut Tx, id: LeagueId, season: u32) -> Result<(), Error> {
    sqlx::query!(
        "update leagues set season = $2, next_at = greatest(next_at, now() - interval '1 day') + $3::interval where id = $1",
        id.0,
        season.cast_signed(),
        limits::LEAGUE_SEASON as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Lets a locked league wait for members.
pub async fn wait(tx: &mut Tx, id: LeagueId) -> Result<(), Error> {
    sqlx::query!(
        "update leagues set next_at = now() + $2::interval where id = $1",
        id.0,
        limits::LEAGUE_RETRY as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Makes a tournament that was just inserted a division of a season, with these entrants, and nobody else.
pub async fn fill_division(
    tx: &mut Tx,
    tournament: TournamentId,
    (id, season, division): (LeagueId, u32, u32),
    players: &[i64],
) -> Result<(), Error> {
    sqlx::query!(
        "update tournaments set league_id = $2, season = $3, division = $4, entries_closed = true, address = null where id = $1",
        tournament.0,
        id.0,
        season.cast_signed(),
        division.cast_signed()
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into tournament_entrants (tournament_id, player_id, number)
         select $1, m.player_id, m.place::int - 1 from unnest($2::bigint[]) with ordinality as m (player_id, place)",
        tournament.0,
        players
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Writes who has won a season of a locked league. What was written before stays.
pub async fn award(tx: &mut Tx, id: LeagueId, season: u32, player: PlayerId) -> Result<(), Error> {
    sqlx::query!(
        "insert into league_titles (league_id, season, player_id) values ($1, $2, $3) on conflict do nothing",
        id.0,
        season.cast_signed(),
        player.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The titles of a league or of a player, the latest first.
pub async fn titles(
    db: &Db,
    league: Option<LeagueId>,
    player: Option<PlayerId>,
) -> Result<Vec<LeagueTitle>, Error> {
    const { assert!(limits::LEAGUES_LEN == 50, "the number in the query") };
    let rows = sqlx::query!(
        "select t.league_id, l.name as league, t.season, p.id, p.name, p.guest, p.bot
         from league_titles t join leagues l on l.id = t.league_id join players p on p.id = t.player_id
         where ($1::bigint is null or t.league_id = $1) and ($2::bigint is null or t.player_id = $2)
         order by t.won_at desc, t.league_id, t.season desc limit 50",
        league.map(|league| league.0),
        player.map(|player| player.0)
    )
    .fetch_all(db)
    .await?;
    let titles = rows.into_iter().map(|row| LeagueTitle {
        league: LeagueId(row.league_id),
        name: row.league,
        season: row.season.cast_unsigned(),
        player: account(row.id, row.name, row.guest, row.bot),
    });
    Ok(titles.collect())
}
