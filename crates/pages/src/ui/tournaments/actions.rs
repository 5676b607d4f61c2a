//! The state of a tournament for its reader, and the forms to enter, pause and leave.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::text::errors::error_text;
use crate::ui::text::time::DateTime;
use crate::ui::text::{Language, language, t};
use crate::ui::tournaments::summary::{When, players};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_play::{Millis, Timestamp};
use tochki_protocol::{
    Account, Code, EntrantState, Tournament, TournamentEntry, TournamentId, TournamentState,
};

/// The card with the time that is left, the state of the reader, and what the reader can do.
#[component]
pub(super) fn EntryCard(
    tournament: Tournament,
    entry: TournamentEntry,
    me: Option<Account>,
    now: Timestamp,
    /// The error of a form.
    refused: Option<ErrorResponse>,
) -> impl IntoView {
    let language = language();
    let id = tournament.id;
    let until = match tournament.state {
        TournamentState::Open => Some(tournament.starts_at),
        TournamentState::Running => tournament.ends_at,
        TournamentState::Finished | TournamentState::Cancelled => None,
    };
    let state = state(language, &tournament, &entry, me.is_some(), now);
    let count = players(language, tournament.players);
    let asks_password = tournament.entry.password && entry.state.is_none();
    let buttons = buttons(
        language,
        id,
        &tournament,
        &entry,
        me.as_ref(),
        asks_password,
        now,
    );
    let clash = entry.clash.map(|other| {
        view! {
            <p class="note">
                {t!(language, tournaments.clash)} " "
                <a href=format!("/tournament/{}", other.id)>
                    <bdi>{other.name}</bdi>
                </a>
            </p>
        }
    });
    // The text of a refusal as it was shown by the lobby would name another way out.
    let refusal = refused.map(|error| match error.code {
        Code::WrongPassword => t!(language, tournaments.wrong_password),
        _ => error_text(language, &error),
    });
    // As the script writes it, so that nothing moves when it begins to.
    let counted = until
        .filter(|until| *until - now < Millis::from_secs(86_400))
        .map(|until| countdown(until - now));
    let start = (counted.is_some() && tournament.state == TournamentState::Open)
        .then(|| view! { <p class="note"><DateTime at=tournament.starts_at /></p> });
    let time_left = match (counted, tournament.state) {
        (Some(time), TournamentState::Open) => t!(language, tournaments.starts_in, time).into_any(),
        (Some(time), _) => t!(language, own_games.left, time).into_any(),
        (None, _) => view! { <When tournament now /> }.into_any(),
    };
    view! {
        <p class="when">
            // The script counts the time down, in the words of the state.
            <strong
                id="time-left"
                data-until=until.map(|at| at.0)
                data-now=now.0
                data-open=t!(language, tournaments.starts_in, time = "%")
                data-running=t!(language, own_games.left, time = "%")
            >
                {time_left}
            </strong>
            " · "
            <span>{count}</span>
        </p>
        {start}
        <p role="status">{state}</p>
        {clash}
        <p role="alert" class="refusal">
            {refusal}
        </p>
        {buttons}
    }
}

/// Returns a time of less than a day as hours, minutes and seconds.
fn countdown(left: Millis) -> String {
    let seconds = (left.0.max(0) + 999) / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Returns whether players may enter, or come back, at this time.
fn is_open(tournament: &Tournament, is_known: bool, now: Timestamp) -> bool {
    let takes_new = is_known || !tournament.entries_closed;
    takes_new
        && match tournament.state {
            TournamentState::Open => true,
            TournamentState::Running => tournament
                .pairing_closes_at
                .is_some_and(|closes| now < closes),
            TournamentState::Finished | TournamentState::Cancelled => false,
        }
}

/// Returns the state of the reader in words.
fn state(
    language: Language,
    tournament: &Tournament,
    entry: &TournamentEntry,
    is_signed_in: bool,
    now: Timestamp,
) -> &'static str {
    match (tournament.state, entry.state) {
        (TournamentState::Cancelled, _) => t!(language, tournaments.was_cancelled),
        (TournamentState::Finished, _) => t!(language, tournaments.over),
        (_, Some(EntrantState::Removed)) => t!(language, tournaments.you_removed),
        _ if entry.match_id.is_some() => t!(language, tournaments.you_play),
        (TournamentState::Running, _)
            if tournament
                .pairing_closes_at
                .is_some_and(|closes| now >= closes) =>
        {
            t!(language, tournaments.pairing_closed)
        }
        (TournamentState::Running, Some(EntrantState::Here)) => t!(language, tournaments.you_wait),
        (_, Some(EntrantState::Here)) => t!(language, tournaments.you_are_in),
        (_, Some(EntrantState::Paused)) => t!(language, tournaments.you_paused),
        _ if tournament.entries_closed => t!(language, tournaments.entries_closed),
        _ if is_signed_in => "",
        _ => t!(language, tournaments.sign_in_first),
    }
}

/// The buttons of the reader: all are forms, which work without scripts.
fn buttons(
    language: Language,
    id: TournamentId,
    tournament: &Tournament,
    entry: &TournamentEntry,
    me: Option<&Account>,
    asks_password: bool,
    now: Timestamp,
) -> impl IntoView + use<> {
    let can_enter = is_open(tournament, entry.state.is_some(), now);
    let is_running = tournament.state == TournamentState::Running;
    let to_game = entry.match_id.map(|id| {
        view! {
            <a class="button" id="to-game" href=format!("/match/{id}")>
                {t!(language, tournaments.to_game)}
            </a>
        }
    });
    let sign_in = (me.is_none() && can_enter).then(|| {
        view! {
            <a class="button" href=format!("/login?next=/tournament/{id}")>
                {t!(language, header.sign_in)}
            </a>
        }
    });
    let is_out = matches!(
        entry.state,
        None | Some(EntrantState::Left | EntrantState::Paused)
    );
    let join = (me.is_some() && can_enter && is_out).then(|| {
        let password = asks_password.then(|| {
            view! {
                <label class="field">
                    {t!(language, tournaments.password)}
                    <input type="password" name="password" required autocomplete="off" />
                </label>
            }
        });
        let words = if entry.state == Some(EntrantState::Paused) {
            t!(language, tournaments.come_back)
        } else {
            t!(language, tournaments.join)
        };
        view! {
            <form action=api::JoinTournament::url() method="post">
                <input type="hidden" name="id" value=id.0 />
                {password}
                <button type="submit" id="join">{words}</button>
            </form>
        }
    });
    let is_live = matches!(
        tournament.state,
        TournamentState::Open | TournamentState::Running
    );
    let leave = (is_live && entry.state == Some(EntrantState::Here)).then(|| {
        let words = if is_running {
            t!(language, tournaments.pause)
        } else {
            t!(language, tournaments.leave)
        };
        view! {
            <form action=api::LeaveTournament::url() method="post">
                <input type="hidden" name="id" value=id.0 />
                <button type="submit" class="quiet" id="leave">{words}</button>
            </form>
        }
    });
    view! { <div class="button-row">{to_game} {sign_in} {join} {leave}</div> }
}
