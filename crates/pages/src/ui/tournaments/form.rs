//! The form of a new arena: presets, then its fields on one screen, the rest behind *More*. It is sent to
//! `crates/web/src/http/new_tournament.rs`, which answers with this page where something is wrong.

use crate::error::ErrorResponse;
use crate::ui::fingerprint::versioned_url;
use crate::ui::forms::escaped;
use crate::ui::forms::fields::{NumberField, RadioButton};
use crate::ui::games;
use crate::ui::games::{GameFields, GameRow};
use crate::ui::lobby::ClockFields;
use crate::ui::page::RedirectToLogin;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::terms::time_control;
use crate::ui::text::errors::error_text;
use crate::ui::text::{Language, language, t};
use crate::ui::tournaments::draft::{BEGINS_IN, FilledForm, is_behind_more};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use tochki_play::ClockRule;
use tochki_protocol::{Code, limits};
use tochki_rules::GameKind;

/// The script that shows the time of the place. Its content is part of its address.
const SCRIPT: &str = include_str!("../../../../../public/new_tournament.js");

/// The presets: a game with its fields, the initial time and the increment in seconds, the duration in minutes.
const PRESETS: [(GameKind, &str, (u32, u32), u32); 4] = [
    (GameKind::Dots, "&board=20x20&start=empty", (180, 2), 45),
    (GameKind::Gomoku, "&size=15&rule=standard", (180, 2), 45),
    (GameKind::Reversi, "", (180, 2), 45),
    (GameKind::Boxes, "&board=5x5", (120, 1), 30),
];

/// The duration of a form without a preset, in minutes.
const FIRST_DURATION: u32 = 45;

