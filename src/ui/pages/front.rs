//! The front page: what this is, and a game to look at.

use crate::api;
use crate::rules::Seat;
use crate::ui::board::Board;
use crate::ui::table::{Follow, Turn};
use crate::ui::texts::{language, say};
use crate::ui::words;
use crate::wire::Snapshot;
use leptos::prelude::*;

/// `/`.
#[component]
pub(crate) fn Front() -> impl IntoView {
    let language = language();
    let showcase = Resource::new_blocking(|| (), |()| api::showcase());
    view! {
        <div class="front">
            <section class="pitch">
                <h1>{say!(language, front.title)}</h1>
                <p class="sentence">{say!(language, front.sentence)}</p>
                <Suspense>
                    {move || Suspend::new(async move {
                        let watch = showcase.await.ok().flatten().map(|snapshot| format!("/match/{}", snapshot.id));
                        view! {
                            <p class="ways">
                                <a class="button" href="/play">{say!(language, front.play)}</a>
                                {watch.map(|table| view! { <a class="button quiet" href=table>{say!(language, front.watch)}</a> })}
                            </p>
                        }
                    })}
                </Suspense>
            </section>
            <Suspense>
                {move || Suspend::new(async move {
                    match showcase.await {
                        Ok(Some(snapshot)) => view! { <Live snapshot /> }.into_any(),
                        // Nothing has been played yet, or it cannot be read: the sentence stands for itself.
                        Ok(None) | Err(_) => view! { <p class="empty">{say!(language, front.no_games)}</p> }.into_any(),
                    }
                })}
            </Suspense>
        </div>
    }
}

/// A running match, or the last one.
#[component]
fn Live(snapshot: Snapshot) -> impl IntoView {
    let language = language();
    let follow = Follow::new(&snapshot, language);
    let score = follow.score();
    let name = move |seat: Seat| {
        follow
            .players
            .with_value(|players| players[seat.index()].name.clone())
    };
    view! {
        <figure class="live">
            <Board shown=follow.shown() />
            <figcaption>
                <span class="sides">
                    <span class="side red">{name(Seat::First)}</span>
                    <span class="score">{move || words::score(score.get())}</span>
                    <span class="side blue">{name(Seat::Second)}</span>
                </span>
                <Turn follow me=None />
                <a class="over-all" href=format!("/match/{}", snapshot.id)>
                    {say!(language, front.watch_this)}
                </a>
            </figcaption>
        </figure>
    }
    .into_any()
}
