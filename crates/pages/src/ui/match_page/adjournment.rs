//! Adjournments on the page of a match: the form of the offer, and the state of an adjourned match with its actions. The server renders
//! all of it, and the page is loaded again with each change, so that a match page needs no code for it. Where a time to go on live was
//! agreed on, `public/adjournment.js` renews the state by that time.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::fingerprint::versioned_url;
use crate::ui::match_page::behind_a_press;
use crate::ui::text::errors::error_text;
use crate::ui::text::names::display_name;
use crate::ui::text::time::{DateTime, span};
use crate::ui::text::{Isolated, Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_play::{Adjournment, LIVE_RESUME_LEAD, Millis, Timestamp};
use tochki_protocol::limits::ADJOURNMENT_RENEW_INTERVAL;
use tochki_protocol::{MatchId, Snapshot};
use tochki_rules::Seat;

/// The script that renews the state. Its address changes with its content.
const SCRIPT: &str = include_str!("../../../../../public/adjournment.js");

/// The hours after which a match may go on live, as the form offers them.
const HOURS: [u32; 9] = [1, 2, 3, 6, 12, 24, 48, 72, 168];

/// The form that offers to adjourn, behind its name. For the players of a live match.
#[component]
pub(super) fn AdjournmentOffer(id: MatchId, refused: Option<ErrorResponse>) -> impl IntoView {
    let language = language();
    let refused = refused.map(|error| error_text(language, &error));
    let options = HOURS.map(|hours| {
        view! { <option value=hours>{t!(language, adjourn.when_live, hours = hours)}</option> }
    });
    view! {
        <details class="card" open=refused.is_some()>
            <summary>{t!(language, offers.adjourn)}</summary>
            <form method="post" action=api::OfferAdjournment::url()>
                <input type="hidden" name="match_id" value=id.to_string() />
                <p class="note">{t!(language, adjourn.about)}</p>
                {refused.map(|text| view! { <p role="alert" class="refusal">{text}</p> })}
                <p>
                    <label for="resume-in">{t!(language, adjourn.when)}</label>
                    <select id="resume-in" name="resume_in" autocomplete="off">
                        <option value="0">{t!(language, adjourn.when_any)}</option>
                        {options}
                    </select>
                </p>
                <p class="button-row">
                    <button type="submit" class="quiet">
                        {t!(language, adjourn.offer)}
                    </button>
                </p>
            </form>
        </details>
    }
}

/// The state of an adjourned match, and for its players what they can do.
#[component]
pub(super) fn AdjournmentState(
    snapshot: Snapshot,
    me: Option<Seat>,
    /// Whether the player has just said that they are here, and the other one is awaited.
    noted: bool,
    refused: Option<ErrorResponse>,
) -> impl IntoView {
    let language = language();
    let adjournment = snapshot.adjournment.unwrap_or_default();
    let now = snapshot.now.unwrap_or_default();
    let name = |seat: Seat| display_name(language, &snapshot.players[seat.index()].name);
    let refused = refused.map(|error| error_text(language, &error));
    let (id, to_move) = (snapshot.id, snapshot.to_move);
    let told = match (adjournment.sealed_by, to_move) {
        (Some(sealer), _) if me == Some(sealer) => {
            t!(language, adjourn.sealed_by_you, name = name(sealer.other()))
        }
        (Some(sealer), _) => t!(language, adjourn.sealed_by, name = name(sealer)),
        (None, Some(seat)) if me == Some(seat) => t!(language, adjourn.seal_about).to_owned(),
        (None, Some(seat)) => t!(language, adjourn.waits_seal, name = name(seat)),
        (None, None) => String::new(),
    };
    let renewed_after = me.and_then(|_| renewed_in(&adjournment, now));
    let is_live_time =
        me.is_some() && adjournment.sealed_by.is_some() && adjournment.is_live_time(now);
    let called = me.filter(|_| is_live_time).map(|me| {
        let other = name(me.other());
        view! { <p>{t!(language, notifications.live, name = Isolated(&other))}</p> }
    });
    let seal = (adjournment.sealed_by.is_none() && me.is_some() && me == to_move).then(|| {
        view! {
            <a class="button" href=format!("/match/{id}/seal")>
                {t!(language, adjourn.seal_title)}
            </a>
        }
    });
    let resume = me
        .filter(|me| may_come(&adjournment, *me, now))
        .map(|_| view! { <ResumeForm id live=adjournment.is_live_time(now) /> });
    let action = (seal.is_some() || resume.is_some())
        .then(|| view! { <div class="button-row">{seal} {resume}</div> });
    let noted = noted.then(|| view! { <p role="status">{t!(language, adjourn.noted)}</p> });
    let resign = me.map(|_| {
        let form = view! {
            <form action=api::Resign::url() method="post">
                <input type="hidden" name="match_id" value=id.to_string() />
                <p>{t!(language, table.resign_sure)}</p>
                <button type="submit">{t!(language, table.resign_yes)}</button>
            </form>
        };
        behind_a_press(language, t!(language, table.resign), form)
    });
    let terms = me
        .zip(adjournment.sealed_by)
        .map(|(me, sealer)| terms(language, &adjournment, me, &name(sealer.other()), now));
    let live_at = adjournment.resume_at.map(|at| {
        view! {
            <p>
                {t!(language, adjourn.live_at)} " " <DateTime at />
                {(at > now && !is_live_time).then(|| format!(" ({})", t!(language, adjourn.in_time, time = span(language, at - now))))}
            </p>
        }
    });
    view! {
        <section class="card adjourned" aria-labelledby="adjourned">
            <h2 id="adjourned">{t!(language, turn.adjourned)}</h2>
            {refused.map(|text| view! { <p role="alert" class="refusal">{text}</p> })}
            <div id="adjournment" aria-live="polite" data-renew-ms=renewed_after.map(|left| left.0.to_string())>
                <p>{told}</p>
                {live_at}
                {called}
                {terms}
                {noted}
                {action}
            </div>
            {resign.map(|resign| view! { <div class="button-row">{resign}</div> })}
        </section>
        {renewed_after
            .map(|_| view! { <script type="module" src=versioned_url("/adjournment.js", SCRIPT)></script> })}
    }
}

/// Returns the time after which the state of an adjourned match is another one, or may be, where a time to go on live was agreed on: until
/// its players may come, and then from time to time.
pub(super) fn renewed_in(adjournment: &Adjournment, now: Timestamp) -> Option<Millis> {
    adjournment.sealed_by?;
    let from = adjournment.resume_at? - LIVE_RESUME_LEAD;
    if now < from {
        Some(from - now)
    } else {
        let interval = i64::try_from(ADJOURNMENT_RENEW_INTERVAL.as_millis()).unwrap_or(i64::MAX);
        adjournment.is_live_time(now).then_some(Millis(interval))
    }
}

/// Returns whether a player can come now: both at the time agreed on, otherwise the opponent of the sealed move.
fn may_come(adjournment: &Adjournment, me: Seat, now: Timestamp) -> bool {
    let awaited = adjournment.sealed_by.map(Seat::other);
    let comes = awaited == Some(me) && adjournment.is_correspondence_time(now);
    awaited.is_some() && (comes || adjournment.is_live_time(now))
}

/// Returns how the match goes on for a player, and until when.
fn terms(
    language: Language,
    adjournment: &Adjournment,
    me: Seat,
    other: &str,
    now: Timestamp,
) -> impl IntoView + use<> {
    let is_mine = adjournment.sealed_by == Some(me.other());
    let goes_on = if adjournment.is_correspondence_time(now) {
        is_mine.then(|| t!(language, adjourn.days))
    } else {
        Some(t!(language, adjourn.live))
    };
    let until = adjournment.expires_at.map(|at| {
        let time = span(language, at - now);
        if is_mine {
            t!(language, adjourn.you_lose, time = time)
        } else {
            t!(language, adjourn.they_lose, name = other, time = time)
        }
    });
    view! {
        {goes_on.map(|text| view! { <p>{text}</p> })}
        {until.map(|text| view! { <p class="note">{text}</p> })}
    }
}

/// The button by which a player comes. Nothing else begins their clock.
#[component]
fn ResumeForm(
    id: MatchId,
    /// Whether both come at the time that was agreed on.
    live: bool,
) -> impl IntoView {
    let language = language();
    let label = if live {
        t!(language, adjourn.here)
    } else {
        t!(language, adjourn.resume)
    };
    view! {
        <form action=api::ResumeMatch::url() method="post">
            <input type="hidden" name="match_id" value=id.to_string() />
            <button type="submit">{label}</button>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_is_renewed_when_players_may_come_and_while_they_may() {
        let at = Timestamp(100 * 60_000);
        let agreed = Adjournment {
            resume_at: Some(at),
            sealed_by: Some(Seat::First),
            expires_at: None,
        };
        let minutes = |count: i64| Millis(count * 60_000);
        let interval = Some(Millis(10_000));
        for (now, expected) in [
            (at - minutes(70), Some(minutes(60))),
            (at - minutes(10), interval),
            (at + minutes(14), interval),
            (at + minutes(15), None),
        ] {
            assert_eq!(renewed_in(&agreed, now), expected, "{now:?}");
        }
        let now = at - minutes(70);
        let unsealed = Adjournment {
            sealed_by: None,
            ..agreed
        };
        assert_eq!(
            renewed_in(&unsealed, now),
            None,
            "its page is loaded again then"
        );
        let without_time = Adjournment {
            resume_at: None,
            ..agreed
        };
        assert_eq!(renewed_in(&without_time, now), None);
    }
}
