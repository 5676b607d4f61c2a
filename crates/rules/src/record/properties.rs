//! Properties: a written record can be parsed, and no text makes the parser panic.

use super::{
    Dialect, GameResult, ParsedRecord, PlacedDot, Record, RecordPlayer, WinReason, letters, parse,
    parse_variations,
};
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

fn results() -> impl Strategy<Value = GameResult> {
    let how = prop_oneof![
        any::<u32>().prop_map(|points| WinReason::Points(points.into())),
        (0..100_000_u32).prop_map(|n| WinReason::Points(
            format!("{}.{:02}", n / 100, n % 100).parse().unwrap()
        )),
        Just(WinReason::Resignation),
        Just(WinReason::Time),
        Just(WinReason::Forfeit),
        Just(WinReason::Unknown),
    ];
    let won = (seats(), how).prop_map(|(by, how)| GameResult::Won { by, how });
    prop_oneof![Just(GameResult::Draw), won]
}

/// One line of any characters.
fn lines() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|text| {
        let one_line = |c: char| if c.is_whitespace() { ' ' } else { c };
        text.chars().map(one_line).collect()
    })
}

fn players() -> impl Strategy<Value = RecordPlayer> {
    (lines(), lines()).prop_map(|(name, rank)| RecordPlayer { name, rank })
}

/// Records with dots of both sides in any order on any points, without illegal moves.
///
/// Dots before the first move are only on an otherwise empty board, and at most three: four may be parsed as an opening.
fn records() -> impl Strategy<Value = Record> {
    let dots = prop::collection::vec((seats(), 0..50_u8, 0..50_u8), 0..400);
    let words = (
        lines(),
        any::<String>().prop_map(|text| text.replace('\r', "")),
    );
    let told = ([players(), players()], prop::option::of(results()), words);
    (setups(), dots, 0..4_usize, told).prop_map(
        |(setup, dots, before, (players, result, (date, comment)))| {
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
                players,
                result,
                date,
                comment,
            }
        },
    )
}

/// Games without words, in which the sides alternate.
fn crowded_records() -> impl Strategy<Value = Record> {
    let dots = prop::collection::vec((0..9_u8, 0..9_u8), 0..300);
    (3..=9_u8, 3..=9_u8, dots).prop_map(|(width, height, points)| {
        let setup = Setup::new(width, height, Opening::Empty).expect("a board");
        let mut position = Dots::new(&setup);
        let played = points.into_iter().filter_map(|(x, y)| {
            let (seat, point) = (position.to_move()?, Point::new(x, y));
            position.play_as(seat, point).ok()?;
            Some(PlacedDot { seat, point })
        });
        Record {
            plies: played.collect(),
            setup,
            start: Vec::new(),
            players: Default::default(),
            result: None,
            date: String::new(),
            comment: String::new(),
        }
    })
}

fn points(line: &str) -> Vec<Point> {
    let pairs = line.as_bytes().chunks(2);
    let point = |pair| letters::read(std::str::from_utf8(pair).ok()?);
    pairs.map(|pair| point(pair).expect("a point")).collect()
}

proptest! {
    #[test]
    fn written_records_can_be_parsed(record in records()) {
        let parsed = ParsedRecord { record, invalid_move: None };
        for dialect in Dialect::ALL {
            let text = parsed.record.written_as(dialect);
            prop_assert_eq!(parse(&text), Ok(parsed.clone()), "{}", text);
        }
        prop_assert_eq!(parsed.record.to_string(), parsed.record.written_as(Dialect::Tochki));
    }

    /// Games on small boards, where most dots are captured sooner or later.
    #[test]
    fn lines_of_captures_are_closed_lines_of_live_dots(record in crowded_records()) {
        let text = record.written_as(Dialect::Zagram);
        let parsed = ParsedRecord { record: record.clone(), invalid_move: None };
        prop_assert_eq!(parse(&text), Ok(parsed.clone()), "{}", text);
        let moves = text.split(";B[").flat_map(|part| part.split(";W[")).skip(1);
        let values: Vec<&str> = moves.map(|value| value.split(']').next().unwrap()).collect();
        prop_assert_eq!(values.len(), record.plies.len());
        let mut position = Dots::new(&record.setup);
        for (dot, value) in record.plies.iter().zip(values) {
            let change = position.play_as(dot.seat, dot.point).unwrap();
            let mut lines = value.split('.');
            prop_assert_eq!(lines.next().and_then(letters::read), Some(dot.point));
            let lines: Vec<Vec<Point>> = lines.map(points).collect();
            prop_assert_eq!(!lines.is_empty(), change.captor == Some(dot.seat), "{}", text);
            for line in lines {
                prop_assert!(line.len() > 4 && line.first() == line.last(), "{value}");
                prop_assert!(line.contains(&dot.point), "{value}");
                let uppermost = line.iter().min_by_key(|point| (point.y, point.x));
                prop_assert_eq!(uppermost, line.first());
                for step in line.windows(2) {
                    let far = step[0].x.abs_diff(step[1].x).max(step[0].y.abs_diff(step[1].y));
                    prop_assert_eq!(far, 1, "{}", value);
                    prop_assert_eq!(position.live(step[0]), Some(dot.seat));
                }
            }
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in any::<String>()) {
        let _ = parse(&text);
    }

    /// Nearly valid SGF covers more of the parser than random text.
    #[test]
    fn no_nearly_valid_sgf_makes_the_parser_panic(text in r"\(;GM\[40\](SZ\[[0-9:]{1,5}\])?([;()\[\]\\:.a-zA-Z]|A?[BW]\[[a-eA-B:]{0,5}\]|\PC){0,60}") {
        if let Ok(ParsedRecord { record, .. }) = parse(&text) {
            let again = parse(&record.to_string()).expect("a parsed record can be written");
            prop_assert_eq!(again.invalid_move, None);
            let variations = parse_variations(&text).expect("variations of a record");
            let rewritten = record.with_variations(&variations);
            prop_assert_eq!(parse_variations(&rewritten), Ok(variations), "{}", rewritten);
        }
    }
}
