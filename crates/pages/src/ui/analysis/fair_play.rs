//! Fair play: the rated matches that the reader still plays by correspondence, at whose positions the engine stays off.

use crate::ui::replay::{MoveSequence, read_moves};
use serde::{Deserialize, Serialize};
use tochki_play::Ply;
use tochki_protocol::{OwnGames, Pace};
use tochki_rules::{Seat, Setup};

/// A running match as the page passes it to the island.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunningMatch {
    setup: Setup,
    /// Moves as `MoveSequence` encodes them.
    moves: String,
    /// The address of its page.
    path: String,
}

impl RunningMatch {
    /// Returns the matches of a player that no engine may look at. Until both have moved nothing is at stake, and the position is
    /// that of any other game.
    pub(crate) fn of(own: &OwnGames) -> Vec<Self> {
        let games = own.games.iter().filter(|game| {
            let begun = Seat::BOTH.iter().all(|seat| game.seats.contains(seat));
            game.rated && game.time_control.pace() == Pace::Correspondence && begun
        });
        let matches = games.map(|game| Self {
            setup: game.setup,
            moves: MoveSequence::of_moves(game.setup, &game.seats, &game.moves).moves,
            path: format!("/match/{}", game.id),
        });
        matches.collect()
    }
}

/// The running matches, with their moves read, and the moves of the finished match that is analysed.
#[derive(Default)]
pub(crate) struct FairPlay {
    running: Vec<(Setup, Vec<Ply>, String)>,
    finished: Vec<Ply>,
}

impl FairPlay {
    /// Reads the matches of a page. Of the finished one it has the setup and the moves as `MoveSequence` encodes them.
    pub(crate) fn new(running: &[RunningMatch], finished: Option<(Setup, &str)>) -> Self {
        let running = running.iter().map(|one| {
            let plies = read_moves(one.setup, &one.moves).plies;
            (one.setup, plies, one.path.clone())
        });
        Self {
            running: running.collect(),
            finished: finished
                .map_or_else(Vec::new, |(setup, moves)| read_moves(setup, moves).plies),
        }
    }

    /// Returns the address of the running match whose position these moves lead to, or have led through: its own moves come
    /// first, in any order. A finished match is analysed as it was played, also where it began like a running one.
    pub(crate) fn running(&self, setup: Setup, plies: &[Ply]) -> Option<&str> {
        if self.finished.starts_with(plies) {
            return None;
        }
        let found = self.running.iter().find(|(board, played, _)| {
            let first = plies.get(..played.len());
            // No move is made twice in a game, so that as many of the same ones are the same.
            *board == setup
                && first.is_some_and(|first| played.iter().all(|ply| first.contains(ply)))
        });
        found.map(|(_, _, path)| &**path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_play::{ClockRule, Timestamp};
    use tochki_protocol::{MatchId, OwnGame, PlayerCard, PlayerId};
    use tochki_rules::GameKind;

    fn own_game(id: i64, clock: &str, rated: bool, moves: &str) -> OwnGame {
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        OwnGame {
            id: MatchId(id),
            setup: GameKind::Gomoku.default_setup(),
            time_control: clock.parse::<ClockRule>().expect("a clock"),
            rated,
            seat: Seat::First,
            opponent: PlayerCard {
                id: PlayerId(2),
                name: "bob".into(),
                rating: 1600.0,
                guest: false,
                provisional: false,
                bot: false,
            },
            seats: Seat::BOTH.into_iter().cycle().take(moves.len()).collect(),
            moves,
            score: [0, 0],
            to_move: Seat::First,
            adjournment: None,
            offer: None,
            deadline_at: None,
            opponent_vacation_until: None,
            changed_at: Timestamp(0),
            started_at: Timestamp(0),
        }
    }

    fn matches() -> Vec<RunningMatch> {
        let games = vec![
            own_game(1, "3d", true, "7,7 8,8 9,9 6,6"),
            own_game(2, "3d", false, "1,1 2,2"),
            own_game(3, "300+5", true, "3,3 4,4"),
            own_game(4, "3d", true, "5,5"),
        ];
        let now = Timestamp(0);
        RunningMatch::of(&OwnGames { games, now })
    }

    fn plies(moves: &str) -> Vec<Ply> {
        let seats = Seat::BOTH.into_iter().cycle();
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let seats: Vec<Seat> = seats.take(moves.len()).collect();
        let setup = GameKind::Gomoku.default_setup();
        let sequence = MoveSequence::of_moves(setup, &seats, &moves);
        let read = read_moves(setup, &sequence.moves).plies;
        assert_eq!(read.len(), moves.len(), "{moves:?}");
        read
    }

    #[track_caller]
    fn check(fair_play: &FairPlay, moves: &str, expected: Option<&str>) {
        let setup = GameKind::Gomoku.default_setup();
        assert_eq!(fair_play.running(setup, &plies(moves)), expected, "{moves}");
    }

    #[test]
    fn the_position_of_a_rated_match_and_all_after_it_are_guarded() {
        let fair_play = FairPlay::new(&matches(), None);
        let first = Some("/match/1");
        check(&fair_play, "7,7 8,8 9,9 6,6", first);
        check(&fair_play, "7,7 8,8 9,9 6,6 5,5 4,4", first);
        // The same stones in another order.
        check(&fair_play, "9,9 6,6 7,7 8,8", first);
        // Before it, beside it, with other colours.
        check(&fair_play, "7,7 8,8 9,9", None);
        check(&fair_play, "7,7 8,8 9,9 5,6", None);
        check(&fair_play, "8,8 7,7 6,6 9,9", None);
        check(&fair_play, "", None);
        let other = GameKind::Reversi.default_setup();
        assert_eq!(fair_play.running(other, &plies("7,7 8,8 9,9 6,6")), None);
    }

    #[test]
    fn unrated_and_live_matches_are_not_and_neither_are_those_that_have_not_begun() {
        let fair_play = FairPlay::new(&matches(), None);
        for moves in ["1,1 2,2", "3,3 4,4", "5,5", "5,5 6,6"] {
            check(&fair_play, moves, None);
        }
    }

    #[test]
    fn a_finished_match_is_analysed_as_it_was_played() {
        let moves = "1:7,7 2:8,8 1:9,9 2:6,6 1:1,1";
        let finished = (GameKind::Gomoku.default_setup(), moves);
        let fair_play = FairPlay::new(&matches(), Some(finished));
        check(&fair_play, "7,7 8,8 9,9 6,6 1,1", None);
        check(&fair_play, "7,7 8,8 9,9 6,6 2,2", Some("/match/1"));
    }
}
