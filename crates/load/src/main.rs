//! The load tool: starts a release of the server, plays matches, opens event streams, and prints a table of what it measured.
//! Peers run in the same run with the same readers: nginx with nchan where it is installed, and a bare writer of this program.
//!
//! ```text
//! cargo make load
//! target/release/tochki-load --server target/release/tochki --streams 1000,5000
//! ```
//!
//! Everything is on loopback, and bounded in count and time.

mod bare;
mod client;
mod house;
mod measure;
mod moves;
mod nchan;
mod registrations;
mod streams;

use clap::{Parser, Subcommand};
use measure::Table;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,

    /// The release of the server.
    #[arg(long, default_value = "target/release/tochki")]
    server: PathBuf,

    /// Seconds of each measurement.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=60))]
    seconds: u64,

    /// Numbers of matches that are played at once.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 64, 256])]
    matches: Vec<usize>,

    /// Numbers of streams of one match.
    #[arg(long, value_delimiter = ',', default_values_t = [1000, 5000, 10_000])]
    streams: Vec<usize>,

    /// Events a second to the streams.
    #[arg(long, default_value_t = 10)]
    events: u32,

    /// Events of a burst.
    #[arg(long, default_value_t = 200)]
    burst: u32,

    /// Registrations, eight at a time.
    #[arg(long, default_value_t = 128)]
    registrations: usize,

    /// Leaves out the peers.
    #[arg(long)]
    alone: bool,
}

#[derive(Subcommand)]
enum Verb {
    /// Only writes what is posted to `/pub` to all who read `/sub`: how cheap it could be.
    Bare {
        /// Where to listen.
        listen: SocketAddr,
    },
}

/// More of either is another program's business.
const MATCHES_MAX: usize = 1000;
const STREAMS_MAX: usize = 20_000;

#[tokio::main]
async fn main() -> Result<()> {
    let cli = Cli::parse();
    // A stream is a file at both ends.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    if let Some(Verb::Bare { listen }) = cli.verb {
        return bare::serve(listen).await;
    }
    let seconds = Duration::from_secs(cli.seconds);

    let mut table = Table::new(&["moves", "moves/s", "p50", "p99", "server CPU a move"]);
    for &count in &cli.matches {
        let house = house::House::start(&cli.server).await?;
        let row = moves::measure(&house, count.min(MATCHES_MAX), seconds).await;
        house.stop().await;
        table.row(&row?);
    }
    table.print();

    let mut table = Table::new(&[
        "streams",
        "memory a stream",
        "CPU a delivery",
        "p50",
        "p99",
        "burst, deliveries/s",
    ]);
    for &count in &cli.streams {
        let load = streams::Load {
            count: count.min(STREAMS_MAX),
            seconds,
            events: cli.events,
            burst: cli.burst,
        };
        let house = house::House::start(&cli.server).await?;
        let row = streams::of_house(&house, &load).await;
        house.stop().await;
        table.row(&row?);
        if cli.alone {
            continue;
        }
        match nchan::Nchan::start().await? {
            Some(nchan) => {
                let row = streams::of_peer("nchan", nchan.address, &nchan.processes(), &load).await;
                nchan.stop().await;
                table.row(&row?);
            }
            None => {
                eprintln!("nchan is not installed (Debian: apt-get install libnginx-mod-nchan)");
            }
        }
        let bare = bare::Bare::start().await?;
        let row = streams::of_peer("bare writer", bare.address, &[bare.process()], &load).await;
        bare.stop().await;
        table.row(&row?);
    }
    table.print();

    let mut table = Table::new(&["registrations", "memory before", "most", "after", "took"]);
    let house = house::House::start(&cli.server).await?;
    let row = registrations::measure(&house, cli.registrations.min(1000)).await;
    house.stop().await;
    table.row(&row?);
    table.print();
    Ok(())
}
