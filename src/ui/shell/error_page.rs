//! The document sent when rendering a page has failed. It depends on nothing that may fail.

use crate::ui::page::ErrorCard;
use crate::ui::text as texts;
use crate::ui::text::say;
use leptos::prelude::*;
use leptos_meta::HashedStylesheet;

/// The whole document.
pub fn broken(options: LeptosOptions) -> impl IntoView {
    let language = texts::language();
    view! {
        <!DOCTYPE html>
        <html lang=language.code()>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <HashedStylesheet options id="style" />
                <title>{say!(language, trouble.title)}</title>
            </head>
            <body>
                <main id="main">
                    <ErrorCard text=say!(language, errors.internal) />
                </main>
            </body>
        </html>
    }
}
