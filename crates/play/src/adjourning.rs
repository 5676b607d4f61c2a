//! Tests of adjournments: the offer, the seal, and the ways to go on.

use super::scenarios::{at, check, check_begun, check_on, clock_shows, shows};
use super::{ClockRule, Command, Decision, Event, Millis, RESUME_TIMEOUT};
use tochki_rules::{Seat, Setup, boxes};

const DAY: u32 = 24 * 3600;

#[test]
fn the_side_on_turn_seals_and_the_other_one_resumes_with_days_for_a_move() {
    let game = check_begun(
        "300+5",
        "10: 2 adjourn       => +adjourn
         12: 1 yes           => -accepted adjourned
         13: 1 0,0           => !Adjourned
         13: 2 draw          => !Adjourned
         13: 2 comes 0,0     => !NotAdjourned
         13: 2 gone          => !Adjourned
         14: 2 seals 0,0     => !NotYourTurn
         15: 1 seals 4,4     => !Illegal(Occupied)
         15: 1 seals nowhere => !Malformed
         15: 1 seals         => !Malformed
         15: 1 seals 0,0 0,1 => !NotYourTurn
         20: 1 seals 0,0     => sealed by 1",
    );
    assert!(!game.terms().rated, "engines help in the break");
    clock_shows(&game, [290, 305], None, 20);
    shows(&game, "4,4 4,3", 6);
    assert_eq!((game.to_move(), game.awaited()), (None, Some(Seat::Second)));
    assert_eq!(game.deadline(), Some(at(20) + RESUME_TIMEOUT));

    let game = check_begun(
        "300+5",
        "10: 2 adjourn     => +adjourn
         12: 1 yes         => -accepted adjourned
         20: 1 seals 0,0   => sealed by 1
         21: 1 seals 0,1   => !Adjourned
         21: 1 comes 0,0   => !NotYours
         21: 2 meets 0,0   => !TooEarly
         21: 2 0,1         => !Adjourned
         21: 2 takeback    => !Adjourned
         90000: - =>
         90000: 2 comes 0,0 => resumed 3d 0,0
         90001: 2 comes 0,0 => !NotAdjourned
         90010: 2 0,1      => 0,1
         90020: 1 adjourn  => !NoSuchOffer",
    );
    assert_eq!(game.terms().clock, ClockRule::DaysPerMove { days: 3 });
    clock_shows(&game, [3 * i64::from(DAY); 2], Some(1), 90010);
}

#[test]
fn sealing_is_on_the_clock() {
    check_begun(
        "60+0",
        "10: 1 adjourn   => +adjourn
         12: 2 yes       => -accepted adjourned
         61: 1 seals 0,0 => !Finished
         61: -           => 2:time",
    );
    // Without a clock there are ten minutes, rated or not.
    check_begun(
        "none",
        "10: 1 adjourn    => +adjourn
         12: 2 yes        => -accepted adjourned
         611: - =>
         612: 1 seals 0,0 => !Finished
         612: -           => 2:time",
    );
}

#[test]
fn both_may_resign_meanwhile() {
    let adjourned = "10: 1 adjourn => +adjourn\n12: 2 yes => -accepted adjourned\n";
    for (seat, winner) in [(1, 2), (2, 1)] {
        let resigns = format!("15: {seat} resigns => {winner}:resigned");
        check_begun("60+0", &format!("{adjourned}{resigns}"));
        let sealed = "13: 1 seals 0,0 => sealed by 1\n";
        let game = check_begun("60+0", &format!("{adjourned}{sealed}{resigns}"));
        assert_eq!((game.adjournment(), game.awaited()), (None, None));
    }
}

#[test]
fn who_does_not_come_for_fourteen_days_has_lost() {
    check_begun(
        "60+0",
        &format!(
            "10: 1 adjourn    => +adjourn
             12: 2 yes        => -accepted adjourned
             20: 1 seals 0,0  => sealed by 1
             {}: -            =>
             {}: 2 comes 0,0  => !Finished
             {}: -            => 1:absence",
            20 + 14 * DAY - 1,
            20 + 14 * DAY,
            20 + 14 * DAY
        ),
    );
    let mut game = check_begun(
        "60+0",
        "10: 1 adjourn => +adjourn\n12: 2 yes => -accepted adjourned\n20: 1 seals 0,0 => sealed by 1",
    );
    game.postpone(Millis::from_secs(100));
    assert_eq!(game.deadline(), Some(at(120) + RESUME_TIMEOUT));
}

