//! Notifications of the operating system: requested here by DOM events, shown by `public/waiting.js`.

use leptos::prelude::document;
use web_sys::{CustomEvent, CustomEventInit};

/// Shows a notification with this title and text. A notification that the browser refuses is not shown.
pub(crate) fn show_notification(tag: &str, title: &str, body: &str) {
    // None of them has more than one line.
    dispatch("notification", &format!("{tag}\n{title}\n{body}"));
}

/// Closes the notification with this tag.
pub(crate) fn close_notification(tag: &str) {
    dispatch("notification:end", tag);
}

fn dispatch(name: &str, detail: &str) {
    let init = CustomEventInit::new();
    init.set_detail(&detail.into());
    // Without the event nothing is shown, and nothing else is lost.
    let _ = CustomEvent::new_with_event_init_dict(name, &init)
        .map(|event| document().dispatch_event(&event));
}
