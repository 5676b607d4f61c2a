//! Conversions of columns.

use crate::{Error, LogFailure as _};
use tochki_protocol::{Account, PlayerCard, PlayerId, ResultCounts};
use tochki_rules::GameKind;

/// The value of a column. Fails if this release does not know it.
#[track_caller]
pub(crate) fn parse_stored<T>(text: &str, value: Option<T>) -> Result<T, Error> {
    match value {
        Some(value) => Ok(value),
        None => {
            let why = format!("a column has an unknown value: {text:?}");
            Err(Error::invariant(why))
        }
    }
}

/// Does the same as [`parse_stored`] for the name of a game.
#[track_caller]
pub(crate) fn parse_stored_game(id: &str) -> Result<GameKind, Error> {
    parse_stored(id, id.parse().ok())
}

/// The rows of a list, without those that this release cannot read: while instances are upgraded, a newer one may have written
/// them. Those are logged.
pub(crate) fn skip_unreadable<T>(rows: impl Iterator<Item = Result<T, Error>>) -> Vec<T> {
    rows.filter_map(|row| row.log_failure("reading a row of a list"))
        .collect()
}

/// A page of a list, of which one row more than its length was asked for, and whether there are more pages.
pub(crate) fn page<R, T>(
    mut rows: Vec<R>,
    len: i64,
    read: impl FnMut(R) -> Result<T, Error>,
) -> (Vec<T>, bool) {
    let more = rows.len() > len as usize;
    rows.truncate(len as usize);
    (skip_unreadable(rows.into_iter().map(read)), more)
}

/// A player's account.
pub(crate) fn account(id: i64, name: String, guest: bool, bot: bool) -> Account {
    Account {
        id: PlayerId(id),
        name,
        guest,
        bot,
    }
}

/// A player with the rating in one game.
pub(crate) fn card(
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
pub(crate) use cards;

/// Counts of results from `tallies`, where there may be none.
pub(crate) fn results(won: Option<i32>, drawn: Option<i32>, lost: Option<i32>) -> ResultCounts {
    let count = |count: Option<i32>| count.unwrap_or(0).cast_unsigned();
    ResultCounts {
        won: count(won),
        drawn: count(drawn),
        lost: count(lost),
    }
}
