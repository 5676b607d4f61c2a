//! The panels of the engine: its moves in the position that is shown, and its review of the whole game.

use crate::ui::analysis::engine::{Engine, Progress, Search};
use crate::ui::analysis::{Evaluation, Gains, Judgement, MoveTree, NodeId, Study, chains, filled};
use crate::ui::computer::SHOWN_MOVES;
use crate::ui::games;
use crate::ui::text::words;
use crate::ui::text::{Language, side};
use crate::ui::view::{live, view};
use leptos::prelude::*;
use tochki_rules::{GameKind, Position, Seat};

/// The switch, and the best three moves.
#[component]
pub(crate) fn EnginePanel(study: Study, engine: Engine) -> impl IntoView {
    let state = move || {
        let failed = engine.search.get() == Search::Failed;
        let text = match engine.search.get() {
            Search::Idle => return None,
            Search::Running => study.text(|texts| &texts.searching),
            Search::Done => study.text(|texts| &texts.found),
            Search::Over => study.text(|texts| &texts.over),
            Search::Failed => study.text(|texts| &texts.failed),
            Search::Forbidden => study.text(|texts| &texts.running),
        };
        let running = (engine.search.get() == Search::Forbidden)
            .then(|| running_link(study, study.running_match(study.current.get_untracked())));
        let again = move |_| engine.search_shown(study.current.get_untracked());
        Some(view! {
            {text}
            {running}
            {failed
                .then(|| {
                    view! {
                        " "
                        <button type="button" class="quiet" on:click=again>
                            {study.text(|texts| &texts.retry)}
                        </button>
                    }
                })}
        })
    };
    let rows = move || {
        let report = engine.report()?;
        let rows = report
            .moves
            .iter()
            .take(SHOWN_MOVES)
            .enumerate()
            .map(|(rank, candidate)| {
                let found = engine.evaluation(candidate);
                let (mv, line) = study
                    .shown
                    .with(|shown| line_text(&shown.position, &candidate.pv, &candidate.mv));
                let value = value_text(study.language, study.setup().kind(), &found);
                let depth = match (candidate.exact, candidate.depth, candidate.visits) {
                    (true, ..) => study.text(|texts| &texts.exact),
                    (_, 0, tries) => {
                        study.fill(|texts| &texts.tries, &[("tries", &tries.to_string())])
                    }
                    (_, depth, _) => {
                        study.fill(|texts| &texts.depth, &[("depth", &depth.to_string())])
                    }
                };
                let gains = study
                    .shown
                    .with(|shown| Gains::of_line(&shown.position, &candidate.pv));
                let gains = gains.words(study.language, study.setup().kind());
                let gains = gains.map(|gains| {
                    ", ".to_owned() + &study.fill(|texts| &texts.gains, &[("gains", &gains)])
                });
                let play = candidate.mv.clone();
                let point = move || engine.pointed.set(rank);
                let then = (!line.is_empty())
                    .then(|| study.fill(|texts| &texts.then, &[("moves", &line)]));
                view! {
                    <li on:pointerenter=move |_| point()>
                        <button
                            type="button"
                            class="quiet"
                            on:focus=move |_| point()
                            on:click=move |_| study.play_text(&play)
                        >
                            {mv}
                        </button>
                        " "
                        <b>{value}</b>
                        ", "
                        {depth}
                        {gains}
                        <span class="then">{then}</span>
                    </li>
                }
            });
        let positions = report.nodes.to_string();
        let positions = study.fill(|texts| &texts.positions, &[("nodes", &positions)]);
        let label = study.text(|texts| &texts.best);
        Some(view! {
            <ol class="thoughts" aria-label=label>
                {rows.collect_view()}
            </ol>
            <p class="note">{positions}</p>
        })
    };
    let chains = move || {
        if engine.search.get() == Search::Forbidden {
            return String::new();
        }
        let chains = study.shown.with(|shown| chains(&shown.position));
        let [rows, loops] = chains::lengths(&chains);
        let rows =
            (!rows.is_empty()).then(|| study.fill(|texts| &texts.chains, &[("lengths", &rows)]));
        let loops =
            (!loops.is_empty()).then(|| study.fill(|texts| &texts.loops, &[("lengths", &loops)]));
        rows.into_iter().chain(loops).collect::<Vec<_>>().join(" ")
    };
    let has_chains = study.setup().kind() == GameKind::Boxes;
    view! {
        <section class="card engine" aria-labelledby="engine">
            <h2 id="engine">{study.text(|texts| &texts.computer)}</h2>
            <label class="option">
                <input
                    type="checkbox"
                    prop:checked=move || engine.on.get()
                    on:change=move |change| engine.on.set(event_target_checked(&change))
                />
                {study.text(|texts| &texts.search)}
            </label>
            <p role="status" class="engine-state" class:runs=move || engine.search.get() == Search::Running>
                {state}
            </p>
            <div class="engine-moves" {..live()} class:shown=move || engine.on.get()>
                {rows}
                {has_chains.then(|| view! { <p class="note" role="status">{chains}</p> })}
            </div>
        </section>
    }
}

