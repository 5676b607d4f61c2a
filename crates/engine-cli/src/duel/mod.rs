//! `tochki duel`: a referee between two programs, and openings for it.

mod adjudicator;
mod draw;
mod openings;
mod referee;
mod save;
mod series;
mod side;
mod tally;

use self::draw::{OpeningOptions, draw};
use self::referee::Ends;
use self::series::{Result, Series, is_sgf};
use self::side::{EngineSpec, Timeouts};
use crate::drive::Limit;
use crate::engine::seed_of_today;
use crate::protocol::setup_in_words;
use clap::{Args, Subcommand};
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::time::Duration;
use tochki_rules::{GameKind, Setup};

/// Two programs play a match. A program is a command, with a protocol in front unless it is `text`:
/// `"gtp:gtp-rhino --level 3"`, `"gomocup:./engine"`, `"nboard:…"`; `"self:--level 3"` is the engine of this program.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct DuelArgs {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    game: MatchArgs,
}

#[derive(Clone, Debug, Subcommand)]
enum Task {
    /// Write balanced random openings, one JSON object a line, which `tochki replay` reads, too.
    Openings(OpeningsArgs),
}

#[derive(Clone, Debug, Args)]
struct MatchArgs {
    /// The first program, from whose view the result is told.
    a: Option<String>,
    /// The second program.
    b: Option<String>,
    #[command(flatten)]
    board: BoardArgs,
    /// Games to play. Each opening is played twice, with the sides swapped, so an odd number is made even.
    #[arg(long, default_value = "20")]
    games: usize,
    /// Openings, one a line. Without, they are drawn from the seed.
    #[arg(long)]
    openings: Option<PathBuf>,
    /// Number of moves of the drawn openings [default: by the game]. With 0 all games begin at the start.
    #[arg(long, conflicts_with = "openings")]
    plies: Option<usize>,
    /// Milliseconds for each move, measured by the referee.
    #[arg(long, value_name = "MS")]
    time: Option<u32>,
    /// Nodes for each move.
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "clock"])]
    nodes: Option<u64>,
    /// Milliseconds for the game and those that each move gives back, `60000+500`.
    #[arg(long, value_name = "MS+MS", conflicts_with = "time")]
    clock: Option<String>,
    /// The limit of the first program, if it differs: `none`, `time MS`, `nodes N`, `depth N`, `clock MS+MS`.
    #[arg(long, value_name = "LIMIT")]
    limit_a: Option<Limit>,
    /// The limit of the second program, if it differs.
    #[arg(long, value_name = "LIMIT")]
    limit_b: Option<Limit>,
    /// Milliseconds that a move may take beyond its time, for the way to the program and back.
    #[arg(long, default_value = "100")]
    margin: u32,
    /// Milliseconds without an answer after which a program has lost where no time is set.
    #[arg(long, alias = "silence", default_value = "60000")]
    idle_timeout: u32,
    /// Plies after which the referee ends a game, which is then decided by points.
    #[arg(long, value_name = "N")]
    most_plies: Option<usize>,
    /// End a game once both programs have said for six moves each that the same side wins by so many points or more. Only the
    /// protocol `text` tells the values of a program.
    #[arg(long, value_name = "POINTS")]
    adjudicate: Option<f32>,
    /// The seed of the drawn openings.
    #[arg(long)]
    seed: Option<u64>,
    /// Keep the games: SGF if the name ends in `.sgf` (Dots), otherwise JSON, one a line. Games are added at the end of the file.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Add a line to this file: the name of the match, games, score and its error, milliseconds of A's move on average.
    #[arg(long, value_name = "FILE", requires = "name")]
    summary: Option<PathBuf>,
    /// The name of the match in the summary.
    #[arg(long)]
    name: Option<String>,
    /// Pairs of games that are played at the same time.
    #[arg(long, default_value = "1")]
    parallel: usize,
    /// Do not print a line for each game.
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Debug, Args)]
struct BoardArgs {
    /// The game: dots, boxes, gomoku, reversi.
    #[arg(long)]
    game: Option<GameKind>,
    /// The board, as JSON (`{"size":15}`) or in words (`20x20`, `5x5`, `15 standard`) [default: the usual one].
    #[arg(long)]
    setup: Option<String>,
}

#[derive(Clone, Debug, Args)]
struct OpeningsArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Number of openings.
    #[arg(long, default_value = "10")]
    count: usize,
    /// Number of moves of each opening [default: by the game].
    #[arg(long)]
    plies: Option<usize>,
    /// The most that a side may be ahead, as the engine sees it [default: 1 point in Dots and Boxes, 4 in Reversi, 0.25 in
    /// Gomoku].
    #[arg(long)]
    balance: Option<f32>,
    /// Nodes with which the engine looks at each opening.
    #[arg(long)]
    nodes: Option<u64>,
    /// The seed, which fixes the openings.
    #[arg(long, default_value = "1")]
    seed: u64,
}

