//! Any bytes at all as a game of Dots: moves of either side, refused moves and undos, held against the slow reference.

use tochki_rules::{
    Game, Illegal, Seat,
    dots::{Dots, Opening, Point, PointState, Setup},
};

// The reference is a test-only module of the library; it uses nothing but the imports above.
#[path = "../../rules/src/dots/reference.rs"]
mod reference;

use reference::Reference;

pub(crate) fn run(bytes: &[u8]) {
    let Some((&[width, height, start], game)) = bytes.split_first_chunk() else {
        return;
    };
    let Ok(setup) = Setup::new(
        width % 14 + 1,
        height % 14 + 1,
        Opening::ALL[usize::from(start % 3)],
    ) else {
        return;
    };
    let mut dots = Dots::new(&setup);
    let mut past = vec![(dots.clone(), Reference::new(setup))];

    for &[what, place] in game.as_chunks().0 {
        if what >= 0xE0 {
            undo(&mut dots, &mut past);
        } else {
            let seat = Seat::BOTH[usize::from(what % 2)];
            // One row and one column more than the board has, so that some moves are beyond it.
            let (columns, rows) = (setup.width() + 1, setup.height() + 1);
            let point = Point::new(place % columns, place / columns % rows);
            play(&mut dots, &mut past, seat, point);
        }
    }
    while past.len() > 1 {
        undo(&mut dots, &mut past);
    }
}

fn play(dots: &mut Dots, past: &mut Vec<(Dots, Reference)>, seat: Seat, point: Point) {
    let (before, reference) = past.last().unwrap();
    match dots.play_as(seat, point) {
        Ok(change) => {
            let mut reference = reference.clone();
            let captured = reference.play(seat, point);
            assert_eq!(dots.captures_of(&change).len(), captured.len());
            assert!(
                captured
                    .iter()
                    .all(|captured| Some(captured.seat) == change.captor)
            );
            assert_same(dots, &reference);
            past.push((dots.clone(), reference));
        }
        Err(illegal) => {
            assert_eq!(illegal == Illegal::OffBoard, !dots.setup().contains(point));
            assert!(!reference.is_free(point));
            assert_eq!(dots, before);
        }
    }
}

fn undo(dots: &mut Dots, past: &mut Vec<(Dots, Reference)>) {
    let at_start = past.len() == 1;
    assert_eq!(dots.undo().is_none(), at_start);
    if !at_start {
        past.pop();
    }
    assert_eq!(*dots, past.last().unwrap().0);
}

fn assert_same(dots: &Dots, reference: &Reference) {
    for point in dots.setup().points() {
        let PointState { dot, area } = dots.at(point);
        assert_eq!(
            (dot.map(|dot| (dot.seat, dot.alive)), area),
            reference.point_state(point),
            "at {point}"
        );
        assert_eq!(
            dots.is_free(point).is_ok(),
            reference.is_free(point),
            "at {point}"
        );
    }
    assert_eq!(dots.score(), reference.score());
    let held: u32 = dots.enclosures().map(|enclosure| enclosure.dead()).sum();
    assert_eq!(held, dots.score().iter().sum::<u32>());
}
