//! The protocol of the program `NBoard`, version 2, for Reversi.

#[cfg(test)]
mod tests;

use super::ggf::{game_of, play, start};
use super::session::{LineError, Precedence, Session};
use super::spelling::{NAME, algebraic, quoted, rounded};
use crate::search::{Search, SearchOptions, SearchStatus, Searcher};
use crate::time::Bounds;
use std::time::Duration;
use tochki_engine::Candidate;
use tochki_rules::{Move, Position, Seat};

/// A session of the `NBoard` protocol.
///
/// Any line that comes while the engine thinks ends the search, which is then answered with its result so far; only `quit` waits
/// for the search. The engine does not play the move that `go` finds; the other side sends it as `move`. A line that is not
/// understood is told in a `status` line.
#[derive(Debug)]
pub struct Nboard<T> {
    search: Search<T>,
    position: Position,
    /// Whether the side that was passed over is to move on the board of the other program, where a pass is a move.
    owes_pass: bool,
    /// The reason why there is no position to think about.
    broken: Option<&'static str>,
    depth: Option<u16>,
    task: Task,
    ended: bool,
}

/// The purpose of the search.
#[derive(Clone, Debug)]
enum Task {
    /// The search of `go`.
    Move,
    /// The search of `hint`, for so many moves.
    Hint(usize),
    /// The search of `analyze`, with the remaining positions: the last position of the game is searched first, and is at the end.
    Analysis(Vec<Analyzed>),
}

/// A position of a game that is analyzed.
#[derive(Clone, Debug)]
struct Analyzed {
    position: Position,
    /// The number of moves made until then, passes counted.
    moves: usize,
    /// Whether the last of these moves is a pass, before which the board was the same.
    passed: bool,
}

impl Analyzed {
    /// The lines about the position. The value is black's, as in the whole analysis.
    fn told(&self, value: f64) -> impl Iterator<Item = String> {
        let line = move |moves| format!("analysis {moves} {value}");
        let before = self.passed.then(|| self.moves - 1);
        [self.moves].into_iter().chain(before).map(line)
    }
}

/// Nodes that `analyze` spends on a position, so that a whole game takes seconds.
const ANALYSIS: u64 = 20_000;

impl<T: Searcher> Nboard<T> {
    /// A session that begins with the usual board.
    pub fn new(searcher: T, options: SearchOptions) -> Self {
        Self {
            search: Search::new(searcher, options),
            position: start(),
            owes_pass: false,
            broken: None,
            depth: None,
            task: Task::Move,
            ended: false,
        }
    }

    fn set(&mut self, words: &str, answers: &mut Vec<String>) -> Result<(), &'static str> {
        let (key, value) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        let value = value.trim();
        match key {
            "depth" => {
                let depth: u16 = value.parse().map_err(|_| "depth is a number")?;
                self.depth = Some(depth.max(1));
                let level = self.search.options().limits.level;
                answers.push(format!("set myname {NAME}{level}"));
                Ok(())
            }
            "game" => match game_of(value) {
                Ok((position, owes_pass)) => {
                    self.position = position;
                    self.owes_pass = owes_pass;
                    self.broken = None;
                    Ok(())
                }
                Err(why) => {
                    self.broken = Some(why);
                    Err(why)
                }
            },
            // Draws are worth nothing here, whatever their worth to the other side.
            "contempt" => match value.parse::<f64>() {
                Ok(_) => Ok(()),
                Err(_) => Err("contempt is a number"),
            },
            "" => Err("what is to be set?"),
            // Later versions may set more, which an engine ignores.
            _ => Ok(()),
        }
    }

    fn play(&mut self, text: &str) -> Result<(), &'static str> {
        self.position()?;
        self.owes_pass = play(&mut self.position, self.owes_pass, None, text)?;
        Ok(())
    }

    fn position(&self) -> Result<&Position, &'static str> {
        match self.broken {
            Some(why) => Err(why),
            None => Ok(&self.position),
        }
    }

    fn go(&mut self, now: Duration, answers: &mut Vec<String>) -> Result<(), &'static str> {
        if self.position()?.to_move().is_none() {
            return Err("the game is over");
        }
        if self.owes_pass {
            answers.push("=== PA".into());
            return Ok(());
        }
        self.task = Task::Move;
        answers.push(format!("status {NAME} is thinking"));
        self.begin(now)
    }

    fn hint(
        &mut self,
        count: &str,
        now: Duration,
        answers: &mut Vec<String>,
    ) -> Result<(), &'static str> {
        let count: usize = match count {
            "" => 1,
            count => count.parse().map_err(|_| "hint takes a number of moves")?,
        };
        if self.position()?.to_move().is_none() {
            return Err("the game is over");
        }
        if self.owes_pass {
            answers.extend(["search PA 0 0 0".into(), "status".into()]);
            return Ok(());
        }
        self.task = Task::Hint(count.max(1));
        answers.push(format!("status {NAME} is analyzing"));
        self.begin(now)
    }

    /// Begins a search to the depth if one is set, within the usual bounds of a search.
    fn begin(&mut self, now: Duration) -> Result<(), &'static str> {
        let bounds = Bounds {
            depth: self.depth,
            ..self.search.options().bounds
        };
        self.search
            .begin(&self.position, bounds, now)
            .map_err(|_| "there is no engine for this game")
    }

    fn analyze(&mut self, now: Duration, answers: &mut Vec<String>) -> Result<(), &'static str> {
        let mut position = self.position()?.clone();
        let mut made: Vec<Position> = vec![position.clone()];
        while position.undo().is_some() {
            made.push(position.clone());
        }
        made.reverse();
        let mut positions: Vec<Analyzed> = Vec::with_capacity(made.len());
        let plies = made.len() - 1;
        for (ply, position) in made.into_iter().enumerate() {
            let before = positions.last();
            let again = before.is_some_and(|one| one.position.to_move() == position.to_move());
            let over = position.to_move().is_none();
            let passed = again && !over && !(ply == plies && self.owes_pass);
            let moves = before.map_or(0, |one| one.moves + 1 + usize::from(passed));
            positions.push(Analyzed {
                position,
                moves,
                passed,
            });
        }
        answers.push(format!("status {NAME} is analyzing"));
        self.task = Task::Analysis(positions);
        self.analyze_next(now, answers)
    }

    /// Begins with the next position, and tells the values of those that are over.
    fn analyze_next(
        &mut self,
        now: Duration,
        answers: &mut Vec<String>,
    ) -> Result<(), &'static str> {
        let Task::Analysis(rest) = &mut self.task else {
            return Ok(());
        };
        while let Some(last) = rest.last() {
            if last.position.to_move().is_some() {
                return self
                    .search
                    .begin(&last.position, Bounds::nodes(ANALYSIS), now)
                    .map_err(|_| "there is no engine for this game");
            }
            let [black, white] = last.position.score().map(f64::from);
            answers.extend(last.told(black - white));
            rest.pop();
        }
        answers.push("status".into());
        Ok(())
    }
}

