//! The lines that the server writes: answers to the client's requests, and requests of its own.

use std::fmt;

/// The errors, with the numbers of the source document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineError {
    /// The line cannot be read, or means nothing here.
    Invalid = 1,
    /// The name is in use.
    NameTaken = 2,
    /// The player is not on turn.
    NotOnTurn = 3,
    /// The player is in no game.
    NotInGame = 4,
    /// The player is in a game already.
    InGame = 5,
    /// The limit is reached.
    Limit = 6,
}

/// A line to the client, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    /// The request was done.
    Ok,
    /// The request was done, with fields.
    OkWith(Vec<String>),
    /// The request was not done.
    Error(LineError),
    /// The answer to `PING`.
    Pong,
    /// Asks for a sign of life.
    Ping,
    /// The opponent has come, or has come back.
    OpponentJoined(String),
    /// The opponent is away.
    OpponentLeft,
    /// The opponent drew a line.
    Turn {
        /// The place in its row.
        x: u8,
        /// The row of lines.
        row: u8,
    },
    /// Boxes that the last line closed: by the receiver, or by the opponent.
    Acquired {
        /// Whether the opponent has closed the boxes.
        by_opponent: bool,
        /// Columns and rows.
        boxes: Vec<(u8, u8)>,
    },
    /// The receiver draws next.
    OnTurn,
    /// The opponent draws next.
    OpponentsTurn,
    /// The game is over.
    End(End),
}

/// The end of a game for the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Win,
    Lose,
    Draw,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok => f.write_str("OK"),
            Self::OkWith(fields) => {
                f.write_str("OK")?;
                fields.iter().try_for_each(|field| write!(f, "|{field}"))
            }
            Self::Error(error) => write!(f, "ERR{}", *error as u8),
            Self::Pong => f.write_str("PONG"),
            Self::Ping => f.write_str("PING"),
            Self::OpponentJoined(name) => write!(f, "OP_JOIN|{name}"),
            Self::OpponentLeft => f.write_str("OP_LEAVE"),
            Self::Turn { x, row } => write!(f, "TURN|{x}|{row}"),
            Self::Acquired { by_opponent, boxes } => {
                f.write_str(if *by_opponent { "OP_ACQ" } else { "ACQ" })?;
                boxes.iter().try_for_each(|(x, y)| write!(f, "|{x}|{y}"))
            }
            Self::OnTurn => f.write_str("ON_TURN"),
            Self::OpponentsTurn => f.write_str("OP_TURN"),
            Self::End(End::Win) => f.write_str("END|WIN"),
            Self::End(End::Lose) => f.write_str("END|LOSE"),
            Self::End(End::Draw) => f.write_str("END|DRAW"),
        }
    }
}

/// Returns a name as the protocol can carry it: letters that do not fit become `_`.
pub(crate) fn fitted(name: &str) -> String {
    let fits = |c: char| if is_letter(c) { c } else { '_' };
    name.chars().map(fits).collect()
}

/// Returns whether all letters of a name of this length are of the protocol's alphabet.
pub(crate) fn fits(name: &str, longest: usize) -> bool {
    (1..=longest).contains(&name.len()) && name.chars().all(is_letter)
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_written_as_in_the_document() {
        let boxes = vec![(0, 1), (2, 1)];
        for (message, expected) in [
            (Message::Ok, "OK"),
            (
                Message::OkWith(vec!["den".into(), "lair".into()]),
                "OK|den|lair",
            ),
            (Message::Error(LineError::NameTaken), "ERR2"),
            (Message::Error(LineError::Limit), "ERR6"),
            (Message::OpponentJoined("eva".into()), "OP_JOIN|eva"),
            (Message::Turn { x: 3, row: 5 }, "TURN|3|5"),
            (
                Message::Acquired {
                    by_opponent: false,
                    boxes: boxes.clone(),
                },
                "ACQ|0|1|2|1",
            ),
            (
                Message::Acquired {
                    by_opponent: true,
                    boxes,
                },
                "OP_ACQ|0|1|2|1",
            ),
            (Message::End(End::Draw), "END|DRAW"),
        ] {
            assert_eq!(message.to_string(), expected);
        }
    }

    #[test]
    fn letters_outside_the_alphabet_become_underscores() {
        assert_eq!(fitted("Anna-2"), "Anna__");
        assert_eq!(fitted("Дима"), "____");
        assert!(fits("a_B", 20) && !fits("", 20) && !fits("a2", 20) && !fits("abc", 2));
    }
}
