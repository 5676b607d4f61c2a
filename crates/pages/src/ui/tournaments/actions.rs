//! The state of a tournament for its reader, and the forms to enter, pause and leave.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::text::errors::error_text;
use crate::ui::text::time::DateTime;
use crate::ui::text::{Language, language, t};
use crate::ui::tournaments::appointment::Appointment;
use crate::ui::tournaments::reminder::reminder;
use crate::ui::tournaments::summary::{When, players};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_play::{Millis, Timestamp, date};
use tochki_protocol::{
    Account, Code, EntrantState, Tournament, TournamentEntry, TournamentFormat, TournamentId,
    TournamentRounds, TournamentState, limits,
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
        TournamentState::Running => tournament.ends_at.or_else(|| {
            let next = tournament
                .rounds
                .as_ref()
                .filter(|rounds| rounds.is_next_to_come());
            next?.round_at
        }),
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
    let bye = bye_form(language, &tournament, &entry);
    let appointment =
        (entry.appointment.clone()).map(|appointment| view! { <Appointment id appointment now /> });
    let choice = (entry.choose_by.is_some()).then(|| choice(language, id));
    let reminder = reminder(&tournament, &entry, me.is_some(), now);
    let running = |time: &str| match &tournament.rounds {
        Some(rounds) => t!(
            language,
            tournaments.round_in,
            number = rounds.round + 1,
            time
        ),
        None => t!(language, own_games.left, time),
    };
    let running_pattern = running("%");
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
        // Of all forms of the page only that of a time has one that may be wrong.
        Code::BadRequest => t!(language, tournaments.time_wrong),
        // Of all forms of the page only that of a series has something that can be like this.
        Code::InvalidTournament => t!(language, tournaments.rule_wrong),
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
        (Some(time), _) => running(&time).into_any(),
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
                data-running=running_pattern
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
        {appointment}
        {buttons}
        {choice}
        {bye}
        {reminder}
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
            TournamentState::Running => match &tournament.rounds {
                Some(rounds) => takes_late(tournament.format, rounds, is_known),
                None => tournament
                    .pairing_closes_at
                    .is_some_and(|closes| now < closes),
            },
            TournamentState::Finished | TournamentState::Cancelled => false,
        }
}

/// Returns whether players may enter rounds that have begun: a Swiss in its first half, and whoever has withdrawn before the last round.
fn takes_late(format: TournamentFormat, rounds: &TournamentRounds, is_known: bool) -> bool {
    format == TournamentFormat::Swiss
        && rounds.is_next_to_come()
        && (is_known || rounds.rounds.is_none_or(|all| 2 * rounds.round <= all))
}

/// Returns the state of the reader in words.
fn state(
    language: Language,
    tournament: &Tournament,
    entry: &TournamentEntry,
    is_signed_in: bool,
    now: Timestamp,
) -> String {
    if let Some(until) = entry.no_swiss_until.filter(|_| entry.state.is_none()) {
        return t!(
            language,
            tournaments.no_swiss_until,
            time = date::minute(until)
        );
    }
    if let Some(rounds) = &tournament.rounds
        && tournament.state == TournamentState::Running
        && let Some(words) = in_rounds(language, rounds, entry, now)
    {
        return words.to_owned();
    }
    let words = match (tournament.state, entry.state) {
        (TournamentState::Cancelled, _) => t!(language, tournaments.was_cancelled),
        (TournamentState::Finished, _) => t!(language, tournaments.over),
        (_, Some(EntrantState::Removed)) => t!(language, tournaments.you_removed),
        (_, Some(EntrantState::Out)) => t!(language, tournaments.you_are_out),
        _ if entry.match_id.is_some() => t!(language, tournaments.you_play),
        (TournamentState::Running, _)
            if tournament
                .pairing_closes_at
                .is_some_and(|closes| now >= closes) =>
        {
            t!(language, tournaments.pairing_closed)
        }
        (TournamentState::Running, Some(EntrantState::Here)) => t!(language, tournaments.you_wait),
        (_, Some(EntrantState::Here)) if asks_presence(tournament, now) => {
            match (&tournament.rounds, entry.here) {
                (Some(_), _) => presence_text(language, entry),
                (None, true) => t!(language, tournaments.you_are_here_for_it),
                (None, false) => t!(language, tournaments.are_you_here_for_it),
            }
        }
        (_, Some(EntrantState::Here)) => t!(language, tournaments.you_are_in),
        (_, Some(EntrantState::Paused)) => t!(language, tournaments.you_paused),
        _ if tournament.entries_closed => t!(language, tournaments.entries_closed),
        _ if is_signed_in => "",
        _ => t!(language, tournaments.sign_in_first),
    };
    words.to_owned()
}

