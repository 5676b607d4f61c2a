//! A publisher and many readers: the memory of a stream, the processor time of a delivery, the time to each reader, and a burst.

use crate::client::Client;
use crate::delivery::{EVENTS_MAX, Sent, read_until};
use crate::event_stream::{EventStream, Http2, STREAMS_BY_CONNECTION};
use crate::matches::Match;
use crate::measure::Durations;
use crate::numbers::Numbers;
use crate::processes::{cpu, memory};
use crate::{Error, Result};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// The load on a server.
pub(crate) struct Load {
    /// The number of readers.
    pub(crate) count: usize,
    /// The time for which events come evenly.
    pub(crate) seconds: Duration,
    /// The number of events in a second.
    pub(crate) events: u32,
    /// The number of events that come as fast as they are taken, after that.
    pub(crate) burst: u32,
}

/// The server whose streams are read.
pub(crate) struct Server<'a> {
    pub(crate) name: &'a str,
    pub(crate) address: SocketAddr,
    pub(crate) path: String,
    /// The text before the number of an event.
    pub(crate) mark: &'static [u8],
    pub(crate) processes: Vec<u32>,
    pub(crate) http2: bool,
}

/// The publisher of the events.
pub(crate) enum Publisher {
    Match(Match),
    /// A client of a peer, with the number of the last event.
    Peer(Client, usize),
}

impl Publisher {
    /// Returns the number of the next event.
    fn next(&self) -> usize {
        match self {
            Self::Match(game) => game.played() + 1,
            Self::Peer(_, last) => last + 1,
        }
    }

    async fn publish(&mut self, sent: &Sent) -> Result<()> {
        let number = self.next();
        if number >= EVENTS_MAX {
            return Err("too many events".into());
        }
        sent.note(number);
        match self {
            Self::Match(game) => game.play().await?.ok()?,
            Self::Peer(client, last) => {
                *last = number;
                // As long as an event of a match.
                let body = format!(
                    "{{\"seat\":1,\"mv\":\"17,23\",\"clock\":{{\"left\":[10799000,10798000],\"at\":1790000000000}},\"number\":{number},\"to_move\":2}}"
                );
                client
                    .post_body("/pub", "text/plain", body.as_bytes())
                    .await?
                    .ok()?
            }
        };
        Ok(())
    }
}

pub(crate) async fn measure(
    server: &Server<'_>,
    mut publisher: Publisher,
    load: &Load,
) -> Result<Vec<String>> {
    let (sent, processes) = (Sent::new(EVENTS_MAX), &server.processes);
    let memory_before = memory(processes);
    let (results, mut finished) = mpsc::unbounded_channel();
    let first = publisher.next();
    // There is a number and a point of the board for each.
    let (events, burst) = (load.events.clamp(1, 1000), load.burst.min(500) as usize);
    let steady = load.seconds.as_secs() as usize * events as usize;
    let steady = steady.clamp(1, Match::MOVES - first - burst);
    let last = first + steady + burst - 1;
    let mut opened = 0;
    while opened < load.count {
        let more = STREAMS_BY_CONNECTION.min(load.count - opened);
        for stream in open(server, opened, more).await? {
            let numbers = Numbers::after(server.mark);
            let reading = read_until(stream, numbers, sent.clone(), last, first + steady);
            let results = results.clone();
            tokio::spawn(async move {
                let _ = results.send(reading.await);
            });
        }
        opened += more;
    }
    drop(results);
    // Waits for the work that opening them has left.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let memory_of_one = memory(processes).saturating_sub(memory_before) / load.count as u64;

    let cpu_before = cpu(processes);
    let mut interval = tokio::time::interval(Duration::from_secs(1) / events);
    for _ in 0..steady {
        interval.tick().await;
        publisher.publish(&sent).await?;
    }
    sent.wait_for(steady * load.count).await?;
    let cpu_of_one = cpu(processes).saturating_sub(cpu_before).as_secs_f64() * 1e6
        / (steady * load.count) as f64;

    let begun = Instant::now();
    for _ in 0..burst {
        publisher.publish(&sent).await?;
    }
    sent.wait_for((steady + burst) * load.count).await?;
    let in_burst = (burst * load.count) as f64 / begun.elapsed().as_secs_f64();

    let mut took = Durations::default();
    while let Some(read) = finished.recv().await {
        took.merge(read?);
    }
    Ok(vec![
        format!("{} at {}", load.count, server.name),
        format!("{:.1} KiB", memory_of_one as f64 / 1024.0),
        format!("{cpu_of_one:.1} µs"),
        took.percentile(50),
        took.percentile(99),
        format!("{in_burst:.0}"),
    ])
}

/// Opens so many streams at once, beside the `opened` ones.
async fn open(server: &Server<'_>, opened: usize, count: usize) -> Result<Vec<EventStream>> {
    let (address, path) = (server.address, &server.path);
    let connection = if server.http2 {
        Some(Http2::connect(address).await?)
    } else {
        None
    };
    let opening: Vec<_> = (opened..opened + count)
        .map(|number| {
            let (path, connection) = (path.clone(), connection.clone());
            tokio::spawn(async move {
                let stream = match connection {
                    Some(connection) => connection.open(&path).await?,
                    None => EventStream::open(address, &path, "", number).await?,
                };
                Ok::<_, Error>(stream)
            })
        })
        .collect();
    let mut streams = Vec::with_capacity(count);
    for stream in opening {
        streams.push(stream.await??);
    }
    Ok(streams)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bare;
    use crate::tochki::{free_address, wait_for};

    #[tokio::test]
    async fn all_readers_of_a_bare_writer_are_waited_for() {
        let address = free_address().unwrap();
        tokio::spawn(bare::serve(address));
        wait_for(address).await.unwrap();
        let server = Server {
            name: "bare writer",
            address,
            path: "/sub".to_owned(),
            mark: b"\"number\":",
            processes: vec![std::process::id()],
            http2: false,
        };
        let load = Load {
            count: 120,
            seconds: Duration::from_secs(1),
            events: 20,
            burst: 5,
        };
        let publisher = Publisher::Peer(Client::connect(address).await.unwrap(), 0);
        let row = measure(&server, publisher, &load).await.unwrap();
        assert_eq!(row[0], "120 at bare writer");
        assert!(row[4].ends_with(" ms"), "{row:?}");
    }
}
