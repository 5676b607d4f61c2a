//! The load tool: starts releases of the server, puts them under load, and prints a table of the results for each part of the
//! promises. Peers of the streams run in the same run with the same readers: nginx with nchan where it is installed, and a bare
//! writer of this program.
//!
//! ```text
//! cargo make load
//! target/release/tochki-load --only streams,lobby --streams 1000,5000 --http2
//! target/release/tochki-load --only moves,streams --graph load.svg
//! ```
//!
//! Everything is on loopback, and bounded in count and time. Every server has a Postgres of its own, unless several instances
//! are to share one. A part that fails does not keep the others from being measured.

mod bad_connections;
mod bare;
mod cli;
mod client;
mod correspondence;
mod delivery;
mod error;
mod event_stream;
mod fan_out;
mod files;
mod graph;
mod idle_connections;
mod instances;
mod lobby;
mod matches;
mod measure;
mod metrics;
mod moves;
mod nats;
mod nchan;
mod network;
mod numbers;
mod pages;
mod panels;
mod processes;
mod push_service;
mod pushes;
mod registrations;
mod response;
mod sampler;
mod sign_in;
mod streams;
mod tochki;

use clap::Parser as _;
use cli::{Cli, Measurement, Verb};
use error::{Error, Result};
use files::bounded;
use sampler::Run;

#[tokio::main]
async fn main() -> Result<()> {
    let cli = Cli::parse();
    // A connection is a file at both ends. The servers inherit the limit.
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(1024);
    let files = usize::try_from(files).unwrap_or(usize::MAX);
    if let Some(Verb::Bare { listen }) = cli.verb {
        return bare::serve(listen).await;
    }
    let measurements = if network::is_own() {
        network::set_up()?;
        vec![Measurement::Pushes]
    } else {
        cli.measurements()
    };
    let (mut runs, mut failed) = (Vec::new(), Vec::new());
    for measurement in measurements {
        if let Err(error) = measure(measurement, &cli, files, &mut runs).await {
            eprintln!("{measurement:?}: {error}");
            failed.push(measurement);
        }
    }
    if let Some(file) = cli.graph.as_ref().filter(|_| !network::is_own()) {
        graph::draw(file, &runs)?;
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!("not measured: {failed:?}").into())
}

async fn measure(
    measurement: Measurement,
    cli: &Cli,
    files: usize,
    runs: &mut Vec<Run>,
) -> Result<()> {
    match measurement {
        Measurement::Moves => moves::run(cli, runs).await,
        Measurement::Streams => streams::run(cli, files, runs).await,
        Measurement::Registrations => registrations::run(cli).await,
        Measurement::SignIn => sign_in::run(cli).await,
        Measurement::IdleConnections => idle_connections::run(cli, files).await,
        Measurement::Instances => instances::run(cli).await,
        Measurement::Pages => pages::run(cli).await,
        Measurement::Lobby => lobby::run(cli, files).await,
        Measurement::Correspondence => correspondence::run(cli).await,
        Measurement::Pushes => pushes::run(cli).await,
    }
}
