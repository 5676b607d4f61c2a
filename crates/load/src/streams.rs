//! Streams of one match, at our server over HTTP/1.1 and HTTP/2 and at the peers.

use crate::bare::Bare;
use crate::cli::Cli;
use crate::client::Client;
use crate::fan_out::{Load, Publisher, Server, measure};
use crate::matches::Match;
use crate::measure::Table;
use crate::nchan::Nchan;
use crate::sampler::{self, Run};
use crate::tochki::TochkiServer;
use crate::{Result, bounded};
use std::net::SocketAddr;
use std::time::Duration;

/// The largest number of streams; more are another program's business.
const STREAMS_MAX: usize = 50_000;

/// Measures each number of streams, at a server of its own and at the peers.
pub(crate) async fn run(cli: &Cli, files: usize, runs: &mut Vec<Run>) -> Result<()> {
    let mut table = Table::new(&[
        "streams",
        "memory a stream",
        "CPU a delivery",
        "p50",
        "p99",
        "burst, deliveries/s",
    ]);
    for &count in &cli.streams {
        let wanted = count.clamp(1, STREAMS_MAX);
        let load = Load {
            count: bounded("streams", wanted, files),
            seconds: Duration::from_secs(cli.seconds),
            events: cli.events,
            burst: cli.burst,
        };
        table.row(&at_house(cli, &load, false, runs).await?);
        if cli.http2 {
            // Many share a connection, so files do not bound them.
            let load = Load {
                count: wanted,
                ..load
            };
            table.row(&at_house(cli, &load, true, runs).await?);
        }
        if !cli.alone {
            at_peers(&load, &mut table).await?;
        }
    }
    table.print();
    Ok(())
}

/// Measures streams of a match of ours.
async fn at_house(cli: &Cli, load: &Load, http2: bool, runs: &mut Vec<Run>) -> Result<Vec<String>> {
    let tochki = TochkiServer::start(&cli.server, &cli.metrics()?).await?;
    let measured = async {
        let game = Match::begin(&tochki, 0).await?;
        let server = Server {
            name: if http2 {
                "tochki over HTTP/2"
            } else {
                "tochki"
            },
            address: tochki.address,
            path: game.stream(),
            mark: b"id: ",
            processes: vec![tochki.process()],
            http2,
        };
        measure(&server, Publisher::Match(game), load).await
    };
    let kind = if http2 { " of HTTP/2" } else { "" };
    let name = format!("{} streams{kind}", load.count);
    let row = sampler::during(&tochki, name, runs, measured).await;
    tochki.stop().await;
    row
}

/// Measures the same number of streams at other servers.
async fn at_peers(load: &Load, table: &mut Table) -> Result<()> {
    match Nchan::start().await? {
        Some(nchan) => {
            let row = at_peer("nchan", nchan.address, nchan.processes(), load).await;
            nchan.stop().await;
            table.row(&row?);
        }
        None => {
            eprintln!("nchan is not installed (Debian: apt-get install libnginx-mod-nchan)");
        }
    }
    let bare = Bare::start().await?;
    let row = at_peer("bare writer", bare.address, vec![bare.process()], load).await;
    bare.stop().await;
    table.row(&row?);
    Ok(())
}

async fn at_peer(
    name: &str,
    address: SocketAddr,
    processes: Vec<u32>,
    load: &Load,
) -> Result<Vec<String>> {
    let publisher = Publisher::Peer(Client::connect(address).await?, 0);
    let server = Server {
        name,
        address,
        path: "/sub".to_owned(),
        mark: b"\"number\":",
        processes,
        http2: false,
    };
    measure(&server, publisher, load).await
}
