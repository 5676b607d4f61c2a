//! Open tables as they travel: what is to be played, who sits there, who is ready.

use super::{MatchId, PlayerCard, PlayerId, TableId};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tochki_play::ClockRule;
use tochki_rules::Setup;

/// An open table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The table.
    pub id: TableId,
    /// What its creator calls it.
    pub name: String,
    /// The end of its address.
    pub link: TableLink,
    /// Who has opened it, and may close it.
    pub creator: PlayerCard,
    /// `game` and `setup`.
    #[serde(flatten)]
    pub setup: Setup,
    /// The clock.
    pub clock: ClockRule,
    /// Whether the match would count; with a guest at the table it would not.
    pub rated: bool,
    /// The two chairs. Who moves first is drawn when the match starts.
    pub seats: [Option<SeatedPlayer>; 2],
    /// The match that has begun here.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub match_id: Option<MatchId>,
    /// Whether nobody can sit down any more. Said only of tables that are closed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
}

impl Table {
    /// The place of this player at it.
    pub fn sitter(&self, player: PlayerId) -> Option<&SeatedPlayer> {
        self.sitters().find(|sitter| sitter.id == player)
    }

    /// Everybody at it.
    pub fn sitters(&self) -> impl Iterator<Item = &SeatedPlayer> {
        self.seats.iter().flatten()
    }

    /// Whether there is a free chair.
    pub fn has_room(&self) -> bool {
        !self.closed && self.seats.iter().any(Option::is_none)
    }
}

/// Somebody at an open table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatedPlayer {
    /// The player.
    pub id: PlayerId,
    /// The name as the player wrote it.
    pub name: String,
    /// Elo in the table's game.
    pub rating: f64,
    /// Whether they have no account.
    pub guest: bool,
    /// Whether the game may begin, as far as they are concerned.
    pub ready: bool,
}

/// `table_closed {id}`: nobody can sit down there any more, or in a waiting room, it is no longer listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableClosed {
    /// Which.
    pub id: TableId,
}

/// The end of a table's address: ten letters and digits that nobody can guess.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TableLink(String);

/// What is no link of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidLink;

impl TableLink {
    const LENGTH: usize = 10;
    const LETTERS: &'static [u8; 62] =
        b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    /// A new link from a random source.
    pub fn draw(chance: &mut impl FnMut() -> u64) -> Self {
        // One number has more than the sixty bits of a link, so that every letter is as likely as any other, but for less
        // than a billionth.
        let mut rest = chance();
        let letters = (0..Self::LENGTH).map(|_| {
            let letter = Self::LETTERS[(rest % 62) as usize];
            rest /= 62;
            char::from(letter)
        });
        Self(letters.collect())
    }

    /// The link as an address has it.
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

/// How others are invited to a table: its whole address, and the same for a camera.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// The address.
    pub address: String,
    /// The squares along each side of its QR code, with the quiet zone around.
    pub squares: usize,
    /// The dark ones, as the path of an SVG of that size.
    pub dark: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn links_are_short_and_differ() {
        let mut number = 0_u64;
        let mut chance = || {
            number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
            number
        };
        let links: HashSet<_> = (0..1000).map(|_| TableLink::draw(&mut chance)).collect();
        assert_eq!(links.len(), 1000);
        for link in links {
            assert_eq!(link.as_str().parse(), Ok(link.clone()));
        }
        assert_eq!(TableLink::draw(&mut || u64::MAX).as_str().len(), 10);
    }

    #[test]
    fn other_words_are_no_links() {
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
