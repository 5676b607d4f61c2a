//! Causes of news for the players of a match, from its events, for the transaction that appends them.

use crate::Error;
use crate::db::Tx;
use crate::notifications::db::{Cause, insert_causes, insert_end};
use tochki_play::{Command, Event, Match, Pace};
use tochki_protocol::{MatchId, NotificationKind, PlayerId};
use tochki_rules::Seat;

/// The causes of notifications in some events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Causes {
    pub(super) list: Vec<Cause>,
    /// Whether the players are told as long as they are not at the match, as at the end of a live one.
    is_live: bool,
}

impl Causes {
    /// The causes in these events. `turn_before` is the side that was to move before them, `after` the match with them applied.
    ///
    /// A live match is followed live, so that only its end is told. `by` is the side that has given the command itself, which knows of the
    /// end that comes of it.
    pub fn of(
        id: MatchId,
        players: [PlayerId; 2],
        turn_before: Option<Seat>,
        by: Option<Seat>,
        events: &[Event],
        after: &Match,
    ) -> Self {
        // Nobody follows an adjourned match live, and who comes at the time agreed on knows that it goes on.
        let is_resumed = events
            .iter()
            .any(|event| matches!(event, Event::Resumed { .. }));
        let is_live =
            after.terms().pace() == Pace::Live && after.adjournment().is_none() && !is_resumed;
        let is_over = after.result().is_some();
        let turn = after.awaited();
        let is_told = turn != turn_before || is_resumed;
        if !is_over && (is_live || !is_told) {
            return Self::default();
        }
        let list = Seat::BOTH.into_iter().filter_map(|seat| {
            let kind = if is_over {
                (by != Some(seat)).then_some(NotificationKind::GameOver)
            } else {
                (turn == Some(seat)).then_some(NotificationKind::YourTurn)
            };
            let [player, other] = [seat, seat.other()].map(|seat| players[seat.index()]);
            let cause = Cause::of_match(player, other, id, kind);
            // Nothing was to be done in a live match, as far as was told.
            (!is_live || kind.is_some()).then_some(cause)
        });
        Self {
            list: list.collect(),
            is_live,
        }
    }

    /// Returns whether there are any.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Inserts them.
    pub(super) async fn insert(&self, tx: &mut Tx) -> Result<(), Error> {
        if self.list.is_empty() {
            return Ok(());
        }
        if self.is_live {
            insert_end(tx, &self.list).await
        } else {
            insert_causes(tx, &self.list).await
        }
    }
}

/// Returns the side that gives a command itself. An answer by conditional moves is made for a player who is away, and nobody gives the
/// command by which an absence or a deadline ends a match. Who resumes a match sees the sealed move, and who has sealed it is away.
pub const fn given_by(command: &Command) -> Option<Seat> {
    match command {
        Command::Move { seat, .. }
        | Command::Offer { seat, .. }
        | Command::OfferAdjournment { seat, .. }
        | Command::Seal { seat, .. }
        | Command::Resume { seat, .. }
        | Command::AnswerOffer { seat, .. }
        | Command::CancelOffer { seat }
        | Command::Abort { seat }
        | Command::Resign { seat }
        | Command::Berserk { seat }
        | Command::Leave { seat } => Some(*seat),
        Command::Answer { .. }
        | Command::Abandon { .. }
        | Command::Vacation { .. }
        | Command::Tick => None,
    }
}
