//! Drawing openings: random, quiet and balanced, no two alike.

use super::openings::Opening;
use crate::drive::Table;
use crate::engine::Engines;
use crate::search::{NoEngineError, Searcher};
use std::collections::HashSet;
use tochki_engine::{Limits, Progress, Rng};
use tochki_rules::boxes::{Line, Orientation};
use tochki_rules::{Change, Move, Point, Position, Seat, Setup};

/// The openings that are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpeningOptions {
    pub(crate) setup: Setup,
    pub(crate) plies: usize,
    /// The most that a side may be ahead, in the unit of the game's values.
    pub(crate) balance: f32,
    /// Nodes with which the engine looks at each opening.
    pub(crate) nodes: u64,
}

impl OpeningOptions {
    /// The usual options for a game.
    pub(crate) fn usual(setup: Setup) -> Self {
        let (plies, balance) = match setup {
            Setup::Dots(_) => (8, 1.0),
            // The fewer lines are free, the fewer are left to play for.
            Setup::Boxes(setup) => (usize::from(setup.line_count()) / 6, 1.0),
            Setup::Gomoku(_) => (6, 0.25),
            Setup::Reversi(_) => (10, 4.0),
        };
        Self {
            setup,
            plies,
            balance,
            nodes: 5000,
        }
    }
}

/// Maximum number of tries for an opening. If so many find none, there are none.
const TRIES: usize = 2000;

/// Draws openings, no two of which are the same turned round, mirrored or in another order of moves. They are fewer than `count`
/// if no more are found.
///
/// Without any move there is only the start. Nothing can be captured at once, no box taken and no five made, the sides are equal
/// on points, and if there is an engine, it values neither side ahead by more than [`OpeningOptions::balance`].
pub(crate) fn draw(options: &OpeningOptions, count: usize, seed: u64) -> Vec<Opening> {
    if options.plies == 0 {
        return vec![Opening {
            setup: options.setup,
            moves: Vec::new(),
            value: None,
        }];
    }
    let mut rng = Rng::new(seed);
    let mut engine = Engines::default();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for _ in 0..count.saturating_mul(TRIES) {
        if found.len() == count {
            break;
        }
        let Some(table) = random(options, &mut rng) else {
            continue;
        };
        if !is_quiet(&table.position) || !seen.insert(shape(&table)) {
            continue;
        }
        let value = value(&table.position, options.nodes, &mut engine);
        let balanced = match value {
            Ok(value) => value.abs() <= options.balance,
            Err(NoEngineError) => true,
        };
        if balanced {
            found.push(Opening {
                setup: options.setup,
                moves: table.played.iter().map(|&(_, mv)| mv).collect(),
                value: value.ok(),
            });
        }
    }
    found
}

/// Random moves, near each other where the board is large.
fn random(options: &OpeningOptions, rng: &mut Rng) -> Option<Table> {
    let mut table = Table {
        position: Position::new(&options.setup),
        played: Vec::new(),
    };
    while table.played.len() < options.plies {
        let mut listed = table.position.legal_moves();
        listed.retain(|&mv| is_near(options.setup, &table.played, mv));
        let choice = rng.below(listed.len() as u32) as usize;
        table.play(*listed.get(choice)?);
    }
    table.position.to_move().is_some().then_some(table)
}

/// Returns whether a move is near the middle, if it is the first, or near an earlier one.
fn is_near(setup: Setup, played: &[(Seat, Move)], mv: Move) -> bool {
    let (point, reach, middle) = match (setup, mv) {
        (Setup::Dots(setup), Move::Dots(point)) => {
            (point, 4, Point::new(setup.width() / 2, setup.height() / 2))
        }
        (Setup::Gomoku(setup), Move::Gomoku(point)) => {
            (point, 2, Point::new(setup.size() / 2, setup.size() / 2))
        }
        _ => return true,
    };
    let within =
        |other: Point| point.x.abs_diff(other.x) <= reach && point.y.abs_diff(other.y) <= reach;
    if played.is_empty() {
        return within(middle);
    }
    played.iter().any(|&(_, mv)| match mv {
        Move::Dots(other) | Move::Gomoku(other) => within(other),
        Move::Boxes(_) | Move::Reversi(_) => true,
    })
}

/// Returns whether the sides are equal on points, and neither can gain with one move.
fn is_quiet(position: &Position) -> bool {
    let [first, second] = position.score();
    if matches!(position, Position::Reversi(_)) {
        // The number of discs says little at the start, but a side that is nearly gone has lost.
        return first.min(second) * 3 >= first.max(second);
    }
    let mut tried = position.clone();
    let gains = |change: Change| match change {
        Change::Dots(change) => change.captor.is_some(),
        Change::Boxes(change) => change.count() > 0,
        Change::Gomoku(change) => change.wins,
        Change::Reversi(_) => false,
    };
    first == second
        && position.legal_moves().into_iter().all(|mv| {
            Seat::BOTH.into_iter().all(|seat| {
                let quiet = tried.play_as(seat, mv).is_ok_and(|change| !gains(change));
                tried.undo();
                quiet
            })
        })
}

/// The gain of the side to move, as a short search sees it.
fn value(position: &Position, nodes: u64, engine: &mut Engines) -> Result<f32, NoEngineError> {
    engine.forget();
    engine.begin(position, Limits::nodes(nodes), 1)?;
    while engine.step(nodes) == Progress::Running {}
    Ok(engine.best().moves.first().map_or(0.0, |best| best.value))
}

