//! The Go Text Protocol, version 2, with the board of Othello, for Reversi.

#[cfg(test)]
mod tests;

use super::session::{LineError, Precedence, Session};
use super::spelling::{NAME, algebraic};
use crate::moves;
use crate::search::{Search, SearchOptions, SearchStatus, Searcher};
use crate::time::{Bounds, Clock, Time};
use std::fmt::Write as _;
use std::time::Duration;
use tochki_rules::{GameKind, Move, MoveError, Point, Position, Seat};

/// A session of GTP.
///
/// Columns are `a` to `h` from the left (`i` is never reached, so nothing is left out), rows 1 to 8 from the top, black is the
/// first player. A side without a move passes: `genmove` then answers `PASS`, and `play` takes it.
#[derive(Debug)]
pub struct Gtp<T> {
    search: Search<T>,
    position: Position,
    /// The settings of `time_settings`, if it sets a bound.
    settings: Option<Settings>,
    /// The time left of both sides, as `time_left` says it or as it was spent.
    left: [Option<Left>; 2],
    /// The `genmove` that is not answered yet.
    asked: Option<Asked>,
    ended: bool,
}

/// A main time, and then periods of a number of moves each.
#[derive(Clone, Copy, Debug)]
struct Settings {
    main: Duration,
    period: Duration,
    stones: u32,
}

/// Time for as many moves, or for all of them where that is 0.
#[derive(Clone, Copy, Debug)]
struct Left {
    time: Duration,
    stones: u32,
}

#[derive(Clone, Debug)]
struct Asked {
    id: String,
    seat: Seat,
    /// Whether the move is played.
    plays: bool,
}

const COMMANDS: [&str; 19] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "final_score",
    "showboard",
    "set_game",
    "list_games",
];

impl<T: Searcher> Gtp<T> {
    /// A session that begins with the usual board.
    pub fn new(searcher: T, options: SearchOptions) -> Self {
        Self {
            search: Search::new(searcher, options),
            position: Position::new(&GameKind::Reversi.default_setup()),
            settings: None,
            left: [None; 2],
            asked: None,
            ended: false,
        }
    }

    /// Answers the command; nothing if the answer comes later.
    fn command(
        &mut self,
        id: &str,
        words: &[&str],
        now: Duration,
    ) -> Option<Result<String, String>> {
        let empty = || Some(Ok(String::new()));
        let refused = |why: &str| Some(Err(why.to_owned()));
        match *words {
            ["protocol_version"] => Some(Ok("2".into())),
            ["name"] => Some(Ok(NAME.into())),
            ["version"] => Some(Ok(env!("CARGO_PKG_VERSION").into())),
            ["known_command", name] => Some(Ok(COMMANDS.contains(&name).to_string())),
            ["list_commands"] => Some(Ok(COMMANDS.join("\n"))),
            ["list_games"] => Some(Ok("Othello".into())),
            ["set_game", game] if game.eq_ignore_ascii_case("othello") => {
                self.clear();
                empty()
            }
            ["set_game", _] => refused("unknown game"),
            ["boardsize", "8"] | ["clear_board"] => {
                self.clear();
                empty()
            }
            ["boardsize", size] if size.parse::<u32>().is_ok() => refused("unacceptable size"),
            ["komi", komi] if komi.parse::<f32>().is_ok() => empty(),
            ["play", color, vertex] => Some(self.play(color, vertex)),
            ["genmove", color] => self.generate(id, color, true, now),
            ["reg_genmove", color] => self.generate(id, color, false, now),
            ["undo"] => match self.position.undo() {
                Some(_) => empty(),
                None => refused("cannot undo"),
            },
            ["time_settings", main, period, stones] => Some(self.set_time(main, period, stones)),
            ["time_left", color, time, stones] => Some(self.set_left(color, time, stones)),
            ["final_score"] => match self.position.outcome() {
                Some(_) => Some(Ok(self.score())),
                None => refused("cannot score"),
            },
            ["showboard"] => Some(Ok(self.drawn())),
            ["quit"] => {
                self.ended = true;
                empty()
            }
            [name, ..] if COMMANDS.contains(&name) => refused("syntax error"),
            _ => refused("unknown command"),
        }
    }

