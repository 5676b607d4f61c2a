//! Fills a database with players, matches, events and rating changes. Data that later migrations derive from
//! matches are created by these migrations, as in a production database.

use crate::games::{self, Game};
use crate::rng::Rng;
use crate::{Result, Size};
use argon2::{Argon2, PasswordHasher as _};
use sqlx::{PgConnection, migrate::Migrator};
use std::fmt::Write as _;
use std::time::Instant;
use tochki_play::date;
use tochki_play::{Event, MatchResult, Rating, RatingChange, Reason, Timestamp, rate};
use tochki_rules::{GameKind, Seat};

/// The number of moves of a short match.
const FEW: usize = 4;

/// The last migration before the tables of results and tallies.
const BEFORE_RESULTS: i64 = 9;

/// The start of the three years of matches, in milliseconds.
const FIRST: i64 = 1_700_000_000_000;
const YEARS: i64 = 94_600_000_000;

/// The size of the chunks in which rows are sent, in bytes.
pub(crate) const PARCEL: usize = 1 << 20;

pub(crate) async fn fill(db: &mut PgConnection, migrations: &Migrator, size: Size) -> Result<()> {
    let begun = Instant::now();
    let told = |what: &str| println!("{:>6.1} s  {what}", begun.elapsed().as_secs_f64());
    let mut rng = Rng::new();
    begin(db, migrations, size, &mut rng).await?;
    told("players");
    let mut club = Stats::new(size, &mut rng);
    matches(db, size, &mut club, &mut rng).await?;
    told("matches, events, history of ratings");
    ratings(db, &club).await?;
    for serial in ["players", "matches"] {
        let last = format!(
            "select setval(pg_get_serial_sequence('{serial}', 'id'), (select max(id) from {serial}))"
        );
        run(db, &last).await?;
    }
    run(db, "vacuum analyze").await?;
    told("ratings, statistics");
    migrations.run(&mut *db).await?;
    told("the migrations that are left");
    run(db, "vacuum analyze").await?;
    told("statistics");
    Ok(())
}

/// Creates the players in an empty database, whose other migrations are to be run.
pub(crate) async fn begin(
    db: &mut PgConnection,
    migrations: &Migrator,
    size: Size,
    rng: &mut Rng,
) -> Result<()> {
    migrations.run_to(BEFORE_RESULTS, &mut *db).await?;
    let there: bool = sqlx::query_scalar("select exists (select from players)")
        .fetch_one(&mut *db)
        .await?;
    if there {
        return Err("somebody is in this database already".into());
    }
    players(db, size, rng).await
}

pub(crate) async fn run(db: &mut PgConnection, statement: &str) -> Result<()> {
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned()))
        .execute(db)
        .await?;
    Ok(())
}

/// Rows for a table, in the text format of `copy`.
pub(crate) struct Rows {
    into: &'static str,
    pub(crate) text: String,
}

impl Rows {
    pub(crate) const fn into(into: &'static str) -> Self {
        Self {
            into,
            text: String::new(),
        }
    }

    pub(crate) async fn send(&mut self, db: &mut PgConnection, least: usize) -> Result<()> {
        if self.text.len() > least {
            let mut copy = db
                .copy_in_raw(&format!("copy {} from stdin", self.into))
                .await?;
            copy.send(self.text.as_bytes()).await?;
            copy.finish().await?;
            self.text.clear();
        }
        Ok(())
    }
}

/// A row of `copy`: columns separated by tabs.
macro_rules! row {
    ($rows:expr, $first:expr $(, $column:expr)*) => {{
        let text = &mut $rows.text;
        // Writing into a string cannot fail.
        let _ = write!(text, "{}", $first);
        $(let _ = write!(text, "\t{}", $column);)*
        text.push('\n');
    }};
}

