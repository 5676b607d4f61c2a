//! What of the pages is one game's own, a folder a game. Which game it is, is asked in this file alone.

mod dots;
mod size;

use super::fields::{Mistakes, Said};
use super::rules::Explained;
use super::texts::{Language, say};
use crate::rules::{Kind, Setup};
use dots::DotsFields;
use leptos::prelude::*;
use leptos_router::params::ParamsMap;

/// What is chosen before a game: in the fields of a form, in a challenge, in words.
pub(super) trait Chosen {
    /// The fields that it is made of.
    fn fields() -> &'static [&'static str]
    where
        Self: Sized;

    /// Reads the fields. What is missing takes its default; what cannot be is a mistake.
    fn read(said: Said, wrong: &mut Mistakes) -> Option<Self>
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
pub(super) fn chosen(setup: &Setup) -> &dyn Chosen {
    match setup {
        Setup::Dots(setup) => setup,
    }
}

/// The fields that a choice of this game is made of.
pub(super) fn fields(game: Kind) -> &'static [&'static str] {
    use crate::rules::dots;

    match game {
        Kind::Dots => dots::Setup::fields(),
    }
}

/// Reads the fields of a game.
pub(super) fn read(game: Kind, said: Said, wrong: &mut Mistakes) -> Option<Setup> {
    match game {
        Kind::Dots => Chosen::read(said, wrong).map(Setup::Dots),
    }
}

/// The fields of a game, as somebody has filled them in.
#[component]
pub(super) fn GameFields(game: Kind, said: ParamsMap, wrong: Mistakes) -> impl IntoView {
    match game {
        Kind::Dots => view! { <DotsFields said wrong /> }.into_any(),
    }
}

/// The name of a game.
pub(super) fn name(language: Language, game: Kind) -> &'static str {
    match game {
        Kind::Dots => say!(language, names.dots),
    }
}

/// How a game is played.
pub(super) fn rules(language: Language, game: Kind) -> Explained {
    match game {
        Kind::Dots => dots::rules(language),
    }
}

/// Game, board and opening in words.
pub(super) fn setup(language: Language, setup: Setup) -> String {
    let name = name(language, setup.kind());
    format!("{name} · {}", chosen(&setup).words(language))
}
