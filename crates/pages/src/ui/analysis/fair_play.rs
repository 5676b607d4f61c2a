//! Fair play: the rated matches that the reader still plays by correspondence, at whose positions the engine stays off.
//!
//! A position is found turned and mirrored, too, with its colours swapped, and with its moves in any order. One move that the match does
//! not have, inserted among its moves, cannot be found: the position is another one, and an answer to it may be no answer to the match.
//! At unrated matches nothing is at stake, and the engine is allowed.

use crate::ui::replay::{MoveSequence, read_moves};
use serde::{Deserialize, Serialize};
use tochki_play::Ply;
use tochki_protocol::{OwnGames, Pace};
use tochki_rules::boxes::{Line, Orientation};
use tochki_rules::{Move, Point, Seat, Setup};

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

/// A running match, with its moves read.
struct GuardedMatch {
    setup: Setup,
    plies: Vec<Ply>,
    /// Those that map the board before the first move to itself.
    symmetries: Vec<Symmetry>,
    path: String,
}

/// The running matches, and the moves of the finished match that is analysed.
#[derive(Default)]
pub(crate) struct FairPlay {
    running: Vec<GuardedMatch>,
    finished: Vec<Ply>,
}

impl FairPlay {
    /// Reads the matches of a page. Of the finished one it has the setup and the moves as `MoveSequence` encodes them.
    pub(crate) fn new(running: &[RunningMatch], finished: Option<(Setup, &str)>) -> Self {
        let running = running.iter().map(|one| GuardedMatch {
            setup: one.setup,
            plies: read_moves(one.setup, &one.moves).plies,
            symmetries: Symmetry::all_of(one.setup),
            path: one.path.clone(),
        });
        Self {
            running: running.collect(),
            finished: finished
                .map_or_else(Vec::new, |(setup, moves)| read_moves(setup, moves).plies),
        }
    }

    /// Returns the address of the running match whose position these moves lead to, or have led through: its own moves come
    /// first, in any order, or their images under a symmetry of the board. A finished match is analysed as it was played, also where
    /// it began like a running one.
    pub(crate) fn running(&self, setup: Setup, plies: &[Ply]) -> Option<&str> {
        if self.finished.starts_with(plies) {
            return None;
        }
        let found = self.running.iter().find(|guarded| {
            let Some(first) = plies.get(..guarded.plies.len()) else {
                return false;
            };
            // No move is made twice in a game, so that as many of the same ones are the same.
            guarded.setup == setup
                && guarded.symmetries.iter().any(|symmetry| {
                    guarded
                        .plies
                        .iter()
                        .all(|&ply| symmetry.is_among(setup, ply, first))
                })
        });
        found.map(|guarded| &*guarded.path)
    }
}

/// One of eight turns and mirrors of a board, with the colours swapped or not.
#[derive(Clone, Copy)]
struct Symmetry {
    /// Bits: mirrored from left to right, from top to bottom, and along the diagonal, in this order.
    turn: u8,
    swap: bool,
}

impl Symmetry {
    /// Returns those that map the board before the first move to itself.
    fn all_of(setup: Setup) -> Vec<Self> {
        let (is_square, start) = match setup {
            Setup::Dots(board) => {
                let dots = board.start_dots().into_iter();
                let start: Vec<_> = dots
                    .map(|(point, seat)| (Move::Dots(point), seat))
                    .collect();
                (board.width() == board.height(), start)
            }
            Setup::Boxes(board) => (board.cols() == board.rows(), Vec::new()),
            Setup::Gomoku(_) => (true, Vec::new()),
            Setup::Reversi(_) => (true, reversi_start()),
        };
        let start: Vec<Ply> = start
            .into_iter()
            .map(|(mv, seat)| Ply { seat, mv })
            .collect();
        // The last four are for square boards.
        let turns = 0..if is_square { 8 } else { 4 };
        turns
            .flat_map(|turn| [false, true].map(|swap| Self { turn, swap }))
            .filter(|symmetry| {
                start
                    .iter()
                    .all(|&ply| symmetry.is_among(setup, ply, &start))
            })
            .collect()
    }

    /// Returns whether the image of a move is among these. In Dots and Boxes nobody owns a line.
    fn is_among(self, setup: Setup, ply: Ply, plies: &[Ply]) -> bool {
        let mv = self.image(setup, ply.mv);
        let seat = if self.swap {
            ply.seat.other()
        } else {
            ply.seat
        };
        let is_anybodys = matches!(mv, Move::Boxes(_));
        plies
            .iter()
            .any(|other| other.mv == mv && (is_anybodys || other.seat == seat))
    }

    /// Returns the image of a move.
    fn image(self, setup: Setup, mv: Move) -> Move {
        // `wide` and `high` are the greatest column and row.
        let turned = |x: u8, y: u8, wide: u8, high: u8| {
            let x = if self.turn & 1 == 0 {
                x
            } else {
                wide.wrapping_sub(x)
            };
            let y = if self.turn & 2 == 0 {
                y
            } else {
                high.wrapping_sub(y)
            };
            if self.turn & 4 == 0 { (x, y) } else { (y, x) }
        };
        let point = |Point { x, y }: Point, width: u8, height: u8| {
            let (x, y) = turned(x, y, width - 1, height - 1);
            Point { x, y }
        };
        match (setup, mv) {
            (Setup::Dots(board), Move::Dots(dot)) => {
                Move::Dots(point(dot, board.width(), board.height()))
            }
            (Setup::Gomoku(board), Move::Gomoku(stone)) => {
                Move::Gomoku(point(stone, board.size(), board.size()))
            }
            (Setup::Reversi(_), Move::Reversi(disc)) => {
                Move::Reversi(point(disc, REVERSI_SIDE, REVERSI_SIDE))
            }
            (Setup::Boxes(board), Move::Boxes(line)) => {
                let across = line.orientation == Orientation::Horizontal;
                let (wide, high) = if across {
                    (board.cols() - 1, board.rows())
                } else {
                    (board.cols(), board.rows() - 1)
                };
                let (x, y) = turned(line.x, line.y, wide, high);
                let stays_across = across == (self.turn & 4 == 0);
                Move::Boxes(if stays_across {
                    Line::across(x, y)
                } else {
                    Line::down(x, y)
                })
            }
            // A move of another game has no image on this board.
            _ => mv,
        }
    }
}

