//! Reading the games of an input, one after the other.

use crate::{
    Form, GameRecord, Options, RecordError, dot_pairs, json, nboard, pgn, point_text, psq, renlib,
    rif, sgf, transcript, wthor,
};
use std::io::Read;

/// The games of an input.
///
/// After an error the next game is read, unless the error [is final](crate::ErrorKind::is_final).
pub struct Games<'a> {
    games: Box<dyn Iterator<Item = Result<GameRecord, RecordError>> + 'a>,
    has_ended: bool,
}

impl std::fmt::Debug for Games<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Games").finish_non_exhaustive()
    }
}

impl Iterator for Games<'_> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let game = self.games.next();
        self.has_ended = match &game {
            None => true,
            Some(Err(error)) => error.kind.is_final(),
            Some(Ok(_)) => false,
        };
        game
    }
}

/// Reads games in a form.
///
/// # Errors
///
/// If the beginning of the input cannot be read, or is not of this form where the form has a mark.
pub fn read<'a>(
    form: Form,
    input: impl Read + 'a,
    options: Options,
) -> Result<Games<'a>, RecordError> {
    fn boxed<'a>(
        games: impl Iterator<Item = Result<GameRecord, RecordError>> + 'a,
    ) -> Box<dyn Iterator<Item = Result<GameRecord, RecordError>> + 'a> {
        Box::new(games)
    }
    let games = match form {
        Form::Sgf | Form::Zagram | Form::Playdots | Form::Ggf => {
            boxed(sgf::Reader::open(form, input, options)?)
        }
        Form::Json => boxed(json::Reader::open(input)?),
        Form::Psq => boxed(psq::Reader::open(input, options.gomoku.rule())?),
        Form::Points => boxed(point_text::Reader::open(input, options.gomoku)?),
        Form::Rif => boxed(rif::Reader::open(input)?),
        Form::RenLib => boxed(renlib::Reader::open(input)),
        Form::Transcript => boxed(transcript::Reader::open(input)?),
        Form::Wthor => boxed(wthor::Reader::open(input, options.names)?),
        Form::Pgn => boxed(pgn::Reader::open(input)?),
        Form::NBoard => boxed(nboard::Reader::open(input)?),
        Form::DotPairs => boxed(dot_pairs::Reader::open(input, options.boxes)?),
    };
    Ok(Games {
        games,
        has_ended: false,
    })
}
