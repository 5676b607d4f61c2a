//! The conversation with a program: commands and answers.

use super::fault::Fault;
use super::limit::Left;
use super::program::Program;
use std::time::{Duration, Instant};
use tochki_rules::{Move, Position, Seat};

/// A game so far, with the moves of its opening.
#[derive(Clone, Debug)]
pub struct Table {
    /// The position after the moves.
    pub position: Position,
    /// The moves, and the seats that made them.
    pub played: Vec<(Seat, Move)>,
}

impl Table {
    /// Plays a move. Returns whether the other side was passed over by it.
    pub fn play(&mut self, mv: Move) -> bool {
        let seat = self.position.to_move();
        if let Some(seat) = seat
            && self.position.play(mv).is_ok()
        {
            self.played.push((seat, mv));
        }
        self.position.passed()
    }
}

/// The other end of a protocol.
pub trait Driver: std::fmt::Debug {
    /// Sets up the board with the moves so far.
    fn begin(&mut self, line: &mut Line<'_>, table: &Table, left: &Left) -> Result<(), Fault>;

    /// Tells the last move on the table, which may have been the program's own.
    fn tell(&mut self, line: &mut Line<'_>, table: &Table, own: bool) -> Result<(), Fault>;

    /// Asks for a move. The answer has its text, and the time that it took.
    fn ask(&mut self, line: &mut Line<'_>, table: &Table, left: &Left) -> Result<Answer, Fault>;

    /// The line that asks the program to end.
    fn quit_command(&self) -> &'static str;
}

/// A move as a program has written it, in a form that the game reads.
#[derive(Debug)]
pub struct Answer {
    /// The move.
    pub mv: String,
    /// The gain of the move in points, if the program told it.
    pub value: Option<f32>,
    /// The time from the question to the line with the move.
    pub time: Duration,
}

/// A conversation with a program, in which every answer has its time.
#[derive(Debug)]
pub struct Line<'a> {
    /// The program.
    pub program: &'a mut Program,
    /// The time-out of an answer where no other time is set.
    pub idle_timeout: Duration,
    /// The time that an answer may take beyond the time for a move.
    pub margin: Duration,
}

impl Line<'_> {
    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.program.send(line)
    }

    /// The next line that is not blank.
    pub(crate) fn answer(&mut self) -> Result<String, Fault> {
        self.find(|line| Ok((!line.is_empty()).then(|| line.to_owned())))
    }

    /// Reads lines until `read` finds something in one.
    pub(crate) fn find<F>(
        &mut self,
        mut read: impl FnMut(&str) -> Result<Option<F>, Fault>,
    ) -> Result<F, Fault> {
        let until = Instant::now() + self.idle_timeout;
        loop {
            let (when, line) = self.program.receive(until)?.ok_or(Fault::IdleTimeout)?;
            // A program that never stops talking is as good as silent.
            if when > until {
                return Err(Fault::IdleTimeout);
            }
            if let Some(found) = read(line.trim())? {
                return Ok(found);
            }
        }
    }

    /// Sends a line that asks for a move, and reads lines until `read` finds the move in one.
    pub(crate) fn ask(
        &mut self,
        lines: &[String],
        left: &Left,
        mut read: impl FnMut(&str) -> Result<Option<String>, Fault>,
    ) -> Result<Answer, Fault> {
        let began = Instant::now();
        for line in lines {
            self.send(line)?;
        }
        let bound = left.for_move();
        let until = began + bound.map_or(self.idle_timeout, |time| time + self.margin);
        let late = || bound.map_or(Fault::IdleTimeout, |had| Fault::Late { had });
        loop {
            let (when, line) = self.program.receive(until)?.ok_or_else(late)?;
            if when > until {
                return Err(late());
            }
            if let Some(mv) = read(line.trim())? {
                let time = when.saturating_duration_since(began);
                return Ok(Answer {
                    mv,
                    value: None,
                    time,
                });
            }
        }
    }
}
