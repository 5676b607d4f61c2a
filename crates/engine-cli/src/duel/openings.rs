//! Openings, as they are written and read: positions a few moves from the start.

use crate::drive::Table;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::BufRead;
use thiserror::Error;
use tochki_rules::{GameKind, Move, Position, Setup};

/// A setup and the first moves on it, in turn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Opening {
    pub(crate) setup: Setup,
    pub(crate) moves: Vec<Move>,
    /// The gain of the side to move by an engine's search, if an engine was asked.
    pub(crate) value: Option<f32>,
}

/// The reason why a line is no opening.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {why}")]
pub(crate) struct BadOpening {
    line: usize,
    why: String,
}

/// An opening as it is written, which is a record that `tochki replay` reads, too.
#[derive(Deserialize)]
struct Written {
    game: GameKind,
    setup: Option<Value>,
    moves: Vec<String>,
}

impl Opening {
    pub(crate) fn table(&self) -> Table {
        let mut table = Table {
            position: Position::new(&self.setup),
            played: Vec::new(),
        };
        for &mv in &self.moves {
            table.play(mv);
        }
        table
    }

    /// Writes `{"game": "reversi", "setup": {}, "moves": ["3,2", …], "value": 0.5}`.
    pub(crate) fn to_json(&self) -> Value {
        let moves: Vec<_> = self.moves.iter().map(ToString::to_string).collect();
        let mut line = json!({
            "game": self.setup.kind(),
            "setup": self.setup.fields().unwrap_or_default(),
            "moves": moves,
        });
        if let Some(value) = self.value {
            line["value"] = json!((f64::from(value) * 100.0).round() / 100.0);
        }
        line
    }

    fn read(line: &str) -> Result<Self, String> {
        let written: Written = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let setup = Setup::parse(written.game, written.setup.as_ref())
            .map_err(|error| error.to_string())?;
        let mut position = Position::new(&setup);
        let mut moves = Vec::new();
        for text in &written.moves {
            let mv = position.parse_move(text).and_then(|mv| {
                position.play(mv)?;
                Ok(mv)
            });
            moves.push(mv.map_err(|error| format!("move {text:?}: {error}"))?);
        }
        if position.to_move().is_none() {
            return Err("the game is over".into());
        }
        Ok(Self {
            setup,
            moves,
            value: None,
        })
    }
}

/// Reads openings, one a line; blank lines are skipped.
pub(crate) fn read(input: impl BufRead, game: GameKind) -> Result<Vec<Opening>, BadOpening> {
    let mut openings = Vec::new();
    for (number, line) in input.lines().enumerate() {
        let bad = |why: String| BadOpening {
            line: number + 1,
            why,
        };
        let line = line.map_err(|error| bad(error.to_string()))?;
        if line.trim().is_empty() {
            continue;
        }
        let opening = Opening::read(&line).map_err(bad)?;
        if opening.setup.kind() != game {
            return Err(bad(format!("this is no opening of {game}")));
        }
        openings.push(opening);
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::super::draw::draw;
    use super::super::draw::tests::{options, setups};
    use super::*;

    #[test]
    fn openings_are_read_as_they_are_written() {
        for setup in setups() {
            let openings = draw(&options(setup), 2, 1);
            let lines: Vec<_> = openings
                .iter()
                .map(|one| one.to_json().to_string())
                .collect();
            let read = read(lines.join("\n\n").as_bytes(), setup.kind()).unwrap();
            for (read, drawn) in read.iter().zip(&openings) {
                assert_eq!((read.setup, &read.moves), (drawn.setup, &drawn.moves));
            }
        }
    }

    #[test]
    fn what_is_no_opening_is_named_with_its_line() {
        let check = |line: &str, why: &str| {
            let text = format!("\n{line}\n");
            let bad = read(text.as_bytes(), GameKind::Reversi)
                .unwrap_err()
                .to_string();
            assert!(bad.starts_with("line 2") && bad.contains(why), "{bad}");
        };
        check("{}", "game");
        check(r#"{"game":"reversi","moves":["0,0"]}"#, "flips_nothing");
        check(r#"{"game":"reversi","moves":["zero"]}"#, "malformed_move");
        check(r#"{"game":"reversi","setup":[],"moves":[]}"#, "object");
        check(r#"{"game":"dots","moves":[]}"#, "no opening of reversi");
        let over = r#"{"game":"reversi","moves":["f5","d6","c5","f4","e7","f6","g5","e6","e3"]}"#;
        check(over, "over");
    }
}
