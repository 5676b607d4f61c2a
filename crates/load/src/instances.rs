//! Two instances on one database: from a move sent to one until its event is at a stream of the other.

use crate::Result;
use crate::cli::Cli;
use crate::delivery::{Sent, read_until};
use crate::event_stream::EventStream;
use crate::matches::{Match, play_evenly};
use crate::measure::{Durations, Table};
use crate::nats::Nats;
use crate::numbers::Numbers;
use crate::tochki::{Setting, TochkiServer};
use own_postgres::OwnPostgres;
use std::time::Duration;

/// The number of matches.
const MATCHES: usize = 16;

/// The number of moves in a second, in all matches together.
const MOVES_A_SECOND: u32 = 10;

/// The longest measurement: players without a stream lose after 150 s.
const SECONDS_MAX: f64 = 90.0;

/// The time in which the streams of both instances reach the state of the moves.
const SETTLE_TIME: Duration = Duration::from_secs(2);

/// The timeout of the last event. An instance polls for events that it was not told of every 2 s.
const TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) async fn run(cli: &Cli) -> Result<()> {
    let mut table = Table::new(&[
        "instances told by",
        "moves",
        "answer p50",
        "p99",
        "event here p50",
        "p99",
        "event there p50",
        "p99",
    ]);
    table.row(&with_bus(cli, "Postgres", &[]).await?);
    match Nats::start().await? {
        Some(nats) => {
            let setting = ("NATS_URL", nats.url.clone());
            let row = with_bus(cli, "NATS", &[setting]).await;
            nats.stop().await;
            table.row(&row?);
        }
        None => eprintln!("NATS is not installed (Debian: apt-get install nats-server)"),
    }
    table.print();
    Ok(())
}

/// Measures two instances with these settings, on a database of their own.
async fn with_bus(cli: &Cli, bus: &str, settings: &[Setting]) -> Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    let postgres = OwnPostgres::start(folder.path()).await?;
    let mut settings = settings.to_vec();
    settings.push(("DATABASE_URL", postgres.url()));
    let measured = async {
        // The first one makes the tables.
        let here = TochkiServer::start(&cli.server, &settings).await?;
        let there = match TochkiServer::start(&cli.server, &settings).await {
            Ok(there) => there,
            Err(error) => {
                here.stop().await;
                return Err(error);
            }
        };
        let measured = measure(&here, &there, cli.seconds).await;
        tokio::join!(here.stop(), there.stop());
        measured
    }
    .await;
    postgres.stop().await;
    let [mut answers, mut here, mut there] = measured?;
    let mut row = vec![bus.to_owned(), answers.count().to_string()];
    for durations in [&mut answers, &mut here, &mut there] {
        row.extend([50, 99].map(|percent| durations.percentile(percent)));
    }
    Ok(row)
}

/// Returns the times of answers, of events at the instance of the moves, and of events at the other.
async fn measure(
    here: &TochkiServer,
    there: &TochkiServer,
    seconds: u64,
) -> Result<[Durations; 3]> {
    let matches = Match::begin_all(here, MATCHES).await?;
    let period = Duration::from_secs(1) / MOVES_A_SECOND * MATCHES as u32;
    let seconds = (3.0 * seconds as f64).min(SECONDS_MAX);
    let moves = (seconds / period.as_secs_f64()).ceil() as usize;
    let (mut readers, mut clocks) = ([Vec::new(), Vec::new()], Vec::new());
    for game in &matches {
        // Of each event the two instances have one reader each.
        let last = game.played() + moves;
        let clock = Sent::new(last + 1);
        for (tochki, readers) in [here, there].into_iter().zip(&mut readers) {
            let stream = EventStream::open(tochki.address, &game.stream(), "", 0).await?;
            let numbers = Numbers::after(b"id: ");
            let reading = read_until(stream, numbers, clock.clone(), last, last + 1);
            readers.push(tokio::spawn(tokio::time::timeout(
                Duration::from_secs_f64(seconds) + TIMEOUT,
                reading,
            )));
        }
        clocks.push(clock);
    }
    tokio::time::sleep(SETTLE_TIME).await;
    // Cloning it clones the clocks, which are shared.
    let sent = move |place: usize, version: usize| clocks[place].note(version);
    let (_matches, answers) = play_evenly(matches, period, moves, sent).await?;
    let mut all = [answers, Durations::default(), Durations::default()];
    for (readers, durations) in readers.into_iter().zip(&mut all[1..]) {
        for reader in readers {
            let read = reader.await?.map_err(|_| "not all events have come")?;
            durations.merge(read?);
        }
    }
    Ok(all)
}
