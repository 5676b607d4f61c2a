//! Conversions of the columns of a player.

use tochki_protocol::{Account, PlayerCard, PlayerId, ResultCounts};

/// A player's account.
pub(super) fn account(id: i64, name: String, guest: bool, bot: bool) -> Account {
    Account {
        id: PlayerId(id),
        name,
        guest,
        bot,
    }
}

/// A player with the rating in one game.
pub(super) fn card(
    id: i64,
    name: String,
    rating: f64,
    guest: bool,
    provisional: bool,
    bot: bool,
) -> PlayerCard {
    PlayerCard {
        id: PlayerId(id),
        name,
        rating,
        guest,
        provisional,
        bot,
    }
}

/// Counts of results from `tallies`, where there may be none.
pub(super) fn results(won: Option<i32>, drawn: Option<i32>, lost: Option<i32>) -> ResultCounts {
    let count = |count: Option<i32>| count.unwrap_or(0).cast_unsigned();
    ResultCounts {
        won: count(won),
        drawn: count(drawn),
        lost: count(lost),
    }
}
