//! Streams of one match: their memory, the processor time of a delivery, the time from a move to each reader, and a burst.

use crate::Result;
use crate::client::{Client, find};
use crate::house::{House, Match};
use crate::measure::{Durations, cpu, memory};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

/// What is done.
pub(crate) struct Load {
    pub(crate) count: usize,
    pub(crate) seconds: Duration,
    pub(crate) events: u32,
    pub(crate) burst: u32,
}

/// How many streams are opened at a time.
const OPENING: usize = 100;

/// How many events can be told apart.
const EVENTS_MAX: usize = 2048;

/// For how long a reader waits for the rest.
const READ_TIMEOUT: Duration = Duration::from_mins(1);

/// When each event was sent, by its number, in microseconds since the beginning.
struct Clock {
    begun: Instant,
    sent: Vec<AtomicU64>,
    received: AtomicUsize,
}

impl Clock {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            begun: Instant::now(),
            sent: (0..EVENTS_MAX).map(|_| AtomicU64::new(0)).collect(),
            received: AtomicUsize::new(0),
        })
    }

    fn note(&self, number: usize) {
        let now = self.begun.elapsed().as_micros() as u64;
        self.sent[number].store(now, Ordering::SeqCst);
    }
}

/// What is published, and where.
enum Publisher<'a> {
    Match(&'a mut Match),
    Peer(Client, usize),
}

impl Publisher<'_> {
    /// The number of the next event.
    fn next(&self) -> usize {
        match self {
            Self::Match(game) => game.played() + 1,
            Self::Peer(_, last) => last + 1,
        }
    }

    async fn publish(&mut self, clock: &Clock) -> Result<()> {
        let number = self.next();
        if number >= EVENTS_MAX {
            return Err("too many events".into());
        }
        clock.note(number);
        match self {
            Self::Match(game) => game.play().await?.ok()?,
            Self::Peer(client, last) => {
                *last = number;
                // As long as an event of a match.
                let body = format!(
                    "{{\"seat\":1,\"mv\":\"17,23\",\"clock\":{{\"left\":[10799000,10798000],\"at\":1790000000000}},\"number\":{number},\"to_move\":2}}"
                );
                client
                    .send("POST", "/pub", "text/plain", body.as_bytes())
                    .await?
                    .ok()?
            }
        };
        Ok(())
    }
}

/// The streams of a match of ours.
pub(crate) async fn of_house(house: &House, load: &Load) -> Result<Vec<String>> {
    let mut game = house.begin_match(0).await?;
    let path = format!("/events/match/{}?after=1", game.id);
    let processes = [house.process()];
    let publisher = Publisher::Match(&mut game);
    measure(
        "tochki",
        house.address,
        &path,
        b"id: ",
        &processes,
        publisher,
        load,
    )
    .await
}

/// The same number of streams of a peer.
pub(crate) async fn of_peer(
    name: &str,
    address: SocketAddr,
    processes: &[u32],
    load: &Load,
) -> Result<Vec<String>> {
    let publisher = Publisher::Peer(Client::connect(address).await?, 0);
    measure(
        name,
        address,
        "/sub",
        b"\"number\":",
        processes,
        publisher,
        load,
    )
    .await
}

