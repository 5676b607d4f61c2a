//! Gomoku as a line of points for each game: `h8i9h10`, with or without separators and numbers of moves. Letters are columns from
//! the left, numbers rows from the bottom. The form has neither size nor result.

use crate::builder::Builder;
use crate::text_source::{Line, TextSource};
use crate::turns::in_turn;
use crate::{GameRecord, RecordError, StopReason, WriteError};
use std::io::Read;
use tochki_rules::{Move, MoveError, Position, gomoku};

/// Reads a game from each line that has any text.
pub(crate) struct Reader<R> {
    source: TextSource<R>,
    setup: gomoku::Setup,
}

impl<R: Read> Reader<R> {
    pub(crate) fn open(input: R, setup: gomoku::Setup) -> Result<Self, RecordError> {
        let source = TextSource::open(input)?;
        Ok(Self { source, setup })
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        next_line(&mut self.source)
            .transpose()
            .map(|line| Ok(game(&line?, self.setup)))
    }
}

/// The next line that has any text.
pub(crate) fn next_line(source: &mut TextSource<impl Read>) -> Result<Option<Line>, RecordError> {
    while let Some(line) = source.line()? {
        if !line.text.trim().is_empty() {
            return Ok(Some(line));
        }
    }
    Ok(None)
}

fn game(line: &Line, setup: gomoku::Setup) -> GameRecord {
    let mut builder = Builder::line(tochki_rules::Setup::Gomoku(setup));
    for token in tokens(&line.text) {
        let played = if starts_with_letter(token) {
            setup
                .parse_point(token)
                .map_err(StopReason::from)
                .and_then(|point| {
                    let seat = builder.turn();
                    let mv = Move::Gomoku(point);
                    builder.play_as(crate::Placed { seat, mv }, None)
                })
        } else {
            Err(StopReason::Move(MoveError::Malformed))
        };
        if let Err(why) = played {
            builder.stop(why, line.place_of(token));
            break;
        }
    }
    builder.finish()
}

fn starts_with_letter(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The points of a line; a token that is none ends at a separator. Numbers of moves, `12.`, are left out.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim_start_matches('\u{feff}');
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start_matches(is_separator);
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if digits == 0 || !rest[digits..].starts_with('.') {
                break;
            }
            rest = &rest[digits + 1..];
        }
        let first = rest.chars().next()?;
        let len =
            if first.is_ascii_alphabetic() && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
                let tail = &rest[1..];
                1 + tail.len() - tail.trim_start_matches(|c: char| c.is_ascii_digit()).len()
            } else {
                rest.find(is_separator).unwrap_or(rest.len())
            };
        let (token, tail) = rest.split_at(len);
        rest = tail;
        Some(token)
    })
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || ",;|:".contains(c)
}

/// Writes a game as a line.
pub(crate) fn write(text: &mut String, record: &GameRecord) -> Result<(), WriteError> {
    let tochki_rules::Setup::Gomoku(setup) = record.setup else {
        return Err(WriteError::OtherGame);
    };
    let moves = record.main_line();
    if moves.is_empty() {
        return Err(WriteError::NoMoves);
    }
    let mut line = String::new();
    let each = |_: &Position, number: usize| {
        if let Move::Gomoku(point) = moves[number].mv {
            line.push_str(&setup.point_name(point).to_ascii_lowercase());
        }
    };
    in_turn(record, each)?;
    text.push_str(&line);
    text.push('\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, Options, Place, Writer, read};

    fn all(text: &str, size: u8) -> Vec<GameRecord> {
        let options = Options::default().with_size(size).unwrap();
        let games = read(Form::Points, text.as_bytes(), options).unwrap();
        games.map(Result::unwrap).collect()
    }

    #[test]
    fn a_line_is_a_game() {
        let games = all("h8i9h10\n\n 1. H8 i9 2. H10\r\nh8,i9,h10\rh8 i9;h10", 15);
        assert_eq!(games.len(), 4);
        for game in games {
            let moves: Vec<_> = game
                .main_line()
                .iter()
                .map(|mv| mv.mv.to_string())
                .collect();
            assert_eq!(
                (moves, game.stop),
                (vec!["7,7".into(), "8,6".into(), "7,5".into()], None)
            );
            let mut writer = Writer::new(Form::Points, Vec::new());
            writer.write(&game).unwrap();
            assert_eq!(writer.finish().unwrap(), b"h8i9h10\n");
        }
        assert_eq!(all("k10", 19)[0].main_line()[0].mv.to_string(), "10,9");
    }

    #[test]
    fn a_line_ends_before_what_is_no_move() {
        for (text, moves, column) in [
            ("h8i9 h8 a1", 2, 6),
            ("h8p1", 1, 3),
            ("h8 a0", 1, 4),
            ("h8 wörd a1", 1, 4),
            ("h8 88", 1, 4),
            ("h8 a1234567890123", 1, 4),
            ("ё", 0, 1),
        ] {
            let game = all(text, 15).remove(0);
            let stop = game.stop.unwrap();
            assert_eq!(
                (game.moves.len(), stop.place),
                (moves, Place::text(1, column)),
                "{text}"
            );
        }
    }
}
