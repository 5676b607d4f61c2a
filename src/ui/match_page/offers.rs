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
use tochki_protocol::MatchId;
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
    let ways = move || {
        let (asks, ways) = ways();
        let asks = asks.map(|asks| view! { <p class="asks">{asks}</p> });
        let ways = ways.into_iter().map(|way| way.form(follow.id));
        (asks, ways.collect_view())
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

/// A way on from here: a button that is a form of its own, so that it works with scripts off.
///
/// All ways have one type, so that a browser needs the code for one.
struct Way {
    url: &'static str,
    /// Name and value of a field, where there is one.
    field: Option<(&'static str, &'static str)>,
    label: &'static str,
    disabled: bool,
    press: Box<dyn Fn()>,
}

impl Way {
    fn form(self, id: MatchId) -> impl IntoView {
        let submit = move |submit: leptos::ev::SubmitEvent| {
            submit.prevent_default();
            (self.press)();
        };
        let field = self
            .field
            .map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
        view! {
            <form action=self.url method="post" on:submit=submit>
                <input type="hidden" name="match_id" value=id.0 />
                {field}
                <button type="submit" class="quiet" disabled=self.disabled>
                    {self.label}
                </button>
            </form>
        }
    }
}

/// What is said of an offer, and the ways on from it.
type Ways = (Option<String>, Vec<Way>);

fn to_make(follow: MatchController, errand: FormAction, moved: bool) -> Ways {
    let one = |kind: OfferKind| Way {
        url: api::MakeOffer::url(),
        field: Some(("kind", kind.word())),
        label: words::offer(follow.language, kind),
        disabled: kind == OfferKind::Takeback && !moved,
        press: Box::new(move || errand.run(api::offer(follow.id, kind), |_| {})),
    };
    (None, OfferKind::ALL.map(one).into())
}

fn to_wait_for(follow: MatchController, errand: FormAction, kind: OfferKind, mine: Seat) -> Ways {
    let language = follow.language;
    let offer = words::offer(language, kind);
    let waits = say!(language, calls.waits, name = follow.name(mine.other()));
    let cancel = Way {
        url: api::CancelOffer::url(),
        field: None,
        label: say!(language, calls.cancel),
        disabled: false,
        press: Box::new(move || errand.run(api::cancel_offer(follow.id), |_| {})),
    };
    (Some(format!("{offer}. {waits}")), vec![cancel])
}

fn to_answer(follow: MatchController, errand: FormAction, kind: OfferKind, theirs: Seat) -> Ways {
    let language = follow.language;
    let reply = |accept: bool, label| Way {
        url: api::AnswerOffer::url(),
        field: Some(("accept", if accept { "true" } else { "false" })),
        label,
        disabled: false,
        press: Box::new(move || errand.run(api::answer_offer(follow.id, accept), |_| {})),
    };
    let asks = words::offered(language, kind, &follow.name(theirs));
    let replies = vec![
        reply(true, say!(language, calls.accept)),
        reply(false, say!(language, calls.decline)),
    ];
    (Some(asks), replies)
}
