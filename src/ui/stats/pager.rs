//! The ways to the other pages of a long list.

use crate::ui::text::{language, say};
use leptos::prelude::*;

/// Which page this is, and links to those before and after it; nothing where there is one page alone.
#[component]
pub(crate) fn Pager(
    page: u32,
    pages: u32,
    /// The address of a page.
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
    // Who asks for a page after the last one is led back to the last.
    let (back, on) = (page > 1, page < pages);
    let before = page.saturating_sub(1).min(pages);
    (pages > 1 || page > 1).then(|| {
        view! {
            <nav class="pager ways" aria-label=say!(language, pager.label)>
                {link(back, 1, None, say!(language, pager.first))}
                {link(back, before, Some("prev"), say!(language, pager.previous))}
                <span class="number">{say!(language, pager.here, page = page, pages = pages)}</span>
                {link(on, page + 1, Some("next"), say!(language, pager.next))}
                {link(on, pages, None, say!(language, pager.last))}
            </nav>
        }
    })
}
