//! The form of a new tournament: presets, then its fields on one screen, the rest behind *More*. It is sent to
//! `crates/web/src/http/new_tournament.rs`, which answers with this page where something is wrong.

use crate::error::ErrorResponse;
use crate::ui::fingerprint::versioned_url;
use crate::ui::forms::escaped;
use crate::ui::forms::fields::{NumberField, RadioButton};
use crate::ui::games::{GameFields, GameRow};
use crate::ui::lobby::ClockFields;
use crate::ui::page::RedirectToLogin;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::title::PageTitle;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::terms::time_control;
use crate::ui::text::errors::error_text;
use crate::ui::text::{Language, language, t};
use crate::ui::tournaments::draft::{BEGINS_IN, BREAKS, FilledForm, is_behind_more};
use crate::ui::tournaments::summary::{break_text, format_title, rounds_text};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use tochki_play::ClockRule;
use tochki_protocol::{Code, MissedGame, TournamentFormat, limits};
use tochki_rules::GameKind;

/// The script that shows the time of the place. Its content is part of its address.
const SCRIPT: &str = include_str!("../../../../../public/new_tournament.js");

/// A preset: a game with its fields, the initial time and the increment in seconds, and the format with the duration in minutes or the
/// number of rounds.
type Preset = (GameKind, &'static str, (u32, u32), TournamentFormat, u32);

/// The presets.
const PRESETS: [Preset; 6] = {
    use GameKind::{Boxes, Dots, Gomoku, Reversi};
    use TournamentFormat::{Arena, Swiss};
    [
        (Dots, "&board=20x20&start=empty", (180, 2), Arena, 45),
        (Gomoku, "&size=15&rule=standard", (180, 2), Arena, 45),
        (Reversi, "", (180, 2), Arena, 45),
        (Boxes, "&board=5x5", (120, 1), Arena, 30),
        (Dots, "&board=20x20&start=empty", (300, 3), Swiss, 5),
        (Gomoku, "&size=15&rule=standard", (300, 3), Swiss, 5),
    ]
};

/// The formats that the form makes.
const FORMATS: [TournamentFormat; 4] = [
    TournamentFormat::Arena,
    TournamentFormat::Swiss,
    TournamentFormat::RoundRobin,
    TournamentFormat::Knockout,
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
        <PageTitle text=t!(language(), tournaments.new) />
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
    let (game, format) = (filled.game(), filled.format());
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
            <nav class="game-row" aria-label=t!(language, tournaments.format)>
                <ul>{formats(language, game, format)}</ul>
            </nav>
            <GameRow label=t!(language, tournaments.of_games) here=game to=addresses(format) />
            <form class="choice card" method="post" action="/tournaments/new" novalidate autocomplete="off">
                <input type="hidden" name="sent" value="yes" />
                <input type="hidden" name="game" value=game.id() />
                <input type="hidden" name="format" value=format.as_str() />
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
    let links = PRESETS.map(|(game, fields, (initial, increment), format, count)| {
        let clock = ClockRule::Fischer { initial, increment };
        let name = format_title(language, format, game);
        let (lasting, field) = match format {
            TournamentFormat::Arena => (t!(language, time.minutes, minutes = count), "duration"),
            _ => (rounds_text(language, count), "rounds"),
        };
        let board = fields
            .split("board=")
            .nth(1)
            .and_then(|rest| rest.split('&').next())
            .map(|board| format!(" {}", board.replace('x', " × ")));
        let words = format!(
            "{name}{} · {} · {}",
            board.unwrap_or_default(),
            time_control(language, clock),
            lasting
        );
        let to = format!(
            "/tournaments/new?format={}&game={game}{fields}&clock={initial}%2B{increment}&{field}={count}",
            format.as_str()
        );
        view! {
            <li>
                <a href=to>{words}</a>
            </li>
        }
    });
    links.into_iter().collect_view()
}

/// The formats as links.
fn formats(language: Language, game: GameKind, here: TournamentFormat) -> impl IntoView {
    let links = FORMATS.map(|format| {
        let to = format!("/tournaments/new?format={}&game={game}", format.as_str());
        let words = match format {
            TournamentFormat::Swiss => t!(language, tournaments.swiss),
            TournamentFormat::RoundRobin => t!(language, tournaments.round_robin),
            TournamentFormat::Knockout => t!(language, tournaments.knockout),
            TournamentFormat::Arena => t!(language, tournaments.arena),
        };
        view! {
            <li>
                <a href=to aria-current=(format == here).then_some("page")>{words}</a>
            </li>
        }
    });
    links.into_iter().collect_view()
}

/// Returns the address of the form for each game.
fn addresses(format: TournamentFormat) -> fn(GameKind) -> String {
    match format {
        TournamentFormat::Swiss => |game| format!("/tournaments/new?format=swiss&game={game}"),
        TournamentFormat::RoundRobin => {
            |game| format!("/tournaments/new?format=round_robin&game={game}")
        }
        TournamentFormat::Knockout => {
            |game| format!("/tournaments/new?format=knockout&game={game}")
        }
        TournamentFormat::Arena => |game| format!("/tournaments/new?game={game}"),
    }
}

/// Name, start, and duration or rounds.
#[component]
fn MainFields(filled: FilledForm) -> impl IntoView {
    let language = language();
    let value = |field: &str| filled.values.get(field);
    let is_invalid = |field: &str| filled.invalid.contains(&field);
    let first_name = format_title(language, filled.format(), filled.game());
    let of_format = match filled.format() {
        TournamentFormat::Arena => view! { <Duration filled=filled.clone() /> }.into_any(),
        _ => view! { <Rounds filled=filled.clone() /> }.into_any(),
    };
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
        {of_format}
    }
}

