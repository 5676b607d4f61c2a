//! The ply that a URL asks for. For pages; islands get it as data.

use crate::ui::steps::Step;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

/// Returns the ply of `?ply=12` or `?ply=12&step=on`, in a game with `last` moves; `None` for the last one or without a query.
pub(crate) fn requested_ply(last: usize) -> Option<usize> {
    let query = use_query_map().get_untracked();
    read_requested_ply(query.get_str("ply"), query.get_str("step"), last)
}

/// Reads the ply from the two parameters.
pub(crate) fn read_requested_ply(
    ply: Option<&str>,
    step: Option<&str>,
    last: usize,
) -> Option<usize> {
    let ply = ply?.parse().unwrap_or(last).min(last);
    let step = step.and_then(Step::parse);
    let ply = step.map_or(ply, |step| step.from(ply, last));
    (ply < last).then_some(ply)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ply: Option<&str>, step: Option<&str>, expected: Option<usize>) {
        assert_eq!(
            read_requested_ply(ply, step, 7),
            expected,
            "{ply:?} {step:?}"
        );
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
