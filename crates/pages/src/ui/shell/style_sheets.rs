//! The style sheets in the head of a page.

use crate::ui::page::info_stylesheet::SheetsInPage;
use crate::ui::page::page_address::PageAddress;
use crate::ui::view::view;
use leptos::nonce::use_nonce;
use leptos::prelude::*;
use leptos_meta::HashedStylesheet;
use std::path::Path;
use std::sync::OnceLock;

/// The sheet that `script/site.mjs` makes of `style/first_visit.css`.
const FIRST_VISIT: &str = "first_visit.css";

/// Whether the browser has brought no cookie, as a context of every page: nothing of the site is likely to be kept in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstVisit(pub bool);

/// Links the style sheet of all pages. A first visit to the front page has the rules that this page needs in the page instead: on a
/// slow line the text is painted a round trip sooner, and nothing of it waits for another file.
///
/// Only these rules, because a page is compressed for each visit. Its nonce is another one each time, so nothing compressed can be
/// kept. Later the page fetches none of the other rules: the next page that needs them does.
#[component]
pub(crate) fn StyleSheets(options: LeptosOptions) -> impl IntoView {
    let is_front = use_context::<PageAddress>().is_some_and(|address| address.path == "/");
    let is_first = use_context::<FirstVisit>().is_some_and(|FirstVisit(is_first)| is_first);
    let sheet = (is_front && is_first)
        .then(|| first_sheet(&options))
        .flatten();
    let Some(sheet) = sheet else {
        return view! { <HashedStylesheet options id="style" /> }.into_any();
    };
    provide_context(SheetsInPage);
    view! { <style id="style" nonce=use_nonce() inner_html=sheet></style> }.into_any()
}

/// Returns the rules of a first visit, in a release. `cargo make watch` has one sheet, which changes while the server runs.
fn first_sheet(options: &LeptosOptions) -> Option<&'static str> {
    static SHEET: OnceLock<Option<String>> = OnceLock::new();
    let read = || {
        let file = Path::new(&*options.site_root).join(FIRST_VISIT);
        let sheet = std::fs::read_to_string(file).ok()?;
        // Nothing in it ends the element.
        (options.hash_files && !sheet.contains("</")).then_some(sheet)
    };
    SHEET.get_or_init(read).as_deref()
}
