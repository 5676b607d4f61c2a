//! `tochki-bot`: an engine as a player at a server of Tochki.
//!
//! The bot uses `tochki_client`, as any other client can, and controls engines by the drivers of `tochki_engine_cli`.
//!
//! 1. `args` is the command line, `rules` the file of rules, `tokens` the file of tokens.
//! 2. `account` is an account and the state that all accounts share, `player` the task of one account: it listens to the
//!    personal stream, answers and sends challenges, and has a task for its match. `slots` limits the games of all accounts.
//! 3. `game` plays one match by its stream. The bot keeps no state that could be lost: the server has the moves. A move is
//!    sent with the version it was found for and a `client_id` made of match and version, so sending it twice makes it once.
//! 4. `engine` is a running engine process and the position that it has. It works on a thread for blocking calls; it is
//!    interrupted by killing the process.

mod account;
mod args;
mod engine;
mod error;
mod game;
mod player;
mod reply;
mod rules;
mod slots;
mod tokens;

use crate::account::{Bot, Player};
use crate::args::Args;
use crate::error::Error;
use clap::Parser as _;
use futures::future::select_all;
use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::sync::Arc;
use tochki_client::protocol::limits;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;
use tracing_subscriber::EnvFilter;

/// Runs the program: parses its arguments, of which the first is its name, and plays until a signal to stop.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = Args::parse_from(arguments);
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .with_writer(std::io::stderr)
        .init();
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(limits::BOT_MAX_THREADS)
        .build();
    let done = runtime.map_err(Error::from).and_then(|runtime| {
        let done = runtime.block_on(run(&args));
        runtime.shutdown_timeout(limits::BOT_SHUTDOWN_TIMEOUT);
        done
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: &Args) -> Result<(), Error> {
    let bot = Arc::new(Bot::new(args)?);
    let tokens = tokens::read(&args.token)?;
    for &game in &bot.games {
        let command = bot.command.clone();
        tokio::task::spawn_blocking(move || engine::check(&command, game)).await??;
    }
    let mut signals = Vec::new();
    for kind in [SignalKind::interrupt(), SignalKind::terminate()] {
        signals.push(signal(kind)?);
    }
    let told = select_all(signals.iter_mut().map(|signal| Box::pin(signal.recv())));
    let playing = async {
        let mut tasks = JoinSet::new();
        for token in tokens {
            let player = Player::sign_in(bot.clone(), &args.server, &token).await?;
            tasks.spawn(player.run());
        }
        // An account that cannot go on is a mistake to be seen; the others lose no move when the bot is started again.
        match tasks.join_next().await {
            Some(ended) => ended?.map(|never| match never {}),
            None => Err("there is no token".into()),
        }
    };
    tokio::select! {
        ended = playing => ended,
        _ = told => {
            tracing::info!("shutting down; running games continue when the bot is started again");
            Ok(())
        }
    }
}
