//! The document sent in place of a page that cannot be made. The document depends on nothing that may fail.

use crate::error::ErrorResponse;
use crate::ui::page::ErrorCard;
use crate::ui::text as texts;
use crate::ui::text::{errors, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::HashedStylesheet;

/// Renders the whole document, which says this error in words.
pub fn error_document(options: LeptosOptions, error: &ErrorResponse) -> impl IntoView {
    let language = texts::language();
    let text = errors::error_text(language, error);
    view! {
        <!DOCTYPE html>
        <html lang=language.code() dir=texts::dir(language)>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <HashedStylesheet options id="style" />
                <title>{t!(language, trouble.title)}</title>
            </head>
            <body>
                <main id="main">
                    <ErrorCard text />
                </main>
            </body>
        </html>
    }
}
