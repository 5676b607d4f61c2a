//! A board as a graph: boxes are its nodes, free lines its edges, and everything beyond the board is the *ground*.
//!
//! The game on it is *Strings and Coins* (Berlekamp, Conway, Guy, *Winning Ways*, chapter 16): a line drawn is an edge cut.

use super::set::LineSet;
use tochki_rules::{
    Game,
    boxes::{Boxes, Line},
};

/// The place of a line or a box that is no box: beyond the edge of the board.
pub(super) const GROUND: u8 = u8::MAX;

/// The lines of a board, or only those that were free at some point, and the boxes that they join.
#[derive(Clone, Debug)]
pub(super) struct Graph<S> {
    /// The line of each number.
    pub lines: Vec<Line>,
    /// The boxes at both sides of a line, or [`GROUND`].
    pub ends: Vec<[u8; 2]>,
    /// The lines of a box.
    pub sides: Vec<S>,
    /// Both lines to the ground of a box in a corner: they are equivalent.
    pub corners: Vec<[u8; 2]>,
}

impl<S: LineSet> Graph<S> {
    /// The board of a position and the set of its free lines. `None` if these do not fit into the set.
    ///
    /// If all lines fit, the numbers are those of the board and stay the same throughout a game.
    pub(super) fn new(position: &Boxes) -> Option<(Self, S)> {
        let setup = position.setup();
        let (cols, rows) = (setup.cols(), setup.rows());
        let whole = usize::from(setup.line_count()) <= S::BITS;
        let lines: Vec<Line> = if whole {
            setup.lines().collect()
        } else {
            position.free_lines().collect()
        };
        if lines.len() > S::BITS {
            return None;
        }
        let place = |x: u8, y: u8| {
            if x < cols && y < rows {
                y * cols + x
            } else {
                GROUND
            }
        };
        let ends: Vec<[u8; 2]> = lines
            .iter()
            .map(|&line| {
                let Line { x, y, .. } = line;
                if line.row() % 2 == 0 {
                    [place(x, y.wrapping_sub(1)), place(x, y)]
                } else {
                    [place(x.wrapping_sub(1), y), place(x, y)]
                }
            })
            .collect();
        let mut sides = vec![S::default(); usize::from(setup.area())];
        for (line, ends) in ends.iter().enumerate() {
            for &end in ends.iter().filter(|&&end| end != GROUND) {
                let side = &mut sides[usize::from(end)];
                *side = side.with(line as u8);
            }
        }
        let free = position
            .free_lines()
            .filter_map(|line| lines.iter().position(|&it| it == line))
            .fold(S::default(), |set, line| set.with(line as u8));
        let corners = sides
            .iter()
            .filter_map(|&side| {
                let mut outer = side
                    .numbers()
                    .filter(|&line| ends[usize::from(line)].contains(&GROUND));
                Some([outer.next()?, outer.next()?])
            })
            .collect();
        let graph = Self {
            lines,
            ends,
            sides,
            corners,
        };
        Some((graph, free))
    }

    /// The number of a line that is in the graph.
    pub(super) fn number(&self, line: Line) -> Option<u8> {
        let place = self.lines.iter().position(|&it| it == line)?;
        Some(place as u8)
    }

    /// The number of free lines of a box.
    #[inline]
    pub(super) fn degree(&self, free: S, place: u8) -> u32 {
        self.sides[usize::from(place)].and(free).count()
    }

    /// Returns whether the line may be drawn without giving a box away.
    pub(super) fn is_safe(&self, free: S, line: u8) -> bool {
        self.ends[usize::from(line)]
            .iter()
            .all(|&end| end == GROUND || self.degree(free, end) > 2)
    }

    /// The number of boxes that are not taken yet.
    pub(super) fn open_boxes(&self, free: S) -> u8 {
        let open = self
            .sides
            .iter()
            .filter(|&&side| !side.and(free).is_empty());
        open.count() as u8
    }

    /// The box at the other side of a line.
    #[inline]
    pub(super) fn across(&self, line: u8, place: u8) -> u8 {
        let [one, other] = self.ends[usize::from(line)];
        if one == place { other } else { one }
    }
}
