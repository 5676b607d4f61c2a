//! The command line: the measurements, their sizes, and their times.

use crate::Result;
use crate::tochki::{Setting, with_metrics};
use clap::{Parser, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Parser)]
#[command(version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,

    /// The release of the server.
    #[arg(long, default_value = "target/release/tochki")]
    pub(crate) server: PathBuf,

    /// The site of that release; only `pages` needs it.
    #[arg(long, default_value = "target/site")]
    pub(crate) site: PathBuf,

    /// The program that fills a database for `correspondence` and `pushes`: an example of the server's crate.
    #[arg(long, default_value = "target/debug/examples/seeded")]
    pub(crate) seeded: PathBuf,

    /// Running matches by correspondence.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(20_000..=2_000_000))]
    pub(crate) slow_matches: u32,

    /// The measurements; by default all.
    #[arg(long, value_delimiter = ',', value_enum)]
    pub(crate) only: Vec<Measurement>,

    /// Seconds of each measurement. Some take a multiple of it.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=60))]
    pub(crate) seconds: u64,

    /// Numbers of matches that are played at once.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 64, 256])]
    pub(crate) matches: Vec<usize>,

    /// Numbers of streams of one match.
    #[arg(long, value_delimiter = ',', default_values_t = [1000, 5000, 10_000])]
    pub(crate) streams: Vec<usize>,

    /// Opens the streams over HTTP/2, too, 100 a connection.
    #[arg(long)]
    pub(crate) http2: bool,

    /// Events a second to the streams.
    #[arg(long, default_value_t = 10)]
    pub(crate) events: u32,

    /// Events of a burst.
    #[arg(long, default_value_t = 200)]
    pub(crate) burst: u32,

    /// Registrations, eight at a time.
    #[arg(long, default_value_t = 1000)]
    pub(crate) registrations: usize,

    /// Silent connections, and as many that send or read slowly.
    #[arg(long, default_value_t = 5000)]
    pub(crate) connections: usize,

    /// Numbers of players in one waiting room.
    #[arg(long, value_delimiter = ',', default_values_t = [250, 1000])]
    pub(crate) waiting: Vec<usize>,

    /// Leaves out the peers of the streams.
    #[arg(long)]
    pub(crate) alone: bool,

    /// Draws the metrics during `moves` and `streams` into this SVG file.
    #[arg(long)]
    pub(crate) graph: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Runs a bare server, which only writes the events posted to `/pub` to all readers of `/sub`: the least that a server of
    /// streams costs.
    Bare {
        /// The address and port to listen on.
        listen: SocketAddr,
    },
}

/// A measurement that can be made by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Measurement {
    /// Moves a second.
    Moves,
    /// Streams of one match, beside other servers.
    Streams,
    /// The memory that registrations leave behind.
    Registrations,
    /// Sign-ins while many register.
    SignIn,
    /// Players beside connections that send nothing, or little.
    IdleConnections,
    /// The time from a move at one instance to a stream at another.
    Instances,
    /// Pages and files a second.
    Pages,
    /// Players who come and go in a full waiting room.
    Lobby,
    /// Running matches by correspondence: what they cost where nobody moves, and where the time of many ends.
    Correspondence,
    /// Pushes beside live matches. It needs root, for a network of its own.
    Pushes,
}

impl Cli {
    /// Returns the measurements to make, in the order of the tables.
    pub(crate) fn measurements(&self) -> Vec<Measurement> {
        let wanted =
            |measurement: &&Measurement| self.only.is_empty() || self.only.contains(measurement);
        Measurement::value_variants()
            .iter()
            .filter(wanted)
            .copied()
            .collect()
    }

    /// Returns the settings of a server whose metrics are drawn.
    pub(crate) fn metrics(&self) -> Result<Vec<Setting>> {
        self.graph.iter().map(|_| with_metrics()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_measured_in_one_order() {
        let measurements = |arguments: &[&str]| {
            let arguments = ["tochki-load"].iter().chain(arguments);
            Cli::try_parse_from(arguments).map(|cli| cli.measurements())
        };
        assert_eq!(measurements(&[]).unwrap().len(), 10);
        assert_eq!(
            measurements(&["--only", "lobby,sign-in,moves"]).unwrap(),
            [Measurement::Moves, Measurement::SignIn, Measurement::Lobby]
        );
        assert!(measurements(&["--only", "weather"]).is_err());
    }
}
