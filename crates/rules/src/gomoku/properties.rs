//! Properties of every game of Gomoku.

use super::{Gomoku, Rule, Setup};
use crate::properties::{ListMoves, check_properties, choices, random_moves};
use crate::{Ending, Game, Illegal, Point, Seat};
use proptest::prelude::*;
use std::collections::BTreeSet;

impl ListMoves for Gomoku {
    fn moves(&self, _: Seat) -> Vec<Point> {
        self.free_points().collect()
    }

    fn places(&self) -> Vec<Point> {
        let side = self.setup.size() + 2;
        (0..side)
            .flat_map(|y| (0..side).map(move |x| Point::new(x, y)))
            .chain([Point::new(255, 0), Point::new(0, 255)])
            .collect()
    }
}

fn setups() -> impl Strategy<Value = Setup> {
    (5..9_u8, 0..2_usize).prop_map(|(size, rule)| Setup::new(size, Rule::ALL[rule]).unwrap())
}

/// All stones in rows that win, found by looking at every row of the board from end to end.
fn winning(gomoku: &Gomoku) -> BTreeSet<Point> {
    let size = i16::from(gomoku.setup.size());
    let mut found = BTreeSet::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        let before = |(x, y): (i16, i16)| (x - dx, y - dy);
        let on_board = |(x, y): (i16, i16)| (0..size).contains(&x) && (0..size).contains(&y);
        let all = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
        for start in all.filter(|&place| !on_board(before(place))) {
            let line: Vec<_> = std::iter::successors(Some(start), |&(x, y)| Some((x + dx, y + dy)))
                .take_while(|&place| on_board(place))
                .map(|(x, y)| Point::new(x as u8, y as u8))
                .collect();
            for row in line.chunk_by(|a, b| gomoku.stone(*a) == gomoku.stone(*b)) {
                let stones = gomoku.stone(row[0]).is_some();
                if stones && gomoku.setup.rule().wins(row.len() as u8) {
                    found.extend(row);
                }
            }
        }
    }
    found
}

proptest! {
    #[test]
    fn it_keeps_the_laws_of_all_games(setup in setups(), choices in choices(70)) {
        check_properties::<Gomoku>(&setup, &random_moves::<Gomoku>(&setup, &choices));
    }

    #[test]
    fn a_win_is_seen_when_it_is_made(setup in setups(), choices in choices(70)) {
        let mut gomoku = Gomoku::new(&setup);
        for (seat, point) in random_moves::<Gomoku>(&setup, &choices) {
            let change = gomoku.play_as(seat, point).unwrap();
            prop_assert_eq!((change.seat, change.point), (seat, point));
            let expected = winning(&gomoku);
            let points: Vec<_> = gomoku.winning_rows().into_iter().flat_map(super::WinningRows::points).collect();
            prop_assert_eq!(points.len(), expected.len(), "each stone once");
            prop_assert_eq!(points.into_iter().collect::<BTreeSet<_>>(), expected.clone());
            prop_assert_eq!(change.wins, !expected.is_empty());
            let full = setup.points().all(|point| gomoku.stone(point).is_some());
            let ending = if change.wins {
                Some((Some(seat), Ending::FiveInRow))
            } else {
                full.then_some((None, Ending::BoardFull))
            };
            prop_assert_eq!(gomoku.outcome().map(|outcome| (outcome.winner, outcome.ending)), ending);
            prop_assert_eq!(gomoku.to_move(), ending.is_none().then_some(seat.other()));
            prop_assert_eq!(gomoku.score()[seat.index()], u32::from(change.wins));
            prop_assert_eq!(gomoku.score()[seat.other().index()], 0);
        }
    }

    #[test]
    fn a_stone_stays(setup in setups(), choices in choices(30)) {
        let mut gomoku = Gomoku::new(&setup);
        for (seat, point) in random_moves::<Gomoku>(&setup, &choices) {
            gomoku.play_as(seat, point).unwrap();
            prop_assert_eq!(gomoku.stone(point), Some(seat));
            prop_assert_eq!(gomoku.play(point), Err(Illegal::Occupied));
        }
    }
}
