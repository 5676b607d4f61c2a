//! The form that asks to be reminded of a tournament, or takes that back. It works without scripts.

use crate::api;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_play::Timestamp;
use tochki_protocol::limits::{TOURNAMENT_REMINDED_BEFORE, in_millis};
use tochki_protocol::{EntrantState, Tournament, TournamentEntry, TournamentState};

/// Returns whether players of a tournament will be reminded of it, at this time.
pub(super) fn is_to_come(tournament: &Tournament, now: Timestamp) -> bool {
    tournament.state == TournamentState::Open
        && tournament.starts_at - now > in_millis(TOURNAMENT_REMINDED_BEFORE)
}

/// The form for a player who has not entered; who has is reminded without it.
#[component]
pub(super) fn Reminder(id: i64, reminder: bool, state: Option<EntrantState>) -> impl IntoView {
    let language = language();
    let minutes = TOURNAMENT_REMINDED_BEFORE.as_secs() / 60;
    let time = t!(language, time.minutes, minutes);
    let note = t!(language, tournaments.reminder_note, time);
    let has_entered = state == Some(EntrantState::Here);
    let form = (!has_entered).then(|| {
        let words = if reminder {
            t!(language, tournaments.no_reminder)
        } else {
            t!(language, tournaments.remind_me)
        };
        view! {
            <form action=api::RemindOfTournament::url() method="post">
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="remind" value=(!reminder).to_string() />
                <button type="submit" class="quiet" id="remind">{words}</button>
            </form>
        }
    });
    let note = (has_entered || reminder).then(|| view! { <p class="note">{note}</p> });
    view! {
        <div class="reminder">
            {note}
            {form}
        </div>
    }
}

/// Returns the form, for a player of whom there is something to ask.
pub(super) fn reminder(
    tournament: &Tournament,
    entry: &TournamentEntry,
    is_signed_in: bool,
    now: Timestamp,
) -> Option<impl IntoView + use<>> {
    let is_removed = entry.state == Some(EntrantState::Removed);
    let (id, reminder, state) = (tournament.id.0, entry.reminder, entry.state);
    (is_signed_in && !is_removed && is_to_come(tournament, now))
        .then(|| view! { <Reminder id reminder state /> })
}
