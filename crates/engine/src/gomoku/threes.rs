//! Victory by threes and fours: every stone of the attacker threatens five or an open four, so the defender has a short list of
//! answers, and all of them are tried.
//!
//! The list is complete. The side that is threatened by an open four must take one of the points of the coming fives, or make a
//! four. With three stones in a line, a stone of the attacker on any of those points would make a four at least; so these are the
//! points where either side makes a four.
//!
//! The search has a stack of its own, so that it can stop after any node and go on later.

use super::{
    board::{Board, Cell, NOWHERE},
    fours::Verdict,
    mixing::mix,
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
    frames: Vec<Frame>,
    moves: Vec<(Threat, Cell)>,
    task: Task,
    /// The number of stones of the attacker that are looked at.
    depth: u64,
    /// The first move of the attacker that wins.
    first: Cell,
    nodes: u64,
    limit: u64,
}

/// A position, and its moves from `start` to `end`.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Whether the attacker moves.
    attacks: bool,
    depth: u64,
    start: u32,
    next: u32,
    end: u32,
    memory: u64,
    /// The longest defence so far.
    longest: Option<i16>,
}

#[derive(Clone, Copy, Debug)]
enum Task {
    /// The attacker is to move, with so many stones left.
    Attack(u64),
    Defend(u64),
    Advance,
    Return(Verdict),
}

impl Threes {
    pub(super) fn new() -> Self {
        Self {
            refuted: vec![0; MEMORY],
            frames: Vec::with_capacity(2 * LONGEST as usize + 2),
            moves: Vec::with_capacity(MOVES),
            task: Task::Return(Verdict::Refuted),
            depth: 0,
            first: NOWHERE,
            nodes: 0,
            limit: 0,
        }
    }

    /// Nodes of the last search.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The move by which the side to move wins, if the verdict says so.
    pub(super) const fn first(&self) -> Cell {
        self.first
    }

    /// Finds a move by which the side to move wins, and the number of plies at most. Looks at about `limit` positions, with
    /// longer and longer lines.
    #[cfg(test)]
    pub(super) fn search(&mut self, board: &mut Board, limit: u64) -> Option<(Cell, i16)> {
        self.begin(limit);
        match self.work(board, u64::MAX) {
            Some(Verdict::Won(plies)) => Some((self.first, plies)),
            _ => None,
        }
    }

    /// Begins a search, which [`Threes::work`] does.
    pub(super) fn begin(&mut self, limit: u64) {
        self.nodes = 0;
        self.limit = limit;
        self.frames.clear();
        self.moves.clear();
        self.first = NOWHERE;
        self.depth = 1;
        self.task = Task::Attack(1);
    }

    /// Looks at so many positions further. Until there is a verdict the stones of the search stay on the board, which must
    /// be given again.
    pub(super) fn work(&mut self, board: &mut Board, budget: u64) -> Option<Verdict> {
        let end = self.nodes.saturating_add(budget);
        loop {
            self.task = match self.task {
                Task::Attack(_) | Task::Defend(_) if self.nodes >= end => return None,
                Task::Attack(depth) => self.attack(board, depth),
                Task::Defend(depth) => self.defend(board, depth),
                Task::Advance => self.advance(board),
                Task::Return(Verdict::Refuted)
                    if self.frames.is_empty() && self.depth < LONGEST =>
                {
                    self.depth += 1;
                    Task::Attack(self.depth)
                }
                Task::Return(verdict) if self.frames.is_empty() => return Some(verdict),
                Task::Return(verdict) => self.receive(board, verdict),
            };
        }
    }

    fn attack(&mut self, board: &Board, depth: u64) -> Task {
        self.nodes += 1;
        let (own, other) = (board.side(), 1 - board.side());
        if let Some(five) = board.five(own) {
            return self.win(five, 1);
        }
        let forced = board.five(other);
        if board.count(other, Threat::Five) > 1 {
            return Task::Return(Verdict::Refuted);
        }
        if forced.is_none()
            && let Some(four) = board.open_four(own)
        {
            return self.win(four, 3);
        }
        if depth == 0 {
            return Task::Return(Verdict::Refuted);
        }
        if self.nodes >= self.limit {
            return Task::Return(Verdict::Cut);
        }
        let memory = mix(board.hash() ^ depth << 56);
        if self.refuted[place(memory)] == memory {
            return Task::Return(Verdict::Refuted);
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
        self.push(true, depth, start, memory)
    }

    /// Notes that the side to move wins with this move, in so many plies.
    fn win(&mut self, mv: Cell, plies: i16) -> Task {
        if self.frames.is_empty() {
            self.first = mv;
        }
        Task::Return(Verdict::Won(plies))
    }

    /// Tries whether the attacker, who has just moved, wins against every answer.
    fn defend(&mut self, board: &Board, depth: u64) -> Task {
        self.nodes += 1;
        let (own, other) = (board.side(), 1 - board.side());
        if board.count(own, Threat::Five) > 0 {
            return Task::Return(Verdict::Refuted);
        }
        let start = self.moves.len();
        if let Some(five) = board.five(other) {
            self.moves.push((Threat::Five, five));
        } else if board.count(other, Threat::OpenFour) == 0
            || board.count(own, Threat::OpenFour) > 0
        {
            return Task::Return(Verdict::Refuted);
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
                // The list may be incomplete.
                self.moves.truncate(start);
                return Task::Return(Verdict::Cut);
            }
        }
        self.push(false, depth, start, 0)
    }

    fn push(&mut self, attacks: bool, depth: u64, start: usize, memory: u64) -> Task {
        self.moves[start..]
            .sort_unstable_by_key(|&(threat, point)| (std::cmp::Reverse(threat), point));
        self.frames.push(Frame {
            attacks,
            depth,
            start: start as u32,
            next: start as u32,
            end: self.moves.len() as u32,
            memory,
            longest: None,
        });
        Task::Advance
    }

    /// The next move of the position on top of the stack, or its end.
    fn advance(&mut self, board: &mut Board) -> Task {
        let Some(frame) = self.frames.last_mut() else {
            return Task::Return(Verdict::Refuted);
        };
        if frame.next < frame.end {
            let (_, mv) = self.moves[frame.next as usize];
            frame.next += 1;
            board.place(mv);
            return if frame.attacks {
                Task::Defend(frame.depth - 1)
            } else {
                Task::Attack(frame.depth)
            };
        }
        if frame.attacks {
            self.refuted[place(frame.memory)] = frame.memory;
        }
        let verdict = frame.longest.map_or(Verdict::Refuted, Verdict::Won);
        self.leave(verdict)
    }

    fn receive(&mut self, board: &mut Board, verdict: Verdict) -> Task {
        board.take_back();
        let is_root = self.frames.len() == 1;
        let Some(frame) = self.frames.last_mut() else {
            return Task::Return(verdict);
        };
        match verdict {
            Verdict::Won(plies) if frame.attacks => {
                if is_root {
                    self.first = self.moves[frame.next as usize - 1].1;
                }
                self.leave(Verdict::Won(plies + 1))
            }
            Verdict::Won(plies) => {
                frame.longest = frame.longest.max(Some(plies + 1));
                Task::Advance
            }
            Verdict::Refuted if frame.attacks => Task::Advance,
            Verdict::Refuted | Verdict::Cut => self.leave(verdict),
        }
    }

    fn leave(&mut self, verdict: Verdict) -> Task {
        if let Some(frame) = self.frames.pop() {
            self.moves.truncate(frame.start as usize);
        }
        Task::Return(verdict)
    }
}

const fn place(memory: u64) -> usize {
    (memory as u32) as usize % MEMORY
}
