//! *Your games*: the challenges that wait for an answer, and the running games, those on turn first, with small boards.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::board::{DiagramCrop, DiagramPosition};
use crate::ui::embed::position_after;
use crate::ui::fingerprint::versioned_url;
use crate::ui::games::board_position;
use crate::ui::islands::form_action::form_error;
use crate::ui::live::stream_script::StreamScript;
use crate::ui::lobby::CorrespondenceChallenges;
use crate::ui::page::games_on_turn::GamesOnTurn;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, RedirectToLogin, query_param};
use crate::ui::rematch_requests::RematchRequests;
use crate::ui::terms::describe_terms;
use crate::ui::text::errors::error_text;
use crate::ui::text::time::span;
use crate::ui::text::{language, side, t, words};
use crate::ui::vacation::VacationCard;
use crate::ui::view::view;
use crate::ui::widgets::player_name::{GuestMark, Name};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use tochki_play::Timestamp;
use tochki_protocol::limits::OWN_GAMES_RELOAD_INTERVAL;
use tochki_protocol::{Challenge, Code, MatchId, OwnGame, OwnGames, PlayerId, VacationStatus};

/// The script that loads the page again when a game has changed.
const SCRIPT: &str = include_str!("../../../../public/own_games.js");

/// `/games`, for players.
#[component]
pub(crate) fn OwnGamesPage() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let own = load(api::my_games);
    let counts = GamesOnTurn::current();
    let vacation = load(api::vacation);
    let challenges = load(api::my_challenges);
    let refused = StoredValue::new(form_error::<api::SetVacation>());
    let unanswered =
        form_error::<api::AnswerChallenge>().or_else(form_error::<api::CancelChallenge>);
    let unanswered = unanswered.or_else(form_error::<api::Rematch>);
    let unanswered = StoredValue::new(unanswered);
    view! {
        <InfoStylesheet />
        <Suspense>
            {move || {
                let counts = counts.count();
                Suspend::new(async move {
                    match (session.account().await, own.await) {
                        (Some(me), Ok(own)) => {
                            let vacation = vacation.await.ok();
                            let turns = counts.await.on_turn;
                            // The games are shown also without them.
                            let challenges = challenges.await.unwrap_or_default();
                            let unanswered = unanswered.get_value().map(|error| error_text(language, &error));
                            view! {
                                <OwnGamesView
                                    me=me.id
                                    own
                                    turns
                                    challenges
                                    unanswered
                                    vacation
                                    refused=refused.get_value()
                                />
                            }
                                .into_any()
                        }
                        (_, Err(error)) if error.code != Code::SignedOut => view! { <PageError error /> }.into_any(),
                        _ => view! { <RedirectToLogin /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

/// `/games/next?after=7`, for players: goes to the next game on turn, or to the list if there is none.
#[component]
pub(crate) fn NextGamePage() -> impl IntoView {
    let after = query_param("after").and_then(|id| id.parse().ok());
    let next = load(move || api::next_game(after));
    view! {
        <Suspense>
            {move || Suspend::new(async move {
                match next.await {
                    Ok(next) => {
                        let path = next.map_or("/games".to_owned(), |id| format!("/match/{id}"));
                        view! { <Redirect path /> }.into_any()
                    }
                    Err(error) if error.code == Code::SignedOut => view! { <RedirectToLogin /> }.into_any(),
                    Err(error) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

/// The way to the next game on turn, by a press or by the key N (`public/board.js`, `public/own_games.js`).
#[component]
pub(crate) fn NextGame(
    /// The match from which it leads.
    #[prop(optional)]
    after: Option<MatchId>,
) -> impl IntoView {
    let path = after.map_or("/games/next".to_owned(), |id| {
        format!("/games/next?after={id}")
    });
    view! {
        <a id="next-game" class="button quiet" href=path aria-keyshortcuts="n">
            {t!(language(), own_games.next)}
        </a>
    }
}

#[component]
fn OwnGamesView(
    me: PlayerId,
    own: OwnGames,
    /// The number of games by correspondence on turn, as events have it.
    turns: u32,
    /// The open challenges by correspondence from and to the player.
    challenges: Vec<Challenge>,
    /// Why an answer to one was refused.
    unanswered: Option<&'static str>,
    vacation: Option<VacationStatus>,
    /// The error of the form of vacation.
    refused: Option<ErrorResponse>,
) -> impl IntoView {
    let language = language();
    let title = t!(language, own_games.title);
    let now = own.now;
    let (mine, theirs): (Vec<_>, Vec<_>) = own.games.into_iter().partition(OwnGame::is_on_turn);
    let empty = (mine.is_empty() && theirs.is_empty()).then(|| {
        view! {
            <p class="empty">{t!(language, own_games.none)}</p>
            <p class="button-row">
                <a class="button" href="/play">
                    {t!(language, header.play)}
                </a>
            </p>
        }
    });
    let next = (mine.len() > 1).then(|| {
        view! {
            <p class="button-row">
                <NextGame />
            </p>
        }
    });
    let ids: Vec<String> = mine.iter().map(|game| game.id.to_string()).collect();
    let on_turn = ids.join(" ");
    let reload = format!(
        r#"<meta http-equiv="refresh" content="{}">"#,
        OWN_GAMES_RELOAD_INTERVAL.as_secs()
    );
    view! {
        <Title text=title />
        <StreamScript />
        <script type="module" id="own-games" data-on-turn=on_turn data-turns=turns.to_string() src=versioned_url("/own_games.js", SCRIPT)></script>
        <noscript inner_html=reload></noscript>
        <article class="info-page">
            <h1>{title}</h1>
            {unanswered.map(|text| view! { <p role="alert" class="refusal">{text}</p> })}
            <CorrespondenceChallenges me challenges />
            <RematchRequests requests=own.rematches />
            {empty}
            {next}
            <GameCards title=t!(language, own_games.on_turn) games=mine now />
            <GameCards title=t!(language, own_games.waiting) games=theirs now />
            {vacation.map(|status| view! { <VacationCard status error=refused /> })}
            <p>
                <a href="/history">{t!(language, history.games)}</a>
            </p>
        </article>
    }
}

/// Games under a heading, unless there are none.
#[component]
fn GameCards(
    title: &'static str,
    games: Vec<OwnGame>,
    /// The time of the reading.
    now: Timestamp,
) -> impl IntoView {
    (!games.is_empty()).then(|| {
        let cards = games
            .into_iter()
            .map(|game| view! { <GameCard game now /> });
        view! {
            <section>
                <h2>{title}</h2>
                <ul class="own-games">{cards.collect_view()}</ul>
            </section>
        }
    })
}

#[component]
fn GameCard(
    game: OwnGame,
    /// The time of the reading.
    now: Timestamp,
) -> impl IntoView {
    let language = language();
    let kind = game.setup.kind();
    // Without its moves a game can still be opened.
    let board = position_after(game.setup, &game.moves, &game.seats).map(|shown| {
        DiagramCrop::Whole.before(DiagramPosition {
            position: board_position(&shown.position),
            plies: &shown.plies,
            initials: words::initials(language, [""; 2]),
        })
    });
    let left = game.deadline_at.map(|deadline| {
        let time = span(language, deadline - now);
        view! { <span class="left">{t!(language, own_games.left, time = time)}</span> }
    });
    let changed = t!(
        language,
        own_games.ago,
        time = span(language, now - game.changed_at)
    );
    let vacation = game.opponent_vacation_until.map(|until| {
        let name = game.opponent.name.clone();
        let words = t!(
            language,
            vacation.of,
            name = name,
            time = span(language, until - now)
        );
        view! { <p class="note">{words}</p> }
    });
    let offered = game.offer.filter(|offer| offer.seat != game.seat);
    let offered = offered.map(|offer| {
        let words = words::offered(language, &offer, &game.opponent.name);
        view! { <p class="offered">{words}</p> }
    });
    let terms = describe_terms(language, game.setup, game.time_control, game.rated);
    let adjourned = game
        .adjournment
        .map(|_| view! { <span class="adjourned">{t!(language, turn.adjourned)}</span> " · " });
    let opponent = game.opponent;
    // The own points first.
    let [own, theirs] = [game.seat, game.seat.other()].map(|seat| game.score[seat.index()]);
    let score =
        words::score(kind, [own, theirs]).map(|score| view! { <span class="score">{score}</span> });
    view! {
        <li class=format!("card {}", side::stones_class(kind)) class:on-turn=game.to_move == game.seat>
            <a href=format!("/match/{}", game.id)>
                <span class="small-board" inner_html=board.unwrap_or_default()></span>
                <span class=format!("side {}", side::class(game.seat.other()))>
                    <Name name=opponent.name />
                </span>
                <GuestMark guest=opponent.guest bot=opponent.bot />
                {score}
            </a>
            <p class="note">{adjourned} {terms}</p>
            {offered}
            {vacation}
            <p class="times">{left} <span class="note">{changed}</span></p>
        </li>
    }
}
