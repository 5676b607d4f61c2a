//! `tochki`: the arena's one binary. `serve` runs it, `operator` manages its operators, `backup`, `restore` and `verify` keep its
//! database, `export` writes its games into a file, `games` packs them, `replay` checks game records without a server and `convert` writes them in
//! another form, `engine` plays by a text protocol, `duel` is a referee between two programs, `puzzles` finds, makes and checks
//! puzzles, `pairings` and `standings` are those of tournaments without a server.

mod backup_command;
mod command_database;
mod convert_command;
mod export_command;
mod games_command;
mod operator_command;
mod puzzles_command;
mod tournament_commands;

use self::backup_command::BackupVerb;
use anyhow::Context as _;
use clap::{Parser, Subcommand};
use leptos::config::{LeptosOptions, get_configuration};
use mimalloc::MiMalloc;
use own_postgres::OwnPostgres;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use tochki_pages::translations::overlay;
use tochki_protocol::limits;
use tochki_server::settings::{LogFormat, Settings};
use tochki_server::{AppState, db, metrics, traces};
use tochki_web::http::traces::Traces;
use tochki_web::{http, line};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

/// The allocator. That of glibc costs a tenth of a move, because its heaps grow and shrink.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

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
    /// Read game records, from standard input one JSON object a line, and write the result of each.
    Replay(convert_command::ReplayArgs),
    /// Write game records in another form, such as WTHOR as SGF.
    Convert(convert_command::ConvertArgs),
    /// Add, remove and list the operators, who read reports, mute players, close accounts and annul matches.
    Operator {
        #[command(subcommand)]
        verb: operator_command::OperatorVerb,
    },
    /// Write the whole database into a file, also while a server runs on it.
    Backup {
        /// The file. A file of this name is replaced once the backup is complete.
        file: PathBuf,
    },
    /// Read a backup into an empty database.
    Restore {
        /// The file.
        file: PathBuf,
    },
    /// Write all finished games into a file, a line of JSON each, compressed with gzip. Also while a server runs.
    Export {
        /// The file. A file of this name is replaced once the new one is complete.
        file: PathBuf,
    },
    /// Pack the finished games, unpack them for the release before, or print what they take.
    Games {
        #[command(subcommand)]
        verb: games_command::GamesVerb,
    },
    /// Print a checksum over all matches, events and ratings, and replay every match. Fails if a match does not replay to its
    /// stored state.
    Verify,
    /// Find puzzles in the finished games of the arena, make them out of games of the engines, or check them.
    Puzzles {
        #[command(subcommand)]
        verb: puzzles_command::PuzzlesVerb,
    },
    /// Read a Swiss tournament (TRF-2026) from standard input, and print the pairs of its next round.
    Pairings(tournament_commands::PairingsArgs),
    /// Read tournaments from standard input, one JSON object a line, and print the standings of each.
    Standings,
    #[command(flatten)]
    Engines(tochki_engine_cli::Verb),
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    match cli.verb {
        Some(Verb::Replay(args)) => convert_command::replay(&args),
        Some(Verb::Convert(args)) => convert_command::convert(&args),
        Some(Verb::Engines(verb)) => verb.run().map_err(anyhow::Error::from_boxed),
        Some(Verb::Operator { verb }) => operator_command::run(&cli.settings, verb),
        Some(Verb::Backup { file }) => backup(&cli.settings, BackupVerb::Backup(file)),
        Some(Verb::Restore { file }) => backup(&cli.settings, BackupVerb::Restore(file)),
        Some(Verb::Export { file }) => {
            start_log(cli.settings.log_format, "warn", None);
            export_command::run(&cli.settings, &file)
        }
        Some(Verb::Games { verb }) => {
            start_log(cli.settings.log_format, "warn", None);
            games_command::run(&cli.settings, verb)
        }
        Some(Verb::Verify) => backup(&cli.settings, BackupVerb::Verify),
        Some(Verb::Puzzles { verb }) => puzzles_command::run(&cli.settings, verb),
        Some(Verb::Pairings(args)) => tournament_commands::pairings(&args),
        Some(Verb::Standings) => tournament_commands::standings(),
        Some(Verb::Serve) | None => serve(cli.settings),
    }
}

fn backup(settings: &Settings, verb: BackupVerb) -> anyhow::Result<()> {
    start_log(settings.log_format, "warn", None);
    backup_command::run(settings, verb)
}

/// The exit code of a process that was told twice to end, as of one that was ended by Ctrl-C.
const EXIT_AT_ONCE: i32 = 130;

