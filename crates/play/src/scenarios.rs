//! Tests of matches as scripts: commands with their times, and the events that follow.
//!
//! `1 0,0` is a move of seat 1; `draw`, `finish` and `takeback` are offers, `yes`, `no` and `cancel` their endings; `aborts`,
//! `resigns`, `leaves` and `gone` end a match, `berserks` halves a clock, `-` lets time pass. `adjourn 2` offers an adjournment, of
//! two hours if that is said; `seals` seals moves; `comes` resumes by correspondence with the moves that it names, `meets` live.
//! `X:aborted by 1` is an end without a winner. After `=>` stand the events: a move by itself, with `+passed` if the other side was
//! passed over by it, `+draw` an offer, `-expired` its end, `<2` plies taken back, `2:time` the winner and the reason; or `!` and the
//! refusal.

use super::{Command, Decision, Event, Match, Millis, OfferKind, Terms, Timestamp};
use tochki_rules::{GameKind, Seat, Setup, boxes, dots};

/// Creates a match with this clock, which starts at second 0.
pub(super) fn fresh(setup: Setup, clock: &str) -> Match {
    let terms = Terms {
        setup,
        clock: clock.parse().unwrap(),
        rated: true,
    };
    Match::new(terms, Timestamp(0))
}

/// Returns the time so many seconds after the start.
pub(super) fn at(seconds: u32) -> Timestamp {
    Timestamp(0) + Millis::from_secs(seconds)
}

/// Plays the lines of a story of Dots on 5 × 5 points.
#[track_caller]
pub(super) fn check(clock: &str, story: &str) -> Match {
    let setup = dots::Setup::new(5, 5, dots::Opening::Empty).unwrap();
    check_on(Setup::Dots(setup), clock, story)
}

/// Plays a story in a match that has begun: each side has made a move in a corner at second 0.
#[track_caller]
pub(super) fn check_begun(clock: &str, story: &str) -> Match {
    check(clock, &format!("0: 1 4,4 => 4,4\n0: 2 4,3 => 4,3\n{story}"))
}

/// Plays the lines of a story, each `second: who what => events`, and returns the match after it.
#[track_caller]
pub(super) fn check_on(setup: Setup, clock: &str, story: &str) -> Match {
    let mut game = fresh(setup, clock);
    for line in story.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (asked, expected) = line.split_once("=>").expect("what happens then");
        let (second, asked) = asked.split_once(':').expect("when");
        let now = at(second.trim().parse().unwrap());
        let happened = match game.decide(&command(asked), now) {
            Ok(Decision::Happens(events)) => {
                for event in &events {
                    game.apply(event).unwrap();
                }
                events.iter().map(written).collect::<Vec<_>>().join(" ")
            }
            Ok(Decision::AlreadyDone(version)) => format!("={version}"),
            Err(refusal) => format!("!{refusal:?}"),
        };
        assert_eq!(happened, expected.trim(), "{line}");
    }
    game
}

pub(super) fn command(text: &str) -> Command {
    let words: Vec<_> = text.split_whitespace().collect();
    let [seat, what, ..] = words[..] else {
        return Command::Tick;
    };
    let seat = Seat::try_from(seat.parse::<u8>().unwrap()).unwrap();
    match what {
        "yes" | "no" => Command::AnswerOffer {
            seat,
            accept: what == "yes",
            offer: words.get(2).map(|version| version.parse().unwrap()),
        },
        "adjourn" => Command::OfferAdjournment {
            seat,
            resume_in: words
                .get(2)
                .map(|hours| Millis::from_hours(hours.parse().unwrap())),
        },
        "seals" => Command::Seal {
            seat,
            moves: words[2..].iter().map(|mv| (*mv).to_owned()).collect(),
        },
        "comes" | "meets" => Command::Resume {
            seat,
            moves: words[2..].iter().map(|mv| (*mv).to_owned()).collect(),
            live: what == "meets",
            vacation_until: None,
        },
        "aborts" => Command::Abort { seat },
        "cancel" => Command::CancelOffer { seat },
        "leaves" => Command::Leave { seat },
        "resigns" => Command::Resign { seat },
        "gone" => Command::Abandon { seat },
        "berserks" => Command::Berserk { seat },
        _ => match what.parse::<OfferKind>() {
            Ok(kind) => Command::Offer { seat, kind },
            Err(_) => Command::Move {
                seat,
                mv: what.to_owned(),
                version: None,
                client_id: words.get(2).map(|name| name.parse().unwrap()),
            },
        },
    }
}

