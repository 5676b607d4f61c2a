//! Victory by fours: every stone of the attacker makes a four, so the defender has one answer each time.
//!
//! The search has a stack of its own, so that it can stop after any node and go on later.

use super::{
    board::{Board, Cell, NOWHERE},
    mixing::mix,
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
    frames: Vec<Frame>,
    task: Task,
    /// The line that wins, the last stone first.
    line: Vec<Cell>,
    nodes: u64,
    limit: u64,
}

/// A position where the attacker is to move.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The index in [`ORDER`] of the threat that is tried, and the last point that was.
    threat: u8,
    after: Cell,
    /// The number of points with that threat that are left.
    rest: u16,
    /// The only move, if the defender has a four.
    forced: Cell,
    four: Cell,
    answer: Cell,
    memory: u64,
    /// A limit was reached behind one of the moves.
    cut: bool,
}

/// The strongest threats come first.
const ORDER: [Threat; 4] = [
    Threat::OpenFour,
    Threat::FourThree,
    Threat::FourAndMore,
    Threat::Four,
];

#[derive(Clone, Copy, Debug)]
enum Task {
    Enter,
    /// Try the next four of the position on top of the stack.
    Advance,
    Return(Verdict),
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The attacker wins in so many plies.
    Won(i16),
    /// There is no victory by fours.
    Refuted,
    /// A limit was reached, so that the result is unknown.
    Cut,
}

impl Fours {
    pub(super) fn new() -> Self {
        Self {
            refuted: vec![0; MEMORY],
            frames: Vec::with_capacity(LONGEST + 1),
            task: Task::Return(Verdict::Refuted),
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

    /// Finds out whether the side to move wins by fours, and in how many plies. At most about `limit` positions are looked at.
    pub(super) fn search(&mut self, board: &mut Board, limit: u64) -> Option<i16> {
        self.begin(limit);
        match self.work(board, u64::MAX) {
            Some(Verdict::Won(plies)) => Some(plies),
            _ => None,
        }
    }

    /// Begins a search, which [`Fours::work`] does.
    pub(super) fn begin(&mut self, limit: u64) {
        self.nodes = 0;
        self.limit = limit;
        self.line.clear();
        self.frames.clear();
        self.task = Task::Enter;
    }

    /// Looks at so many positions further. Until there is a verdict the stones of the search stay on the board, which must be
    /// given again.
    pub(super) fn work(&mut self, board: &mut Board, budget: u64) -> Option<Verdict> {
        let end = self.nodes.saturating_add(budget);
        loop {
            self.task = match self.task {
                Task::Enter if self.nodes >= end => return None,
                Task::Enter => self.enter(board),
                Task::Advance => self.advance(board),
                Task::Return(verdict) if self.frames.is_empty() => return Some(verdict),
                Task::Return(verdict) => self.receive(board, verdict),
            };
        }
    }

    fn enter(&mut self, board: &mut Board) -> Task {
        self.nodes += 1;
        let own = board.side();
        if let Some(five) = board.five(own) {
            self.line.push(five);
            return Task::Return(Verdict::Won(1));
        }
        let forced = board.five(1 - own);
        if forced.is_some() && board.count(1 - own, Threat::Five) > 1 {
            return Task::Return(Verdict::Refuted);
        }
        if forced.is_none() && board.count(own, Threat::OpenFour) > 0 {
            self.finish_open_four(board);
            return Task::Return(Verdict::Won(3));
        }
        if board.fours(own) == 0 {
            return Task::Return(Verdict::Refuted);
        }
        if self.nodes >= self.limit || self.frames.len() >= LONGEST {
            return Task::Return(Verdict::Cut);
        }
        let memory = mix(board.hash() ^ 0x0f0f_1234);
        if self.refuted[place(memory)] == memory {
            return Task::Return(Verdict::Refuted);
        }
        self.frames.push(Frame {
            threat: 0,
            after: NOWHERE,
            rest: board.count(own, ORDER[0]),
            forced: forced.unwrap_or(NOWHERE),
            four: NOWHERE,
            answer: NOWHERE,
            memory,
            cut: false,
        });
        Task::Advance
    }

    /// The next four and its answer, or the end of the position.
    fn advance(&mut self, board: &mut Board) -> Task {
        let Some(frame) = self.frames.last_mut() else {
            return Task::Return(Verdict::Refuted);
        };
        let own = board.side();
        while let Some(four) = frame.next(board) {
            if frame.forced != NOWHERE && frame.forced != four {
                continue;
            }
            board.place(four);
            if let Some(answer) = board.five(own)
                && board.count(1 - own, Threat::Five) == 0
            {
                board.place(answer);
                (frame.four, frame.answer) = (four, answer);
                return Task::Enter;
            }
            board.take_back();
        }
        let (cut, memory) = (frame.cut, frame.memory);
        self.frames.pop();
        if cut {
            return Task::Return(Verdict::Cut);
        }
        self.refuted[place(memory)] = memory;
        Task::Return(Verdict::Refuted)
    }

    /// Takes the verdict after the last four and its answer.
    fn receive(&mut self, board: &mut Board, verdict: Verdict) -> Task {
        board.take_back();
        board.take_back();
        let Some(frame) = self.frames.last_mut() else {
            return Task::Return(verdict);
        };
        match verdict {
            Verdict::Won(plies) => {
                self.line.extend([frame.answer, frame.four]);
                self.frames.pop();
                return Task::Return(Verdict::Won(plies + 2));
            }
            Verdict::Refuted => {}
            Verdict::Cut => frame.cut = true,
        }
        if self.nodes >= self.limit {
            self.frames.pop();
            return Task::Return(Verdict::Cut);
        }
        Task::Advance
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
}

impl Frame {
    /// The next point where the side to move makes a four, without a list: a look at the board for each of them.
    fn next(&mut self, board: &Board) -> Option<Cell> {
        let own = board.side();
        loop {
            let threat = ORDER[usize::from(self.threat)];
            if self.rest > 0 {
                let mut points = board.threats(own, threat);
                let next = points
                    .find(|&point| point > self.after && board.threat(own, point) == threat)?;
                self.after = next;
                self.rest -= 1;
                return Some(next);
            }
            if usize::from(self.threat) + 1 == ORDER.len() {
                return None;
            }
            self.threat += 1;
            self.after = NOWHERE;
            self.rest = board.count(own, ORDER[usize::from(self.threat)]);
        }
    }
}

const fn place(memory: u64) -> usize {
    (memory as u32) as usize % MEMORY
}
