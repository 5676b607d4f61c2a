//! The times of an arena: how long a game takes by its clock, and what depends on that.
//!
//! Source of most figures: lichess's arenas (`modules/tournament/src/main/arena/PairingSystem.scala`, `WaitingUsers.scala`,
//! `Pause.scala`).

use tochki_play::{ClockRule, Millis, Timestamp};
use tochki_rules::Setup;

/// The time for the first move of each side.
pub const FIRST_MOVE_TIMEOUT: Millis = Millis::from_secs(20);
/// The time for the first move where Dots have more than 20 × 20 points.
pub const FIRST_MOVE_TIMEOUT_ON_LARGE_BOARDS: Millis = Millis::from_secs(30);

/// The points of the board on which a side of Dots makes [`MOVES_OF_DOTS`] moves.
const POINTS_OF_DOTS: i64 = 39 * 32;
const MOVES_OF_DOTS: i64 = 80;
/// The points of a board of Dots that is not large yet.
const SMALL_BOARD: u16 = 20 * 20;

/// Returns the duration that a game is expected to have for each side: `I + n·N` for the clock `I+N`, `P·n + B` for `P/B`,
/// `I + P·K` for byo-yomi, with `n` moves by the game and the board. `None` without a clock and for clocks of days, which no
/// arena has.
pub fn estimated_duration(clock: ClockRule, setup: &Setup) -> Option<Millis> {
    // As a fraction, so that small boards of Dots are not rounded to the next move.
    let (moves, parts) = match setup {
        Setup::Dots(setup) => (MOVES_OF_DOTS * i64::from(setup.area()), POINTS_OF_DOTS),
        Setup::Gomoku(_) => (25, 1),
        Setup::Reversi(_) => (30, 1),
        Setup::Boxes(setup) => (i64::from(setup.line_count()), 2),
    };
    let times = |seconds: u32| Millis(Millis::from_secs(seconds).0 * moves / parts);
    Some(match clock {
        ClockRule::Fischer { initial, increment } => Millis::from_secs(initial) + times(increment),
        ClockRule::Bank { per_move, bank } => times(per_move) + Millis::from_secs(bank),
        ClockRule::ByoYomi {
            initial,
            period,
            periods,
        } => Millis::from_secs(initial) + Millis::from_secs(period) * periods,
        ClockRule::None | ClockRule::DaysPerMove { .. } | ClockRule::FischerDays { .. } => {
            return None;
        }
    })
}

/// Returns how long two players wait for each other at most before a wave of pairings, by the players who are active.
pub fn wave_wait(estimate: Millis, active: usize) -> Millis {
    let seconds = Millis::from_secs;
    if active <= 12 {
        seconds(4)
    } else if estimate < seconds(30) {
        seconds(8)
    } else if estimate < seconds(60) {
        seconds(10)
    } else {
        (Millis(estimate.0 / 10) + seconds(6)).clamp(seconds(15), seconds(50))
    }
}

/// Returns how long a player waits who comes back from a pause, by the number of pauses so far, this one among them.
pub fn return_delay(estimate: Millis, pauses: u32) -> Millis {
    let shortest = Millis::from_secs(10);
    if pauses < 2 {
        return shortest;
    }
    Millis(estimate.0.saturating_mul(i64::from(pauses - 1)) / 15)
        .clamp(shortest, Millis::from_secs(120))
}

/// Returns the time from which on nobody is paired, where running games do not count after the end.
pub fn pairing_closes(end: Timestamp, clock: ClockRule) -> Timestamp {
    let half = Millis(limit(clock).0 / 2);
    end - half.clamp(Millis::from_secs(30), Millis::from_secs(120))
}

/// Returns the time until which games count that run at the end, where they do: twice the clock and sixty increments.
pub fn last_games_end(end: Timestamp, clock: ClockRule) -> Timestamp {
    let increment = match clock {
        ClockRule::Fischer { increment, .. } => Millis::from_secs(increment),
        _ => clock.per_move().unwrap_or(Millis::ZERO),
    };
    end + limit(clock) * 2 + increment * 60
}

