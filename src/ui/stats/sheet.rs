//! The style sheet of the club's pages: a file apart, because no table needs it.

use crate::ui::shell::fingerprint::addressed;
use leptos::prelude::*;
use leptos_meta::Stylesheet;

/// The file, by which its address changes whenever it does.
const SHEET: &str = include_str!("../../../public/club.css");

/// For pages: says in their head that they need it.
#[component]
pub(crate) fn ClubSheet() -> impl IntoView {
    view! { <Stylesheet href=addressed("/club.css", SHEET) /> }
}
