//! The front page: what this is, a game to look at, and the games that there are.

use crate::api;
use crate::ui::board::Board;
use crate::ui::games::GameCards;
use crate::ui::islands::data::IslandData;
use crate::ui::match_page::{MatchController, Turn};
use crate::ui::shell::page::asked;
use crate::ui::shell::session::Session;
use crate::ui::stats::{ClubSheet, Top};
use crate::ui::text::words;
use crate::ui::text::{language, say};
use crate::ui::widgets::name::called;
use leptos::prelude::*;
use tochki_protocol::LastChoices;
use tochki_protocol::Snapshot;
use tochki_rules::GameKind;

/// `/`.
#[component]
pub(crate) fn Front() -> impl IntoView {
    let language = language();
    let session = Session::current();
    let showcase = Resource::new_blocking(|| (), |()| api::showcase());
    let best_of = game_of_top();
    let top = Resource::new_blocking(|| (), move |()| api::top(best_of.id().to_owned()));
    view! {
        <ClubSheet />
        <Suspense>
            {move || Suspend::new(async move {
                // What cannot be read is not shown: the sentence stands for itself.
                let game = showcase.await.ok().flatten();
                let top = top.await.ok();
                let me = session.account().await.map(|me| me.id);
                let watch = game.as_ref().map(|game| format!("/match/{}", game.id));
                view! {
                    <div class="front">
                        <section class="pitch">
                            <h1>{say!(language, front.title)}</h1>
                            <p class="sentence">{say!(language, front.sentence)}</p>
                            <p class="ways">
                                <a class="button" href="/play">
                                    {say!(language, front.play)}
                                </a>
                                {watch
                                    .map(|table| {
                                        view! {
                                            <a class="button quiet" href=table>
                                                {say!(language, front.watch)}
                                            </a>
                                        }
                                    })}
                            </p>
                        </section>
                        {match game {
                            Some(snapshot) => LIVE.to(snapshot, || view! { <Live /> }).into_any(),
                            None => view! { <p class="empty">{say!(language, front.no_games)}</p> }.into_any(),
                        }}
                        <section class="choose-game" aria-labelledby="choose-game">
                            <h2 id="choose-game">{say!(language, front.choose)}</h2>
                            <GameCards to=|game| format!("/play?game={game}") />
                        </section>
                        {top.map(|top| view! { <Top game=best_of top me /> })}
                    </div>
                }
            })}
        </Suspense>
    }
}

/// The game whose best players are shown: the one that is asked for, else the one played last here.
fn game_of_top() -> GameKind {
    let asked = asked("game").and_then(|game| game.parse().ok());
    let last = || use_context::<LastChoices>()?.game();
    asked.or_else(last).unwrap_or(GameKind::ALL[0])
}

/// The match that is shown.
static LIVE: IslandData<Snapshot> = IslandData::named("live");

/// A running match, or the last one.
#[island]
fn Live() -> impl IntoView {
    let language = language();
    let snapshot = LIVE.take();
    let follow = MatchController::new(&snapshot, None, language);
    let names = snapshot
        .players
        .map(|player| called(language, &player.name));
    let [red, blue] = names.clone();
    view! {
        <figure class="live">
            <Board shown=follow.shown() hand=None names />
            <figcaption>
                <span class="sides">
                    <span class="side red">{red}</span>
                    <span class="score">{move || words::score(follow.score())}</span>
                    <span class="side blue">{blue}</span>
                </span>
                <Turn follow me=None />
                <a class="over-all" href=format!("/match/{}", snapshot.id)>
                    {say!(language, front.watch_this)}
                </a>
            </figcaption>
        </figure>
    }
}
