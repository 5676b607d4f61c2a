//! What the players propose to each other: a draw, to end here, to take a move back.

use crate::api;
use crate::ui::islands::form_action::FormAction;
use crate::ui::live::countdown::Countdown;
use crate::ui::match_page::MatchController;
use crate::ui::text::say;
use crate::ui::text::words;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_play::{Offer, OfferKind};
use tochki_rules::Seat;

/// The buttons that offer, and what becomes of the open offer. For players.
#[component]
pub(crate) fn Offers(follow: MatchController, me: Seat, errand: FormAction) -> impl IntoView {
    let offer = Memo::new(move |_| follow.mirror.with(|mirror| mirror.confirmed().offer()));
    let moved = Memo::new(move |_| {
        follow
            .mirror
            .with(|mirror| mirror.confirmed().plies().iter().any(|ply| ply.seat == me))
    });
    let ways = move || match offer.get() {
        None => to_make(follow, errand, moved.get()),
        Some(Offer { kind, seat, .. }) if seat == me => to_wait_for(follow, errand, kind, seat),
        Some(Offer { kind, seat, .. }) => to_answer(follow, errand, kind, seat),
    };
    let until = Signal::derive(move || follow.time.here(offer.get()?.expires_at));
    view! {
        <div
            class="offers"
            class:open=move || offer.get().is_some()
            class:incoming=move || offer.get().is_some_and(|offer| offer.seat != me)
            aria-live="assertive"
        >
            {ways}
            {move || offer.get().map(|_| view! { <Countdown until /> })}
        </div>
    }
}

fn to_make(follow: MatchController, errand: FormAction, moved: bool) -> AnyView {
    let one = |kind: OfferKind| {
        let disabled = kind == OfferKind::Takeback && !moved;
        let field = ("kind", kind.word());
        let label = words::offer(follow.language, kind);
        let make = move || errand.run(api::offer(follow.id, kind), |_| {});
        way(follow, api::MakeOffer::url(), field, label, disabled, make)
    };
    OfferKind::ALL.map(one).collect_view().into_any()
}

fn to_wait_for(
    follow: MatchController,
    errand: FormAction,
    kind: OfferKind,
    mine: Seat,
) -> AnyView {
    let language = follow.language;
    let waits = say!(language, calls.waits, name = follow.name(mine.other()));
    let label = say!(language, calls.cancel);
    let cancel = move || errand.run(api::cancel_offer(follow.id), |_| {});
    view! {
        <p class="asks">{words::offer(language, kind)} ". " {waits}</p>
        {way(follow, api::CancelOffer::url(), ("", ""), label, false, cancel)}
    }
    .into_any()
}

fn to_answer(
    follow: MatchController,
    errand: FormAction,
    kind: OfferKind,
    theirs: Seat,
) -> AnyView {
    let language = follow.language;
    let reply = |accept: bool, label| {
        let field = ("accept", if accept { "true" } else { "false" });
        let answer = move || errand.run(api::answer_offer(follow.id, accept), |_| {});
        way(follow, api::AnswerOffer::url(), field, label, false, answer)
    };
    view! {
        <p class="asks">{words::offered(language, kind, &follow.name(theirs))}</p>
        {reply(true, say!(language, calls.accept))}
        {reply(false, say!(language, calls.decline))}
    }
    .into_any()
}

/// A button that is a form of its own, so that it works with scripts off.
fn way(
    follow: MatchController,
    url: &'static str,
    (name, value): (&'static str, &'static str),
    label: &'static str,
    disabled: bool,
    press: impl Fn() + 'static,
) -> AnyView {
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        press();
    };
    view! {
        <form action=url method="post" on:submit=submit>
            <input type="hidden" name="match_id" value=follow.id.0 />
            {(!name.is_empty()).then(|| view! { <input type="hidden" name=name value=value /> })}
            <button type="submit" class="quiet" disabled=disabled>
                {label}
            </button>
        </form>
    }
    .into_any()
}
