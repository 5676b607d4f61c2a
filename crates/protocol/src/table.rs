//! Open tables: terms, seats, readiness.

use super::{MatchId, PlayerCard, PlayerId, TableId};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tochki_play::ClockRule;
use tochki_rules::Setup;

/// An open table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Table {
    /// The table.
    pub id: TableId,
    /// The name given by its creator.
    pub name: String,
    /// The last part of its URL.
    pub link: TableLink,
    /// The player who opened the table and may close it.
    pub creator: PlayerCard,
    /// `game` and `setup`.
    #[serde(flatten)]
    pub setup: Setup,
    /// The clock.
    pub clock: ClockRule,
    /// Whether the match would be rated. It is not rated with a guest, nor after [`RATED_MATCHES_PER_PAIR`] of the two on a day.
    ///
    /// [`RATED_MATCHES_PER_PAIR`]: crate::limits::RATED_MATCHES_PER_PAIR
    pub rated: bool,
    /// A short hash of the agreement that the players make by being ready: the terms, and the players' names.
    pub agreement: String,
    /// Whether somebody was ready for other terms, and has to be ready again. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub terms_changed: bool,
    /// The two seats. The first player to move is drawn when the match starts.
    pub seats: [Option<SeatedPlayer>; 2],
    /// The least rating with which a player may sit down. Omitted if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_rating: Option<i32>,
    /// The highest rating with which a player may sit down. Omitted if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_rating: Option<i32>,
    /// The match that has started here.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub match_id: Option<MatchId>,
    /// Whether the table is closed. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
}

impl Table {
    /// Names the table after its creator, for a reader who has muted that player.
    pub fn hide_name(&mut self) {
        self.name.clone_from(&self.creator.name);
    }

    /// Returns the seat of this player.
    pub fn seated_player(&self, player: PlayerId) -> Option<&SeatedPlayer> {
        self.seated_players().find(|seated| seated.id == player)
    }

    /// Returns everybody with a seat.
    pub fn seated_players(&self) -> impl Iterator<Item = &SeatedPlayer> {
        self.seats.iter().flatten()
    }

    /// Returns whether there is a free seat.
    pub fn has_free_seat(&self) -> bool {
        !self.closed && self.seats.iter().any(Option::is_none)
    }
}

/// A player at an open table.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a field of the contract"
)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatedPlayer {
    /// The player.
    pub id: PlayerId,
    /// The name as the player wrote it.
    pub name: String,
    /// Elo in the table's game.
    pub rating: f64,
    /// Whether the player is a guest.
    pub guest: bool,
    /// Whether the rating is of fewer than [`RANKED_MATCHES`](crate::limits::RANKED_MATCHES) rated matches, or of fewer opponents
    /// than [`RANKED_OPPONENTS`](crate::limits::RANKED_OPPONENTS). Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
    /// Whether an engine plays for the player. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// Whether the player is ready to start.
    pub ready: bool,
}

/// `table_closed {id}`: the table is closed, or in a waiting room, no longer listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableClosed {
    /// The table.
    pub id: TableId,
}

/// The last part of a table's URL: ten random letters and digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TableLink(String);

/// The text is not the link of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidLink;

impl TableLink {
    const LENGTH: usize = 10;
    const LETTERS: &'static [u8; 62] =
        b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    /// Generates a new link from a random source.
    pub fn generate(random: &mut impl FnMut() -> u64) -> Self {
        // A random number has 64 bits and a link needs less than 60, so the bias of the remainders is below a billionth.
        let mut rest = random();
        let letters = (0..Self::LENGTH).map(|_| {
            let letter = Self::LETTERS[(rest % 62) as usize];
            rest /= 62;
            char::from(letter)
        });
        Self(letters.collect())
    }

    /// The link as part of the URL.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TableLink {
    type Err = InvalidLink;

    fn from_str(text: &str) -> Result<Self, InvalidLink> {
        let fits =
            text.len() == Self::LENGTH && text.bytes().all(|letter| letter.is_ascii_alphanumeric());
        fits.then(|| Self(text.to_owned())).ok_or(InvalidLink)
    }
}

impl fmt::Display for TableLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An invitation to a table: its URL, as text and as a QR code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Invitation {
    /// The URL.
    pub address: String,
    /// The modules along each side of the QR code, including the quiet zone.
    pub squares: usize,
    /// The dark modules, as a path of an SVG with this many units.
    pub dark: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn links_are_short_and_unique() {
        let mut number = 0_u64;
        let mut random = || {
            number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
            number
        };
        let links: HashSet<_> = (0..1000)
            .map(|_| TableLink::generate(&mut random))
            .collect();
        assert_eq!(links.len(), 1000);
        for link in links {
            assert_eq!(link.as_str().parse(), Ok(link.clone()));
        }
        assert_eq!(TableLink::generate(&mut || u64::MAX).as_str().len(), 10);
    }

    #[test]
    fn other_texts_are_no_links() {
        for word in [
            "",
            "short",
            "elevenchars",
            "with-hyphe",
            "../../../x",
            "ссылкассыл",
        ] {
            assert_eq!(word.parse::<TableLink>(), Err(InvalidLink), "{word}");
        }
    }
}
