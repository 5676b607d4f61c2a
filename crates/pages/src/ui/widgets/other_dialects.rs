//! A record as other sites write it.

use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_rules::record::Dialect;

/// The dialects that are not ours, by the sites that write them.
const SITES: [(Dialect, &str); 2] = [
    (Dialect::Zagram, "zagram.org"),
    (Dialect::Playdots, "playdots.ru"),
];

/// Downloads of the same SGF in the dialects of other sites.
#[component]
pub(crate) fn OtherDialects(
    /// The address of our own, possibly with a query.
    address: String,
) -> impl IntoView {
    let language = language();
    let joint = if address.contains('?') { '&' } else { '?' };
    let links = SITES.map(|(dialect, site)| {
        view! {
            " "
            <a href=format!("{address}{joint}dialect={}", dialect.id()) download>
                {site}
            </a>
        }
    });
    view! { <p class="button-row">{t!(language, replay.other_sites)} {links}</p> }
}
