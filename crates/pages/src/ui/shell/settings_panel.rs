//! The settings panel, and the language switch of the footer.

use crate::api;
use crate::ui::page::current_url;
use crate::ui::page::settings_form::{SettingsForm, without_language};
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

/// The button that opens the settings, with scripts or without.
#[component]
pub(crate) fn SettingsButton() -> impl IntoView {
    view! {
        <button type="button" class="quiet" popovertarget="settings">
            {t!(language(), settings.title)}
        </button>
    }
}

/// The settings panel. It follows the visible part of the header in the HTML, so that it does not delay the header.
#[component]
pub(crate) fn SettingsPanel(
    /// Whether the settings are stored with an account.
    signed_in: bool,
) -> impl IntoView {
    let language = language();
    let kept = if signed_in {
        t!(language, settings.followed)
    } else {
        t!(language, settings.stays)
    };
    view! {
        <section id="settings" class="card settings" popover aria-labelledby="settings-title">
            <button
                type="button"
                class="quiet close"
                popovertarget="settings"
                popovertargetaction="hide"
                aria-label=t!(language, offline.close)
            >
                "×"
            </button>
            <h2 id="settings-title">{t!(language, settings.title)}</h2>
            <SettingsForm />
            <p class="note">{kept}</p>
        </section>
    }
}

/// The language switch: the name of the page's language, which opens the list of all, each by its own name.
///
/// Its buttons choose for the visitor. Search engines find the languages of a page by the links in its head (`language_links`).
#[component]
pub(crate) fn LanguageSwitch() -> impl IntoView {
    let language = language();
    let choices = Language::SHIPPED
        .into_iter()
        .map(|choice| {
            let code = choice.code();
            view! {
                <button
                    type="submit"
                    class="quiet"
                    name="language"
                    value=code
                    lang=code
                    aria-current=(choice == language).then_some("true")
                >
                    {choice.own_name()}
                </button>
            }
        })
        .collect_view();
    view! {
        <details class="languages">
            <summary class="button quiet" aria-label=switch_label(language)>
                <span lang=language.code()>{language.own_name()}</span>
            </summary>
            <form action=api::ChangeSettings::url() method="post">
                <input type="hidden" name="next" value=without_language(&current_url()) />
                {choices}
            </form>
        </details>
    }
}

fn switch_label(language: Language) -> String {
    format!(
        "{}: {}",
        t!(language, settings.language),
        language.own_name()
    )
}
