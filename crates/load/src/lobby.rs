//! A full waiting room in which others come and go: the time until each waiting player sees a player come, and its cost. Twice as
//! many waiting players should cost twice as much and no more.

use crate::cli::Cli;
use crate::delivery::Sent;
use crate::event_stream::EventStream;
use crate::measure::{Durations, Table};
use crate::numbers::Numbers;
use crate::processes::{CpuUse, megabytes, memory};
use crate::tochki::TochkiServer;
use crate::{Error, Result, bounded};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

/// The number of visitors, who come and go.
const VISITORS: usize = 20;

/// The interval at which each visitor comes, and the time for which they stay: in all ten changes a second. A player who is away
/// for less than a second has not left.
const VISIT_INTERVAL: Duration = Duration::from_secs(4);
const VISIT_DURATION: Duration = Duration::from_secs(1);

/// The number of guests that come, or of streams that are opened, at a time.
const CONCURRENCY: usize = 20;

/// The time in which the room tells all waiting players.
const SETTLE_TIME: Duration = Duration::from_secs(5);

/// The largest number of waiting players; more are another program's business.
const WAITING_MAX: usize = 5000;

const STREAM: &str = "/events/lobby?game=dots";

/// The text before the id of a player who has come.
const JOINED: &[u8] = b"event: joined\ndata: {\"id\":";

pub(crate) async fn run(cli: &Cli, files: usize) -> Result<()> {
    let mut table = Table::new(&[
        "players who wait",
        "changes/s",
        "p50",
        "p99",
        "deliveries",
        "server CPU",
        "Postgres CPU",
        "server CPU a delivery",
        "bytes/s to each",
        "server memory",
    ]);
    for &count in &cli.waiting {
        let count = bounded("players", count.clamp(1, WAITING_MAX), files);
        let tochki = TochkiServer::start(&cli.server, &[]).await?;
        let row = measure(&tochki, count, cli.seconds).await;
        tochki.stop().await;
        table.row(&row?);
    }
    table.print();
    Ok(())
}

/// The state that the readers and the visitors share.
struct ReaderState {
    /// The places of the visitors, by their ids.
    visitors: HashMap<usize, usize>,
    /// The time at which each visitor came, by place.
    sent: Arc<Sent>,
    bytes: AtomicU64,
    ended: AtomicBool,
}

async fn measure(tochki: &TochkiServer, count: usize, seconds: u64) -> Result<Vec<String>> {
    let address = tochki.address;
    let waiting = guests(tochki, "Wait", count).await?;
    let visitors = guests(tochki, "Visit", VISITORS).await?;
    let places = visitors.iter().map(|(id, _)| *id).zip(0..);
    let state = Arc::new(ReaderState {
        visitors: places.collect(),
        sent: Sent::new(VISITORS),
        bytes: AtomicU64::new(0),
        ended: AtomicBool::new(false),
    });
    let mut readers = JoinSet::new();
    let mut waiting = waiting.into_iter();
    while readers.len() < count {
        let opening: Vec<_> = waiting
            .by_ref()
            .take(CONCURRENCY)
            .map(|(_, cookies)| tokio::spawn(open(address, cookies)))
            .collect();
        for stream in opening {
            readers.spawn(read(stream.await??, state.clone()));
        }
    }
    tokio::time::sleep(SETTLE_TIME).await;

    let (cpu, begun) = (CpuUse::begin(tochki.process()), Instant::now());
    let bytes_before = state.bytes.load(Ordering::SeqCst);
    let rounds = u32::try_from(2 * seconds)?.div_ceil(VISIT_INTERVAL.as_secs() as u32);
    let mut coming = JoinSet::new();
    for (place, (_, cookies)) in visitors.into_iter().enumerate() {
        let first = begun + VISIT_INTERVAL / VISITORS as u32 * place as u32;
        coming.spawn(churn(address, cookies, state.clone(), place, first, rounds));
    }
    while let Some(visitor) = coming.join_next().await {
        visitor??;
    }
    let (elapsed, percent) = (begun.elapsed().as_secs_f64(), cpu.percent());
    let bytes = state.bytes.load(Ordering::SeqCst) - bytes_before;
    let [server_used, _] = cpu.used();

    state.ended.store(true, Ordering::SeqCst);
    let mut took = Durations::default();
    while let Some(read) = readers.join_next().await {
        took.merge(read??);
    }
    // Each has come and left.
    let changes = 2 * VISITORS * rounds as usize;
    let arrivals = took.count();
    let deliveries = (changes * count) as f64;
    let [server, postgres] = percent;
    Ok(vec![
        count.to_string(),
        format!("{:.1}", changes as f64 / elapsed),
        took.percentile(50),
        took.percentile(99),
        format!("{:.1} %", 100.0 * arrivals as f64 / (deliveries / 2.0)),
        server,
        postgres,
        format!("{:.1} µs", server_used.as_secs_f64() * 1e6 / deliveries),
        format!("{:.0}", bytes as f64 / count as f64 / elapsed),
        megabytes(memory(&[tochki.process()])),
    ])
}

/// Registers so many new guests. Returns their ids, and their cookies.
async fn guests(tochki: &TochkiServer, name: &str, count: usize) -> Result<Vec<(usize, String)>> {
    let mut guests = Vec::with_capacity(count);
    for number in 0..count {
        let (client, id) = tochki.guest(&format!("{name}-{number}")).await?;
        guests.push((usize::try_from(id)?, client.cookies()));
    }
    Ok(guests)
}

async fn open(address: SocketAddr, cookies: String) -> Result<EventStream> {
    EventStream::open(address, STREAM, &cookies, 0).await
}

/// Waits in the room. Returns the times it took to see each visitor come.
async fn read(mut stream: EventStream, state: Arc<ReaderState>) -> Result<Durations> {
    let (mut took, mut numbers) = (Durations::default(), Numbers::after(JOINED));
    // Something comes every 3 s.
    while !state.ended.load(Ordering::SeqCst) {
        let count = stream.read(numbers.buffer()).await?;
        state.bytes.fetch_add(count as u64, Ordering::Relaxed);
        while let Some(id) = numbers.next() {
            let visitor = state.visitors.get(&id);
            if let Some(duration) = visitor.and_then(|place| state.sent.receive(*place)) {
                took.add(duration);
            }
        }
    }
    Ok(took)
}

/// Comes in so many periods, and leaves again.
async fn churn(
    address: SocketAddr,
    cookies: String,
    state: Arc<ReaderState>,
    place: usize,
    first: Instant,
    rounds: u32,
) -> Result<()> {
    for round in 0..rounds {
        let begun = first + VISIT_INTERVAL * round;
        sleep_until(begun).await;
        state.sent.note(place);
        let stream = open(address, cookies.clone()).await?;
        sleep_until(begun + VISIT_DURATION).await;
        drop(stream);
    }
    sleep_until(first + VISIT_INTERVAL * rounds).await;
    Ok::<_, Error>(())
}
