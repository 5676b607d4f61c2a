//! Moves as numbers: points row by row from the top left, lines by the rows of `Line::in_row`.

use tochki_rules::{Move, Point, Setup, boxes};

/// The numbers of the moves of a board.
pub(super) struct Numbers {
    kind: tochki_rules::GameKind,
    width: u16,
    count: u16,
}

impl Numbers {
    pub(super) fn new(setup: Setup) -> Self {
        let (width, rows) = match setup {
            Setup::Dots(setup) => (setup.width(), setup.height()),
            Setup::Boxes(setup) => (setup.cols() + 1, 2 * setup.rows() + 1),
            Setup::Gomoku(setup) => (setup.size(), setup.size()),
            Setup::Reversi(_) => (8, 8),
        };
        let (width, rows) = (u16::from(width), u16::from(rows));
        Self {
            kind: setup.kind(),
            width,
            count: width * rows,
        }
    }

    /// Whether a number takes two bytes.
    pub(super) const fn is_wide(&self) -> bool {
        self.count > 256
    }

    /// The number of a move; `None` if no move of this board has one.
    pub(super) fn of(&self, mv: Move) -> Option<u16> {
        let (x, row) = match mv {
            Move::Dots(Point { x, y })
            | Move::Gomoku(Point { x, y })
            | Move::Reversi(Point { x, y }) => (x, y),
            Move::Boxes(line) => (line.x, line.row()),
        };
        let x = u16::from(x);
        let number = u16::from(row) * self.width + x;
        (x < self.width && number < self.count).then_some(number)
    }

    /// The move of a number. It may be off the board.
    pub(super) fn move_of(&self, number: u16) -> Move {
        use tochki_rules::GameKind;
        // Rows of boards are fewer than 256, so that a number from elsewhere is off them, too.
        let row = u8::try_from(number / self.width).unwrap_or(u8::MAX);
        let x = (number % self.width) as u8;
        let point = Point::new(x, row);
        match self.kind {
            GameKind::Dots => Move::Dots(point),
            GameKind::Gomoku => Move::Gomoku(point),
            GameKind::Reversi => Move::Reversi(point),
            GameKind::Boxes => Move::Boxes(boxes::Line::in_row(row, x)),
        }
    }
}
