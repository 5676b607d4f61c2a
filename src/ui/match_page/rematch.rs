//! Another game after the game, with the colours swapped.

use crate::api;
use crate::ui::forms::load;
use crate::ui::islands::effect::effect;
use crate::ui::islands::form_action::FormAction;
use crate::ui::match_page::MatchController;
use crate::ui::text::words;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::MatchId;
use tochki_rules::Seat;

/// Asks for another game; whoever plays is taken to it, whoever watches is shown the way.
#[component]
pub(crate) fn Rematch(follow: MatchController, me: Option<Seat>) -> impl IntoView {
    let language = language();
    let errand = FormAction::new(None);
    let next = Memo::new(move |_| follow.around.with(|around| around.next_match));
    let asked = Memo::new(move |_| follow.around.with(|around| around.rematch));
    let go = |next: MatchId| load(&format!("/match/{next}"));
    effect(move || {
        if let (Some(_), Some(next)) = (me, next.get()) {
            go(next);
        }
    });
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        errand.run(api::rematch(follow.id), move |answer| {
            if let Some(next) = answer.match_id {
                go(next);
            }
        });
    };
    let refusal = move || {
        errand
            .refused
            .with(|error| error.as_ref().map(|error| words::error(language, error)))
    };
    let link = move |next: MatchId| {
        view! {
            <a class="button" href=format!("/match/{next}")>
                {say!(language, rematch.next)}
            </a>
        }
    };
    let button = move |me: Seat| {
        let asked = asked.get();
        let words = if asked[me.index()] {
            Some(say!(language, calls.waits, name = follow.name(me.other())))
        } else if asked[me.other().index()] {
            Some(say!(
                language,
                rematch.asked,
                name = follow.name(me.other())
            ))
        } else {
            None
        };
        view! {
            <p class="asks" role="status">
                {words}
            </p>
            <form action=api::Rematch::url() method="post" on:submit=submit>
                <input type="hidden" name="match_id" value=follow.id.0 />
                <button type="submit" disabled=move || errand.under_way.get() || asked[me.index()]>
                    {say!(language, rematch.ask)}
                </button>
            </form>
        }
    };
    let ways = move || {
        let next = next.get();
        let me = me.filter(|_| next.is_none());
        (next.map(link), me.map(button))
    };
    view! {
        <div class="rematch">{ways} <p role="alert" class="refusal">{refusal}</p></div>
    }
}