fn written(event: &Event) -> String {
    let word = |value: serde_json::Value| value.as_str().unwrap().to_owned();
    match event {
        Event::Moved {
            mv, passed: true, ..
        } => format!("{mv}+passed"),
        Event::Moved { mv, .. } => mv.clone(),
        Event::Offered { kind, .. } => format!("+{}", kind.as_str()),
        Event::OfferClosed { why } => format!("-{}", word(serde_json::to_value(why).unwrap())),
        Event::TakenBack { count, .. } => format!("<{count}"),
        Event::VacationChanged { until, .. } if until.is_some() => "+vacation".into(),
        Event::VacationChanged { .. } => "-vacation".into(),
        Event::Adjourned { .. } => "adjourned".to_owned(),
        Event::Sealed { seat, .. } => format!("sealed by {}", seat.number()),
        Event::Resumed { time_control, .. } => {
            let clock = time_control.map_or("live".to_owned(), |clock| clock.to_string());
            format!("resumed {clock}")
        }
        Event::Berserked { seat, .. } => format!("berserk of {}", seat.number()),
        Event::Finished { result } if result.is_aborted() => {
            let by = result.by.map_or(0, Seat::number);
            format!("X:aborted by {by}")
        }
        Event::Finished { result } => {
            let winner = result.winner.map_or(0, Seat::number);
            format!("{winner}:{}", result.reason.as_str())
        }
    }
}

#[track_caller]
pub(super) fn shows(game: &Match, moves: &str, version: u32) {
    let plies: Vec<_> = game.plies().iter().map(|ply| ply.mv.to_string()).collect();
    assert_eq!((plies.join(" ").as_str(), game.version()), (moves, version));
}

/// Checks the seconds left on both clocks, the running side, and the second since when.
#[track_caller]
pub(super) fn clock_shows(game: &Match, left: [i64; 2], running: Option<u8>, at: i64) {
    let clock = game.clock().expect("a clock");
    assert_eq!(
        (
            clock.left.map(|left| left.0 / 1000),
            clock.running.map(Seat::number),
            clock.at.0 / 1000
        ),
        (left, running, at)
    );
}

#[test]
fn an_offer_is_accepted_declined_or_cancelled() {
    check_begun(
        "none",
        "1: 1 draw    => +draw
         2: 2 no      => -declined
         3: 2 draw    => +draw
         4: 2 cancel  => -cancelled
         5: 2 finish  => +finish
         6: 1 yes     => -accepted 0:agreed_finish
         7: 1 draw    => !Finished
         7: 1 yes     => !OfferClosed
         7: 2 cancel  => !OfferClosed",
    );
    check_begun(
        "none",
        "1: 1 0,0 => 0,0
         2: 1 draw => +draw
         3: 2 yes => -accepted 0:agreed_draw",
    );
}

#[test]
fn an_offer_is_answered_by_the_other_and_cancelled_by_its_own() {
    check_begun(
        "none",
        "1: 1 yes     => !OfferClosed
         1: 1 cancel  => !OfferClosed
         2: 1 draw    => +draw
         3: 1 yes     => !NotYours
         3: 1 no      => !NotYours
         3: 2 cancel  => !NotYours
         4: 1 finish  => !OfferOpen
         4: 2 draw    => !OfferOpen
         5: 2 no      => -declined",
    );
}

#[test]
fn an_offer_waits_fifteen_seconds() {
    let game = check_begun(
        "none",
        "10: 1 draw => +draw
         24: -      => ",
    );
    assert_eq!(game.deadline(), Some(at(25)));
    let game = check_begun(
        "none",
        "10: 1 draw => +draw
         25: 2 yes  => !OfferClosed
         25: -      => -expired
         26: -      => ",
    );
    assert_eq!((game.deadline(), game.offer()), (Some(at(600)), None));
}