async fn players(db: &mut PgConnection, size: Size, rng: &mut Rng) -> Result<()> {
    let hash = Argon2::default()
        .hash_password(b"tochki")
        .map_err(|error| error.to_string())?
        .to_string();
    let mut rows = Rows::into(
        "players (id, name, name_key, password_hash, created_at, deleted_at, closed_at)",
    );
    for number in 0..size.players {
        let name = name(number);
        let at = time(FIRST - 86_400_000 * rng.below(300) as i64);
        // Some inactive players have deleted their accounts.
        let fate = if number > 1000 { rng.unit() } else { 1.0 };
        let null = "\\N";
        if fate < 0.01 {
            row!(rows, number + 1, "deleted player", null, null, at, at, null);
        } else {
            let closed = if fate < 0.012 { &at } else { null };
            row!(
                rows,
                number + 1,
                name,
                name.to_lowercase(),
                hash,
                at,
                null,
                closed
            );
        }
        rows.send(db, PARCEL).await?;
    }
    rows.send(db, 0).await
}

/// A unique pronounceable name.
pub(crate) fn name(number: usize) -> String {
    const LATIN: ([char; 16], [char; 5]) = (
        [
            'b', 'd', 'f', 'g', 'h', 'j', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z',
        ],
        ['a', 'e', 'i', 'o', 'u'],
    );
    const CYRILLIC: ([char; 16], [char; 5]) = (
        [
            'б', 'д', 'ф', 'г', 'х', 'ж', 'к', 'л', 'м', 'н', 'п', 'р', 'с', 'т', 'в', 'з',
        ],
        ['а', 'е', 'и', 'о', 'у'],
    );
    let (consonants, vowels) = if number % 3 == 2 { CYRILLIC } else { LATIN };
    // A permutation of all three-syllable names: the factor is coprime to their number.
    let mut word = number * 77_777 % (80 * 80 * 80);
    let mut name = String::new();
    for _ in 0..3 {
        name.push(consonants[word % 16]);
        name.push(vowels[word / 16 % 5]);
        word /= 80;
    }
    let first: String = name.chars().take(1).flat_map(char::to_uppercase).collect();
    first + &name.chars().skip(1).collect::<String>()
}

