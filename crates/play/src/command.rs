//! Commands to a match, and the reasons for refusing them.

use super::{ClientId, Event, Millis, OfferKind, Timestamp};
use tochki_rules::{Illegal, MoveError, Seat};

/// A command to a running match.
#[derive(Clone, Debug)]
pub enum Command {
    /// Make a move.
    Move {
        /// The side that moves.
        seat: Seat,
        /// The move in its text form.
        mv: String,
        /// The version that the client moved from, if the client names it.
        version: Option<u32>,
        /// The client's own name for this move, if the client gives one.
        client_id: Option<ClientId>,
    },
    /// Make a move that the player has chosen before the opponent moved ([`ConditionalMoves`](crate::ConditionalMoves)): it is charged
    /// to no clock, and earns no increment. One that an offer has held up for longer than [`ANSWER_GRACE`](crate::ANSWER_GRACE) is a
    /// move like others: its player had the time to think.
    Answer {
        /// The side that moves.
        seat: Seat,
        /// The move in its text form.
        mv: String,
        /// The version of the board that is answered.
        version: u32,
        /// The time at which the answer was due. What passes after it is charged to neither clock.
        due_at: Timestamp,
        /// The name of this move.
        client_id: Option<ClientId>,
    },
    /// Make an offer to the opponent.
    Offer {
        /// The side that offers.
        seat: Seat,
        /// The kind of the offer.
        kind: OfferKind,
    },
    /// Offer to adjourn the match.
    OfferAdjournment {
        /// The side that offers.
        seat: Seat,
        /// The time until it goes on live, if it is to.
        resume_in: Option<Millis>,
    },
    /// Seal the move of an adjourned match.
    Seal {
        /// The side that seals.
        seat: Seat,
        /// The move in its text form, or all moves of a turn that goes on after the first.
        moves: Vec<String>,
    },
    /// Resume an adjourned match: the sealed move is made.
    Resume {
        /// The side that comes.
        seat: Seat,
        /// The sealed moves.
        moves: Vec<String>,
        /// Whether both are there and go on live, with the clocks as they stood. Otherwise the match goes on by correspondence.
        live: bool,
        /// The latest end of the vacation of the side that has sealed, if one is on: it began while the match had no clock to hold.
        vacation_until: Option<Timestamp>,
    },
    /// Accept or decline an offer of the opponent.
    AnswerOffer {
        /// The side that answers.
        seat: Seat,
        /// Whether the offer is accepted.
        accept: bool,
        /// The version of the offer that is answered, if the client names it.
        offer: Option<u32>,
    },
    /// Cancel an own offer.
    CancelOffer {
        /// The side that has made the offer.
        seat: Seat,
    },
    /// End a match in which not both have made a move.
    Abort {
        /// The side that aborts.
        seat: Seat,
    },
    /// Resign.
    Resign {
        /// The side that resigns.
        seat: Seat,
    },
    /// Leave for good, as by deleting the account: resign, or abort a match that has not begun.
    Leave {
        /// The side that leaves.
        seat: Seat,
    },
    /// End the match of a player who has been away for too long.
    Abandon {
        /// The side that was away.
        seat: Seat,
    },
    /// Begin or end the vacation of a player, in which their clock stands still.
    Vacation {
        /// The side on vacation.
        seat: Seat,
        /// The time at which it ends by itself; `None` ends it at once.
        until: Option<Timestamp>,
    },
    /// Halve the own clock before the own first move, in an arena that has that.
    Berserk {
        /// The side whose clock is halved.
        seat: Seat,
    },
    /// Time has passed: close the offer and end the match whose time is over.
    Tick,
}

/// The reason why a command is refused. The match is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text does not read as a move of this game.
    Malformed,
    /// The other side is to move.
    NotYourTurn,
    /// The match is over.
    Finished,
    /// The board has changed since the version that the client moved from.
    Stale,
    /// The name stands for another move already.
    ClientIdReused,
    /// The rules forbid the move.
    Illegal(Illegal),
    /// An offer is open already.
    OfferOpen,
    /// No offer is open.
    OfferClosed,
    /// A player cannot answer an own offer, nor cancel the opponent's.
    NotYours,
    /// The player who asks to take back has not moved yet.
    NothingToTakeBack,
    /// The player has made such an offer since their last move.
    OfferCooldown,
    /// Not both players have made a move yet.
    NotBegun,
    /// Both players have made a move, so the match cannot be aborted.
    Begun,
    /// The game has no such offer.
    NoSuchOffer,
    /// The match is adjourned: the only move is one that is sealed, and nothing else is offered.
    Adjourned,
    /// The match is not adjourned, or no move has been sealed yet.
    NotAdjourned,
    /// It is still the turn of the side after the moves that it seals.
    TurnGoesOn,
    /// The match goes on later, as was agreed, or a tournament has no such offer yet.
    TooEarly,
    /// A match of a tournament is not aborted, taken back or adjourned.
    InTournament,
    /// The match has no berserk, the player has moved already, or the clock has too little left.
    NoBerserk,
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
    /// The command causes these events, in this order.
    Happens(Vec<Event>),
    /// The same command was executed before; its last event has this version.
    AlreadyDone(u32),
}
