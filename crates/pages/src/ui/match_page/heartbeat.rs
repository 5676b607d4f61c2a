//! The heartbeat of a match page without scripts: an iframe that reloads itself every few seconds.
//!
//! A thinking player must not count as absent, and the text that they have typed must not be lost. So the page itself does not
//! reload; the frame says when there is something new, with a link.

use crate::ui::page::current_settings;
use crate::ui::text as texts;
use crate::ui::text::{Language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::HashedStylesheet;
use tochki_protocol::Snapshot;
use tochki_protocol::limits::PAGE_RELOAD_INTERVAL;

/// A short text that changes with everything the page shows of the match. The frame sends it to learn whether there is
/// something new.
fn fingerprint(snapshot: &Snapshot) -> String {
    let [red, blue] = snapshot.rematch.map(u8::from);
    let [red_gone, blue_gone] = snapshot.gone_at.map(|gone| u8::from(gone.is_some()));
    let next = snapshot.next_match.map_or(0, |next| next.0);
    format!(
        "{}-{red}{blue}{red_gone}{blue_gone}-{next}",
        snapshot.version
    )
}

/// The iframe.
pub(crate) fn frame(language: Language, snapshot: &Snapshot) -> String {
    format!(
        r#"<iframe class="heartbeat" src="/match/{}/beat?seen={}" title="{}"></iframe>"#,
        snapshot.id,
        fingerprint(snapshot),
        t!(language, heartbeat.title)
    )
}

/// The document in the iframe. `seen` is the fingerprint of the page around it; without a snapshot the database is
/// unavailable.
pub fn presence_frame(
    options: LeptosOptions,
    snapshot: Option<&Snapshot>,
    seen: &str,
) -> impl IntoView + use<> {
    let language = texts::language();
    let news = snapshot.filter(|snapshot| fingerprint(snapshot) != seen);
    let page = news.map(|snapshot| format!("/match/{}", snapshot.id));
    let chosen = current_settings();
    let theme = chosen
        .non_default()
        .find(|(setting, _)| *setting == "theme")
        .map(|(_, word)| word.to_owned());
    view! {
        <!DOCTYPE html>
        <html lang=language.code() dir=texts::dir(language) class="heartbeat" data-theme=theme>
            <head>
                <meta charset="utf-8" />
                <meta name="color-scheme" content="light dark" />
                <meta http-equiv="refresh" content=PAGE_RELOAD_INTERVAL.as_secs().to_string() />
                <HashedStylesheet options id="style" />
                <title>{t!(language, heartbeat.title)}</title>
            </head>
            <body>
                {page
                    .map(|page| {
                        view! {
                            <p role="status">
                                <a href=page target="_top">
                                    {t!(language, heartbeat.news)}
                                </a>
                            </p>
                        }
                    })}
            </body>
        </html>
    }
}