impl<T: Searcher> Session for Nboard<T> {
    type Searcher = T;

    fn read(&mut self, line: &str, now: Duration, answers: &mut Vec<String>) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        // The rest of an analysis is not worth waiting for.
        if let Task::Analysis(rest) = &mut self.task {
            rest.clear();
            if self.search.stop(now).is_some() {
                answers.push("status".into());
            }
        }
        self.stop(now, answers);
        let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let done = match verb {
            // The name is told again with each depth.
            "nboard" => {
                answers.push(format!("set myname {NAME}"));
                Ok(())
            }
            "set" => self.set(rest, answers),
            "move" => self.play(rest),
            "go" => self.go(now, answers),
            "hint" => self.hint(rest, now, answers),
            "analyze" => self.analyze(now, answers),
            "ping" => {
                answers.push(format!("pong {}", quoted(rest)));
                Ok(())
            }
            // There is no book that could learn.
            "learn" => {
                answers.push("learned".into());
                Ok(())
            }
            "quit" => {
                self.ended = true;
                Ok(())
            }
            _ => {
                answers.push(format!("status unknown command {}", quoted(verb)));
                Ok(())
            }
        };
        if let Err(why) = done {
            answers.push(format!("status {why}"));
        }
    }

    fn refuse(&mut self, why: LineError, answers: &mut Vec<String>) {
        answers.push(format!("status {}", why.words()));
    }

    fn precedence(&self, line: &str) -> Precedence {
        match line.trim() {
            "" => Precedence::Timeouts,
            "quit" if self.search.will_end() => Precedence::Timeouts,
            _ => Precedence::InTurn,
        }
    }

    fn search(&self) -> &Search<T> {
        &self.search
    }

    fn search_mut(&mut self) -> &mut Search<T> {
        &mut self.search
    }

    fn tell(&mut self, found: Option<SearchStatus>, now: Duration, answers: &mut Vec<String>) {
        let Some(found) = found else { return };
        let seconds = found.time.as_secs_f64();
        match &mut self.task {
            Task::Analysis(rest) => {
                if !found.ended {
                    return;
                }
                if let (Some(last), Some(best)) = (rest.pop(), found.report.moves.first()) {
                    // An analysis is told from black's side.
                    let sign = match last.position.to_move() {
                        Some(Seat::Second) => -1.0,
                        _ => 1.0,
                    };
                    answers.extend(last.told(f64::from(rounded(sign * best.value))));
                }
                if self.analyze_next(now, answers).is_err() {
                    answers.push("status".into());
                }
                return;
            }
            Task::Hint(count) => {
                let count = if found.ended { *count } else { 1 };
                answers.extend(found.report.moves.iter().take(count).filter_map(searched));
            }
            Task::Move => answers.extend(found.report.moves.first().and_then(searched)),
        }
        answers.push(format!("nodestats {} {seconds:.2}", found.report.nodes));
        if !found.ended {
            return;
        }
        if let (Task::Move, Some(Move::Reversi(point))) = (&self.task, found.report.choice) {
            let chosen = |candidate: &&Candidate<Move>| candidate.mv == Move::Reversi(point);
            let best = found.report.moves.iter().find(chosen);
            let value = best.map_or(0.0, |best| best.value);
            let point = algebraic(point).to_ascii_uppercase();
            answers.push(format!("=== {point}/{value:.2}/{seconds:.2}"));
        }
        answers.push("status".into());
    }

    fn has_ended(&self) -> bool {
        self.ended
    }
}

/// `search F5D6 1.5 0 8`: the line, the value, and the depth if it is known.
fn searched(candidate: &Candidate<Move>) -> Option<String> {
    let line: String = candidate
        .pv
        .iter()
        .filter_map(|mv| match mv {
            Move::Reversi(point) => Some(algebraic(*point).to_ascii_uppercase()),
            _ => None,
        })
        .collect();
    let line = match (line.is_empty(), candidate.mv) {
        (true, Move::Reversi(point)) => algebraic(point).to_ascii_uppercase(),
        (true, _) => return None,
        (false, _) => line,
    };
    let depth = match candidate.depth {
        _ if candidate.exact => "100%".to_owned(),
        0 => "1".to_owned(),
        depth => depth.to_string(),
    };
    Some(format!(
        "search {line} {} 0 {depth}",
        rounded(candidate.value)
    ))
}
