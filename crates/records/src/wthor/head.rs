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
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Self {
            count: u32::from(short(4)) | u32::from(short(6)) << 16,
            names: short(8),
            year: short(10),
            size: bytes[12],
            kind: bytes[13],
        }
    }

    /// The bytes of a head for a file of so many seconds after 1970.
    pub(super) fn bytes(self, now: u64) -> [u8; HEAD] {
        let (year, month, day) = date::civil(now);
        let mut bytes = [0; HEAD];
        bytes[..4].copy_from_slice(&[(year / 100) as u8, (year % 100) as u8, month, day]);
        bytes[4..8].copy_from_slice(&self.count.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.names.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.year.to_le_bytes());
        (bytes[12], bytes[13]) = (self.size, self.kind);
        bytes
    }
}
