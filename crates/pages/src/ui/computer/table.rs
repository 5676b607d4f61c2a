//! The table of a game against the computer: the components of a match, and those that only a computer needs.

use crate::ui::board_view::Board;
use crate::ui::computer::game::Hint as ComputerHint;
use crate::ui::computer::keep_button::KeepButton;
use crate::ui::computer::{ComputerGame, SHOWN_MOVES, downloads};
use crate::ui::games;
use crate::ui::match_page::{
    Announcer, Hint, MoveEntry, PlayerPanel, TurnIndicator, behind_a_press,
};
use crate::ui::steps::{MoveList, PastBanner};
use crate::ui::text::{language, t, versus};
use crate::ui::text::{side, words};
use crate::ui::view::{live, view};
use leptos::prelude::*;
use tochki_rules::Seat;

/// The whole table.
#[component]
pub(crate) fn ComputerTable(game: StoredValue<ComputerGame>) -> impl IntoView {
    let stored = game;
    let game = game.get_value();
    let language = language();
    let ComputerGame {
        controller,
        me,
        texts,
        ..
    } = game;
    let hint = RwSignal::new(None);
    let announcement = RwSignal::new(String::new());
    let input = game.input(hint, announcement);
    let names = Seat::BOTH.map(|seat| controller.name(seat));
    let title = versus(&names);
    let setup = game.saved().setup;
    let terms = games::describe_setup(language, setup);
    let of_texts = move |text: fn(&super::ComputerTexts) -> &str| {
        texts.with_value(|texts| text(texts).to_owned())
    };
    let thinks = move || {
        let thinks = controller.to_move() == Some(me.other()) && !game.failed.get();
        let is_loaded = game.loaded.get();
        thinks.then(|| {
            if is_loaded {
                of_texts(|texts| &texts.thinks)
            } else {
                of_texts(|texts| &texts.loading_engine)
            }
        })
    };
    let reason = move || {
        if game.failed.get() {
            of_texts(|texts| &texts.failed)
        } else {
            of_texts(|texts| &texts.late)
        }
    };
    let failed = move || {
        game.is_stuck().then(|| {
            view! {
                <p role="alert" class="refusal">
                    {reason}
                    " "
                    <button type="button" class="quiet" on:click=move |_| game.retry()>
                        {of_texts(|texts| &texts.retry)}
                    </button>
                </p>
            }
        })
    };
    let not_kept = move || (!game.kept.get()).then(|| of_texts(|texts| &texts.not_saved));
    let overlay = Box::new(move || game.overlay());
    view! {
        <div
            class=format!("table computer {}", side::stones_class(setup.kind()))
            class:own-first=me == Seat::First
            class:in-past=move || controller.steps.in_past()
        >
            <header class="table-head">
                <h1>{title}</h1>
                <p class="terms">{terms}</p>
            </header>
            <PlayerPanel controller seat=Seat::First mine=false announcement />
            <div class="middle">
                <div class="status" {..live()}>
                    <TurnIndicator controller me=Some(me) />
                    <p class="thinks">{thinks}</p>
                    <Hint controller hint />
                </div>
                <PastBanner steps=controller.steps />
                <Board shown=controller.shown() input=Some(input) names overlay />
                <Announcer controller me=Some(me) text=announcement />
            </div>
            <PlayerPanel controller seat=Seat::Second mine=false announcement />
            <div class="below">
                {failed}
                <p role="status" class="refusal">{not_kept}</p>
                <ComputerResult game=stored />
                <ComputerActions game=stored />
                <MoveList steps=controller.steps sending=controller.sending() />
            </div>
        </div>
    }
}