/// A timestamp in the format of the database.
pub(crate) fn time(at: i64) -> String {
    let of_day = at.rem_euclid(86_400_000);
    let (seconds, millis) = (of_day / 1000, of_day % 1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let day = date::day(Timestamp(at));
    format!("{day} {hours:02}:{minutes:02}:{seconds:02}.{millis:03}+00")
}

/// The strengths and the ratings of the players.
struct Stats {
    strength: Vec<f64>,
    /// By game and player: the rating and the number of rated games.
    ratings: Vec<Vec<(Rating, u32)>>,
    games: Vec<Vec<Game>>,
}

impl Stats {
    fn new(size: Size, rng: &mut Rng) -> Self {
        Self {
            strength: (0..size.players)
                .map(|_| 1600.0 + 250.0 * rng.normal())
                .collect(),
            ratings: vec![vec![(Rating::START, 0); size.players]; GameKind::ALL.len()],
            games: games::templates(rng),
        }
    }

    /// Two opponents: a few players play very often, most of them rarely.
    fn pair(&self, rng: &mut Rng) -> [usize; 2] {
        let one = |rng: &mut Rng| (self.strength.len() as f64 * rng.unit().powf(2.2)) as usize;
        let first = one(rng);
        loop {
            let second = one(rng);
            if second != first {
                return [first, second];
            }
        }
    }

    fn winner(&self, pair: [usize; 2], rng: &mut Rng) -> Option<Seat> {
        let [first, second] = pair.map(|player| self.strength[player]);
        let expected = 1.0 / (1.0 + 10_f64.powf((second - first) / 400.0));
        match rng.unit() {
            drawn if drawn < 0.05 => None,
            _ if rng.unit() < expected => Some(Seat::First),
            _ => Some(Seat::Second),
        }
    }
}

async fn matches(db: &mut PgConnection, size: Size, club: &mut Stats, rng: &mut Rng) -> Result<()> {
    let mut rows = Rows::into(
        "matches (id, game, setup, clock, rated, seat1, seat2, rating1, rating2, version, score1, score2, progress, \
         started_at, finished_at, winner, reason)",
    );
    let mut events = Rows::into("match_events (match_id, version, kind, body, seat, at)");
    let mut history = Rows::into("rating_history (match_id, player_id, game, before, after, at)");
    let apart = YEARS / size.matches() as i64;
    for number in 0..size.matches() {
        let id = number + 1;
        // Half of all games are Dots.
        let kind = [0, 0, 0, 0, 0, 1, 1, 2, 3, 3][rng.below(10)];
        let game = GameKind::ALL[kind];
        let pair = club.pair(rng);
        let rated = rng.unit() < 0.9;
        let winner = club.winner(pair, rng);
        let before = pair.map(|player| club.ratings[kind][player].0);
        let started = FIRST + number as i64 * apart;
        let finished = started + 60_000 + rng.below(900_000) as i64;
        let (from, to) = (time(started), time(finished));
        let mut result = MatchResult {
            winner,
            reason: if winner.is_some() {
                Reason::Resigned
            } else {
                Reason::AgreedDraw
            },
            ratings: None,
            by: None,
        };
        if rated {
            let changes = rate(before, winner);
            for (player, RatingChange { before, after, .. }) in pair.into_iter().zip(changes) {
                let of_player = &mut club.ratings[kind][player];
                *of_player = (after, of_player.1 + 1);
                row!(history, id, player + 1, game.id(), before.0, after.0, to);
            }
            result.ratings = Some(changes);
        }
        let copied = &club.games[kind][rng.below(club.games[kind].len())];
        let length = if number + size.long() < size.matches() {
            FEW
        } else {
            copied.moves.len()
        };
        let moves = &copied.moves[..length.min(copied.moves.len())];
        let between = (finished - started) / (moves.len() as i64 + 1);
        for (version, moved) in (1..).zip(moves) {
            // Not quite evenly, as people move.
            let at = started + version * between - version * 7_919 % 900;
            let body = later(&moved.body, at);
            row!(events, id, version, "moved", body, moved.seat, time(at));
        }
        let word = result.reason.as_str();
        let by = winner.map_or(0, Seat::number);
        let end = Event::Finished { result }.encode()?;
        let version = moves.len() + 1;
        row!(events, id, version, end.name, end.body, "\\N", to);
        let [score1, score2] = moves.last().map_or([0, 0], |moved| moved.score);
        let [one, other] = pair.map(|player| player + 1);
        let setup = serde_json::to_value(games::setup(game))?["setup"].to_string();
        let [rating1, rating2] = before.map(|rating| rating.0);
        row!(
            rows,
            id,
            game.id(),
            setup,
            "none",
            rated,
            one,
            other,
            rating1,
            rating2,
            version,
            score1,
            score2,
            30,
            from,
            to,
            by,
            word
        );
        // Matches are inserted first, because other rows refer to them.
        if rows.text.len() > PARCEL {
            for rows in [&mut rows, &mut events, &mut history] {
                rows.send(db, 0).await?;
            }
        }
    }
    for rows in [&mut rows, &mut events, &mut history] {
        rows.send(db, 0).await?;
    }
    Ok(())
}

/// The body of a move of a template, whose moves are all made at the time 0, for a move at another time.
fn later(body: &str, at: i64) -> String {
    match body.rsplit_once("\"move_by\":") {
        Some((before, by)) => {
            let by: i64 = by.trim_end_matches('}').parse().unwrap_or_default();
            format!("{before}\"move_by\":{}}}", by + at)
        }
        None => body.to_owned(),
    }
}

async fn ratings(db: &mut PgConnection, club: &Stats) -> Result<()> {
    let mut rows = Rows::into("ratings (player_id, game, rating, games)");
    for (kind, ratings) in GameKind::ALL.iter().zip(&club.ratings) {
        for (player, (rating, games)) in ratings.iter().enumerate() {
            if *games > 0 {
                row!(rows, player + 1, kind.id(), rating.0, games);
            }
        }
        rows.send(db, 0).await?;
    }
    Ok(())
}