/// The duration of an arena.
#[component]
fn Duration(filled: FilledForm) -> impl IntoView {
    let language = language();
    let invalid = filled.invalid.contains(&"duration");
    let value = filled.values.get("duration");
    let durations = limits::ARENA_MINUTES;
    view! {
        <div class="field">
            <NumberField
                name="duration"
                label=t!(language, tournaments.duration)
                range=durations.clone()
                value=value.unwrap_or_else(|| FIRST_DURATION.to_string())
                invalid
                note="duration-note"
            />
            <p id="duration-note" class="note" class:wrong=invalid>
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

/// The rounds of a Swiss, the switch of a round robin, the games of the pairs of a knockout, and the time between rounds.
#[component]
fn Rounds(filled: FilledForm) -> impl IntoView {
    let language = language();
    let is_invalid = |field: &str| filled.invalid.contains(&field);
    let numbers = limits::SWISS_ROUNDS;
    let is_swiss = filled.format() == TournamentFormat::Swiss;
    let rounds = is_swiss.then(|| {
        let invalid = is_invalid("rounds");
        view! {
            <div class="field">
                <NumberField
                    name="rounds"
                    label=t!(language, tournaments.rounds_field)
                    range=numbers.clone()
                    value=filled.values.get("rounds").unwrap_or_default()
                    invalid
                    note="rounds-note"
                />
                <p id="rounds-note" class="note" class:wrong=invalid>
                    {t!(language, tournaments.rounds_note, fewest = *numbers.start(), most = *numbers.end())}
                    " "
                    {t!(language, tournaments.rounds_few_players)}
                </p>
            </div>
        }
    });
    let duels = (filled.format() == TournamentFormat::Knockout).then(|| {
        let players = limits::KNOCKOUT_PLAYERS;
        let chosen = filled.values.get("best_of");
        let chosen = chosen.unwrap_or_else(|| limits::KNOCKOUT_BEST_OF[0].to_string());
        let games = limits::KNOCKOUT_BEST_OF.map(|games| {
            view! {
                <RadioButton
                    name="best_of"
                    value=games.to_string()
                    label=games.to_string()
                    checked=chosen == games.to_string()
                />
            }
        });
        view! {
            <p class="note">
                {t!(language, tournaments.knockout_note, fewest = *players.start(), most = *players.end())}
            </p>
            <fieldset>
                <legend>{t!(language, tournaments.best_of)}</legend>
                <div class="options">{games.into_iter().collect_view()}</div>
            </fieldset>
        }
    });
    let is_table = filled.format() == TournamentFormat::RoundRobin;
    let table = is_table.then(|| {
        let players = limits::ROUND_ROBIN_PLAYERS;
        view! {
            <p class="note">
                {t!(language, tournaments.round_robin_note, fewest = *players.start(), most = *players.end())}
            </p>
            <label class="option">
                <input type="checkbox" name="double" value="yes" checked=filled.is_on("double", false) />
                {t!(language, tournaments.double)}
            </label>
        }
    });
    let chosen = filled
        .values
        .get("break")
        .and_then(|chosen| chosen.parse().ok());
    let chosen: u32 = chosen.unwrap_or(limits::DEFAULT_ROUND_BREAK.as_secs() as u32);
    let breaks = BREAKS.map(|seconds| {
        let selected = seconds == chosen;
        view! {
            <option value=seconds selected=selected>
                {break_text(language, seconds)}
            </option>
        }
    });
    view! {
        {rounds}
        {table}
        {duels}
        <div class="field">
            <label for="break">{t!(language, tournaments.break_field)}</label>
            <select id="break" name="break" autocomplete="off" aria-invalid=is_invalid("break").then_some("true")>
                {breaks.into_iter().collect_view()}
            </select>
        </div>
        {(is_swiss || is_table).then(|| view! { <RoundDays filled=filled.clone() is_table /> })}
    }
}

/// The days of a round, with which a tournament takes weeks, and in a round robin the result of games to which nobody comes.
#[component]
fn RoundDays(filled: FilledForm, is_table: bool) -> impl IntoView {
    let language = language();
    let invalid = filled.invalid.contains(&"round_days");
    let note = if is_table {
        t!(language, tournaments.appointments_note)
    } else {
        t!(language, tournaments.round_days_note)
    };
    let chosen = filled.values.get("missed").unwrap_or_default();
    let chosen = MissedGame::read(&chosen).unwrap_or_default();
    let missed = is_table.then(|| {
        let results = [
            (MissedGame::Half, t!(language, tournaments.missed_half)),
            (MissedGame::Lot, t!(language, tournaments.missed_lot)),
        ];
        let results = results.map(|(missed, label)| {
            view! {
                <RadioButton
                    name="missed"
                    value=missed.as_str().to_owned()
                    label=label.to_owned()
                    checked=missed == chosen
                />
            }
        });
        view! {
            <fieldset>
                <legend>{t!(language, tournaments.missed_field)}</legend>
                <div class="options">{results.into_iter().collect_view()}</div>
            </fieldset>
        }
    });
    view! {
        <div class="field">
            <NumberField
                name="round_days"
                label=t!(language, tournaments.round_days_field)
                range=limits::ROUND_DAYS
                value=filled.values.get("round_days").unwrap_or_default()
                invalid
                note="round-days-note"
            />
            <p id="round-days-note" class="note" class:wrong=invalid>
                {t!(language, tournaments.days_range, fewest = *limits::ROUND_DAYS.start(), most = *limits::ROUND_DAYS.end())}
                " "
                {note}
            </p>
        </div>
        {missed}
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
    let berserk_note = is_invalid("berserk").then(|| {
        view! { <p class="note wrong">{t!(language, tournaments.berserk_clock)}</p> }
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
                    {(filled.format() == TournamentFormat::Arena)
                        .then(|| {
                            view! {
                                {switch("streaks", t!(language, tournaments.streaks), true)}
                                {switch("last_games", t!(language, tournaments.last_games), false)}
                                {switch("berserk", t!(language, tournaments.berserk_switch), false)}
                                {berserk_note}
                            }
                        })}
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
