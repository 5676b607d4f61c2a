//! The settings panel, and the language switch of the footer.

use crate::api;
use crate::ui::fingerprint::versioned_url;
use crate::ui::page::current_settings;
use crate::ui::page::current_url;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{Palette, Theme};

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

/// Returns the address of a page without the language that it names, so that the chosen one is seen.
fn without_language(url: &str) -> String {
    let Some((path, query)) = url.split_once('?') else {
        return url.to_owned();
    };
    let kept = query.split('&').filter(|pair| !pair.starts_with("lang="));
    let kept: Vec<&str> = kept.collect();
    if kept.is_empty() {
        path.to_owned()
    } else {
        format!("{path}?{}", kept.join("&"))
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
    let shipped = Language::SHIPPED.into_iter();
    let shipped = shipped.map(|language| (language.code(), language.own_name()));
    let languages: Vec<_> = [("browser", t!(language, settings.browser))]
        .into_iter()
        .chain(shipped)
        .collect();
    let (on, off) = (
        ("on", t!(language, settings.on)),
        ("off", t!(language, settings.off)),
    );
    view! {
        <form class="settings-form" action=api::ChangeSettings::url() method="post">
            <input type="hidden" name="next" value=without_language(&current_url()) />
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
                    (Palette::Stones.as_str(), t!(language, settings.stones)),
                    (Palette::Pens.as_str(), t!(language, settings.pens)),
                    (Palette::Safe.as_str(), t!(language, settings.safe)),
                ],
            )}
            {choose("sound", t!(language, settings.sound), &[on, off])}
            {choose("confirm", t!(language, settings.confirm), &[off, on])}
            {choose("coordinates", t!(language, settings.coordinates), &[on, off])}
            {choose("marks", t!(language, settings.marks), &[on, off])}
            {choose("language", t!(language, settings.language), &languages)}
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_the_address_is_left_out() {
        for (url, expected) in [
            ("/rules", "/rules"),
            ("/rules?lang=cs", "/rules"),
            (
                "/play?game=dots&lang=cs&open=choice",
                "/play?game=dots&open=choice",
            ),
        ] {
            assert_eq!(without_language(url), expected);
        }
    }
}
