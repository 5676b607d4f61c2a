//! Properties of all forms: a game that is written reads back, and no bytes at all make a reader panic, go on without end, or give
//! a record whose moves cannot be played.

use crate::builder::Builder;
use crate::{Form, GameRecord, Options, Placed, WriteError, Writer, read, wthor};
use proptest::prelude::*;
use std::io::Cursor;
use tochki_rules::record::{GameResult, RecordPlayer, WinReason};
use tochki_rules::{GameKind, Position, Seat, Setup, boxes, dots, gomoku, reversi};

fn setup() -> impl Strategy<Value = Setup> {
    prop_oneof![
        (5..20_u8, 5..20_u8, 0..2_usize).prop_map(|(width, height, opening)| {
            let opening = dots::Opening::ALL[opening];
            Setup::Dots(dots::Setup::new(width, height, opening).unwrap())
        }),
        (1..6_u8, 1..6_u8)
            .prop_map(|(cols, rows)| Setup::Boxes(boxes::Setup::new(cols, rows).unwrap())),
        (5..=22_u8, 0..2_usize).prop_map(|(size, rule)| {
            Setup::Gomoku(gomoku::Setup::new(size, gomoku::Rule::ALL[rule]).unwrap())
        }),
        Just(Setup::Reversi(reversi::Setup::DEFAULT)),
    ]
}

fn result() -> impl Strategy<Value = Option<GameResult>> {
    prop_oneof![
        Just(None),
        Just(Some(GameResult::Draw)),
        (any::<bool>(), 0..4_u8, 1..32_u32).prop_map(|(first, how, points)| {
            let how = match how {
                0 => WinReason::Points((2 * points).into()),
                1 => WinReason::Resignation,
                2 => WinReason::Time,
                _ => WinReason::Unknown,
            };
            let by = if first { Seat::First } else { Seat::Second };
            Some(GameResult::Won { by, how })
        }),
    ]
}

/// A game in turn, with at least one move: each number chooses one of the legal moves.
fn game() -> impl Strategy<Value = GameRecord> {
    let text = "[A-Za-zЀ-я一-十 .\\\\\\]]{0,12}";
    let texts = (text, text, "[0-9]{0,4}", text, text);
    (
        setup(),
        prop::collection::vec(any::<u16>(), 1..70),
        texts,
        result(),
        any::<bool>(),
    )
        .prop_map(
            |(setup, choices, (black, white, rank, event, comment), result, has_times)| {
                let mut builder = Builder::line(setup);
                for choice in choices {
                    let moves = builder.position().legal_moves();
                    let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else {
                        break;
                    };
                    let seat = builder.turn();
                    let time = has_times.then(|| u64::from(choice));
                    builder.play_as(Placed { seat, mv }, time).unwrap();
                }
                let player = |name: String, rank| RecordPlayer {
                    name: name.trim().to_owned(),
                    rank,
                };
                let record = &mut builder.record;
                record.players = [player(black, rank), player(white, String::new())];
                record.event = event.trim().to_owned();
                record.comment = comment.trim().to_owned();
                record.date = "2026-11-27".to_owned();
                record.result = result;
                builder.finish()
            },
        )
}

fn written(form: Form, record: &GameRecord) -> Result<Vec<u8>, WriteError> {
    let mut writer = Writer::new(form, Vec::new());
    writer.write(record)?;
    writer.finish()
}

fn options(setup: Setup) -> Options {
    match setup {
        Setup::Gomoku(gomoku) => Options {
            gomoku,
            ..Options::default()
        },
        Setup::Boxes(boxes) => Options {
            boxes,
            ..Options::default()
        },
        _ => Options::default(),
    }
}