async fn measure(
    name: &str,
    address: SocketAddr,
    path: &str,
    mark: &'static [u8],
    processes: &[u32],
    mut publisher: Publisher<'_>,
    load: &Load,
) -> Result<Vec<String>> {
    let clock = Clock::new();
    let memory_before = memory(processes);
    let (results, mut finished) = mpsc::unbounded_channel();
    let first = publisher.next();
    let steady = (load.seconds.as_secs() as usize * load.events as usize).min(1000);
    let last = first + steady + load.burst as usize - 1;
    let mut opened = 0;
    while opened < load.count {
        let opening = (opened..load.count.min(opened + OPENING))
            .map(|_| tokio::spawn(open(address, path.to_owned())));
        let opening: Vec<_> = opening.collect();
        for socket in opening {
            let socket = socket.await??;
            opened += 1;
            let (clock, results) = (clock.clone(), results.clone());
            tokio::spawn(async move {
                let read = read_until(socket, mark, &clock, last, first + steady).await;
                let _ = results.send(read);
            });
        }
    }
    drop(results);
    // What opening them has left to do.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let memory_of_one = memory(processes).saturating_sub(memory_before) / load.count as u64;

    let cpu_before = cpu(processes);
    let mut interval = tokio::time::interval(Duration::from_secs(1) / load.events);
    for _ in 0..steady {
        interval.tick().await;
        publisher.publish(&clock).await?;
    }
    wait_for(&clock, steady * load.count).await?;
    let cpu_of_one = cpu(processes).saturating_sub(cpu_before).as_secs_f64() * 1e6
        / (steady * load.count) as f64;

    let begun = Instant::now();
    for _ in 0..load.burst {
        publisher.publish(&clock).await?;
    }
    let in_all = (steady + load.burst as usize) * load.count;
    wait_for(&clock, in_all).await?;
    let burst = (load.burst as usize * load.count) as f64 / begun.elapsed().as_secs_f64();

    let mut took = Durations::default();
    while let Some(read) = finished.recv().await {
        took.merge(read?);
    }
    Ok(vec![
        format!("{} at {name}", load.count),
        format!("{:.1} KiB", memory_of_one as f64 / 1024.0),
        format!("{cpu_of_one:.1} µs"),
        took.percentile(50),
        took.percentile(99),
        format!("{burst:.0}"),
    ])
}

/// Waits until so many events have been received in all.
async fn wait_for(clock: &Clock, count: usize) -> Result<()> {
    let until = Instant::now() + READ_TIMEOUT;
    while clock.received.load(Ordering::SeqCst) < count {
        if Instant::now() > until {
            let received = clock.received.load(Ordering::SeqCst);
            return Err(format!("{received} of {count} events have come").into());
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    Ok(())
}

/// Opens a stream, and reads the head of its response.
async fn open(address: SocketAddr, path: String) -> Result<(TcpStream, Vec<u8>)> {
    let mut socket = TcpStream::connect(address).await?;
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: text/event-stream\r\n\r\n");
    socket.write_all(request.as_bytes()).await?;
    let mut read = Vec::with_capacity(512);
    loop {
        if socket.read_buf(&mut read).await? == 0 {
            return Err("a stream was not opened".into());
        }
        if let Some(end) = find(&read, b"\r\n\r\n") {
            if !read.starts_with(b"HTTP/1.1 200") {
                return Err(String::from_utf8_lossy(&read).into_owned().into());
            }
            read.drain(..end + 4);
            return Ok((socket, read));
        }
    }
}

/// Reads events up to the last. Keeps how long those took that came before the burst.
async fn read_until(
    (mut socket, mut read): (TcpStream, Vec<u8>),
    mark: &[u8],
    clock: &Clock,
    last: usize,
    burst: usize,
) -> Result<Durations> {
    let mut took = Durations::default();
    let mut buffer = [0; 4096];
    loop {
        let now = clock.begun.elapsed().as_micros() as u64;
        let mut at = 0;
        while let Some(found) = find(&read[at..], mark) {
            let begin = at + found + mark.len();
            let digits = read[begin..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit());
            let end = begin + digits.count();
            if end == read.len() {
                break;
            }
            at = end;
            let number: usize = std::str::from_utf8(&read[begin..end])?.parse().unwrap_or(0);
            let sent = clock
                .sent
                .get(number)
                .map_or(0, |sent| sent.load(Ordering::SeqCst));
            // An id of another server counts otherwise.
            if sent == 0 {
                continue;
            }
            clock.received.fetch_add(1, Ordering::SeqCst);
            if number < burst {
                took.add(Duration::from_micros(now.saturating_sub(sent)));
            }
            if number == last {
                return Ok(took);
            }
        }
        let rest = read.len() - at;
        read.drain(..at.max(read.len() - rest.min(64)));
        let count = socket.read(&mut buffer).await?;
        if count == 0 {
            return Err("a stream has ended".into());
        }
        read.extend_from_slice(&buffer[..count]);
    }
}
