//! The Gomocup protocol, from the referee's side.

use super::conversation::{Answer, Driver, Line, Table};
use super::fault::Fault;
use super::limit::{Left, Limit};
use tochki_rules::gomoku::Rule;
use tochki_rules::{Seat, Setup};

#[derive(Debug, Default)]
pub(super) struct Gomocup {
    /// Whether the program knows the stones of this game up to its own last one.
    knows_board: bool,
}

/// Returns whether a line is said beside the answers, or the fault that it tells.
fn is_aside(line: &str) -> Result<bool, Fault> {
    match line.split_whitespace().next().unwrap_or_default() {
        "" | "MESSAGE" | "DEBUG" | "SUGGEST" => Ok(true),
        "ERROR" | "UNKNOWN" => Err(Fault::Refused(line.into())),
        _ => Ok(false),
    }
}

impl Driver for Gomocup {
    fn begin(&mut self, line: &mut Line<'_>, table: &Table, left: &Left) -> Result<(), Fault> {
        let Setup::Gomoku(setup) = table.position.setup() else {
            return Err(Fault::Refused("the protocol is for Gomoku".into()));
        };
        self.knows_board = false;
        line.send(&format!("START {}", setup.size()))?;
        line.find(|answer| match answer {
            "OK" => Ok(Some(())),
            other if is_aside(other)? => Ok(None),
            other => Err(Fault::Garbled(other.into())),
        })?;
        let rule = match setup.rule() {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
        };
        line.send(&format!("INFO rule {rule}"))?;
        line.send("INFO game_type 1")?;
        match left.limit() {
            Limit::Time(time) => {
                line.send(&format!("INFO timeout_turn {}", time.as_millis()))?;
                line.send("INFO timeout_match 0")
            }
            Limit::Clock { initial, .. } => {
                line.send(&format!("INFO timeout_turn {}", initial.as_millis()))?;
                line.send(&format!("INFO timeout_match {}", initial.as_millis()))
            }
            Limit::Free | Limit::Nodes(_) | Limit::Depth(_) => Ok(()),
        }
    }

    fn tell(&mut self, _: &mut Line<'_>, _: &Table, _: bool) -> Result<(), Fault> {
        Ok(())
    }

    fn ask(&mut self, line: &mut Line<'_>, table: &Table, left: &Left) -> Result<Answer, Fault> {
        let mut lines = Vec::new();
        if let Limit::Clock { .. } = left.limit() {
            lines.push(format!("INFO time_left {}", left.left().as_millis()));
        }
        let own = table.position.to_move().unwrap_or(Seat::First);
        match (table.played.last(), self.knows_board) {
            (None, _) => lines.push("BEGIN".into()),
            (Some((_, mv)), true) => lines.push(format!("TURN {mv}")),
            (Some(_), false) => {
                lines.push("BOARD".into());
                for (seat, mv) in &table.played {
                    let field = if *seat == own { 1 } else { 2 };
                    lines.push(format!("{mv},{field}"));
                }
                lines.push("DONE".into());
            }
        }
        self.knows_board = true;
        line.ask(&lines, left, |answer| {
            Ok((!is_aside(answer)?).then(|| answer.to_owned()))
        })
    }

    fn quit_command(&self) -> &'static str {
        "END"
    }
}
