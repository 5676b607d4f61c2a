//! The differences of a match of a tournament from any other: a limit of its own for the first moves, whose end is a forfeit, no
//! abort, no take-backs, and no adjournment.

use super::Millis;
use serde::{Deserialize, Serialize};

/// The rules of a tournament for each of its matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentMatch {
    /// The tournament, by its number.
    pub id: i64,
    /// The time that a player on turn has for their first move. Then the match is lost by forfeit.
    #[serde(rename = "first_move_ms")]
    pub first_move: Millis,
    /// The moves that each side must have made before a draw or a finish is offered. Omitted if 0.
    #[serde(default, skip_serializing_if = "is_none")]
    pub offers_after: u32,
    /// Whether a player may halve the own clock before the own first move. Omitted if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub berserk: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
const fn is_none(moves: &u32) -> bool {
    *moves == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::{at, command, fresh};
    use crate::{Decision, Event, Match, Refusal};
    use tochki_rules::{Seat, Setup, dots};

    fn game(offers_after: u32) -> Match {
        let setup = dots::Setup::new(5, 5, dots::Opening::Empty).unwrap();
        let rules = TournamentMatch {
            id: 7,
            first_move: Millis::from_secs(20),
            offers_after,
            berserk: false,
        };
        fresh(Setup::Dots(setup), "60+1").in_tournament(Some(rules), at(0))
    }

    /// Executes a command, and returns the winner and the reason if it ends the match, or the refusal.
    #[track_caller]
    fn after(game: &mut Match, second: u32, asked: &str) -> String {
        match game.decide(&command(asked), at(second)) {
            Ok(Decision::Happens(events)) => {
                for event in &events {
                    game.apply(event).unwrap();
                }
                match events.last() {
                    Some(Event::Finished { result }) => {
                        let winner = result.winner.map_or(0, Seat::number);
                        format!("{winner}:{}", result.reason.as_str())
                    }
                    _ => String::new(),
                }
            }
            Ok(Decision::AlreadyDone(_)) => unreachable!(),
            Err(refusal) => format!("!{refusal:?}"),
        }
    }

    #[test]
    fn who_does_not_come_to_the_first_move_forfeits() {
        let mut none = game(0);
        assert_eq!(none.deadline(), Some(at(20)));
        assert_eq!(after(&mut none, 19, "-"), "");
        assert_eq!(after(&mut none, 20, "1 0,0"), "!Finished");
        assert_eq!(after(&mut none, 20, "-"), "2:forfeit");
        assert!(!none.result().unwrap().is_played());

        let mut one = game(0);
        assert_eq!(after(&mut one, 15, "1 0,0"), "");
        assert_eq!(one.move_by(), Some(at(35)));
        assert_eq!(after(&mut one, 35, "-"), "1:forfeit");

        let mut both = game(0);
        after(&mut both, 15, "1 0,0");
        after(&mut both, 34, "2 1,1");
        assert_eq!(after(&mut both, 36, "1 gone"), "2:absence");
        assert!(both.result().unwrap().is_played());
    }

    #[test]
    fn nothing_but_time_ends_a_match_before_both_have_moved() {
        let mut fresh = game(0);
        assert_eq!(after(&mut fresh, 1, "1 aborts"), "!InTournament");
        assert_eq!(after(&mut fresh, 1, "2 gone"), "!NotBegun");
        assert_eq!(after(&mut fresh, 1, "1 resigns"), "!NotBegun");
        assert_eq!(after(&mut fresh, 1, "1 draw"), "!NotBegun");
        // The account is deleted.
        assert_eq!(after(&mut fresh, 1, "1 leaves"), "2:forfeit");
    }

    #[test]
    fn nothing_is_taken_back_or_adjourned_and_draws_may_have_to_wait() {
        let mut game = game(2);
        after(&mut game, 1, "1 0,0");
        after(&mut game, 2, "2 1,1");
        assert_eq!(after(&mut game, 3, "1 takeback"), "!InTournament");
        assert_eq!(after(&mut game, 3, "1 adjourn"), "!InTournament");
        assert_eq!(after(&mut game, 3, "1 draw"), "!TooEarly");
        after(&mut game, 4, "1 0,1");
        assert_eq!(after(&mut game, 4, "2 finish"), "!TooEarly");
        after(&mut game, 5, "2 1,2");
        assert_eq!(after(&mut game, 6, "1 draw"), "");
        assert_eq!(after(&mut game, 6, "1 aborts"), "!InTournament");
        assert_eq!(
            game.may_offer(Seat::First, crate::OfferKind::Finish, at(6)),
            Err(Refusal::OfferOpen)
        );
    }
}
