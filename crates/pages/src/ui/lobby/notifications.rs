//! Notifications of incoming challenges for a page in the background: document title, sound, system notification.

use crate::ui::islands::effect::effect;
use crate::ui::live::sound::Sound;
use crate::ui::lobby::{
    LobbyState, asks, close_notification, other_person_waiting, show_notification,
};
use crate::ui::terms::describe_terms;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tochki_protocol::{Challenge, ChallengeId, PlayerId, WaitingPlayer};
use wasm_bindgen::JsValue;
use web_sys::{Notification, NotificationPermission};

/// Notifies of every incoming challenge as long as it is open. For browsers.
pub(crate) fn notify_challenges(lobby: LobbyState, language: Language) {
    let title = document().title();
    let mut known: Vec<ChallengeId> = Vec::new();
    effect(move || {
        let mut incoming = lobby.challenges.get();
        incoming.retain(|challenge| challenge.to.id == lobby.me);
        // User text never goes into the title.
        document().set_title(&match incoming.len() {
            0 => title.clone(),
            count => format!("({count}) {}", t!(language, alert.title)),
        });
        for challenge in incoming
            .iter()
            .filter(|challenge| !known.contains(&challenge.id))
        {
            Sound::Challenge.play();
            if is_allowed() {
                let asks = asks(language, &challenge.from);
                let terms = terms(language, challenge);
                show_notification(&tag(challenge.id), &asks, &terms);
            }
        }
        let open: Vec<_> = incoming.iter().map(|challenge| challenge.id).collect();
        for ended in known.iter().filter(|id| !open.contains(id)) {
            close_notification(&tag(*ended));
        }
        known = open;
    });
}

/// Notifies of the first person who comes while the visitor waits alone. For browsers.
pub(crate) fn notify_arrival(lobby: LobbyState, language: Language) {
    let mut alone = false;
    effect(move || {
        let came = lobby
            .players
            .with(|players| arrival(&mut alone, players, lobby.me));
        if let Some(name) = came
            && is_allowed()
        {
            let came = t!(language, alert.came, name = name);
            show_notification(&format!("arrival-{name}"), &came, "");
        }
    });
}

/// Returns the name of the player who has come to a visitor who was `alone` until now, if anybody.
fn arrival(alone: &mut bool, players: &[WaitingPlayer], me: PlayerId) -> Option<String> {
    let person = other_person_waiting(players, me);
    let came = person.filter(|_| *alone);
    *alone = person.is_none();
    came.map(|person| person.name.clone())
}

/// Returns whether a system notification may be shown now: the page is hidden, and permission was granted.
fn is_allowed() -> bool {
    document().hidden() && permission() == Some(NotificationPermission::Granted)
}

/// Returns the tag of the notification of a challenge.
fn tag(id: ChallengeId) -> String {
    format!("challenge-{id}")
}

/// Returns the terms of a challenge in words.
fn terms(language: Language, challenge: &Challenge) -> String {
    let Challenge {
        setup,
        clock,
        rated,
        ..
    } = *challenge;
    describe_terms(language, setup, clock, rated)
}

/// Returns the permission for notifications; `None` where the browser has none.
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
        Some(NotificationPermission::Granted) => Some(t!(language, alert.granted)),
        Some(NotificationPermission::Denied) => Some(t!(language, alert.denied)),
        _ => None,
    };
    view! {
        <div class="notification-permission">
            <button type="button" class="quiet" class:unused=move || !asking() on:click=ask>
                {t!(language, alert.tell_me)}
            </button>
            <span role="status">{answer}</span>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_protocol::ResultCounts;

    fn player(id: i64, bot: bool) -> WaitingPlayer {
        WaitingPlayer {
            id: PlayerId(id),
            name: format!("player {id}"),
            rating: 1600.0,
            guest: false,
            provisional: false,
            bot,
            results: ResultCounts::default(),
            quick_game: None,
            unlisted: false,
            just_finished: false,
        }
    }

    #[test]
    fn only_a_person_ends_the_time_alone() {
        let mut alone = false;
        let mut come = |ids: &[i64]| {
            // Players from 10 on are bots.
            let players: Vec<_> = ids.iter().map(|&id| player(id, id >= 10)).collect();
            arrival(&mut alone, &players, PlayerId(1))
        };
        assert_eq!(come(&[1, 2]), None, "who is there has not come");
        assert_eq!(come(&[1, 10]), None);
        assert_eq!(come(&[1, 10, 11]), None, "a bot");
        assert_eq!(come(&[1, 10, 11, 3]).as_deref(), Some("player 3"));
        assert_eq!(come(&[1, 3, 4]), None, "not alone");
        assert_eq!(come(&[10]), None);
        assert_eq!(come(&[1, 10]), None, "the visitor");
        assert_eq!(come(&[5, 10, 1]).as_deref(), Some("player 5"));
    }
}
