//! How challenges ended, for a page without scripts, which has not heard it as it happened.

use crate::ui::text::words;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use tochki_protocol::{ChallengeOutcome, CloseReason, PlayerCard, PlayerId};

/// How many are told at once: the page reloads itself before anybody could read more.
const TOLD: usize = 3;

/// The latest endings. The server knows them for 20 seconds, so they stand for some reloads and go away by themselves.
#[component]
pub(crate) fn Endings(
    me: PlayerId,
    endings: Vec<ChallengeOutcome>,
    players: Vec<PlayerCard>,
) -> impl IntoView {
    let language = language();
    let told = endings.iter().rev().filter_map(|ending| {
        let other = if ending.challenge.from.id == me {
            &ending.challenge.to
        } else {
            &ending.challenge.from
        };
        // A page that was not loaded in time has left the room itself.
        let here = players.iter().any(|player| player.id == other.id);
        if ending.why == CloseReason::Left && here {
            Some(say!(language, closing.you_left, name = &other.name))
        } else {
            words::ending(language, &ending.challenge, ending.why, me)
        }
    });
    let told: Vec<_> = told
        .take(TOLD)
        .map(|news| view! { <p class="notice">{news}</p> })
        .collect();
    view! {
        <div class="notices without-scripts" role="status">
            {told}
        </div>
    }
}