    fn clear(&mut self) {
        self.position.restart();
        self.search.forget();
        let whole = |settings: Settings| Left {
            time: settings.main,
            stones: 0,
        };
        self.left = [self.settings.map(whole); 2];
    }

    fn play(&mut self, color: &str, vertex: &str) -> Result<String, String> {
        let seat = seat(color)?;
        if vertex.eq_ignore_ascii_case("pass") {
            return if moves::has_move(&self.position, seat) {
                Err("illegal move".into())
            } else {
                Ok(String::new())
            };
        }
        let mv = self
            .position
            .parse_move(vertex)
            .map_err(|error| match error {
                MoveError::Malformed => "syntax error",
                MoveError::Illegal(_) => "illegal move",
            })?;
        if self.position.to_move().is_none() {
            return Err("illegal move".into());
        }
        match self.position.play_as(seat, mv) {
            Ok(_) => Ok(String::new()),
            Err(_) => Err("illegal move".into()),
        }
    }

    fn generate(
        &mut self,
        id: &str,
        color: &str,
        plays: bool,
        now: Duration,
    ) -> Option<Result<String, String>> {
        let seat = match seat(color) {
            Ok(seat) => seat,
            Err(why) => return Some(Err(why.into())),
        };
        if !moves::has_move(&self.position, seat) {
            return Some(Ok("PASS".into()));
        }
        if self.position.to_move() != Some(seat) {
            return Some(Err("it is the other side's turn".into()));
        }
        match self.search.begin(&self.position, self.bounds(seat), now) {
            Ok(()) => {
                let id = id.to_owned();
                self.asked = Some(Asked { id, seat, plays });
                None
            }
            Err(error) => Some(Err(error.to_string())),
        }
    }

    fn bounds(&self, seat: Seat) -> Bounds {
        let time = match (self.left[seat.index()], self.settings) {
            (Some(Left { time, stones: 0 }), Some(settings))
                if time.is_zero() && settings.stones > 0 =>
            {
                Time::Move(settings.period / settings.stones * 9 / 10)
            }
            (Some(Left { time, stones: 0 }), _) => Time::Clock(Clock {
                own: time,
                ..Clock::default()
            }),
            (Some(Left { time, stones }), _) => Time::Move(time / stones * 9 / 10),
            (None, _) => return self.search.options().bounds,
        };
        Bounds {
            time: Some(time),
            ..Bounds::default()
        }
    }

    fn set_time(&mut self, main: &str, period: &str, stones: &str) -> Result<String, String> {
        let (main, period) = (seconds(main)?, seconds(period)?);
        let stones = stones.parse().map_err(|_| "syntax error")?;
        // A period without moves means that there is no bound.
        let endless = !period.is_zero() && stones == 0;
        self.settings = (!endless).then_some(Settings {
            main,
            period,
            stones,
        });
        self.left = [self.settings.map(|_| Left {
            time: main,
            stones: 0,
        }); 2];
        Ok(String::new())
    }

    fn set_left(&mut self, color: &str, time: &str, stones: &str) -> Result<String, String> {
        let left = Left {
            time: seconds(time)?,
            stones: stones.parse().map_err(|_| "syntax error")?,
        };
        self.left[seat(color)?.index()] = Some(left);
        Ok(String::new())
    }

    fn score(&self) -> String {
        let [black, white] = self.position.score();
        match black.cmp(&white) {
            std::cmp::Ordering::Greater => format!("B+{}", black - white),
            std::cmp::Ordering::Less => format!("W+{}", white - black),
            std::cmp::Ordering::Equal => "0".into(),
        }
    }

