//! Offers: draw, finish, take back.

use crate::api;
use crate::ui::islands::form_action::FormAction;
use crate::ui::live::countdown::Countdown;
use crate::ui::live::server_clock::seconds_between;
use crate::ui::match_page::{MatchController, behind_a_press};
use crate::ui::text::t;
use crate::ui::text::words;
use crate::ui::view::view;
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
    // Whether the visitor has moved, and both.
    let moved = Memo::new(move |_| {
        controller.game.with(|game| {
            let game = game.confirmed();
            let moved = game.plies().iter().any(|ply| ply.seat == me);
            (moved, game.has_begun())
        })
    });
    let buttons = move || match offer.get() {
        None => offer_buttons(controller, moved.get()),
        Some(Offer { kind, seat, .. }) if seat == me => outgoing_offer(controller, kind, seat),
        Some(offer) => incoming_offer(controller, offer),
    };
    let buttons = move || {
        let (asks, buttons) = buttons();
        let asks = asks.map(|asks| view! { <p class="prompt">{asks}</p> });
        // Lists of one type each: a type that hides both would be the larger code.
        let (slips, others): (Vec<_>, Vec<_>) = buttons
            .into_iter()
            .partition(OfferButton::takes_two_presses);
        let slips = slips.into_iter().map(|button| {
            let label = button.label;
            let form = button.form(controller.id, form_action);
            behind_a_press(controller.language, label, form)
        });
        let others = others
            .into_iter()
            .map(|button| button.form(controller.id, form_action));
        (asks, slips.collect_view(), others.collect_view())
    };
    let ends_at = Signal::derive(move || {
        controller
            .server_clock
            .to_browser_ms(offer.get()?.expires_at?)
    });
    let countdown = move || {
        let expires_at = offer.get()?.expires_at?;
        let initial_seconds = seconds_between(controller.rendered_at, expires_at);
        Some(view! { <Countdown ends_at initial_seconds /> })
    };
    view! {
        <div
            class="offers"
            class:open=move || offer.get().is_some()
            class:incoming=move || offer.get().is_some_and(|offer| offer.seat != me)
            aria-live="assertive"
        >
            {buttons}
            {countdown}
        </div>
    }
}

/// A button in a form of its own, so that it works without scripts.
///
/// All such buttons have one type, so that a browser loads the code once.
struct OfferButton {
    url: &'static str,
    /// Names and values of hidden fields beside the match.
    fields: [Option<(&'static str, String)>; 2],
    label: &'static str,
    disabled: bool,
    /// The words of a second press, where a slip would cost much.
    confirm: Option<&'static str>,
}

impl OfferButton {
    /// Returns whether a first press opens the form.
    fn takes_two_presses(&self) -> bool {
        self.confirm.is_some() && !self.disabled
    }

    fn form(self, id: MatchId, form_action: FormAction) -> impl IntoView + use<> {
        let mut body = format!("match_id={id}");
        for (name, value) in self.fields.iter().flatten() {
            body.extend(["&", name, "=", value]);
        }
        let submit = move |submit: leptos::ev::SubmitEvent| {
            submit.prevent_default();
            form_action.post(self.url, body.clone());
        };
        let [first, second] = self.fields;
        let confirm = self.confirm.filter(|_| !self.disabled);
        view! {
            <form action=self.url method="post" on:submit=submit>
                <input type="hidden" name="match_id" value=id.0 />
                {hidden_field(first)}
                {hidden_field(second)}
                <button type="submit" class="quiet" disabled=self.disabled>
                    {confirm.unwrap_or(self.label)}
                </button>
            </form>
        }
    }
}

fn hidden_field(field: Option<(&'static str, String)>) -> impl IntoView {
    field.map(|(name, value)| view! { <input type="hidden" name=name value=value /> })
}

/// The text about an open offer, and the buttons.
type OfferView = (Option<String>, Vec<OfferButton>);

/// Returns the text and the buttons of the open offer, or the buttons to make one. `moved`: whether the visitor has moved, and
/// both.
fn offer_buttons(controller: MatchController, moved: (bool, bool)) -> OfferView {
    let game = controller
        .game
        .with_untracked(|game| game.confirmed().terms().setup.kind());
    let one = |kind: OfferKind| OfferButton {
        url: api::MakeOffer::url(),
        fields: [Some(("kind", kind.as_str().to_owned())), None],
        label: words::offer(controller.language, kind),
        disabled: !if kind == OfferKind::Takeback {
            moved.0
        } else {
            moved.1
        },
        confirm: (kind != OfferKind::Takeback).then_some(t!(controller.language, confirmed.offer)),
    };
    // The form of an adjournment is beside the board.
    let kinds = [OfferKind::Draw, OfferKind::Finish, OfferKind::Takeback];
    let mut buttons: Vec<OfferButton> = kinds.map(one).into();
    if !OfferKind::Finish.is_in(game) {
        // The second of all kinds.
        buttons.remove(1);
    }
    (None, buttons)
}

fn outgoing_offer(controller: MatchController, kind: OfferKind, mine: Seat) -> OfferView {
    let language = controller.language;
    let offer = words::offer(language, kind);
    let waits = t!(language, calls.waits, name = controller.name(mine.other()));
    let cancel = OfferButton {
        url: api::CancelOffer::url(),
        fields: [None, None],
        label: t!(language, calls.cancel),
        disabled: false,
        confirm: None,
    };
    (Some(format!("{offer}. {waits}")), vec![cancel])
}

fn incoming_offer(controller: MatchController, offer: Offer) -> OfferView {
    let language = controller.language;
    let reply = |accept: &str, label| OfferButton {
        url: api::AnswerOffer::url(),
        fields: [
            Some(("accept", accept.to_owned())),
            Some(("offer", offer.version.to_string())),
        ],
        label,
        disabled: false,
        confirm: None,
    };
    let asks = words::offered(language, &offer, &controller.name(offer.seat));
    let replies = vec![
        reply("true", t!(language, calls.accept)),
        reply("false", t!(language, calls.decline)),
    ];
    (Some(asks), replies)
}
