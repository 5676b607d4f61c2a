//! Properties of every game of Reversi.

use super::reference::{Reference, squares};
use super::{Reversi, Setup};
use crate::properties::{ListMoves, check_properties, choices, random_moves};
use crate::{Game, Illegal, MoveError, Outcome, Point, Seat};
use proptest::prelude::*;

impl ListMoves for Reversi {
    fn moves(&self, seat: Seat) -> Vec<Point> {
        self.legal(seat).into_iter().collect()
    }

    fn places(&self) -> Vec<Point> {
        (0..10)
            .flat_map(|y| (0..10).map(move |x| Point::new(x, y)))
            .collect()
    }
}

#[track_caller]
fn assert_same(reversi: &Reversi, reference: &Reference) {
    assert_eq!(&Reference::of(reversi), reference);
    assert_eq!(reversi.score(), reference.score());
    for seat in Seat::BOTH {
        let legal: Vec<_> = reversi.legal(seat).into_iter().collect();
        assert_eq!(legal, reference.legal(seat), "{seat:?}");
    }
}

proptest! {
    #[test]
    fn it_keeps_the_laws_of_all_games(choices in choices(64)) {
        let moves = random_moves::<Reversi>(&Setup::DEFAULT, &choices);
        check_properties::<Reversi>(&Setup::DEFAULT, &moves);
    }

    #[test]
    fn every_move_does_what_the_rule_says(choices in choices(64)) {
        let mut reversi = Reversi::new(&Setup::DEFAULT);
        let mut reference = Reference::of(&reversi);
        assert_same(&reversi, &reference);
        for (seat, point) in random_moves::<Reversi>(&Setup::DEFAULT, &choices) {
            for place in squares() {
                let expected = reference.flips(seat, place);
                match reversi.preview(seat, place, |_, change| change.flipped) {
                    Ok(flipped) => prop_assert_eq!(flipped.into_iter().collect::<Vec<_>>(), expected),
                    Err(Illegal::FlipsNothing) => {
                        prop_assert!(reversi.disc(place).is_none() && expected.is_empty());
                    }
                    Err(why) => prop_assert!(why == Illegal::Occupied && reversi.disc(place).is_some()),
                }
            }
            let discs: u32 = reversi.score().iter().sum();
            let change = reversi.play_as(seat, point).unwrap();
            reference.play(seat, point);
            assert_same(&reversi, &reference);
            prop_assert_eq!((change.seat, change.point), (seat, point));
            prop_assert_eq!(reversi.score().iter().sum::<u32>(), discs + 1);
            prop_assert!(change.flipped.into_iter().all(|point| reversi.disc(point) == Some(seat)));

            let can = |seat| !reference.legal(seat).is_empty();
            let turn = [seat.other(), seat].into_iter().find(|&seat| can(seat));
            prop_assert_eq!(reversi.to_move(), turn);
            prop_assert_eq!(reversi.passed(), turn == Some(seat));
            prop_assert_eq!(change.passed, turn == Some(seat));
            let winner = reversi.outcome().map(|Outcome { winner, .. }| winner);
            let [black, white] = reversi.score();
            let expected = if black == white { None } else { Some(Seat::BOTH[usize::from(white > black)]) };
            prop_assert_eq!(winner, turn.is_none().then_some(expected));
        }
    }

    #[test]
    fn a_letter_and_a_number_are_a_square(x in 0..8_u8, y in 0..8_u8) {
        let point = Point::new(x, y);
        let name = format!("{}{}", char::from(b'a' + x), y + 1);
        prop_assert_eq!(Reversi::parse_move(&name), Ok(point));
        prop_assert_eq!(Reversi::parse_move(&name.to_uppercase()), Ok(point));
        prop_assert_eq!(Reversi::parse_move(&point.to_string()), Ok(point));
    }
}

/// The games of so many plies. A forced pass is no ply of its own.
fn perft(reversi: &mut Reversi, depth: u32) -> u64 {
    let Some(seat) = reversi.to_move() else {
        return 1;
    };
    let legal = reversi.legal(seat);
    if depth == 1 {
        return u64::from(legal.len());
    }
    let after = |point| {
        reversi.play(point).expect("a legal move");
        let games = perft(reversi, depth - 1);
        reversi.undo();
        games
    };
    legal.into_iter().map(after).sum()
}

/// The well-known numbers of games of 1 to 9 plies. Where a forced pass counts as a ply, the last is 3 005 288.
const GAMES: [u64; 9] = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_320];

#[test]
fn there_are_so_many_games() {
    let mut reversi = Reversi::new(&Setup::DEFAULT);
    for (depth, games) in (1..).zip(GAMES) {
        assert_eq!(perft(&mut reversi, depth), games, "depth {depth}");
    }
    assert_eq!(reversi, Reversi::new(&Setup::DEFAULT));
}

#[test]
fn what_is_no_square_is_off_the_board_or_malformed() {
    let read = |text| Reversi::parse_move(text);
    for text in [" D3 ", "d03", "3,2", " 3 , 2 "] {
        assert_eq!(read(text), Ok(Point::new(3, 2)), "{text:?}");
    }
    for text in ["d0", "d257", "z99999999999999999999", "-1,3", "256,0"] {
        let off_board = Err(MoveError::Illegal(Illegal::OffBoard));
        assert_eq!(read(text), off_board, "{text:?}");
    }
    for text in ["i3", "d9", "8,0", "0,8"] {
        let point = read(text).unwrap();
        let mut reversi = Reversi::new(&Setup::DEFAULT);
        assert_eq!(reversi.play(point), Err(Illegal::OffBoard), "{text:?}");
    }
    for text in [
        "", "d", "3", "dd3", "d3d", "3d", "d-3", "d+3", "d 3", "д3", "d,3", "--",
    ] {
        assert_eq!(read(text), Err(MoveError::Malformed), "{text:?}");
    }
}
