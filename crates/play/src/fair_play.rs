//! Rules against stalling: aborting, move limits without a clock, no repeated offers.

use super::scenarios::{at, check, check_begun, check_on, clock_shows, command, shows};
use super::{Command, Decision, Match, Refusal, Terms, Timestamp};
use tochki_rules::{GameKind, Seat, Setup, dots};

fn unrated(clock: &str) -> Match {
    let setup = dots::Setup::new(5, 5, dots::Opening::Empty).unwrap();
    let terms = Terms {
        setup: Setup::Dots(setup),
        clock: clock.parse().unwrap(),
        rated: false,
    };
    Match::new(terms, Timestamp(0))
}

/// Executes the commands that are asked for at this second.
#[track_caller]
fn done(game: &mut Match, second: u32, asked: &str) {
    let decision = game.decide(&command(asked), at(second));
    let Ok(Decision::Happens(events)) = decision else {
        panic!("{asked}: {decision:?}");
    };
    for event in &events {
        game.apply(event).unwrap();
    }
}

#[test]
fn a_match_that_has_not_begun_is_aborted_and_not_lost() {
    check(
        "none",
        "5: 2 aborts => X:aborted by 2\n6: 1 0,0 => !Finished",
    );
    check("none", "5: 1 0,0 => 0,0\n6: 1 aborts => X:aborted by 1");
    check("none", "5: 1 gone => X:aborted by 1");
    check("none", "5: 2 leaves => X:aborted by 2");
    check_begun("none", "5: 2 leaves => 1:resigned");
    check(
        "none",
        "5: 1 resigns => !NotBegun\n5: 1 draw => !NotBegun\n5: 2 finish => !NotBegun",
    );
    check(
        "none",
        "1: 1 0,0 => 0,0\n2: 1 resigns => !NotBegun\n2: 2 gone => X:aborted by 2",
    );
    check_begun(
        "none",
        "1: 1 aborts => !Begun\n2: 1 resigns => 2:resigned\n3: 1 aborts => !Finished",
    );
}

#[test]
fn the_first_move_of_each_side_has_to_come_within_a_minute() {
    for clock in ["none", "300+5"] {
        let game = check(
            clock,
            "59: - =>\n60: 1 0,0 => !Finished\n60: - => X:aborted by 1",
        );
        assert_eq!(game.deadline(), None);
        check(
            clock,
            "50: 1 0,0 => 0,0\n109: - =>\n110: - => X:aborted by 2",
        );
        let game = check(clock, "50: 1 0,0 => 0,0\n109: 2 1,1 => 1,1\n200: - =>");
        assert!(game.has_begun());
    }
}

#[test]
fn a_flag_that_falls_before_both_have_moved_aborts() {
    check("10+0", "10: - => X:aborted by 1");
    check("10+0", "5: 1 0,0 => 0,0\n15: - => X:aborted by 2");
    check("10+0", "5: 1 0,0 => 0,0\n6: 2 1,1 => 1,1\n11: - => 2:time");
}

#[test]
fn a_first_move_taken_back_is_none_until_the_match_has_begun() {
    let game = check(
        "none",
        "1: 1 0,0      => 0,0
         2: 1 takeback => +takeback
         3: 2 yes      => -accepted <1
         63: -         => X:aborted by 1",
    );
    assert!(!game.has_begun());
    let game = check_begun(
        "300+0",
        "2: 2 takeback => +takeback
         3: 1 yes      => -accepted <1
         4: 1 takeback => +takeback
         5: 2 yes      => -accepted <1
         90: -         => 
         91: 1 aborts  => !Begun
         91: 1 resigns => 2:resigned",
    );
    assert!(game.plies().is_empty());
}

