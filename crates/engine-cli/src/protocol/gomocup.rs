//! The protocol of the Gomocup tournaments (Piskvork), for Gomoku.

#[cfg(test)]
mod tests;

use super::session::{LineError, Precedence, Session};
use super::spelling::{NAME, quoted, rounded};
use crate::search::{Search, SearchOptions, SearchStatus, Searcher};
use crate::time::{Bounds, Clock, Time};
use std::time::Duration;
use tochki_rules::gomoku::{Gomoku as Game, Rule, Setup};
use tochki_rules::{Game as _, Move, Point, Position, Seat};

/// A session of the Gomocup protocol.
///
/// Understood: `START` with boards of 5 to 22, `RECTSTART` (square boards only), `RESTART`, `BEGIN`, `TURN`, `BOARD` … `DONE`,
/// `TAKEBACK`, `INFO` (`timeout_turn`, `timeout_match`, `time_left`, `max_memory`, `rule`; others are ignored, as the protocol
/// says), `ABOUT`, `END`, and `STOP` or `YXSTOP` while the engine thinks. Everything else is `UNKNOWN`.
#[derive(Debug)]
pub struct Gomocup<T> {
    search: Search<T>,
    /// The size of the board, once there is one.
    size: Option<u8>,
    rule: Result<Rule, u32>,
    /// The stones in the order in which they came, and whether they are ours.
    stones: Vec<(Point, bool)>,
    /// The stones between `BOARD` and `DONE`, or the reason why they are no board.
    listing: Option<Result<Vec<(Point, bool)>, String>>,
    times: Times,
    ended: bool,
}

/// The times of `INFO`.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    /// Time of a move; zero means as fast as possible.
    turn: Option<Duration>,
    /// Time of a whole match; `None` where there is no bound.
    whole: Option<Duration>,
    /// Time left of this match.
    left: Option<Duration>,
}

/// The part of the time for a move that is not used, so that the answer is there in time.
fn margin(turn: Duration) -> Duration {
    (turn / 20 + Duration::from_millis(20)).min(turn / 2)
}

impl<T: Searcher> Gomocup<T> {
    /// A session without a board yet.
    pub fn new(searcher: T, options: SearchOptions) -> Self {
        Self {
            search: Search::new(searcher, options),
            size: None,
            rule: Ok(Rule::Freestyle),
            stones: Vec::new(),
            listing: None,
            times: Times::default(),
            ended: false,
        }
    }

    fn start(&mut self, size: &str) -> Result<String, String> {
        let size = number(size).ok_or("unreadable size")?;
        let fits = u8::try_from(size)
            .ok()
            .filter(|&size| Setup::new(size, Rule::Freestyle).is_ok());
        self.size = Some(fits.ok_or_else(|| format!("size {size} is not supported"))?);
        self.restart();
        Ok("OK".into())
    }

    fn restart(&mut self) {
        self.stones.clear();
        self.search.forget();
    }

    fn position(&self) -> Result<Position, String> {
        let size = self.size.ok_or("there is no board yet")?;
        let rule = self
            .rule
            .map_err(|bits| format!("rule {bits} is not supported"))?;
        let setup = Setup::new(size, rule).map_err(|error| error.to_string())?;
        let own = self.stones.iter().filter(|stone| stone.1).count();
        // The side to move has placed as many stones as the other side, or one fewer.
        let seat = match self.stones.len() - own {
            others if others == own => Seat::First,
            others if others == own + 1 => Seat::Second,
            _ => return Err("it is not our turn on this board".into()),
        };
        let mut stones = self.stones.clone();
        // The other side must have moved last.
        if let Some(last) = stones.iter().rposition(|stone| !stone.1) {
            let stone = stones.remove(last);
            stones.push(stone);
        }
        let mut game = Game::new(&setup);
        for (point, ours) in stones {
            let seat = if ours { seat } else { seat.other() };
            game.play_as(seat, point)
                .map_err(|illegal| format!("{point} is {illegal}"))?;
        }
        Ok(Position::Gomoku(game))
    }

    /// Begins to search, so that the answer comes later.
    fn think_of_move(&mut self, now: Duration) -> Result<(), String> {
        let position = self.position()?;
        if position.to_move().is_none() {
            return Err("the game is over".into());
        }
        self.search
            .begin(&position, self.bounds(), now)
            .map_err(|error| error.to_string())
    }

