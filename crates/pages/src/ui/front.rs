//! The front page: an introduction, a match to watch, the games, the top players.

use crate::api;
use crate::ui::board_view::Board;
use crate::ui::games::GameCards;
use crate::ui::islands::data::IslandData;
use crate::ui::match_page::{MatchController, TurnIndicator};
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::query_param;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::stats::TopPlayers;
use crate::ui::text::{language, t};
use crate::ui::text::{side, words};
use crate::ui::view::{live, view};
use crate::ui::widgets::player_name::{GuestMark, Name, display_name};
use leptos::prelude::*;
use tochki_protocol::{LastChoices, PlayerId, Snapshot, Status};
use tochki_rules::{GameKind, Seat};

/// `/`.
#[component]
pub(crate) fn FrontPage() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let featured = load(api::featured_match);
    let waiting = load(api::waiting_count);
    let top_of = top_game();
    let top = load(move || api::top(top_of.id().to_owned()));
    view! {
        <InfoStylesheet />
        <Suspense>
            {move || Suspend::new(async move {
                // Parts that cannot be read are left out; the introduction is always shown.
                let game = featured.await.ok().flatten();
                let top = top.await.ok();
                let waiting = waiting.await.ok();
                let me = session.account().await.map(|me| me.id);
                let nothing = game.is_none();
                let own = game.as_ref().is_some_and(|game| is_own(game, me));
                let watch = game.as_ref().map(|game| format!("/match/{}", game.id));
                let watch_text = if own { t!(language, front.own_game) } else { t!(language, front.watch) };
                // A player who has left the table is away, so nothing here may follow their own match.
                let game = game.filter(|_| !own);
                view! {
                    <div class="front">
                        <section class="pitch">
                            <h1>{t!(language, front.title)}</h1>
                            <p class="sentence">{t!(language, front.sentence)}</p>
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
                            {nothing
                                .then(|| view! { <p class="note">{t!(language, front.no_games)}</p> })}
                        </section>
                        {game.map(|snapshot| view! { <FeaturedMatch snapshot /> })}
                        <section class="choose-game" aria-labelledby="choose-game">
                            <h2 id="choose-game">{t!(language, front.choose)}</h2>
                            <GameCards to=|game| format!("/play?game={game}") />
                        </section>
                        {top.map(|top| view! { <TopPlayers game=top_of top me /> })}
                    </div>
                }
            })}
        </Suspense>
    }
}

/// Returns whether a match is running and this player plays it.
fn is_own(game: &Snapshot, me: Option<PlayerId>) -> bool {
    let plays = |me: PlayerId| game.players.iter().any(|player| player.id == me);
    matches!(game.status, Status::Running) && me.is_some_and(plays)
}

/// The number of players who wait for an opponent, and advice where there are none.
#[component]
fn WaitingCount(count: u32) -> impl IntoView {
    let language = language();
    if count > 0 {
        return view! {
            <p>
                <a href="/play">{t!(language, front.waiting, count)}</a>
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

/// Returns the game of the top list: that of `?game=`, else the game last played in this browser.
fn top_game() -> GameKind {
    let requested = query_param("game").and_then(|game| game.parse().ok());
    let last = || use_context::<LastChoices>()?.game();
    requested.or_else(last).unwrap_or(GameKind::DEFAULT)
}

/// Data of the island: the match that is shown.
static FEATURED_MATCH: IslandData<Snapshot> = IslandData::new("live");

/// A running match, or the last finished one.
#[component]
fn FeaturedMatch(snapshot: Snapshot) -> impl IntoView {
    let sides = Seat::BOTH.map(|seat| {
        let player = &snapshot.players[seat.index()];
        view! {
            <span class=format!("side {}", side::class(seat))>
                <Name name=player.name.clone() />
                <GuestMark guest=player.guest bot=player.bot />
            </span>
        }
    });
    FEATURED_MATCH.embed(
        snapshot,
        || view! { <FeaturedMatchIsland>{sides}</FeaturedMatchIsland> },
    )
}

/// The board, score and turn of the match.
#[island]
fn FeaturedMatchIsland(
    /// Rendered by the server only: the names.
    children: Children,
) -> impl IntoView {
    let language = language();
    let snapshot = FEATURED_MATCH.read();
    let controller = MatchController::new(&snapshot, None, language);
    let names = snapshot
        .players
        .map(|player| display_name(language, &player.name));
    view! {
        <figure class="live">
            <Board shown=controller.shown() input=None names />
            <figcaption>
                <span class="sides">
                    {children()} <span class="score" {..live()}>{move || words::score(controller.score())}</span>
                </span>
                <TurnIndicator controller me=None />
                <a class="whole-link" href=format!("/match/{}", snapshot.id)>
                    {t!(language, front.watch_this)}
                </a>
            </figcaption>
        </figure>
    }
}
