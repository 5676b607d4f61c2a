//! GTP, from the referee's side.

use super::conversation::{Answer, Driver, Line, Table};
use super::fault::Fault;
use super::limit::{Left, Limit};
use crate::protocol::algebraic;
use tochki_rules::{GameKind, Move, Seat};

#[derive(Debug)]
pub(super) struct Gtp;

const fn color(seat: Seat) -> char {
    match seat {
        Seat::First => 'b',
        Seat::Second => 'w',
    }
}

fn vertex(mv: Move) -> String {
    match mv {
        Move::Reversi(point) => algebraic(point).to_ascii_uppercase(),
        other => other.to_string(),
    }
}

/// The text behind `=` and the number of the command.
fn content(answer: &str) -> Result<String, Fault> {
    let text = answer.strip_prefix('=').ok_or_else(|| match answer {
        refused if refused.starts_with('?') => Fault::Refused(refused.into()),
        garbled => Fault::Garbled(garbled.into()),
    })?;
    let text = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    Ok(text.trim().to_owned())
}

/// Sends a command, and reads its answer of one line. The blank line behind it is skipped with the next answer.
fn command(line: &mut Line<'_>, text: &str) -> Result<String, Fault> {
    line.send(text)?;
    content(&line.answer()?)
}

/// Sends a command that a program need not know.
fn optional(line: &mut Line<'_>, text: &str) -> Result<(), Fault> {
    match command(line, text) {
        Err(Fault::Refused(_)) | Ok(_) => Ok(()),
        Err(fault) => Err(fault),
    }
}

fn play(line: &mut Line<'_>, seat: Seat, mv: Move) -> Result<(), Fault> {
    command(line, &format!("play {} {}", color(seat), vertex(mv))).map(drop)
}

/// Tells a pass: a program may see by itself that a side has no move, or it wants to be told.
fn pass(line: &mut Line<'_>, seat: Seat) -> Result<(), Fault> {
    optional(line, &format!("play {} pass", color(seat)))
}

impl Driver for Gtp {
    fn begin(&mut self, line: &mut Line<'_>, table: &Table, left: &Left) -> Result<(), Fault> {
        if table.position.kind() != GameKind::Reversi {
            return Err(Fault::Refused("the protocol is for Reversi here".into()));
        }
        optional(line, "set_game Othello")?;
        command(line, "boardsize 8")?;
        command(line, "clear_board")?;
        match left.limit() {
            Limit::Time(time) => {
                // Whole seconds are all that every program reads.
                let seconds = time.as_millis().div_ceil(1000);
                optional(line, &format!("time_settings 0 {seconds} 1"))?;
            }
            Limit::Clock { initial, .. } => {
                optional(line, &format!("time_settings {} 0 0", initial.as_secs()))?;
            }
            Limit::Free | Limit::Nodes(_) | Limit::Depth(_) => {}
        }
        let mut last = None;
        for &(seat, mv) in &table.played {
            if last == Some(seat) {
                pass(line, seat.other())?;
            }
            play(line, seat, mv)?;
            last = Some(seat);
        }
        if last.is_some() && table.position.to_move() == last {
            pass(line, last.map_or(Seat::First, Seat::other))?;
        }
        Ok(())
    }

    fn tell(&mut self, line: &mut Line<'_>, table: &Table, own: bool) -> Result<(), Fault> {
        let Some(&(seat, mv)) = table.played.last() else {
            return Ok(());
        };
        if !own {
            play(line, seat, mv)?;
        }
        if table.position.to_move() == Some(seat) {
            pass(line, seat.other())?;
        }
        Ok(())
    }

    fn ask(&mut self, line: &mut Line<'_>, table: &Table, left: &Left) -> Result<Answer, Fault> {
        let seat = table.position.to_move().unwrap_or(Seat::First);
        if let Limit::Clock { .. } = left.limit() {
            let seconds = left.left().as_secs();
            optional(line, &format!("time_left {} {seconds} 0", color(seat)))?;
        }
        let genmove = format!("genmove {}", color(seat));
        line.ask(&[genmove], left, |answer| {
            if answer.is_empty() {
                return Ok(None);
            }
            let mv = content(answer)?;
            if mv.eq_ignore_ascii_case("resign") {
                return Err(Fault::Resigned);
            }
            Ok(Some(mv))
        })
    }

    fn quit_command(&self) -> &'static str {
        "quit"
    }
}
