//! Conversions of columns.

use crate::{Error, LogFailure as _};
use tochki_protocol::{Account, PlayerCard, PlayerId, ResultCounts};
use tochki_rules::GameKind;

/// The value of a column, or `None` if this release does not know it, which is logged with the place of the caller. A list goes
/// on without such a row: while instances are upgraded, a newer one may have written it.
#[track_caller]
pub(super) fn known<T>(text: &str, value: Option<T>) -> Option<T> {
    if value.is_none() {
        let error = Error::invariant(format!("a column has an unknown value: {text:?}"));
        return Err(error).log_failure("reading rows");
    }
    value
}

/// As [`known`], for the name of a game.
#[track_caller]
pub(super) fn known_game(id: &str) -> Option<GameKind> {
    known(id, id.parse().ok())
}

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
