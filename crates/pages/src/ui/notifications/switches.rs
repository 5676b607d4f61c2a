//! The switches of the kinds of notifications, on the account page.

use super::words::kind_name;
use crate::api;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{NotificationChannel, NotificationSwitches};

/// A form for each kind. `public/forms.js` saves a change at once, as those of the display.
#[component]
pub(crate) fn SwitchForms(switches: Vec<NotificationSwitches>) -> impl IntoView {
    let language = language();
    let names = NotificationChannel::ALL.map(NotificationChannel::as_str);
    let names = names.join(" ");
    let forms = switches.into_iter().map(|of_kind| {
        let NotificationSwitches { kind, site, push } = of_kind;
        let title = kind_name(language, kind);
        let switch = |channel: NotificationChannel, label: &'static str, is_on: bool| {
            view! {
                <label class="setting">
                    <span>{label}</span>
                    <input
                        type="checkbox"
                        role="switch"
                        name=channel.as_str()
                        value="on"
                        checked=is_on
                        aria-label=format!("{title}: {label}")
                        autocomplete="off"
                    />
                </label>
            }
        };
        view! {
            <form
                class="settings-form notification-switches"
                action=api::ChangeNotifications::url()
                method="post"
                data-kind=kind.as_str()
                aria-label=title
            >
                <strong>{title}</strong>
                <input type="hidden" name="kind" value=kind.as_str() />
                <input type="hidden" name="switches" value=names.clone() />
                {switch(NotificationChannel::Site, t!(language, notifications.site), site)}
                {switch(NotificationChannel::Push, t!(language, notifications.push), push)}
                <noscript inner_html=save_button(language)></noscript>
                <span role="status" class="note" data-saved=t!(language, settings.saved)></span>
            </form>
        }
    });
    view! {
        {forms.collect_view()}
        <p class="note">{t!(language, notifications.away)}</p>
    }
}

fn save_button(language: Language) -> String {
    format!(
        "<button type=\"submit\">{}</button>",
        t!(language, settings.save)
    )
}
