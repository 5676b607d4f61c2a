//! The command line.

use clap::Parser;
use std::path::PathBuf;
use tochki_client::rules::GameKind;
use tochki_engine_cli::protocol::Protocol;

/// Lets an engine play at a server of Tochki.
///
/// The account has to be one of a bot, with a token of the scopes `read` and `play`; its account page makes both.
#[derive(Debug, Parser)]
#[command(name = "tochki-bot", version)]
pub(crate) struct Args {
    /// The address of the server, such as `https://tochki.example`.
    #[arg(long, value_name = "URL")]
    pub(crate) server: String,
    /// A file with a token in each line. An account plays one game at a time, so several games at once need as many.
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) token: Vec<PathBuf>,
    /// The game: dots, boxes, gomoku, reversi; several with commas, if the engine plays them.
    #[arg(long, required = true, value_delimiter = ',')]
    pub(crate) game: Vec<GameKind>,
    /// The protocol of the engine: `text` is ours, for all games.
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) protocol: Protocol,
    /// A TOML file that says whom to play and how (docs/bots.md).
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// The most games at once, whatever the rules say.
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<usize>,
    /// The engine and its arguments.
    #[arg(last = true, required = true)]
    pub(crate) engine: Vec<String>,
}
