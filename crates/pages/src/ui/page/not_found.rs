//! The page for an unknown path.

use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Title;

/// The page for unknown paths, and for matches and players that do not exist.
#[component]
pub(crate) fn NotFound() -> impl IntoView {
    let language = language();
    view! {
        <Title text=t!(language, missing.title) />
        <section class="card narrow missing">
            <svg viewBox="-15 -15 70 50" width="210" height="150" aria-hidden="true">
                <path class="area red" d="M20-10 40 10 20 30 0 10Z" />
                <circle class="dot red" cx="20" cy="-10" r="3.4" />
                <circle class="dot red" cx="40" cy="10" r="3.4" />
                <circle class="dot red" cx="20" cy="30" r="3.4" />
                <circle class="dot red" cx="0" cy="10" r="3.4" />
                <circle class="dot red" cx="10" cy="0" r="3.4" />
                <circle class="dot red" cx="30" cy="0" r="3.4" />
                <circle class="dot red" cx="30" cy="20" r="3.4" />
                <circle class="dot red" cx="10" cy="20" r="3.4" />
                <circle class="dot blue dead" cx="20" cy="10" r="2.6" />
            </svg>
            <h1>{t!(language, missing.title)}</h1>
            <p>{t!(language, missing.text)}</p>
            <p class="button-row">
                <a class="button" href="/play">{t!(language, header.play)}</a>
                <a href="/">{t!(language, missing.home)}</a>
            </p>
        </section>
    }
}