/// The actions of the visitor while the game runs.
#[component]
fn ComputerActions(game: StoredValue<ComputerGame>) -> impl IntoView {
    let stored = game;
    let game = game.get_value();
    let language = language();
    let ComputerGame {
        controller,
        me,
        texts,
        ..
    } = game;
    let of_texts = move |text: fn(&super::ComputerTexts) -> &str| {
        texts.with_value(|texts| text(texts).to_owned())
    };
    // The memo keeps the same elements from move to move.
    let running = Memo::new(move |_| controller.running());
    let settled = move || {
        game.settled.get().then(|| {
            view! {
                <p class="prompt" role="status">
                    {of_texts(|texts| &texts.settled)}
                </p>
                <button type="button" on:click=move |_| game.finish()>
                    {of_texts(|texts| &texts.finish)}
                </button>
            }
        })
    };
    let hint_words = move || {
        game.hint.get().map(|hint| match hint {
            ComputerHint::Searching => of_texts(|texts| &texts.searching),
            ComputerHint::Found { words, .. } => words,
        })
    };
    let no_hint = move || {
        !controller.can_move(me)
            || game
                .hint
                .with(|hint| *hint == Some(ComputerHint::Searching))
    };
    let resigned = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        game.resign();
    };
    move || {
        running.get().then(|| {
            view! {
                <div class="card actions">
                    {settled}
                    <div class="button-row">
                        <button
                            type="button"
                            class="quiet"
                            disabled=move || !game.can_take_back()
                            on:click=move |_| game.take_back()
                        >
                            {of_texts(|texts| &texts.take_back)}
                        </button>
                        <button
                            type="button"
                            class="quiet"
                            disabled=move || !game.can_redo()
                            on:click=move |_| game.redo()
                        >
                            {of_texts(|texts| &texts.redo)}
                        </button>
                        <button
                            type="button"
                            class="quiet"
                            disabled=no_hint
                            on:click=move |_| game.find_hint()
                        >
                            {of_texts(|texts| &texts.hint)}
                        </button>
                    </div>
                    <p role="status" class="computer-hint">
                        {hint_words}
                    </p>
                    <details class="typed-move">
                        <summary>{t!(language, table.type_move)}</summary>
                        <MoveEntry controller seat=me form_id=String::new() />
                    </details>
                    {behind_a_press(
                        language,
                        t!(language, table.resign),
                        view! {
                            <form on:submit=resigned>
                                <p>{t!(language, table.resign_sure)}</p>
                                <button type="submit">{t!(language, table.resign_yes)}</button>
                            </form>
                        },
                    )}
                    <EngineInfo game=stored />
                </div>
            }
        })
    }
}

/// The computer's judgement of its position, for visitors who want to see it.
#[component]
fn EngineInfo(game: StoredValue<ComputerGame>) -> impl IntoView {
    let game = game.get_value();
    let ComputerGame {
        controller, texts, ..
    } = game;
    let label = texts.with_value(|texts| texts.show_thoughts.clone());
    let rows = move || {
        let report = game.report.get().filter(|_| game.shows_thoughts.get())?;
        let nodes = report.nodes;
        let rows = report.moves.iter().take(SHOWN_MOVES).map(|candidate| {
            let sign = if candidate.value < 0.0 { "" } else { "+" };
            let value = sign.to_owned() + &words::decimal(controller.language, candidate.value);
            let mv = controller.game.with_untracked(|game| {
                let position = game.confirmed().position();
                let mv = position.parse_move(&candidate.mv).ok()?;
                Some(games::move_text(position.setup(), mv))
            });
            let mv = mv.unwrap_or_else(|| candidate.mv.clone());
            let exact = candidate
                .exact
                .then(|| texts.with_value(|texts| format!(", {}", texts.exact)));
            view! {
                <li>
                    <b>{mv}</b>
                    " "
                    {texts.with_value(|texts| texts.thought(&value, nodes))}
                    {exact}
                </li>
            }
        });
        Some(view! { <ol class="thoughts">{rows.collect_view()}</ol> })
    };
    view! {
        <label class="option">
            <input
                type="checkbox"
                prop:checked=move || game.shows_thoughts.get()
                on:change=move |change| game.shows_thoughts.set(event_target_checked(&change))
            />
            {label}
        </label>
        <div class="thoughts-room">{rows}</div>
    }
}

/// The result, with the actions after a game.
#[component]
fn ComputerResult(game: StoredValue<ComputerGame>) -> impl IntoView {
    let game = game.get_value();
    let language = language();
    let ComputerGame {
        controller,
        me,
        texts,
        ..
    } = game;
    let name = move |seat| controller.name(seat);
    let card = move || {
        let result = controller.game.with(|game| game.result().cloned())?;
        let saved = game.saved();
        let setup = games::setup_fields(&saved.setup).query();
        let (kind, level) = (saved.setup.kind(), saved.level);
        let first = if me == Seat::First { "computer" } else { "me" };
        let again = format!("/computer/game?game={kind}{setup}&level={level}&first={first}");
        let words = texts.get_value();
        let files = controller
            .game
            .with(|game| downloads::links(&words, &saved, game.confirmed(), None));
        Some(view! {
            <section class="card result">
                <h2>{words::headline(language, &result, Some(me), name)}</h2>
                <p>{words::reason(language, &result, name)}</p>
                <p class="button-row">
                    <a class="button" href=again>
                        {words.again}
                    </a>
                    <a href=format!("/analysis?computer={}", saved.id)>{words.analyse}</a>
                    <a href=format!("/computer/{kind}")>{words.other}</a>
                </p>
                <p class="button-row">{files}</p>
                <KeepButton saved texts />
            </section>
        })
    };
    view! {
        <div role="status" class="result-room">
            {card}
        </div>
    }
}
