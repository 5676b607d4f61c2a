//! Challenges that reach a player who still has the page of a finished match open, as the lobby lists them. The server renders them;
//! `public/challenged.js` renews them while the page is open.

use crate::api;
use crate::ui::fingerprint::versioned_url;
use crate::ui::live::server_clock::{RenderedAt, seconds_between};
use crate::ui::lobby::asks;
use crate::ui::terms::describe_terms;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{Challenge, Pace, Snapshot};

/// The script. Its address changes with its content.
const SCRIPT: &str = include_str!("../../../../../public/challenged.js");

/// Reads the challenges to the reader that are open in the lobby of the game, if the match is over and the reader has played it. The
/// page is shown also without them.
pub(super) async fn read_challenges(snapshot: &Snapshot) -> Vec<Challenge> {
    if snapshot.result.is_none() || snapshot.time_control.pace() != Pace::Live {
        return Vec::new();
    }
    let Ok(Some(me)) = api::whoami().await else {
        return Vec::new();
    };
    if !snapshot.players.iter().any(|player| player.id == me.id) {
        return Vec::new();
    }
    let game = snapshot.setup.kind().id().to_owned();
    let room = api::waiting_room(game, None, None, None).await;
    let mut challenges = room.map(|room| room.challenges).unwrap_or_default();
    challenges.retain(|challenge| challenge.to.id == me.id);
    challenges
}

/// The cards, where those of the lobby are. The script is loaded when the match is over.
#[component]
pub(super) fn Challenged(challenges: Vec<Challenge>) -> impl IntoView {
    let language = language();
    let cards: Vec<_> = challenges
        .into_iter()
        .map(|challenge| view! { <Card challenge /> })
        .collect();
    view! {
        <section
            id="challenges-here"
            class="calls"
            aria-live="assertive"
            aria-label=t!(language, calls.title)
            data-script=versioned_url("/challenged.js", SCRIPT)
            data-heading=t!(language, alert.title)
        >
            {cards}
        </section>
    }
}

#[component]
fn Card(challenge: Challenge) -> impl IntoView {
    let language = language();
    let RenderedAt(now) = use_context().unwrap_or_default();
    let terms = describe_terms(language, challenge.setup, challenge.clock, challenge.rated);
    view! {
        <form class="call incoming" action=api::AnswerChallenge::url() method="post">
            <p class="prompt">{asks(language, &challenge.from)}</p>
            <span class="countdown" role="timer" aria-live="off">
                {seconds_between(now, challenge.expires_at)}
            </span>
            <p class="terms">{terms}</p>
            <input type="hidden" name="id" value=challenge.id.0 />
            <div class="button-row">
                <button type="submit" name="accept" value="true">
                    {t!(language, calls.accept)}
                </button>
                <button type="submit" name="accept" value="false" class="quiet">
                    {t!(language, calls.decline)}
                </button>
            </div>
        </form>
    }
}
