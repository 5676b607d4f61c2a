//! The sign of life of a page without scripts: a frame in it that loads itself anew every few seconds.
//!
//! A player who thinks must not count as absent, and what they have typed must not be lost; so it is not the page that
//! reloads itself, and what has happened meanwhile is only said, with a way to see it.

use crate::ui::shell::settings;
use crate::ui::text as texts;
use crate::ui::text::{Language, say};
use leptos::prelude::*;
use leptos_meta::HashedStylesheet;
use tochki_protocol::Snapshot;

/// What the page shows of a match, in a word; the frame hands it on to see when there is something new.
fn shown(snapshot: &Snapshot) -> String {
    let [red, blue] = snapshot.rematch.map(u8::from);
    let [red_gone, blue_gone] = snapshot.gone_at.map(|gone| u8::from(gone.is_some()));
    let next = snapshot.next_match.map_or(0, |next| next.0);
    format!(
        "{}-{red}{blue}{red_gone}{blue_gone}-{next}",
        snapshot.version
    )
}

/// The frame as the page holds it.
pub(crate) fn frame(language: Language, snapshot: &Snapshot) -> String {
    format!(
        r#"<iframe class="beat" src="/match/{}/beat?seen={}" title="{}"></iframe>"#,
        snapshot.id,
        shown(snapshot),
        say!(language, beat.title)
    )
}

/// The document in the frame. `seen` is what the page round it shows; there is no snapshot while the database is away.
pub fn beat(
    options: LeptosOptions,
    snapshot: Option<&Snapshot>,
    seen: &str,
) -> impl IntoView + use<> {
    let language = texts::language();
    let news = snapshot.filter(|snapshot| shown(snapshot) != seen);
    let page = news.map(|snapshot| format!("/match/{}", snapshot.id));
    let chosen = settings::current();
    let theme = chosen
        .chosen()
        .find(|(setting, _)| *setting == "theme")
        .map(|(_, word)| word);
    view! {
        <!DOCTYPE html>
        <html lang=language.code() class="beat" data-theme=theme>
            <head>
                <meta charset="utf-8" />
                <meta name="color-scheme" content="light dark" />
                <meta http-equiv="refresh" content="5" />
                <HashedStylesheet options id="style" />
                <title>{say!(language, beat.title)}</title>
            </head>
            <body>
                {page
                    .map(|page| {
                        view! {
                            <p role="status">
                                <a href=page target="_top">
                                    {say!(language, beat.news)}
                                </a>
                            </p>
                        }
                    })}
            </body>
        </html>
    }
}
