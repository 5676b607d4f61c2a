//! Tests of the finder: it finds the expected puzzles, and each puzzle that comes with the arena has one solution.

use tochki_puzzles::finder::{Finder, SearchBudget, play};
use tochki_puzzles::{Puzzle, Theme, Verdict};
use tochki_rules::{GameKind, Move, Position, Setup};

fn moves(setup: Setup, text: &str) -> Vec<Move> {
    let start = Position::new(&setup);
    let read = |word| start.parse_move(word).unwrap();
    text.split_whitespace().map(read).collect()
}

#[test]
fn a_seed_fixes_the_games_and_the_puzzles() {
    let all = || {
        let mut finder = Finder::new(SearchBudget::FIND);
        let games = (0..40).map(|number| play(GameKind::Reversi, 7, number));
        let puzzles = games.flat_map(|(setup, moves)| finder.find(&setup, &moves));
        puzzles.collect::<Vec<_>>()
    };
    let found = all();
    assert!(!found.is_empty());
    assert_eq!(found, all());
    for puzzle in found {
        let solved = puzzle.judge(&puzzle.solution());
        assert!(matches!(solved, Ok(Verdict::Solved { .. })), "{puzzle}");
    }
}

#[test]
fn a_sample_of_the_seed_has_one_solution() {
    let mut finder = Finder::new(SearchBudget::FIND);
    let mut checked = 0;
    for notation in tochki_puzzles::seed().step_by(41) {
        let puzzle: Puzzle = notation.parse().unwrap();
        // In Gomoku each other move is a search of its own, which takes seconds without optimization.
        if puzzle.setup().kind() != GameKind::Gomoku {
            assert!(finder.confirms(&puzzle), "{puzzle}");
            checked += 1;
        }
    }
    assert!(checked >= 10);
}

#[test]
fn position_with_two_winning_moves_is_no_puzzle() {
    // Red has an open three: an open four at either end wins.
    let setup = GameKind::Gomoku.default_setup();
    let moves = moves(setup, "8,9 0,0 9,9 0,2 10,9 0,4");
    let mut finder = Finder::new(SearchBudget::FIND);
    let line = vec![Position::new(&setup).parse_move("11,9").unwrap()];
    let puzzle = Puzzle::new(setup, (Theme::Fours, 900), moves, line, Vec::new()).unwrap();
    assert!(!finder.confirms(&puzzle));
}