impl DuelArgs {
    /// Plays the match, or writes openings.
    pub(crate) fn run(self) -> Result {
        match self.task {
            Some(Task::Openings(args)) => args.run(),
            None => self.game.run(),
        }
    }
}

impl BoardArgs {
    fn setup(&self) -> Result<Setup> {
        let game = self.game.ok_or("--game says which game is played")?;
        match self.setup.as_deref().map(str::trim) {
            None | Some("") => Ok(game.default_setup()),
            Some(fields) if fields.starts_with('{') => {
                let fields = serde_json::from_str(fields)?;
                Ok(Setup::parse(game, Some(&fields))?)
            }
            Some(words) => {
                let setup = setup_in_words(game, words);
                Ok(setup.ok_or_else(|| format!("{words:?} is no board of {game}"))?)
            }
        }
    }
}

impl OpeningsArgs {
    fn run(self) -> Result {
        let usual = OpeningOptions::usual(self.board.setup()?);
        let options = OpeningOptions {
            plies: self.plies.unwrap_or(usual.plies),
            balance: self.balance.unwrap_or(usual.balance),
            nodes: self.nodes.unwrap_or(usual.nodes),
            ..usual
        };
        let found = draw(&options, self.count, self.seed);
        let mut output = std::io::stdout().lock();
        for opening in &found {
            writeln!(output, "{}", opening.to_json())?;
        }
        if found.len() < self.count {
            return Err(format!("only {} openings were found", found.len()).into());
        }
        Ok(())
    }
}

impl MatchArgs {
    fn run(self) -> Result {
        let (Some(a), Some(b)) = (&self.a, &self.b) else {
            return Err("a duel needs two programs; see --help".into());
        };
        let limits = self.limits()?;
        let engines = [
            EngineSpec::read(a, limits[0])?,
            EngineSpec::read(b, limits[1])?,
        ];
        let setup = self.board.setup()?;
        for engine in &engines {
            engine.check(setup.kind())?;
        }
        if let Some(path) = &self.save
            && is_sgf(path)
            && setup.kind() != GameKind::Dots
        {
            return Err("only games of Dots have a form in SGF; choose another ending".into());
        }
        if (self.adjudicate).is_some_and(|points| points.is_nan() || points <= 0.0) {
            return Err("--adjudicate needs more than 0 points".into());
        }
        let pairs = self.games.div_ceil(2);
        let seed = self.seed.unwrap_or_else(seed_of_today);
        let openings = match &self.openings {
            Some(path) => {
                let file =
                    File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
                let read = openings::read(BufReader::new(file), setup.kind());
                read.map_err(|error| format!("{}: {error}", path.display()))?
            }
            None => {
                let usual = OpeningOptions::usual(setup);
                let plies = self.plies.unwrap_or(usual.plies);
                draw(&OpeningOptions { plies, ..usual }, pairs, seed)
            }
        };
        if openings.is_empty() {
            return Err("there is no opening".into());
        }
        if self.board.setup.is_some() && openings.iter().any(|one| one.setup != setup) {
            return Err("the openings are of another board than --setup".into());
        }
        let ms = |number: u32| Duration::from_millis(u64::from(number));
        let duel = Series {
            engines,
            openings,
            pairs,
            timeouts: Timeouts {
                idle_timeout: ms(self.idle_timeout),
                margin: ms(self.margin),
            },
            ends: Ends {
                most_plies: self.most_plies.unwrap_or(usize::MAX),
                adjudicate: self.adjudicate,
            },
            save: self.save.clone(),
            quiet: self.quiet,
        };
        let tally = duel.play(self.parallel.max(1))?;
        let drawn = self.openings.as_ref().map_or_else(
            || format!("drawn from seed {seed}"),
            |path| format!("of {}", path.display()),
        );
        print!("{}{tally}", duel.head(&drawn));
        if let (Some(path), Some(name)) = (&self.summary, &self.name) {
            let line = tally.summary(name);
            let file = File::options().create(true).append(true).open(path);
            let written = file.and_then(|mut file| writeln!(file, "{line}"));
            written.map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }

    fn limits(&self) -> Result<[Limit; 2]> {
        let both = match (self.time, self.nodes, &self.clock) {
            (Some(time), ..) => Limit::Time(Duration::from_millis(u64::from(time))),
            (_, Some(nodes), _) => Limit::Nodes(nodes),
            (_, _, Some(clock)) => format!("clock {clock}").parse()?,
            _ => Limit::Free,
        };
        Ok([self.limit_a.unwrap_or(both), self.limit_b.unwrap_or(both)])
    }
}
