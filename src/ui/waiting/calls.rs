//! Open challenges: those that come in lie on top of everything, mine waits beside them.

use super::Room;
use super::room::Call;
use crate::api;
use crate::ui::countdown::Countdown;
use crate::ui::errand::Errand;
use crate::ui::forms::load;
use crate::ui::list::{Entry, List};
use crate::ui::texts::{language, say};
use crate::ui::words;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

/// All open challenges, read out as they arrive.
#[component]
pub(crate) fn Calls(room: Room, errand: Errand) -> impl IntoView {
    let language = language();
    let entries = move || {
        let entry = |call: Call| {
            let key = (call.challenge.id, call.until.is_some());
            if call.challenge.from.id == room.me {
                Entry::new(key, move || view! { <Outgoing call errand /> })
            } else {
                Entry::new(key, move || view! { <Incoming call errand /> })
            }
        };
        room.calls.get().into_iter().map(entry).collect()
    };
    view! {
        <section class="calls" aria-live="assertive" aria-label=say!(language, calls.title)>
            <List entries=Box::new(entries) />
        </section>
    }
}

#[component]
fn Incoming(call: Call, errand: Errand) -> impl IntoView {
    let language = language();
    let Call { challenge, until } = call;
    let id = challenge.id;
    let rating = words::rating(challenge.from.rating);
    let reply = move |accept: bool, label: &'static str, class: &'static str| {
        let submit = move |submit: leptos::ev::SubmitEvent| {
            submit.prevent_default();
            errand.run(api::answer_challenge(id, accept), |answered| {
                if let Some(table) = answered.match_id {
                    load(&format!("/match/{table}"));
                }
            });
        };
        view! {
            <form action=api::AnswerChallenge::url() method="post" on:submit=submit>
                <input type="hidden" name="id" value=id.0 />
                <input type="hidden" name="accept" value=accept.to_string() />
                <button type="submit" class=class disabled=errand.under_way>
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
            <p class="terms">{words::terms(language, challenge.setup, challenge.clock, challenge.rated)}</p>
            <div class="ways">
                {reply(true, say!(language, calls.accept), "")}
                {reply(false, say!(language, calls.decline), "quiet")}
            </div>
        </article>
    }
}

#[component]
fn Outgoing(call: Call, errand: Errand) -> impl IntoView {
    let language = language();
    let Call { challenge, until } = call;
    let id = challenge.id;
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        errand.run(api::cancel_challenge(id), |()| {});
    };
    view! {
        <article class="call outgoing">
            <p class="asks">{say!(language, calls.waits, name = challenge.to.name)}</p>
            <Countdown until=Signal::stored(until) />
            <p class="terms">{words::terms(language, challenge.setup, challenge.clock, challenge.rated)}</p>
            <form action=api::CancelChallenge::url() method="post" on:submit=submit>
                <input type="hidden" name="id" value=id.0 />
                <button type="submit" class="quiet" disabled=errand.under_way>
                    {say!(language, calls.cancel)}
                </button>
            </form>
        </article>
    }
}
