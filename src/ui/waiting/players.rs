//! The players who are waiting, each with a button to challenge them.

use super::{Choice, Room};
use crate::api;
use crate::ui::texts::{language, say};
use crate::ui::words;
use crate::wire::{ClockText, PlayerCard, SetupText};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

/// The list, ascending by rating.
#[component]
pub(crate) fn Players(
    room: Room,
    choice: Memo<Choice>,
    challenge: ServerAction<api::IssueChallenge>,
) -> impl IntoView {
    let language = language();
    let alone = move || {
        room.players
            .with(|players| players.iter().all(|player| player.id == room.me))
    };
    view! {
        <section class="card players">
            <h2>{say!(language, waiting.players)}</h2>
            <table>
                <thead>
                    <tr>
                        <th scope="col">{say!(language, waiting.name)}</th>
                        <th scope="col" class="number">{say!(language, waiting.rating)}</th>
                        <td></td>
                    </tr>
                </thead>
                <tbody>
                    <For
                        each=move || room.players.get()
                        key=|player| (player.id, words::rating(player.rating))
                        let(player)
                    >
                        <PlayerRow room choice challenge player />
                    </For>
                </tbody>
            </table>
            <p class="empty" class:unused=move || !alone()>
                {say!(language, waiting.alone)}
            </p>
        </section>
    }
    .into_any()
}

#[component]
fn PlayerRow(
    room: Room,
    choice: Memo<Choice>,
    challenge: ServerAction<api::IssueChallenge>,
    player: PlayerCard,
) -> impl IntoView {
    let language = language();
    let opponent = player.id;
    let ask = (opponent != room.me).then(|| {
        let label = say!(language, waiting.challenge_whom, name = &player.name);
        let setup = move || SetupText::from(&choice.get().setup());
        let game = move || choice.get().setup().kind().to_string();
        let submit = move |submit: leptos::ev::SubmitEvent| {
            submit.prevent_default();
            challenge.dispatch(untrack(|| api::IssueChallenge {
                opponent,
                game: game(),
                setup: setup(),
                clock: ClockText::default(),
                rated: Some(choice.get().rated),
            }));
        };
        view! {
            <form action=api::IssueChallenge::url() method="post" on:submit=submit>
                <input type="hidden" name="opponent" value=opponent.0 />
                <input type="hidden" name="game" value=game />
                <input type="hidden" name="setup" value=move || written(&setup()) />
                <input type="hidden" name="rated" value=move || choice.get().rated.to_string() />
                <button
                    type="submit"
                    aria-label=label
                    disabled=move || room.calling() || challenge.pending().get()
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
    .into_any()
}

/// A setup as a hidden field carries it.
fn written(setup: &SetupText) -> String {
    serde_json::to_value(setup)
        .ok()
        .and_then(|text| text.as_str().map(str::to_owned))
        .unwrap_or_default()
}
