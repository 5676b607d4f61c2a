//! The style sheets in the head of a page.

use crate::ui::page::info_stylesheet::{SheetsInPage, info_stylesheet};
use crate::ui::page::page_address::PageAddress;
use crate::ui::shell::start::hashes;
use crate::ui::view::view;
use leptos::nonce::use_nonce;
use leptos::prelude::*;
use leptos_meta::HashedStylesheet;
use std::path::Path;
use std::sync::OnceLock;

/// Whether the browser has brought no cookie, as a context of every page: nothing of the site is likely to be kept in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstVisit(pub bool);

/// Links the style sheet of all pages. A first visit to the front page has all sheets in the page instead: on a slow line the
/// text is painted a round trip sooner, and nothing of it waits for another file.
#[component]
pub(crate) fn StyleSheets(options: LeptosOptions) -> impl IntoView {
    let is_front = use_context::<PageAddress>().is_some_and(|address| address.path == "/");
    let is_first = use_context::<FirstVisit>().is_some_and(|FirstVisit(is_first)| is_first);
    let sheet = (is_front && is_first)
        .then(|| main_sheet(&options))
        .flatten();
    let Some(sheet) = sheet else {
        return view! { <HashedStylesheet options id="style" /> }.into_any();
    };
    provide_context(SheetsInPage);
    view! {
        <style id="style" nonce=use_nonce() inner_html=sheet></style>
        <style nonce=use_nonce() inner_html=info_stylesheet()></style>
    }
    .into_any()
}

/// Returns the style sheet of a release. `cargo make watch` has one that changes while the server runs.
fn main_sheet(options: &LeptosOptions) -> Option<&'static str> {
    static SHEET: OnceLock<Option<String>> = OnceLock::new();
    let read = || {
        let hash = hashes(options).remove("css")?;
        let file = format!("{}.{hash}.css", options.output_name);
        let path = Path::new(&*options.site_root)
            .join(&*options.site_pkg_dir)
            .join(file);
        let sheet = std::fs::read_to_string(path).ok()?;
        // Nothing in it ends the element.
        (!sheet.contains("</")).then_some(sheet)
    };
    SHEET.get_or_init(read).as_deref()
}
