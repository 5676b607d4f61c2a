//! The two sides of the table.

/// A side of the board. The first seat moves first, is red, and belongs to the challenger.
///
/// As JSON it is the number `1` or `2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "u8", try_from = "u8")
)]
pub enum Seat {
    /// Red, who starts.
    First,
    /// Blue.
    Second,
}

impl Seat {
    /// Both seats in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The other side of the table.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// `0` for the first, `1` for the second: the index in a pair.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `1` for the first, `2` for the second: the number people and programs see.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.number()
    }
}

impl TryFrom<u8> for Seat {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        match number {
            1 => Ok(Self::First),
            2 => Ok(Self::Second),
            _ => Err("a seat is 1 or 2"),
        }
    }
}
