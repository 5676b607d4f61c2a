//! The result of the match: winner, reason, rating changes.

use crate::ui::match_page::{MatchController, Rematch, RematchTerms};
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_rules::Seat;

/// Appears with the end, and is announced then.
#[component]
pub(crate) fn ResultCard(
    controller: MatchController,
    me: Option<Seat>,
    rematch_terms: RematchTerms,
) -> impl IntoView {
    let language = language();
    let result = move || controller.game.with(|game| game.result().cloned());
    let name = move |seat| controller.name(seat);
    let guest = me.is_some_and(|me| {
        controller
            .players
            .with_value(|players| players[me.index()].guest)
    });
    view! {
        <div role="status" class="result-room">
            {move || {
                let result = result()?;
                let headline = words::headline(language, &result, me, name);
                let reason = words::reason(language, &result, name);
                let ratings = result
                    .ratings
                    .map(|ratings| {
                        Seat::BOTH
                            .map(|seat| {
                                let change = ratings[seat.index()];
                                let provisional = controller
                                    .players
                                    .with_value(|players| players[seat.index()].provisional);
                                view! {
                                    <li>
                                        {t!(
                                            language,
                                            result.rating,
                                            name = name(seat),
                                            before = words::marked_rating(change.before.0, provisional),
                                            after = words::marked_rating(change.after.0, change.provisional),
                                            change = words::rating_change(change)
                                        )}
                                    </li>
                                }
                            })
                            .collect_view()
                    });
                Some(
                    view! {
                        <section class="card result">
                            <h2>{headline}</h2>
                            <p>{reason}</p>
                            {ratings.map(|ratings| view! { <ul>{ratings}</ul> })}
                            <Rematch controller me terms=rematch_terms />
                            <p class="button-row">
                                <a class="button" href="/play">{t!(language, table.back)}</a>
                                <a href=format!("/match/{}/replay", controller.id)>
                                    {t!(language, replay.link)}
                                </a>
                                <a href=format!("/match/{}/analysis", controller.id)>
                                    {t!(language, analysis.link)}
                                </a>
                                {guest.then(|| view! { <a href="/keep">{t!(language, guest.keep_short)}</a> })}
                            </p>
                        </section>
                    },
                )
            }}
        </div>
    }
}
