//! Telling of a challenge whoever looks at another tab: by the title, by a sound, and by the system if it is allowed.

use crate::ui::islands::effect::effect;
use crate::ui::live::sound::Sound;
use crate::ui::lobby::Room;
use crate::ui::text::words;
use crate::ui::text::{Language, language, say};
use leptos::prelude::*;
use leptos::task::spawn_local;
use tochki_protocol::{Challenge, ChallengeId};
use wasm_bindgen::JsValue;
use web_sys::{Notification, NotificationOptions, NotificationPermission};

/// Tells of every challenge that comes in, for as long as it stands. For browsers.
pub(crate) fn alert(room: Room, language: Language) {
    let title = document().title();
    let shown = StoredValue::new_local(Vec::<(ChallengeId, Notification)>::new());
    let mut known: Vec<ChallengeId> = Vec::new();
    effect(move || {
        let mut incoming = room.calls.get();
        incoming.retain(|call| call.to.id == room.me);
        // A name is somebody else's text and stays out of the title.
        document().set_title(&match incoming.len() {
            0 => title.clone(),
            count => format!("({count}) {}", say!(language, alert.title)),
        });
        for call in incoming.iter().filter(|call| !known.contains(&call.id)) {
            Sound::Call.play();
            if let Some(notification) = notify(language, call) {
                shown.update_value(|shown| shown.push((call.id, notification)));
            }
        }
        shown.update_value(|shown| {
            shown.retain(|(id, notification)| {
                let stands = incoming.iter().any(|call| call.id == *id);
                if !stands {
                    notification.close();
                }
                stands
            });
        });
        known = incoming.iter().map(|call| call.id).collect();
    });
}

/// Lets the system tell of it, if nobody sees the page.
fn notify(language: Language, call: &Challenge) -> Option<Notification> {
    if !document().hidden() || permission() != Some(NotificationPermission::Granted) {
        return None;
    }
    let asks = say!(
        language,
        calls.asks,
        name = &call.from.name,
        rating = words::rating(call.from.rating)
    );
    let options = NotificationOptions::new();
    options.set_body(&words::terms(language, call.setup, call.clock, call.rated));
    options.set_icon("/icon.svg");
    // Some phones have notifications only for pages that were installed.
    Notification::new_with_options(&asks, &options).ok()
}

/// What the visitor has said about notifications; nothing where there are none.
fn permission() -> Option<NotificationPermission> {
    let there = js_sys::Reflect::has(&window(), &JsValue::from_str("Notification"));
    there
        .is_ok_and(|there| there)
        .then(Notification::permission)
}

/// The button that asks to be allowed, or what has come of it. It needs scripts; its room is there before it.
#[component]
pub(crate) fn TellMe() -> impl IntoView {
    let language = language();
    let said = RwSignal::new(None);
    effect(move || said.set(permission()));
    let ask = move |_| {
        if let Ok(asking) = Notification::request_permission() {
            spawn_local(async move {
                let _ = asking.await;
                said.set(permission());
            });
        }
    };
    let asking = move || said.get() == Some(NotificationPermission::Default);
    let answer = move || match said.get() {
        Some(NotificationPermission::Granted) => Some(say!(language, alert.granted)),
        Some(NotificationPermission::Denied) => Some(say!(language, alert.denied)),
        _ => None,
    };
    view! {
        <div class="tell-me">
            <button type="button" class="quiet" class:unused=move || !asking() on:click=ask>
                {say!(language, alert.tell_me)}
            </button>
            <span role="status">{answer}</span>
        </div>
    }
}
