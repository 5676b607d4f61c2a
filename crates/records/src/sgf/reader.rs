//! Reading the games of a collection, each by the reader of its game.

use super::collection::GameTexts;
use super::source::Source;
use super::{dots, ggf, tree};
use crate::error::ErrorKind;
use crate::{Form, GameRecord, Options, Place, RecordError};
use std::io::Read;
use tochki_rules::record::tree::{GameTree, game_trees, simple_text};

/// Reads the games of a collection.
pub(crate) struct Reader<R> {
    texts: GameTexts<R>,
    form: Form,
    options: Options,
    has_any: bool,
}

impl<R: Read> Reader<R> {
    pub(crate) fn open(form: Form, input: R, options: Options) -> Result<Self, RecordError> {
        Ok(Self {
            texts: GameTexts::open(input)?,
            form,
            options,
            has_any: false,
        })
    }

    fn game(&mut self) -> Result<Option<GameRecord>, RecordError> {
        let Some((text, place)) = self.texts.next()? else {
            if self.has_any {
                return Ok(None);
            }
            self.has_any = true;
            return Err(ErrorKind::NotThisForm(self.form).at(Place::START));
        };
        self.has_any = true;
        read_tree(&text, place, &self.options).map(Some)
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.game().transpose()
    }
}

/// Reads a text of one game tree, which begins at this place of the input.
fn read_tree(text: &str, place: Place, options: &Options) -> Result<GameRecord, RecordError> {
    let trees = game_trees(text);
    let (tree, game) = first(&trees, Form::Sgf, place)?;
    let source = Source { text, place };
    match &*game {
        // A tree that names no game is one of Dots, as in the records of its sites.
        "40" | "" => dots::read(tree, &source),
        "4" => tree::read_gomoku(tree, &source, options.gomoku),
        "2" => tree::read_reversi(tree, &source),
        _ if is_ggf(&game) => ggf::read(tree, &source),
        _ if is_boxes(&game) => tree::read_boxes(tree, &source),
        _ => Err(other_game(&game, place)),
    }
}

/// Reads a text of one game in GGF, which begins at this place of the input.
pub(crate) fn read_ggf(text: &str, place: Place) -> Result<GameRecord, RecordError> {
    let trees = game_trees(text);
    let (tree, game) = first(&trees, Form::Ggf, place)?;
    if is_ggf(&game) {
        ggf::read(tree, &Source { text, place })
    } else {
        Err(other_game(&game, place))
    }
}

/// The first tree, and the game that it names.
fn first<'t, 'a>(
    trees: &'t [GameTree<'a>],
    form: Form,
    place: Place,
) -> Result<(&'t GameTree<'a>, String), RecordError> {
    let found = trees
        .first()
        .and_then(|tree| Some((tree, tree.nodes.first()?)));
    let (tree, root) = found.ok_or(ErrorKind::NotThisForm(form).at(place))?;
    let game = root.first("GM").map(simple_text).unwrap_or_default();
    Ok((tree, game.trim().to_owned()))
}

fn other_game(game: &str, place: Place) -> RecordError {
    ErrorKind::OtherGame(format!("GM[{}]", shortened(game))).at(place)
}

fn is_ggf(game: &str) -> bool {
    game.eq_ignore_ascii_case("othello")
}

fn is_boxes(game: &str) -> bool {
    ["dots and boxes", "dots-and-boxes", "boxes"]
        .iter()
        .any(|name| game.eq_ignore_ascii_case(name))
}

/// The first characters of a text, for a message.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
