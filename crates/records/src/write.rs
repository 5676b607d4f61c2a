//! Writing games, one after the other.

use crate::{Form, GameRecord, WriteError, json, point_text, psq, sgf, transcript};
use std::io::Write;
use tochki_rules::record::Dialect;

/// Writes games in a form whose games follow one another. WTHOR has a head with their number, and so
/// [a writer of its own](crate::wthor::Writer).
#[derive(Debug)]
pub struct Writer<W> {
    form: Form,
    output: W,
    text: String,
}

impl<W: Write> Writer<W> {
    /// Begins to write.
    pub const fn new(form: Form, output: W) -> Self {
        Self {
            form,
            output,
            text: String::new(),
        }
    }

    /// Writes a game. If the form cannot have it, nothing is written.
    ///
    /// # Errors
    ///
    /// If the form cannot have this game, or the output fails.
    pub fn write(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        if self.form.is_read_only() || self.form == Form::Wthor {
            return Err(WriteError::ReadOnly(self.form));
        }
        if !self.form.writes(record.kind()) {
            return Err(WriteError::OtherGame);
        }
        self.text.clear();
        let text = &mut self.text;
        match self.form {
            Form::Zagram => sgf::write_dots(text, record, Dialect::Zagram)?,
            Form::Playdots => sgf::write_dots(text, record, Dialect::Playdots)?,
            Form::Json => json::write(text, record),
            Form::Psq => psq::write(text, record)?,
            Form::Points => point_text::write(text, record)?,
            Form::Transcript => transcript::write(text, record)?,
            Form::Ggf => sgf::ggf::write(text, record)?,
            _ => sgf::write(text, record),
        }
        self.output.write_all(text.as_bytes())?;
        Ok(())
    }

    /// Ends the writing.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.output.flush()?;
        Ok(self.output)
    }
}
