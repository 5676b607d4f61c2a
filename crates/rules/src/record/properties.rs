//! What is written reads back, and nothing that anybody writes breaks the reader.

use super::{How, PlacedDot, Reading, Record, Side, Verdict, read};
use crate::dots::{Dots, Opening, Point, Setup};
use crate::{Game as _, Seat};
use proptest::prelude::*;

fn seats() -> impl Strategy<Value = Seat> {
    prop_oneof![Just(Seat::First), Just(Seat::Second)]
}

fn setups() -> impl Strategy<Value = Setup> {
    let openings = prop_oneof![
        Just(Opening::Empty),
        Just(Opening::Cross),
        Just(Opening::FourCrosses)
    ];
    (1..=50_u8, 1..=50_u8, openings)
        .prop_filter_map("an opening that does not fit", |(width, height, start)| {
            Setup::new(width, height, start).ok()
        })
}

fn verdicts() -> impl Strategy<Value = Verdict> {
    let how = prop_oneof![
        any::<u32>().prop_map(How::Points),
        Just(How::Resignation),
        Just(How::Time),
        Just(How::Forfeit),
        Just(How::Untold),
    ];
    let won = (seats(), how).prop_map(|(by, how)| Verdict::Won { by, how });
    prop_oneof![Just(Verdict::Draw), won]
}

/// One line of whatever characters there are.
fn lines() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|text| {
        let one_line = |c: char| if c.is_whitespace() { ' ' } else { c };
        text.chars().map(one_line).collect()
    })
}

fn sides() -> impl Strategy<Value = Side> {
    (lines(), lines()).prop_map(|(name, rank)| Side { name, rank })
}

/// Dots of both sides in any order on any points; those that may not be played are left out.
///
/// Single dots before the first move stand only on an otherwise empty board, and are at most three: more might happen to
/// be an opening, and would be read as one.
fn records() -> impl Strategy<Value = Record> {
    let dots = prop::collection::vec((seats(), 0..50_u8, 0..50_u8), 0..400);
    let words = (
        lines(),
        any::<String>().prop_map(|text| text.replace('\r', "")),
    );
    let told = ([sides(), sides()], prop::option::of(verdicts()), words);
    (setups(), dots, 0..4_usize, told).prop_map(
        |(setup, dots, before, (sides, verdict, (date, comment)))| {
            let alone = setup.start() == Opening::Empty;
            let mut position = Dots::new(&setup);
            let before = if alone { before.min(dots.len()) } else { 0 };
            let (start, moves) = dots.split_at(before);
            let mut start = start.to_vec();
            start.sort_by_key(|dot| dot.0);
            let mut place = |dots: &[(Seat, u8, u8)]| -> Vec<PlacedDot> {
                let placed = dots.iter().filter_map(|&(seat, x, y)| {
                    let point = Point::new(x, y);
                    position.play_as(seat, point).ok()?;
                    Some(PlacedDot { seat, point })
                });
                placed.collect()
            };
            Record {
                setup,
                start: place(&start),
                plies: place(moves),
                sides,
                verdict,
                date,
                comment,
            }
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_reads_back(record in records()) {
        let reading = Reading { record: record.clone(), stop: None };
        prop_assert_eq!(read(&record.to_string()), Ok(reading));
    }

    #[test]
    fn no_text_breaks_the_reader(text in any::<String>()) {
        let _ = read(&text);
    }

    /// What is nearly SGF goes deeper than what is not.
    #[test]
    fn no_near_miss_breaks_the_reader(text in r"\(;GM\[40\](SZ\[[0-9:]{1,5}\])?([;()\[\]\\:.a-zA-Z]|A?[BW]\[[a-eA-B:]{0,5}\]|\PC){0,60}") {
        if let Ok(Reading { record, .. }) = read(&text) {
            let again = read(&record.to_string()).expect("what was read can be written");
            prop_assert_eq!(again.stop, None);
        }
    }
}
