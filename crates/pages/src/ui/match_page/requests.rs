//! Requests of the opponent, an offer or a rematch. A player in another tab notices them as a challenge: by a sound, the title of
//! the document, and a notification of the operating system. `public/asked.js` does the last two.

use crate::ui::islands::effect::effect;
use crate::ui::live::sound::Sound;
use crate::ui::match_page::MatchController;
use crate::ui::text::t;
use crate::ui::text::words;
use leptos::prelude::*;
use tochki_rules::Seat;
use web_sys::{CustomEvent, CustomEventInit};

/// Notifies of each request of the opponent while it is open. For players.
pub(crate) fn notify_requests(controller: MatchController, me: Seat) {
    let offer = Memo::new(move |_| controller.game.with(|game| game.confirmed().offer()));
    let rematch = Memo::new(move |_| {
        controller.status.with(|status| {
            status.rematch[me.other().index()]
                && !status.rematch[me.index()]
                && status.next_match.is_none()
        })
    });
    let mut told = false;
    effect(move || {
        let language = controller.language;
        let name = || controller.name(me.other());
        let request = match offer.get().filter(|offer| offer.seat != me) {
            Some(offer) => Some(words::offered(language, &offer, &name())),
            None => rematch
                .get()
                .then(|| t!(language, rematch.asked, name = name())),
        };
        match &request {
            Some(request) => {
                Sound::Challenge.play();
                // A player's text never goes into the title.
                dispatch(&format!("{}\n{request}", t!(language, alert.asked)));
            }
            None if told => dispatch(""),
            None => {}
        }
        told = request.is_some();
    });
}

/// Dispatches the DOM event. If that fails, nothing is shown, and nothing else is lost.
fn dispatch(detail: &str) {
    let init = CustomEventInit::new();
    init.set_detail(&detail.into());
    let _ = CustomEvent::new_with_event_init_dict("asked", &init)
        .map(|event| document().dispatch_event(&event));
}