/// Returns the time that a clock has at the start.
fn limit(clock: ClockRule) -> Millis {
    clock.initial().unwrap_or(Millis::ZERO)
}

/// Returns the time for the first move.
pub fn first_move_timeout(setup: &Setup) -> Millis {
    match setup {
        Setup::Dots(setup) if setup.area() > SMALL_BOARD => FIRST_MOVE_TIMEOUT_ON_LARGE_BOARDS,
        _ => FIRST_MOVE_TIMEOUT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::dots::{self, Opening};
    use tochki_rules::{GameKind, boxes};

    fn dots(width: u8, height: u8) -> Setup {
        Setup::Dots(dots::Setup::new(width, height, Opening::Empty).unwrap())
    }

    fn seconds(clock: &str, setup: Setup) -> i64 {
        estimated_duration(clock.parse().unwrap(), &setup)
            .unwrap()
            .0
            / 1000
    }

    #[test]
    fn a_game_takes_its_clock_and_its_increments() {
        let gomoku = GameKind::Gomoku.default_setup();
        let reversi = GameKind::Reversi.default_setup();
        let boxes = Setup::Boxes(boxes::Setup::new(3, 3).unwrap());
        for (clock, setup, expected) in [
            ("300+5", dots(39, 32), 700),
            // 25.64 moves.
            ("60+3", dots(20, 20), 136),
            ("120+1", gomoku, 145),
            ("120+1", reversi, 150),
            // 24 lines.
            ("60+2", boxes, 84),
            ("25/300", gomoku, 925),
            ("600~30x5", gomoku, 750),
        ] {
            assert_eq!(seconds(clock, setup), expected, "{clock}");
        }
        assert_eq!(estimated_duration("3d".parse().unwrap(), &gomoku), None);
        assert_eq!(estimated_duration(ClockRule::None, &gomoku), None);
    }

    #[test]
    fn a_wave_waits_longer_where_games_are_longer() {
        for (estimate, active, expected) in [
            (700, 12, 4),
            (29, 13, 8),
            (59, 13, 10),
            (60, 13, 15),
            (140, 13, 20),
            (700, 13, 50),
        ] {
            let wait = wave_wait(Millis::from_secs(estimate), active);
            assert_eq!(wait, Millis::from_secs(expected), "{estimate} {active}");
        }
    }

    #[test]
    fn each_pause_costs_more() {
        let delays: Vec<_> = (1..=5)
            .map(|pauses| return_delay(Millis::from_secs(700), pauses).0 / 1000)
            .collect();
        assert_eq!(delays, [10, 46, 93, 120, 120]);
        assert_eq!(
            return_delay(Millis::from_secs(30), 2),
            Millis::from_secs(10)
        );
        assert_eq!(
            return_delay(Millis::from_secs(700), u32::MAX),
            Millis::from_secs(120)
        );
    }

    #[test]
    fn pairing_closes_before_the_end() {
        let end = Timestamp(10_000_000);
        for (clock, before) in [("30+0", 30), ("180+2", 90), ("600+5", 120)] {
            let closes = pairing_closes(end, clock.parse().unwrap());
            assert_eq!(end - closes, Millis::from_secs(before), "{clock}");
        }
        let last = last_games_end(end, "180+2".parse().unwrap());
        assert_eq!(last - end, Millis::from_secs(480));
        let last = last_games_end(end, "25/300".parse().unwrap());
        assert_eq!(last - end, Millis::from_secs(2 * 325 + 60 * 25));
    }

    #[test]
    fn large_boards_have_more_time_for_the_first_move() {
        assert_eq!(first_move_timeout(&dots(20, 20)), Millis::from_secs(20));
        assert_eq!(first_move_timeout(&dots(21, 20)), Millis::from_secs(30));
        assert_eq!(
            first_move_timeout(&GameKind::Gomoku.default_setup()),
            Millis::from_secs(20)
        );
    }
}
