//! The levels of Dots: the bounds of each search, and the frequency of moves that are not the best.

use crate::{Level, Limits};

/// The settings of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LevelSettings {
    /// Nodes at most.
    pub(crate) nodes: u64,
    /// Plies of the tactical search at most. With 0 it takes no capture on purpose; with 2 it takes free dots and saves dots that
    /// would be taken.
    pub(crate) depth: u8,
    /// The number of moves in 256 at which the tactical search goes no further than 2 plies.
    pub(crate) shallow: u32,
    /// The number of moves in 256 that are drawn among those that lose little, where nothing is to be captured or saved.
    pub(crate) slips: u32,
    /// The number of moves that a draw is among.
    pub(crate) choices: usize,
    /// The number of moves in 256 that are drawn as if nothing could be captured or saved.
    pub(crate) overlooks: u32,
    /// The loss of a move drawn by lot at most, in points by the estimate of the playouts; `None` is any loss.
    pub(crate) loss: Option<u8>,
}

impl LevelSettings {
    /// The manner of the level, within the limits.
    pub(crate) fn of(limits: &Limits) -> Self {
        let (nodes, depth, shallow, slips, overlooks, choices, loss) =
            MANNERS[usize::from(limits.level.number() - 1) % 8];
        Self {
            nodes: nodes.min(limits.nodes),
            depth: depth.min(limits.depth.min(u16::from(u8::MAX)) as u8),
            shallow,
            slips: if limits.level == Level::STRONGEST {
                0
            } else {
                slips
            },
            overlooks,
            choices,
            loss,
        }
    }

    /// Plies of the tactical search at most, for a move with this random number.
    pub(crate) fn depth_by(&self, slip: u64) -> u8 {
        let is_shallow = (slip >> 16) as u32 % 256 < self.shallow;
        if is_shallow {
            self.depth.min(2)
        } else {
            self.depth
        }
    }
}

/// Nodes, depth, shallow moves, slips, moves that overlook something, choices and loss of a level.
type Manner = (u64, u8, u32, u32, u32, usize, Option<u8>);

/// The manners of all levels.
const MANNERS: [Manner; 8] = [
    (300, 2, 0, 256, 185, 30, None),
    (350, 2, 0, 256, 105, 34, None),
    (400, 2, 0, 256, 0, 37, None),
    (430, 2, 0, 256, 0, 23, None),
    (470, 2, 0, 256, 0, 47, Some(90)),
    (600, 2, 0, 245, 0, 15, Some(17)),
    (800, 4, 250, 204, 0, 12, Some(10)),
    (u64::MAX, 12, 0, 0, 0, 1, Some(0)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_level_searches_more_and_errs_less() {
        let manners: Vec<_> = Level::all()
            .map(|level| {
                LevelSettings::of(&Limits {
                    level,
                    ..Limits::NONE
                })
            })
            .collect();
        for pair in manners.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes);
            assert!(pair[0].depth <= pair[1].depth);
            assert!(pair[0].slips >= pair[1].slips);
        }
        assert!(
            manners[2].depth >= 2,
            "from the third on no capture is left lying"
        );
    }

    #[test]
    fn a_level_narrows_the_limits_and_never_widens_them() {
        for level in Level::all() {
            let limits = Limits {
                nodes: 10,
                depth: 1,
                level,
                ..Limits::NONE
            };
            let manner = LevelSettings::of(&limits);
            assert!(manner.nodes <= 10 && manner.depth <= 1);
        }
    }

    #[test]
    fn a_level_searches_deeper_at_a_share_of_its_moves() {
        let level = Level::new(7).expect("a level");
        let manner = LevelSettings::of(&Limits {
            level,
            ..Limits::NONE
        });
        let is_shallow = |bits: &u64| manner.depth_by(bits << 16) == 2;
        let shallow = (0..256).filter(is_shallow).count();
        assert_eq!(shallow, manner.shallow as usize);
        assert!((1..256).contains(&shallow), "{shallow}");
        assert_eq!(manner.depth_by(255 << 16), manner.depth);
    }
}
