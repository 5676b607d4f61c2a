//! Rematch, with the colours swapped.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::forms::navigate_to;
use crate::ui::islands::effect::effect;
use crate::ui::islands::form_action::FormAction;
use crate::ui::match_page::MatchController;
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{Code, MatchId};
use tochki_rules::Seat;

/// Whether the visitor asks for a rated rematch: as the match was, until the server says that it would not be.
#[derive(Clone, Copy)]
pub(crate) struct RematchTerms(RwSignal<bool>);

impl RematchTerms {
    /// Takes the terms of the match.
    pub(crate) fn new(rated: bool) -> Self {
        Self(RwSignal::new(rated))
    }

    /// Notes a refusal because of the terms. The next request is then for a rematch of the other kind: unrated if this match was
    /// rated.
    pub(crate) fn note_refusal(self, error: &ErrorResponse) {
        if error.code == Code::TermsChanged {
            self.0.update(|rated| *rated = !*rated);
        }
    }
}

/// Offers a rematch. Players whose page is open are redirected to it once it starts; spectators, and players who come later to look
/// at this match, get a link.
#[component]
pub(crate) fn Rematch(
    controller: MatchController,
    me: Option<Seat>,
    terms: RematchTerms,
) -> impl IntoView {
    let language = language();
    let form_action = FormAction::new(None);
    let next = Memo::new(move |_| controller.status.with(|status| status.next_match));
    let asked = Memo::new(move |_| controller.status.with(|status| status.rematch));
    let began_before = next.get_untracked().is_some();
    effect(move || {
        if let (Some(_), Some(next)) = (me.filter(|_| !began_before), next.get()) {
            navigate_to(&format!("/match/{next}"));
        }
    });
    effect(move || {
        form_action.error.with(|error| {
            if let Some(error) = error {
                terms.note_refusal(error);
            }
        });
    });
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        // The next match comes by the event stream.
        let rated = terms.0.get_untracked();
        let form = format!("match_id={}&rated={rated}", controller.id);
        form_action.post(api::Rematch::url(), form);
    };
    let refusal = move || {
        form_action.error.with(|error| {
            error.as_ref().map(|error| match error.code {
                Code::TermsChanged => t!(language, rematch.terms_changed),
                _ => words::match_error(language, error),
            })
        })
    };
    let link = move |next: MatchId| {
        view! {
            <a class="button" href=format!("/match/{next}")>
                {t!(language, rematch.next)}
            </a>
        }
    };
    let button = move |me: Seat| {
        let asked = asked.get();
        let words = if asked[me.index()] {
            Some(t!(
                language,
                calls.waits,
                name = controller.name(me.other())
            ))
        } else if asked[me.other().index()] {
            Some(t!(
                language,
                rematch.asked,
                name = controller.name(me.other())
            ))
        } else {
            None
        };
        view! {
            <p class="prompt" role="status">
                {words}
            </p>
            <form action=api::Rematch::url() method="post" on:submit=submit>
                <input type="hidden" name="match_id" value=controller.id.0 />
                <input type="hidden" name="rated" value=terms.0.get().to_string() />
                <button type="submit" disabled=move || form_action.pending.get() || asked[me.index()]>
                    {t!(language, rematch.ask)}
                </button>
            </form>
        }
    };
    let content = move || {
        let next = next.get();
        let me = me.filter(|_| next.is_none());
        (next.map(link), me.map(button))
    };
    view! {
        <div class="rematch">{content} <p role="alert" class="refusal">{refusal}</p></div>
    }
}
