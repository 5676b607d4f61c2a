//! How the visitor wants the pages: the settings of this document, and the panel that changes them.

use super::texts::{Language, language, say};
use crate::api;
use crate::wire::{Palette, Settings, Theme, Tongue};
use leptos::leptos_dom::helpers::location;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos::task::spawn_local;
use leptos_router::hooks::use_location;

/// The settings of this document: on the server those of the visit, in a browser what `<html>` says of them now.
pub(super) fn current() -> Settings {
    use_context().unwrap_or_else(|| {
        let mut settings = Settings::default();
        if let Some(html) = document().document_element() {
            for name in Settings::NAMES {
                if let Some(word) = html.get_attribute(&attribute(name)) {
                    settings.set(name, &word);
                }
            }
        }
        settings
    })
}

fn attribute(name: &str) -> String {
    format!("data-{name}")
}

/// Shows a setting on the document, where the style sheet and every island see it.
fn show(name: &str, word: &str) {
    let Some(html) = document().document_element() else {
        return;
    };
    let _ = if Settings::default().word(name) == Some(word) {
        html.remove_attribute(&attribute(name))
    } else {
        html.set_attribute(&attribute(name), word)
    };
}

/// The button that opens the settings, and their panel. Both work with scripts off.
#[component]
pub(super) fn SettingsPanel(
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
        <button type="button" class="quiet" popovertarget="settings">
            {say!(language, settings.title)}
        </button>
        <section id="settings" class="card settings" popover aria-labelledby="settings-title">
            <h2 id="settings-title">{say!(language, settings.title)}</h2>
            <SettingsForm language settings=current().to_string() next=here() />
            <p class="note">{kept}</p>
        </section>
    }
}

/// The switch between languages at the foot of every page.
#[component]
pub(super) fn LanguageSwitch() -> impl IntoView {
    let here = here();
    let now = language().code();
    let languages = Tongue::ALL
        .iter()
        .filter(|tongue| **tongue != Tongue::Browser);
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
fn own_name(tongue: Tongue) -> &'static str {
    match tongue {
        Tongue::Browser => "",
        Tongue::English => "English",
        Tongue::Russian => "Русский",
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

/// Every setting with its choices. With scripts a change counts at once.
#[island]
fn SettingsForm(
    language: Language,
    /// As text.
    settings: String,
    /// Where the form goes without scripts.
    next: String,
) -> impl IntoView {
    let settings: Settings = settings.parse().unwrap_or_default();
    let saved = RwSignal::new(false);
    let change = move |change: leptos::ev::Event| {
        let select: web_sys::Element = event_target(&change);
        let Some(name) = select.get_attribute("name") else {
            return;
        };
        let word = event_target_value(&change);
        show(&name, &word);
        saved.set(false);
        spawn_local(async move {
            let given = |setting: &str| (setting == name).then(|| word.clone());
            let changed = api::change_settings(
                given("theme"),
                given("palette"),
                given("sound"),
                given("confirm"),
                given("coordinates"),
                given("language"),
                None,
            );
            if changed.await.is_ok() {
                saved.set(true);
                if name == "language" {
                    let _ = location().reload();
                }
            }
        });
    };
    let choose = |name: &'static str,
                  label: &'static str,
                  choices: &[(&'static str, &'static str)]| {
        let now = settings.word(name);
        let choices = choices
            .iter()
            .map(|(word, text)| view! { <option value=*word selected=now == Some(*word)>{*text}</option> })
            .collect_view();
        view! {
            <label class="setting">
                <span>{label}</span>
                <select name=name autocomplete="off">{choices}</select>
            </label>
        }
        .into_any()
    };
    let switch = [
        ("on", say!(language, settings.on)),
        ("off", say!(language, settings.off)),
    ];
    view! {
        <form action=api::ChangeSettings::url() method="post" on:change=change>
            <input type="hidden" name="next" value=next />
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
            {choose("sound", say!(language, settings.sound), &switch)}
            {choose("confirm", say!(language, settings.confirm), &switch)}
            {choose("coordinates", say!(language, settings.coordinates), &switch)}
            {choose(
                "language",
                say!(language, settings.language),
                &[
                    (Tongue::Browser.word(), say!(language, settings.browser)),
                    (Tongue::English.word(), own_name(Tongue::English)),
                    (Tongue::Russian.word(), own_name(Tongue::Russian)),
                ],
            )}
            <noscript inner_html=save_button(language)></noscript>
            <p role="status" class="note">
                {move || saved.get().then(|| say!(language, settings.saved))}
            </p>
        </form>
    }
}

fn save_button(language: Language) -> String {
    format!(
        "<button type=\"submit\">{}</button>",
        say!(language, settings.save)
    )
}
