//! Running matches by correspondence, of which many end within one minute, and the delays with which a server ended them.

use crate::games::{self, play};
use crate::rng::Rng;
use crate::seed::{PARCEL, Rows, begin, name, run, time};
use crate::{Result, Size};
use sqlx::{PgConnection, migrate::Migrator};
use std::fmt::Write as _;
use std::time::SystemTime;
use tochki_play::{ClockRule, Millis, Terms, Timestamp};
use tochki_rules::{GameKind, RULES_VERSION};

/// The days for each move.
const DAYS: u32 = 3;

/// The moves of a match, and of those of the first player, whose list has boards to draw.
const MOVES: [usize; 2] = [2, 40];

/// The matches of each player, half of them with each seat; [`OF_FIRST`] more of the first player, who then has as many as one may have.
const OF_EACH: usize = 40;
const OF_FIRST: usize = 10;

/// The matches whose time ends within a minute, and the milliseconds until that begins.
pub(crate) const DUE: usize = 10_000;
const DUE_IN: i64 = 60_000;
const MINUTE: i64 = 60_000;

/// Fills an empty database. The matches that are soon due come last, so that their time does not end before a server starts.
pub(crate) async fn fill(
    db: &mut PgConnection,
    migrations: &Migrator,
    count: usize,
    due: usize,
) -> Result<()> {
    let mut rng = Rng::new();
    let players = count / (OF_EACH / 2);
    begin(db, migrations, Size { players }, &mut rng).await?;
    migrations.run(&mut *db).await?;
    let pair = |number: usize| {
        let (first, apart) = (number % players, number / players + 1);
        [first, (first + apart) % players]
    };
    let later = count.saturating_sub(due);
    let mut seeded = Seeding::new();
    for number in 0..later {
        // The first hour is left to the matches that are due.
        let left = 3_600_000 + rng.below(DAYS as usize * 86_400_000 - 3_600_000) as i64;
        seeded.add(pair(number), now() + left, &mut rng)?;
        seeded.send(db, PARCEL).await?;
    }
    for number in 0..OF_FIRST {
        let other = OF_EACH + 1 + number;
        seeded.add([0, other], now() + 7_200_000, &mut rng)?;
    }
    seeded.send(db, 0).await?;
    run(db, "vacuum analyze").await?;
    run(
        db,
        "create table seeded_deadlines (match_id bigint primary key, due_at timestamptz not null)",
    )
    .await?;
    let begins = now() + DUE_IN;
    let first = seeded.last_id + 1;
    for number in later..count {
        let at = begins + rng.below(MINUTE as usize) as i64;
        seeded.add(pair(number), at, &mut rng)?;
    }
    seeded.send(db, 0).await?;
    run(
        db,
        &format!(
            "insert into seeded_deadlines select id, deadline_at from matches where id >= {first}"
        ),
    )
    .await?;
    run(
        db,
        "select setval(pg_get_serial_sequence('matches', 'id'), (select max(id) from matches))",
    )
    .await?;
    // The time in which the database was filled is no outage.
    run(db, "update heartbeat set beat_at = now()").await?;
    println!("the player with the most matches is {}", name(0));
    Ok(())
}

/// Prints the delays between deadlines and results, of the matches that were due.
pub(crate) async fn delays(db: &mut PgConnection) -> Result<()> {
    let (due, running, [middle, most_of, most]): (i64, i64, [f64; 3]) = {
        let row: (i64, i64, Vec<f64>) = sqlx::query_as(
            "with ended as (
                 select extract(epoch from e.at - d.due_at
                     - coalesce((select o.lost_ms from outages o where o.match_id = d.match_id), 0) * interval '1 millisecond')::float8 as late
                 from seeded_deadlines d left join match_events e on e.match_id = d.match_id and e.kind = 'finished')
             select count(*), count(*) filter (where late is null),
                 coalesce(percentile_cont(array[0.5, 0.99, 1.0]) within group (order by late), '{0,0,0}') from ended",
        )
        .fetch_one(&mut *db)
        .await?;
        (
            row.0,
            row.1,
            row.2.try_into().map_err(|_| "three percentiles")?,
        )
    };
    println!("{due} | {running} | {middle:.3} s | {most_of:.3} s | {most:.3} s");
    Ok(())
}

/// Rows of matches and of their events.
struct Seeding {
    matches: Rows,
    events: Rows,
    last_id: usize,
}

impl Seeding {
    fn new() -> Self {
        Self {
            matches: Rows::into(
                "matches (id, game, setup, clock, rated, seat1, seat2, rating1, rating2, version, score1, score2, \
                 progress, started_at, deadline_at, to_move, correspondence, rules_version)",
            ),
            events: Rows::into("match_events (match_id, version, kind, body, seat, at)"),
            last_id: 0,
        }
    }

    /// Adds a match between players, by their places, whose flag falls at that time.
    fn add(&mut self, pair: [usize; 2], deadline: i64, rng: &mut Rng) -> Result<()> {
        self.last_id += 1;
        let id = self.last_id;
        let kind = GameKind::ALL[id % GameKind::ALL.len()];
        let terms = Terms {
            setup: games::setup(kind),
            clock: ClockRule::DaysPerMove { days: DAYS },
            rated: true,
        };
        let moved = Timestamp(deadline) - Millis::from_hours(DAYS * 24);
        let most = MOVES[usize::from(pair.contains(&0))];
        let (game, moves) = play(terms, moved, most, rng);
        let at = time(moved.0);
        for (version, moved) in (1..).zip(&moves) {
            let Self { events, .. } = self;
            writeln!(
                events.text,
                "{id}\t{version}\tmoved\t{}\t{}\t{at}",
                moved.body, moved.seat
            )?;
        }
        let setup = serde_json::to_value(terms.setup)?["setup"].to_string();
        let [score1, score2] = game.score();
        let [one, other] = pair.map(|player| player + 1);
        let due = game.deadline().ok_or("a running match has a deadline")?;
        let to_move = game.to_move().ok_or("a running match has a side to move")?;
        writeln!(
            self.matches.text,
            "{id}\t{}\t{setup}\t{}\tt\t{one}\t{other}\t1600\t1600\t{}\t{score1}\t{score2}\t0\t{at}\t{}\t{}\tt\t{RULES_VERSION}",
            kind.id(),
            terms.clock,
            game.version(),
            time(due.0),
            to_move.number(),
        )?;
        Ok(())
    }

    /// Sends the rows if there are more bytes than `least`. Matches are first, because their events refer to them.
    async fn send(&mut self, db: &mut PgConnection, least: usize) -> Result<()> {
        if self.matches.text.len() > least {
            self.matches.send(db, 0).await?;
            self.events.send(db, 0).await?;
        }
        Ok(())
    }
}

fn now() -> i64 {
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
