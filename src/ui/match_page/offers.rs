//! Offers: draw, finish, take back.

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

/// The buttons that make an offer, or the open offer. For players.
#[component]
pub(crate) fn Offers(
    controller: MatchController,
    me: Seat,
    form_action: FormAction,
) -> impl IntoView {
    let offer = Memo::new(move |_| controller.game.with(|game| game.confirmed().offer()));
    let moved = Memo::new(move |_| {
        controller
            .game
            .with(|game| game.confirmed().plies().iter().any(|ply| ply.seat == me))
    });
    let begun = Memo::new(move |_| controller.has_begun());
    let buttons = move || match offer.get() {
        None => offer_buttons(controller, form_action, moved.get(), begun.get()),
        Some(Offer { kind, seat, .. }) if seat == me => {
            outgoing_offer(controller, form_action, kind, seat)
        }
        Some(offer) => incoming_offer(controller, form_action, offer),
    };
    let buttons = move || {
        let (asks, buttons) = buttons();
        let asks = asks.map(|asks| view! { <p class="prompt">{asks}</p> });
        let buttons = buttons.into_iter().map(|button| button.form(controller.id));
        (asks, buttons.collect_view())
    };
    let ends_at = Signal::derive(move || {
        controller
            .server_clock
            .to_browser_ms(offer.get()?.expires_at)
    });
    view! {
        <div
            class="offers"
            class:open=move || offer.get().is_some()
            class:incoming=move || offer.get().is_some_and(|offer| offer.seat != me)
            aria-live="assertive"
        >
            {buttons}
            {move || offer.get().map(|_| view! { <Countdown ends_at /> })}
        </div>
    }
}

/// A button in a form of its own, so that it works without scripts.
///
/// All buttons have one type, so that a browser loads the code once.
struct OfferButton {
    url: &'static str,
    /// Names and values of hidden fields.
    fields: Vec<(&'static str, String)>,
    label: &'static str,
    disabled: bool,
    press: Box<dyn Fn()>,
}

impl OfferButton {
    fn form(self, id: MatchId) -> impl IntoView {
        let submit = move |submit: leptos::ev::SubmitEvent| {
            submit.prevent_default();
            (self.press)();
        };
        let fields = self.fields.into_iter();
        let fields = fields
            .map(|(name, value)| view! { <input type="hidden" name=name value=value /> })
            .collect_view();
        view! {
            <form action=self.url method="post" on:submit=submit>
                <input type="hidden" name="match_id" value=id.0 />
                {fields}
                <button type="submit" class="quiet" disabled=self.disabled>
                    {self.label}
                </button>
            </form>
        }
    }
}

/// The text about an open offer, and the buttons.
type OfferView = (Option<String>, Vec<OfferButton>);

fn offer_buttons(
    controller: MatchController,
    form_action: FormAction,
    moved: bool,
    begun: bool,
) -> OfferView {
    let game = controller
        .game
        .with_untracked(|game| game.confirmed().terms().setup.kind());
    let one = |kind: OfferKind| OfferButton {
        url: api::MakeOffer::url(),
        fields: vec![("kind", kind.as_str().to_owned())],
        label: words::offer(controller.language, kind),
        disabled: !if kind == OfferKind::Takeback {
            moved
        } else {
            begun
        },
        press: Box::new(move || form_action.dispatch(api::offer(controller.id, kind), |_| {})),
    };
    let kinds = OfferKind::ALL.into_iter().filter(|kind| kind.is_in(game));
    (None, kinds.map(one).collect())
}

fn outgoing_offer(
    controller: MatchController,
    form_action: FormAction,
    kind: OfferKind,
    mine: Seat,
) -> OfferView {
    let language = controller.language;
    let offer = words::offer(language, kind);
    let waits = say!(language, calls.waits, name = controller.name(mine.other()));
    let cancel = OfferButton {
        url: api::CancelOffer::url(),
        fields: Vec::new(),
        label: say!(language, calls.cancel),
        disabled: false,
        press: Box::new(move || form_action.dispatch(api::cancel_offer(controller.id), |_| {})),
    };
    (Some(format!("{offer}. {waits}")), vec![cancel])
}

fn incoming_offer(controller: MatchController, form_action: FormAction, offer: Offer) -> OfferView {
    let language = controller.language;
    let reply = |accept: bool, label| OfferButton {
        url: api::AnswerOffer::url(),
        fields: vec![
            ("accept", accept.to_string()),
            ("offer", offer.version.to_string()),
        ],
        label,
        disabled: false,
        press: Box::new(move || {
            let answer = api::answer_offer(controller.id, accept, Some(offer.version));
            form_action.dispatch(answer, |_| {});
        }),
    };
    let asks = words::offered(language, offer.kind, &controller.name(offer.seat));
    let replies = vec![
        reply(true, say!(language, calls.accept)),
        reply(false, say!(language, calls.decline)),
    ];
    (Some(asks), replies)
}
