//! The data that are kept about players, and the time for which they are kept.

use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use std::time::Duration;
use tochki_protocol::limits;

/// Returns the data that are kept for a limited time, and that time.
fn rows(language: Language) -> [(&'static str, Duration); 10] {
    [
        (t!(language, kept.sessions), limits::SESSION_LIFETIME),
        (
            t!(language, kept.sessions_in_all),
            limits::SESSION_MAX_LIFETIME,
        ),
        (t!(language, kept.browsers), limits::DEVICE_LIFETIME),
        (t!(language, kept.addresses), limits::ADDRESS_LIFETIME),
        (t!(language, kept.challenges), limits::CLOSED_LIFETIME),
        (t!(language, kept.messages), limits::LOBBY_MESSAGE_LIFETIME),
        (t!(language, kept.reports), limits::REPORT_LIFETIME),
        (t!(language, kept.acts), limits::AUDIT_LIFETIME),
        (t!(language, kept.guests), limits::GUEST_LIFETIME),
        (t!(language, kept.name), limits::NAME_QUARANTINE),
    ]
}

/// A section of the account page.
#[component]
pub(super) fn KeptData() -> impl IntoView {
    let language = language();
    let rows = rows(language).map(|(what, time)| {
        let days = u32::try_from(time.as_secs() / (24 * 60 * 60)).unwrap_or(u32::MAX);
        view! {
            <tr>
                <th scope="row">{what}</th>
                <td class="number">{t!(language, kept.days, count = days)}</td>
            </tr>
        }
    });
    view! {
        <details>
            <summary>{t!(language, kept.title)}</summary>
            <p>{t!(language, kept.always)}</p>
            <table class="listed">
                <thead>
                    <tr>
                        <th scope="col">{t!(language, kept.what)}</th>
                        <th scope="col" class="number">
                            {t!(language, kept.how_long)}
                        </th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </details>
    }
}
