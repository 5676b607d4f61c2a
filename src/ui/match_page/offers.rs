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
    let buttons = move || match offer.get() {
        None => offer_buttons(controller, form_action, moved.get()),
        Some(Offer { kind, seat, .. }) if seat == me => {
            outgoing_offer(controller, form_action, kind, seat)
        }
        Some(Offer { kind, seat, .. }) => incoming_offer(controller, form_action, kind, seat),
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
    /// Name and value of a hidden field.
    field: Option<(&'static str, &'static str)>,
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

/// The text about an open offer, and the buttons.
type OfferView = (Option<String>, Vec<OfferButton>);

fn offer_buttons(controller: MatchController, form_action: FormAction, moved: bool) -> OfferView {
    let one = |kind: OfferKind| OfferButton {
        url: api::MakeOffer::url(),
        field: Some(("kind", kind.as_str())),
        label: words::offer(controller.language, kind),
        disabled: kind == OfferKind::Takeback && !moved,
        press: Box::new(move || form_action.dispatch(api::offer(controller.id, kind), |_| {})),
    };
    (None, OfferKind::ALL.map(one).into())
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
        field: None,
        label: say!(language, calls.cancel),
        disabled: false,
        press: Box::new(move || form_action.dispatch(api::cancel_offer(controller.id), |_| {})),
    };
    (Some(format!("{offer}. {waits}")), vec![cancel])
}

fn incoming_offer(
    controller: MatchController,
    form_action: FormAction,
    kind: OfferKind,
    theirs: Seat,
) -> OfferView {
    let language = controller.language;
    let reply = |accept: bool, label| OfferButton {
        url: api::AnswerOffer::url(),
        field: Some(("accept", if accept { "true" } else { "false" })),
        label,
        disabled: false,
        press: Box::new(move || {
            form_action.dispatch(api::answer_offer(controller.id, accept), |_| {});
        }),
    };
    let asks = words::offered(language, kind, &controller.name(theirs));
    let replies = vec![
        reply(true, say!(language, calls.accept)),
        reply(false, say!(language, calls.decline)),
    ];
    (Some(asks), replies)
}
