//! All games of the arena as closed enums: what is called by the name of a game comes through here.
//!
//! A new game is a variant of each enum; the compiler names every place that must then know it.

use super::{Game, Illegal, MoveError, Outcome, Seat, dots};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{borrow::Cow, fmt, str::FromStr};

/// Which game is played. As text and as JSON it is [`Kind::id`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Dots: enclose the dots of the other.
    Dots,
}

impl Kind {
    /// All games, in the order in which they are offered.
    pub const ALL: &[Self] = &[Self::Dots];

    /// The word for the game in addresses, in JSON and in the database.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Dots => "dots",
        }
    }

    /// What is played when nothing else is chosen.
    #[must_use]
    pub const fn default_setup(self) -> Setup {
        match self {
            Self::Dots => Setup::Dots(dots::Setup::DEFAULT),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Kind {
    type Err = UnknownGame;

    fn from_str(id: &str) -> Result<Self, UnknownGame> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.id() == id)
            .ok_or(UnknownGame)
    }
}

/// No game of the arena has that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownGame;

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no such game")
    }
}

impl std::error::Error for UnknownGame {}

/// What is chosen before a game: size, opening, variant. The game comes with it.
///
/// Flattened into another JSON object it reads `"game": "dots", "setup": {"width": 39, "height": 32, "start": "empty"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "game", content = "setup", rename_all = "snake_case")]
pub enum Setup {
    /// A setup of Dots.
    Dots(dots::Setup),
}

impl Setup {
    /// Reads a setup as a player or a program sends it: a JSON object whose missing fields take their defaults.
    ///
    /// Nothing at all, or `null`, is the default setup. A field that the game does not have is refused.
    pub fn parse(kind: Kind, setup: Option<&Value>) -> Result<Self, InvalidSetup> {
        let fields = match setup {
            None | Some(Value::Null) => return Ok(kind.default_setup()),
            Some(fields @ Value::Object(_)) => fields,
            Some(_) => return Err(InvalidSetup::new("a setup is an object")),
        };
        match kind {
            Kind::Dots => dots::Setup::deserialize(fields)
                .map(Self::Dots)
                .map_err(InvalidSetup::from_json),
        }
    }

    /// The game that is set up.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Dots(_) => Kind::Dots,
        }
    }

    /// The same setup, if it may be played between two players; the rules alone allow more.
    pub fn for_match(self) -> Result<Self, InvalidSetup> {
        match self {
            Self::Dots(setup) => setup.for_match().map(Self::Dots),
        }
    }
}

/// Why a setup is refused, in a few English words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSetup(Cow<'static, str>);

impl InvalidSetup {
    pub(super) const fn new(reason: &'static str) -> Self {
        Self(Cow::Borrowed(reason))
    }

    fn from_json(error: serde_json::Error) -> Self {
        Self(Cow::Owned(error.to_string()))
    }
}

impl fmt::Display for InvalidSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidSetup {}

/// One move of some game. It displays in the canonical text form, which [`Position::parse_move`] reads back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A dot on a point.
    Dots(dots::Point),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dots(point) => point.fmt(f),
        }
    }
}

/// What a move changed beyond itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// What a dot captured.
    Dots(dots::Change),
}

/// A position of some game, with its whole past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// A position of Dots.
    Dots(dots::Dots),
}

impl Position {
    /// The position before the first move.
    #[must_use]
    pub fn new(setup: &Setup) -> Self {
        match setup {
            Setup::Dots(setup) => Self::Dots(dots::Dots::new(setup)),
        }
    }

    /// What was chosen before the game.
    #[must_use]
    pub fn setup(&self) -> Setup {
        match self {
            Self::Dots(dots) => Setup::Dots(*dots.setup()),
        }
    }

