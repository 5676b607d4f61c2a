//! Open challenges: those that come in lie on top of everything, mine waits beside them.

use crate::api;
use crate::ui::forms::load;
use crate::ui::islands::effect::effect;
use crate::ui::islands::form_action::FormAction;
use crate::ui::live::countdown::Countdown;
use crate::ui::lobby::Room;
use crate::ui::text::words;
use crate::ui::text::{language, say};
use crate::ui::widgets::list::{Entry, List};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::Challenge;

/// All open challenges, read out as they arrive. Nothing here takes the focus from where somebody types.
#[component]
pub(crate) fn Calls(room: Room, errand: FormAction) -> impl IntoView {
    let language = language();
    let entries = move || {
        let entry = |call: Challenge| {
            Entry::new(call.id, move || {
                if call.from.id == room.me {
                    view! { <Outgoing room errand call /> }.into_any()
                } else {
                    view! { <Incoming room errand call /> }.into_any()
                }
            })
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
fn Incoming(room: Room, errand: FormAction, call: Challenge) -> impl IntoView {
    let language = language();
    let id = call.id;
    let reply = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        let button = submit.submitter();
        let accepts =
            button.is_some_and(|button| button.get_attribute("value").as_deref() == Some("true"));
        errand.run(api::answer_challenge(id, accepts), |answered| {
            if let Some(table) = answered.match_id {
                load(&format!("/match/{table}"));
            }
        });
    };
    let asks = say!(
        language,
        calls.asks,
        name = &call.from.name,
        rating = words::rating(call.from.rating)
    );
    view! {
        <form class="call incoming" action=api::AnswerChallenge::url() method="post" on:submit=reply>
            <p class="asks">{asks}</p>
            <Left room call />
            <input type="hidden" name="id" value=id.0 />
            <div class="ways">
                <button type="submit" name="accept" value="true" disabled=errand.under_way>
                    {say!(language, calls.accept)}
                </button>
                <button type="submit" name="accept" value="false" class="quiet" disabled=errand.under_way>
                    {say!(language, calls.decline)}
                </button>
            </div>
        </form>
    }
}

#[component]
fn Outgoing(room: Room, errand: FormAction, call: Challenge) -> impl IntoView {
    let language = language();
    let id = call.id;
    let card = NodeRef::<leptos::html::Form>::new();
    // Whoever has just pressed the button to ask, which is of no use now, finds the one to cancel next to them.
    effect(move || {
        if let Some(card) = card.get().filter(|_| room.asked.get_value()) {
            room.asked.set_value(false);
            let _ = card.focus();
        }
    });
    let cancel = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        errand.run(api::cancel_challenge(id), |()| {});
    };
    let waits = say!(language, calls.waits, name = &call.to.name);
    let label = waits.clone();
    view! {
        <form
            class="call outgoing"
            tabindex="-1"
            node_ref=card
            aria-label=label
            action=api::CancelChallenge::url()
            method="post"
            on:submit=cancel
        >
            <p class="asks">{waits}</p>
            <Left room call />
            <input type="hidden" name="id" value=id.0 />
            <div class="ways">
                <button type="submit" class="quiet" disabled=errand.under_way>
                    {say!(language, calls.cancel)}
                </button>
            </div>
        </form>
    }
}

/// What is asked for, and how long it stands.
#[component]
fn Left(room: Room, call: Challenge) -> impl IntoView {
    let terms = words::terms(language(), call.setup, call.clock, call.rated);
    let left = room.left(&call);
    let until = Signal::derive(move || room.until(&call));
    view! {
        <Countdown until at_first=left />
        <p class="terms">{terms}</p>
    }
}
