//! Which move of a game an address asks for. For pages: islands are told.

use crate::ui::steps::Step;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

/// The move of `?ply=12`, or of `?ply=12&step=on`, in a game of so many; nothing where that is the last one or none.
pub(crate) fn asked(last: usize) -> Option<usize> {
    let query = use_query_map().get_untracked();
    read(query.get_str("ply"), query.get_str("step"), last)
}

/// The same from the two words themselves.
pub(crate) fn read(ply: Option<&str>, step: Option<&str>, last: usize) -> Option<usize> {
    let ply = ply?.parse().unwrap_or(last).min(last);
    let step = step.and_then(Step::read);
    let ply = step.map_or(ply, |step| step.from(ply, last));
    (ply < last).then_some(ply)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ply: Option<&str>, step: Option<&str>, expected: Option<usize>) {
        assert_eq!(read(ply, step, 7), expected, "{ply:?} {step:?}");
    }

    #[test]
    fn an_address_may_ask_for_any_move() {
        check(Some("3"), None, Some(3));
        check(Some("3"), Some("back"), Some(2));
        check(Some("3"), Some("first"), Some(0));
        check(Some("6"), Some("on"), None);
        check(Some("3"), Some("nowhere"), Some(3));
        for nothing in ["7", "8", "99999999999999999999", "-1", "x", ""] {
            check(Some(nothing), None, None);
        }
        check(None, Some("back"), None);
    }
}
