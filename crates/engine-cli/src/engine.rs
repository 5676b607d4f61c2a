//! `tochki engine`: plays by a protocol on standard input and output.

use crate::io;
use crate::protocol::{Gomocup, Gtp, Nboard, Protocol, Session, Text};
use crate::random::RandomMover;
use crate::search::{MAX_MEMORY, NoEngineError, SearchOptions, Searcher};
use crate::time::Bounds;
use clap::Args;
use std::error::Error;
use std::io::ErrorKind;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tochki_engine::{AnyEngine, Level, Limits, Progress, Report};
use tochki_rules::{GameKind, Move, Position};

/// The protocol and the strength of the engine.
#[derive(Clone, Debug, Args)]
pub struct EngineArgs {
    /// The protocol.
    #[arg(long, value_enum, default_value = "text")]
    protocol: Protocol,
    /// The game that is played until the protocol names another one: dots, boxes, gomoku, reversi [default: the game of the
    /// protocol, or dots].
    #[arg(long)]
    game: Option<GameKind>,
    /// The seed, which fixes the moves of searches that are bounded by nodes [default: another one each time].
    #[arg(long)]
    seed: Option<u64>,
    /// The level, 1 to 8.
    #[arg(long, default_value = "8")]
    level: Level,
    /// Bytes that the engine may use, 3145728 or more.
    #[arg(long, default_value_t = Limits::DEFAULT_MEMORY, value_parser = parse_memory)]
    memory: usize,
    /// Milliseconds for a move where the protocol gives no time.
    #[arg(long, default_value = "1000", conflicts_with = "nodes")]
    time: u32,
    /// Nodes for a move instead of a time.
    #[arg(long)]
    nodes: Option<u64>,
    /// Draw moves instead of searching.
    #[arg(long)]
    random: bool,
}

impl EngineArgs {
    /// Plays with the engines of the games until the input ends.
    pub(crate) fn run(self) -> Result<(), Box<dyn Error + Send + Sync>> {
        if self.random {
            self.play(RandomMover::default())
        } else {
            self.play(Engines::default())
        }
    }

    /// Plays with any searcher until the input ends.
    ///
    /// # Errors
    ///
    /// If the game is not one of the protocol, or the answers cannot be written.
    pub fn play(self, searcher: impl Searcher) -> Result<(), Box<dyn Error + Send + Sync>> {
        let game = match (self.game, self.protocol.game()) {
            (Some(game), Some(only)) if game != only => {
                return Err(format!("this protocol is only for {only}").into());
            }
            (game, only) => game.or(only).unwrap_or(GameKind::Dots),
        };
        let options = self.options();
        match self.protocol {
            Protocol::Text => speak(&mut Text::new(searcher, options, game)),
            Protocol::Gomocup => speak(&mut Gomocup::new(searcher, options)),
            Protocol::Gtp => speak(&mut Gtp::new(searcher, options)),
            Protocol::Nboard => speak(&mut Nboard::new(searcher, options)),
        }
    }

    fn options(&self) -> SearchOptions {
        let time = Duration::from_millis(u64::from(self.time));
        SearchOptions {
            limits: Limits {
                memory: self.memory,
                level: self.level,
                ..Limits::NONE
            },
            seed: self.seed.unwrap_or_else(seed_of_today),
            bounds: self.nodes.map_or(Bounds::time(time), Bounds::nodes),
        }
    }
}

/// Parses a bound of memory that every engine can keep.
fn parse_memory(text: &str) -> Result<usize, String> {
    let least = Limits::MIN_MEMORY;
    let bytes = text.parse().ok();
    let bytes = bytes.filter(|bytes| (least..=MAX_MEMORY).contains(bytes));
    bytes.ok_or_else(|| format!("a number of bytes from {least} to {MAX_MEMORY}"))
}

fn speak(session: &mut impl Session) -> Result<(), Box<dyn Error + Send + Sync>> {
    match io::run(session, std::io::stdin(), std::io::stdout().lock()) {
        // A reader that closes our output has heard enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}

/// Returns a seed that differs with every start.
pub(crate) fn seed_of_today() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos() as u64)
}

/// The engines of all games, one of which is in use.
#[derive(Default)]
pub(crate) struct Engines(Option<AnyEngine>);

impl Searcher for Engines {
    fn forget(&mut self) {
        self.0 = None;
    }

    fn begin(
        &mut self,
        position: &Position,
        limits: Limits,
        seed: u64,
    ) -> Result<(), NoEngineError> {
        let goes_on = match &mut self.0 {
            Some(engine) => engine.set_position(position, limits, seed),
            None => false,
        };
        if !goes_on {
            // The old engine's memory is freed before the new one takes its own.
            self.0 = None;
            self.0 = Some(AnyEngine::new(position, limits, seed));
        }
        Ok(())
    }

    fn step(&mut self, budget: u64) -> Progress {
        match &mut self.0 {
            Some(engine) => engine.step(budget),
            None => Progress::Done,
        }
    }

    fn best(&self) -> Report<Move> {
        match &self.0 {
            Some(engine) => engine.best(),
            None => Report {
                choice: None,
                moves: Vec::new(),
                nodes: 0,
                settled: false,
            },
        }
    }
}