#[test]
fn by_correspondence_an_offer_stands_until_it_is_answered_or_a_move_is_made() {
    // Days after the start, in seconds.
    let game = check_begun(
        "3d",
        "10: 1 0,0     => 0,0
         20: 1 draw    => +draw
         172800: 2 yes => -accepted 0:agreed_draw",
    );
    assert_eq!(game.deadline(), None);
    let game = check_begun("3d", "10: 1 0,0 => 0,0\n20: 1 draw => +draw\n9999: - =>");
    assert_eq!(
        game.offer().map(|offer| (offer.kind, offer.expires_at)),
        Some((OfferKind::Draw, None))
    );
    assert_eq!(game.deadline(), Some(at(10 + 3 * 86_400)));
    let encoded = Event::Offered {
        seat: Seat::First,
        kind: OfferKind::Draw,
        expires_at: None,
        resume_at: None,
    }
    .encode()
    .unwrap();
    assert_eq!(encoded.body, r#"{"seat":1,"kind":"draw"}"#);
    for (who, what) in [(2, "an answer by a move"), (1, "the own next move")] {
        let story = format!("10: {who} draw => +draw\n90000: 1 0,0 => -moved 0,0");
        let game = check_begun("3d+1d..7d", &story);
        assert_eq!(game.offer(), None, "{what}");
    }
    check_begun(
        "3d",
        "10: 1 draw   => +draw
         20: 1 cancel => -cancelled
         30: 1 draw   => !OfferCooldown
         40: 2 draw   => +draw
         50: 1 resigns => -finished 2:resigned",
    );
    check_begun(
        "1d",
        "10: 1 0,0   => 0,0
         10: 1 draw  => +draw
         86409: -    =>
         86410: 2 yes => !OfferClosed
         86410: -    => -finished 1:time",
    );
}

#[test]
fn by_correspondence_the_first_moves_have_three_days() {
    const DAY: u32 = 86_400;
    let late = format!("{}: 1 0,0 => 0,0\n{}: - =>", 3 * DAY - 1, 6 * DAY - 2);
    let game = check(
        "7d",
        &format!("{late}\n{}: - => X:aborted by 2", 6 * DAY - 1),
    );
    assert_eq!(game.deadline(), None);
    check("7d", &format!("{}: - => X:aborted by 1", 3 * DAY));
    // The clock may be shorter.
    check(
        "1d",
        &format!("{}: - =>\n{DAY}: - => X:aborted by 1", DAY - 1),
    );
    let game = check_begun("7d", &format!("{}: 1 0,0 => 0,0", 6 * DAY));
    assert_eq!(
        (game.move_by(), game.deadline()),
        (None, Some(at(13 * DAY)))
    );
    check_begun("7d", &format!("{}: - => 2:time", 7 * DAY));
}

#[test]
fn periods_and_banks_are_counted_on_the_board() {
    let game = check_begun("10~5x2", "14: 1 0,0 => 0,0\n18: 2 1,0 => 1,0\n23: - =>");
    clock_shows(&game, [10, 16], Some(1), 18);
    check_begun(
        "10~5x2",
        "14: 1 0,0 => 0,0\n18: 2 1,0 => 1,0\n28: - => 2:time",
    );
    let game = check_begun("5/10", "14: 1 0,0 => 0,0\n16: 2 1,0 => 1,0\n21: - =>");
    clock_shows(&game, [6, 15], Some(1), 16);
    check_begun(
        "5/10",
        "14: 1 0,0 => 0,0\n16: 2 1,0 => 1,0\n22: - => 2:time",
    );
}

#[test]
fn a_move_answers_for_the_offered_and_leaves_the_others_offer_open() {
    check_begun(
        "none",
        "1: 1 draw => +draw
         2: 1 0,0  => 0,0
         3: 2 1,0  => -moved 1,0
         4: 1 yes  => !OfferClosed",
    );
}

#[test]
fn any_move_closes_an_offer_to_take_back() {
    check(
        "none",
        "1: 1 0,0      => 0,0
         2: 1 takeback => +takeback
         3: 2 1,0      => -moved 1,0
         4: 1 2,0      => 2,0
         5: 2 3,0      => 3,0
         6: 1 takeback => +takeback
         7: 1 4,0      => -moved 4,0",
    );
}

#[test]
fn the_most_points_win_an_agreed_finish() {
    let captured = "1: 1 1,2 => 1,2
         1: 2 2,2 => 2,2
         1: 1 3,2 => 3,2
         1: 2 0,0 => 0,0
         1: 1 2,1 => 2,1
         1: 2 0,1 => 0,1
         1: 1 2,3 => 2,3
         2: 2 finish => +finish
         3: 1 yes => -accepted 1:agreed_finish";
    assert_eq!(check("none", captured).score(), [1, 0]);
}

#[test]
fn taking_back_goes_to_before_the_askers_last_move() {
    let game = check(
        "none",
        "1: 1 takeback => !NothingToTakeBack
         1: 1 0,0      => 0,0
         1: 2 takeback => !NothingToTakeBack
         2: 1 takeback => +takeback
         3: 2 yes      => -accepted <1",
    );
    shows(&game, "", 4);
    assert_eq!(game.to_move(), Some(Seat::First));
    let game = check(
        "none",
        "1: 1 0,0      => 0,0
         2: 2 1,0      => 1,0
         2: 1 2,0      => 2,0
         2: 2 3,0      => 3,0
         2: 1 takeback => +takeback
         3: 2 yes      => -accepted <2
         4: 1 2,0      => 2,0",
    );
    shows(&game, "0,0 1,0 2,0", 8);
}

#[test]
fn a_capture_is_taken_back_too() {
    let game = check(
        "none",
        "1: 1 1,2 => 1,2
         1: 2 2,2 => 2,2
         1: 1 3,2 => 3,2
         1: 2 0,0 => 0,0
         1: 1 2,1 => 2,1
         1: 2 0,1 => 0,1
         1: 1 2,3 => 2,3
         2: 1 takeback => +takeback
         3: 2 yes => -accepted <1",
    );
    assert_eq!(game.score(), [0, 0]);
    assert_eq!(game.to_move(), Some(Seat::First));
}

#[test]
fn a_name_stays_known_when_its_move_is_taken_back() {
    check(
        "none",
        "1: 1 0,0 a    => 0,0
         2: 1 takeback => +takeback
         3: 2 yes      => -accepted <1
         4: 1 0,0 a    => =1
         4: 1 1,1 a    => !ClientIdReused
         5: 1 0,0 b    => 0,0",
    );
}

#[test]
fn time_spent_on_moves_taken_back_stays_spent_and_what_they_earned_is_lost() {
    let game = check(
        "100+5",
        "10: 1 0,0     => 0,0
         30: 2 1,0     => 1,0
         31: 1 takeback => +takeback
         35: 2 yes     => -accepted <2",
    );
    // 100 − 10 − 5 thinking on, and 100 − 20: neither has the 5 they got.
    clock_shows(&game, [85, 80], Some(1), 35);
}

#[test]
fn what_the_cap_has_taken_is_not_taken_again() {
    let day = 86_400;
    let game = check(
        "7d+1d..7d",
        "0: 1 0,0      => 0,0
         3600: 2 1,0   => 1,0
         7200: 1 0,1   => 0,1
         7200: 2 takeback => +takeback
         10800: 1 yes  => -accepted <2",
    );
    // An hour of each for the move, which stays spent, and another one of the side that thinks on.
    clock_shows(&game, [7 * day - 3600, 7 * day - 7200], Some(2), 10_800);
    // Below the cap it is all that was given.
    let game = check(
        "3d+1d..7d",
        "3600: 1 0,0    => 0,0
         7200: 2 1,0    => 1,0
         7200: 1 takeback => +takeback
         7200: 2 yes    => -accepted <2",
    );
    clock_shows(&game, [3 * day - 3600, 3 * day - 3600], Some(1), 7200);
}

#[test]
fn taking_back_leaves_at_least_a_second() {
    let game = check(
        "10+60",
        "9: 1 0,0      => 0,0
         12: 2 1,0     => 1,0
         72: 1 takeback => +takeback
         72: 2 yes     => -accepted <2",
    );
    clock_shows(&game, [1, 7], Some(1), 72);
}

#[test]
fn whoever_runs_out_of_time_has_none_left() {
    let game = check_begun(
        "10+0",
        "4: 1 0,0  => 0,0
         13: -     => 
         14: 2 1,0 => !Finished
         14: 1 draw => !Finished
         14: -     => 1:time
         15: -     => !Finished",
    );
    clock_shows(&game, [6, 0], None, 4);
    assert_eq!(game.deadline(), None);
}

#[test]
fn deadlines_expire_in_order() {
    let game = check_begun("20+0", "1: 2 draw => +draw");
    assert_eq!(game.deadline(), Some(at(16)));
    check_begun(
        "20+0",
        "1: 2 draw => +draw
         30: -     => -expired 2:time",
    );
    let game = check_begun("20+0", "9: 2 draw => +draw");
    assert_eq!(game.deadline(), Some(at(20)));
    check_begun(
        "20+0",
        "9: 2 draw => +draw
         20: 1 yes => !OfferClosed
         30: -     => -finished 2:time",
    );
}

#[test]
fn the_end_closes_what_is_open() {
    check_begun(
        "none",
        "1: 2 draw    => +draw
         2: 2 resigns => -finished 1:resigned
         3: 1 gone    => !Finished",
    );
    check_begun(
        "none",
        "1: 2 draw => +draw
         2: 2 gone => -finished 1:absence",
    );
    // The last free point.
    let points: Vec<_> = (0..25).map(|n| format!("{},{}", n / 5, n % 5)).collect();
    let (left, right) = points.split_at(13);
    let story: Vec<_> = (0..24)
        .map(|n| {
            let mv = &[left, right][n % 2][n / 2];
            format!("1: {} {mv} => {mv}", n % 2 + 1)
        })
        .collect();
    let story = story.join("\n");
    for (who, how) in [(1, "-finished"), (2, "-moved")] {
        let end = format!(
            "\n2: {who} draw => +draw\n3: 1 {0} => {how} {0} 0:board_full",
            left[12]
        );
        check("none", &format!("{story}{end}"));
    }
}

#[test]
fn time_that_counts_for_nobody_is_given_back() {
    let mut game = check_begun(
        "100+0",
        "10: 1 0,0  => 0,0
         20: 1 draw => +draw",
    );
    game.postpone(Millis::from_secs(3600));
    clock_shows(&game, [90, 100], Some(2), 3610);
    assert_eq!(game.deadline(), Some(at(3635)));
    let late = at(3634);
    assert!(game.decide(&command("2 yes"), late).is_ok());
    let mut over = check_begun("100+0", "10: 1 resigns => 2:resigned");
    over.postpone(Millis::from_secs(3600));
    clock_shows(&over, [100, 100], None, 0);
}

/// The moves by which blue closes the left of two boxes, which leaves blue to move.
const FIRST_BOX: &str = "10: 1 h:0,0 => h:0,0
     20: 2 v:0,0 => v:0,0
     30: 1 h:0,1 => h:0,1
     40: 2 v:1,0 => v:1,0";

fn two_boxes() -> Setup {
    Setup::Boxes(boxes::Setup::new(2, 1).unwrap())
}

#[test]
fn who_takes_a_box_moves_again_on_their_own_clock() {
    let game = check_on(two_boxes(), "100+5", FIRST_BOX);
    assert_eq!((game.to_move(), game.score()), (Some(Seat::Second), [0, 1]));
    clock_shows(&game, [90, 90], Some(2), 40);
    // An increment for each move, those that keep the turn too.
    let banked = check_on(two_boxes(), "10/20", FIRST_BOX);
    clock_shows(&banked, [30, 30], Some(2), 40);
    let rest = "41: 1 h:1,0 => !NotYourTurn
         47: 2 h:1,0 => h:1,0
         50: 1 h:1,1 => h:1,1
         60: 2 v:2,0 => v:2,0 2:all_boxes";
    let game = check_on(two_boxes(), "100+5", &format!("{FIRST_BOX}\n{rest}"));
    clock_shows(&game, [92, 83], None, 60);
    let flag = format!("{FIRST_BOX}\n130: - => 1:time");
    check_on(two_boxes(), "100+5", &flag);
}

#[test]
fn moves_that_keep_the_turn_are_taken_back_one_by_one_or_with_what_followed() {
    let both_last = format!(
        "{FIRST_BOX}
         50: 2 takeback => +takeback
         52: 1 yes      => -accepted <1"
    );
    let game = check_on(two_boxes(), "100+5", &both_last);
    shows(&game, "h:0,0 v:0,0 h:0,1", 7);
    assert_eq!((game.to_move(), game.score()), (Some(Seat::Second), [0, 0]));
    // 90 after the fourth move, 12 seconds of thinking on, and without the 5 that it earned.
    clock_shows(&game, [90, 73], Some(2), 52);

    let several = format!(
        "{FIRST_BOX}
         45: 2 h:1,0    => h:1,0
         50: 2 takeback => +takeback
         51: 1 no       => -declined
         55: 1 takeback => +takeback
         60: 2 yes      => -accepted <3"
    );
    let game = check_on(two_boxes(), "100+5", &several);
    shows(&game, "h:0,0 v:0,0", 10);
    assert_eq!(game.to_move(), Some(Seat::First));
    clock_shows(&game, [70, 80], Some(1), 60);
}

#[test]
fn an_offer_of_ones_own_stays_while_one_moves_on() {
    let story = format!(
        "{FIRST_BOX}
         41: 2 draw  => +draw
         42: 2 h:1,0 => h:1,0
         43: 1 yes   => -accepted 0:agreed_draw"
    );
    check_on(two_boxes(), "none", &story);
}

/// The moves of which the eighth leaves black without one.
const PASS: &str = "10: 1 d3 => 3,2
     20: 2 c3 => 2,2
     30: 1 e6 => 4,5
     40: 2 d2 => 3,1
     50: 1 d1 => 3,0
     60: 2 e1 => 4,0
     70: 1 b2 => 1,1
     80: 2 c1 => 2,0+passed";

#[test]
fn who_has_no_move_is_passed_over_and_their_clock_rests() {
    let reversi = GameKind::Reversi.default_setup();
    let game = check_on(reversi, "100+0", PASS);
    assert_eq!(game.to_move(), Some(Seat::Second));
    clock_shows(&game, [60, 60], Some(2), 80);
    let play_on = "85: 1 a3       => !NotYourTurn
         90: 2 a3       => 0,2
         95: 2 takeback => +takeback
         96: 1 yes      => -accepted <1";
    let game = check_on(reversi, "100+0", &format!("{PASS}\n{play_on}"));
    assert_eq!((game.plies().len(), game.position().passed()), (8, true));
    let take_back = "95: 2 takeback => +takeback
         96: 1 yes      => -accepted <1";
    let game = check_on(reversi, "100+0", &format!("{PASS}\n{take_back}"));
    assert_eq!((game.plies().len(), game.position().passed()), (7, false));
    assert_eq!(game.to_move(), Some(Seat::Second));
}

#[test]
fn five_in_a_row_ends_the_match() {
    check_on(
        GameKind::Gomoku.default_setup(),
        "none",
        "1: 1 0,0 => 0,0
         1: 2 0,1 => 0,1
         1: 1 1,0 => 1,0
         1: 2 1,1 => 1,1
         1: 1 2,0 => 2,0
         1: 2 2,1 => 2,1
         1: 1 3,0 => 3,0
         1: 2 draw => +draw
         2: 2 3,1 => 3,1
         3: 1 4,0 => -moved 4,0 1:five_in_row
         4: 2 4,1 => !Finished",
    );
}

#[test]
fn an_event_that_cannot_have_happened_leaves_the_match_as_it_was() {
    let moved = |mv: &str| Event::Moved {
        seat: Seat::First,
        mv: mv.into(),
        score: [0, 0],
        to_move: None,
        passed: false,
        clock: None,
        client_id: None,
        move_by: None,
    };
    let taken_back = |count| Event::TakenBack {
        count,
        clock: None,
        move_by: None,
    };
    let mut game = check("none", "1: 1 1,1 => 1,1");
    for event in [moved("1,1"), moved("9,9"), moved("here"), taken_back(2)] {
        let broken = game.apply(&event).unwrap_err();
        assert_eq!(broken.version, 2, "{broken}");
        shows(&game, "1,1", 1);
    }
    game.apply(&taken_back(1)).unwrap();
    shows(&game, "", 2);

    let mut over = check_begun("none", "1: 1 resigns => 2:resigned");
    assert!(over.apply(&moved("1,1")).is_err());
    shows(&over, "4,4 4,3", 3);
}
