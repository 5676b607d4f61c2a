//! The parts of the pages that differ by game, a folder a game. Only this module distinguishes the games.

mod boxes;
mod choice;
mod dots;
mod drawing;
mod game_links;
mod gomoku;
mod points;
mod reversi;
mod size;

pub(crate) use choice::SetupFields;
pub(crate) use game_links::{GameCards, GameRow};

use crate::ui::board::BoardPosition;
use crate::ui::forms::fields::{FieldValues, InvalidFields};
use crate::ui::rulebook::GameRules;
use crate::ui::text::{Language, t};
use crate::ui::view::view;
use boxes::BoxesFields;
use dots::DotsFields;
use gomoku::GomokuFields;
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use reversi::ReversiFields;
use tochki_play::Ply;
use tochki_rules::{GameKind, Move, Position, Setup};

/// Returns the fields of a setup, whichever game it is of.
pub(crate) fn setup_fields(setup: &Setup) -> &dyn SetupFields {
    match setup {
        Setup::Dots(setup) => setup,
        Setup::Boxes(setup) => setup,
        Setup::Gomoku(setup) => setup,
        Setup::Reversi(setup) => setup,
    }
}

/// Returns the names of the fields of a choice of this game.
pub(crate) fn field_names(game: GameKind) -> &'static [&'static str] {
    use tochki_rules::{boxes, dots, gomoku, reversi};

    match game {
        GameKind::Dots => dots::Setup::names(),
        GameKind::Boxes => boxes::Setup::names(),
        GameKind::Gomoku => gomoku::Setup::names(),
        GameKind::Reversi => reversi::Setup::names(),
    }
}

/// Reads the fields of a game.
pub(crate) fn read_setup(
    game: GameKind,
    values: FieldValues,
    invalid: &mut InvalidFields,
) -> Option<Setup> {
    match game {
        GameKind::Dots => SetupFields::read(values, invalid).map(Setup::Dots),
        GameKind::Boxes => SetupFields::read(values, invalid).map(Setup::Boxes),
        GameKind::Gomoku => SetupFields::read(values, invalid).map(Setup::Gomoku),
        GameKind::Reversi => SetupFields::read(values, invalid).map(Setup::Reversi),
    }
}

/// Returns the setups of a game that are offered by name, the usual one first.
pub(crate) fn offered_setups(game: GameKind) -> Vec<Setup> {
    fn all<S: SetupFields>(of: fn(S) -> Setup) -> Vec<Setup> {
        S::offered().into_iter().map(of).collect()
    }
    match game {
        GameKind::Dots => all(Setup::Dots),
        GameKind::Boxes => all(Setup::Boxes),
        GameKind::Gomoku => all(Setup::Gomoku),
        GameKind::Reversi => all(Setup::Reversi),
    }
}

/// The fields of a game with the given values.
#[component]
pub(crate) fn GameFields(
    game: GameKind,
    values: ParamsMap,
    invalid: InvalidFields,
) -> impl IntoView {
    match game {
        GameKind::Dots => view! { <DotsFields values invalid /> }.into_any(),
        GameKind::Boxes => view! { <BoxesFields values invalid /> }.into_any(),
        GameKind::Gomoku => view! { <GomokuFields values /> }.into_any(),
        GameKind::Reversi => view! { <ReversiFields /> }.into_any(),
    }
}

/// Returns the name of a game.
pub(crate) fn title(language: Language, game: GameKind) -> &'static str {
    match game {
        GameKind::Dots => t!(language, names.dots),
        GameKind::Boxes => t!(language, names.boxes),
        GameKind::Gomoku => t!(language, names.gomoku),
        GameKind::Reversi => t!(language, names.reversi),
    }
}

/// Returns a summary of a game, in one sentence.
fn summary(language: Language, game: GameKind) -> &'static str {
    match game {
        GameKind::Dots => t!(language, aims.dots),
        GameKind::Boxes => t!(language, aims.boxes),
        GameKind::Gomoku => t!(language, aims.gomoku),
        GameKind::Reversi => t!(language, aims.reversi),
    }
}

/// Returns the sign of a game: a small drawing of its moves, on a paper of 40 × 40, as SVG markup.
const fn icon(game: GameKind) -> &'static str {
    match game {
        GameKind::Dots => dots::ICON,
        GameKind::Boxes => boxes::ICON,
        GameKind::Gomoku => gomoku::ICON,
        GameKind::Reversi => reversi::ICON,
    }
}

