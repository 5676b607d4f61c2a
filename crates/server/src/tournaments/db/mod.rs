//! The rows of tournaments.

pub mod acts;
pub mod appointments;
pub mod arena_games;
pub mod calendar;
pub mod entrants;
pub mod knockout;
pub mod leagues;
pub mod leases;
pub mod no_shows;
pub mod pairings;
pub mod presence;
pub mod reminders;
pub mod results;
pub mod round_results;
pub mod round_rows;
pub mod series;
mod stored_tournament;

pub use stored_tournament::StoredTournament;
use stored_tournament::presence_window;

use crate::Error;
use crate::db::rows::{account, parse_stored, skip_unreadable};
use crate::db::terms::StoredTerms;
use crate::db::{Db, Tx};
use crate::tournaments::{NewFormat, NewTournament};
use sqlx::PgExecutor;
use tochki_play::Timestamp;
use tochki_protocol::{
    EntryConditions, MissedGame, PlayerId, TieBreakName, Tournament, TournamentFormat,
    TournamentId, TournamentRounds, TournamentSeries, TournamentState, limits,
};
use tochki_rules::GameKind;
use tochki_tournaments::{TieBreakKind, arena, round_robin, rounds as figures, swiss};

/// A row of `read_tournaments`, the columns of every query here.
#[expect(clippy::struct_excessive_bools, reason = "these are columns")]
struct Row {
    id: i64,
    format: String,
    name: String,
    description: String,
    game: String,
    setup: serde_json::Value,
    clock: String,
    rated: bool,
    minutes: Option<i32>,
    streaks: bool,
    last_games: bool,
    berserk: bool,
    min_rating: Option<i32>,
    max_rating: Option<i32>,
    min_games: Option<i32>,
    min_age_days: Option<i32>,
    password_hash: Option<String>,
    guests: bool,
    bots: bool,
    entries_closed: bool,
    state: String,
    version: i64,
    starts_at: i64,
    ends_at: Option<i64>,
    players: i64,
    creator_id: Option<i64>,
    creator_name: Option<String>,
    creator_bot: Option<bool>,
    now: i64,
    rounds: Option<i16>,
    round: i32,
    round_at: Option<i64>,
    break_s: Option<i32>,
    double: bool,
    first_side: Option<i16>,
    series_rule: Option<String>,
    series_zone: Option<String>,
    series_ended: Option<bool>,
    series_next: Option<i64>,
    best_of: Option<i16>,
    round_days: Option<i16>,
    missed: String,
}

