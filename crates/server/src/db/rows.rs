//! Conversions of the columns of a player.

use tochki_protocol::{Account, PlayerCard, PlayerId};

/// A player's account.
pub(super) fn account(id: i64, name: String, guest: bool) -> Account {
    Account {
        id: PlayerId(id),
        name,
        guest,
    }
}

/// A player with the rating in one game.
pub(super) fn card(id: i64, name: String, rating: f64, guest: bool) -> PlayerCard {
    PlayerCard {
        id: PlayerId(id),
        name,
        rating,
        guest,
    }
}
