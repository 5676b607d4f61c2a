//! The game of the reader in a round whose games are played by appointment: its time, the times that are proposed, and the forms to propose,
//! to agree and to say that one is here. They work without scripts, with times in UTC; `public/tournament.js` shows those of the place.

use crate::api;
use crate::ui::text::time::DateTime;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_play::{Timestamp, date};
use tochki_protocol::limits::{APPOINTMENT_PRESENCE, in_millis};
use tochki_protocol::{TournamentAppointment, TournamentId};

/// Returns whether the reader may say now to be here for the game.
pub(super) fn asks_presence(appointment: &TournamentAppointment, now: Timestamp) -> bool {
    let from = |at: Timestamp| at - in_millis(APPOINTMENT_PRESENCE);
    !appointment.here && appointment.at.is_some_and(|at| now >= from(at))
}

/// The game, with what the reader can do about it.
#[component]
pub(super) fn Appointment(
    id: TournamentId,
    appointment: TournamentAppointment,
    now: Timestamp,
) -> impl IntoView {
    let language = language();
    let is_asked = asks_presence(&appointment, now);
    let TournamentAppointment {
        opponent,
        at,
        own,
        theirs,
        until,
        here,
    } = appointment;
    let agreed = at.map(|at| {
        view! {
            <p>
                <strong>{t!(language, tournaments.agreed_on)}</strong>
                " "
                <DateTime at />
            </p>
        }
    });
    let presence = if here {
        view! { <p>{t!(language, tournaments.here_for_game)}</p> }.into_any()
    } else if is_asked {
        view! {
            <form action=api::ConfirmPresence::url() method="post">
                <input type="hidden" name="id" value=id.0 />
                <p>{t!(language, tournaments.are_you_here_for_game)}</p>
                <button type="submit" id="confirm">{t!(language, tournaments.i_am_here)}</button>
            </form>
        }
        .into_any()
    } else {
        ().into_any()
    };
    // Once the time has come, nothing else is agreed on.
    let may_propose = at.is_none_or(|at| now < at);
    let theirs = (may_propose && !theirs.is_empty()).then(|| {
        view! {
            <p>{t!(language, tournaments.they_propose)}</p>
            <ProposedTimes id times=theirs own=false />
        }
    });
    let own = (may_propose && !own.is_empty()).then(|| {
        view! {
            <p>{t!(language, tournaments.you_propose)}</p>
            <ProposedTimes id times=own own=true />
        }
    });
    let propose = may_propose.then(|| view! { <Proposal id until /> });
    view! {
        <section class="appointment" aria-label=t!(language, tournaments.your_game)>
            <p>
                {t!(language, tournaments.your_opponent)} " "
                <PlayerName name=opponent.name guest=opponent.guest bot=opponent.bot />
            </p>
            {agreed}
            {presence}
            {theirs}
            {own}
            {propose}
        </section>
    }
}

/// Times that one side has proposed, each with the button to agree, or to take it back.
#[component]
fn ProposedTimes(id: TournamentId, times: Vec<Timestamp>, own: bool) -> impl IntoView {
    let language = language();
    let rows = times.into_iter().map(|at| {
        let button = if own {
            view! {
                <input type="hidden" name="take_back" value="true" />
                <button type="submit" class="quiet">{t!(language, tournaments.take_back_time)}</button>
            }
            .into_any()
        } else {
            view! { <button type="submit">{t!(language, tournaments.agree)}</button> }.into_any()
        };
        view! {
            <li>
                <form action=api::ProposeTime::url() method="post" class="button-row">
                    <DateTime at />
                    <input type="hidden" name="id" value=id.0 />
                    <input type="hidden" name="at" value=at.0 />
                    {button}
                </form>
            </li>
        }
    });
    view! { <ul class="proposed-times">{rows.collect_view()}</ul> }
}

/// The form to propose a time until the end of the round.
#[component]
fn Proposal(id: TournamentId, until: Timestamp) -> impl IntoView {
    let language = language();
    let end = date::minute(until);
    view! {
        <form action=api::ProposeTime::url() method="post" class="proposal">
            <input type="hidden" name="id" value=id.0 />
            <input type="hidden" name="offset" value="0" />
            <label class="field">
                {t!(language, tournaments.propose_time)}
                <input type="datetime-local" name="time" required autocomplete="off" />
            </label>
            <span class="note" data-own-time=t!(language, tournaments.own_time)>
                "UTC"
            </span>
            " "
            <button type="submit" class="quiet">{t!(language, tournaments.propose)}</button>
            <p class="note">{t!(language, tournaments.round_ends, time = end)}</p>
        </form>
    }
}
