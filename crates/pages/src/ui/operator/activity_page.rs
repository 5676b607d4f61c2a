//! The people in the arena with their places, and the running matches.

use crate::api;
use crate::ui::games;
use crate::ui::operator::paged_table::PagedTable;
use crate::ui::page::PageError;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::text::time::DateTime;
use crate::ui::text::words;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use tochki_play::date;
use tochki_protocol::{Activity, Code, PlayerLocation, PresentPlayer, RunningMatch};
use tochki_rules::Seat;

/// `/operator/house`: a page of the people (`?people=`, from 0) and one of the running matches (`?matches=`). Nothing here
/// changes anything. Anybody but operators gets the page for unknown paths.
#[component]
pub(crate) fn ActivityPage() -> impl IntoView {
    let (people, matches) = use_query_map().with_untracked(|query| {
        let number = |name| query.get_str(name).and_then(|page| page.parse().ok());
        (
            number("people").unwrap_or(0),
            number("matches").unwrap_or(0),
        )
    });
    let activity = load(move || api::activity(Some(people), Some(matches)));
    view! {
        <Suspense>
            {move || Suspend::new(async move {
                match activity.await {
                    Ok(activity) => view! { <ActivityView activity people matches /> }.into_any(),
                    Err(error) if matches!(error.code, Code::SignedOut | Code::NotOperator) => {
                        view! { <NotFound /> }.into_any()
                    }
                    Err(error) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn ActivityView(activity: Activity, people: u32, matches: u32) -> impl IntoView {
    let language = language();
    let Activity {
        people: here,
        more_people,
        people_count,
        matches: running,
        more_matches,
        match_count,
    } = activity;
    let here = here.into_iter().map(|one| view! { <Person one /> });
    let running = running.into_iter().map(|one| view! { <Running one /> });
    view! {
        <Title text=t!(language, operator.house) />
        <InfoStylesheet />
        <h1>{t!(language, operator.house)}</h1>
        <p>
            <a href="/operator">{t!(language, operator.to_operator)}</a>
        </p>
        <div class="moderation">
            <PagedTable
                id="people"
                title=t!(language, operator.people, count = people_count)
                empty=t!(language, operator.nobody_here)
                columns=vec![t!(language, operator.who), t!(language, operator.place), t!(language, operator.since)]
                rows=here.collect()
                page=people more=more_people
                ways=[t!(language, pager.previous), t!(language, pager.next)]
                to=move |page| format!("/operator/house?people={page}&matches={matches}")
            />
            <PagedTable
                id="running"
                title=t!(language, operator.running, count = match_count)
                empty=t!(language, operator.nothing_runs)
                columns=vec![
                    t!(language, operator.game), t!(language, operator.both), t!(language, operator.score),
                    t!(language, operator.moves), t!(language, operator.started), t!(language, operator.away),
                ]
                rows=running.collect()
                page=matches more=more_matches
                ways=[t!(language, pager.previous), t!(language, pager.next)]
                to=move |page| format!("/operator/house?people={people}&matches={page}")
            />
        </div>
    }
}

#[component]
fn Person(one: PresentPlayer) -> impl IntoView {
    let PresentPlayer {
        player,
        place,
        since,
    } = one;
    view! {
        <tr>
            <td>
                <PlayerName name=player.name guest=player.guest bot=player.bot />
            </td>
            <td>{location(language(), place)}</td>
            <td>
                <DateTime at=since />
            </td>
        </tr>
    }
}

fn location(language: Language, place: PlayerLocation) -> AnyView {
    match place {
        PlayerLocation::WaitingRoom(game) => {
            let game = games::title(language, game);
            t!(language, operator.in_room, game = game).into_any()
        }
        // Its address would be an invitation.
        PlayerLocation::Table(id) => t!(language, operator.at_table, id = id).into_any(),
        PlayerLocation::Playing(id) => {
            view! { <a href=format!("/match/{id}")>{t!(language, operator.plays, id = id)}</a> }
                .into_any()
        }
        PlayerLocation::Tournament(id) => {
            view! { <a href=format!("/tournament/{id}")>{t!(language, operator.at_tournament, id = id)}</a> }
                .into_any()
        }
        PlayerLocation::Watching(id) => {
            view! { <a href=format!("/match/{id}")>{t!(language, operator.watches, id = id)}</a> }
                .into_any()
        }
    }
}

#[component]
fn Running(one: RunningMatch) -> impl IntoView {
    let language = language();
    let names = one
        .players
        .each_ref()
        .map(|player| words::marked_name(language, player));
    let away = Seat::BOTH.map(|seat| {
        let since = one.gone_at[seat.index()]?;
        let (name, time) = (&names[seat.index()], date::minute(since));
        Some(view! { <p>{t!(language, operator.away_since, name = name, time = time)}</p> })
    });
    let [first, second] = one.players;
    view! {
        <tr>
            <td>
                <a href=format!("/match/{}", one.id)>{games::title(language, one.game)}</a>
            </td>
            <td>
                <PlayerName name=first.name guest=first.guest bot=first.bot />
                " – "
                <PlayerName name=second.name guest=second.guest bot=second.bot />
            </td>
            <td>{words::score(one.game, one.score)}</td>
            <td>{one.moves}</td>
            <td>
                <DateTime at=one.started_at />
            </td>
            <td>{away}</td>
        </tr>
    }
}