/// `/tournaments/new`, for players. The fields may be in the query, as those of a preset are.
#[component]
pub(crate) fn NewTournamentPage() -> impl IntoView {
    let session = VisitorSession::current();
    let filled = use_context::<FilledForm>().unwrap_or_else(|| FilledForm {
        values: use_query_map().get_untracked(),
        ..FilledForm::default()
    });
    view! {
        <Title text=t!(language(), tournaments.new) />
        <InfoStylesheet />
        <Suspense>
            {move || {
                let filled = filled.clone();
                Suspend::new(async move {
                    match session.account().await {
                        Some(_) => view! { <NewTournament filled /> }.into_any(),
                        None => view! { <RedirectToLogin /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

#[component]
fn NewTournament(filled: FilledForm) -> impl IntoView {
    let language = language();
    let game = filled.game();
    let refusal = filled.refused.map(|code| match code {
        Code::NotQualified => t!(
            language,
            tournaments.creators,
            days = limits::TOURNAMENT_CREATOR_MIN_AGE.as_secs() / 86_400,
            games = limits::TOURNAMENT_CREATOR_MIN_MATCHES
        ),
        code => error_text(language, &ErrorResponse::from(code)).to_owned(),
    });
    let summary = (!filled.invalid.is_empty()).then(|| t!(language, choice.mistaken));
    let is_more_open = filled.invalid.iter().any(|field| is_behind_more(field));
    view! {
        <script type="module" src=versioned_url("/new_tournament.js", SCRIPT)></script>
        <article class="info-page new-tournament">
            <h1>{t!(language, tournaments.new)}</h1>
            <nav class="presets" aria-label=t!(language, tournaments.presets)>
                <ul>{presets(language)}</ul>
            </nav>
            <GameRow
                label=t!(language, tournaments.of_games)
                here=game
                to=|game| format!("/tournaments/new?game={game}")
            />
            <form class="choice card" method="post" action="/tournaments/new" novalidate autocomplete="off">
                <input type="hidden" name="sent" value="yes" />
                <input type="hidden" name="game" value=game.id() />
                <input type="hidden" name="offset" value="0" />
                <p role="alert" class="refusal">
                    {refusal.or(summary.map(str::to_owned))}
                </p>
                <MainFields filled=filled.clone() />
                <details open=is_more_open>
                    <summary>{t!(language, tournaments.more)}</summary>
                    <MoreFields filled />
                </details>
                <p class="button-row">
                    <button type="submit">{t!(language, tournaments.create)}</button>
                </p>
            </form>
        </article>
    }
}

/// The presets as links, each with its terms in words.
fn presets(language: Language) -> impl IntoView {
    let links = PRESETS.map(|(game, fields, (initial, increment), minutes)| {
        let clock = ClockRule::Fischer { initial, increment };
        let name = t!(
            language,
            tournaments.arena_of,
            game = games::title(language, game)
        );
        let board = fields
            .split("board=")
            .nth(1)
            .and_then(|rest| rest.split('&').next())
            .map(|board| format!(" {}", board.replace('x', " × ")));
        let words = format!(
            "{name}{} · {} · {}",
            board.unwrap_or_default(),
            time_control(language, clock),
            t!(language, time.minutes, minutes)
        );
        let to = format!(
            "/tournaments/new?game={game}{fields}&clock={initial}%2B{increment}&duration={minutes}"
        );
        view! {
            <li>
                <a href=to>{words}</a>
            </li>
        }
    });
    links.into_iter().collect_view()
}

/// Name, start and duration.
#[component]
fn MainFields(filled: FilledForm) -> impl IntoView {
    let language = language();
    let value = |field: &str| filled.values.get(field);
    let is_invalid = |field: &str| filled.invalid.contains(&field);
    let first_name = t!(
        language,
        tournaments.arena_of,
        game = games::title(language, filled.game())
    );
    let begin = value("begin").unwrap_or_else(|| BEGINS_IN[1].to_string());
    let starts_at = value("starts_at");
    let lead = BEGINS_IN.map(|minutes| {
        view! {
            <RadioButton
                name="begin"
                value=minutes.to_string()
                label=t!(language, tournaments.in_minutes, minutes)
                checked=begin == minutes.to_string()
            />
        }
    });
    let names = limits::TOURNAMENT_NAME_CHARS;
    let durations = limits::ARENA_MINUTES;
    view! {
        <div class="field">
            <label for="name">{t!(language, tournaments.name)}</label>
            <input
                id="name"
                name="name"
                required
                minlength=*names.start()
                maxlength=*names.end()
                value=value("name").unwrap_or(first_name)
                aria-describedby="name-note"
                aria-invalid=is_invalid("name").then_some("true")
            />
            <p id="name-note" class="note" class:wrong=is_invalid("name")>
                {t!(language, tournaments.name_note, shortest = *names.start(), longest = *names.end())}
            </p>
        </div>
        <fieldset>
            <legend>{t!(language, tournaments.start)}</legend>
            <div class="options">
                {lead.into_iter().collect_view()}
                <RadioButton name="begin" value="at" label=t!(language, tournaments.at_time) checked=begin == "at" />
                <span class="own">
                    <input
                        type="datetime-local"
                        id="starts_at"
                        name="starts_at"
                        aria-label=t!(language, tournaments.at_time)
                        value=starts_at
                        aria-describedby="start-note"
                        aria-invalid=is_invalid("starts_at").then_some("true")
                    />
                    " "
                    <span id="zone" data-own=t!(language, tournaments.own_time)>"UTC"</span>
                </span>
            </div>
            <p id="start-note" class="note" class:wrong=is_invalid("starts_at")>
                {t!(
                    language,
                    tournaments.start_note,
                    days = limits::TOURNAMENT_MAX_LEAD.as_secs() / 86_400
                )}
            </p>
        </fieldset>
        <div class="field">
            <NumberField
                name="duration"
                label=t!(language, tournaments.duration)
                range=durations.clone()
                value=value("duration").unwrap_or_else(|| FIRST_DURATION.to_string())
                invalid=is_invalid("duration")
                note="duration-note"
            />
            <p id="duration-note" class="note" class:wrong=is_invalid("duration")>
                {t!(
                    language,
                    tournaments.duration_note,
                    shortest = *durations.start(),
                    longest = *durations.end()
                )}
            </p>
        </div>
    }
}

/// Board, clock, scores, conditions, description.
#[component]
fn MoreFields(filled: FilledForm) -> impl IntoView {
    let language = language();
    let (values, invalid) = (filled.values.clone(), filled.invalid.clone());
    let is_invalid = |field: &str| invalid.contains(&field);
    let text = |field: &str| filled.values.get(field).unwrap_or_default();
    let switch = |name: &'static str, label: &'static str, first: bool| {
        let checked = filled.is_on(name, first);
        view! {
            <label class="option">
                <input type="checkbox" name=name value="yes" checked=checked />
                {label}
            </label>
        }
    };
    let number = |name: &'static str, label: &'static str, most: u32| {
        let range = 0..=most;
        view! {
            <NumberField
                name
                label
                range
                value=text(name)
                invalid=is_invalid(name)
                note="conditions-note"
            />
        }
    };
    // The clock as a whole fits no duration.
    let clock_note = is_invalid("clock").then(|| {
        view! { <p class="note wrong">{t!(language, tournaments.clock_wrong)}</p> }
    });
    let of_conditions = ["min_rating", "max_rating", "min_games", "min_age_days"];
    let wrong_condition = of_conditions.iter().any(|field| is_invalid(field));
    let conditions_note = if is_invalid("max_rating") {
        t!(language, tournaments.rating_wrong)
    } else {
        t!(language, tournaments.conditions_note)
    };
    let long = limits::TOURNAMENT_DESCRIPTION_MAX_CHARS;
    view! {
        <div class="fields">
            <GameFields game=filled.game() values=values.clone() invalid=invalid.clone() />
            <ClockFields values=values.clone() invalid=invalid.clone() />
            {clock_note}
            <fieldset>
                <legend>{t!(language, tournaments.scores_title)}</legend>
                <div class="options">
                    {switch("is_rated", t!(language, choice.rated), true)}
                    {switch("streaks", t!(language, tournaments.streaks), true)}
                    {switch("last_games", t!(language, tournaments.last_games), false)}
                </div>
            </fieldset>
            <fieldset>
                <legend>{t!(language, tournaments.who)}</legend>
                <div class="options">
                    {number("min_rating", t!(language, tournaments.min_rating), 4000)}
                    {number("max_rating", t!(language, tournaments.max_rating), 4000)}
                    {number("min_games", t!(language, tournaments.min_games), 100_000)}
                    {number("min_age_days", t!(language, tournaments.min_age), 36_500)}
                    <p id="conditions-note" class="note" class:wrong=wrong_condition>
                        {conditions_note}
                    </p>
                    {switch("guests", t!(language, tournaments.guests_too), false)}
                    {switch("bots", t!(language, tournaments.bots_too), false)}
                </div>
            </fieldset>
            <div class="field">
                <label for="password">{t!(language, tournaments.password)}</label>
                <input
                    id="password"
                    name="password"
                    type="password"
                    maxlength=limits::PASSWORD_MAX_CHARS
                    autocomplete="off"
                    aria-describedby="password-note"
                />
                <p id="password-note" class="note">{t!(language, tournaments.password_note)}</p>
            </div>
            <div class="field">
                <label for="description">{t!(language, tournaments.description)}</label>
                <textarea
                    id="description"
                    name="description"
                    rows="4"
                    maxlength=long
                    aria-describedby="description-note"
                    aria-invalid=is_invalid("description").then_some("true")
                    inner_html=escaped(&text("description"))
                ></textarea>
                <p id="description-note" class="note" class:wrong=is_invalid("description")>
                    {t!(language, tournaments.description_note, most = long)}
                </p>
            </div>
        </div>
    }
}
