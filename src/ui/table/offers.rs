//! What the players propose to each other: a draw, to end here, to take a move back.

use super::Follow;
use crate::api;
use crate::play::{Offer, OfferKind};
use crate::rules::Seat;
use crate::ui::countdown::Countdown;
use crate::ui::errand::Errand;
use crate::ui::texts::{language, say};
use crate::ui::words;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

/// The buttons that offer, and what becomes of the open offer. For players.
#[component]
pub(crate) fn Offers(follow: Follow, me: Seat, errand: Errand) -> impl IntoView {
    let language = language();
    let offer = Memo::new(move |_| follow.mirror.with(|mirror| mirror.confirmed().offer()));
    let moved = Memo::new(move |_| {
        follow
            .mirror
            .with(|mirror| mirror.confirmed().plies().iter().any(|ply| ply.seat == me))
    });
    let ways = move || {
        let Offer { kind, seat, .. } = match offer.get() {
            Some(offer) => offer,
            None => {
                return OfferKind::ALL
                    .map(|kind| {
                        let disabled = kind == OfferKind::Takeback && !moved.get();
                        let make = move || {
                            errand.run(api::offer(follow.id, kind), |_| {});
                        };
                        let label = words::offer(language, kind);
                        way(
                            follow,
                            api::MakeOffer::url(),
                            ("kind", kind.word()),
                            label,
                            disabled,
                            make,
                        )
                    })
                    .collect_view()
                    .into_any();
            }
        };
        if seat == me {
            let cancel = move || errand.run(api::cancel_offer(follow.id), |_| {});
            let label = say!(language, calls.cancel);
            let waits = say!(language, calls.waits, name = follow.name(me.other()));
            let cancel = way(
                follow,
                api::CancelOffer::url(),
                ("", ""),
                label,
                false,
                cancel,
            );
            view! {
                <p class="asks">{words::offer(language, kind)} ". " {waits}</p>
                {cancel}
            }
            .into_any()
        } else {
            let reply = |accept: bool, label| {
                let answer = move || errand.run(api::answer_offer(follow.id, accept), |_| {});
                let accept = if accept { "true" } else { "false" };
                way(
                    follow,
                    api::AnswerOffer::url(),
                    ("accept", accept),
                    label,
                    false,
                    answer,
                )
            };
            view! {
                <p class="asks">{words::offered(language, kind, &follow.name(seat))}</p>
                {reply(true, say!(language, calls.accept))}
                {reply(false, say!(language, calls.decline))}
            }
            .into_any()
        }
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

/// A button that is a form of its own, so that it works with scripts off.
fn way(
    follow: Follow,
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
