//! Our own protocol, from the referee's side.

use super::conversation::{Answer, Driver, Line, Table};
use super::fault::Fault;
use super::limit::{Left, Limit, MoveTime};
use crate::protocol::in_words;

#[derive(Debug)]
pub(super) struct Text;

fn expect_ok(line: &mut Line<'_>) -> Result<(), Fault> {
    match line.answer()? {
        answer if answer == "ok" => Ok(()),
        answer if answer.starts_with("error") => Err(Fault::Refused(answer)),
        answer => Err(Fault::Garbled(answer)),
    }
}

impl Driver for Text {
    fn begin(&mut self, line: &mut Line<'_>, table: &Table, _: &Left) -> Result<(), Fault> {
        let setup = table.position.setup();
        line.send(&format!("game {} {}", setup.kind(), in_words(&setup)))?;
        expect_ok(line)?;
        for (_, mv) in &table.played {
            line.send(&format!("play {mv}"))?;
            expect_ok(line)?;
        }
        Ok(())
    }

    fn tell(&mut self, line: &mut Line<'_>, table: &Table, own: bool) -> Result<(), Fault> {
        let Some((_, mv)) = table.played.last().filter(|_| !own) else {
            return Ok(());
        };
        line.send(&format!("play {mv}"))?;
        expect_ok(line)
    }

    fn ask(&mut self, line: &mut Line<'_>, _: &Table, left: &Left) -> Result<Answer, Fault> {
        let go = match left.limit() {
            Limit::Free => "go".to_owned(),
            Limit::Time(time) => format!("go time {}", time.as_millis()),
            Limit::Nodes(nodes) => format!("go nodes {nodes}"),
            Limit::Depth(depth) => format!("go depth {depth}"),
            Limit::Clock { increment, .. } => {
                let [own, others] = [left.left(), left.others()].map(|time| time.as_millis());
                let clock = format!("{own} {others} {}", increment.as_millis());
                match left.besides() {
                    None => format!("go {clock}"),
                    Some(MoveTime::First(time)) => {
                        format!("go clock {clock} move {}", time.as_millis())
                    }
                    Some(MoveTime::Periods { count, length }) => {
                        format!("go clock {clock} periods {count} {}", length.as_millis())
                    }
                }
            }
        };
        let mut value = None;
        let answer = line.ask(&[go], left, |answer| {
            match answer.split_once(' ').unwrap_or((answer, "")) {
                ("move", mv) => Ok(Some(mv.trim().to_owned())),
                ("info", info) => {
                    value = value_of(info).or(value);
                    Ok(None)
                }
                ("", _) => Ok(None),
                ("error", _) => Err(Fault::Refused(answer.into())),
                _ => Err(Fault::Garbled(answer.into())),
            }
        })?;
        Ok(Answer { value, ..answer })
    }

    fn quit_command(&self) -> &'static str {
        "quit"
    }
}

/// The number behind the word `value` in a line `info`.
fn value_of(info: &str) -> Option<f32> {
    let mut words = info.split_whitespace();
    words.find(|word| *word == "value")?;
    words.next()?.parse().ok()
}
