//! The links in the head by which search engines find a page in each language.

use crate::ui::page::page_address::PageAddress;
use crate::ui::text::{Language, language};
use crate::ui::view::view;
use leptos::prelude::*;

/// The pages that read the same for everybody and have texts of their own, by the first part of their path.
const INDEXED: [&str; 10] = [
    "",
    "analysis",
    "computer",
    "play",
    "programs",
    "puzzle",
    "puzzles",
    "rules",
    "standings",
    "tournaments",
];

/// Pages of one visitor among them.
const OF_ONE_VISITOR: [&str; 2] = ["/computer/game", "/tournaments/new"];

/// The addresses of this page in all languages. The address without a language is that of the default one, and of whoever has no
/// language of ours, because a browser gets its own language there. Pages with another query are variants of those, and have no links.
#[component]
pub(crate) fn LanguageLinks() -> impl IntoView {
    let address = use_context::<PageAddress>().filter(is_indexed);
    address.map(|address| {
        let plain = format!("{}{}", address.origin, address.path);
        let of = |language: Language| {
            if language == Language::default() {
                plain.clone()
            } else {
                format!("{plain}?lang={}", language.code())
            }
        };
        let shown = if address.query.is_empty() { Language::default() } else { language() };
        let others = Language::SHIPPED.into_iter();
        let others = others
            .map(|language| view! { <link rel="alternate" hreflang=language.code() href=of(language) /> })
            .collect_view();
        view! {
            <link rel="canonical" href=of(shown) />
            {others}
            <link rel="alternate" hreflang="x-default" href=plain.clone() />
        }
    })
}

fn is_indexed(address: &PageAddress) -> bool {
    let first = address.path.split('/').nth(1).unwrap_or_default();
    let plain = address.query.is_empty()
        || address.query.starts_with("lang=") && !address.query.contains('&');
    plain && INDEXED.contains(&first) && !OF_ONE_VISITOR.contains(&address.path.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_one_visitor_have_no_links() {
        let indexed = |path: &str, query: &str| {
            is_indexed(&PageAddress {
                origin: "https://tochki.test".to_owned(),
                path: path.to_owned(),
                query: query.to_owned(),
            })
        };
        for (path, query) in [
            ("/", ""),
            ("/rules/dots", ""),
            ("/puzzle/1", "lang=cs"),
            ("/tournaments", ""),
        ] {
            assert!(indexed(path, query), "{path}?{query}");
        }
        for (path, query) in [
            ("/account", ""),
            ("/match/7", ""),
            ("/computer/game", ""),
            ("/tournaments/new", ""),
            ("/play", "game=dots"),
            ("/play", "lang=cs&game=dots"),
        ] {
            assert!(!indexed(path, query), "{path}?{query}");
        }
    }
}