fn all(form: Form, bytes: &[u8], setup: Setup) -> Vec<GameRecord> {
    read(form, bytes, options(setup))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

fn moves(record: &GameRecord) -> Vec<Placed> {
    let moves = record.main_line().iter();
    moves
        .map(|mv| Placed {
            seat: mv.seat,
            mv: mv.mv,
        })
        .collect()
}

/// Replays all variations: every move of a record can be played after those before it.
fn replays(record: &GameRecord) {
    for place in (0..record.moves.len()).rev().take(50) {
        let mut line = Vec::new();
        let mut at = Some(place);
        while let Some(place) = at {
            let mv = &record.moves[place];
            assert!(mv.after.is_none_or(|before| before < place));
            line.push(mv);
            at = mv.after;
        }
        let mut position = Position::new(&record.setup);
        for placed in &record.start {
            position.play_as(placed.seat, placed.mv).unwrap();
        }
        for mv in line.into_iter().rev() {
            position.play_as(mv.seat, mv.mv).unwrap();
        }
    }
    for (place, mv) in record.main_line().iter().enumerate() {
        assert_eq!(mv.after, place.checked_sub(1));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_game_reads_back_from_every_form(record in game()) {
        for form in Form::ALL.into_iter().filter(|form| form.writes(record.kind()) && *form != Form::Wthor) {
            let bytes = written(form, &record).unwrap();
            // Twice, as two games of one file.
            let games = all(form, &[bytes.clone(), bytes.clone()].concat(), record.setup);
            prop_assert_eq!(games.len(), 2);
            for game in &games {
                prop_assert_eq!(game.setup, record.setup);
                prop_assert_eq!(moves(game), moves(&record));
                prop_assert_eq!(game.stop, None);
            }
            // A game that was read is written in the same way again.
            prop_assert_eq!(written(form, &games[1]).unwrap(), bytes);
        }
    }

    #[test]
    fn sgf_and_json_keep_everything(record in game()) {
        let sgf = all(Form::Sgf, &written(Form::Sgf, &record).unwrap(), record.setup).remove(0);
        let without_times = |record: &GameRecord| {
            let mut record = record.clone();
            record.moves.iter_mut().for_each(|mv| mv.time = None);
            // A rule that is not the usual one has its name there.
            record.rules.clear();
            record
        };
        prop_assert_eq!(without_times(&sgf), without_times(&record));
        let json = all(Form::Json, &written(Form::Json, &record).unwrap(), record.setup).remove(0);
        prop_assert_eq!(json, record);
    }

    #[test]
    fn wthor_keeps_names_and_moves(records in prop::collection::vec(game(), 1..5)) {
        let mut writer = wthor::Writer::new(Cursor::new(Vec::new())).unwrap();
        let mut expected = Vec::new();
        for record in records {
            let done = writer.write(&record);
            prop_assert_eq!(done.is_ok(), record.kind() == GameKind::Reversi);
            if done.is_ok() {
                expected.push(moves(&record));
            }
        }
        let (file, players, tournaments) = writer.finish(1_795_766_400).unwrap();
        let names = wthor::Names::default().with_players(&*players).unwrap().with_tournaments(&*tournaments).unwrap();
        let bytes = file.into_inner();
        let games = read(Form::Wthor, &*bytes, Options { names, ..Options::default() }).unwrap();
        let found: Vec<_> = games.map(|game| moves(&game.unwrap())).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn variations_read_back(setup in setup(), steps in prop::collection::vec((any::<u16>(), 0..5_usize), 1..60)) {
        let mut builder = Builder::tree(setup);
        let mut has_main_line = false;
        for (choice, back) in steps {
            if back > 3 {
                if !has_main_line {
                    builder.end_main_line();
                    has_main_line = true;
                }
                let mut last = builder.last();
                for _ in 0..choice % 6 {
                    last = last.and_then(|last| builder.record.moves[last].after);
                }
                builder.go_back_to(last);
            }
            let moves = builder.position().legal_moves();
            let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else {
                continue;
            };
            let seat = builder.turn();
            builder.play_as(Placed { seat, mv }, None).unwrap();
            if choice % 7 == 0 {
                builder.comment("a ] b");
            }
        }
        if !has_main_line {
            builder.end_main_line();
        }
        let record = builder.finish();
        let text = written(Form::Sgf, &record).unwrap();
        let again = all(Form::Sgf, &text, setup).remove(0);
        prop_assert_eq!(again.moves.len(), record.moves.len());
        prop_assert_eq!(moves(&again), moves(&record));
        replays(&again);
        // The same tree may have its moves in another order.
        prop_assert_eq!(written(Form::Sgf, &again).unwrap(), text);
    }

    #[test]
    fn no_bytes_break_a_reader(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        check_hostile(&bytes);
    }

    #[test]
    fn no_text_breaks_a_reader(text in "[ -~\\n\\r\\[\\]();:/<>\"=&Ё]{0,300}") {
        check_hostile(text.as_bytes());
    }

    #[test]
    fn nothing_near_a_game_breaks_a_reader(record in game(), at in any::<usize>(), byte in any::<u8>(), cut in any::<bool>()) {
        for form in Form::ALL.into_iter().filter(|form| form.writes(record.kind()) && *form != Form::Wthor) {
            let mut bytes = written(form, &record).unwrap();
            let at = at % bytes.len();
            if cut {
                bytes.truncate(at);
            } else {
                bytes[at] = byte;
            }
            check_hostile(&bytes);
        }
    }
}

/// Reads any bytes in every form.
fn check_hostile(bytes: &[u8]) {
    for form in Form::ALL {
        let Ok(games) = read(form, bytes, Options::default()) else {
            continue;
        };
        let mut count = 0;
        for game in games {
            count += 1;
            assert!(count <= bytes.len() + 1, "{form} goes on without end");
            if let Ok(game) = game {
                replays(&game);
            }
        }
    }
}
