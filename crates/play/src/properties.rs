//! Property tests: invariants of every match, whatever the players and the clock do.

use super::{
    ClockRule, Command, Decision, Event, Match, Millis, OfferKind, Pace, Refusal, Terms, Timestamp,
};
use proptest::prelude::*;
use tochki_rules::{GameKind, Position, Seat, Setup, boxes, dots, gomoku};

/// Returns small boards of all games, so that matches come to their ends.
fn setups() -> impl Strategy<Value = Setup> {
    let dots = |side| dots::Setup::new(side, side, dots::Opening::Empty).expect("a small board");
    prop_oneof![
        (3..7_u8).prop_map(move |side| Setup::Dots(dots(side))),
        (1..4_u8, 1..4_u8).prop_map(|(cols, rows)| {
            Setup::Boxes(boxes::Setup::new(cols, rows).expect("a small board"))
        }),
        (5..7_u8).prop_map(|size| {
            Setup::Gomoku(gomoku::Setup::new(size, gomoku::Rule::Freestyle).expect("a small board"))
        }),
        Just(GameKind::Reversi.default_setup()),
    ]
}

fn terms() -> impl Strategy<Value = Terms> {
    let clock = prop_oneof![
        "none",
        "10\\+0",
        "20\\+5",
        "60\\+60",
        "5/10",
        "10~5x3",
        "1d",
        "1d\\+4h\\.\\.36h",
    ];
    (setups(), clock).prop_map(|(setup, clock)| Terms {
        setup,
        clock: clock.parse().expect("a clock"),
        rated: true,
    })
}

/// Returns moves that read in this game, and mostly are on its board.
fn moves(kind: GameKind) -> BoxedStrategy<String> {
    match kind {
        GameKind::Boxes => ("[hv]", 0..4_u8, 0..4_u8)
            .prop_map(|(way, x, y)| format!("{way}:{x},{y}"))
            .boxed(),
        GameKind::Reversi => "[c-f][1-8]".boxed(),
        GameKind::Dots | GameKind::Gomoku => (0..6_u8, 0..6_u8)
            .prop_map(|(x, y)| format!("{x},{y}"))
            .boxed(),
    }
}

fn command(kind: GameKind) -> impl Strategy<Value = Command> {
    let seat = || prop_oneof![Just(Seat::First), Just(Seat::Second)];
    let offer = prop_oneof![
        Just(OfferKind::Draw),
        Just(OfferKind::Finish),
        Just(OfferKind::Takeback),
        Just(OfferKind::Takeback),
    ];
    let name = prop::option::of((0..8_u8).prop_map(|name| format!("m{name}").parse().unwrap()));
    prop_oneof![
        12 => (seat(), moves(kind), prop::option::of(0..40_u32), name).prop_map(
            |(seat, mv, version, client_id)| Command::Move { seat, mv, version: version.filter(|v| v % 8 == 0), client_id }
        ),
        4 => (seat(), offer).prop_map(|(seat, kind)| Command::Offer { seat, kind }),
        4 => (seat(), prop::bool::weighted(0.8)).prop_map(|(seat, accept)| Command::AnswerOffer { seat, accept, offer: None }),
        1 => seat().prop_map(|seat| Command::CancelOffer { seat }),
        2 => (seat(), prop::option::of(Just(Millis::from_secs(9)))).prop_map(|(seat, resume_in)| Command::OfferAdjournment { seat, resume_in }),
        2 => (seat(), moves(kind)).prop_map(|(seat, mv)| Command::Seal { seat, moves: vec![mv] }),
        2 => (seat(), moves(kind), any::<bool>(), prop::option::of(1..20_u32)).prop_map(|(seat, mv, live, days)| Command::Resume {
            seat,
            moves: vec![mv],
            live,
            vacation_until: days.map(|days| Timestamp(0) + Millis::DAY * days),
        }),
        2 => (seat(), moves(kind), 0..40_u32, 0..200_u32).prop_map(|(seat, mv, version, minutes)| Command::Answer {
            seat,
            mv,
            version,
            due_at: Timestamp(0) + Millis::from_secs(minutes * 60),
            client_id: Some(format!("{ANSWER}{version}").parse().unwrap()),
        }),
        2 => Just(Command::Tick),
        2 => (seat(), prop::option::of(1..20_u32)).prop_map(|(seat, days)| Command::Vacation {
            seat,
            until: days.map(|days| Timestamp(0) + Millis::DAY * days),
        }),
        1 => prop::bool::weighted(0.05).prop_flat_map(move |ends| (Just(ends), seat())).prop_map(
            |(ends, seat)| if ends { Command::Resign { seat } } else { Command::Tick }
        ),
    ]
}

