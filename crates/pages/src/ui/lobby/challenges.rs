//! Open challenges: incoming ones lie over the page, the visitor's own waits beside them.

use crate::api;
use crate::ui::forms::navigate_to;
use crate::ui::islands::effect::effect;
use crate::ui::islands::form_action::FormAction;
use crate::ui::live::countdown::Countdown;
use crate::ui::lobby::LobbyState;
use crate::ui::terms::describe_terms;
use crate::ui::text::names::display_name;
use crate::ui::text::words;
use crate::ui::text::{Isolated, Language, language, t};
use crate::ui::view::view;
use crate::ui::widgets::list::{Entry, List};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{Challenge, PlayerCard};

/// The list of open challenges, announced as they arrive. They never take the focus from a field.
#[component]
pub(crate) fn Challenges(lobby: LobbyState, form_action: FormAction) -> impl IntoView {
    let language = language();
    let entries = move || {
        let entry = |challenge: Challenge| {
            Entry::new(challenge.id, move || {
                if challenge.from.id == lobby.me {
                    view! { <Outgoing lobby form_action challenge /> }.into_any()
                } else {
                    view! { <Incoming lobby form_action challenge /> }.into_any()
                }
            })
        };
        lobby.challenges.get().into_iter().map(entry).collect()
    };
    view! {
        <section class="calls" aria-live="assertive" aria-label=t!(language, calls.title)>
            <List entries=Box::new(entries) />
        </section>
    }
}

#[component]
fn Incoming(lobby: LobbyState, form_action: FormAction, challenge: Challenge) -> impl IntoView {
    let language = language();
    let id = challenge.id;
    let reply = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        let button = submit.submitter();
        let accepts =
            button.is_some_and(|button| button.get_attribute("value").as_deref() == Some("true"));
        form_action.dispatch(api::answer_challenge(id, accepts), |answered| {
            if let Some(table) = answered.match_id {
                navigate_to(&format!("/match/{table}"));
            }
        });
    };
    let asks = asks(language, &challenge.from);
    view! {
        <form class="call incoming" action=api::AnswerChallenge::url() method="post" on:submit=reply>
            <p class="prompt">{asks}</p>
            <ChallengeTerms lobby challenge />
            <input type="hidden" name="id" value=id.0 />
            <div class="button-row">
                <button type="submit" name="accept" value="true" disabled=form_action.pending>
                    {t!(language, calls.accept)}
                </button>
                <button type="submit" name="accept" value="false" class="quiet" disabled=form_action.pending>
                    {t!(language, calls.decline)}
                </button>
            </div>
        </form>
    }
}

#[component]
fn Outgoing(lobby: LobbyState, form_action: FormAction, challenge: Challenge) -> impl IntoView {
    let language = language();
    let id = challenge.id;
    let card = NodeRef::<leptos::html::Form>::new();
    // After sending a challenge the focus moves to its card, next to the cancel button. The event stream may bring the card
    // before the request is answered; until then the button is disabled, and Tab would skip it.
    effect(move || {
        let is_due = !form_action.pending.get() && lobby.focus_outgoing.get_value();
        if let Some(card) = card.get().filter(|_| is_due) {
            lobby.focus_outgoing.set_value(false);
            let _ = card.focus();
        }
    });
    let cancel = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        form_action.dispatch(api::cancel_challenge(id), |()| {});
    };
    let waits = t!(
        language,
        calls.waits,
        name = display_name(language, &challenge.to.name)
    );
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
            <p class="prompt">{waits}</p>
            <ChallengeTerms lobby challenge />
            <input type="hidden" name="id" value=id.0 />
            <div class="button-row">
                <button type="submit" class="quiet" disabled=form_action.pending>
                    {t!(language, calls.cancel)}
                </button>
            </div>
        </form>
    }
}

/// The terms of a challenge, and when it expires.
#[component]
fn ChallengeTerms(lobby: LobbyState, challenge: Challenge) -> impl IntoView {
    let terms = describe_terms(
        language(),
        challenge.setup,
        challenge.clock,
        challenge.rated,
    );
    let left = lobby.seconds_left(&challenge);
    let ends_at = Signal::derive(move || lobby.ends_at(&challenge));
    view! {
        <Countdown ends_at initial_seconds=left />
        <p class="terms">{terms}</p>
    }
}

/// Returns a sentence that names the challenger. A guest has no rating.
pub(crate) fn asks(language: Language, from: &PlayerCard) -> String {
    let mut name = display_name(language, &from.name);
    if from.bot {
        name = format!("{} ({})", Isolated(&name), t!(language, name.bot));
    }
    if from.guest {
        t!(language, calls.guest_asks, name = name)
    } else {
        t!(
            language,
            calls.asks,
            name = name,
            rating = words::marked_rating(from.rating, from.provisional)
        )
    }
}
