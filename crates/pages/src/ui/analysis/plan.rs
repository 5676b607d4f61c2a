//! Conditional moves: the page on which a player makes them on the board. The lines stand in a form, which is complete without
//! scripts; the island writes the variations of its board into it. Lines that are refused stay in it, with the place of the error.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::analysis::study::StudyPage;
use crate::ui::analysis::tree_list::TreeList;
use crate::ui::analysis::{AnalysisTexts, FairPlay, MoveTree, NodeId, Study};
use crate::ui::board::{BoardInput, BoardTools};
use crate::ui::board_view::Board;
use crate::ui::forms::escaped;
use crate::ui::islands::data::IslandData;
use crate::ui::islands::effect::effect;
use crate::ui::islands::form_action::form_error;
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::live::countdown::browser_now_ms;
use crate::ui::match_page::format_time;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, RedirectToLogin, match_id};
use crate::ui::replay::{MoveSequence, read_moves};
use crate::ui::text::errors::error_text;
use crate::ui::text::names::display_name;
use crate::ui::text::{Language, language, side, t, versus};
use crate::ui::view::view;
use leptos::html::Textarea;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use serde::{Deserialize, Serialize};
use tochki_play::{InvalidLine, Millis};
use tochki_protocol::{Code, ConditionalMoves, MatchId, Pace, Snapshot, limits};
use tochki_rules::{Seat, Setup};

/// Data of the island.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct PlanData {
    texts: AnalysisTexts,
    setup: Setup,
    /// The moves that have been made, as `MoveSequence` encodes them.
    moves: String,
    names: [String; 2],
    /// The seat of the player.
    seat: Seat,
    lines: Vec<Vec<String>>,
    /// The lines as text, escaped.
    text: String,
    /// The place in the lines that was refused.
    refused: Option<InvalidLine>,
    /// The label of the field.
    label: String,
    /// The moves that the board is for.
    board: PlanBoard,
    /// The time that is left for them.
    pub(super) left: Option<Millis>,
}

/// The most characters of a refused move that are shown.
const SHOWN_MOVE_CHARS: usize = 20;

/// The moves that are made on the board of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum PlanBoard {
    /// The variations of the tree: moves of the opponent, and answers.
    Conditional,
    /// The player's own moves up to the position that is shown, which are sealed.
    Sealed,
    /// Whatever moves the player tries; nothing is made of them.
    Free,
}

impl PlanData {
    /// The data of a board for these moves.
    pub(super) fn new(
        language: Language,
        snapshot: &Snapshot,
        seat: Seat,
        lines: &ConditionalMoves,
        board: PlanBoard,
    ) -> Self {
        let sequence = MoveSequence::of_match(snapshot);
        let lines = lines.lines().to_vec();
        let label = match board {
            PlanBoard::Conditional => t!(language, plan.lines),
            PlanBoard::Free => "",
            PlanBoard::Sealed => t!(language, adjourn.seal_field),
        };
        Self {
            texts: AnalysisTexts::new(language),
            setup: sequence.setup,
            moves: sequence.moves,
            names: snapshot
                .players
                .each_ref()
                .map(|player| display_name(language, &player.name)),
            seat,
            text: text_of(&lines),
            lines,
            refused: None,
            label: label.to_owned(),
            board,
            left: None,
        }
    }
}

/// Returns lines as the content of the field.
fn text_of(lines: &[Vec<String>]) -> String {
    let rows: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
    escaped(&rows.join("\n"))
}

pub(super) static PLAN: IslandData<PlanData> = IslandData::new("plan");