    /// The board, black as `X` and white as `O`.
    fn drawn(&self) -> String {
        let mut text = String::from("\n    a b c d e f g h");
        for y in 0..8 {
            let _ = write!(text, "\n  {}", y + 1);
            for x in 0..8 {
                let disc = match &self.position {
                    Position::Reversi(reversi) => reversi.disc(Point::new(x, y)),
                    _ => None,
                };
                text += match disc {
                    Some(Seat::First) => " X",
                    Some(Seat::Second) => " O",
                    None => " .",
                };
            }
        }
        let [black, white] = self.position.score();
        let turn = match self.position.to_move() {
            Some(Seat::First) => "black to move",
            Some(Seat::Second) => "white to move",
            None => "the game is over",
        };
        let _ = write!(text, "\n  {black}:{white}, {turn}");
        text
    }
}

/// An answer: `=` or `?`, the number of the command if it had one, and an empty line at the end.
fn respond(id: &str, answer: Result<String, String>, answers: &mut Vec<String>) {
    let (sign, text) = match &answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    answers.push(format!("{sign}{id} {text}").trim_end().to_owned());
    answers.push(String::new());
}

impl<T: Searcher> Session for Gtp<T> {
    type Searcher = T;

    fn read(&mut self, line: &str, now: Duration, answers: &mut Vec<String>) {
        // Comments and control characters do not count; a tab is a blank.
        let line = line.split('#').next().unwrap_or_default();
        let line: String = line
            .chars()
            .map(|character| if character == '\t' { ' ' } else { character })
            .filter(|character| !character.is_control())
            .collect();
        let mut words: Vec<_> = line.split_whitespace().collect();
        let id = match words.first() {
            Some(word) if word.bytes().all(|byte| byte.is_ascii_digit()) => words.remove(0),
            Some(_) => "",
            None => return,
        };
        // A search is interrupted only if it has no bounds.
        self.stop(now, answers);
        if let Some(answer) = self.command(id, &words, now) {
            respond(id, answer, answers);
        }
    }

    fn refuse(&mut self, why: LineError, answers: &mut Vec<String>) {
        respond("", Err(why.words().into()), answers);
    }

    /// Commands are answered in their order, and every search ends.
    fn precedence(&self, _: &str) -> Precedence {
        if self.search.will_end() {
            Precedence::Timeouts
        } else {
            Precedence::InTurn
        }
    }

    fn search(&self) -> &Search<T> {
        &self.search
    }

    fn search_mut(&mut self) -> &mut Search<T> {
        &mut self.search
    }

    fn tell(&mut self, found: Option<SearchStatus>, _: Duration, answers: &mut Vec<String>) {
        let Some(found) = found.filter(|found| found.ended) else {
            return;
        };
        let Some(Asked { id, seat, plays }) = self.asked.take() else {
            return;
        };
        if let Some(left) = &mut self.left[seat.index()] {
            left.time = left.time.saturating_sub(found.time);
        }
        let answer = match found.report.choice {
            Some(mv @ Move::Reversi(point)) => {
                // A move of `reg_genmove` is not played.
                if plays {
                    self.position
                        .play(mv)
                        .map(|_| algebraic(point).to_ascii_uppercase())
                        .map_err(|error| error.to_string())
                } else {
                    Ok(algebraic(point).to_ascii_uppercase())
                }
            }
            // No move would be a bug of the engine; the session goes on.
            _ => Err("no move".into()),
        };
        respond(&id, answer, answers);
    }

    fn has_ended(&self) -> bool {
        self.ended
    }
}

fn seat(color: &str) -> Result<Seat, &'static str> {
    match color.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Seat::First),
        "w" | "white" => Ok(Seat::Second),
        _ => Err("syntax error"),
    }
}

/// Maximum of a clock in seconds, some thirty years. A clock with more counts as this.
const MAX_SECONDS: f64 = 1e9;

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds: f64 = text.parse().map_err(|_| "syntax error")?;
    // A clock that has run out may be sent as a negative one, and a time that nobody waits for is as good as any other number.
    Duration::try_from_secs_f64(seconds.clamp(0.0, MAX_SECONDS)).map_err(|_| "syntax error")
}
