//! A player's page.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::games;
use crate::ui::islands::form_action::form_error;
use crate::ui::live::server_clock::RenderedAt;
use crate::ui::lobby::CorrespondenceForm;
use crate::ui::night::TimeZoneScript;
use crate::ui::operator::Annulments;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::page::title::{Description, LinkTitle};
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, query_param};
use crate::ui::stats::{
    FinishedGames, GameStatsTable, HeadToHead, Pager, RatingGraph, ResultsByColour, streak,
};
use crate::ui::text::errors::error_text;
use crate::ui::text::names::display_name;
use crate::ui::text::time::Date;
use crate::ui::text::{language, t};
use crate::ui::vacation::ProfileVacation;
use crate::ui::view::view;
use crate::ui::widgets::player_name::{GuestMark, Name};
use crate::ui::widgets::rating::Rating;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use leptos_router::hooks::{use_location, use_params_map};
use leptos_router::location::Url;
use tochki_protocol::{
    Account, Code, GameStats, LeagueTitle, Pace, RatingPoint, UntilRanked, house_bot_of,
};
use tochki_rules::GameKind;

/// `/@name`, in any case; `?game=` selects the game of the graph, `?page=` the page of the last games.
#[component]
pub(crate) fn ProfilePage() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let at = use_params_map().with_untracked(|params| params.get("at"));
    let Some(name) = at.as_deref().and_then(|at| at.strip_prefix('@')) else {
        return view! { <NotFound /> }.into_any();
    };
    let name = name.to_owned();
    let asked_for = name.clone();
    let (game, page) = (query_param("game"), query_param("page"));
    let slow = query_param("pace").as_deref() == Some(Pace::Correspondence.as_str());
    let pace = slow.then_some(Pace::Correspondence);
    let profile = load(move || api::profile(asked_for.clone(), game.clone(), pace, page.clone()));
    // `sent`, or `open`: the form with the boards of another game.
    let asked = StoredValue::new(query_param("challenge"));
    let refused = StoredValue::new(form_error::<api::IssueChallenge>());
    // Only one's own profile shows them.
    let notices = load(api::notices);
    let search = use_location().search.get_untracked();
    view! {
        // The name is in the title of links alone, so that no player chooses what the tabs of others say.
        <Title text=t!(language, profile.title) />
        <InfoStylesheet />
        <Suspense>
            {move || {
                let (name, search) = (name.clone(), search.clone());
                Suspend::new(async move {
                    match profile.await {
                        Ok(profile) if profile.name != name => {
                            let path = address(&profile.name, &search);
                            view! { <Redirect path /> }.into_any()
                        }
                        Ok(profile) => {
                            let me = session.account().await;
                            let mine = me.as_ref().map(|me| me.id) == Some(profile.id);
                            let refused = refused.get_value();
                            let notices = if mine { notices.await.unwrap_or_default() } else { Vec::new() };
                            let is = |state| asked.with_value(|asked| asked.as_deref() == Some(state));
                            let (sent, open) = (is("sent"), is("open") || refused.is_some());
                            let house = house_bot_of(&profile.name);
                            let house = house.map(|(game, _)| level_title(&profile.name, game));
                            let shared = house.clone().unwrap_or_else(|| profile.name.clone());
                            let title = house.map(|text| view! { <Title text /> });
                            let description = t!(language, descriptions.profile, name = &shared);
                            view! {
                                {title}
                                <LinkTitle text=shared />
                                <Description text=description />
                                <Annulments notices />
                                <ProfileView profile mine me sent open refused />
                            }
                                .into_any()
                        }
                        Err(error) if error.code == Code::NoSuchPlayer => view! { <NoSuchPlayer /> }.into_any(),
                        Err(error) => view! { <PageError error /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
    .into_any()
}

/// Returns the title of the profile of a house bot: the level, and the game, which its name does not say.
fn level_title(name: &str, game: GameKind) -> String {
    let language = language();
    let level = display_name(language, name);
    format!("{level} · {}", games::title(language, game))
}

/// Returns the path of a profile, escaped for a header.
fn address(name: &str, search: &str) -> String {
    // Both are allowed in names and need no escaping in paths.
    let name = Url::escape(name).replace("%2D", "-").replace("%5F", "_");
    match search.trim_start_matches('?') {
        "" => format!("/@{name}"),
        search => format!("/@{name}?{search}"),
    }
}

/// The player does not exist or was deleted.
#[component]
fn NoSuchPlayer() -> impl IntoView {
    let language = language();
    view! {
        <section class="card narrow">
            <h1>{t!(language, profile.nobody)}</h1>
            <p>{t!(language, profile.nobody_text)}</p>
            <p class="button-row">
                <a class="button" href="/standings">
                    {t!(language, standings.all)}
                </a>
                <a href="/">{t!(language, missing.home)}</a>
            </p>
        </section>
    }
}

#[component]
fn ProfileView(
    profile: tochki_protocol::Profile,
    mine: bool,
    me: Option<Account>,
    /// Whether a challenge by correspondence has just been sent.
    sent: bool,
    /// Whether the form of one is open.
    open: bool,
    /// The error of such a challenge.
    refused: Option<ErrorResponse>,
) -> impl IntoView {
    let language = language();
    let tochki_protocol::Profile {
        name,
        guest,
        bot,
        closed,
        since,
        playing,
        vacation_until,
        spared,
        games: records,
        game,
        pace,
        graph,
        past,
        between,
        id,
        titles,
        ..
    } = profile;
    let challenge = me.filter(|_| !mine && !closed && !bot).map(|me| {
        let guest = guest || me.guest;
        let refusal = refused.map(|error| error_text(language, &error));
        view! {
            <p role="alert" class="refusal">
                {refusal}
            </p>
            <p role="status" class="note">
                {sent.then(|| t!(language, paces.challenge_sent))}
            </p>
            <CorrespondenceForm opponent=id name=name.clone() game guest open />
            <TimeZoneScript />
        }
    });
    let own = mine.then(|| {
        view! {
            <p class="button-row">
                <a href="/history">{t!(language, history.games)}</a>
                <a href="/account">{t!(language, profile.account)}</a>
            </p>
        }
    });
    let now = playing.map(|id| {
        view! {
            <p>
                <a class="button quiet" href=format!("/match/{id}")>
                    {t!(language, profile.playing)}
                </a>
            </p>
        }
    });
    let RenderedAt(rendered_at) = use_context().unwrap_or_default();
    let spared = (spared > 0)
        .then(|| view! { <p class="note">{t!(language, time_losses.profile, games = spared)}</p> });
    let vacation = vacation_until.map(|until| view! { <ProfileVacation until now=rendered_at /> });
    let record = records.iter().find(|record| record.game == game).cloned();
    let base = format!("/@{name}");
    let games = game_links(&base, game);
    let to = {
        let base = base.clone();
        move |page: u32| format!("{base}?game={game}&page={page}#past")
    };
    let no_games = if past.total == 0 {
        t!(language, past.none)
    } else {
        t!(language, past.no_such_page)
    };
    let last = if past.games.is_empty() {
        view! { <p class="empty">{no_games}</p> }.into_any()
    } else {
        let name = name.clone();
        let past = past.clone();
        view! { <FinishedGames past name /> }.into_any()
    };
    view! {
        <article class="info-page profile">
            <header>
                <h1>
                    <Name name=name.clone() /> <GuestMark guest bot />
                </h1>
                {house_bot_of(&name).map(|(game, _)| view! { <p>{games::title(language, game)}</p> })}
                <p class="note">
                    {t!(language, profile.since)} " " <Date at=since />
                    {closed.then(|| view! { " · " {t!(language, profile.closed)} })}
                </p>
                {guest.then(|| view! { <p>{t!(language, profile.of_guest)}</p> })}
                {bot.then(|| view! { <p>{t!(language, bots.profile)}</p> })} {vacation} {spared} {now} {own}
            </header>
            {challenge}
            {(!titles.is_empty()).then(|| view! { <Titles titles /> })}
            <section class="card" aria-label=t!(language, profile.games)>
                <GameStatsTable records />
            </section>
            {between.map(|between| view! { <HeadToHead between name=name.clone() /> })}
            <section class="card of-game" id="game" aria-label=games::title(language, game)>
                {games}
                {record.map(|record| view! { <GameProfile record graph mine pace base=base.clone() /> })}
            </section>
            <section class="card" id="past" aria-labelledby="past-title">
                <h2 id="past-title">{t!(language, past.title)}</h2>
                {last}
                <Pager page=past.page pages=past.pages to />
            </section>
        </article>
    }
}

/// The seasons of leagues that the player has won.
#[component]
fn Titles(titles: Vec<LeagueTitle>) -> impl IntoView {
    let language = language();
    let rows = titles.into_iter().map(|title| {
        view! {
            <li>
                <a href=format!("/league/{}", title.league)>
                    <bdi>{title.name}</bdi>
                </a>
                " · "
                {t!(language, leagues.season, number = title.season)}
            </li>
        }
    });
    view! {
        <section class="card" aria-labelledby="titles-title">
            <h2 id="titles-title">{t!(language, leagues.titles)}</h2>
            <ul>{rows.collect_view()}</ul>
        </section>
    }
}

/// Links to the player's other games.
fn game_links(base: &str, here: GameKind) -> impl IntoView + use<> {
    let language = language();
    let links = GameKind::ALL.iter().map(|&game| {
        view! {
            <li>
                <a href=format!("{base}?game={game}#game") aria-current=(game == here).then_some("page")>
                    {games::title(language, game)}
                </a>
            </li>
        }
    });
    view! {
        <nav class="game-row" aria-label=t!(language, profile.games)>
            <ul>{links.collect_view()}</ul>
        </nav>
    }
}

/// The player's statistics in one game: rating, graph, results by colour.
#[component]
fn GameProfile(
    record: GameStats,
    graph: Vec<RatingPoint>,
    /// Whether the profile is the visitor's own.
    mine: bool,
    /// The pace of the graph.
    pace: Pace,
    /// The path of the profile.
    base: String,
) -> impl IntoView {
    let language = language();
    let title = games::title(language, record.game);
    let rating = record.rating.map(|rating| {
        let provisional = record.is_provisional();
        view! { <p class="rating-big"><Rating rating provisional /></p> }
    });
    let rated = match (record.rating, record.rated) {
        (None, _) => None,
        (Some(_), 0) => Some(t!(language, profile.unrated).to_owned()),
        (Some(_), count) => Some(t!(language, profile.rated, count)),
    };
    // Games first: who has enough of them is told of opponents.
    let unranked = record.until_ranked.filter(|_| mine).map(|missing| {
        let until = match missing {
            UntilRanked {
                matches: 0,
                opponents: 0,
            } => t!(language, profile.until_ranked, count = 1),
            UntilRanked {
                matches: 0,
                opponents,
            } => t!(language, profile.until_met, count = opponents),
            UntilRanked { matches, .. } => t!(language, profile.until_ranked, count = matches),
        };
        view! { <p class="note">{until}</p> }
    });
    // The other rating, with a link to its graph.
    let game = record.game;
    let slow = record.correspondence.map(|slow| {
        let (label, other) = match pace {
            Pace::Live => (t!(language, paces.days_title), "&pace=correspondence"),
            Pace::Correspondence => (t!(language, paces.days_title), ""),
        };
        let rated = t!(language, profile.rated, count = slow.rated);
        view! {
            <p class="note">
                <a
                    href=format!("{base}?game={game}{other}#game")
                    aria-current=(pace == Pace::Correspondence).then_some("true")
                >
                    {label}
                </a>
                " "
                <Rating rating=slow.rating provisional=slow.provisional />
                " · "
                {rated}
            </p>
        }
    });
    let streaks = record.streak.map(|last| {
        let best = (record.best_streak > 1).then(|| {
            let best = t!(language, profile.best_streak, count = record.best_streak);
            view! { " " {best} }
        });
        view! { <p>{streak(language, last)} {best}</p> }
    });
    let results = if record.counts().total() == 0 {
        view! { <p class="empty">{t!(language, profile.unplayed)}</p> }.into_any()
    } else {
        view! { <ResultsByColour record /> }.into_any()
    };
    view! {
        <div class="of-game-parts">
            <div>
                <h2>{title}</h2>
                {rating}
                {rated.map(|rated| view! { <p class="note">{rated}</p> })}
                {unranked}
                {slow}
                {streaks}
                {results}
            </div>
            <RatingGraph points=graph game=title />
        </div>
    }
}
