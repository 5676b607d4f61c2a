//! The board with both players, and the parts of the analysis below it.

use crate::ui::analysis::tree_list::TreeList;
use crate::ui::analysis::value_graph::value_graph;
use crate::ui::analysis::{
    Engine, EnginePanel, NodeId, Review, ReviewPanel, Share, Study, filled, percent,
};
use crate::ui::board::BoardInput;
use crate::ui::board_view::Board;
use crate::ui::games;
use crate::ui::islands::effect::effect;
use crate::ui::replay::ReplaySide;
use crate::ui::steps::{Step, score_graph, step_label};
use crate::ui::text::side;
use crate::ui::text::words;
use crate::ui::text::{language, t, versus};
use crate::ui::view::{live, view};
use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::prelude::*;
use tochki_rules::Seat;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// The whole table.
#[component]
pub(crate) fn AnalysisTable(
    study: Study,
    engine: Engine,
    /// Name and rating of each side.
    sides: [(String, String); 2],
    /// The origin of the game, as an address and its text.
    origin: (String, String),
    /// The parts of the address that could not be read.
    troubles: Vec<String>,
) -> impl IntoView {
    let language = language();
    let Study { shown, .. } = study;
    let game = study.setup().kind();
    let announcement = RwSignal::new(String::new());
    let hint = RwSignal::new(None);
    let to_move = Memo::new(move |_| shown.with(|shown| shown.position.to_move()));
    let turn = move || match to_move.get() {
        None => t!(language, turn.over).to_owned(),
        Some(seat) => t!(language, turn.of, name = side::colour(language, game, seat)),
    };
    let score = Memo::new(move |_| shown.with(|shown| shown.position.score()));
    let input = BoardInput {
        seat: to_move.into(),
        play: Callback::new(move |mv| study.play(mv)),
        hint,
        announcement,
        score: Callback::new(move |()| {
            words::score_and_turn(language, game, score.get_untracked(), &untrack(turn))
        }),
        clocks: Callback::new(move |()| t!(language, clocks.none).to_owned()),
    };
    // Pointing at another place clears the refusal.
    effect(move || {
        if hint.with(Option::is_some) {
            study.refused.set(None);
        }
    });
    // The address stays as it was opened until something changes.
    let mut opened = false;
    effect(move || {
        let addresses = study.addresses();
        if opened {
            study.remember(&addresses);
        }
        opened = true;
    });
    effect(move || {
        // The arrow keys work wherever the focus is, except where they have a meaning of their own.
        let _ = window_event_listener(leptos::ev::keydown, move |key| {
            let target = key.target().map(JsCast::unchecked_into::<Element>);
            let own = target.is_some_and(|target| {
                target
                    .matches("input, textarea, select, [role=application]")
                    .unwrap_or(false)
            });
            let turns = matches!(&*key.key(), "ArrowLeft" | "ArrowRight");
            if turns && !own && !key.default_prevented() {
                press(study, &key);
            }
        });
    });
    let passed = move || {
        let seat = shown.with(|shown| {
            let passed = shown.position.passed();
            passed.then(|| shown.position.to_move().map(Seat::other))
        });
        let seat = seat.flatten()?;
        let name = side::colour(language, game, seat);
        Some(format!(" · {}", words::passed(language, false, name)))
    };
    let names = [&sides[0], &sides[1]].map(|(name, _)| name.clone());
    let title = versus(&names);
    let shared = names.clone();
    let terms = games::describe_setup(language, study.setup());
    let overlay = Box::new(move || engine.overlay());
    let [red, blue] = sides;
    let refused = move || study.refused.with(Option::is_some);
    let troubles = troubles.into_iter();
    let troubles = troubles.map(|text| view! { <p role="alert" class="refusal">{text}</p> });
    view! {
        <div class=format!("table replay analysis {}", side::stones_class(game))>
            <header class="table-head">
                <h1>{title}</h1>
                <p class="terms">{terms}</p>
                {troubles.collect_view()}
            </header>
            <ReplaySide game seat=Seat::First side=red score />
            <div class="middle">
                <div class="status" {..live()}>
                    <p class="turn">{turn} {passed}</p>
                    <p role="status">{move || study.position_text()}</p>
                    <p id="hint" class="hint">
                        <span role="alert" class="refusal">
                            {move || study.refused.get()}
                        </span>
                        <span>{move || if refused() { None } else { hint.get() }}</span>
                    </p>
                </div>
                <Board shown input=Some(input) names overlay />
                <p class="hidden" aria-live="polite">
                    {announcement}
                </p>
            </div>
            <ReplaySide game seat=Seat::Second side=blue score />
            <div class="below">
                <div class="analysis-moves">
                    <Moves study engine />
                    <CurrentMove study />
                </div>
                <div class="analysis-engine">
                    <EnginePanel study engine />
                    <ReviewPanel study engine />
                </div>
                <div class="analysis-more">
                    <Share study names=shared />
                    <p class="button-row">
                        <a href=origin.0>{origin.1}</a>
                    </p>
                </div>
            </div>
        </div>
    }
}

