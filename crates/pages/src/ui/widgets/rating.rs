//! A rating as pages show it.

use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_protocol::limits::{RANKED_MATCHES, RANKED_OPPONENTS};

/// The rounded rating; with a question mark while it is of few rated games or opponents. In sentences it is
/// [`words::marked_rating`].
#[component]
pub(crate) fn Rating(rating: f64, provisional: bool) -> impl IntoView {
    let mark = provisional.then(|| {
        let about = t!(
            language(),
            name.provisional,
            few = RANKED_MATCHES,
            met = RANKED_OPPONENTS
        );
        view! { <abbr class="provisional" title=about>"?"</abbr> }
    });
    view! { {words::rating(rating)}{mark} }
}
