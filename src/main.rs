//! `tochki`: the arena's one binary. `serve` runs it, `operator` says who moderates it, `replay` checks game records without a
//! server, `engine` plays by a text protocol, `duel` is a referee between two programs, `puzzles` finds, makes and checks
//! puzzles.

mod operator_command;
mod puzzles_command;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use leptos::config::{LeptosOptions, get_configuration};
use own_postgres::OwnPostgres;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use tochki::http;
use tochki_protocol::limits;
use tochki_server::settings::{LogFormat, Settings};
use tochki_server::{Arena, db};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Subcommand)]
enum Verb {
    /// Run the arena (the default).
    Serve,
    /// Read game records from standard input, one JSON object a line, and write what comes of each.
    Replay {
        /// Print only the last score of each game.
        #[arg(long)]
        quiet: bool,
    },
    /// Say who the operators are, who read reports, mute players, close accounts and annul matches.
    Operator {
        #[command(subcommand)]
        verb: operator_command::OperatorVerb,
    },
    /// Find puzzles in the finished games of the arena, make them out of games of the engines, or check them.
    Puzzles {
        #[command(subcommand)]
        verb: puzzles_command::PuzzlesVerb,
    },
    #[command(flatten)]
    Engines(tochki_engine_cli::Verb),
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    match cli.verb {
        Some(Verb::Replay { quiet }) => {
            let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
            Ok(tochki_rules::replay::replay(
                input,
                std::io::BufWriter::new(output),
                quiet,
            )?)
        }
        Some(Verb::Engines(verb)) => verb.run().map_err(anyhow::Error::from_boxed),
        Some(Verb::Operator { verb }) => operator_command::run(&cli.settings, verb),
        Some(Verb::Puzzles { verb }) => puzzles_command::run(&cli.settings, verb),
        Some(Verb::Serve) | None => serve(cli.settings),
    }
}

#[tokio::main]
async fn serve(settings: Settings) -> anyhow::Result<()> {
    start_log(settings.log_format);

    // Bound before anything is started, so that a second server on one address ends at once and in words.
    let listener = tokio::net::TcpListener::bind(settings.listen)
        .await
        .with_context(|| format!("cannot listen on {}", settings.listen))?;
    let own = match &settings.database_url {
        Some(_) => None,
        None => Some(OwnPostgres::start(&data_dir(&settings)?).await?),
    };
    let served = serve_on(listener, settings, own.as_ref()).await;
    if let Some(own) = own {
        own.stop().await;
    }
    served
}

/// Writes the log to standard error, one line an event. `RUST_LOG` says what is in it.
fn start_log(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
}

async fn serve_on(
    listener: tokio::net::TcpListener,
    settings: Settings,
    own: Option<&OwnPostgres>,
) -> anyhow::Result<()> {
    let options = match (&settings.database_url, own) {
        (Some(url), _) => url.parse().context("DATABASE_URL does not read")?,
        (None, Some(own)) => own.options(),
        (None, None) => anyhow::bail!("there is no database"),
    };
    let db = db::open(
        options,
        settings.database_connections,
        db::Timeouts::default(),
    )
    .await
    .context("cannot use the database")?;
    let closing = CancellationToken::new();
    close_on_signal(closing.clone())?;
    let site = site(&settings);
    tracing::info!("Tochki is at http://{}", settings.listen);
    let arena = Arena::open(db.clone(), settings.clone(), closing.clone())
        .await
        .context("cannot use the database")?;
    if let Some(address) = settings.metrics_addr {
        let handle = http::metrics::install().context("cannot collect metrics")?;
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}"))?;
        tracing::info!("metrics are at http://{address}/metrics");
        let (arena, closing) = (arena.clone(), closing.clone());
        tokio::spawn(http::metrics::serve(listener, handle, arena, closing));
    }
    let settings = arena.settings.clone();
    http::serve(listener, http::router(arena, site), &settings, closing).await;
    // A connection that waits for a database that does not answer would be waited for without end.
    if tokio::time::timeout(limits::POOL_CLOSE_TIMEOUT, db.close())
        .await
        .is_err()
    {
        tracing::warn!("the database did not let go in time");
    }
    Ok(())
}

/// What cargo-leptos says about the site, or what it is when the binary runs by itself beside `target/site`.
fn site(settings: &Settings) -> LeptosOptions {
    // Written beside the binary by cargo-leptos. A binary that cargo alone has built serves its pages all the same.
    let hashed =
        std::env::current_exe().is_ok_and(|binary| binary.with_file_name("hash.txt").exists());
    let told = std::env::var_os("LEPTOS_OUTPUT_NAME").and_then(|_| get_configuration(None).ok());
    let mut options = told.map_or_else(
        || {
            let root = std::env::var("LEPTOS_SITE_ROOT").unwrap_or_else(|_| "target/site".into());
            LeptosOptions::builder()
                .output_name("tochki")
                .site_root(root)
                .hash_files(hashed)
                .build()
        },
        |configuration| configuration.leptos_options,
    );
    options.site_addr = settings.listen;
    options
}

fn data_dir(settings: &Settings) -> anyhow::Result<PathBuf> {
    match &settings.data_dir {
        Some(folder) => Ok(folder.clone()),
        None => Ok(std::env::current_dir()
            .context("there is no current folder")?
            .join("data")),
    }
}

/// Ctrl-C and SIGTERM close the arena.
fn close_on_signal(closing: CancellationToken) -> anyhow::Result<()> {
    let (mut term, mut int) = (
        signal(SignalKind::terminate())?,
        signal(SignalKind::interrupt())?,
    );
    tokio::spawn(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
        tracing::info!("closing");
        closing.cancel();
    });
    Ok(())
}
