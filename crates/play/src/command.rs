//! Commands to a match, and the reasons for refusing them.

use super::{ClientId, Event, OfferKind};
use tochki_rules::{Illegal, MoveError, Seat};

/// A command to a running match.
#[derive(Clone, Debug)]
pub enum Command {
    /// Make a move.
    Move {
        /// Who asks.
        seat: Seat,
        /// The move in its text form.
        mv: String,
        /// The version the client moved from, if it says so.
        version: Option<u32>,
        /// The client's own name for this move, if it gives one.
        client_id: Option<ClientId>,
    },
    /// Propose something to the other.
    Offer {
        /// Who asks.
        seat: Seat,
        /// What is proposed.
        kind: OfferKind,
    },
    /// Say yes or no to what the other has proposed.
    AnswerOffer {
        /// Who answers.
        seat: Seat,
        /// Yes or no.
        accept: bool,
        /// The version of the offer that is answered, if the client says so.
        offer: Option<u32>,
    },
    /// Take one's own offer back.
    CancelOffer {
        /// Whose offer it is.
        seat: Seat,
    },
    /// End a match in which not both have made a move.
    Abort {
        /// Who asks.
        seat: Seat,
    },
    /// Give up.
    Resign {
        /// Who gives up.
        seat: Seat,
    },
    /// Leave for good, as by deleting the account: resign, or abort a match that has not begun.
    Leave {
        /// Who leaves.
        seat: Seat,
    },
    /// A player has been away for too long.
    Abandon {
        /// Who was away.
        seat: Seat,
    },
    /// Time has passed: close the offer and end the match whose time is over.
    Tick,
}

/// Why a command is refused. The match is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It does not read as a move of this game.
    Malformed,
    /// It is the other side's turn.
    NotYourTurn,
    /// The match is over.
    Finished,
    /// The board has changed since the version that the client moved from.
    Stale,
    /// The name stands for another move already.
    ClientIdReused,
    /// The rules forbid it.
    Illegal(Illegal),
    /// There is an open offer already.
    OfferOpen,
    /// There is no open offer.
    OfferClosed,
    /// One's own offer cannot be answered, nor another's be cancelled.
    NotYours,
    /// Whoever asks to take back has not moved yet.
    NothingToTakeBack,
    /// This player has made such an offer since their last move.
    OfferCooldown,
    /// Not both players have made a move yet.
    NotBegun,
    /// Both players have made a move, so it cannot be aborted.
    Begun,
    /// The game has no such offer.
    NoSuchOffer,
}

impl From<MoveError> for Refusal {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::Malformed => Self::Malformed,
            MoveError::Illegal(illegal) => Self::Illegal(illegal),
        }
    }
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// These events, in this order.
    Happens(Vec<Event>),
    /// The same command was executed before; its last event has this version.
    AlreadyDone(u32),
}
