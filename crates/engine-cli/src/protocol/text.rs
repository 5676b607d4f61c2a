//! Our own protocol, for all games: a line each way.

#[cfg(test)]
mod tests;

use super::session::{LineError, Precedence, Session};
use super::spelling::rounded;
use crate::search::{Search, SearchOptions, SearchStatus, Searcher};
use crate::time::{Bounds, Clock, FreeTime, Time};
use serde_json::Value;
use std::fmt::Write as _;
use std::time::Duration;
use tochki_rules::{GameKind, MoveError, Position, Setup};

/// A session of the text protocol.
///
/// | line | answer |
/// |---|---|
/// | `game G [SETUP]` | `ok`, `error unknown_game`, `error invalid_setup`, `error no_engine` on the first `go` |
/// | `play MOVE` | `ok`, or `error` with why: `malformed_move`, `occupied`, … `finished` |
/// | `undo` | `ok`, `error nothing_to_undo` |
/// | `go time MS`, `go nodes N`, `go depth N`, `go clock OWN OTHER INCREMENT [move MS \| periods N MS]`, `go` | `info …` lines, then `move MOVE`, which is played; `error finished` |
/// | `stop` | while it thinks: the best so far; otherwise nothing |
/// | `quit` | nothing; a search that ends by itself is answered first, another one is stopped |
///
/// The setup is a JSON object as in `docs/api.md`, or in words: `39x32 empty`, `5x5`, `15 standard`. A line that is not
/// understood is `error unknown_command` or `error malformed_command`, a line that cannot be read `error malformed_line`.
#[derive(Debug)]
pub struct Text<T> {
    search: Search<T>,
    position: Position,
    ended: bool,
}

impl<T: Searcher> Text<T> {
    /// A session that begins with the default board of a game.
    pub fn new(searcher: T, options: SearchOptions, game: GameKind) -> Self {
        Self {
            search: Search::new(searcher, options),
            position: Position::new(&game.default_setup()),
            ended: false,
        }
    }

    fn game(&mut self, words: &str) -> Result<(), &'static str> {
        let (game, setup) = first_word(words);
        if game.is_empty() {
            return Err("malformed_command");
        }
        let kind: GameKind = game.parse().map_err(|_| "unknown_game")?;
        let setup = if setup.is_empty() {
            kind.default_setup()
        } else if setup.starts_with('{') {
            let fields: Value = serde_json::from_str(setup).map_err(|_| "invalid_setup")?;
            Setup::parse(kind, Some(&fields)).map_err(|_| "invalid_setup")?
        } else {
            setup_in_words(kind, setup).ok_or("invalid_setup")?
        };
        self.position = Position::new(&setup);
        self.search.forget();
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), &'static str> {
        if self.position.to_move().is_none() {
            return Err("finished");
        }
        let mv = self.position.parse_move(text).map_err(MoveError::code)?;
        self.position.play(mv).map_err(MoveError::code)?;
        Ok(())
    }

    fn undo(&mut self) -> Result<(), &'static str> {
        self.position.undo().map(drop).ok_or("nothing_to_undo")
    }

    fn go(&mut self, words: &str, now: Duration) -> Result<(), &'static str> {
        let bounds = bounds(words, self.search.options().bounds).ok_or("malformed_command")?;
        if self.position.to_move().is_none() {
            return Err("finished");
        }
        self.search
            .begin(&self.position, bounds, now)
            .map_err(|_| "no_engine")
    }
}

impl<T: Searcher> Session for Text<T> {
    type Searcher = T;

    fn read(&mut self, line: &str, now: Duration, answers: &mut Vec<String>) {
        let (verb, rest) = first_word(line.trim());
        let done = match verb {
            "" => return,
            "game" => self.game(rest),
            "play" => self.play(rest),
            "undo" => self.undo(),
            "go" => match self.go(rest, now) {
                Ok(()) => return,
                refused => refused,
            },
            "stop" => return self.stop(now, answers),
            "quit" => {
                self.ended = true;
                return self.stop(now, answers);
            }
            _ => Err("unknown_command"),
        };
        answers.push(match done {
            Ok(()) => "ok".into(),
            Err(code) => format!("error {code}"),
        });
    }

    fn refuse(&mut self, _: LineError, answers: &mut Vec<String>) {
        answers.push("error malformed_line".into());
    }

    fn precedence(&self, line: &str) -> Precedence {
        match first_word(line.trim()).0 {
            "stop" => Precedence::AtOnce,
            // Nothing else would end such a search.
            "quit" if !self.search.will_end() => Precedence::AtOnce,
            _ => Precedence::Timeouts,
        }
    }

    fn search(&self) -> &Search<T> {
        &self.search
    }

    fn search_mut(&mut self) -> &mut Search<T> {
        &mut self.search
    }

    fn tell(&mut self, found: Option<SearchStatus>, _: Duration, answers: &mut Vec<String>) {
        let Some(found) = found else { return };
        answers.extend(info(&found));
        if !found.ended {
            return;
        }
        let played = found.report.choice.map(|mv| (mv, self.position.play(mv)));
        match played {
            Some((mv, Ok(_))) => answers.push(format!("move {mv}")),
            // No move would be a bug of the engine; the session goes on.
            Some((_, Err(_))) | None => answers.push("error no_move".into()),
        }
    }

