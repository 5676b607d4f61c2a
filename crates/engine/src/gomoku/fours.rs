//! Victory by fours: every stone of the attacker makes a four, so the defender has one answer each time.

use super::{
    board::{Board, Cell},
    table::mix,
    weights::Threat,
};

/// Positions that are known to have no victory by fours.
const MEMORY: usize = 1 << 13;

/// Stones of the attacker at most.
const LONGEST: usize = 40;

/// Looks for victories by fours.
#[derive(Clone, Debug)]
pub(super) struct Fours {
    refuted: Vec<u64>,
    /// The line that wins, the last stone first.
    line: Vec<Cell>,
    nodes: u64,
    limit: u64,
}

impl Fours {
    pub(super) fn new() -> Self {
        Self {
            refuted: vec![0; MEMORY],
            line: Vec::with_capacity(2 * LONGEST + 4),
            nodes: 0,
            limit: 0,
        }
    }

    /// Nodes of the last search.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The line that the last search has found, from its first move.
    pub(super) fn line(&self) -> impl Iterator<Item = Cell> + '_ {
        self.line.iter().rev().copied()
    }

    /// Whether the side to move wins by fours: in how many plies. At most about `limit` positions are looked at.
    pub(super) fn search(&mut self, board: &mut Board, limit: u64) -> Option<i16> {
        self.nodes = 0;
        self.limit = limit;
        self.line.clear();
        self.attack(board, LONGEST).ok().flatten()
    }

    /// `Err` if a limit was reached, so that nothing is known.
    fn attack(&mut self, board: &mut Board, depth: usize) -> Result<Option<i16>, ()> {
        self.nodes += 1;
        let own = board.side();
        if let Some(five) = board.five(own) {
            self.line.push(five);
            return Ok(Some(1));
        }
        let forced = board.five(1 - own);
        if forced.is_some() && board.count(1 - own, Threat::Five) > 1 {
            return Ok(None);
        }
        if forced.is_none() && board.count(own, Threat::OpenFour) > 0 {
            self.finish_open_four(board);
            return Ok(Some(3));
        }
        if board.fours(own) == 0 {
            return Ok(None);
        }
        if self.nodes >= self.limit || depth == 0 {
            return Err(());
        }
        let memory = mix(board.hash() ^ 0x0f0f_1234);
        let place = (memory as u32) as usize % MEMORY;
        if self.refuted[place] == memory {
            return Ok(None);
        }
        let mut cut = false;
        // The strongest threats first, without a list: one pass over the board for each of them.
        for threat in [
            Threat::OpenFour,
            Threat::FourThree,
            Threat::FourAndMore,
            Threat::Four,
        ] {
            let mut rest = board.count(own, threat);
            let mut after = 0;
            while rest > 0 {
                let next = board
                    .threats(own, threat)
                    .find(|&point| point > after && board.threat(own, point) == threat);
                let Some(four) = next else { break };
                after = four;
                rest -= 1;
                if forced.is_some_and(|forced| forced != four) {
                    continue;
                }
                match self.answer(board, four, depth) {
                    Ok(None) => {}
                    Err(()) => cut = true,
                    Ok(Some(plies)) => return Ok(Some(plies)),
                }
                if self.nodes >= self.limit {
                    return Err(());
                }
            }
        }
        if cut {
            return Err(());
        }
        self.refuted[place] = memory;
        Ok(None)
    }

    /// Two points of five: the defender answers one of them.
    fn finish_open_four(&mut self, board: &mut Board) {
        let own = board.side();
        let Some(four) = board.threats(own, Threat::OpenFour).next() else {
            return;
        };
        board.place(four);
        let fives: [Option<Cell>; 2] = {
            let mut points = board.threats(own, Threat::Five);
            [points.next(), points.next()]
        };
        board.take_back();
        self.line.extend(fives.into_iter().flatten());
        self.line.push(four);
    }

    /// The attacker makes a four, and the defender answers it.
    fn answer(&mut self, board: &mut Board, four: Cell, depth: usize) -> Result<Option<i16>, ()> {
        let own = board.side();
        board.place(four);
        let mut result = Ok(None);
        if let Some(answer) = board.five(own)
            && board.count(1 - own, Threat::Five) == 0
        {
            board.place(answer);
            result = self.attack(board, depth - 1);
            board.take_back();
            if let Ok(Some(plies)) = &mut result {
                *plies += 2;
                self.line.extend([answer, four]);
            }
        }
        board.take_back();
        result
    }
}
