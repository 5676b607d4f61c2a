//! What a level means in Dots: how far each search goes, and how often a move is drawn that is not the best.

use crate::{Level, Limits};

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LevelSettings {
    /// Nodes at most.
    pub(crate) nodes: u64,
    /// Plies of the tactical search at most. With 0 it takes no capture on purpose; with 2 it takes what lies free and saves
    /// what would be taken.
    pub(crate) depth: u8,
    /// Of 256 moves, how many are drawn among those that lose little. Tactical moves are never left out for that.
    pub(crate) slips: u32,
    /// How many moves it is drawn among.
    pub(crate) choices: usize,
}

/// Leads that a move drawn by lot may lose at most, by the estimate of the playouts.
pub(crate) const LITTLE: f32 = 4.0;

impl LevelSettings {
    /// The manner of the level, within the limits.
    pub(crate) fn of(limits: &Limits) -> Self {
        let (nodes, depth, slips, choices) = MANNERS[usize::from(limits.level.number() - 1) % 8];
        Self {
            nodes: nodes.min(limits.nodes),
            depth: depth.min(limits.depth.min(u16::from(u8::MAX)) as u8),
            slips: if limits.level == Level::STRONGEST {
                0
            } else {
                slips
            },
            choices,
        }
    }
}

/// Nodes, depth, slips and choices of each level.
const MANNERS: [(u64, u8, u32, usize); 8] = [
    (300, 0, 220, 20),
    (700, 1, 160, 12),
    (1500, 2, 110, 8),
    (3000, 3, 80, 6),
    (5500, 4, 60, 5),
    (12_000, 6, 30, 4),
    (45_000, 8, 8, 3),
    (u64::MAX, 12, 0, 1),
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
}
