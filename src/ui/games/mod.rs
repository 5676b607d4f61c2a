//! What of the pages is one game's own, a folder a game. Which game it is, is asked here and in `seen` alone.

mod boxes;
mod dots;
mod drawing;
mod gomoku;
mod points;
mod reversi;
mod seen;
mod size;
mod ways;

pub(crate) use seen::{example, face, gain, place, place_of, written};
pub(crate) use ways::{GameCards, GameRow};

use crate::ui::forms::fields::{FieldValues, InvalidFields};
use crate::ui::rulebook::GameRules;
use crate::ui::text::{Language, say};
use boxes::BoxesFields;
use dots::DotsFields;
use gomoku::GomokuFields;
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use reversi::ReversiFields;
use tochki_play::Ply;
use tochki_rules::{GameKind, Move, Position, Setup};

/// What is chosen before a game: in the fields of a form, in a challenge, in words.
pub(crate) trait Chosen {
    /// The fields that it is made of.
    fn fields() -> &'static [&'static str]
    where
        Self: Sized;

    /// Reads the fields. What is missing takes its default; what cannot be is a mistake.
    fn read(said: FieldValues, wrong: &mut InvalidFields) -> Option<Self>
    where
        Self: Sized;

    /// The same as an address carries it on: `&board=39x32&start=empty`.
    fn query(&self) -> String;

    /// The same as a challenge carries it: JSON.
    fn text(&self) -> String;

    /// The same in words, without the name of the game.
    fn words(&self, language: Language) -> String;
}

/// What is chosen in a setup, whichever game it is of.
pub(crate) fn chosen(setup: &Setup) -> &dyn Chosen {
    match setup {
        Setup::Dots(setup) => setup,
        Setup::Boxes(setup) => setup,
        Setup::Gomoku(setup) => setup,
        Setup::Reversi(setup) => setup,
    }
}

/// The fields that a choice of this game is made of.
pub(crate) fn fields(game: GameKind) -> &'static [&'static str] {
    use tochki_rules::{boxes, dots, gomoku, reversi};

    match game {
        GameKind::Dots => dots::Setup::fields(),
        GameKind::Boxes => boxes::Setup::fields(),
        GameKind::Gomoku => gomoku::Setup::fields(),
        GameKind::Reversi => reversi::Setup::fields(),
    }
}

/// Reads the fields of a game.
pub(crate) fn read(game: GameKind, said: FieldValues, wrong: &mut InvalidFields) -> Option<Setup> {
    match game {
        GameKind::Dots => Chosen::read(said, wrong).map(Setup::Dots),
        GameKind::Boxes => Chosen::read(said, wrong).map(Setup::Boxes),
        GameKind::Gomoku => Chosen::read(said, wrong).map(Setup::Gomoku),
        GameKind::Reversi => Chosen::read(said, wrong).map(Setup::Reversi),
    }
}

/// The fields of a game, as somebody has filled them in.
#[component]
pub(crate) fn GameFields(game: GameKind, said: ParamsMap, wrong: InvalidFields) -> impl IntoView {
    match game {
        GameKind::Dots => view! { <DotsFields said wrong /> }.into_any(),
        GameKind::Boxes => view! { <BoxesFields said wrong /> }.into_any(),
        GameKind::Gomoku => view! { <GomokuFields said /> }.into_any(),
        GameKind::Reversi => view! { <ReversiFields /> }.into_any(),
    }
}

/// The name of a game.
pub(crate) fn title(language: Language, game: GameKind) -> &'static str {
    match game {
        GameKind::Dots => say!(language, names.dots),
        GameKind::Boxes => say!(language, names.boxes),
        GameKind::Gomoku => say!(language, names.gomoku),
        GameKind::Reversi => say!(language, names.reversi),
    }
}

/// What a game is about, in one sentence.
fn aim(language: Language, game: GameKind) -> &'static str {
    match game {
        GameKind::Dots => say!(language, aims.dots),
        GameKind::Boxes => say!(language, aims.boxes),
        GameKind::Gomoku => say!(language, aims.gomoku),
        GameKind::Reversi => say!(language, aims.reversi),
    }
}

/// The sign of a game: what happens in it, on a paper of 40 × 40, as SVG markup.
const fn sign(game: GameKind) -> &'static str {
    match game {
        GameKind::Dots => dots::SIGN,
        GameKind::Boxes => boxes::SIGN,
        GameKind::Gomoku => gomoku::SIGN,
        GameKind::Reversi => reversi::SIGN,
    }
}

/// How a game is played.
pub(crate) fn rules(language: Language, game: GameKind) -> GameRules {
    match game {
        GameKind::Dots => dots::rules(language),
        GameKind::Boxes => boxes::rules(language),
        GameKind::Gomoku => gomoku::rules(language),
        GameKind::Reversi => reversi::rules(language),
    }
}

/// A position in words, for those who do not see it drawn.
pub(crate) fn described(language: Language, position: &Position) -> String {
    match position {
        Position::Dots(dots) => dots::described(language, dots),
        Position::Boxes(boxes) => boxes::described(language, boxes),
        Position::Gomoku(gomoku) => gomoku::described(language, gomoku),
        Position::Reversi(reversi) => reversi::described(language, reversi),
    }
}

/// A move in words, as it is told beside such a position.
pub(crate) fn made(language: Language, Ply { seat, mv }: Ply) -> String {
    match mv {
        Move::Dots(point) | Move::Gomoku(point) | Move::Reversi(point) => {
            points::made(language, seat, point)
        }
        Move::Boxes(line) => boxes::made(language, seat, line),
    }
}

/// Game, board and opening in words.
pub(crate) fn setup(language: Language, setup: Setup) -> String {
    let title = title(language, setup.kind());
    format!("{title} · {}", chosen(&setup).words(language))
}