#[test]
fn a_rated_match_without_a_clock_gives_each_move_ten_minutes() {
    let game = check_begun("none", "100: 1 0,0 => 0,0\n699: - =>");
    assert_eq!((game.move_by(), game.clock()), (Some(at(700)), None));
    check_begun(
        "none",
        "100: 1 0,0 => 0,0\n700: 2 1,1 => !Finished\n700: - => 1:time",
    );
    check_begun(
        "none",
        "100: 1 0,0 => 0,0\n600: 1 takeback => +takeback\n601: 2 yes => -accepted <1\n1200: - =>\n1201: - => 2:time",
    );
    // A clock is limit enough, and an unrated match may take its time.
    let game = check_begun("300+5", "100: 1 0,0 => 0,0");
    assert_eq!(game.move_by(), None);
    let mut game = unrated("none");
    done(&mut game, 1, "1 0,0");
    done(&mut game, 2, "2 1,1");
    assert_eq!((game.move_by(), game.deadline()), (None, None));
}

#[test]
fn time_that_counts_for_nobody_is_not_on_the_limit_of_a_move() {
    let mut game = check_begun("none", "100: 1 0,0 => 0,0");
    game.postpone(super::Millis::from_secs(3600));
    assert_eq!(game.deadline(), Some(at(4300)));
}

#[test]
fn each_kind_of_offer_is_made_once_between_two_moves_of_ones_own() {
    check_begun(
        "none",
        "1: 1 draw   => +draw
         2: 1 cancel => -cancelled
         3: 1 draw   => !OfferCooldown
         4: 1 finish => +finish
         5: 2 no     => -declined
         6: 2 draw   => +draw
         7: 1 no     => -declined
         8: 1 0,0    => 0,0
         9: 2 draw   => !OfferCooldown
         9: 1 draw   => +draw
         30: -       => -expired
         31: 1 draw  => !OfferCooldown
         32: 2 1,0   => 1,0
         33: 1 draw  => !OfferCooldown
         33: 2 draw  => +draw",
    );
}

#[test]
fn an_answer_may_name_the_offer() {
    // Versions: two moves, then the offer.
    check_begun(
        "none",
        "1: 1 draw   => +draw
         2: 2 yes 2  => !OfferClosed
         2: 1 cancel => -cancelled
         3: 1 finish => +finish
         4: 2 yes 3  => !OfferClosed
         5: 2 yes 5  => -accepted 0:agreed_finish",
    );
}

#[test]
fn there_is_no_offer_to_finish_in_gomoku() {
    check_on(
        GameKind::Gomoku.default_setup(),
        "none",
        "1: 1 0,0 => 0,0\n1: 2 0,1 => 0,1\n2: 1 finish => !NoSuchOffer\n2: 1 draw => +draw",
    );
}

#[test]
fn an_offer_does_not_make_a_move_stale() {
    let game = check(
        "none",
        "1: 1 0,0 => 0,0\n1: 1 takeback => +takeback\n2: 2 no => -declined",
    );
    let from = |version| Command::Move {
        seat: Seat::Second,
        mv: "1,1".to_owned(),
        version: Some(version),
        client_id: None,
    };
    assert_eq!(game.decide(&from(0), at(3)), Err(Refusal::Stale));
    for version in 1..=3 {
        assert!(game.decide(&from(version), at(3)).is_ok(), "{version}");
    }
    // Nobody can have moved from a version that is not there yet.
    assert_eq!(game.decide(&from(4), at(3)), Err(Refusal::Stale));
}

#[test]
fn a_move_counts_from_when_it_was_received() {
    let mut game = check("10+0", "4: 1 0,0 => 0,0\n5: 2 1,1 => 1,1\n6: 1 2,2 => 2,2");
    // The flag of the second player falls at 15.
    let mv = command("2 3,3");
    assert_eq!(
        game.decide_received(&mv, at(15), at(15)),
        Err(Refusal::Finished)
    );
    let Ok(Decision::Happens(events)) = game.decide_received(&mv, at(14), at(18)) else {
        panic!("received in time");
    };
    for event in &events {
        game.apply(event).unwrap();
    }
    clock_shows(&game, [5, 1], Some(1), 18);
    shows(&game, "0,0 1,1 2,2 3,3", 4);
}

#[test]
fn a_match_of_one_player_has_no_deadline() {
    let terms = *unrated("none").terms();
    let mut game = Match::alone(terms, Timestamp(0));
    assert_eq!(game.deadline(), None);
    done(&mut game, 10_000, "1 0,0");
    assert_eq!(game.deadline(), None);
    done(&mut game, 20_000, "1 resigns");
}
