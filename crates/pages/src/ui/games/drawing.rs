//! Positions drawn as text, for the small boards of the rules.

use tochki_play::Ply;
use tochki_rules::{Move, Point, Seat};

/// Rows of marks with blanks between them: `R` and `B` stand there, `b` is a blue one that red has captured, `*` is the
/// move to be shown, `.` is free.
pub(crate) type Drawing = &'static [&'static str];

/// Returns the number of marks in a row of a drawing, and the number of rows.
pub(crate) fn size(drawing: Drawing) -> (u8, u8) {
    let width = drawing[0].split_whitespace().count();
    (width as u8, drawing.len() as u8)
}

/// Returns the drawn marks as moves, so far from the left and from the top of the board; the move to be shown is the last.
pub(crate) fn plies(
    drawing: Drawing,
    (left, top): (u8, u8),
    mover: Seat,
    mv: fn(Point) -> Move,
) -> Vec<Ply> {
    let rows = drawing.iter().enumerate();
    let marks = rows.flat_map(|(y, row)| {
        let row = row.split_whitespace().enumerate();
        row.map(move |(x, mark)| (mark, Point::new(left + x as u8, top + y as u8)))
    });
    let mut marks: Vec<_> = marks.filter(|(mark, _)| *mark != ".").collect();
    // Captured dots stand there before red captures them, and blue comes round afterwards; the move is last.
    marks.sort_by_key(|(mark, _)| match *mark {
        "b" => 0,
        "R" => 1,
        "B" => 2,
        _ => 3,
    });
    let plies = marks.into_iter().map(|(mark, point)| Ply {
        seat: match mark {
            "R" => Seat::First,
            "B" | "b" => Seat::Second,
            _ => mover,
        },
        mv: mv(point),
    });
    plies.collect()
}
