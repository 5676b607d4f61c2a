//! The page in place of one whose making has broken: it needs nothing that may have broken it.

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
                    <section class="card narrow">
                        <h1>{say!(language, trouble.title)}</h1>
                        <p>{say!(language, errors.internal)}</p>
                        <p class="ways">
                            <a class="button" href="">
                                {say!(language, trouble.again)}
                            </a>
                            <a href="/">{say!(language, missing.home)}</a>
                        </p>
                    </section>
                </main>
            </body>
        </html>
    }
}
