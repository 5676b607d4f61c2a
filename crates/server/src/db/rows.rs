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

/// Both players of a match, from a row of `sqlx::query!` with the columns `id1`, `name1`, `rating1`, `guest1`,
/// `provisional1`, `bot1`, and the same with `2`. Each query has a type of its own, so this is a macro.
macro_rules! cards {
    ($row:ident) => {
        [
            $crate::db::rows::card(
                $row.id1,
                $row.name1,
                $row.rating1,
                $row.guest1,
                $row.provisional1,
                $row.bot1,
            ),
            $crate::db::rows::card(
                $row.id2,
                $row.name2,
                $row.rating2,
                $row.guest2,
                $row.provisional2,
                $row.bot2,
            ),
        ]
    };
}
pub(super) use cards;

/// Counts of results from `tallies`, where there may be none.
pub(super) fn results(won: Option<i32>, drawn: Option<i32>, lost: Option<i32>) -> ResultCounts {
    let count = |count: Option<i32>| count.unwrap_or(0).cast_unsigned();
    ResultCounts {
        won: count(won),
        drawn: count(drawn),
        lost: count(lost),
    }
}
