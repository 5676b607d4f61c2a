//! The moves of capture normal form: a string of boxes is opened, and its boxes go to the other side.
//!
//! A *string* is a line with all boxes of two free lines that follow at both its ends. Opening it gives its boxes away. The side
//! that takes them moves next; or leaves the last two of a chain (four of a loop) to the opener, who then has to move
//! (double-cross). Two free boxes less and the move are better than leaving more, so these are the only choices; and all lines of
//! a string are equivalent, except that the middle line of a string of two leaves no such choice (*hard-hearted handout*) and
//! therefore is the best of its three. See Berlekamp, *The Dots and Boxes Game* (2000), and Barker and Korf, *Solving
//! Dots-and-Boxes* (AAAI 2012).

use super::{
    graph::{GROUND, Graph},
    set::LineSet,
};

/// The way in which a string is joined to the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringKind {
    /// A chain from the ground to the ground.
    Chain,
    /// A loop.
    Loop,
    /// At least one end is at a box of three or four free lines.
    Joined,
}

/// A string and the effect of opening it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening<S> {
    /// The line to draw.
    pub line: u8,
    /// The boxes that the other side gets if it takes all, including those beyond a loop at the end of a stem.
    pub boxes: u8,
    /// The boxes that the other side may leave so that the opener has to move again: 0, 2 or 4.
    pub left: u8,
    pub kind: StringKind,
    /// The lines of the string.
    pub own: S,
    /// All lines that are drawn when every box is taken.
    pub lines: S,
}

/// The string of a free line. No box may be free to take (have one free line).
pub(super) fn opening<S: LineSet>(graph: &Graph<S>, free: S, line: u8) -> Opening<S> {
    let mut own = S::default().with(line);
    let mut middle = line;
    let mut tips = [GROUND; 2];
    let mut lengths = [0u8; 2];
    for side in 0..2 {
        let (mut place, mut last) = (graph.ends[usize::from(line)][side], line);
        while place != GROUND {
            let others = graph.sides[usize::from(place)].and(free).without(last);
            // Of two free lines there is one besides the line from which the box was reached.
            let Some(next) = others.first().filter(|&it| others.without(it).is_empty()) else {
                break;
            };
            lengths[side] += 1;
            if next == line {
                let boxes = lengths[side];
                return Opening {
                    line,
                    boxes,
                    left: if boxes < 4 { 0 } else { 4 },
                    kind: StringKind::Loop,
                    own,
                    lines: own,
                };
            }
            if lengths == [2, 0] || lengths == [0, 2] {
                middle = last;
            }
            own = own.with(next);
            place = graph.across(next, place);
            last = next;
        }
        tips[side] = place;
    }
    let mut boxes = lengths[0] + lengths[1];
    let mut lines = own;
    // A loop at the end of a stem: with the loop its junction is taken, and then the stem.
    let looped = tips[0] == tips[1] && tips[0] != GROUND;
    if looped && graph.degree(free, tips[0]) == 3 {
        let (mut place, mut last) = (tips[0], line);
        loop {
            boxes += 1;
            let rest = graph.sides[usize::from(place)].and(free).minus(lines);
            let Some(next) = rest.without(last).first() else {
                break;
            };
            lines = lines.with(next);
            place = graph.across(next, place);
            last = next;
            if place == GROUND || graph.degree(free, place) != 2 {
                break;
            }
        }
    }
    Opening {
        line: if boxes == 2 { middle } else { line },
        boxes,
        left: if boxes > 2 { 2 } else { 0 },
        kind: if tips == [GROUND; 2] && boxes > 0 {
            StringKind::Chain
        } else {
            StringKind::Joined
        },
        own,
        lines,
    }
}

/// All strings of a position in which no box is free to take.
pub(super) fn openings<S: LineSet>(graph: &Graph<S>, free: S, mut found: impl FnMut(Opening<S>)) {
    let mut rest = free;
    while let Some(line) = rest.first() {
        let string = opening(graph, free, line);
        rest = rest.minus(string.own);
        found(string);
    }
}
