//! The players who are waiting, each with a button to challenge them.

use super::{Choice, Room};
use crate::api;
use crate::ui::errand::Errand;
use crate::ui::forms::load;
use crate::ui::list::{Entry, List};
use crate::ui::texts::{language, say};
use crate::ui::words;
use crate::wire::{ClockText, PlayerCard};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

/// The list, ascending by rating.
#[component]
pub(crate) fn Players(room: Room, choice: RwSignal<Choice>, errand: Errand) -> impl IntoView {
    let language = language();
    let alone = move || {
        room.players
            .with(|players| players.iter().all(|player| player.id == room.me))
    };
    let entries = move || {
        let entry = |player: PlayerCard| {
            let key = (player.id, words::rating(player.rating));
            Entry::new(
                key,
                move || view! { <PlayerRow room choice errand player /> },
            )
        };
        room.players.get().into_iter().map(entry).collect()
    };
    view! {
        <section class="card players">
            <h2>{say!(language, waiting.players)}</h2>
            <table>
                <thead>
                    <tr>
                        <th scope="col">{say!(language, waiting.name)}</th>
                        <th scope="col" class="number">
                            {say!(language, waiting.rating)}
                        </th>
                        <td></td>
                    </tr>
                </thead>
                <tbody>
                    <List entries=Box::new(entries) />
                </tbody>
            </table>
            <p class="empty" class:unused=move || !alone()>
                {say!(language, waiting.alone)}
            </p>
        </section>
    }
}

#[component]
fn PlayerRow(
    room: Room,
    choice: RwSignal<Choice>,
    errand: Errand,
    player: PlayerCard,
) -> impl IntoView {
    let language = language();
    let opponent = player.id;
    let ask = (opponent != room.me).then(|| {
        let label = say!(language, waiting.challenge_whom, name = &player.name);
        let submit = move |submit: leptos::ev::SubmitEvent| {
            submit.prevent_default();
            let choice = choice.get_untracked();
            let call = api::challenge(
                opponent,
                choice.kind().to_string(),
                choice.setup_text().into(),
                ClockText::default(),
                Some(choice.rated),
            );
            errand.run(call, |challenged| {
                if let Some(table) = challenged.match_id {
                    load(&format!("/match/{table}"));
                }
            });
        };
        // The fields are for pages without scripts, whose choice stands in their address and never changes.
        let said = choice.get_untracked();
        view! {
            <form action=api::IssueChallenge::url() method="post" on:submit=submit>
                <input type="hidden" name="opponent" value=opponent.0 />
                <input type="hidden" name="game" value=said.kind().id() />
                <input type="hidden" name="setup" value=said.setup_text() />
                <input type="hidden" name="rated" value=if said.rated { "true" } else { "false" } />
                <button
                    type="submit"
                    aria-label=label
                    disabled=move || room.calling() || errand.under_way.get()
                >
                    {say!(language, waiting.challenge)}
                </button>
            </form>
        }
    });
    let me = ask.is_none();
    view! {
        <tr class:me=me>
            <th scope="row">
                {player.name}
                {me.then(|| view! { " " <span class="you">{say!(language, waiting.you)}</span> })}
            </th>
            <td class="number">{words::rating(player.rating)}</td>
            <td class="act">{ask}</td>
        </tr>
    }
}