impl Row {
    fn read(self) -> Result<StoredTournament, Error> {
        let terms = StoredTerms::new(self.game, self.setup, self.clock).read(self.rated)?;
        let ends_at = self.ends_at.map(Timestamp);
        let closes_at = ends_at.map(|ends_at| {
            if self.last_games {
                ends_at
            } else {
                arena::pairing_closes(ends_at, terms.clock)
            }
        });
        let format = parse_stored(&self.format, TournamentFormat::read(&self.format))?;
        let state = parse_stored(&self.state, TournamentState::read(&self.state))?;
        let game = terms.setup.kind();
        let days = (self.round_days).and_then(|days| u32::try_from(days).ok());
        let missed = parse_stored(&self.missed, MissedGame::read(&self.missed))?;
        let is_by_appointment = days.is_some() && format == TournamentFormat::RoundRobin;
        let rounds = self.break_s.map(|break_s| {
            let break_seconds = break_s.cast_unsigned();
            let round = self.round.cast_unsigned();
            let round_at = match state {
                TournamentState::Open => Some(Timestamp(self.starts_at)),
                _ => self.round_at.map(Timestamp),
            };
            TournamentRounds {
                round,
                rounds: self.rounds.and_then(|rounds| u32::try_from(rounds).ok()),
                round_at,
                // By appointment nobody has to be there when a round begins.
                presence_from: round_at
                    .filter(|_| !is_by_appointment)
                    .map(|at| at - presence_window(round, break_seconds)),
                break_seconds,
                double: self.double,
                best_of: self.best_of.and_then(|games| u32::try_from(games).ok()),
                days,
                missed: is_by_appointment.then_some(missed),
                offers_after: figures::moves_before_offers(game),
                tie_breaks: tie_breaks(format, game),
            }
        });
        let first_move = match rounds {
            Some(_) => figures::first_move_timeout(terms.clock),
            None => arena::first_move_timeout(&terms.setup),
        };
        let tournament = Tournament {
            id: TournamentId(self.id),
            format,
            name: self.name,
            description: self.description,
            creator: self
                .creator_id
                .zip(self.creator_name)
                .map(|(id, name)| account(id, name, false, self.creator_bot == Some(true))),
            setup: terms.setup,
            clock: terms.clock,
            rated: terms.rated,
            minutes: self.minutes.map(i32::cast_unsigned),
            first_move,
            streaks: self.streaks,
            last_games: self.last_games,
            berserk: self.berserk,
            entry: EntryConditions {
                min_rating: self.min_rating,
                max_rating: self.max_rating,
                min_games: self.min_games,
                min_age_days: self.min_age_days,
                password: self.password_hash.is_some(),
                guests: self.guests,
                bots: self.bots,
            },
            entries_closed: self.entries_closed,
            state,
            version: self.version,
            players: u32::try_from(self.players).unwrap_or(u32::MAX),
            starts_at: Timestamp(self.starts_at),
            ends_at,
            pairing_closes_at: closes_at,
            rounds,
            series: (self.series_rule.zip(self.series_zone)).map(|(rule, zone)| TournamentSeries {
                rule,
                zone,
                ended: self.series_ended == Some(true),
                next: self.series_next.map(TournamentId),
            }),
        };
        Ok(StoredTournament {
            tournament,
            password_hash: self.password_hash,
            now: Timestamp(self.now),
            first_side: self
                .first_side
                .and_then(|side| u8::try_from(side).ok()?.try_into().ok()),
        })
    }
}

/// Returns the tie-breaks of the standings, in the order in which they decide.
fn tie_breaks(format: TournamentFormat, game: GameKind) -> Vec<TieBreakName> {
    let kinds: &[TieBreakKind] = match format {
        TournamentFormat::Swiss => swiss::tie_breaks(game),
        TournamentFormat::RoundRobin => &round_robin::TIE_BREAKS,
        TournamentFormat::Arena | TournamentFormat::Knockout => &[],
    };
    let name = |kind: &TieBreakKind| match kind {
        TieBreakKind::BuchholzCut1 => TieBreakName::BuchholzCut1,
        TieBreakKind::Buchholz => TieBreakName::Buchholz,
        TieBreakKind::MedianBuchholz => TieBreakName::MedianBuchholz,
        TieBreakKind::SonnebornBerger => TieBreakName::SonnebornBerger,
        TieBreakKind::Direct => TieBreakName::Direct,
        TieBreakKind::Wins => TieBreakName::Wins,
        TieBreakKind::Discs => TieBreakName::Discs,
    };
    kinds.iter().map(name).collect()
}

/// A tournament, if there is one.
pub async fn read(
    db: impl PgExecutor<'_>,
    id: TournamentId,
) -> Result<Option<StoredTournament>, Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id as "id!", format as "format!", name as "name!", description as "description!", game as "game!",
                  setup as "setup!", clock as "clock!", rated as "rated!", minutes, streaks as "streaks!",
                  last_games as "last_games!", berserk as "berserk!", min_rating, max_rating, min_games, min_age_days, password_hash,
                  guests as "guests!", bots as "bots!", entries_closed as "entries_closed!", state as "state!",
                  version as "version!", starts_at as "starts_at!", ends_at, players as "players!",
                  creator_id, creator_name as "creator_name?", creator_bot as "creator_bot?",
                  ms(clock_timestamp()) as "now!",
                  rounds, round as "round!", round_at, break_s, double as "double!", first_side,
                  series_rule, series_zone, series_ended, series_next, best_of, round_days, missed as "missed!"
           from read_tournaments where id = $1"#,
        id.0
    )
    .fetch_optional(db)
    .await?;
    row.map(Row::read).transpose()
}

