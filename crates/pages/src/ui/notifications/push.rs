//! Pushes: the button that subscribes this browser, and notifications in words for them.

use crate::ui::fingerprint::versioned_url;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// The script. Its address changes with its content.
const SCRIPT: &str = include_str!("../../../../../public/push.js");

/// The button that subscribes this browser, and unsubscribes it, where the server has pushes. `public/push.js` says what the browser
/// can do, and asks when the button is pressed.
#[component]
pub(crate) fn PushCard(
    /// The public key of the server.
    key: String,
) -> impl IntoView {
    let language = language();
    view! {
        <div
            id="push"
            data-key=key
            data-on=t!(language, notifications.push_is_on)
            data-off=t!(language, notifications.push_is_off)
            data-denied=t!(language, alert.denied)
            data-none=t!(language, notifications.push_none)
            data-install=t!(language, notifications.push_install)
            data-failed=t!(language, notifications.push_failed)
        >
            <p role="status"></p>
            <p class="button-row">
                <button type="button" hidden data-act="on">
                    {t!(language, notifications.push_on)}
                </button>
                <button type="button" class="quiet" hidden data-act="off">
                    {t!(language, notifications.push_off)}
                </button>
            </p>
        </div>
        <script type="module" src=versioned_url("/push.js", SCRIPT)></script>
    }
}

/// Returns what happened and in which game, in the language of a tag. Only a server sends pushes.
#[cfg(feature = "ssr")]
pub fn push_words(notification: &tochki_protocol::Notification, tag: &str) -> (String, String) {
    use super::words;
    use crate::ui::text::Language;

    let language = Language::of_tag(tag).unwrap_or_default();
    let title = words::headline(language, notification);
    let body = words::game_name(language, notification);
    let body = body.unwrap_or_else(|| t!(language, site.name));
    (title, body.to_owned())
}
