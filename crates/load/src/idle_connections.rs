//! Players beside connections that ask for nothing: the time that their moves take, and the number of players that are told
//! absent.

use crate::bad_connections::BadConnections;
use crate::cli::Cli;
use crate::event_stream::EventStream;
use crate::matches::{Match, play_evenly};
use crate::measure::{Durations, Table};
use crate::numbers::Numbers;
use crate::tochki::TochkiServer;
use crate::{Result, bounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;

/// The number of matches.
const MATCHES: usize = 16;

/// The interval of moves in each match.
const MOVE_INTERVAL: Duration = Duration::from_millis(500);

/// The time to wait for absences: an absence is told after 3 s, and so is a return.
const SETTLE_TIME: Duration = Duration::from_secs(5);

/// The least time beside bad connections: the server closes them after 10 s.
const MIN_SECONDS: u64 = 15;

/// The largest number of connections of either kind; more are another program's business.
const CONNECTIONS_MAX: usize = 10_000;

/// The text of a stream about a player who is away, before the time since when.
const ABSENCE_MARK: &[u8] = b"\"present\":false,\"gone_at\":";

pub(crate) async fn run(cli: &Cli, files: usize) -> Result<()> {
    let mut table = Table::new(&[
        "players beside",
        "moves",
        "p50",
        "p99",
        "told absent",
        "streams lost",
        "bad connections at once",
        "opened",
        "closed by the server",
        "not opened",
    ]);
    let tochki = TochkiServer::start(&cli.server, &[]).await?;
    let measured = measure(&tochki, cli, files).await;
    tochki.stop().await;
    for row in measured? {
        table.row(&row);
    }
    table.print();
    Ok(())
}

async fn measure(tochki: &TochkiServer, cli: &Cli, files: usize) -> Result<[Vec<String>; 2]> {
    let count = cli.connections.min(CONNECTIONS_MAX);
    let count = bounded("idle connections", 2 * count, files) / 2;
    let matches = Match::begin_all(tochki, MATCHES).await?;
    let (watched, _reading) = watch(tochki, &matches).await?;
    tokio::time::sleep(SETTLE_TIME).await;

    let moves = |seconds: u64| (seconds as usize * 1000) / MOVE_INTERVAL.as_millis() as usize;
    let before = watched.counts();
    let played = play_evenly(matches, MOVE_INTERVAL, moves(cli.seconds), |_, _| ()).await?;
    let (mut matches, mut took) = played;
    let away = count_away(&mut matches).await?;
    let mut alone = vec!["nobody else".to_owned()];
    alone.extend(cells(&mut took, before, watched.counts(), away));
    alone.extend(vec![String::new(); 4]);

    let before = watched.counts();
    let bad = BadConnections::open(tochki.address, count);
    let played = play_evenly(
        matches,
        MOVE_INTERVAL,
        moves(cli.seconds.max(MIN_SECONDS)),
        |_, _| (),
    );
    let (mut matches, mut took) = played.await?;
    let away = count_away(&mut matches).await?;
    let bad = bad.end().await;
    let mut beside = vec![format!("{count} silent, {count} slow")];
    beside.extend(cells(&mut took, before, watched.counts(), away));
    beside.extend([bad.most, bad.opened, bad.closed, bad.refused].map(|count| count.to_string()));
    Ok([alone, beside])
}

/// The counts of the events that the players' streams have told.
#[derive(Default)]
struct Watched {
    absences: AtomicUsize,
    lost: AtomicUsize,
}

impl Watched {
    /// Returns the number of absences that were told, and the number of streams that have ended.
    fn counts(&self) -> [usize; 2] {
        [&self.absences, &self.lost].map(|count| count.load(Ordering::SeqCst))
    }
}

/// Opens a stream for each player. The streams are read as long as the tasks are there.
async fn watch(tochki: &TochkiServer, matches: &[Match]) -> Result<(Arc<Watched>, JoinSet<()>)> {
    let watched = Arc::<Watched>::default();
    let mut reading = JoinSet::new();
    for game in matches {
        for cookies in game.cookies() {
            let stream = EventStream::open(tochki.address, &game.stream(), &cookies, 0).await?;
            let watched = watched.clone();
            reading.spawn(async move {
                let (mut stream, mut numbers) = (stream, Numbers::after(ABSENCE_MARK));
                while stream.read(numbers.buffer()).await.is_ok() {
                    while numbers.next().is_some() {
                        watched.absences.fetch_add(1, Ordering::SeqCst);
                    }
                }
                watched.lost.fetch_add(1, Ordering::SeqCst);
            });
        }
    }
    Ok((watched, reading))
}

/// Returns the number of players who are away, as the snapshots say.
async fn count_away(matches: &mut [Match]) -> Result<usize> {
    let mut away = 0;
    for game in matches {
        away += game.away().await?;
    }
    Ok(away)
}

fn cells(took: &mut Durations, before: [usize; 2], after: [usize; 2], away: usize) -> [String; 5] {
    [
        took.count().to_string(),
        took.percentile(50),
        took.percentile(99),
        // A player who comes back was told absent by the streams, and a player who has not, by the snapshots as well.
        away.max(after[0] - before[0]).to_string(),
        (after[1] - before[1]).to_string(),
    ]
}