/// A tournament, whose row is locked until the transaction ends. Whatever changes a tournament or its entrants locks it first.
pub async fn lock(tx: &mut Tx, id: TournamentId) -> Result<Option<StoredTournament>, Error> {
    sqlx::query!(
        "select from tournaments where id = $1 for no key update",
        id.0
    )
    .fetch_optional(&mut **tx)
    .await?;
    read(&mut **tx, id).await
}

/// The open and the running tournaments, the next to begin first, after the first `skip`. Divisions of leagues are on the pages of these.
pub async fn upcoming(
    db: &Db,
    game: Option<GameKind>,
    skip: i64,
) -> Result<Vec<Tournament>, Error> {
    const {
        assert!(
            limits::TOURNAMENTS_PAGE_LEN == 20,
            "the number in the query"
        );
    };
    let rows = sqlx::query_as!(
        Row,
        r#"select id as "id!", format as "format!", name as "name!", description as "description!", game as "game!",
                  setup as "setup!", clock as "clock!", rated as "rated!", minutes, streaks as "streaks!",
                  last_games as "last_games!", berserk as "berserk!", min_rating, max_rating, min_games, min_age_days, password_hash,
                  guests as "guests!", bots as "bots!", entries_closed as "entries_closed!", state as "state!",
                  version as "version!", starts_at as "starts_at!", ends_at, players as "players!",
                  creator_id, creator_name as "creator_name?", creator_bot as "creator_bot?",
                  ms(clock_timestamp()) as "now!",
                  rounds, round as "round!", round_at, break_s, double as "double!", first_side,
                  series_rule, series_zone, series_ended, series_next, best_of, round_days, missed as "missed!"
           from read_tournaments r where id in (
               select id from tournaments where state in ('open', 'running') and league_id is null and ($2::text is null or game = $2)
               order by starts_at, id offset $1 limit 20)
           order by starts_at, id"#,
        skip,
        game.map(GameKind::id)
    )
    .fetch_all(db)
    .await?;
    let read = rows.into_iter().map(|row| Ok(row.read()?.tournament));
    Ok(skip_unreadable(read))
}

/// The finished tournaments, the latest first, after the first `skip`, without divisions of leagues.
pub async fn finished(
    db: &Db,
    game: Option<GameKind>,
    skip: i64,
) -> Result<Vec<Tournament>, Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select id as "id!", format as "format!", name as "name!", description as "description!", game as "game!",
                  setup as "setup!", clock as "clock!", rated as "rated!", minutes, streaks as "streaks!",
                  last_games as "last_games!", berserk as "berserk!", min_rating, max_rating, min_games, min_age_days, password_hash,
                  guests as "guests!", bots as "bots!", entries_closed as "entries_closed!", state as "state!",
                  version as "version!", starts_at as "starts_at!", ends_at, players as "players!",
                  creator_id, creator_name as "creator_name?", creator_bot as "creator_bot?",
                  ms(clock_timestamp()) as "now!",
                  rounds, round as "round!", round_at, break_s, double as "double!", first_side,
                  series_rule, series_zone, series_ended, series_next, best_of, round_days, missed as "missed!"
           from read_tournaments r where id in (
               select id from tournaments where state = 'finished' and league_id is null and ($2::text is null or game = $2)
               order by finished_at desc, id desc offset $1 limit 20)
           order by finished_at desc, id desc"#,
        skip,
        game.map(GameKind::id)
    )
    .fetch_all(db)
    .await?;
    let read = rows.into_iter().map(|row| Ok(row.read()?.tournament));
    Ok(skip_unreadable(read))
}