/// The squares in a row of Reversi.
const REVERSI_SIDE: u8 = 8;

/// The discs of the start of Reversi. Their colours matter only relative to each other.
fn reversi_start() -> Vec<(Move, Seat)> {
    let (low, high) = (REVERSI_SIDE / 2 - 1, REVERSI_SIDE / 2);
    [
        (low, high, Seat::First),
        (high, low, Seat::First),
        (low, low, Seat::Second),
        (high, high, Seat::Second),
    ]
    .map(|(x, y, seat)| (Move::Reversi(Point { x, y }), seat))
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_play::{ClockRule, Timestamp};
    use tochki_protocol::{MatchId, OwnGame, PlayerCard, PlayerId};
    use tochki_rules::{GameKind, boxes, dots};

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
        RunningMatch::of(&OwnGames {
            games,
            rematches: Vec::new(),
            now,
        })
    }

    /// Encodes moves of both sides in turn.
    fn encoded(setup: Setup, moves: &str) -> String {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let seats: Vec<Seat> = Seat::BOTH.into_iter().cycle().take(moves.len()).collect();
        MoveSequence::of_moves(setup, &seats, &moves).moves
    }

    fn plies(setup: Setup, moves: &str) -> Vec<Ply> {
        let read = read_moves(setup, &encoded(setup, moves)).plies;
        assert_eq!(read.len(), moves.split_whitespace().count(), "{moves:?}");
        read
    }

    #[track_caller]
    fn check(fair_play: &FairPlay, moves: &str, expected: Option<&str>) {
        let setup = GameKind::Gomoku.default_setup();
        let plies = plies(setup, moves);
        assert_eq!(fair_play.running(setup, &plies), expected, "{moves}");
    }

    /// Checks whether moves lead to the position of a match of this setup.
    #[track_caller]
    fn check_on(setup: Setup, played: &str, moves: &str, is_found: bool) {
        let running = RunningMatch {
            setup,
            moves: encoded(setup, played),
            path: "/match/1".to_owned(),
        };
        let fair_play = FairPlay::new(&[running], None);
        let found = fair_play.running(setup, &plies(setup, moves));
        assert_eq!(found, is_found.then_some("/match/1"), "{moves}");
    }

    #[test]
    fn the_position_of_a_rated_match_and_all_after_it_are_guarded() {
        let fair_play = FairPlay::new(&matches(), None);
        let first = Some("/match/1");
        check(&fair_play, "7,7 8,8 9,9 6,6", first);
        check(&fair_play, "7,7 8,8 9,9 6,6 5,5 4,4", first);
        // The same stones in another order.
        check(&fair_play, "9,9 6,6 7,7 8,8", first);
        // Mirrored, turned by a half, and with other colours.
        check(&fair_play, "11,7 10,8 9,9 12,6", first);
        check(&fair_play, "11,7 10,8 9,9 12,6 1,1", first);
        check(&fair_play, "11,11 10,10 9,9 12,12", first);
        check(&fair_play, "8,8 7,7 6,6 9,9", first);
        // Before it, and beside it.
        check(&fair_play, "7,7 8,8 9,9", None);
        check(&fair_play, "7,7 8,8 9,9 5,6", None);
        check(&fair_play, "11,7 10,8 9,9 12,7", None);
        check(&fair_play, "", None);
        let gomoku = GameKind::Gomoku.default_setup();
        let other = GameKind::Reversi.default_setup();
        let plies = plies(gomoku, "7,7 8,8 9,9 6,6");
        assert_eq!(fair_play.running(other, &plies), None);
    }

    #[test]
    fn a_line_of_boxes_is_anybodys() {
        let board = |cols, rows| Setup::Boxes(boxes::Setup::new(cols, rows).expect("a board"));
        let played = "h:1,0 v:0,0";
        for (moves, is_found) in [
            ("h:1,0 v:0,0", true),
            // Drawn by the others.
            ("v:0,0 h:1,0", true),
            // Mirrored.
            ("h:1,3 v:0,2", true),
            ("h:0,3 v:2,2", false),
            ("v:0,0 h:0,0", false),
        ] {
            check_on(board(3, 3), played, moves, is_found);
        }
        // Along the diagonal, where the board is square.
        check_on(board(3, 3), played, "v:0,1 h:0,0", true);
        check_on(board(2, 3), played, "v:0,1 h:0,0", false);
        check_on(board(2, 3), played, "h:0,0 v:2,0", true);
    }

    #[test]
    fn a_symmetry_maps_the_start_to_itself() {
        let cross = dots::Setup::new(8, 8, dots::Opening::Cross).expect("a board");
        for (moves, is_found) in [
            // A mirror swaps the colours of the cross.
            ("6,0 7,0", true),
            ("7,0 6,0", false),
            ("7,7 6,7", true),
            ("0,0 0,1", true),
        ] {
            check_on(Setup::Dots(cross), "0,0 1,0", moves, is_found);
        }
        let reversi = GameKind::Reversi.default_setup();
        for first_move in ["c4", "d3", "e6", "f5"] {
            check_on(reversi, "c4", first_move, true);
        }
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