/// Returns terms, commands, and the milliseconds after which each comes.
pub(crate) fn story() -> impl Strategy<Value = (Terms, Vec<(i64, Command)>)> {
    terms().prop_flat_map(|terms| {
        let commands = (0..4_000_i64, command(terms.setup.kind()));
        (Just(terms), prop::collection::vec(commands, 0..80))
    })
}

/// The match before each of its events, and the event.
pub(crate) type Past = Vec<(Match, Event)>;

/// Plays a story as a table does: events that time has caused come first.
pub(crate) fn play(terms: Terms, story: &[(i64, Command)]) -> (Match, Past) {
    let mut game = Match::new(terms, Timestamp(0));
    let mut past = Past::new();
    let mut now = Timestamp(0);
    // By correspondence a second stands for hours.
    let pace = match terms.pace() {
        Pace::Live => 1,
        Pace::Correspondence => 10_000,
    };
    for (pause, command) in story {
        now = now + Millis(*pause) * pace;
        for command in [&Command::Tick, command] {
            let before = game.version();
            let Ok(Decision::Happens(events)) = game.decide(command, now) else {
                continue;
            };
            for event in events {
                past.push((game.clone(), event.clone()));
                game.apply(&event).unwrap();
            }
            assert_eq!(game.version() as usize, past.len(), "after {before}");
        }
    }
    (game, past)
}

/// Returns the position after these moves.
fn position(game: &Match, moves: usize) -> Position {
    let mut position = Position::new(&game.terms().setup);
    for ply in &game.plies()[..moves] {
        position.play_as(ply.seat, ply.mv).expect("it was played");
    }
    position
}

/// Returns whether a vacation has begun, so that the time of a clock's reading may be one to come.
fn knows_vacation(game: &Match) -> bool {
    game.vacation_until() != [None; 2]
}

/// The letter that begins the names of answers of a story; those of moves begin with another.
const ANSWER: char = 'a';

/// Returns whether an answer was made: a move that the player chose before the turn began.
fn is_answer(event: &Event) -> bool {
    matches!(event, Event::Moved { client_id: Some(name), .. } if name.as_str().starts_with(ANSWER))
}

/// Returns the most that a move adds to a clock.
fn most_gained(clock: ClockRule) -> Millis {
    match clock {
        ClockRule::FischerDays { increment, .. } => Millis::from_hours(increment),
        _ => clock.per_move().unwrap_or(Millis::from_secs(60)),
    }
}

/// Returns texts that nearly are clocks.
fn nearly_clocks() -> impl Strategy<Value = String> {
    let number = || prop_oneof!["[0-9]{1,5}", Just("0".to_owned()), Just("10".to_owned())];
    let sign = || prop::sample::select(vec!["+", "/", "~", "x", "d", "h", "..", "", "+1d..", " "]);
    (number(), sign(), number(), sign(), number(), sign())
        .prop_map(|(a, b, c, d, e, f)| format!("{a}{b}{c}{d}{e}{f}"))
}

