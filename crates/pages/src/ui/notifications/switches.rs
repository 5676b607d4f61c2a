//! The switches of the kinds of notifications, on the account page.

use super::words::kind_name;
use crate::api;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{MailStatus, NotificationChannel, NotificationSwitches};

/// A form for each kind. `public/forms.js` saves a change at once, as those of the display. The switches of mail are for who has a
/// confirmed address; who may have one is told so.
#[component]
pub(crate) fn SwitchForms(
    switches: Vec<NotificationSwitches>,
    mail: MailStatus,
    /// Whether the player has no account that could have an address.
    guest: bool,
) -> impl IntoView {
    let language = language();
    let has_mail = mail.available && mail.address.is_some();
    let channels = NotificationChannel::ALL.into_iter();
    let channels = channels.filter(|channel| has_mail || *channel != NotificationChannel::Mail);
    // A form leaves out a switch that is off; one that it does not have is left as it is.
    let names: Vec<&str> = channels.map(NotificationChannel::as_str).collect();
    let names = names.join(" ");
    let forms = switches.into_iter().map(|of_kind| {
        let NotificationSwitches {
            kind,
            site,
            push,
            mail,
        } = of_kind;
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
                {has_mail.then(|| switch(NotificationChannel::Mail, t!(language, mail.title), mail))}
                <noscript inner_html=save_button(language)></noscript>
                <span role="status" class="note" data-saved=t!(language, settings.saved)></span>
            </form>
        }
    });
    view! {
        {forms.collect_view()}
        <p class="note">{t!(language, notifications.away)}</p>
        {(mail.available && !guest)
            .then(|| {
                view! {
                    <p class="note">
                        {t!(language, notifications.mail_about)}
                        {(!has_mail)
                            .then(|| {
                                view! {
                                    " "
                                    <a href="#mail">{t!(language, notifications.mail_add)}</a>
                                }
                            })}
                    </p>
                }
            })}
    }
}

fn save_button(language: Language) -> String {
    format!(
        "<button type=\"submit\">{}</button>",
        t!(language, settings.save)
    )
}
