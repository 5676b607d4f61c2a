//! The terms of the games of a play-off: half the clock, and in Dots a beginning that leads to a decision.

use tochki_play::ClockRule;
use tochki_rules::{Setup, dots};

/// The shortest times that a clock may have, as [`ClockRule`] says.
const SHORTEST_INITIAL: u32 = 10;
const SHORTEST_MOVE: u32 = 5;

/// Returns half a clock, or the shortest of its kind.
pub fn half_clock(clock: ClockRule) -> ClockRule {
    match clock {
        ClockRule::Fischer { initial, increment } => ClockRule::Fischer {
            initial: (initial / 2).max(SHORTEST_INITIAL),
            increment: increment / 2,
        },
        ClockRule::Bank { per_move, bank } => ClockRule::Bank {
            per_move: (per_move / 2).max(SHORTEST_MOVE),
            bank: bank / 2,
        },
        ClockRule::ByoYomi {
            initial,
            period,
            periods,
        } => ClockRule::ByoYomi {
            initial: initial / 2,
            period: (period / 2).max(SHORTEST_MOVE),
            periods,
        },
        // A knockout is played live.
        ClockRule::None | ClockRule::DaysPerMove { .. } | ClockRule::FischerDays { .. } => clock,
    }
}

/// Returns the setup of a play-off: Dots begin with four crosses, where the board has room for them.
pub fn play_off_setup(setup: Setup) -> Setup {
    let Setup::Dots(board) = setup else {
        return setup;
    };
    let crosses = dots::Opening::FourCrosses;
    let crossed = dots::Setup::new(board.width(), board.height(), crosses);
    crossed.map_or(setup, Setup::Dots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::GameKind;

    #[test]
    fn a_clock_is_halved_and_stays_one() {
        for (whole, half) in [
            ("300+5", "150+2"),
            ("15+0", "10+0"),
            ("25/300", "12/150"),
            ("5/0", "5/0"),
            ("600~30x5", "300~15x5"),
        ] {
            let halved = half_clock(whole.parse().unwrap());
            assert_eq!(halved.to_string(), half);
            assert_eq!(
                half.parse::<ClockRule>(),
                Ok(halved),
                "a clock that there is"
            );
        }
    }

    #[test]
    fn dots_play_off_with_four_crosses() {
        let setup = dots::Setup::new(20, 20, dots::Opening::Empty).unwrap();
        let Setup::Dots(play_off) = play_off_setup(Setup::Dots(setup)) else {
            panic!("another game");
        };
        assert_eq!(play_off.start(), dots::Opening::FourCrosses);
        assert_eq!((play_off.width(), play_off.height()), (20, 20));
        // A board that is too small for them stays as it is, and so do other games.
        let small = Setup::Dots(dots::Setup::new(5, 5, dots::Opening::Empty).unwrap());
        assert_eq!(play_off_setup(small), small);
        let reversi = GameKind::Reversi.default_setup();
        assert_eq!(play_off_setup(reversi), reversi);
    }
}
