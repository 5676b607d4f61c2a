//! The protocol of `NBoard`, from the referee's side.

use super::conversation::{Answer, Driver, Line, Table};
use super::fault::Fault;
use super::limit::{Left, Limit};
use crate::protocol::{algebraic, game_in_ggf};
use tochki_rules::{GameKind, Move};

#[derive(Debug, Default)]
pub(super) struct Nboard {
    /// The number of the last `ping`.
    ping: u32,
}

impl Nboard {
    /// Waits until the program has read everything.
    fn synchronize(&mut self, line: &mut Line<'_>) -> Result<(), Fault> {
        self.ping += 1;
        line.send(&format!("ping {}", self.ping))?;
        let pong = format!("pong {}", self.ping);
        line.find(|answer| Ok((answer == pong).then_some(())))
    }
}

impl Driver for Nboard {
    fn begin(&mut self, line: &mut Line<'_>, table: &Table, left: &Left) -> Result<(), Fault> {
        if table.position.kind() != GameKind::Reversi {
            return Err(Fault::Refused("the protocol is for Reversi".into()));
        }
        if self.ping == 0 {
            line.send("nboard 2")?;
        }
        if let Limit::Depth(depth) = left.limit() {
            line.send(&format!("set depth {depth}"))?;
        }
        line.send(&format!("set game {}", game_in_ggf(&table.played)))?;
        if let Some(&(seat, _)) = table.played.last()
            && table.position.to_move() == Some(seat)
        {
            line.send("move PA")?;
        }
        self.synchronize(line)
    }

    fn tell(&mut self, line: &mut Line<'_>, table: &Table, _: bool) -> Result<(), Fault> {
        let Some(&(seat, Move::Reversi(point))) = table.played.last() else {
            return Ok(());
        };
        line.send(&format!("move {}", algebraic(point).to_ascii_uppercase()))?;
        if table.position.to_move() == Some(seat) {
            line.send("move PA")?;
        }
        self.synchronize(line)
    }

    fn ask(&mut self, line: &mut Line<'_>, _: &Table, left: &Left) -> Result<Answer, Fault> {
        line.ask(&["go".into()], left, |answer| {
            let Some(found) = answer.strip_prefix("===") else {
                // Other lines are for people.
                return Ok(None);
            };
            let word = found.trim().split(['/', ' ']).next().unwrap_or_default();
            Ok(Some(word.to_owned()))
        })
    }

    fn quit_command(&self) -> &'static str {
        "quit"
    }
}
