//! The form of the settings of the display, with the board that follows them.

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

/// Returns the address of a page without the language that it names, so that the chosen one is seen.
pub(crate) fn without_language(url: &str) -> String {
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

/// A small board that follows the settings as the boards of the games do.
pub(crate) const PREVIEW: &str = include_str!("../../../../../public/settings_preview.svg");

/// The settings with their choices, and switches. `public/forms.js` applies a change at once. The form is no
/// island, so no page loads code for it.
#[component]
pub(crate) fn SettingsForm() -> impl IntoView {
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
    let switch = |name: &'static str, label: &'static str| {
        view! { <Switch name label is_on=settings.value(name) == Some("on") /> }
    };
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
            <input type="hidden" name="switches" value="sound confirm confirm_correspondence coordinates marks" />
            {switch("sound", t!(language, settings.sound))}
            {switch("confirm", t!(language, settings.confirm))}
            {switch("confirm_correspondence", t!(language, settings.confirm_correspondence))}
            {switch("coordinates", t!(language, settings.coordinates))}
            {switch("marks", t!(language, settings.marks))}
            {choose("language", t!(language, settings.language), &languages)}
            <SaveButton />
        </form>
        <script defer src=script_path()></script>
    }
}

/// A setting that is on or off.
#[component]
fn Switch(name: &'static str, label: &'static str, is_on: bool) -> impl IntoView {
    view! {
        <label class="setting">
            <span>{label}</span>
            <input type="checkbox" role="switch" name=name value="on" checked=is_on autocomplete="off" />
        </label>
    }
}

/// The button without scripts, and the line that tells of a saved change with them.
#[component]
fn SaveButton() -> impl IntoView {
    let language = language();
    view! {
        <noscript inner_html=save_button(language)></noscript>
        <p role="status" class="note" data-saved=t!(language, settings.saved)></p>
    }
}

/// The setting of an account that is not of the display: whether guests may challenge.
#[component]
pub(crate) fn GuestChallenges() -> impl IntoView {
    let label = t!(language(), settings.guests);
    view! {
        <form class="settings-form" action=api::ChangeSettings::url() method="post">
            <input type="hidden" name="next" value="/account" />
            <input type="hidden" name="switches" value="guests" />
            <Switch name="guests" label is_on=current_settings().guests />
            <SaveButton />
        </form>
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
