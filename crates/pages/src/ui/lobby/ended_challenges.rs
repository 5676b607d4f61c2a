//! The endings of challenges, for a page without scripts, which has no event stream.

use crate::ui::text::names::display_name;
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_protocol::{ChallengeOutcome, CloseReason, PlayerId, WaitingPlayer, limits};

/// The latest endings. The server returns them for `limits::LOBBY_HISTORY`, so they survive some reloads and then disappear.
#[component]
pub(crate) fn EndedChallenges(
    me: PlayerId,
    endings: Vec<ChallengeOutcome>,
    players: Vec<WaitingPlayer>,
) -> impl IntoView {
    let language = language();
    let told = endings.iter().rev().filter_map(|ending| {
        let other = if ending.challenge.from.id == me {
            &ending.challenge.to
        } else {
            &ending.challenge.from
        };
        // A page that was not reloaded in time left the lobby itself.
        let here = players.iter().any(|player| player.id == other.id);
        if ending.why == CloseReason::Left && here {
            Some(t!(
                language,
                closing.you_left,
                name = display_name(language, &other.name)
            ))
        } else {
            words::ending(language, &ending.challenge, ending.why, me)
        }
    });
    let told: Vec<_> = told
        .take(limits::ENDED_CHALLENGES_MAX_SHOWN)
        .map(|news| view! { <p class="notice">{news}</p> })
        .collect();
    view! {
        <div class="notices without-scripts" role="status">
            {told}
        </div>
    }
}