#[test]
fn at_the_time_agreed_on_the_match_goes_on_live_with_the_clocks_as_they_stood() {
    let story = "10: 1 adjourn 2 => +adjourn
         12: 2 yes       => -accepted adjourned
         20: 1 seals 0,0 => sealed by 1
         6000: 2 comes 0,0 => !TooEarly
         6000: 2 meets 0,0 => !TooEarly
         6700: 2 comes 0,0 => !TooEarly\n";
    let game = check_begun(
        "300+5",
        &format!("{story}6700: 1 meets 0,0 => resumed live 0,0"),
    );
    clock_shows(&game, [290, 305], Some(2), 6700);
    assert!(!game.terms().rated);
    // The increment of the sealed move was given when it was sealed.
    let game = check_begun(
        "300+5",
        &format!(
            "{story}6700: 1 meets 0,0 => resumed live 0,0
             6710: 1 takeback => +takeback
             6715: 2 yes      => -accepted <1"
        ),
    );
    clock_shows(&game, [285, 290], Some(1), 6715);
    // Fifteen minutes late nobody waits any longer.
    let game = check_begun(
        "300+5",
        &format!("{story}8111: 2 meets 0,0 => !TooEarly\n8111: 2 comes 0,0 => resumed 3d 0,0"),
    );
    assert!(game.terms().is_correspondence());
    let game = check_begun("300+5", story);
    assert_eq!(game.deadline(), Some(at(7210) + RESUME_TIMEOUT));
}

#[test]
fn an_offer_to_adjourn_has_the_limits_of_every_offer() {
    check("300+5", "1: 1 adjourn => !NotBegun");
    check_begun(
        "300+5",
        "10: 1 adjourn => +adjourn
         11: 1 adjourn => !OfferOpen
         12: 2 no      => -declined
         13: 1 adjourn => !OfferCooldown
         14: 2 adjourn => +adjourn
         29: 1 yes     => !OfferClosed",
    );
    check_begun(
        "3d",
        "10: 1 adjourn => !NoSuchOffer\n10: 1 seals 0,0 => !NotAdjourned",
    );
}

#[test]
fn a_vacation_of_the_sealer_holds_the_clock_of_a_match_that_is_resumed() {
    let mut game = check_begun(
        "300+5",
        "10: 2 adjourn   => +adjourn
         12: 1 yes       => -accepted adjourned
         20: 1 seals 0,0 => sealed by 1",
    );
    let until = at(6 * DAY);
    let comes = |vacation_until| Command::Resume {
        seat: Seat::Second,
        moves: vec!["0,0".to_owned()],
        live: false,
        vacation_until,
    };
    let Ok(Decision::Happens(events)) = game.decide(&comes(Some(until)), at(DAY)) else {
        panic!("it is resumed");
    };
    for event in &events {
        game.apply(event).unwrap();
    }
    let three_days = 3 * i64::from(DAY);
    clock_shows(&game, [three_days; 2], Some(2), i64::from(DAY));
    assert_eq!(game.vacation(Seat::First, at(DAY)), Some(until));
    let mv = Command::Move {
        seat: Seat::Second,
        mv: "1,1".to_owned(),
        version: None,
        client_id: None,
    };
    let Ok(Decision::Happens(events)) = game.decide(&mv, at(2 * DAY)) else {
        panic!("it is made");
    };
    for event in &events {
        game.apply(event).unwrap();
    }
    // From its end on the sealer has three days.
    assert_eq!(game.deadline(), Some(at(9 * DAY)));
    // A sealed move that ends the game leaves no clock to hold.
    let one_box = boxes::Setup::new(1, 1).expect("a small board");
    let over = check_on(
        Setup::Boxes(one_box),
        "300+5",
        "0: 1 h:0,0 => h:0,0
         0: 2 v:0,0 => v:0,0
         0: 1 h:0,1 => h:0,1
         1: 2 adjourn => +adjourn
         2: 1 yes => -accepted adjourned
         4: 2 seals v:1,0 => sealed by 2",
    );
    let ends = Command::Resume {
        seat: Seat::First,
        moves: vec!["v:1,0".to_owned()],
        live: false,
        vacation_until: Some(until),
    };
    let Ok(Decision::Happens(events)) = over.decide(&ends, at(DAY)) else {
        panic!("it is resumed");
    };
    assert!(matches!(events.last(), Some(Event::Finished { .. })));
}

#[test]
fn a_run_is_sealed_as_a_whole() {
    let one_box = boxes::Setup::new(1, 2).expect("a small board");
    let game = check_on(
        Setup::Boxes(one_box),
        "300+5",
        "0: 1 h:0,0 => h:0,0
         0: 2 v:0,0 => v:0,0
         0: 1 h:0,1 => h:0,1
         1: 2 adjourn => +adjourn
         2: 1 yes => -accepted adjourned
         3: 2 seals v:1,0 => !TurnGoesOn
         4: 2 seals v:1,0 v:0,1 => sealed by 2
         5: 1 comes v:1,0 v:0,1 => resumed 3d v:1,0 v:0,1",
    );
    assert_eq!((game.score(), game.to_move()), ([0, 1], Some(Seat::First)));
}

#[test]
fn a_sealed_move_may_end_the_game() {
    let one_box = boxes::Setup::new(1, 1).expect("a small board");
    check_on(
        Setup::Boxes(one_box),
        "300+5",
        "0: 1 h:0,0 => h:0,0
         0: 2 v:0,0 => v:0,0
         0: 1 h:0,1 => h:0,1
         1: 2 adjourn => +adjourn
         2: 1 yes => -accepted adjourned
         4: 2 seals v:1,0 => sealed by 2
         5: 1 comes v:1,0 => resumed 3d v:1,0 2:all_boxes",
    );
}