/// Returns the rules of a game.
pub(crate) fn rules(language: Language, game: GameKind) -> GameRules {
    match game {
        GameKind::Dots => dots::rules(language),
        GameKind::Boxes => boxes::rules(language),
        GameKind::Gomoku => gomoku::rules(language),
        GameKind::Reversi => reversi::rules(language),
    }
}

/// Returns a position as the board draws it.
pub(crate) fn board_position(position: &Position) -> &dyn BoardPosition {
    match position {
        Position::Dots(dots) => dots,
        Position::Boxes(boxes) => boxes,
        Position::Gomoku(gomoku) => gomoku,
        Position::Reversi(reversi) => reversi,
    }
}

/// Returns a move as the players of the game write it, and may type it.
pub(crate) fn move_text(setup: Setup, mv: Move) -> String {
    match (setup, mv) {
        (_, Move::Reversi(point)) => reversi::square(point),
        (Setup::Gomoku(board), Move::Gomoku(point)) => board.point_name(point),
        _ => mv.to_string(),
    }
}

/// Returns an example of a move as it may be typed: that to the middle of the board.
pub(crate) fn example_move(position: &Position) -> String {
    let board = board_position(position);
    move_text(position.setup(), board.move_at(board.geometry().middle()))
}

/// Tells that a typed move cannot be read, with an example of one.
pub(crate) fn malformed_move(language: Language, position: &Position) -> String {
    t!(
        language,
        errors.malformed_move,
        example = example_move(position)
    )
}

/// Describes a position in words, for readers who do not see it drawn.
pub(crate) fn describe_board(language: Language, position: &Position) -> String {
    match position {
        Position::Dots(dots) => dots::describe_board(language, dots),
        Position::Boxes(boxes) => boxes::describe_board(language, boxes),
        Position::Gomoku(gomoku) => gomoku::describe_board(language, gomoku),
        Position::Reversi(reversi) => reversi::describe_board(language, reversi),
    }
}

/// Describes a move in words, as it is told beside such a position.
pub(crate) fn describe_move(language: Language, Ply { seat, mv }: Ply) -> String {
    match mv {
        Move::Dots(point) | Move::Gomoku(point) | Move::Reversi(point) => {
            points::describe_move(language, mv.kind(), seat, point)
        }
        Move::Boxes(line) => boxes::describe_move(language, seat, line),
    }
}

/// Describes game, board and opening in words.
pub(crate) fn describe_setup(language: Language, setup: Setup) -> String {
    let title = title(language, setup.kind());
    format!("{title} · {}", setup_fields(&setup).describe(language))
}

#[cfg(test)]
mod tests {
    use super::setup_fields;
    use serde_json::Value;
    use tochki_protocol::json;
    use tochki_rules::{GameKind, Setup, boxes, dots, gomoku};

    /// Returns a setup of every kind.
    fn setups() -> Vec<Setup> {
        let mut setups = vec![GameKind::Reversi.default_setup()];
        for width in 1..=dots::Setup::LONGEST {
            for height in 1..=dots::Setup::LONGEST {
                let openings = dots::Opening::ALL.into_iter();
                // Not every opening fits onto every board.
                let fitting =
                    openings.filter_map(|start| dots::Setup::new(width, height, start).ok());
                setups.extend(fitting.map(Setup::Dots));
            }
        }
        for cols in 1..=boxes::Setup::LONGEST {
            for rows in 1..=boxes::Setup::LONGEST {
                setups.extend(boxes::Setup::new(cols, rows).map(Setup::Boxes));
            }
        }
        for size in gomoku::Setup::SHORTEST..=gomoku::Setup::LONGEST {
            for rule in gomoku::Rule::ALL {
                setups.extend(gomoku::Setup::new(size, rule).map(Setup::Gomoku));
            }
        }
        setups
    }

    #[test]
    fn every_setup_is_the_same_json_in_the_browser_and_in_serde_json() {
        let setups = setups();
        assert!(setups.len() > 5_000, "{}", setups.len());
        for setup in setups {
            let written = setup_fields(&setup).json();
            let parsed: Value = serde_json::from_str(&written).expect("JSON");
            assert_eq!(parsed, setup.fields().expect("JSON"), "{setup:?}");
            assert_eq!(
                Setup::parse(setup.kind(), Some(&parsed)).as_ref(),
                Ok(&setup)
            );
            let of_server = serde_json::to_string(&setup).expect("JSON");
            assert_eq!(json::read(&of_server).as_ref(), Ok(&setup), "{of_server}");
        }
    }
}
