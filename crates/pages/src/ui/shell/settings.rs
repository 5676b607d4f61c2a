//! The settings panel, and the language switch of the footer.

use crate::api;
use crate::ui::fingerprint::versioned_url;
use crate::ui::page::current_settings;
use crate::ui::page::current_url;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{LanguageChoice, Palette, Theme};

/// The script, which also sends the forms of other scripts. Its address changes with its content.
const SCRIPT: &str = include_str!("../../../../../public/forms.js");

/// The address of the script.
pub(crate) fn script_path() -> String {
    versioned_url("/forms.js", SCRIPT)
}

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
            <h2 id="settings-title">{t!(language, settings.title)}</h2>
            <SettingsForm />
            <p class="note">{kept}</p>
        </section>
    }
}

/// The language switch.
#[component]
pub(crate) fn LanguageSwitch() -> impl IntoView {
    let here = current_url();
    let now = language().code();
    let languages = LanguageChoice::ALL
        .iter()
        .filter(|tongue| **tongue != LanguageChoice::Browser);
    let choices = languages
        .map(|tongue| {
            let code = tongue.as_str();
            view! {
                <button
                    type="submit"
                    class="quiet"
                    name="language"
                    value=code
                    lang=code
                    aria-current=(code == now).then_some("true")
                >
                    {own_name(*tongue)}
                </button>
            }
        })
        .collect_view();
    view! {
        <form class="languages" action=api::ChangeSettings::url() method="post">
            <input type="hidden" name="next" value=here />
            {choices}
        </form>
    }
}

/// Returns the name of a language in itself.
fn own_name(tongue: LanguageChoice) -> &'static str {
    match tongue {
        LanguageChoice::Browser => "",
        LanguageChoice::English => "English",
        LanguageChoice::Russian => "Русский",
    }
}

/// The settings with their choices; the first choice is the default. `public/forms.js` applies a change at once. The form is no
/// island, so no page loads code for it.
#[component]
fn SettingsForm() -> impl IntoView {
    let language = language();
    let settings = current_settings();
    let choose =
        |name: &'static str, label: &'static str, choices: &[(&'static str, &'static str)]| {
            let now = settings.value(name);
            let choices = choices
                .iter()
                .map(|(word, text)| {
                    view! {
                        <option value=*word selected=now == Some(*word)>
                            {*text}
                        </option>
                    }
                })
                .collect_view();
            view! {
                <label class="setting">
                    <span>{label}</span>
                    <select name=name autocomplete="off">
                        {choices}
                    </select>
                </label>
            }
            .into_any()
        };
    let (on, off) = (
        ("on", t!(language, settings.on)),
        ("off", t!(language, settings.off)),
    );
    view! {
        <form class="settings-form" action=api::ChangeSettings::url() method="post">
            <input type="hidden" name="next" value=current_url() />
            {choose(
                "theme",
                t!(language, settings.theme),
                &[
                    (Theme::System.as_str(), t!(language, settings.system)),
                    (Theme::Day.as_str(), t!(language, settings.day)),
                    (Theme::Night.as_str(), t!(language, settings.night)),
                ],
            )}
            {choose(
                "palette",
                t!(language, settings.palette),
                &[
                    (Palette::Pens.as_str(), t!(language, settings.pens)),
                    (Palette::Safe.as_str(), t!(language, settings.safe)),
                    (Palette::Stones.as_str(), t!(language, settings.stones)),
                ],
            )}
            {choose("sound", t!(language, settings.sound), &[on, off])}
            {choose("confirm", t!(language, settings.confirm), &[off, on])}
            {choose("coordinates", t!(language, settings.coordinates), &[on, off])}
            {choose("marks", t!(language, settings.marks), &[on, off])}
            {choose(
                "language",
                t!(language, settings.language),
                &[
                    (LanguageChoice::Browser.as_str(), t!(language, settings.browser)),
                    (LanguageChoice::English.as_str(), own_name(LanguageChoice::English)),
                    (LanguageChoice::Russian.as_str(), own_name(LanguageChoice::Russian)),
                ],
            )}
            <noscript inner_html=save_button(language)></noscript>
            <p role="status" class="note" data-saved=t!(language, settings.saved)></p>
        </form>
        <script defer src=script_path()></script>
    }
}

fn save_button(language: Language) -> String {
    format!(
        "<button type=\"submit\">{}</button>",
        t!(language, settings.save)
    )
}