/// The next tournament that begins soon, or else one that runs: of a game, or of any. One that a player has made is pointed to once
/// some have entered, because its name is to be read everywhere.
pub async fn next(db: &Db, game: Option<GameKind>) -> Result<Option<Tournament>, Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id as "id!", format as "format!", name as "name!", description as "description!", game as "game!",
                  setup as "setup!", clock as "clock!", rated as "rated!", minutes, streaks as "streaks!",
                  last_games as "last_games!", berserk as "berserk!", min_rating, max_rating, min_games, min_age_days, password_hash,
                  guests as "guests!", bots as "bots!", entries_closed as "entries_closed!", state as "state!",
                  version as "version!", starts_at as "starts_at!", ends_at, players as "players!",
                  creator_id, creator_name as "creator_name?", creator_bot as "creator_bot?",
                  ms(clock_timestamp()) as "now!",
                  rounds, round as "round!", round_at, break_s, double as "double!", first_side,
                  series_rule, series_zone, series_ended, series_next, best_of, round_days, missed as "missed!"
           from read_tournaments r where id = (
               select id from tournaments
               where state in ('open', 'running') and starts_at < now() + $2::interval and password_hash is null and league_id is null
                   and not entries_closed and ($1::text is null or game = $1)
                   and (by_operator or (
                       select count(*) >= $3 from tournament_entrants e
                       where e.tournament_id = tournaments.id and e.state in ('here', 'paused')))
               order by state, starts_at, id limit 1)"#,
        game.map(GameKind::id),
        limits::TOURNAMENT_ANNOUNCED_BEFORE as _,
        limits::TOURNAMENT_ANNOUNCED_FROM
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| Ok(row.read()?.tournament)).transpose()
}

/// The versions of those of these tournaments that there are.
pub async fn versions(db: &Db, ids: &[TournamentId]) -> Result<Vec<(TournamentId, i64)>, Error> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        "select id, version from tournaments where id = any($1)",
        &ids
    )
    .fetch_all(db)
    .await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|row| (TournamentId(row.id), row.version))
        .collect())
}

/// The time by the clock of the database.
pub async fn now(db: &Db) -> Result<Timestamp, Error> {
    let now = sqlx::query_scalar!(r#"select ms(clock_timestamp()) as "now!""#);
    Ok(Timestamp(now.fetch_one(db).await?))
}

/// The version of a tournament, if there is one.
pub async fn version(db: &Db, id: TournamentId) -> Result<Option<i64>, Error> {
    let version = sqlx::query_scalar!("select version from tournaments where id = $1", id.0);
    Ok(version.fetch_optional(db).await?)
}

/// The hash of the password of a tournament, if there is one and the player is no entrant; the outer `None` is no such tournament.
pub async fn password_hash(
    db: &Db,
    id: TournamentId,
    player: PlayerId,
) -> Result<Option<Option<String>>, Error> {
    let hash = sqlx::query_scalar!(
        "select case when not exists (
             select from tournament_entrants e where e.tournament_id = t.id and e.player_id = $2) then password_hash end
         from tournaments t where id = $1",
        id.0,
        player.0
    );
    Ok(hash.fetch_optional(db).await?)
}

/// The tournaments that a player has made, and those made at one address.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a condition of its own"
)]
pub struct Creator {
    /// Whether an operator has muted the player.
    pub is_muted: bool,
    /// Whether the player is a guest.
    pub is_guest: bool,
    /// Whether the account is old enough.
    pub is_old_enough: bool,
    /// Whether the player has played enough rated games.
    pub has_played_enough: bool,
    /// Those of the player that are open or running.
    pub open: i64,
    /// Those made at the address of late.
    pub by_address: i64,
}

/// The key of the advisory lock that the count of tournaments of an address takes; see [`crate::pairing::db::count_running`].
const TOURNAMENTS_LOCK: i64 = 10;

/// The key of the advisory lock of the beginnings of tournaments, which see each other's entrants one after the other.
const BEGINNINGS_LOCK: i64 = 11;

