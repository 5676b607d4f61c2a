//! Options for forms that do not say everything of their games.

use crate::wthor::Names;
use tochki_rules::gomoku::Rule;
use tochki_rules::{InvalidSetup, boxes, gomoku};

/// The answers to what a form does not say of its games.
#[derive(Clone, Debug)]
pub struct Options {
    /// The board and rule of Gomoku, for lines of points and for SGF that states no size or rule. 15 × 15, freestyle.
    pub gomoku: gomoku::Setup,
    /// The board of Dots and Boxes, for pairs of dots. 5 × 5 boxes, as on Little Golem.
    pub boxes: boxes::Setup,
    /// The names of players and tournaments to which WTHOR refers by number. Without any, records have the numbers.
    pub names: Names,
}

impl Options {
    /// The options of games of Gomoku on a board of this size.
    ///
    /// # Errors
    ///
    /// If no board has this size.
    pub fn with_size(self, size: u8) -> Result<Self, InvalidSetup> {
        let gomoku = gomoku::Setup::new(size, self.gomoku.rule())?;
        Ok(Self { gomoku, ..self })
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            gomoku: gomoku::Setup::new(15, Rule::Freestyle).unwrap_or_default(),
            boxes: boxes::Setup::new(5, 5).unwrap_or_default(),
            names: Names::default(),
        }
    }
}
