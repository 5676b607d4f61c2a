//! Links to the other pages of a long list.

use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// The current page, with links to first, previous, next and last; nothing if there is only one page.
#[component]
pub(crate) fn Pager(
    page: u32,
    pages: u32,
    /// The URL of a page.
    to: impl Fn(u32) -> String,
) -> impl IntoView {
    let language = language();
    let link = |there: bool, page: u32, rel: Option<&'static str>, label: &'static str| {
        there.then(|| {
            view! {
                <a class="button quiet" href=to(page) rel=rel>
                    {label}
                </a>
            }
        })
    };
    // After the last page, "previous" leads to the last.
    let (back, on) = (page > 1, page < pages);
    let before = page.saturating_sub(1).min(pages);
    (pages > 1 || page > 1).then(|| {
        view! {
            <nav class="pager button-row" aria-label=t!(language, pager.label)>
                {link(back, 1, None, t!(language, pager.first))}
                {link(back, before, Some("prev"), t!(language, pager.previous))}
                <span class="number">{t!(language, pager.here, page = page, pages = pages)}</span>
                {link(on, page + 1, Some("next"), t!(language, pager.next))}
                {link(on, pages, None, t!(language, pager.last))}
            </nav>
        }
    })
}
