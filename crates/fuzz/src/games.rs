//! Any bytes at all as a game of any kind but Dots, which has a target of its own: moves of either side, refused moves and undos.
//! Every undo has to restore the position before, and every move has to read back as it is written.

use std::fmt::Debug;
use tochki_rules::{
    Game, Point, Seat,
    boxes::{self, Boxes, Line},
    gomoku::{self, Gomoku, Rule},
    reversi::{self, Reversi},
};

pub(crate) fn run(bytes: &[u8]) {
    let Some((&[which, size], game)) = bytes.split_first_chunk() else {
        return;
    };
    // Places reach a little beyond each board, so that some moves are beyond it.
    match which % 3 {
        0 => {
            let setup = boxes::Setup::new(size % 10 + 1, size / 10 % 10 + 1);
            play::<Boxes>(&setup.unwrap(), game, |place| {
                Line::in_row(place / 12, place % 12)
            });
        }
        1 => {
            let setup = gomoku::Setup::new(size % 11 + 5, Rule::ALL[usize::from(size / 128)]);
            play::<Gomoku>(&setup.unwrap(), game, |place| {
                Point::new(place % 16, place / 16)
            });
        }
        _ => play::<Reversi>(&reversi::Setup::DEFAULT, game, |place| {
            Point::new(place % 9, place / 9 % 9)
        }),
    }
}

fn play<G>(setup: &G::Setup, bytes: &[u8], read: impl Fn(u8) -> G::Move)
where
    G: Game<Move: Debug + PartialEq> + Debug + PartialEq,
{
    let mut game = G::new(setup);
    let mut past: Vec<(G, G::Move)> = Vec::new();
    for &[what, place] in bytes.as_chunks().0 {
        if what >= 0xE0 {
            undo(&mut game, &mut past);
            continue;
        }
        let mv = read(place);
        assert_eq!(G::parse_move(&mv.to_string()), Ok(mv));
        let before = game.clone();
        // Moves are mostly in turn, so that games come to their ends.
        let seat = match (what, game.to_move()) {
            (0x20.., Some(turn)) => turn,
            _ => Seat::BOTH[usize::from(what % 2)],
        };
        if game.play_as(seat, mv).is_ok() {
            assert_eq!(before.outcome(), None, "nothing is played after the end");
            assert_eq!(game.to_move().is_none(), game.outcome().is_some());
            assert!(game.progress() >= before.progress() && game.progress() <= 100);
            past.push((before, mv));
        } else {
            assert_eq!(game, before);
        }
    }
    while !past.is_empty() {
        undo(&mut game, &mut past);
    }
    assert_eq!(game, G::new(setup));
}

fn undo<G>(game: &mut G, past: &mut Vec<(G, G::Move)>)
where
    G: Game<Move: Debug + PartialEq> + Debug + PartialEq,
{
    let undone = game.undo();
    match past.pop() {
        Some((before, mv)) => {
            assert_eq!(undone, Some(mv));
            assert_eq!(*game, before);
        }
        None => assert_eq!(undone, None),
    }
}
