//! Captures of the side to move, and whether it may leave some of the boxes to keep the other side to move.

use super::{
    graph::{GROUND, Graph},
    set::LineSet,
};

/// The boxes that are free to take, with all those that follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Captures<S> {
    /// The number of boxes.
    pub boxes: u8,
    /// A line that takes a box, and is part of taking all.
    pub take: Option<u8>,
    /// The way to leave some of the boxes, if there is one.
    pub leave: Option<Leave>,
    /// The lines that are free when all is taken.
    pub rest: S,
}

/// The double-cross: the last boxes are left as dominoes, and the other side takes them and has to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leave {
    /// The number of boxes left: 2 or 4.
    pub boxes: u8,
    /// The next line: a capture, or at last the line that leaves the dominoes.
    pub line: u8,
}

impl<S: LineSet> Captures<S> {
    pub(super) fn new(graph: &Graph<S>, free: S) -> Self {
        let (rest, boxes, take) = eat(graph, free, S::default());
        let eaten = free.minus(rest);
        let leave = eaten
            .numbers()
            .find_map(|line| leave_two(graph, free, eaten, line))
            .or_else(|| {
                eaten
                    .numbers()
                    .find_map(|line| leave_four(graph, free, eaten, line))
            });
        Self {
            boxes,
            take,
            leave,
            rest,
        }
    }

    /// The gain of the side that takes the boxes, by the better of taking all and leaving some, if the rest is worth `rest` to
    /// the side that moves then.
    pub(super) fn value(&self, rest: i16) -> i16 {
        let boxes = i16::from(self.boxes);
        let left = self.leave.map_or(0, |leave| i16::from(leave.boxes));
        if left == 0 {
            return boxes + rest;
        }
        (boxes + rest).max(boxes - 2 * left - rest)
    }
}

/// Takes all free boxes without drawing the lines of `keep`. Returns the remaining free lines, the number of boxes, and the first
/// line drawn.
fn eat<S: LineSet>(graph: &Graph<S>, mut free: S, keep: S) -> (S, u8, Option<u8>) {
    let (mut boxes, mut first) = (0, None);
    loop {
        let next = graph.sides.iter().find_map(|side| {
            let lines = side.and(free);
            let line = lines.first()?;
            (lines.count() == 1 && !keep.has(line)).then_some(line)
        });
        let Some(line) = next else {
            return (free, boxes, first);
        };
        free = free.without(line);
        first = first.or(Some(line));
        for &end in &graph.ends[usize::from(line)] {
            boxes += u8::from(end != GROUND && graph.degree(free, end) == 0);
        }
    }
}

/// Leaves the two boxes at the sides of this line.
fn leave_two<S: LineSet>(graph: &Graph<S>, free: S, eaten: S, line: u8) -> Option<Leave> {
    let ends = graph.ends[usize::from(line)];
    if ends.contains(&GROUND) {
        return None;
    }
    let (left, _, first) = eat(graph, free, S::default().with(line));
    let mut others = left.and(eaten).without(line).numbers();
    let last = others.next()?;
    let after = left.without(last);
    let domino = ends.iter().all(|&end| graph.degree(after, end) == 1);
    (others.next().is_none() && domino && left.has(line)).then(|| Leave {
        boxes: 2,
        line: first.unwrap_or(last),
    })
}

/// Leaves the last four boxes of a loop, of which this is the line in the middle.
fn leave_four<S: LineSet>(graph: &Graph<S>, free: S, eaten: S, line: u8) -> Option<Leave> {
    let ends = graph.ends[usize::from(line)];
    if ends.contains(&GROUND) {
        return None;
    }
    let keep = ends.iter().fold(S::default(), |keep, &end| {
        let side = graph.sides[usize::from(end)].and(free);
        side.numbers().fold(keep, LineSet::with)
    });
    let (left, _, first) = eat(graph, free, keep);
    if left.and(eaten).count() != 3 || !left.has(line) {
        return None;
    }
    let after = left.without(line);
    let outer = ends.map(|end| {
        let out = graph.sides[usize::from(end)].and(after);
        let across = out.first().map(|line| graph.across(line, end));
        across.filter(|&place| out.count() == 1 && place != GROUND)
    });
    let dominoes = outer
        .iter()
        .all(|outer| outer.is_some_and(|place| graph.degree(after, place) == 1));
    (dominoes && outer[0] != outer[1]).then(|| Leave {
        boxes: 4,
        line: first.unwrap_or(line),
    })
}
