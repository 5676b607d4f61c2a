//! The page: an introduction, the visitor's own board, what is to be watched, the games, the top players.

use crate::api;
use crate::ui::front::featured_match::FeaturedMatch;
use crate::ui::front::finished_game::FinishedGame;
use crate::ui::front::own_game::OwnGame;
use crate::ui::games::GameCards;
use crate::ui::live::server_clock::RenderedAt;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::query_param;
use crate::ui::page::title::PageTitle;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::puzzles::DailyPuzzle;
use crate::ui::stats::TopPlayers;
use crate::ui::text::{language, side, t};
use crate::ui::tournament_links::NextTournament;
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_protocol::{LastChoices, PlayerId, Snapshot, Status};
use tochki_rules::GameKind;

/// `/`.
#[component]
pub(crate) fn FrontPage() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let featured = load(api::featured_match);
    let waiting = load(api::waiting_count);
    let puzzle = load(api::daily_puzzle);
    let next = load(|| api::next_tournament(None));
    let RenderedAt(now) = use_context().unwrap_or_default();
    let game = chosen_game();
    let top = load(move || api::top(game.id().to_owned()));
    view! {
        <PageTitle text=t!(language, site.name) />
        <InfoStylesheet />
        <Suspense>
            {move || Suspend::new(async move {
                // Parts that cannot be read are left out; the introduction and the board are always shown.
                let featured = featured.await.ok().flatten();
                let top = top.await.ok();
                let waiting = waiting.await.ok();
                let puzzle = puzzle.await.ok().flatten();
                let next = next.await.ok().flatten();
                let me = session.account().await.map(|me| me.id);
                let nothing = featured.is_none();
                let own = featured.as_ref().is_some_and(|game| is_own(game, me));
                // A finished game is linked where it is shown, if it is worth that.
                let running = featured.as_ref().filter(|game| is_running(game));
                let watch = running.map(|game| format!("/match/{}", game.id));
                let watch_text = if own { t!(language, front.own_game) } else { t!(language, front.watch) };
                // A player who has left the table is away, so nothing here may follow their own match.
                let featured = featured.filter(|_| !own);
                let stones = featured.as_ref().map(|game| side::stones_class(game.setup.kind()));
                let watched_class = format!("watched {}", stones.unwrap_or_default());
                let is_live = featured.as_ref().is_some_and(is_running);
                let watched = match featured {
                    Some(snapshot) if is_live => view! { <FeaturedMatch snapshot /> }.into_any(),
                    last => view! { <FinishedGame last game /> }.into_any(),
                };
                let puzzle = puzzle.filter(|_| !is_live);
                view! {
                    <div class="front">
                        <section class="pitch">
                            <h1>{t!(language, front.title)}</h1>
                            <p class="sentence">{t!(language, front.sentence)}</p>
                        </section>
                        <OwnGame game />
                        <section class="front-links">
                            <p class="button-row">
                                <a class="button" href="/play">
                                    {t!(language, front.play)}
                                </a>
                                <a class="button" href="/computer">
                                    {t!(language, computer.offer)}
                                </a>
                                <a class="button quiet" href="/puzzles">
                                    {t!(language, puzzles.link)}
                                </a>
                                {watch
                                    .map(|table| {
                                        view! {
                                            <a class="button quiet" href=table>
                                                {watch_text}
                                            </a>
                                        }
                                    })}
                            </p>
                            {waiting.map(|count| view! { <WaitingCount count /> })}
                            {next.map(|tournament| view! { <NextTournament tournament now /> })}
                            {nothing
                                .then(|| view! { <p class="note">{t!(language, front.no_games)}</p> })}
                        </section>
                        <div class=watched_class>{watched}</div>
                        {puzzle.map(|puzzle| view! { <DailyPuzzle puzzle /> })}
                        {top.map(|top| view! { <TopPlayers game top me /> })}
                        <section class="choose-game" aria-labelledby="choose-game">
                            <h2 id="choose-game">{t!(language, front.choose)}</h2>
                            <GameCards to=|game| format!("/play?game={game}") />
                        </section>
                    </div>
                }
            })}
        </Suspense>
    }
}

fn is_running(game: &Snapshot) -> bool {
    matches!(game.status, Status::Running)
}

/// Returns whether a match is running and this player plays it.
fn is_own(game: &Snapshot, me: Option<PlayerId>) -> bool {
    let plays = |me: PlayerId| game.players.iter().any(|player| player.id == me);
    is_running(game) && me.is_some_and(plays)
}

/// The number of players who wait for an opponent, and advice where there are none.
#[component]
fn WaitingCount(count: u32) -> impl IntoView {
    let language = language();
    if count > 0 {
        return view! {
            <p>
                {t!(language, front.waiting, count)}
                " "
                <a href="/play">{t!(language, waiting.title)}</a>
            </p>
        }
        .into_any();
    }
    view! {
        <p>
            {t!(language, front.nobody_waits)}
            " "
            <a href="/play">{t!(language, front.invite)}</a>
        </p>
    }
    .into_any()
}

/// Returns the game of the board and of the top list: that of `?game=`, else the game last played in this browser.
fn chosen_game() -> GameKind {
    let requested = query_param("game").and_then(|game| game.parse().ok());
    let last = || use_context::<LastChoices>()?.game();
    requested.or_else(last).unwrap_or(GameKind::DEFAULT)
}
