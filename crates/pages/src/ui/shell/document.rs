//! The HTML document around every page.

use crate::ui::page::current_settings;
use crate::ui::shell::language_links::LanguageLinks;
use crate::ui::shell::start::{StartCheck, StartScript};
use crate::ui::shell::style_sheets::StyleSheets;
use crate::ui::view::view;
use crate::ui::{App, text as texts};
use leptos::prelude::*;
use leptos_meta::MetaTags;

/// The whole document, as the server sends it.
pub fn shell(options: LeptosOptions) -> impl IntoView {
    let settings = current_settings();
    let chosen = |name| {
        settings
            .non_default()
            .find(|(setting, _)| *setting == name)
            .map(|(_, word)| word.to_owned())
    };
    let language = texts::language();
    view! {
        <!DOCTYPE html>
        <html
            lang=language.code()
            dir=texts::dir(language)
            data-theme=chosen("theme")
            data-palette=chosen("palette")
            data-sound=chosen("sound")
            data-confirm=chosen("confirm")
            data-confirm_correspondence=chosen("confirm_correspondence")
            data-coordinates=chosen("coordinates")
            data-marks=chosen("marks")
        >
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <StartCheck />
                <LanguageLinks />
                <StyleSheets options=options.clone() />
                <link rel="icon" href="/icon.svg" type="image/svg+xml" />
                <link rel="manifest" href="/manifest.webmanifest" />
                <AutoReload options=options.clone() />
                // Among it the texts of lazy islands, which the next script takes up.
                <MetaTags />
                // It runs before the next one, which hydrates the islands.
                <script defer src=texts::script_path(language)></script>
                <StartScript options />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}