/// Counts the tournaments of a locked player, and those of an address. The next count waits until this transaction ends.
pub async fn creator(tx: &mut Tx, player: PlayerId, address: &str) -> Result<Creator, Error> {
    sqlx::query!("select pg_advisory_xact_lock($1)", TOURNAMENTS_LOCK)
        .execute(&mut **tx)
        .await?;
    let row = sqlx::query!(
        r#"select coalesce(muted_until > now(), false) as "is_muted!",
                  guest as "is_guest!", created_at < now() - $3::interval as "is_old_enough!",
                  (select coalesce(sum(games), 0) >= $4 from ratings r where r.player_id = p.id) as "has_played_enough!",
                  (select count(*) from tournaments t where t.creator_id = p.id and t.state in ('open', 'running')) as "open!",
                  (select count(*) from tournaments t
                   where t.address = $2 and t.created_at > now() - $5::interval and not t.by_operator) as "by_address!"
           from players p where id = $1"#,
        player.0,
        address,
        limits::TOURNAMENT_CREATOR_MIN_AGE as _,
        limits::TOURNAMENT_CREATOR_MIN_MATCHES,
        limits::TOURNAMENT_ADDRESS_WINDOW as _
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(Creator {
        is_muted: row.is_muted,
        is_guest: row.is_guest,
        is_old_enough: row.is_old_enough,
        has_played_enough: row.has_played_enough,
        open: row.open,
        by_address: row.by_address,
    })
}

/// Inserts a tournament.
pub async fn insert(
    tx: &mut Tx,
    creator: PlayerId,
    by_operator: bool,
    address: &str,
    new: &NewTournament,
) -> Result<TournamentId, Error> {
    let stored = StoredTerms::of(&new.terms)?;
    let (mut minutes, mut rounds, mut break_s, mut days) = (None, None, None, None);
    let mut missed = MissedGame::default();
    let (mut streaks, mut last_games, mut berserk, mut double) = (false, false, false, false);
    match new.format {
        NewFormat::Arena {
            minutes: lasting,
            streaks: doubles,
            last_games: counts,
            berserk: halves,
        } => {
            (minutes, streaks) = (Some(lasting.cast_signed()), doubles);
            (last_games, berserk) = (counts, halves);
        }
        NewFormat::Swiss {
            rounds: chosen,
            pace,
        } => (rounds, break_s, days) = (chosen, Some(pace.between()), pace.days()),
        NewFormat::RoundRobin {
            double: twice,
            pace,
            missed: result,
        } => {
            (double, break_s, days) = (twice, Some(pace.between()), pace.days());
            missed = result;
        }
        NewFormat::Knockout { between, .. } => break_s = Some(between),
    }
    let rounds = rounds.and_then(|rounds| i16::try_from(rounds).ok());
    let break_s = break_s.and_then(|between| i32::try_from(between.as_secs()).ok());
    let days = days.and_then(|days| i16::try_from(days).ok());
    let id = sqlx::query_scalar!(
        "insert into tournaments (name, description, creator_id, address, by_operator, game, setup, clock, rated, minutes,
             streaks, last_games, min_rating, max_rating, min_games, min_age_days, password_hash, guests, bots, starts_at,
             format, rounds, break_s, double, berserk, round_days, missed)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, at_ms($20), $21, $22, $23, $24,
             $25, $26, $27)
         returning id",
        new.name,
        new.description,
        creator.0,
        address,
        by_operator,
        stored.game,
        stored.setup,
        stored.clock,
        new.terms.rated,
        minutes,
        streaks,
        last_games,
        new.entry.min_rating,
        new.entry.max_rating,
        new.entry.min_games,
        new.entry.min_age_days,
        new.password_hash,
        new.entry.guests,
        new.entry.bots,
        new.starts_at.0,
        new.format.format().as_str(),
        rounds,
        break_s,
        double,
        berserk,
        days,
        missed.as_str()
    )
    .fetch_one(&mut **tx)
    .await?;
    let id = TournamentId(id);
    if let NewFormat::Knockout { best_of, .. } = new.format {
        knockout::set_best_of(tx, id, best_of).await?;
    }
    Ok(id)
}