proptest! {
    #[test]
    fn a_text_that_reads_as_a_clock_is_the_text_of_that_clock(text in nearly_clocks()) {
        if let Ok(clock) = text.parse::<ClockRule>() {
            prop_assert_eq!(clock.to_string(), text);
        }
    }

    #[test]
    fn replaying_the_events_gives_the_same_match((terms, story) in story()) {
        let (game, past) = play(terms, &story);
        let mut again = Match::new(terms, Timestamp(0));
        for (_, event) in &past {
            let encoded = event.encode().unwrap();
            again.apply(&Event::read(encoded.name, &encoded.body).unwrap()).unwrap();
        }
        prop_assert_eq!(again.version(), game.version());
        prop_assert_eq!(again.plies(), game.plies());
        prop_assert_eq!(again.position(), game.position());
        prop_assert_eq!(again.clock(), game.clock());
        prop_assert_eq!(again.offer(), game.offer());
        prop_assert_eq!(again.result(), game.result());
    }

    #[test]
    fn taking_back_is_playing_the_shorter_list((terms, story) in story()) {
        let (_, past) = play(terms, &story);
        for (before, event) in &past {
            let Event::TakenBack { count, clock, .. } = event else { continue };
            let count = *count as usize;
            let kept = before.plies().len() - count;
            let mut after = before.clone();
            after.apply(event).unwrap();
            prop_assert_eq!(after.plies(), &before.plies()[..kept]);
            prop_assert_eq!(after.position(), &position(before, kept));
            // The asker moves, and whatever was taken back was theirs first and never theirs again.
            let asker = before.plies()[kept].seat;
            prop_assert_eq!(after.to_move(), Some(asker));
            prop_assert!(before.plies()[kept + 1..].iter().all(|ply| ply.seat != asker));
            if let (Some(clock), Some(shown)) = (clock, before.clock().filter(|_| !knows_vacation(before))) {
                prop_assert_eq!(clock.running, Some(asker));
                let terms = *before.terms();
                let least = terms.pace().min_left_after_takeback();
                for seat in Seat::BOTH {
                    let left = clock.left(seat, clock.at);
                    prop_assert!(left >= least);
                    let parts = [shown, *clock].map(|each| each.parts(terms.clock, seat, each.left(seat, clock.at)));
                    prop_assert!(parts[1].bank <= parts[0].bank, "a bank stays used");
                    prop_assert!(parts[1].periods <= parts[0].periods, "periods stay lost");
                    let renewed = terms.clock.per_move().unwrap_or(least);
                    prop_assert!(left <= shown.left(seat, clock.at).max(Millis::ZERO) + renewed, "nobody gains by it");
                }
            }
        }
    }

    #[test]
    fn clocks_run_for_whoever_moves_and_never_gain_more_than_an_increment((terms, story) in story()) {
        let (_, past) = play(terms, &story);
        for (before, event) in &past {
            let mut after = before.clone();
            after.apply(event).unwrap();
            // Days begin where a live match is resumed by correspondence, be it one without a clock.
            let begins = matches!(event, Event::Resumed { time_control: Some(_), .. });
            let (Some(shown), Some(clock)) = (before.clock(), after.clock()) else {
                prop_assert_eq!(before.clock(), None);
                prop_assert_eq!(after.clock().is_some(), begins);
                continue;
            };
            prop_assert_eq!(clock.running, after.to_move());
            if let Event::VacationChanged { at, .. } = event {
                for seat in Seat::BOTH {
                    prop_assert_eq!(clock.left(seat, *at), shown.left(seat, *at), "it neither costs nor gives time");
                }
            }
            if knows_vacation(before) || knows_vacation(&after) {
                continue;
            }
            prop_assert!(clock.at >= shown.at);
            // The time that an answer came late is nobody's, so the turn may end with the time that it began with.
            let since = if is_answer(event) { shown.at } else { clock.at };
            for seat in Seat::BOTH {
                let gained = clock.left(seat, clock.at) - shown.left(seat, since);
                prop_assert!(begins || gained <= most_gained(before.terms().clock));
            }
        }
    }

    #[test]
    fn at_most_one_offer_is_open_and_every_one_is_closed_once((terms, story) in story()) {
        let (game, past) = play(terms, &story);
        let mut open = 0;
        for (before, event) in &past {
            match event {
                Event::Offered { .. } => open += 1,
                Event::OfferClosed { .. } => open -= 1,
                Event::Finished { .. } => prop_assert_eq!(open, 0),
                Event::Moved { .. }
                | Event::TakenBack { .. }
                | Event::VacationChanged { .. }
                | Event::Adjourned { .. }
                | Event::Sealed { .. }
                | Event::Resumed { .. }
                | Event::Berserked { .. } => {}
            }
            prop_assert!((0..=1).contains(&open));
            prop_assert_eq!(before.result(), None, "nothing happens after the end");
        }
        prop_assert_eq!(game.offer().is_some(), open == 1);
    }

    #[test]
    fn a_named_move_is_made_once_and_answered_alike((terms, story) in story(), again in 0..80_usize) {
        let (game, past) = play(terms, &story);
        for (before, event) in &past {
            let Event::Moved { seat, mv, client_id: Some(name), .. } = event else { continue };
            let mut after = before.clone();
            after.apply(event).unwrap();
            let ended = after.position().outcome().is_some();
            let command = Command::Move {
                seat: *seat,
                mv: mv.clone(),
                version: Some(again as u32),
                client_id: Some(name.clone()),
            };
            let version = before.version() + 1 + u32::from(ended);
            prop_assert_eq!(game.decide(&command, Timestamp(i64::MAX / 2)), Ok(Decision::AlreadyDone(version)));
        }
    }

    #[test]
    fn a_refusal_is_about_what_is_there((terms, story) in story()) {
        let Some(((_, last), story)) = story.split_last() else { return Ok(()) };
        let (game, _) = play(terms, story);
        let now = game.deadline().map_or(Timestamp(1_000_000), |deadline| deadline - Millis(1));
        match (game.decide(last, now), last) {
            (Err(Refusal::OfferOpen), _) => prop_assert!(game.offer().is_some()),
            (Err(Refusal::OfferClosed), _) => prop_assert!(game.offer().is_none()),
            (Err(Refusal::Finished), _) => prop_assert!(game.result().is_some()),
            (Err(Refusal::NothingToTakeBack), Command::Offer { seat, .. }) => {
                prop_assert!(game.plies().iter().all(|ply| ply.seat != *seat));
            }
            _ => {}
        }
    }
}
