//! A game played on at random from a position in capture normal form: safe moves in any order, then strings from the shortest.

use super::{
    graph::{GROUND, Graph},
    loony,
    set::{LineSet, Wide},
    strings::{Opening, StringKind, openings},
};
use crate::Rng;

/// Buffers of a playout.
#[derive(Clone, Debug)]
pub(super) struct Playout {
    degrees: Vec<u8>,
    lines: Vec<u8>,
    strings: Vec<Opening<Wide>>,
    /// The strings that were opened: the number of boxes, and the number of them that may be left.
    opened: Vec<(i16, i16)>,
    chains: Vec<u8>,
    loops: Vec<u8>,
    values: Vec<i16>,
}

/// The most entries of the exhaustive value of the final chains and loops; beyond them, short chains are opened first.
const MAX_VALUES: usize = 4096;

impl Playout {
    pub(super) fn new() -> Self {
        Self {
            degrees: Vec::with_capacity(256),
            lines: Vec::with_capacity(256),
            strings: Vec::with_capacity(256),
            opened: Vec::with_capacity(256),
            chains: Vec::with_capacity(128),
            loops: Vec::with_capacity(128),
            values: Vec::with_capacity(MAX_VALUES),
        }
    }

    /// Plays a random game, and returns the gain of the side to move.
    ///
    /// Once no line is safe any more, the shortest string is opened until only chains and loops are left, whose value is known.
    /// Whether its boxes are all taken is then decided backwards, as if both sides saw the rest of the game.
    pub(super) fn value(&mut self, graph: &Graph<Wide>, free: Wide, rng: &mut Rng) -> i16 {
        let (mut free, safe_moves) = self.play_safe(graph, free, rng);
        self.opened.clear();
        let mut value = loop {
            self.strings.clear();
            let Self {
                strings,
                chains,
                loops,
                ..
            } = self;
            chains.clear();
            loops.clear();
            openings(graph, free, |string| {
                match string.kind {
                    StringKind::Chain => chains.push(string.boxes),
                    StringKind::Loop => loops.push(string.boxes),
                    StringKind::Joined => {}
                }
                strings.push(string);
            });
            let joined = strings
                .iter()
                .any(|string| string.kind == StringKind::Joined);
            let size = (chains.len() + 2) * (chains.len() + 2) / 4 * (loops.len() + 1);
            if !joined && size <= MAX_VALUES {
                chains.sort_unstable();
                loops.sort_unstable();
                break loony::value(chains, loops, &mut self.values);
            }
            let next = strings
                .iter()
                .min_by_key(|string| (string.boxes, string.line));
            let Some(string) = next else { break 0 };
            self.opened
                .push((i16::from(string.boxes), i16::from(string.left)));
            free = free.minus(string.lines);
        };
        for &(boxes, left) in self.opened.iter().rev() {
            value = if left > 0 {
                left - boxes - (value + left).abs()
            } else {
                -boxes - value
            };
        }
        if safe_moves % 2 == 0 { value } else { -value }
    }

    /// Draws safe lines in random order until there is none. Returns the remaining free lines, and the number of lines drawn.
    fn play_safe(&mut self, graph: &Graph<Wide>, mut free: Wide, rng: &mut Rng) -> (Wide, u32) {
        let Self { degrees, lines, .. } = self;
        degrees.clear();
        degrees.extend(graph.sides.iter().map(|side| side.and(free).count() as u8));
        lines.clear();
        lines.extend(free.numbers());
        let mut count = 0;
        // A line that is not safe never becomes safe again, so each is looked at once.
        for tried in 0..lines.len() {
            let rest = (lines.len() - tried) as u32;
            lines.swap(tried, tried + rng.below(rest) as usize);
            let line = lines[tried];
            let ends = graph.ends[usize::from(line)];
            let is_safe = |&end: &u8| end == GROUND || degrees[usize::from(end)] > 2;
            if ends.iter().all(is_safe) {
                for &end in ends.iter().filter(|&&end| end != GROUND) {
                    degrees[usize::from(end)] -= 1;
                }
                free = free.without(line);
                count += 1;
            }
        }
        (free, count)
    }
}
