//! Dots and Boxes as players of Little Golem write their games (<https://littlegolem.net/jsp/forum/topic2.jsp?forum=110&topic=12>): a
//! move is the two dots of its line, `a1b1`, with letters for columns from the left and numbers for rows from the bottom. Turns
//! have numbers, the moves of one turn have commas: `1. b5c5 2. c4c5 3. b4c4 4. b4b5, d3e3`. A line of text is a game.

use crate::builder::Builder;
use crate::point_text::{next_line, tokens};
use crate::text_source::{Line, TextSource};
use crate::{GameRecord, Placed, RecordError, StopReason, sgf};
use std::io::Read;
use tochki_rules::{Illegal, Move, MoveError, Point, Setup, boxes};

/// Reads a game from each line that has any text.
pub(crate) struct Reader<R> {
    source: TextSource<R>,
    setup: boxes::Setup,
}

impl<R: Read> Reader<R> {
    pub(crate) fn open(input: R, setup: boxes::Setup) -> Result<Self, RecordError> {
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

fn game(line: &Line, setup: boxes::Setup) -> GameRecord {
    let mut builder = Builder::line(Setup::Boxes(setup));
    let mut dots = tokens(&line.text);
    while let Some(from) = dots.next() {
        let Some(to) = dots.next() else {
            builder.stop(StopReason::Move(MoveError::Malformed), line.place_of(from));
            break;
        };
        if let Err(why) = play(&mut builder, from, to, setup) {
            builder.stop(why, line.place_of(from));
            break;
        }
    }
    builder.finish()
}

fn play(
    builder: &mut Builder,
    from: &str,
    to: &str,
    setup: boxes::Setup,
) -> Result<(), StopReason> {
    let (from, to) = (dot(from, setup)?, dot(to, setup)?);
    let line = sgf::between(from, to).ok_or(MoveError::Malformed)?;
    let seat = builder.turn();
    let mv = Move::Boxes(line);
    builder.play_as(Placed { seat, mv }, None)
}

/// The dot of a name.
fn dot(name: &str, setup: boxes::Setup) -> Result<Point, MoveError> {
    let (letter, row) = name.split_at_checked(1).ok_or(MoveError::Malformed)?;
    let column = letter
        .bytes()
        .next()
        .filter(u8::is_ascii_alphabetic)
        .ok_or(MoveError::Malformed)?;
    if row.is_empty() || !row.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(MoveError::Malformed);
    }
    let row = row.parse::<u8>().ok().filter(|&row| row > 0);
    // Rows of dots are one more than rows of boxes.
    let y = row
        .and_then(|row| (setup.rows() + 1).checked_sub(row))
        .ok_or(Illegal::OffBoard)?;
    Ok(Point::new(column.to_ascii_lowercase() - b'a', y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, Options, Place, read};

    fn one(text: &str) -> GameRecord {
        let mut games = read(Form::DotPairs, text.as_bytes(), Options::default()).unwrap();
        games.next().unwrap().unwrap()
    }

    #[test]
    fn moves_are_pairs_of_dots_and_boxes_give_another_turn() {
        let game = one("1. b5c5 2. c4c5 3. b4c4 4. b4b5, d3e3 5. f1f2");
        let moves: Vec<_> = game
            .main_line()
            .iter()
            .map(|mv| format!("{}:{}", mv.seat.number(), mv.mv))
            .collect();
        assert_eq!(
            moves,
            [
                "1:h:1,1", "2:v:2,1", "1:h:1,2", "2:v:1,1", "2:h:3,3", "1:v:5,4"
            ]
        );
        assert_eq!(game.stop, None);
        let lowest = one("a1b1");
        assert_eq!(lowest.main_line()[0].mv.to_string(), "h:0,5");
    }

    #[test]
    fn a_line_ends_before_what_is_no_move() {
        for (text, column, code) in [
            ("a1b1 b1a1", 6, "already_drawn"),
            ("a1c1", 1, "malformed_move"),
            ("a1b1 c1", 6, "malformed_move"),
            ("a7b7", 1, "off_board"),
            ("g1g2", 1, "off_board"),
            ("a0a1", 1, "off_board"),
            ("hello world", 1, "malformed_move"),
        ] {
            let stop = one(text).stop.unwrap();
            assert_eq!(
                (stop.place, stop.why.code()),
                (Place::text(1, column), code),
                "{text}"
            );
        }
    }
}