fn press(study: Study, key: &KeyboardEvent) {
    if let Some(step) = Step::of_key(key) {
        key.prevent_default();
        study.step(step);
    }
}

/// The graph with the slider over it, the buttons that step, and the list.
#[component]
fn Moves(study: Study, engine: Engine) -> impl IntoView {
    let language = language();
    let graph = Memo::new(move |_| {
        let chances = engine
            .review
            .with(|review| chances_of_line(study, review.as_ref()?));
        chances.unwrap_or_else(|| scores_of_line(study))
    });
    let verdicts = Signal::derive(move || {
        let review = engine.review.get();
        review.map(|review| review.verdicts()).unwrap_or_default()
    });
    let last = move || study.line.with(Vec::len);
    let slide = move |slid: leptos::ev::Event| {
        if let Ok(ply) = event_target_value(&slid).parse() {
            study.jump(ply);
        }
    };
    let buttons = Step::ALL.map(|step| {
        let (sign, name) = step_label(language, step);
        let disabled = move || step.from(study.ply(), last()) == study.ply();
        view! {
            <button
                type="button"
                class="quiet"
                aria-label=name
                title=name
                aria-disabled=move || disabled().then_some("true")
                on:click=move |_| study.step(step)
                on:keydown=move |key| press(study, &key)
            >
                {sign}
            </button>
        }
    });
    view! {
        <section class="card moves">
            <h2 id="moves">{t!(language, table.moves)}</h2>
            <div class="steps">
                <div class="timeline">
                    <div inner_html=move || graph.get()></div>
                    <input
                        type="range"
                        min="0"
                        max=last
                        prop:value=move || study.ply() as f64
                        aria-label=t!(language, steps.slider)
                        aria-valuetext=move || study.position_text()
                        on:input=slide
                    />
                </div>
                <div class="step-buttons">{buttons}</div>
            </div>
            <TreeList study verdicts />
        </section>
    }
}

/// Draws the chances by move, if the line that is shown was reviewed.
fn chances_of_line(study: Study, review: &Review) -> Option<String> {
    if study.line.with(|line| *line != review.line) {
        return None;
    }
    let last = review.chances.last().copied()?;
    let chance = percent(last).to_string();
    let label = study.with_texts(|texts| {
        let owner = texts.owner(study.setup().kind(), Seat::First);
        filled(&texts.chances, &[("owner", owner), ("chance", &chance)])
    });
    Some(value_graph(&review.chances, review.line.len(), &label))
}

/// Draws the score by move in the line that is shown.
fn scores_of_line(study: Study) -> String {
    let end = study.line.with(|line| line.last().copied());
    let mut position = study
        .tree
        .with(|tree| tree.shown(end.unwrap_or(NodeId::START)).position);
    let mut scores = vec![position.score()];
    for _ in 0..study.line.with(Vec::len) {
        position.undo();
        scores.push(position.score());
    }
    scores.reverse();
    let last = scores.last().copied().unwrap_or_default();
    words::score(study.setup().kind(), last)
        .map(|score| score_graph(&scores, &t!(study.language, steps.graph, score)))
        .unwrap_or_default()
}

