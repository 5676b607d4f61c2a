//! The symmetries of a set of lines: those of the board that map it to itself.

use super::{graph::Graph, set::LineSet};
use tochki_rules::boxes::{Line, Orientation};

/// The image of a set of lines, eight lines at a time.
#[derive(Clone, Debug)]
struct Symmetry {
    bytes: [[u64; 256]; 8],
    images: [u8; 64],
    originals: [u8; 64],
}

/// All symmetries but the identity.
#[derive(Clone, Debug, Default)]
pub(super) struct Symmetries(Vec<Symmetry>);

impl Symmetries {
    /// The symmetries that map the set to itself. Positions within the set have the same value as their images.
    pub(super) fn of(graph: &Graph<u64>, lines: u64) -> Self {
        let (cols, rows) = graph.lines.iter().fold((0, 0), |(cols, rows), line| {
            (line.x.max(cols), line.y.max(rows))
        });
        let image = |turn: u8, line: Line| {
            let Line {
                orientation,
                mut x,
                mut y,
            } = line;
            let (wide, high) = match orientation {
                Orientation::Horizontal => (cols.wrapping_sub(1), rows),
                Orientation::Vertical => (cols, rows.wrapping_sub(1)),
            };
            if turn & 1 != 0 {
                x = wide.wrapping_sub(x);
            }
            if turn & 2 != 0 {
                y = high.wrapping_sub(y);
            }
            match (orientation, turn & 4 != 0) {
                (Orientation::Horizontal, false) => Line::across(x, y),
                (Orientation::Vertical, false) => Line::down(x, y),
                (Orientation::Horizontal, true) => Line::down(y, x),
                (Orientation::Vertical, true) => Line::across(y, x),
            }
        };
        let turns = if cols == rows { 1..8 } else { 1..4 };
        let symmetries = turns.filter_map(|turn| {
            // Mostly there is no such symmetry, and the first lines tell.
            let stays = |line: u8| {
                let image = graph.number(image(turn, graph.lines[usize::from(line)]));
                image.is_some_and(|image| lines.has(image))
            };
            if !lines.numbers().all(stays) {
                return None;
            }
            let mut images = [0; 64];
            let mut originals = [0; 64];
            for (number, &line) in graph.lines.iter().enumerate() {
                let image = graph.number(image(turn, line))?;
                images[number] = image;
                originals[usize::from(image)] = number as u8;
            }
            let mut bytes = [[0; 256]; 8];
            for (byte, table) in bytes.iter_mut().enumerate() {
                for (bits, set) in table.iter_mut().enumerate() {
                    let those = (0..8).filter(|bit| bits >> bit & 1 != 0);
                    *set = those.fold(0, |set: u64, bit| set.with(images[byte * 8 + bit]));
                }
            }
            Some(Symmetry {
                bytes,
                images,
                originals,
            })
        });
        Self(symmetries.collect())
    }

    /// The smallest image of a set, and the symmetry that leads there (0 is none).
    #[inline]
    pub(super) fn smallest(&self, lines: u64) -> (u64, u8) {
        let mut smallest = (lines, 0);
        for (number, symmetry) in self.0.iter().enumerate() {
            let image = symmetry.image(lines);
            if image < smallest.0 {
                smallest = (image, number as u8 + 1);
            }
        }
        smallest
    }

    /// The image of a line.
    pub(super) fn image(&self, symmetry: u8, line: u8) -> u8 {
        match usize::from(symmetry).checked_sub(1) {
            Some(number) if line < 64 => self.0[number].images[usize::from(line)],
            _ => line,
        }
    }

    /// The line of that image.
    pub(super) fn original(&self, symmetry: u8, line: u8) -> u8 {
        match usize::from(symmetry).checked_sub(1) {
            Some(number) if line < 64 => self.0[number].originals[usize::from(line)],
            _ => line,
        }
    }
}

impl Symmetry {
    #[inline]
    fn image(&self, lines: u64) -> u64 {
        let words = lines.to_le_bytes();
        words
            .iter()
            .zip(&self.bytes)
            .fold(0, |image, (&byte, table)| image | table[usize::from(byte)])
    }
}