    /// Which game this is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Dots(_) => Kind::Dots,
        }
    }

    /// Who moves, or `None` when the game is over.
    #[must_use]
    pub fn to_move(&self) -> Option<Seat> {
        match self {
            Self::Dots(dots) => dots.to_move(),
        }
    }

    /// Whether the side that would have moved had no move and was passed over by the last move.
    #[must_use]
    pub fn passed(&self) -> bool {
        match self {
            Self::Dots(dots) => dots.passed(),
        }
    }

    /// Reads the text form of a move of this game. The move may still be off this board, or otherwise illegal.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        match self {
            Self::Dots(_) => dots::Dots::parse_move(text).map(Move::Dots),
        }
    }

    /// Plays a move of the side to move; a refusal leaves the position untouched.
    ///
    /// A move of another game is malformed here. Once the game is over, see [`Game::play`].
    pub fn play(&mut self, mv: Move) -> Result<Change, MoveError> {
        self.play_as(self.to_move().unwrap_or(Seat::First), mv)
    }

    /// Plays a move of the named side, whoever's turn it is; afterwards it is the other's turn.
    pub fn play_as(&mut self, seat: Seat, mv: Move) -> Result<Change, MoveError> {
        let change: Result<Change, Illegal> = match self {
            Self::Dots(dots) => match mv {
                Move::Dots(point) => dots.play_as(seat, point).map(Change::Dots),
            },
        };
        change.map_err(MoveError::from)
    }

    /// Takes the last move back and says which it was; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        match self {
            Self::Dots(dots) => dots.undo().map(Move::Dots),
        }
    }

    /// Goes back to the start and keeps the buffers for the next game.
    pub fn restart(&mut self) {
        match self {
            Self::Dots(dots) => dots.restart(),
        }
    }

    /// The points of both seats.
    #[must_use]
    pub fn score(&self) -> [u32; 2] {
        match self {
            Self::Dots(dots) => dots.score(),
        }
    }

    /// The result, once the rules have ended the game.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Dots(dots) => dots.outcome(),
        }
    }

    /// How far the game has come, in percent. For Dots: the points that are no longer free.
    #[must_use]
    pub fn progress(&self) -> u8 {
        match self {
            Self::Dots(dots) => dots.progress(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_game_goes_by_its_id() {
        for &kind in Kind::ALL {
            assert_eq!(kind.id().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.id());
            assert_eq!(kind.default_setup().kind(), kind);
            assert_eq!(Setup::parse(kind, None), Ok(kind.default_setup()));
            assert_eq!(kind.default_setup().for_match(), Ok(kind.default_setup()));
            let position = Position::new(&kind.default_setup());
            assert_eq!(
                (position.kind(), position.setup()),
                (kind, kind.default_setup())
            );
            assert_eq!((position.score(), position.progress()), ([0, 0], 0));
            assert_eq!(
                (position.to_move(), position.outcome()),
                (Some(Seat::First), None)
            );
        }
        assert_eq!("Dots".parse::<Kind>(), Err(UnknownGame));
    }

    #[test]
    fn a_setup_flattens_into_its_surroundings() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Challenge {
            rated: bool,
            #[serde(flatten)]
            setup: Setup,
        }
        let challenge = Challenge {
            rated: true,
            setup: Kind::Dots.default_setup(),
        };
        let text =
            r#"{"rated":true,"game":"dots","setup":{"width":39,"height":32,"start":"empty"}}"#;
        assert_eq!(serde_json::to_string(&challenge).unwrap(), text);
        assert_eq!(serde_json::from_str::<Challenge>(text).unwrap(), challenge);
    }

    #[test]
    fn what_a_setup_leaves_out_takes_the_default() {
        let parse = |value| Setup::parse(Kind::Dots, Some(&value));
        let expected = dots::Setup::new(10, 32, dots::Opening::Cross).unwrap();
        assert_eq!(
            parse(json!({"width": 10, "start": "cross"})),
            Ok(Setup::Dots(expected))
        );
        assert_eq!(
            parse(json!({"width": 51})).unwrap_err().to_string(),
            "width and height are 1 to 50"
        );
        assert!(
            parse(json!({"size": 19}))
                .unwrap_err()
                .to_string()
                .contains("unknown field `size`")
        );
        assert!(parse(json!([39, 32])).is_err());
    }

    #[test]
    fn a_position_plays_what_it_reads() {
        let mut position = Position::new(&Kind::Dots.default_setup());
        let mv = position.parse_move(" 3, 4").unwrap();
        assert_eq!(mv.to_string(), "3,4");
        position.play(mv).unwrap();
        assert_eq!(position.to_move(), Some(Seat::Second));
        let played = position.clone();
        assert_eq!(
            position.play(mv),
            Err(MoveError::Illegal(Illegal::Occupied))
        );
        assert_eq!(position, played);
        assert_eq!(position.undo(), Some(mv));
        assert_eq!(position.undo(), None);
    }
}