    fn bounds(&self) -> Bounds {
        let turn = self
            .times
            .turn
            .map(|turn| turn.saturating_sub(margin(turn)));
        let time = match (self.times.left.or(self.times.whole), turn) {
            (Some(own), most) => Time::Clock(Clock {
                own,
                most,
                ..Clock::default()
            }),
            (None, Some(turn)) => Time::Move(turn),
            (None, None) => return self.search.options().bounds,
        };
        Bounds {
            time: Some(time),
            ..Bounds::default()
        }
    }

    fn place(&mut self, point: &str, ours: bool) -> Result<(), String> {
        let size = self.size.ok_or("there is no board yet")?;
        let point = point_on(size, point)?;
        if self.stones.iter().any(|stone| stone.0 == point) {
            return Err(format!("{point} is occupied"));
        }
        self.stones.push((point, ours));
        Ok(())
    }

    fn turn(&mut self, point: &str, now: Duration) -> Result<(), String> {
        self.place(point, false)?;
        // A move that cannot be answered is not on the board.
        self.think_of_move(now).inspect_err(|_| {
            self.stones.pop();
        })
    }

    fn take_back(&mut self, point: &str) -> Result<String, String> {
        let size = self.size.ok_or("there is no board yet")?;
        let point = point_on(size, point)?;
        let at = self.stones.iter().rposition(|stone| stone.0 == point);
        self.stones
            .remove(at.ok_or_else(|| format!("{point} is free"))?);
        Ok("OK".into())
    }

    /// Reads a line between `BOARD` and `DONE`.
    fn list(&mut self, line: &str, now: Duration) -> Result<(), String> {
        let Some(listing) = self.listing.as_mut() else {
            return Ok(());
        };
        if !line.eq_ignore_ascii_case("done") {
            if let Ok(stones) = listing {
                match stone(self.size, line, stones) {
                    Ok(Some(stone)) => stones.push(stone),
                    Ok(None) => {}
                    Err(why) => *listing = Err(why),
                }
            }
            return Ok(());
        }
        let listed = self.listing.take().unwrap_or(Ok(Vec::new()))?;
        let before = std::mem::replace(&mut self.stones, listed);
        self.think_of_move(now)
            .inspect_err(|_| self.stones = before)
    }

    fn info(&mut self, words: &str) {
        let mut words = words.split_whitespace();
        let (Some(key), Some(value)) = (words.next(), words.next()) else {
            return;
        };
        let value: Option<i64> = value.parse().ok();
        // A negative time has run out.
        let time = value.map(|ms| Duration::from_millis(ms.clamp(0, 1 << 40) as u64));
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.times.turn = time,
            // Zero means no bound, and so does a time left that no bound explains.
            "timeout_match" => self.times.whole = time.filter(|time| !time.is_zero()),
            "time_left" => self.times.left = time.filter(|time| *time < NO_BOUND),
            "max_memory" => {
                // Zero means no bound; then our bound is kept.
                if let Some(bytes) = value.filter(|&bytes| bytes > 0) {
                    self.search
                        .set_memory(usize::try_from(bytes).unwrap_or(usize::MAX));
                }
            }
            "rule" => {
                self.rule = match value.unwrap_or(0) as u32 & !CONTINUOUS {
                    0 => Ok(Rule::Freestyle),
                    1 => Ok(Rule::Standard),
                    bits => Err(bits),
                };
            }
            _ => {}
        }
    }
}

/// The bit of `INFO rule` for games that follow each other without `START`.
const CONTINUOUS: u32 = 2;

/// The least time left that managers send for a match without a bound (2³¹ − 1 ms, or a little less).
const NO_BOUND: Duration = Duration::from_secs(2_000_000);

impl<T: Searcher> Session for Gomocup<T> {
    type Searcher = T;

