//! Reversi as a line of moves for each game: `f5d6c3…`, in any case, with or without separators and numbers of moves; a pass is
//! `--` or `pa`, or is left out.

use crate::builder::Builder;
use crate::point_text::next_line;
use crate::text_source::{Line, TextSource};
use crate::turns::in_turn;
use crate::{GameRecord, RecordError, WriteError, reversi_text};
use std::io::Read;
use tochki_rules::{Position, Setup, reversi};

/// Reads a game from each line that has any text.
pub(crate) struct Reader<R>(TextSource<R>);

impl<R: Read> Reader<R> {
    pub(crate) fn open(input: R) -> Result<Self, RecordError> {
        TextSource::open(input).map(Self)
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        next_line(&mut self.0)
            .transpose()
            .map(|line| Ok(game(&line?)))
    }
}

fn game(line: &Line) -> GameRecord {
    let mut builder = Builder::line(Setup::Reversi(reversi::Setup::DEFAULT));
    for word in words(&line.text) {
        if let Err(why) = reversi_text::play(&mut builder, word, None) {
            builder.stop(why, line.place_of(word));
            break;
        }
    }
    builder.finish()
}

/// The moves of a text: two characters each, but for words of a pass and what is no move at all. Numbers of moves, `12.`, are left
/// out.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
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
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let is_square = matches!(bytes, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8', ..]);
        let pass = ["pass", "--", "pa", "ps"].iter().find(|pass| {
            rest.get(..pass.len())
                .is_some_and(|word| word.eq_ignore_ascii_case(pass))
        });
        let len = match pass {
            _ if is_square => 2,
            Some(pass) => pass.len(),
            None => rest.find(is_separator).unwrap_or(rest.len()),
        };
        let (word, tail) = rest.split_at(len);
        rest = tail;
        Some(word)
    })
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || ",;|:".contains(c)
}

/// Writes a game as a line, without its passes.
pub(crate) fn write(text: &mut String, record: &GameRecord) -> Result<(), WriteError> {
    let moves = record.main_line();
    if moves.is_empty() {
        return Err(WriteError::NoMoves);
    }
    let mut line = String::new();
    in_turn(record, |_: &Position, number| {
        line.push_str(&reversi_text::name(moves[number].mv));
    })?;
    text.push_str(&line);
    text.push('\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, Options, Place, StopReason, Writer, read};

    fn all(text: &str) -> Vec<GameRecord> {
        let games = read(Form::Transcript, text.as_bytes(), Options::default()).unwrap();
        games.map(Result::unwrap).collect()
    }

    fn moves(game: &GameRecord) -> String {
        game.main_line()
            .iter()
            .map(|mv| reversi_text::name(mv.mv))
            .collect()
    }

    #[test]
    fn a_line_is_a_game_in_any_case() {
        let games = all("f5d6c3d3c4\n\nF5D6 C3d3\tC4\r1. f5 d6 2. c3 d3 3. c4\nf5,d6,c3,d3,c4");
        assert_eq!(games.len(), 4);
        for game in games {
            assert_eq!((&*moves(&game), game.stop), ("f5d6c3d3c4", None));
            let mut writer = Writer::new(Form::Transcript, Vec::new());
            writer.write(&game).unwrap();
            assert_eq!(writer.finish().unwrap(), b"f5d6c3d3c4\n");
        }
    }

    /// After `c1` black has no move (`tochki_rules::replay` has the same game).
    const WITH_PASS: &str = "d3c3e6d2d1e1b2c1";

    #[test]
    fn a_pass_may_be_written_or_left_out() {
        let game = &all(WITH_PASS)[0];
        assert_eq!((game.moves.len(), game.stop), (8, None));
        let next = {
            let mut position = Position::new(&game.setup);
            for mv in game.main_line() {
                position.play_as(mv.seat, mv.mv).unwrap();
            }
            let passed = position.passed();
            (passed, position.to_move(), position.legal_moves()[0])
        };
        let mv = reversi_text::name(next.2);
        for pass in if next.0 {
            &["", "--", "pa", "PASS", " pa "][..]
        } else {
            &[""][..]
        } {
            let text = format!("{WITH_PASS}{pass}{mv}");
            let game = &all(&text)[0];
            assert_eq!((game.moves.len(), game.stop), (9, None), "{text}");
            assert_eq!(game.moves[8].seat, next.1.unwrap());
        }
    }

    #[test]
    fn a_line_ends_before_what_is_no_move() {
        for (text, count, column, why) in [
            ("f5f5", 1, 3, "occupied"),
            ("f5 a1", 1, 4, "flips_nothing"),
            ("f5 d6 i9", 2, 7, "off_board"),
            ("f5--", 1, 3, "pass_with_move"),
            ("f5 Zebra", 1, 4, "malformed_move"),
            ("5f", 0, 1, "malformed_move"),
            ("3,2", 0, 1, "malformed_move"),
        ] {
            let game = all(text).remove(0);
            let stop = game.stop.unwrap();
            assert_eq!(
                (game.moves.len(), stop.place, stop.why.code()),
                (count, Place::text(1, column), why),
                "{text}"
            );
            assert_ne!(stop.why, StopReason::Finished);
        }
    }
}