    fn has_ended(&self) -> bool {
        self.ended
    }
}

fn first_word(line: &str) -> (&str, &str) {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// `info value 1.5 exact false nodes 18324 time 200 pv 5,6 6,6`, if there is something to tell.
fn info(found: &SearchStatus) -> Option<String> {
    let choice = found.report.choice?;
    let moves = &found.report.moves;
    let best = moves.iter().find(|candidate| candidate.mv == choice);
    let (value, exact) = best.map_or((0.0, false), |best| (rounded(best.value), best.exact));
    let pv = match best {
        Some(best) if !best.pv.is_empty() => &best.pv[..],
        _ => &[choice],
    };
    let mut line = format!(
        "info value {value} exact {exact} nodes {} time {} pv",
        found.report.nodes,
        found.time.as_millis(),
    );
    for mv in pv {
        let _ = write!(line, " {mv}");
    }
    Some(line)
}

/// Parses the bounds behind `go`. Three numbers alone are a clock, as older clients write it.
fn bounds(words: &str, default: Bounds) -> Option<Bounds> {
    let words: Vec<_> = words.split_whitespace().collect();
    match words[..] {
        [] => Some(default),
        ["infinite"] => Some(Bounds::default()),
        ["time", time] => Some(Bounds::time(ms(time)?)),
        ["nodes", nodes] => Some(Bounds::nodes(nodes.parse().ok()?)),
        ["depth", depth] => Some(Bounds {
            depth: Some(depth.parse().ok()?),
            ..Bounds::default()
        }),
        ["clock", own, other, increment, ref free @ ..] => {
            clock([own, other, increment], free_time(free)?)
        }
        [own, other, increment] => clock([own, other, increment], FreeTime::None),
        _ => None,
    }
}

/// Parses the clock of both sides and the increment.
fn clock(words: [&str; 3], free: FreeTime) -> Option<Bounds> {
    let [own, other, increment] = words.map(ms);
    other?;
    let clock = Clock {
        own: own?,
        increment: increment?,
        free,
        most: None,
    };
    Some(Bounds {
        time: Some(Time::Clock(clock)),
        ..Bounds::default()
    })
}

/// Parses the words behind a clock: `move MS`, with which the rest is a bank, or `periods N MS` of byo-yomi.
fn free_time(words: &[&str]) -> Option<FreeTime> {
    match words {
        [] => Some(FreeTime::None),
        ["move", time] => Some(FreeTime::First(ms(time)?)),
        ["periods", left, time] => match left.parse::<u32>().ok()? {
            0 => Some(FreeTime::None),
            _ => Some(FreeTime::Last(ms(time)?)),
        },
        _ => None,
    }
}

fn ms(text: &str) -> Option<Duration> {
    let ms: u32 = text.parse().ok()?;
    Some(Duration::from_millis(ms.into()))
}

/// Writes a setup in words, which [`setup_in_words`] reads: `39x32 empty` (Dots), `5x5` (Boxes), `15 standard` (Gomoku), `8x8`
/// (Reversi).
#[must_use]
pub fn in_words(setup: &Setup) -> String {
    let fields = setup.fields().unwrap_or_default();
    let field = |name: &str| match &fields[name] {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    match setup.kind() {
        GameKind::Dots => format!("{}x{} {}", field("width"), field("height"), field("start")),
        GameKind::Boxes => format!("{}x{}", field("cols"), field("rows")),
        GameKind::Gomoku => format!("{} {}", field("size"), field("rule")),
        GameKind::Reversi => "8x8".into(),
    }
}

/// Parses a setup in words: `39x32 empty` (Dots), `5x5` (Boxes), `15 standard` (Gomoku). Words from the end may be left out.
#[must_use]
pub fn setup_in_words(kind: GameKind, words: &str) -> Option<Setup> {
    let mut words = words.split_whitespace();
    let size = words.next()?;
    let number = |text: &str| text.parse::<u8>().ok();
    let sides = |text: &str| {
        let (width, height) = text.split_once('x')?;
        Some((number(width)?, number(height)?))
    };
    let word = words.next();
    if words.next().is_some() {
        return None;
    }
    let fields = match kind {
        GameKind::Dots => {
            let (width, height) = sides(size)?;
            let start = word.unwrap_or("empty");
            serde_json::json!({"width": width, "height": height, "start": start})
        }
        GameKind::Boxes if word.is_none() => {
            let (cols, rows) = sides(size)?;
            serde_json::json!({"cols": cols, "rows": rows})
        }
        GameKind::Gomoku => {
            let size = match sides(size) {
                Some((width, height)) => (width == height).then_some(width)?,
                None => number(size)?,
            };
            serde_json::json!({"size": size, "rule": word.unwrap_or("freestyle")})
        }
        GameKind::Reversi if word.is_none() => {
            (sides(size)? == (8, 8)).then(|| serde_json::json!({}))?
        }
        GameKind::Boxes | GameKind::Reversi => return None,
    };
    Setup::parse(kind, Some(&fields)).ok()
}
