//! Open challenges: those that come in lie on top of everything, mine waits beside them.

use super::Room;
use super::room::Call;
use crate::api;
use crate::ui::countdown::Countdown;
use crate::ui::texts::{language, say};
use crate::ui::words;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

/// All open challenges, read out as they arrive.
#[component]
pub(crate) fn Calls(
    room: Room,
    answer: ServerAction<api::AnswerChallenge>,
    cancel: ServerAction<api::CancelChallenge>,
) -> impl IntoView {
    let language = language();
    view! {
        <section class="calls" aria-live="assertive" aria-label=say!(language, calls.title)>
            <For
                each=move || room.calls.get()
                key=|call| (call.challenge.id, call.until.is_some())
                let(call)
            >
                {if call.challenge.from.id == room.me {
                    view! { <Outgoing call cancel /> }.into_any()
                } else {
                    view! { <Incoming call answer /> }.into_any()
                }}
            </For>
        </section>
    }
    .into_any()
}

#[component]
fn Incoming(call: Call, answer: ServerAction<api::AnswerChallenge>) -> impl IntoView {
    let language = language();
    let Call { challenge, until } = call;
    let id = challenge.id;
    let rating = words::rating(challenge.from.rating);
    let reply = move |accept: bool, label: &'static str, class: &'static str| {
        let submit = move |submit: leptos::ev::SubmitEvent| {
            submit.prevent_default();
            answer.dispatch(api::AnswerChallenge { id, accept });
        };
        view! {
            <form action=api::AnswerChallenge::url() method="post" on:submit=submit>
                <input type="hidden" name="id" value=id.0 />
                <input type="hidden" name="accept" value=accept.to_string() />
                <button type="submit" class=class disabled=move || answer.pending().get()>
                    {label}
                </button>
            </form>
        }
    };
    view! {
        <article class="call incoming">
            <p class="asks">
                {say!(language, calls.asks, name = challenge.from.name, rating = rating)}
            </p>
            <Countdown until=Signal::stored(until) />
            <p class="terms">{words::terms(language, challenge.setup, challenge.rated)}</p>
            <div class="ways">
                {reply(true, say!(language, calls.accept), "")}
                {reply(false, say!(language, calls.decline), "quiet")}
            </div>
        </article>
    }
}

#[component]
fn Outgoing(call: Call, cancel: ServerAction<api::CancelChallenge>) -> impl IntoView {
    let language = language();
    let Call { challenge, until } = call;
    let id = challenge.id;
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        cancel.dispatch(api::CancelChallenge { id });
    };
    view! {
        <article class="call outgoing">
            <p class="asks">{say!(language, calls.waits, name = challenge.to.name)}</p>
            <Countdown until=Signal::stored(until) />
            <p class="terms">{words::terms(language, challenge.setup, challenge.rated)}</p>
            <form action=api::CancelChallenge::url() method="post" on:submit=submit>
                <input type="hidden" name="id" value=id.0 />
                <button type="submit" class="quiet" disabled=move || cancel.pending().get()>
                    {say!(language, calls.cancel)}
                </button>
            </form>
        </article>
    }
}