/// The review of the whole game: its button, its progress, and the moments that decided the game.
#[component]
pub(crate) fn ReviewPanel(study: Study, engine: Engine) -> impl IntoView {
    let empty = move || study.tree.with(|tree| tree.main_line().is_empty());
    // The memo keeps the same button while the numbers change.
    let running = Memo::new(move |_| engine.progress.with(Progress::is_running));
    let button = move || {
        if running.get() {
            view! {
                <button type="button" class="quiet" on:click=move |_| engine.cancel_review()>
                    {study.text(|texts| &texts.cancel)}
                </button>
            }
            .into_any()
        } else {
            view! {
                <button type="button" disabled=empty on:click=move |_| engine.start_review()>
                    {study.text(|texts| &texts.review)}
                </button>
            }
            .into_any()
        }
    };
    let progress = move || {
        let Progress::At(at, count) = engine.progress.get() else {
            return None;
        };
        let values = [("at", &*at.to_string()), ("count", &*count.to_string())];
        let text = study.fill(|texts| &texts.progress, &values);
        Some(view! {
            <progress max=count value=at aria-label=text.clone()></progress>
            " "
            {text.clone()}
        })
    };
    let forbidden = move || {
        (engine.progress.get() == Progress::Forbidden).then(|| {
            let end = study
                .tree
                .with_untracked(|tree| tree.main_line().last().copied());
            let path = study.running_match(end.unwrap_or(NodeId::START));
            view! {
                {study.text(|texts| &texts.running)}
                {running_link(study, path)}
            }
        })
    };
    let failed = move || {
        let failed = engine.progress.get() == Progress::Failed;
        failed.then(|| {
            view! {
                {study.text(|texts| &texts.failed)}
                " "
                <button type="button" class="quiet" on:click=move |_| engine.start_review()>
                    {study.text(|texts| &texts.retry)}
                </button>
            }
        })
    };
    let moments = move || {
        if running.get() {
            return None;
        }
        let review = engine.review.get()?;
        let moments = review.moments();
        if moments.is_empty() {
            let none = study.text(|texts| &texts.no_moments);
            return Some(view! { <p>{none}</p> }.into_any());
        }
        let rows = moments.into_iter().map(|moment| {
            let before = review.before(moment.number);
            let better = moment.better.clone();
            let label = filled(
                "{number}. {mv}: ",
                &[
                    ("number", &moment.number.to_string()),
                    ("mv", &games::move_text(study.setup(), moment.ply.mv)),
                ],
            );
            let go = study.text(|texts| &texts.go);
            let show = study.text(|texts| &texts.show_better);
            view! {
                <li>
                    <p>{moment_text(study, &moment)}</p>
                    <p class="button-row">
                        <button
                            type="button"
                            class="quiet"
                            aria-label=format!("{label}{go}")
                            on:click=move |_| study.go(before)
                        >
                            {go.clone()}
                        </button>
                        <button
                            type="button"
                            class="quiet"
                            aria-label=format!("{label}{show}")
                            on:click=move |_| study.show_line(before, moment.ply.seat, &better)
                        >
                            {show.clone()}
                        </button>
                    </p>
                </li>
            }
        });
        let heading = study.text(|texts| &texts.moments);
        Some(
            view! {
                <h3 id="moments">{heading}</h3>
                <ol class="moments" aria-labelledby="moments">
                    {rows.collect_view()}
                </ol>
            }
            .into_any(),
        )
    };
    view! {
        <section class="card review" aria-labelledby="whole">
            <h2 id="whole">{study.text(|texts| &texts.whole)}</h2>
            <p class="note">{study.text(|texts| &texts.review_about)}</p>
            <p class="button-row">{button}</p>
            <p class="progress-room">{progress}</p>
            <p role="alert" class="refusal">
                {failed} {forbidden}
            </p>
            <div role="status">{moments}</div>
        </section>
    }
}

