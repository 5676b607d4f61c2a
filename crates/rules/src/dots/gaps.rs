//! Openings between the walls round a new dot, and which of them the dot has closed.

use super::board::{Board, Direction, PointIndex, Search};
use crate::Seat;

/// An opening between the walls round a dot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// A straight direction into the opening.
    pub(super) open: Direction,
    /// The wall at its clockwise end: the first step of a line that has the gap at its left.
    pub(super) wall: Direction,
}

impl Gap {
    const NONE: Self = Self {
        open: Direction::UP,
        wall: Direction::UP,
    };

    /// Returns whether a dot in the ring closes nothing, because there is at most one opening round it.
    #[inline]
    pub(super) fn is_one_in(ring: u8) -> bool {
        IS_ONE[usize::from(ring)]
    }

    /// The openings round a dot, from the ring of walls that [`Board::walls_around`] gives.
    #[inline]
    pub(super) fn all_in(ring: u8) -> &'static [Self] {
        let gaps = &GAPS[usize::from(ring)];
        &gaps.gaps[..usize::from(gaps.count).min(4)]
    }
}

/// Finds the gaps that lead into a face that the dot at `at` has closed; one gap for each face.
///
/// From each gap a line leaves along the walls, the gap at its left, until it is back at the dot. If it comes back round
/// its left side, the gap's face is closed. Otherwise it has gone round the far side of some walls, and comes back to
/// some gap of the same face.
///
/// The lines go two at a time, step by step; whenever one is back, the next takes its place. The line that is still under way in
/// the end is never followed to its end, for it is the longest, often round half of the board. Its result follows from the
/// others: it comes back to the gap that is left over, so that it is known which gaps share a face, and just one face, the one
/// that still reaches the edge, has no line round it.
pub(super) fn closed_gaps(board: &Board, seat: Seat, at: PointIndex, gaps: &[Gap]) -> [bool; 4] {
    // The race is most of the cost of a dot; it is faster when compiled for one seat, and so it is compiled for each.
    match seat {
        Seat::First => race(board, Seat::First, at, gaps),
        Seat::Second => race(board, Seat::Second, at, gaps),
    }
}

#[inline]
fn race(board: &Board, seat: Seat, at: PointIndex, gaps: &[Gap]) -> [bool; 4] {
    // Half of the closed faces are single points, which is seen at once. One face reaches the edge, so if a single gap is
    // left, there is no need to race.
    let (mut closed, mut points) = ([false; 4], 0);
    for (closed, gap) in closed.iter_mut().zip(gaps) {
        *closed = board.is_walled_in(at.step(gap.open), seat);
        points += usize::from(*closed);
    }
    if points + 1 == gaps.len() {
        return closed;
    }
    if let [one, other] = gaps {
        return race_of_two(board, seat, at, [one.wall, other.wall]);
    }
    let mut closed = [false; 4];
    let mut returns = [0; 4];
    let mut left_over: usize = (0..gaps.len()).sum();
    let mut longest = Line::new(0, at, gaps);
    for number in 1..gaps.len() {
        let mut line = Line::new(number, at, gaps);
        loop {
            line.advance(board, seat);
            if line.at == at {
                break;
            }
            longest.advance(board, seat);
            if longest.at == at {
                std::mem::swap(&mut longest, &mut line);
                break;
            }
        }
        closed[line.gap] = line.strips > 0;
        returns[line.gap] = gaps
            .iter()
            .position(|gap| gap.wall == line.step)
            .unwrap_or(0);
        left_over -= returns[line.gap];
    }
    returns[longest.gap] = left_over;
    let lines_round = closed.iter().filter(|&&closed| closed).count();
    closed[longest.gap] = lines_round + 1 < circles(&returns[..gaps.len()]);
    closed
}

/// Finds the closed gaps of two, as most races have: the line that is back first decides.
///
/// If it comes back to the other gap, the walls on both sides of the dot are not joined, and nothing is closed. Otherwise one of
/// the two faces is closed.
#[inline]
fn race_of_two(board: &Board, seat: Seat, at: PointIndex, walls: [Direction; 2]) -> [bool; 4] {
    let line = |gap| Line {
        gap,
        at,
        step: walls[gap],
        strips: 0,
    };
    let (mut one, mut other) = (line(0), line(1));
    let back = loop {
        one.advance(board, seat);
        if one.at == at {
            break one;
        }
        other.advance(board, seat);
        if other.at == at {
            break other;
        }
    };
    let are_two = back.step == walls[back.gap];
    let is_first = (back.strips > 0) == (back.gap == 0);
    [are_two && is_first, are_two && !is_first, false, false]
}

/// A line on its way along the walls, with the open side at its left.
#[derive(Clone, Copy)]
struct Line {
    /// The gap where the line began.
    gap: usize,
    at: PointIndex,
    /// The next step.
    step: Direction,
    /// The strips above its steps so far. Their sum once the line is back: positive if it has gone round its left side.
    strips: i32,
}

impl Line {
    #[inline]
    fn new(gap: usize, at: PointIndex, gaps: &[Gap]) -> Self {
        Self {
            gap,
            at,
            step: gaps[gap].wall,
            strips: 0,
        }
    }

    #[inline]
    fn advance(&mut self, board: &Board, seat: Seat) {
        self.strips += self.at.strip(self.step);
        self.at = self.at.step(self.step);
        self.step = Search::after(self.step).first_in(board.walls_around(self.at, seat));
    }
}

/// The number of cycles of the permutation that takes each number to its entry.
fn circles(to: &[usize]) -> usize {
    let is_least = |&start: &usize| {
        let mut next = to[start];
        while next > start {
            next = to[next];
        }
        next == start
    };
    (0..to.len()).filter(is_least).count()
}

/// The openings that a dot stands between, at most one in each straight direction.
#[derive(Clone, Copy)]
struct Gaps {
    count: u8,
    gaps: [Gap; 4],
}

/// Whether each ring has at most one gap: a small table for the one question that every dot asks.
static IS_ONE: [bool; 256] = {
    let mut all = [false; 256];
    let mut ring = 0;
    while ring < 256 {
        all[ring] = GAPS[ring].count < 2;
        ring += 1;
    }
    all
};

/// The gaps for each ring.
static GAPS: [Gaps; 256] = {
    let mut all = [Gaps {
        count: 0,
        gaps: [Gap::NONE; 4],
    }; 256];
    let mut ring = 0;
    while ring < 256 {
        all[ring] = gaps(ring as u8);
        ring += 1;
    }
    all
};

/// A gap is a run of points without a wall, at least one of them straight ahead: corners alone let nothing through.
const fn gaps(ring: u8) -> Gaps {
    let mut found = Gaps {
        count: 0,
        gaps: [Gap::NONE; 4],
    };
    let mut wall = 0_u8;
    while wall < 8 {
        // From each wall, look back anticlockwise over the run that ends at it.
        let mut open = None;
        let mut back = 7;
        while ring >> wall & 1 == 1 && back > 0 && ring >> ((wall + back) % 8) & 1 == 0 {
            if (wall + back) % 2 == 1 {
                open = Some(Direction::number(wall + back));
            }
            back -= 1;
        }
        if let Some(open) = open {
            found.gaps[found.count as usize] = Gap {
                open,
                wall: Direction::number(wall),
            };
            found.count += 1;
        }
        wall += 1;
    }
    found
}
