//! A position as the search sees it: the discs of the side to move and those of the other side.

use tochki_rules::{
    Game, Seat,
    reversi::{self, Reversi, Squares},
};

/// The discs of the side to move and of the other side; the two sets have no square in common. Bit `8·y + x` is the square
/// in column `x` of row `y`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// The discs of the side to move.
    pub own: u64,
    /// The discs of the other side.
    pub enemy: u64,
}

impl Board {
    /// The position of a game. Once the game is over, it is seen from the first seat.
    #[must_use]
    pub fn of(game: &Reversi) -> Self {
        let seat = game.to_move().unwrap_or(Seat::First);
        Self {
            own: game.discs(seat).bits(),
            enemy: game.discs(seat.other()).bits(),
        }
    }

    /// The squares where the side to move may move.
    #[inline]
    #[must_use]
    pub fn legal(self) -> u64 {
        reversi::legal(Squares::from_bits(self.own), Squares::from_bits(self.enemy)).bits()
    }

    /// The discs that a disc on that square (0 to 63, empty) flips; none if it is not a legal move.
    #[inline]
    #[must_use]
    pub fn flips(self, square: u8) -> u64 {
        let [own, enemy] = [self.own, self.enemy].map(Squares::from_bits);
        reversi::flips(usize::from(square), own, enemy).bits()
    }

    /// The position after a disc on that square has flipped `flips`, seen from the other side.
    #[inline]
    #[must_use]
    pub const fn after(self, square: u8, flips: u64) -> Self {
        Self {
            own: self.enemy ^ flips,
            enemy: self.own ^ flips ^ (1 << (square & 63)),
        }
    }

    /// The position seen from the other side.
    #[inline]
    #[must_use]
    pub const fn passed(self) -> Self {
        Self {
            own: self.enemy,
            enemy: self.own,
        }
    }

    /// The empty squares.
    #[inline]
    #[must_use]
    pub const fn empty(self) -> u64 {
        !(self.own | self.enemy)
    }

    /// The number of empty squares.
    #[inline]
    #[must_use]
    pub const fn empties(self) -> u32 {
        self.empty().count_ones()
    }

    /// Own discs minus the other side's.
    #[inline]
    #[must_use]
    pub const fn difference(self) -> i32 {
        self.own.count_ones() as i32 - self.enemy.count_ones() as i32
    }

    /// Mixes the position into 64 bits.
    #[inline]
    #[must_use]
    pub const fn hash(self) -> u64 {
        let mut hash = self.own.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash = (hash ^ hash >> 32).wrapping_add(self.enemy);
        hash = hash.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        hash = (hash ^ hash >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        hash ^ hash >> 32
    }
}

/// The squares of a set, from the lowest bit.
#[inline]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as u8;
        (set != 0).then(|| {
            set &= set - 1;
            square
        })
    })
}
