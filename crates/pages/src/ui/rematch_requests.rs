//! Requests for a rematch by correspondence that wait for an answer, on the page of a player's games.

use crate::api;
use crate::ui::terms::describe_terms;
use crate::ui::text::names::display_name;
use crate::ui::text::{Isolated, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::RematchRequest;

/// The requests, each with a link to the match; to those of others there is an answer. Nothing without any.
#[component]
pub(crate) fn RematchRequests(requests: Vec<RematchRequest>) -> impl IntoView {
    let language = language();
    if requests.is_empty() {
        return None;
    }
    let rows = requests.into_iter().map(|asked| {
        let id = asked.match_id;
        let terms = describe_terms(language, asked.setup, asked.time_control, asked.rated);
        let name = display_name(language, &asked.opponent.name);
        let name = Isolated(&name);
        let words = if asked.is_mine {
            t!(language, own_games.rematch_asked, name)
        } else {
            t!(language, notifications.rematch, name)
        };
        // What the other one has asked for is what both agree to.
        let accept = (!asked.is_mine).then(|| {
            view! {
                <form action=api::Rematch::url() method="post">
                    <input type="hidden" name="match_id" value=id.to_string() />
                    <input type="hidden" name="rated" value=asked.rated.to_string() />
                    <button type="submit">{t!(language, calls.accept)}</button>
                </form>
            }
        });
        view! {
            <li>
                <a href=format!("/match/{id}")>{words}</a>
                <span class="terms">{terms}</span>
                {accept}
            </li>
        }
    });
    Some(view! {
        <section class="card tables" aria-labelledby="rematches-title">
            <h2 id="rematches-title">{t!(language, own_games.rematches)}</h2>
            <ul>{rows.collect_view()}</ul>
        </section>
    })
}