/// `/match/:id/plan`, for the player of a correspondence match who waits for the opponent's move.
#[component]
pub(crate) fn PlanPage() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let id = match_id();
    let snapshot = load(move || api::match_snapshot(id, None));
    let lines = load(move || api::conditional_moves(id));
    let refused = form_error::<api::SetConditionalMoves>();
    let is_refused = refused.is_some();
    let refused = StoredValue::new(refused);
    let refused_lines = load(move || async move {
        if is_refused {
            api::refused_conditional_moves(id).await
        } else {
            Ok(None)
        }
    });
    view! {
        <Title text=t!(language, plan.title) />
        <InfoStylesheet />
        <Suspense>
            {move || Suspend::new(async move {
                match (snapshot.await, lines.await) {
                    (Ok(snapshot), Ok(lines)) => {
                        let me = session.account().await.map(|account| account.id);
                        let plays = |seat: &Seat| Some(snapshot.players[seat.index()].id) == me;
                        let seat = Seat::BOTH.into_iter().find(plays);
                        let waits = seat.filter(|seat| snapshot.to_move == Some(seat.other()));
                        let slow = snapshot.time_control.pace() == Pace::Correspondence;
                        if slow && seat.is_some() && snapshot.to_move == seat {
                            // The opponent has moved while they were made.
                            let refused_lines = refused_lines.await.unwrap_or_default();
                            return view! { <NotNow id refused_lines /> }.into_any();
                        }
                        match waits {
                            Some(seat) => {
                                let refused = refused.get_value();
                                let refused_lines = refused_lines.await.unwrap_or_default();
                                view! { <Plan snapshot seat lines refused refused_lines /> }.into_any()
                            }
                            None => view! { <Redirect path=format!("/match/{id}") /> }.into_any(),
                        }
                    }
                    (Err(error), _) if error.code == Code::NoSuchMatch => view! { <NotFound /> }.into_any(),
                    (_, Err(error)) if error.code == Code::SignedOut => view! { <RedirectToLogin /> }.into_any(),
                    (Err(error), _) | (_, Err(error)) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

/// The page as long as it is the player's own turn.
#[component]
fn NotNow(
    id: MatchId,
    /// The text of lines that came too late.
    refused_lines: Option<String>,
) -> impl IntoView {
    let language = language();
    let kept = refused_lines.map(|text| {
        view! {
            <label for="tree">{t!(language, plan.lines)}</label>
            <textarea id="tree" rows="4" readonly inner_html=escaped(&text)></textarea>
        }
    });
    view! {
        <section class="card narrow">
            <h1>{t!(language, plan.title)}</h1>
            <p>{t!(language, plan.not_now)}</p>
            {kept}
            <p class="button-row">
                <a class="button" href=format!("/match/{id}")>
                    {t!(language, replay.table)}
                </a>
                <a class="button quiet" href=format!("/match/{id}/analysis")>
                    {t!(language, plan.board)}
                </a>
            </p>
        </section>
    }
}

#[component]
fn Plan(
    snapshot: Snapshot,
    seat: Seat,
    lines: ConditionalMoves,
    /// Why lines were refused.
    refused: Option<ErrorResponse>,
    /// The text of those lines.
    refused_lines: Option<String>,
) -> impl IntoView {
    let language = language();
    let mut data = PlanData::new(language, &snapshot, seat, &lines, PlanBoard::Conditional);
    let refused = refused.map(|error| {
        let mut words = error_text(language, &error).to_owned();
        if let Some(text) = refused_lines {
            let moves = |row: &str| {
                row.split_whitespace()
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            data.lines = text.lines().map(moves).collect();
            data.text = text_of(&data.lines);
            data.refused = error.at;
            if let Some(at) = error.at {
                words = format!("{words} {}", place_of(language, &data.lines, at));
            }
        }
        words
    });
    let names = data.names.clone();
    let id = snapshot.id;
    view! {
        <PreloadIsland island="plan_island" />
        <BoardTools />
        <article class=format!("info-page plan {}", side::stones_class(snapshot.setup.kind()))>
            <header>
                <h1>{t!(language, plan.title)}</h1>
                <p>
                    <a href=format!("/match/{id}")>{versus(&names)}</a>
                </p>
                <p class="note">{t!(language, plan.about)}</p>
            </header>
            {refused.map(|text| view! { <p id="refused" role="alert" class="refusal">{text}</p> })}
            <form class="card" method="post" action=api::SetConditionalMoves::url()>
                <input type="hidden" name="match_id" value=id.to_string() />
                {PLAN.embed(data, || view! { <PlanIsland /> })}
                <p class="button-row">
                    <button type="submit">{t!(language, plan.save)}</button>
                </p>
            </form>
        </article>
    }
}

/// Returns the place of an error in lines, in words.
fn place_of(language: Language, lines: &[Vec<String>], at: InvalidLine) -> String {
    let (max_lines, max_plies) = (ConditionalMoves::MAX_LINES, ConditionalMoves::MAX_PLIES);
    let moves = lines.get(at.line);
    if at.line >= max_lines || moves.is_some_and(|moves| moves.len() > max_plies) {
        return t!(
            language,
            plan.refused_length,
            lines = max_lines,
            plies = max_plies
        );
    }
    let line = at.line + 1;
    match moves.and_then(|moves| moves.get(at.ply)) {
        Some(mv) => {
            let ply = at.ply + 1;
            // Whatever somebody has typed.
            let mv: String = mv.chars().take(SHOWN_MOVE_CHARS).collect();
            t!(language, plan.refused_at, line = line, ply = ply, mv = mv)
        }
        None => t!(language, plan.refused_end, line = line),
    }
}

/// The board with its variations, and the field with the lines.
#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub fn PlanIsland() -> impl IntoView {
    let language = language();
    let PlanData {
        texts,
        setup,
        moves,
        names,
        seat,
        lines,
        text,
        refused,
        label,
        board,
        left,
    } = PLAN.read();
    let made = read_moves(setup, &moves);
    let mut tree = MoveTree::new(setup, made.plies);
    let mut current = NodeId::START;
    for (number, line) in lines.iter().enumerate() {
        let mut at = NodeId::START;
        for (ply, mv) in line.iter().enumerate() {
            // Lines that were refused are shown as far as they can be played.
            let Ok(next) = tree.play(at, None, mv) else {
                break;
            };
            at = next;
            if refused.is_some_and(|refused| refused.line == number && refused.ply >= ply) {
                current = at;
            }
        }
    }
    let page = StudyPage {
        address: String::new(),
        kept: String::new(),
        texts,
        retries: false,
        fair_play: FairPlay::default(),
    };
    let study = Study::new(tree, current, None, page, language);
    let shown = study.shown;
    let to_move = Memo::new(move |_| shown.with(|shown| shown.position.to_move()));
    let turn = move || match to_move.get() {
        None => t!(language, turn.over).to_owned(),
        Some(seat) => {
            let name = side::colour(language, setup.kind(), seat);
            t!(language, turn.of, name = name)
        }
    };
    let hint = RwSignal::new(None);
    let announcement = RwSignal::new(String::new());
    let input = BoardInput {
        seat: to_move.into(),
        play: Callback::new(move |mv| study.play(mv)),
        hint,
        announcement,
        score: Callback::new(move |()| untrack(turn)),
        clocks: Callback::new(move |()| untrack(turn)),
    };
    let field = NodeRef::<Textarea>::new();
    let mut opened = false;
    effect(move || {
        let text = match board {
            PlanBoard::Conditional => study.tree.with(|tree| lines_of(tree, seat)).join("\n"),
            PlanBoard::Sealed => {
                let current = study.current.get();
                study.tree.with(|tree| own_run(tree, current, seat))
            }
            PlanBoard::Free => return,
        };
        // As it was posted, until something changes.
        if opened && let Some(field) = field.get() {
            field.set_value(&text);
        }
        opened = true;
    });
    let (name, rows) = match board {
        PlanBoard::Conditional => ("tree", 4),
        PlanBoard::Sealed => ("mv", 2),
        PlanBoard::Free => ("", 0),
    };
    let written = (board != PlanBoard::Free).then(|| {
        view! {
            <label for="tree">{label}</label>
            <textarea
                id="tree"
                name=name
                rows=rows
                spellcheck="false"
                required=board == PlanBoard::Sealed
                aria-invalid=refused.map(|_| "true")
                aria-describedby=refused.map(|_| "refused")
                node_ref=field
                inner_html=text
            ></textarea>
        }
    });
    let time = left.map(|left| view! { <TimeLeft left /> });
    let back = move |_| study.go(NodeId::START);
    view! {
        <div class="plan-board with-scripts">
            <div class="status" aria-live="polite">
                <p class="turn">{turn} {time}</p>
                <p class="hint">
                    <span role="alert" class="refusal">
                        {move || study.refused.get()}
                    </span>
                    <span>{move || hint.get()}</span>
                </p>
            </div>
            <Board shown input=Some(input) names />
            <p class="hidden" aria-live="polite">
                {announcement}
            </p>
            <section class="moves">
                <h2 id="moves">{t!(language, table.moves)}</h2>
                <TreeList study verdicts=Signal::derive(Vec::new) />
                <p class="button-row">
                    <button type="button" class="quiet" on:click=back>
                        {t!(language, steps.first)}
                    </button>
                    <button type="button" class="quiet" on:click=move |_| study.delete()>
                        {study.text(|texts| &texts.delete)}
                    </button>
                </p>
            </section>
        </div>
        {written}
    }
}

/// The time that is left for the move, which runs.
#[component]
fn TimeLeft(left: Millis) -> impl IntoView {
    let language = language();
    let shown = RwSignal::new(left);
    effect(move || {
        let ends_at = browser_now_ms() + left.0 as f64;
        let update = move || shown.set(Millis((ends_at - browser_now_ms()) as i64));
        if let Ok(timer) = set_interval_with_handle(update, limits::CLOCK_TICK_INTERVAL) {
            on_cleanup(move || timer.clear());
        }
    });
    view! {
        <span class="clock" role="timer" aria-live="off">
            <span class="hidden">{t!(language, clocks.left)} " "</span>
            {move || format_time(shown.get())}
        </span>
    }
}

/// Returns the moves of this player that lead to a node, up to the first one of the opponent.
fn own_run(tree: &MoveTree, to: NodeId, player: Seat) -> String {
    let plies = tree.path(to).into_iter().filter_map(|at| tree.ply(at));
    let moves: Vec<String> = plies
        .take_while(|ply| ply.seat == player)
        .map(|ply| ply.mv.to_string())
        .collect();
    moves.join(" ")
}

/// Returns the lines of a tree in which this player answers, each up to the last answer. Of several answers to the same move the one that
/// was tried last is meant.
fn lines_of(tree: &MoveTree, player: Seat) -> Vec<String> {
    let is_end = |node: &NodeId| tree.has(*node) && tree.children(*node).is_empty();
    let is_meant = |node: NodeId| {
        let is_answer = tree.ply(node).is_some_and(|ply| ply.seat == player);
        !is_answer || tree.children(tree.parent(node)).last() == Some(&node)
    };
    let ends = tree.nodes().filter(is_end);
    let ends = ends.filter(|end| tree.path(*end).into_iter().all(is_meant));
    let lines = ends.map(|end| {
        let mut plies: Vec<_> = tree
            .path(end)
            .into_iter()
            .filter_map(|at| tree.ply(at))
            .collect();
        let answered = plies.iter().rposition(|ply| ply.seat == player);
        plies.truncate(answered.map_or(0, |last| last + 1));
        let moves: Vec<String> = plies.iter().map(|ply| ply.mv.to_string()).collect();
        moves.join(" ")
    });
    lines.filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::GameKind;

    #[test]
    fn a_run_is_of_the_own_moves_alone() {
        let mut tree = MoveTree::new(GameKind::Boxes.default_setup(), Vec::new());
        let mut at = NodeId::START;
        for mv in ["h:0,0", "v:0,0"] {
            at = tree.play(at, None, mv).expect("a legal move");
        }
        assert_eq!(own_run(&tree, at, Seat::First), "h:0,0");
        assert_eq!(own_run(&tree, at, Seat::Second), "");
        assert_eq!(own_run(&tree, NodeId::START, Seat::First), "");
    }

    #[test]
    fn lines_end_with_an_answer() {
        let mut tree = MoveTree::new(GameKind::Gomoku.default_setup(), Vec::new());
        for line in ["1,1 2,2 3,3 4,4", "1,1 2,2 5,5", "6,6"] {
            let mut at = NodeId::START;
            for mv in line.split(' ') {
                at = tree.play(at, None, mv).expect("a legal move");
            }
        }
        // The second side answers the first one, who has not been answered at last.
        assert_eq!(
            lines_of(&tree, Seat::Second),
            ["1,1 2,2 3,3 4,4", "1,1 2,2"]
        );
    }

    #[test]
    fn of_two_answers_the_one_that_was_tried_last_is_meant() {
        let mut tree = MoveTree::new(GameKind::Gomoku.default_setup(), Vec::new());
        for line in ["1,1 2,2 3,3 4,4", "1,1 5,5", "6,6 7,7"] {
            let mut at = NodeId::START;
            for mv in line.split(' ') {
                at = tree.play(at, None, mv).expect("a legal move");
            }
        }
        assert_eq!(lines_of(&tree, Seat::Second), ["1,1 5,5", "6,6 7,7"]);
    }
}
