//! Notifications of incoming challenges for a page in the background: document title, sound, system notification.

use crate::ui::islands::effect::effect;
use crate::ui::live::sound::Sound;
use crate::ui::lobby::{LobbyState, asks};
use crate::ui::terms::describe_terms;
use crate::ui::text::{Language, language, say};
use leptos::prelude::*;
use leptos::task::spawn_local;
use tochki_protocol::{Challenge, ChallengeId};
use wasm_bindgen::JsValue;
use web_sys::{Notification, NotificationOptions, NotificationPermission};

/// Notifies of every incoming challenge while it is open. For browsers.
pub(crate) fn notify_challenges(lobby: LobbyState, language: Language) {
    let title = document().title();
    let shown = StoredValue::new_local(Vec::<(ChallengeId, Notification)>::new());
    let mut known: Vec<ChallengeId> = Vec::new();
    effect(move || {
        let mut incoming = lobby.challenges.get();
        incoming.retain(|challenge| challenge.to.id == lobby.me);
        // User text never goes into the title.
        document().set_title(&match incoming.len() {
            0 => title.clone(),
            count => format!("({count}) {}", say!(language, alert.title)),
        });
        for challenge in incoming
            .iter()
            .filter(|challenge| !known.contains(&challenge.id))
        {
            Sound::Challenge.play();
            if let Some(notification) = show_notification(language, challenge) {
                shown.update_value(|shown| shown.push((challenge.id, notification)));
            }
        }
        shown.update_value(|shown| {
            shown.retain(|(id, notification)| {
                let stands = incoming.iter().any(|challenge| challenge.id == *id);
                if !stands {
                    notification.close();
                }
                stands
            });
        });
        known = incoming.iter().map(|challenge| challenge.id).collect();
    });
}

/// Notifies of the first player who comes while the visitor waits alone. For browsers.
pub(crate) fn notify_arrival(lobby: LobbyState, language: Language) {
    let mut alone = false;
    effect(move || {
        let other = lobby.players.with(|players| {
            let other = players.iter().find(|player| player.id != lobby.me);
            other.map(|player| player.name.clone())
        });
        if let (true, Some(name)) = (alone, &other)
            && is_allowed()
        {
            let came = say!(language, alert.came, name = name);
            let options = NotificationOptions::new();
            options.set_icon("/icon.svg");
            let _ = Notification::new_with_options(&came, &options);
        }
        alone = other.is_none();
    });
}

/// Whether a system notification may be shown now: the page is hidden, and permission was granted.
fn is_allowed() -> bool {
    document().hidden() && permission() == Some(NotificationPermission::Granted)
}

/// Shows a system notification where it is allowed.
fn show_notification(language: Language, challenge: &Challenge) -> Option<Notification> {
    if !is_allowed() {
        return None;
    }
    let asks = asks(language, &challenge.from);
    let options = NotificationOptions::new();
    options.set_body(&describe_terms(
        language,
        challenge.setup,
        challenge.clock,
        challenge.rated,
    ));
    options.set_icon("/icon.svg");
    // Some phones allow notifications only for installed pages.
    Notification::new_with_options(&asks, &options).ok()
}

/// The permission for notifications; `None` where the browser has none.
fn permission() -> Option<NotificationPermission> {
    let there = js_sys::Reflect::has(&window(), &JsValue::from_str("Notification"));
    there
        .is_ok_and(|there| there)
        .then(Notification::permission)
}

/// The button that asks for permission, and the answer. Its space is reserved before hydration, so nothing shifts.
#[component]
pub(crate) fn NotificationPermissionButton() -> impl IntoView {
    let language = language();
    let state = RwSignal::new(None);
    effect(move || state.set(permission()));
    let ask = move |_| {
        if let Ok(asking) = Notification::request_permission() {
            spawn_local(async move {
                let _ = asking.await;
                state.set(permission());
            });
        }
    };
    let asking = move || state.get() == Some(NotificationPermission::Default);
    let answer = move || match state.get() {
        Some(NotificationPermission::Granted) => Some(say!(language, alert.granted)),
        Some(NotificationPermission::Denied) => Some(say!(language, alert.denied)),
        _ => None,
    };
    view! {
        <div class="notification-permission">
            <button type="button" class="quiet" class:unused=move || !asking() on:click=ask>
                {say!(language, alert.tell_me)}
            </button>
            <span role="status">{answer}</span>
        </div>
    }
}
