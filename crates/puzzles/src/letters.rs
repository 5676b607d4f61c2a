//! Moves as letters: a pair for a point, `a`–`z` and then `A`–`Z`, as in SGF. In Boxes a pair of capitals is a line that runs
//! down, because no board of that game has more than 11 dots in a row.

use tochki_rules::{GameKind, Move, Point, boxes::Line, boxes::Orientation};

const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The offset of the letters of a line that runs down.
const DOWN: u8 = 26;

/// The moves, one after another.
pub(crate) fn write(moves: &[Move]) -> String {
    moves.iter().copied().flat_map(pair).collect()
}

fn pair(mv: Move) -> [char; 2] {
    let pair = match mv {
        Move::Dots(point) | Move::Gomoku(point) | Move::Reversi(point) => [point.x, point.y],
        Move::Boxes(line) if line.orientation == Orientation::Vertical => {
            [line.x + DOWN, line.y + DOWN]
        }
        Move::Boxes(line) => [line.x, line.y],
    };
    // Boards have at most 50 points each way.
    pair.map(|number| char::from(LETTERS[usize::from(number) % LETTERS.len()]))
}

/// Reads the letters of [`write()`] for this game. The moves may still be illegal.
pub(crate) fn read(game: GameKind, text: &str) -> Option<Vec<Move>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|pair| read_pair(game, *pair)).collect()
}

fn read_pair(game: GameKind, pair: [u8; 2]) -> Option<Move> {
    let number = |letter: u8| {
        let number = LETTERS.iter().position(|&other| other == letter)?;
        u8::try_from(number).ok()
    };
    let (x, y) = (number(pair[0])?, number(pair[1])?);
    Some(match game {
        GameKind::Dots => Move::Dots(Point::new(x, y)),
        GameKind::Gomoku => Move::Gomoku(Point::new(x, y)),
        GameKind::Reversi => Move::Reversi(Point::new(x, y)),
        GameKind::Boxes => match (x.checked_sub(DOWN), y.checked_sub(DOWN)) {
            (Some(x), Some(y)) => Move::Boxes(Line::down(x, y)),
            (None, None) => Move::Boxes(Line::across(x, y)),
            _ => return None,
        },
    })
}