/// The choice of the side to move: in turn, or always one side, as in a position that is set up by hand.
#[component]
fn NextMove(study: Study) -> impl IntoView {
    let options = [None, Some(Seat::First), Some(Seat::Second)];
    let [in_turn, red, blue] = options.map(|seat| {
        let label = match seat {
            None => study.text(|texts| &texts.in_turn),
            Some(seat) => side::colour(study.language, study.setup().kind(), seat).to_owned(),
        };
        view! {
            <label class="option">
                <input
                    type="radio"
                    name="next-move"
                    prop:checked=move || study.turn.get() == seat
                    on:change=move |_| study.turn.set(seat)
                />
                {label}
            </label>
        }
    });
    view! {
        <fieldset class="next-move" aria-describedby="next-about">
            <legend>{study.text(|texts| &texts.next_move)}</legend>
            <div class="options">
                {in_turn} <div class="options">{red} {blue}</div>
            </div>
            <p class="note" id="next-about">
                {study.text(|texts| &texts.next_about)}
            </p>
        </fieldset>
    }
}

/// The actions on the move that is shown: type the next move, choose a variation, comment, make it the main line, delete.
#[component]
fn CurrentMove(study: Study) -> impl IntoView {
    let language = language();
    let field = NodeRef::<leptos::html::Input>::new();
    let example = study
        .shown
        .with_untracked(|shown| games::example_move(&shown.position));
    let submit = move |submit: SubmitEvent| {
        submit.prevent_default();
        let Some(field) = field.get_untracked() else {
            return;
        };
        study.play_text(field.value().trim());
        if study.refused.with_untracked(Option::is_none) {
            field.set_value("");
        }
    };
    let tried = move || {
        let nodes = study
            .tree
            .with(|tree| tree.children(study.current.get()).to_vec());
        (nodes.len() > 1).then(|| {
            let buttons = nodes.into_iter().filter_map(|node| {
                let mv = study.tree.with(|tree| tree.ply(node))?.mv;
                let play = move |_| study.go(node);
                Some(view! {
                    <button type="button" class="quiet" on:click=play>
                        {games::move_text(study.setup(), mv)}
                    </button>
                })
            });
            view! {
                <p id="tried">{study.text(|texts| &texts.tried)}</p>
                <div class="button-row" role="group" aria-labelledby="tried">
                    {buttons.collect_view()}
                </div>
            }
        })
    };
    let comment = move || {
        let current = study.current.get();
        study.tree.with(|tree| tree.comment(current).to_owned())
    };
    let type_comment = move |typed: leptos::ev::Event| {
        study.type_comment(event_target_value(&typed));
    };
    let write_comment = move |changed: leptos::ev::Event| {
        study.set_comment(event_target_value(&changed));
    };
    let is_main = move || {
        let current = study.current.get();
        study.tree.with(|tree| tree.is_main(current))
    };
    let at_start = move || study.current.get() == NodeId::START;
    view! {
        <section class="card actions current-move">
            <NextMove study />
            {tried}
            <details class="typed-move">
                <summary>{t!(language, table.type_move)}</summary>
                <form class="entry" on:submit=submit>
                    <label for="mv">{t!(language, table.type_move)}</label>
                    <input
                        id="mv"
                        size="7"
                        autocomplete="off"
                        required
                        placeholder=example
                        aria-describedby="hint"
                        node_ref=field
                        on:input=move |_| study.refused.set(None)
                    />
                    <button type="submit">{t!(language, table.place)}</button>
                </form>
            </details>
            <div class="field">
                <label for="comment">{study.text(|texts| &texts.comment)}</label>
                <textarea
                    id="comment"
                    rows="2"
                    prop:value=comment
                    on:input=type_comment
                    on:change=write_comment
                ></textarea>
            </div>
            <div class="button-row">
                <button type="button" class="quiet" disabled=is_main on:click=move |_| study.make_main()>
                    {study.text(|texts| &texts.make_main)}
                </button>
                <button type="button" class="quiet" disabled=at_start on:click=move |_| study.delete()>
                    {study.text(|texts| &texts.delete)}
                </button>
            </div>
        </section>
    }
}