/// The stones or lines as a sorted list, turned and mirrored so that it is the first of all its forms.
fn shape(table: &Table) -> Vec<(u8, u8, u8)> {
    // Coordinates are doubled, so that a line has the middle between its dots.
    let (width, height) = match table.position.setup() {
        Setup::Dots(setup) => (2 * setup.width() - 2, 2 * setup.height() - 2),
        Setup::Boxes(setup) => (2 * setup.cols(), 2 * setup.rows()),
        Setup::Gomoku(setup) => (2 * setup.size() - 2, 2 * setup.size() - 2),
        Setup::Reversi(_) => (14, 14),
    };
    let places: Vec<_> = table
        .played
        .iter()
        .map(|&(seat, mv)| match mv {
            Move::Dots(Point { x, y })
            | Move::Gomoku(Point { x, y })
            | Move::Reversi(Point { x, y }) => (2 * x, 2 * y, seat.number()),
            // The side that drew a line does not matter.
            Move::Boxes(Line {
                orientation: Orientation::Horizontal,
                x,
                y,
            }) => (2 * x + 1, 2 * y, 0),
            Move::Boxes(Line {
                orientation: Orientation::Vertical,
                x,
                y,
            }) => (2 * x, 2 * y + 1, 0),
        })
        .collect();
    // A rectangle has four forms, a square eight. Reversi's start has four: turned by half, and mirrored at its diagonals;
    // its other forms are those of a game with the colours exchanged, which do not begin with black.
    let square = width == height;
    let forms = (0..8u8).filter(|form| square || form & 4 == 0);
    forms
        .map(|form| {
            let mut places: Vec<_> = places
                .iter()
                .map(|&(x, y, seat)| {
                    let x = if form & 1 == 0 { x } else { width - x };
                    let y = if form & 2 == 0 { y } else { height - y };
                    if form & 4 == 0 {
                        (x, y, seat)
                    } else {
                        (y, x, seat)
                    }
                })
                .collect();
            places.sort_unstable();
            places
        })
        .min()
        .unwrap_or_default()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tochki_rules::GameKind;

    pub(in crate::duel) fn setups() -> [Setup; 5] {
        let read = |kind, setup: &str| {
            Setup::parse(kind, Some(&serde_json::from_str(setup).unwrap())).unwrap()
        };
        [
            read(GameKind::Dots, r#"{"width":12,"height":10}"#),
            read(GameKind::Boxes, r#"{"cols":5,"rows":5}"#),
            read(GameKind::Boxes, r#"{"cols":2,"rows":2}"#),
            read(GameKind::Gomoku, r#"{"size":15}"#),
            GameKind::Reversi.default_setup(),
        ]
    }

    pub(in crate::duel) fn options(setup: Setup) -> OpeningOptions {
        OpeningOptions {
            nodes: 200,
            ..OpeningOptions::usual(setup)
        }
    }

    #[test]
    fn openings_are_legal_quiet_balanced_and_differ() {
        for setup in setups() {
            let options = options(setup);
            let openings = draw(&options, 5, 7);
            // There are few ways to begin with a board of 2 × 2 boxes.
            assert!(openings.len() == 5 || setup == setups()[2], "{setup:?}");
            let mut shapes = HashSet::new();
            for opening in &openings {
                let table = opening.table();
                assert_eq!(table.played.len(), options.plies, "every move is legal");
                assert!(table.position.to_move().is_some());
                assert!(is_quiet(&table.position));
                assert!(
                    opening
                        .value
                        .is_none_or(|value| value.abs() <= options.balance)
                );
                assert!(shapes.insert(shape(&table)));
            }
            assert_eq!(draw(&options, 5, 7), openings, "a seed fixes the openings");
            assert_ne!(draw(&options, 5, 8), openings);
        }
    }

    #[test]
    fn a_board_that_is_not_quiet_is_no_opening() {
        let check = |kind: GameKind, moves: &[&str], quiet: bool| {
            let mut position = Position::new(&kind.default_setup());
            for text in moves {
                let mv = position.parse_move(text).unwrap();
                position.play(mv).unwrap();
            }
            assert_eq!(is_quiet(&position), quiet, "{kind} {moves:?}");
        };
        check(GameKind::Boxes, &["h:0,0", "v:0,0"], true);
        check(GameKind::Boxes, &["h:0,0", "v:0,0", "h:0,1"], false);
        check(GameKind::Dots, &["1,0", "1,1", "0,1", "5,5"], true);
        // Either side could close a line round a dot of the other.
        check(
            GameKind::Dots,
            &["1,0", "1,1", "0,1", "5,5", "2,1", "5,6"],
            false,
        );
        let four = ["5,5", "0,0", "6,5", "1,1", "7,5", "2,2"];
        check(GameKind::Gomoku, &four, true);
        check(GameKind::Gomoku, &[&four[..], &["8,5"]].concat(), false);
    }

    #[test]
    fn turned_and_mirrored_openings_are_one() {
        let of = |moves: &[&str]| {
            let mut table = Table {
                position: Position::new(&GameKind::Gomoku.default_setup()),
                played: Vec::new(),
            };
            for text in moves {
                let mv = table.position.parse_move(text).unwrap();
                table.play(mv);
            }
            shape(&table)
        };
        assert_eq!(of(&["1,2", "3,4", "5,6"]), of(&["6,5", "4,3", "2,1"]));
        assert_eq!(of(&["1,2", "3,4"]), of(&["17,2", "15,4"]));
        assert_ne!(of(&["1,2", "3,4"]), of(&["3,4", "1,2"]), "colours matter");
    }
}