/// Gives a locked tournament its next version.
pub async fn advance(tx: &mut Tx, id: TournamentId) -> Result<(), Error> {
    sqlx::query!(
        "update tournaments set version = version + 1 where id = $1",
        id.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Begins a locked arena: its whole duration is still to come, however late it begins. Entrants who are in another running
/// tournament are paused.
pub async fn begin(tx: &mut Tx, id: TournamentId) -> Result<(), Error> {
    lock_beginnings(tx).await?;
    sqlx::query!(
        "update tournaments set state = 'running', began_at = now(), ends_at = now() + minutes * interval '1 minute',
             version = version + 1
         where id = $1",
        id.0
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update tournament_entrants e set waits_from = now(), state = case when exists (
             select from tournament_entrants o join tournaments t on t.id = o.tournament_id
             where o.player_id = e.player_id and o.tournament_id <> e.tournament_id and o.state = 'here'
                 and t.state = 'running' and t.round_days is null) then 'paused' else 'here' end
         where tournament_id = $1 and state = 'here'",
        id.0
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Returns whether a locked arena that runs is over: at its end, or where the last games count once they have ended, at the latest
/// after the time for them.
pub async fn is_over(tx: &mut Tx, stored: &StoredTournament) -> Result<bool, Error> {
    let tournament = &stored.tournament;
    let Some(ends_at) = tournament.ends_at else {
        return Ok(false);
    };
    let last = if tournament.last_games {
        arena::last_games_end(ends_at, tournament.clock)
    } else {
        ends_at
    };
    Ok(sqlx::query_scalar!(
        r#"select at_ms($2) <= now() and (at_ms($3) <= now() or not exists (
               select from tournament_pairings where tournament_id = $1 and finished_at is null)) as "over!""#,
        tournament.id.0,
        ends_at.0,
        last.0
    )
    .fetch_one(&mut **tx)
    .await?)
}

/// Ends a locked tournament. Games that run do not count any more.
pub async fn end(tx: &mut Tx, id: TournamentId, state: TournamentState) -> Result<(), Error> {
    sqlx::query!(
        "update tournament_pairings set counts = false where tournament_id = $1 and finished_at is null",
        id.0
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update tournaments set state = $2, finished_at = now(), holder = null, held_until = null, version = version + 1
         where id = $1",
        id.0,
        state.as_str()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Sets whether a locked tournament takes no new entrants.
pub async fn set_entries_closed(tx: &mut Tx, id: TournamentId, closed: bool) -> Result<(), Error> {
    sqlx::query!(
        "update tournaments set entries_closed = $2, version = version + 1 where id = $1",
        id.0,
        closed
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Lets no other tournament begin until this transaction ends.
async fn lock_beginnings(tx: &mut Tx) -> Result<(), Error> {
    sqlx::query!("select pg_advisory_xact_lock($1)", BEGINNINGS_LOCK)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Lets no tournament begin until this transaction ends, so that who enters a running one is in no other.
pub async fn hold_beginnings(tx: &mut Tx) -> Result<(), Error> {
    sqlx::query!("select pg_advisory_xact_lock_shared($1)", BEGINNINGS_LOCK)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Forgets the addresses at which tournaments were made and entered, who shared one, and the texts of creators who have no say any more, which
/// `read_tournaments` does not show since then.
pub async fn delete_old(db: &Db) -> Result<(), Error> {
    sqlx::query!(
        "update tournaments t set name = plain_name(t.format, t.id), description = '', version = version + 1
         from players p
         where p.id = t.creator_id and is_silenced(p.muted_until, p.closed_at, p.deleted_at)
             and (t.name <> plain_name(t.format, t.id) or t.description <> '')"
    )
    .execute(db)
    .await?;
    sqlx::query!(
        "update tournaments set address = null where address is not null and created_at < now() - $1::interval",
        limits::TOURNAMENT_ADDRESS_WINDOW as _
    )
    .execute(db)
    .await?;
    sqlx::query!(
        "update tournament_entrants e set address = null from tournaments t
         where t.id = e.tournament_id and e.address is not null and t.finished_at < now() - $1::interval",
        limits::TOURNAMENT_ADDRESS_WINDOW as _
    )
    .execute(db)
    .await?;
    sqlx::query!(
        "delete from shared_addresses where at < now() - $1::interval",
        limits::SHARED_ADDRESS_LIFETIME as _
    )
    .execute(db)
    .await?;
    Ok(())
}