/// Returns the state of the reader while rounds are played; `None` where it is as in any tournament.
fn in_rounds(
    language: Language,
    rounds: &TournamentRounds,
    entry: &TournamentEntry,
    now: Timestamp,
) -> Option<&'static str> {
    if entry.match_id.is_some() {
        return None;
    }
    Some(match entry.state? {
        EntrantState::Here if entry.appointment.is_some() => "",
        EntrantState::Here if rounds.is_by_appointment() && rounds.is_next_to_come() => {
            t!(language, tournaments.game_played)
        }
        EntrantState::Here if !rounds.is_next_to_come() => t!(language, tournaments.last_round),
        EntrantState::Here if rounds.asks_presence(now) => presence_text(language, entry),
        EntrantState::Here if rounds.round_at.is_some() => {
            t!(language, tournaments.next_round_soon)
        }
        EntrantState::Here => t!(language, tournaments.wait_for_round),
        EntrantState::Paused => t!(language, tournaments.you_withdrew),
        EntrantState::Eliminated => t!(language, tournaments.you_are_eliminated),
        EntrantState::Left | EntrantState::Removed | EntrantState::Out => return None,
    })
}

/// Returns whether players say now that they are here: for the next round, or for an arena that begins soon.
fn asks_presence(tournament: &Tournament, now: Timestamp) -> bool {
    match &tournament.rounds {
        Some(rounds) => rounds.asks_presence(now),
        None => {
            let window = limits::in_millis(limits::PRESENCE_WINDOW);
            tournament.state == TournamentState::Open && now >= tournament.starts_at - window
        }
    }
}

/// Returns whether the reader counts as here for the next round, in words.
fn presence_text(language: Language, entry: &TournamentEntry) -> &'static str {
    if entry.here {
        t!(language, tournaments.you_are_here)
    } else {
        t!(language, tournaments.are_you_here)
    }
}

/// The form to ask for a round without a game in a Swiss, or to take that back.
fn bye_form(
    language: Language,
    tournament: &Tournament,
    entry: &TournamentEntry,
) -> Option<impl IntoView + use<>> {
    let rounds = tournament.rounds.as_ref()?;
    let is_live = matches!(
        tournament.state,
        TournamentState::Open | TournamentState::Running
    );
    if tournament.format != TournamentFormat::Swiss
        || !is_live
        || entry.state != Some(EntrantState::Here)
    {
        return None;
    }
    let id = tournament.id.0;
    if let Some(number) = entry.bye_round {
        // A bye that was had is no request any more.
        return (number > rounds.round).then(|| {
            view! {
                <form action=api::RequestBye::url() method="post" class="bye">
                    <input type="hidden" name="id" value=id />
                    <span>{t!(language, tournaments.bye_in, number)}</span>
                    " "
                    <button type="submit" class="quiet">
                        {t!(language, tournaments.no_bye_after_all)}
                    </button>
                </form>
            }
            .into_any()
        });
    }
    let last = rounds.rounds.unwrap_or(*limits::SWISS_ROUNDS.start());
    let numbers = rounds.round + 1..last;
    (!numbers.is_empty()).then(|| {
        let options = numbers.map(|number| {
            view! { <option value=number>{t!(language, tournaments.round, number)}</option> }
        });
        view! {
            <details class="bye">
                <summary>{t!(language, tournaments.ask_bye)}</summary>
                <form action=api::RequestBye::url() method="post">
                    <input type="hidden" name="id" value=id />
                    <p class="note">{t!(language, tournaments.bye_note)}</p>
                    <select name="round" aria-label=t!(language, tournaments.ask_bye)>
                        {options.collect_view()}
                    </select>
                    " "
                    <button type="submit" class="quiet">
                        {t!(language, tournaments.ask_bye)}
                    </button>
                </form>
            </details>
        }
        .into_any()
    })
}

/// The form to choose a side for the last game of a pair.
fn choice(language: Language, id: TournamentId) -> impl IntoView + use<> {
    let sides = [
        (1, t!(language, tournaments.move_first)),
        (2, t!(language, tournaments.move_second)),
    ];
    let buttons = sides.map(|(side, words)| {
        view! {
            <button type="submit" name="side" value=side>
                {words}
            </button>
        }
    });
    view! {
        <form action=api::ChooseSide::url() method="post" class="choose-side">
            <p>{t!(language, tournaments.choose_side)}</p>
            <input type="hidden" name="id" value=id.0 />
            <div class="button-row">{buttons.into_iter().collect_view()}</div>
        </form>
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
    let can_enter =
        is_open(tournament, entry.state.is_some(), now) && entry.no_swiss_until.is_none();
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
    let is_asked =
        asks_presence(tournament, now) && entry.state == Some(EntrantState::Here) && !entry.here;
    let confirm = is_asked.then(|| {
        view! {
            <form action=api::ConfirmPresence::url() method="post">
                <input type="hidden" name="id" value=id.0 />
                <button type="submit" id="confirm">{t!(language, tournaments.i_am_here)}</button>
            </form>
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
        let words = if is_running && tournament.rounds.is_some() {
            t!(language, tournaments.withdraw)
        } else if is_running {
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
    view! { <div class="button-row">{to_game} {sign_in} {confirm} {join} {leave}</div> }
}