    fn read(&mut self, line: &str, now: Duration, answers: &mut Vec<String>) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        let done = if self.listing.is_some() {
            self.list(line, now).map(|()| None)
        } else {
            let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let rest = rest.trim();
            match verb.to_ascii_uppercase().as_str() {
                "START" => self.start(rest).map(Some),
                "RECTSTART" => match rest.split_once(',') {
                    Some((width, height)) if number(width) == number(height) => {
                        self.start(width).map(Some)
                    }
                    Some(_) => Err("rectangular boards are not supported".into()),
                    None => Err("unreadable size".into()),
                },
                "RESTART" if self.size.is_none() => Err("there is no board yet".into()),
                "RESTART" => {
                    self.restart();
                    Ok(Some("OK".into()))
                }
                "BEGIN" if self.stones.is_empty() => self.think_of_move(now).map(|()| None),
                "BEGIN" => Err("the board is not empty".into()),
                "TURN" => self.turn(rest, now).map(|()| None),
                "BOARD" => {
                    self.listing = Some(Ok(Vec::new()));
                    Ok(None)
                }
                "TAKEBACK" => self.take_back(rest).map(Some),
                "INFO" => {
                    self.info(rest);
                    Ok(None)
                }
                "ABOUT" => Ok(Some(format!(
                    "name=\"{NAME}\", version=\"{}\", author=\"{NAME}\", country=\"-\"",
                    env!("CARGO_PKG_VERSION")
                ))),
                "STOP" | "YXSTOP" => return self.stop(now, answers),
                "END" => {
                    // Nothing may be written after it, not even the move of the search.
                    self.search.stop(now);
                    self.ended = true;
                    return;
                }
                _ => {
                    answers.push(format!("UNKNOWN command {}", quoted(verb)));
                    return;
                }
            }
        };
        match done {
            Ok(answer) => answers.extend(answer),
            Err(why) => answers.push(format!("ERROR {why}")),
        }
    }

    fn refuse(&mut self, why: LineError, answers: &mut Vec<String>) {
        answers.push(format!("UNKNOWN {}", why.words()));
    }

    fn precedence(&self, line: &str) -> Precedence {
        let verb = line.split_whitespace().next().unwrap_or_default();
        match verb.to_ascii_uppercase().as_str() {
            "STOP" | "YXSTOP" => Precedence::AtOnce,
            // The protocol wants the session to end as soon as possible; the lines that came before are still read.
            "END" => Precedence::InTurn,
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
        let Some(SearchStatus {
            report,
            time,
            ended: true,
        }) = found
        else {
            return;
        };
        let Some(Move::Gomoku(point)) = report.choice else {
            // No move would be a bug of the engine; the session goes on.
            answers.push("ERROR no move".into());
            return;
        };
        self.stones.push((point, true));
        let value = report.moves.first().map_or(0.0, |best| best.value);
        answers.push(format!(
            "MESSAGE value {} nodes {} time {}",
            rounded(value),
            report.nodes,
            time.as_millis()
        ));
        answers.push(point.to_string());
    }

    fn has_ended(&self) -> bool {
        self.ended
    }
}

fn number(text: &str) -> Option<u32> {
    text.trim().parse().ok()
}

fn point_on(size: u8, text: &str) -> Result<Point, String> {
    let (x, y) = text.split_once(',').ok_or("unreadable coordinates")?;
    match (number(x), number(y)) {
        (Some(x), Some(y)) if x < u32::from(size) && y < u32::from(size) => {
            Ok(Point::new(x as u8, y as u8))
        }
        (Some(_), Some(_)) => Err(format!("{} is off the board", quoted(text))),
        _ => Err("unreadable coordinates".into()),
    }
}

/// Parses a stone: `x,y,1` is ours, `x,y,2` the other side's, and `x,y,3` is a part of a row that has won in a continuous game,
/// which is nobody's.
fn stone(
    size: Option<u8>,
    line: &str,
    placed: &[(Point, bool)],
) -> Result<Option<(Point, bool)>, String> {
    let size = size.ok_or("there is no board yet")?;
    let (point, field) = line.rsplit_once(',').ok_or("unreadable stone")?;
    let point = point_on(size, point)?;
    if placed.iter().any(|stone| stone.0 == point) {
        return Err(format!("{point} is listed twice"));
    }
    match field.trim() {
        "1" => Ok(Some((point, true))),
        "2" => Ok(Some((point, false))),
        "3" => Ok(None),
        _ => Err("unreadable stone".into()),
    }
}