#[tokio::main]
async fn serve(settings: Settings) -> anyhow::Result<()> {
    let traces = Traces::from_env(settings.trust_proxy > 0)?;
    start_log(settings.log_format, "info", traces.as_ref());
    if let Some(traces) = &traces {
        tracing::info!("traces go to {}", traces.collector());
    }

    if let Some(folder) = &settings.texts {
        let changed = overlay::load(folder).context("TEXTS")?;
        tracing::info!("{changed} texts are changed by {}", folder.display());
    }
    // Bound before anything is started, so that a second server on one address ends at once and in words.
    let listener = tokio::net::TcpListener::bind(settings.listen)
        .await
        .with_context(|| format!("cannot listen on {}", settings.listen))?;
    let closing = CancellationToken::new();
    if let Some(url) = &settings.database_url {
        let options = url.parse().context("DATABASE_URL is invalid")?;
        return serve_on(listener, settings, options, traces, closing).await;
    }
    let mut own = OwnPostgres::start(&data_dir(&settings)?).await?;
    let serving = serve_on(listener, settings, own.options(), traces, closing.clone());
    tokio::pin!(serving);
    let served = tokio::select! {
        served = &mut serving => served,
        failure = own.keep_running(|| metrics::task_restarted("postgres")) => {
            // Nothing can be kept any more, so nothing is promised either.
            closing.cancel();
            let _ = serving.await;
            Err(failure).context("the server has lost its Postgres")
        }
    };
    own.stop().await;
    served
}

/// Writes the log to standard error, one line an event. `RUST_LOG` filters it, if it is set, but not the spans of traces. Where
/// traces are collected, they are from now on.
fn start_log(format: LogFormat, default_filter: &str, traces: Option<&Traces>) {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default_filter));
    let untraced = format!("{}=off", traces::TARGET);
    let filter = filter.add_directive(untraced.parse().expect("a directive"));
    let log = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let log = match format {
        LogFormat::Text => log.with_filter(filter).boxed(),
        LogFormat::Json => log.json().with_filter(filter).boxed(),
    };
    let log = tracing_subscriber::registry().with(log);
    match traces {
        Some(traces) => log.with(traces.layer()).init(),
        None => log.init(),
    }
    // A panic is one line as well, with the id of its request, unless a stream has panicked. What it says may hold what a user has typed.
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string);
        let words = panic.payload_as_str().unwrap_or_default();
        tracing::error!(at, ?words, "a panic");
    }));
}

async fn serve_on(
    listener: tokio::net::TcpListener,
    settings: Settings,
    options: db::ConnectOptions,
    traces: Option<Traces>,
    closing: CancellationToken,
) -> anyhow::Result<()> {
    let db = db::open(
        options,
        settings.database_connections,
        db::Timeouts::default(),
    )
    .await
    .context("cannot use the database")?;
    close_on_signal(closing.clone())?;
    let site = site(&settings);
    tracing::info!("Tochki is at http://{}", settings.listen);
    // First, so that nothing is counted unseen.
    let metrics_handle = match settings.metrics_addr {
        Some(_) => Some(http::metrics::install().context("cannot collect metrics")?),
        None => None,
    };
    let app = AppState::open(db.clone(), settings.clone(), closing.clone())
        .await
        .context("cannot use the database")?;
    tochki_house_bots::start(&app);
    app.mails.start(&app.tasks, tochki_pages::mail::compose);
    tochki_web::push::start(&app).context("cannot send pushes")?;
    if let (Some(address), Some(handle)) = (settings.metrics_addr, metrics_handle) {
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}"))?;
        tracing::info!("metrics are at http://{address}/metrics");
        http::start_metrics(listener, handle, &app).context("cannot serve metrics")?;
    }
    let connections = http::Connections::of(&settings);
    let lines = match settings.line_listen {
        Some(address) => {
            let listener = tokio::net::TcpListener::bind(address)
                .await
                .with_context(|| format!("cannot listen on {address}"))?;
            tracing::info!("the line protocol is at {address}");
            let (app, closing) = (app.clone(), closing.clone());
            let serving = line::serve(listener, app, connections.clone(), closing);
            Some(tokio::spawn(serving))
        }
        None => None,
    };
    http::serve(listener, http::router(app, site), connections, closing).await;
    if let Some(lines) = lines {
        // It ends with the same signal, within the same time.
        let _ = lines.await;
    }
    // A connection that waits for a database that does not answer would be waited for without end.
    let closing_database = async {
        let closing = tokio::time::timeout(limits::POOL_CLOSE_TIMEOUT, db.close());
        if closing.await.is_err() {
            tracing::warn!("the connections to the database did not close in time");
        }
    };
    let closing_traces = async {
        if let Some(traces) = traces {
            traces.close().await;
        }
    };
    tokio::join!(closing_database, closing_traces);
    Ok(())
}

/// Returns the options of the site as cargo-leptos sets them, or by default those of `target/site`, beside which the binary runs
/// by itself.
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

/// Closes the arena at Ctrl-C or SIGTERM; a second signal ends the process at once.
fn close_on_signal(closing: CancellationToken) -> anyhow::Result<()> {
    let (mut term, mut int) = (
        signal(SignalKind::terminate())?,
        signal(SignalKind::interrupt())?,
    );
    tokio::spawn(async move {
        let mut signalled = async || {
            tokio::select! {
                _ = term.recv() => {}
                _ = int.recv() => {}
            }
        };
        signalled().await;
        tracing::info!("closing");
        closing.cancel();
        signalled().await;
        tracing::warn!("ending at once");
        std::process::exit(EXIT_AT_ONCE);
    });
    Ok(())
}
