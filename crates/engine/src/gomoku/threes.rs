//! Victory by threes and fours: every stone of the attacker threatens five or an open four, so the defender has a short list of
//! answers, and all of them are tried.
//!
//! The list is complete. Whoever is threatened by an open four must take one of the points of the coming fives, or make a four. With
//! three stones in a line, a stone of the attacker on any of those points would make a four at least; so these are the points
//! where either side makes a four.

use super::{
    board::{Board, Cell, NOWHERE},
    table::mix,
    weights::Threat,
};

/// Positions that are known to have no victory within some depth.
const MEMORY: usize = 1 << 14;

/// Moves on the stack at most, for all plies together.
const MOVES: usize = 4096;

/// Stones of the attacker in one line at most.
const LONGEST: u64 = 12;

/// Looks for victories by threes and fours.
#[derive(Clone, Debug)]
pub(super) struct Threes {
    refuted: Vec<u64>,
    moves: Vec<(Threat, Cell)>,
    nodes: u64,
    limit: u64,
}

/// A limit was reached, so nothing is known.
struct Cut;

/// In how many plies the attacker wins, if it does.
type Won = Result<Option<i16>, Cut>;

impl Threes {
    pub(super) fn new() -> Self {
        Self {
            refuted: vec![0; MEMORY],
            moves: Vec::with_capacity(MOVES),
            nodes: 0,
            limit: 0,
        }
    }

    /// Nodes of the last search.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A move by which the side to move wins, and in how many plies at most. Looks at about `limit` positions, with longer and
    /// longer lines.
    pub(super) fn search(&mut self, board: &mut Board, limit: u64) -> Option<(Cell, i16)> {
        self.nodes = 0;
        self.limit = limit;
        for depth in 1..=LONGEST {
            self.moves.clear();
            let mut first = NOWHERE;
            match self.attack(board, depth, Some(&mut first)) {
                Ok(Some(plies)) => return Some((first, plies)),
                Ok(None) => {}
                Err(Cut) => return None,
            }
        }
        None
    }

    fn attack(&mut self, board: &mut Board, depth: u64, first: Option<&mut Cell>) -> Won {
        self.nodes += 1;
        let (own, other) = (board.side(), 1 - board.side());
        let winner = |mv: Option<Cell>| {
            if let (Some(first), Some(mv)) = (first, mv) {
                *first = mv;
            }
        };
        if let Some(five) = board.five(own) {
            winner(Some(five));
            return Ok(Some(1));
        }
        let forced = board.five(other);
        if board.count(other, Threat::Five) > 1 {
            return Ok(None);
        }
        if forced.is_none() && board.count(own, Threat::OpenFour) > 0 {
            winner(board.threats(own, Threat::OpenFour).next());
            return Ok(Some(3));
        }
        if depth == 0 {
            return Ok(None);
        }
        if self.nodes >= self.limit {
            return Err(Cut);
        }
        let memory = mix(board.hash() ^ depth << 56);
        let place = (memory as u32) as usize % MEMORY;
        if self.refuted[place] == memory {
            return Ok(None);
        }
        // Where the other side has an open four, a three does not threaten anything.
        let least = if board.count(other, Threat::OpenFour) > 0 {
            Threat::Four
        } else {
            Threat::Three
        };
        let start = self.moves.len();
        let room = MOVES - start;
        let points = board.threats(own, least);
        let points = points.filter(|&point| forced.is_none_or(|forced| forced == point));
        let ranked = points.map(|point| (board.threat(own, point), point));
        self.moves.extend(ranked.take(room));
        self.moves[start..]
            .sort_unstable_by_key(|&(threat, point)| (std::cmp::Reverse(threat), point));
        let mut result = Ok(None);
        for at in start..self.moves.len() {
            let (_, mv) = self.moves[at];
            board.place(mv);
            let won = self.defend(board, depth - 1);
            board.take_back();
            match won {
                Ok(None) => {}
                Ok(Some(plies)) => {
                    winner(Some(mv));
                    result = Ok(Some(plies + 1));
                    break;
                }
                Err(Cut) => {
                    result = Err(Cut);
                    break;
                }
            }
        }
        self.moves.truncate(start);
        if matches!(result, Ok(None)) {
            self.refuted[place] = memory;
        }
        result
    }

    /// Whether the attacker, who has just moved, wins against every answer.
    fn defend(&mut self, board: &mut Board, depth: u64) -> Won {
        self.nodes += 1;
        let (own, other) = (board.side(), 1 - board.side());
        if board.count(own, Threat::Five) > 0 {
            return Ok(None);
        }
        let start = self.moves.len();
        if let Some(five) = board.five(other) {
            self.moves.push((Threat::Five, five));
        } else if board.count(other, Threat::OpenFour) == 0
            || board.count(own, Threat::OpenFour) > 0
        {
            return Ok(None);
        } else {
            let room = MOVES - start;
            let points = board.free_points();
            let ranked = points.map(|point| {
                let threat = board.threat(other, point).max(board.threat(own, point));
                (threat, point)
            });
            let answers = ranked.filter(|&(threat, _)| threat >= Threat::Four);
            self.moves.extend(answers.take(room));
            if self.moves.len() == MOVES {
                // Some may be missing.
                self.moves.truncate(start);
                return Err(Cut);
            }
            self.moves[start..]
                .sort_unstable_by_key(|&(threat, point)| (std::cmp::Reverse(threat), point));
        }
        let mut longest = 0;
        let mut result = Ok(None);
        for at in start..self.moves.len() {
            let (_, mv) = self.moves[at];
            board.place(mv);
            let won = self.attack(board, depth, None);
            board.take_back();
            match won {
                Ok(Some(plies)) => {
                    longest = longest.max(plies + 1);
                    result = Ok(Some(longest));
                }
                refuted => {
                    result = refuted;
                    break;
                }
            }
        }
        self.moves.truncate(start);
        result
    }
}
