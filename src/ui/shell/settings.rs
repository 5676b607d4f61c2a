//! How the visitor wants the pages: the settings of this document, and the panel that changes them.

use crate::api;
use crate::ui::text::{Language, language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_router::hooks::use_location;
use tochki_protocol::{LanguageChoice, Palette, Settings, Theme};

/// The settings of this visit. In a browser they are the attributes of `<html>`, which whoever needs one reads at the
/// time.
pub(crate) fn current() -> Settings {
    use_context().unwrap_or_default()
}

/// The button that opens the settings, with scripts or without.
#[component]
pub(crate) fn SettingsButton() -> impl IntoView {
    view! {
        <button type="button" class="quiet" popovertarget="settings">
            {say!(language(), settings.title)}
        </button>
    }
}

/// The panel of the settings. It is long, and stands behind what is seen of a page's head, so that this is there at once.
#[component]
pub(crate) fn SettingsPanel(
    /// Whether they are kept beside an account.
    signed_in: bool,
) -> impl IntoView {
    let language = language();
    let kept = if signed_in {
        say!(language, settings.followed)
    } else {
        say!(language, settings.stays)
    };
    view! {
        <section id="settings" class="card settings" popover aria-labelledby="settings-title">
            <h2 id="settings-title">{say!(language, settings.title)}</h2>
            <SettingsForm />
            <p class="note">{kept}</p>
        </section>
    }
}

/// The switch between languages at the foot of every page.
#[component]
pub(crate) fn LanguageSwitch() -> impl IntoView {
    let here = here();
    let now = language().code();
    let languages = LanguageChoice::ALL
        .iter()
        .filter(|tongue| **tongue != LanguageChoice::Browser);
    let choices = languages
        .map(|tongue| {
            let code = tongue.word();
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

/// What a language calls itself.
fn own_name(tongue: LanguageChoice) -> &'static str {
    match tongue {
        LanguageChoice::Browser => "",
        LanguageChoice::English => "English",
        LanguageChoice::Russian => "Русский",
    }
}

/// The address of this page.
fn here() -> String {
    let location = use_location();
    let (path, query) = (
        location.pathname.get_untracked(),
        location.search.get_untracked(),
    );
    if query.is_empty() {
        path
    } else {
        format!("{path}?{query}")
    }
}

/// Every setting with its choices; the default is the first of them. With scripts, `public/settings.js` lets a change count
/// at once: the form is drawn by the server alone, so that no page fetches code to draw it again.
#[component]
fn SettingsForm() -> impl IntoView {
    let language = language();
    let settings = current();
    let choose =
        |name: &'static str, label: &'static str, choices: &[(&'static str, &'static str)]| {
            let now = settings.word(name);
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
        ("on", say!(language, settings.on)),
        ("off", say!(language, settings.off)),
    );
    view! {
        <form class="settings-form" action=api::ChangeSettings::url() method="post">
            <input type="hidden" name="next" value=here() />
            {choose(
                "theme",
                say!(language, settings.theme),
                &[
                    (Theme::System.word(), say!(language, settings.system)),
                    (Theme::Day.word(), say!(language, settings.day)),
                    (Theme::Night.word(), say!(language, settings.night)),
                ],
            )}
            {choose(
                "palette",
                say!(language, settings.palette),
                &[
                    (Palette::Pens.word(), say!(language, settings.pens)),
                    (Palette::Safe.word(), say!(language, settings.safe)),
                ],
            )}
            {choose("sound", say!(language, settings.sound), &[on, off])}
            {choose("confirm", say!(language, settings.confirm), &[off, on])}
            {choose("coordinates", say!(language, settings.coordinates), &[on, off])}
            {choose("marks", say!(language, settings.marks), &[on, off])}
            {choose(
                "language",
                say!(language, settings.language),
                &[
                    (LanguageChoice::Browser.word(), say!(language, settings.browser)),
                    (LanguageChoice::English.word(), own_name(LanguageChoice::English)),
                    (LanguageChoice::Russian.word(), own_name(LanguageChoice::Russian)),
                ],
            )}
            <noscript inner_html=save_button(language)></noscript>
            <p role="status" class="note" data-saved=say!(language, settings.saved)></p>
        </form>
        <script type="module" src="/settings.js"></script>
    }
}

fn save_button(language: Language) -> String {
    format!(
        "<button type=\"submit\">{}</button>",
        say!(language, settings.save)
    )
}
