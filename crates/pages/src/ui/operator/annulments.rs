//! Notices of annulled matches, until the player has read them.

use crate::api;
use crate::ui::games;
use crate::ui::text::names::display_name;
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::AnnulmentNotice;

/// The notices, if there are any.
#[component]
pub(crate) fn Annulments(notices: Vec<AnnulmentNotice>) -> impl IntoView {
    let language = language();
    if notices.is_empty() {
        return None;
    }
    let notices = notices.into_iter().map(|notice| {
        let text = t!(
            language,
            annulled.notice,
            name = display_name(language, &notice.opponent),
            game = games::title(language, notice.game),
            before = words::rating(notice.before),
            after = words::rating(notice.after)
        );
        view! {
            <li>
                {text}
                " "
                <a href=format!("/match/{}", notice.match_id)>{t!(language, annulled.look)}</a>
            </li>
        }
    });
    Some(view! {
        <section class="card annulments" aria-labelledby="annulments">
            <h2 id="annulments">{t!(language, annulled.notices)}</h2>
            <ul>{notices.collect_view()}</ul>
            <form method="post" action=api::NoticesRead::url()>
                <button type="submit" class="quiet">
                    {t!(language, annulled.read)}
                </button>
            </form>
        </section>
    })
}