/// The link to the running match for which the engine stays off.
fn running_link(study: Study, path: Option<String>) -> impl IntoView {
    path.map(|path| {
        view! {
            " "
            <a href=path>{study.text(|texts| &texts.table)}</a>
        }
    })
}

/// Returns a move that decided the game, in words.
fn moment_text(study: Study, moment: &Judgement) -> String {
    let position = study.tree.with_untracked(MoveTree::start);
    let seat = moment.ply.seat;
    let setup = study.setup();
    let side = side::colour(study.language, setup.kind(), seat);
    let percent = moment.chances.map(|chance| percent(chance).to_string());
    let text = study.with_texts(|texts| {
        let values = [
            ("number", &*moment.number.to_string()),
            ("side", &*side.to_lowercase()),
            ("mv", &*games::move_text(setup, moment.ply.mv)),
            ("owner", texts.owner(setup.kind(), seat)),
            ("before", &*percent[0]),
            ("after", &*percent[1]),
        ];
        filled(&texts.moment, &values)
    });
    let better = moment.better.first().map(|mv| {
        let (mv, _) = line_text(&position, &[], mv);
        study.fill(|texts| &texts.better, &[("mv", &mv)])
    });
    // In Gomoku there are no points.
    let cost = (position.kind() != GameKind::Gomoku && moment.cost >= 0.5).then(|| {
        let points = words::decimal(study.language, moment.cost);
        study.fill(|texts| &texts.cost, &[("points", &points)])
    });
    [Some(text), better, cost]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns a move as players write it, and the moves that are expected after it.
fn line_text(position: &Position, line: &[String], first: &str) -> (String, String) {
    let text = |mv: &str| {
        let parsed = position.parse_move(mv).ok();
        parsed.map_or_else(
            || mv.to_owned(),
            |mv| games::move_text(position.setup(), mv),
        )
    };
    let then = line.iter().skip(1).take(4).map(|mv| text(mv));
    (text(first), then.collect::<Vec<_>>().join(" "))
}

/// Returns a value as players read it: the side that is ahead, and by how many points or, in Gomoku, with what chance.
fn value_text(language: Language, game: GameKind, found: &Evaluation) -> String {
    let ahead = if found.value < 0.0 {
        Seat::Second
    } else {
        Seat::First
    };
    let side = side::colour(language, game, ahead);
    if game == GameKind::Gomoku {
        return format!("{side} {} %", percent(found.chance(game, ahead)));
    }
    let points = words::decimal(language, found.value.abs());
    if found.value.abs() < 0.05 {
        points
    } else {
        format!("{side} +{points}")
    }
}

/// Returns a chance in percent.
pub(crate) fn percent(chance: f32) -> u32 {
    (chance * 100.0).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_names_the_side_that_is_ahead() {
        let text = |game, value, exact| {
            let found = Evaluation {
                value,
                exact,
                line: Vec::new(),
            };
            value_text(Language::En, game, &found)
        };
        assert_eq!(text(GameKind::Dots, 3.46, false), "Red +3.5");
        assert_eq!(text(GameKind::Reversi, -2.0, true), "White +2.0");
        assert_eq!(text(GameKind::Reversi, 10.0, true), "Black +10.0");
        assert_eq!(text(GameKind::Boxes, -0.04, false), "0.0");
        assert_eq!(text(GameKind::Gomoku, -1.0, true), "White 100 %");
        assert_eq!(text(GameKind::Gomoku, 0.0, false), "Black 50 %");
    }
}
