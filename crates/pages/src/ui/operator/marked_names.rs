//! Names that are older than the rules about names.

use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use tochki_protocol::{MarkedName, NameMark};

/// The list; nothing where there are no such names.
#[component]
pub(crate) fn MarkedNames(names: Vec<MarkedName>) -> impl IntoView {
    let language = language();
    (!names.is_empty()).then(|| {
        let rows = names.into_iter().map(|marked| {
            let mark = match marked.mark {
                NameMark::Clash => t!(language, operator.name_clash),
                NameMark::Refused => t!(language, operator.name_refused),
            };
            view! {
                <li>
                    <PlayerName name=marked.player.name guest=marked.player.guest />
                    " "
                    <span class="note">{mark}</span>
                </li>
            }
        });
        view! {
            <section class="card" aria-labelledby="marked-names">
                <h2 id="marked-names">{t!(language, operator.marked_names)}</h2>
                <ul>{rows.collect_view()}</ul>
            </section>
        }
    })
}
