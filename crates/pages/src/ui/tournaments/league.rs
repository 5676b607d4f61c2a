//! `/league/:id`: a league with the divisions of its season, its members and its winners. All forms work without scripts.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::islands::form_action::form_error;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::page::title::PageTitle;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, number_in_path};
use crate::ui::terms::describe_terms;
use crate::ui::text::errors::error_text;
use crate::ui::text::{language, t};
use crate::ui::tournaments::leagues::SeasonNote;
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::limits::LEAGUE_ROUND_DAYS;
use tochki_protocol::{Account, Code, LeagueDivision, LeagueId, LeagueOverview, LeagueTitle};

/// `/league/:id`, for everybody.
#[component]
pub(crate) fn LeaguePage() -> impl IntoView {
    let session = VisitorSession::current();
    // Anything but a number becomes 0, which is no league.
    let id = LeagueId(number_in_path().unwrap_or(0));
    let overview = load(move || api::league(id));
    let refused = StoredValue::new(
        form_error::<api::JoinLeague>()
            .or_else(form_error::<api::LeaveLeague>)
            .or_else(form_error::<api::EndLeague>),
    );
    view! {
        <PageTitle text=t!(language(), leagues.one) />
        <InfoStylesheet />
        <Suspense>
            {move || Suspend::new(async move {
                let me = session.account().await;
                match overview.await {
                    Ok(overview) => {
                        let refused = refused.get_value();
                        view! { <LeagueView overview me refused /> }.into_any()
                    }
                    Err(error) if error.code == Code::NotFound => view! { <NotFound /> }.into_any(),
                    Err(error) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn LeagueView(
    overview: LeagueOverview,
    me: Option<Account>,
    refused: Option<ErrorResponse>,
) -> impl IntoView {
    let language = language();
    let LeagueOverview {
        league,
        divisions,
        newcomers,
        titles,
        member,
        may_manage,
    } = overview;
    let terms = describe_terms(language, league.setup, league.clock, league.rated);
    let refusal = refused.map(|error| error_text(language, &error));
    let (id, name, ended) = (league.id, league.name.clone(), league.ended);
    let my_id = me.as_ref().map(|me| me.id);
    let waits = newcomers.iter().any(|one| Some(one.id) == my_id);
    let state = member.then(|| {
        let words = if waits {
            t!(language, leagues.you_wait)
        } else {
            t!(language, leagues.you_are_in)
        };
        view! { <p role="status">{words}</p> }
    });
    let buttons = (!ended || member).then(|| view! { <Membership id member me /> });
    let divisions = divisions
        .into_iter()
        .map(|division| view! { <Division division /> });
    let newcomers = (!newcomers.is_empty()).then(|| {
        let names = newcomers.into_iter().map(|one| {
            view! {
                <li>
                    <PlayerName name=one.name guest=one.guest bot=one.bot />
                </li>
            }
        });
        view! {
            <section class="card" aria-labelledby="newcomers-title">
                <h2 id="newcomers-title">{t!(language, leagues.newcomers)}</h2>
                <ul>{names.collect_view()}</ul>
            </section>
        }
    });
    let titles = (!titles.is_empty()).then(|| view! { <Champions titles /> });
    let end = may_manage.then(|| {
        view! {
            <form action=api::EndLeague::url() method="post" class="card">
                <input type="hidden" name="id" value=id.0 />
                <label class="option">
                    <input type="checkbox" required />
                    {t!(language, leagues.end_sure)}
                </label>
                " "
                <button type="submit" class="quiet">{t!(language, leagues.end)}</button>
            </form>
        }
    });
    view! {
        <article class="info-page league">
            <h1>
                <bdi>{name}</bdi>
            </h1>
            <p class="terms">{terms}</p>
            <section class="card" aria-label=t!(language, leagues.one)>
                <p>
                    <SeasonNote league />
                </p>
                <p role="alert" class="refusal">
                    {refusal}
                </p>
                {state}
                {buttons}
            </section>
            {divisions.collect_view()}
            {newcomers}
            {titles}
            <section class="card" aria-labelledby="rules-title">
                <h2 id="rules-title">{t!(language, tournaments.rules)}</h2>
                <ul>
                    <li>{t!(language, leagues.about, days = LEAGUE_ROUND_DAYS)}</li>
                    <li>{t!(language, leagues.about_movers)}</li>
                    <li>{t!(language, leagues.about_missed)}</li>
                </ul>
            </section>
            {end}
        </article>
    }
}

/// The form to join, or to leave.
#[component]
fn Membership(id: LeagueId, member: bool, me: Option<Account>) -> impl IntoView {
    let language = language();
    if me.is_none() {
        return view! {
            <p class="button-row">
                <a class="button" href=format!("/login?next=/league/{id}")>
                    {t!(language, header.sign_in)}
                </a>
            </p>
        }
        .into_any();
    }
    let (action, words, class) = if member {
        (
            api::LeaveLeague::url(),
            t!(language, tournaments.leave),
            "quiet",
        )
    } else {
        (api::JoinLeague::url(), t!(language, tournaments.join), "")
    };
    view! {
        <form action=action method="post">
            <input type="hidden" name="id" value=id.0 />
            <button type="submit" class=class>{words}</button>
        </form>
    }
    .into_any()
}

/// A division with its standings, which leads to its tournament.
#[component]
fn Division(division: LeagueDivision) -> impl IntoView {
    let language = language();
    let LeagueDivision {
        division: number,
        tournament,
        rows,
        ..
    } = division;
    let title = format!("division-{number}");
    let labelled_by = title.clone();
    let rows = rows.into_iter().map(|row| {
        let out = row.paused.then(|| {
            view! { " " <span class="note">{t!(language, tournaments.withdrawn)}</span> }
        });
        view! {
            <tr>
                <td class="number place">{row.rank}</td>
                <th scope="row">
                    <PlayerName name=row.player.name guest=row.player.guest bot=row.player.bot /> {out}
                </th>
                <td class="number">{row.score.to_string()}</td>
            </tr>
        }
    });
    view! {
        <section class="card" aria-labelledby=labelled_by>
            <h2 id=title>
                <a href=format!("/tournament/{tournament}")>
                    {t!(language, leagues.division, number)}
                </a>
            </h2>
            <table class="listed arena-standings">
                <thead>
                    <tr>
                        <th scope="col" class="number place">
                            {t!(language, standings.place)}
                        </th>
                        <th scope="col">{t!(language, waiting.name)}</th>
                        <th scope="col" class="number">
                            {t!(language, tournaments.points)}
                        </th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </section>
    }
}

/// The winners of the seasons.
#[component]
fn Champions(titles: Vec<LeagueTitle>) -> impl IntoView {
    let language = language();
    let rows = titles.into_iter().map(|title| {
        let player = title.player;
        view! {
            <li>
                {t!(language, leagues.season, number = title.season)} ": "
                <PlayerName name=player.name guest=player.guest bot=player.bot />
            </li>
        }
    });
    view! {
        <section class="card" aria-labelledby="champions-title">
            <h2 id="champions-title">{t!(language, leagues.champions)}</h2>
            <ul>{rows.collect_view()}</ul>
        </section>
    }
}
