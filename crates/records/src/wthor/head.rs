//! The head of a file, and the lengths of what follows.

use crate::date;

/// The length of a head.
pub(super) const HEAD: usize = 16;

/// The length of a game.
pub(super) const GAME: usize = 68;

/// The length of a player's name, and of a tournament's.
pub(super) const NAMES: [usize; 2] = [20, 26];

/// A head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// The number of games, or of names.
    pub(super) count: u32,
    /// The number of names in some files.
    pub(super) names: u16,
    pub(super) year: u16,
    pub(super) size: u8,
    pub(super) kind: u8,
}

impl Head {
    pub(super) fn parse(bytes: [u8; HEAD]) -> Self {
        let [_, _, _, _, a, b, c, d, e, f, g, h, size, kind, _, _] = bytes;
        Self {
            count: u32::from_le_bytes([a, b, c, d]),
            names: u16::from_le_bytes([e, f]),
            year: u16::from_le_bytes([g, h]),
            size,
            kind,
        }
    }

    /// The bytes of a head for a file of so many seconds after 1970.
    pub(super) fn bytes(self, now: u64) -> [u8; HEAD] {
        let (year, month, day) = date::civil(now);
        let [a, b, c, d] = self.count.to_le_bytes();
        let [e, f] = self.names.to_le_bytes();
        let [g, h] = self.year.to_le_bytes();
        let (century, of_century) = ((year / 100) as u8, (year % 100) as u8);
        let Self { size, kind, .. } = self;
        [
            century, of_century, month, day, a, b, c, d, e, f, g, h, size, kind, 0, 0,
        ]
    }
}
