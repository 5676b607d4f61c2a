//! The main search: `NegaScout` with iterative deepening, as a machine with a stack of its own, so that it can stop after any
//! node and go on later.

use super::{
    board::{Board, Cell, NOWHERE},
    fours::Fours,
    table::{Bound, Table},
    weights::Threat,
};
use crate::Rng;

/// The value of a win that is made now; each ply until then takes one away.
pub(super) const WIN: i16 = 30_000;

/// Values beyond this are wins.
pub(super) const WINNING: i16 = WIN - 1_000;

/// Evaluations stay below this.
const MOST: i32 = 20_000;

const INFINITE: i16 = 32_000;

/// Plies of the longest line.
const PLIES: usize = 128;

/// Nodes of a four-threat search at a leaf.
pub(super) const QUIET_FOURS: u64 = 64;

/// Moves that are looked at in a position, besides forced ones.
const WIDTH: usize = 60;

/// Plies from the root.
type Ply = i16;

/// The search of one position.
#[derive(Clone, Debug)]
pub(super) struct Search {
    board: Board,
    table: Table,
    fours: Fours,
    frames: Vec<Frame>,
    moves: Vec<Ranked>,
    killers: Vec<[Cell; 2]>,
    task: Task,
    depth: i16,
    most_depth: i16,
    window: [i16; 2],
    /// How far the window reaches beyond the last value.
    reach: i16,
    pub root: Vec<RootMove>,
    /// The depth that is searched, and the last that is finished.
    pub finished_depth: i16,
    pub done: bool,
    nodes: u64,
    fours_nodes: u64,
    rng: Rng,
}

/// A move of the root and what is known about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootMove {
    pub mv: Cell,
    pub value: i16,
    pub depth: i16,
}

#[derive(Clone, Copy, Debug)]
struct Ranked {
    mv: Cell,
    rank: i32,
}

/// What the machine does next.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// Begin another iteration.
    Iterate,
    Enter(Call),
    /// Go on with the position on top of the stack.
    Advance,
    /// A position has this value for its side to move.
    Return(i16),
}

/// A position to search, as its parent sees it.
#[derive(Clone, Copy, Debug)]
struct Call {
    depth: i16,
    alpha: i16,
    beta: i16,
    after_pass: bool,
}

/// What a frame waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    Pass,
    Reduced,
    Scout,
    Full,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    depth: i16,
    alpha: i16,
    beta: i16,
    floor: i16,
    best: i16,
    best_move: Cell,
    mv: Cell,
    start: u32,
    next: u32,
    end: u32,
    searched: u16,
    wait: Wait,
    forced: bool,
    /// Late moves were left out, so that a loss is not known to be one.
    pruned: bool,
    evaluation: i16,
}

impl Search {
    /// The search of a position, with a table of about `bytes`.
    pub(super) fn new(board: Board, bytes: usize, depth: u16, seed: u64) -> Self {
        let mut search = Self {
            table: Table::new(bytes),
            fours: Fours::new(),
            frames: Vec::with_capacity(PLIES + 1),
            moves: Vec::with_capacity(PLIES * WIDTH + 512),
            killers: vec![[NOWHERE; 2]; PLIES + 1],
            task: Task::Iterate,
            depth: 0,
            most_depth: 0,
            window: [-INFINITE, INFINITE],
            reach: 0,
            root: Vec::with_capacity(512),
            finished_depth: 0,
            done: false,
            nodes: 0,
            fours_nodes: 0,
            rng: Rng::new(seed),
            board,
        };
        search.begin(depth);
        search
    }

    /// Begins the search of another position; the table stays, unless the rule or the size is another one.
    pub(super) fn set_board(&mut self, board: Board, depth: u16, seed: u64) {
        if self.board.setup() != board.setup() {
            self.table.clear();
            self.fours = Fours::new();
        }
        self.board = board;
        self.rng = Rng::new(seed);
        self.begin(depth);
    }

    fn begin(&mut self, depth: u16) {
        self.frames.clear();
        self.moves.clear();
        self.killers.fill([NOWHERE; 2]);
        self.task = Task::Iterate;
        self.depth = 0;
        self.most_depth = depth.min(60) as i16;
        self.window = [-INFINITE, INFINITE];
        self.finished_depth = 0;
        self.done = false;
        self.nodes = 0;
        self.fours_nodes = 0;
        self.root.clear();
        self.list_moves(NOWHERE);
        // Equal moves come in an order that the seed decides.
        for ranked in &mut self.moves {
            ranked.rank = ranked.rank * 8 + self.rng.below(8) as i32;
        }
        self.moves.sort_by_key(|ranked| -ranked.rank);
        let root = self.moves.drain(..).map(|ranked| RootMove {
            mv: ranked.mv,
            value: -INFINITE,
            depth: 0,
        });
        self.root.extend(root);
        self.done = self.root.is_empty();
    }

    /// Positions searched, those by the four-threat search included.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes + self.fours_nodes
    }

    /// Searches so many nodes further, or a few more, unless it is done before.
    pub(super) fn work(&mut self, budget: u64) {
        let end = self.nodes().saturating_add(budget);
        while !self.done && self.nodes() < end {
            self.task = match self.task {
                Task::Iterate => self.iterate(),
                Task::Enter(call) => self.enter(call),
                Task::Advance => self.advance(),
                Task::Return(value) if self.frames.is_empty() => self.finish_iteration(value),
                Task::Return(value) => self.receive(value),
            };
        }
    }

    /// The line of play that the table expects after the first move; `board` is the position at the root.
    pub(super) fn line(&self, board: &mut Board, first: Cell) -> Vec<Cell> {
        let mut line = Vec::new();
        let mut next = first;
        while next != NOWHERE && board.is_free(next) && line.len() < 16 {
            let wins = board.threat(board.side(), next) == Threat::Five;
            line.push(next);
            board.place(next);
            let entry = self.table.get(board.hash());
            next = entry.map_or(NOWHERE, |entry| entry.mv);
            if wins {
                break;
            }
        }
        for _ in &line {
            board.take_back();
        }
        line
    }

    fn iterate(&mut self) -> Task {
        if self.depth >= self.most_depth {
            self.done = true;
            return Task::Iterate;
        }
        self.depth += 1;
        let value = self.root[0].value;
        self.reach = 40;
        self.window = if self.depth < 4 || value.abs() > WINNING {
            [-INFINITE, INFINITE]
        } else {
            [value - self.reach, value + self.reach]
        };
        self.enter_root()
    }

    fn enter_root(&mut self) -> Task {
        let [alpha, beta] = self.window;
        self.moves.clear();
        let ranked = self.root.iter().enumerate().map(|(place, root)| Ranked {
            mv: root.mv,
            rank: -(place as i32),
        });
        self.moves.extend(ranked);
        self.frames.push(Frame {
            depth: self.depth,
            alpha,
            beta,
            floor: alpha,
            best: -INFINITE,
            best_move: NOWHERE,
            mv: NOWHERE,
            start: 0,
            next: 0,
            end: self.moves.len() as u32,
            searched: 0,
            wait: Wait::Full,
            forced: true,
            pruned: false,
            evaluation: 0,
        });
        self.nodes += 1;
        Task::Advance
    }

    fn finish_iteration(&mut self, value: i16) -> Task {
        let [alpha, beta] = self.window;
        if value <= alpha && alpha > -INFINITE {
            self.reach = self.reach.saturating_mul(3);
            self.window[0] = wider(alpha, -self.reach);
            return self.enter_root();
        }
        if value >= beta && beta < INFINITE {
            self.reach = self.reach.saturating_mul(3);
            self.window[1] = wider(beta, self.reach);
            return self.enter_root();
        }
        self.finished_depth = self.depth;
        // A win or a loss is as deep as the search can tell, and a single move needs no search.
        if value.abs() > WINNING || self.root.len() == 1 {
            self.done = true;
        }
        Task::Iterate
    }

    /// The value of a position at once, or a new frame.
    fn enter(&mut self, call: Call) -> Task {
        self.nodes += 1;
        let Call {
            mut depth,
            mut alpha,
            mut beta,
            after_pass,
        } = call;
        let ply = self.frames.len() as Ply;
        let own = self.board.side();
        let other = 1 - own;
        if self.board.count(own, Threat::Five) > 0 {
            return Task::Return(WIN - ply - 1);
        }
        if self.board.is_full() {
            return Task::Return(0);
        }
        let fives = self.board.count(other, Threat::Five);
        if fives > 1 {
            return Task::Return(-(WIN - ply - 2));
        }
        if fives == 0 && self.board.count(own, Threat::OpenFour) > 0 {
            return Task::Return(WIN - ply - 3);
        }
        if fives == 0
            && self.board.count(own, Threat::FourThree) > 0
            && self.board.fours(other) == 0
        {
            return Task::Return(WIN - ply - 5);
        }
        // No win is quicker than those above, and no loss quicker than by the next move.
        alpha = alpha.max(-(WIN - ply - 2));
        beta = beta.min(WIN - ply - 5);
        if alpha >= beta {
            return Task::Return(alpha);
        }
        let evaluation = self.board.evaluation().clamp(-MOST, MOST) as i16;
        if self.frames.len() >= PLIES - 1 {
            return Task::Return(evaluation);
        }
        let is_pv = beta > alpha + 1;
        let entry = self.table.get(self.board.hash());
        let mut first = NOWHERE;
        if let Some(entry) = entry {
            first = entry.mv;
            let value = from_table(entry.value, ply);
            let enough = i16::from(entry.depth) >= depth;
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
                Bound::Empty => false,
            };
            if enough && cuts && !(is_pv && self.frames.len() < 2) {
                return Task::Return(value);
            }
        }
        let forced = fives > 0;
        if !forced {
            if depth <= 0 {
                return Task::Return(self.quiet_value(evaluation, alpha, ply));
            }
            // Razoring: far below alpha only a victory by fours helps.
            if !is_pv
                && depth <= 2
                && evaluation.saturating_add(220 * depth) <= alpha
                && alpha < WINNING
            {
                let value = self.quiet_value(evaluation, alpha, ply);
                return Task::Return(value);
            }
            let threatened = self.board.count(other, Threat::OpenFour) > 0;
            // Futility: far above beta, and nothing threatens.
            if !is_pv
                && depth <= 3
                && !threatened
                && self.board.fours(other) == 0
                && evaluation.saturating_sub(170 * depth) >= beta
                && beta.abs() < WINNING
            {
                return Task::Return(evaluation);
            }
        }
        if forced {
            // The answer to a four is no choice, so it costs no depth.
            depth += 1;
        }
        let start = self.moves.len();
        if forced {
            let mv = self.board.five(other).unwrap_or(NOWHERE);
            self.moves.push(Ranked { mv, rank: 0 });
        } else {
            self.list_moves(first);
        }
        if self.moves.len() == start {
            return Task::Return(0);
        }
        let frame = Frame {
            depth,
            alpha,
            beta,
            floor: alpha,
            best: -INFINITE,
            best_move: NOWHERE,
            mv: NOWHERE,
            start: start as u32,
            next: start as u32,
            end: self.moves.len() as u32,
            searched: 0,
            wait: Wait::Full,
            forced,
            pruned: false,
            evaluation,
        };
        self.frames.push(frame);
        let threatened = self.board.count(other, Threat::OpenFour) > 0;
        // Null move: if even passing is good enough, a move is.
        if !is_pv
            && !forced
            && !after_pass
            && !threatened
            && depth >= 3
            && evaluation >= beta
            && beta.abs() < WINNING
        {
            let top = self.frames.len() - 1;
            self.frames[top].wait = Wait::Pass;
            self.board.pass();
            return Task::Enter(Call {
                depth: depth - 3 - depth / 4,
                alpha: -beta,
                beta: -beta + 1,
                after_pass: true,
            });
        }
        Task::Advance
    }

    /// The value without further quiet moves: a victory by fours, or the evaluation.
    fn quiet_value(&mut self, evaluation: i16, alpha: i16, ply: Ply) -> i16 {
        let own = self.board.side();
        if self.board.fours(own) > 0 && alpha < WINNING {
            let found = self.fours.search(&mut self.board, QUIET_FOURS);
            self.fours_nodes += self.fours.nodes();
            if let Some(plies) = found {
                return WIN - ply - plies;
            }
        }
        evaluation
    }

    /// The moves of a position in which there is no five, on the stack, with their ranks.
    fn list_moves(&mut self, first: Cell) {
        let Self {
            board,
            moves,
            killers,
            frames,
            ..
        } = self;
        let own = board.side();
        let other = 1 - own;
        if frames.is_empty()
            && let Some(point) = board.five(own).or_else(|| board.five(other))
        {
            moves.push(Ranked { mv: point, rank: 0 });
            return;
        }
        let killers = killers[frames.len()];
        let start = moves.len();
        // Against an open four, only fours of one's own help, and points where the other side's fours would be.
        let threatened = board.count(other, Threat::OpenFour) > 0;
        for mv in board.free_points() {
            if !board.is_near(mv) {
                continue;
            }
            let threats = [board.threat(own, mv), board.threat(other, mv)];
            if threatened && threats.iter().all(|&threat| threat < Threat::Four) {
                continue;
            }
            let attack = i32::from(board.worth(own, mv).attack);
            let defence = i32::from(board.worth(other, mv).defence);
            let mut rank = attack + defence;
            if mv == first {
                rank += 1_000_000;
            } else if killers.contains(&mv) {
                rank += 40;
            }
            moves.push(Ranked { mv, rank });
        }
        if moves.len() == start {
            // An empty board, or stones with nothing free near them: the middle, or whatever is free.
            let size = board.setup().size();
            let middle = super::board::cell(tochki_rules::Point::new(size / 2, size / 2));
            let any = board.free_points().next();
            let mv = Some(middle).filter(|&it| board.is_free(it)).or(any);
            moves.extend(mv.map(|mv| Ranked { mv, rank: 0 }));
            return;
        }
        if !threatened && moves.len() - start > WIDTH && !frames.is_empty() {
            moves[start..].select_nth_unstable_by_key(WIDTH, |ranked| (-ranked.rank, ranked.mv));
            moves.truncate(start + WIDTH);
        }
    }

    /// The next move of the position on top of the stack, or its end.
    fn advance(&mut self) -> Task {
        let top = self.frames.len() - 1;
        let frame = &mut self.frames[top];
        if frame.best >= frame.beta || frame.next >= frame.end {
            return self.leave();
        }
        let (next, end) = (frame.next as usize, frame.end as usize);
        let rest = &mut self.moves[next..end];
        let most = (0..rest.len())
            .max_by_key(|&place| (rest[place].rank, std::cmp::Reverse(rest[place].mv)));
        rest.swap(0, most.unwrap_or(0));
        let mv = rest[0].mv;
        let is_root = top == 0;
        let own = self.board.side();
        let threats = [self.board.threat(own, mv), self.board.threat(1 - own, mv)];
        let quiet = threats.iter().all(|&threat| threat < Threat::Three);
        let is_pv = frame.beta > frame.alpha + 1;
        // Late quiet moves near the leaves are left out, unless everything before loses.
        if !is_root && !frame.forced && quiet && frame.best > -WINNING {
            let limit = 4 + 3 * i32::from(frame.depth) * i32::from(frame.depth);
            let futile = frame.depth <= 3
                && frame.evaluation.saturating_add(150 + 130 * frame.depth) <= frame.alpha;
            if frame.depth <= 4
                && (i32::from(frame.searched) >= limit || futile && frame.searched > 2)
            {
                frame.pruned = true;
                frame.next = frame.end;
                frame.best = frame.best.max(frame.evaluation.min(frame.alpha));
                return Task::Advance;
            }
        }
        frame.next += 1;
        frame.mv = mv;
        // A four is answered by force, so a little more depth is cheap.
        let extension =
            i16::from(threats[0] >= Threat::FourThree && threats[0] < Threat::Five && is_pv);
        let depth = frame.depth - 1 + extension;
        let alpha = frame.alpha.max(frame.best);
        let beta = frame.beta;
        let searched = frame.searched;
        let mut call = Call {
            depth,
            alpha: -beta,
            beta: -alpha,
            after_pass: false,
        };
        if searched == 0 {
            frame.wait = Wait::Full;
        } else {
            call.alpha = -alpha - 1;
            frame.wait = Wait::Scout;
            if frame.depth >= 3
                && searched > 2
                && threats[0] < Threat::Four
                && !frame.forced | is_root
            {
                let mut less = reduction(frame.depth, searched);
                if is_pv {
                    less -= 1;
                }
                if !quiet {
                    less /= 2;
                }
                if less > 0 {
                    call.depth = (depth - less).max(0);
                    frame.wait = Wait::Reduced;
                }
            }
        }
        self.board.place(mv);
        Task::Enter(call)
    }

    /// Takes the value of the position after the move that was tried last.
    fn receive(&mut self, value: i16) -> Task {
        let value = -value;
        let top = self.frames.len() - 1;
        let frame = &mut self.frames[top];
        if frame.wait == Wait::Pass {
            self.board.pass();
            if value >= frame.beta {
                // A win after passing is not proved.
                frame.best = value.min(WINNING).max(frame.beta);
                let (start, best) = (frame.start as usize, frame.best);
                self.moves.truncate(start);
                self.frames.pop();
                return Task::Return(best);
            }
            frame.wait = Wait::Full;
            return Task::Advance;
        }
        let alpha = frame.alpha.max(frame.best);
        let again = match frame.wait {
            Wait::Reduced if value > alpha => Some(Wait::Scout),
            Wait::Scout if value > alpha && value < frame.beta => Some(Wait::Full),
            _ => None,
        };
        if let Some(wait) = again {
            frame.wait = wait;
            let low = if wait == Wait::Scout {
                -alpha - 1
            } else {
                -frame.beta
            };
            return Task::Enter(Call {
                depth: frame.depth - 1,
                alpha: low,
                beta: -alpha,
                after_pass: false,
            });
        }
        self.board.take_back();
        frame.searched += 1;
        let mv = frame.mv;
        let first = frame.searched == 1;
        let better = value > frame.best;
        if better {
            frame.best = value;
            frame.best_move = mv;
        }
        let floor = frame.floor;
        if top == 0 {
            self.note_root(mv, value, (first || value > alpha) && value > floor);
        }
        Task::Advance
    }

    /// Keeps the root's moves in order: one that raises alpha becomes the first.
    fn note_root(&mut self, mv: Cell, value: i16, raises: bool) {
        let Some(place) = self.root.iter().position(|root| root.mv == mv) else {
            return;
        };
        let most = self.root[0].value;
        let root = &mut self.root[place];
        root.depth = self.depth;
        if raises {
            root.value = value;
            self.root[..=place].rotate_right(1);
        } else if place > 0 {
            root.value = value.min(most);
        } else {
            root.value = value;
        }
    }

    /// The position on top of the stack is finished.
    fn leave(&mut self) -> Task {
        let Some(frame) = self.frames.pop() else {
            return Task::Return(0);
        };
        self.moves.truncate(frame.start as usize);
        let ply = self.frames.len() as Ply;
        let bound = if frame.best >= frame.beta {
            Bound::Lower
        } else if frame.best > frame.floor {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let mv = if bound == Bound::Upper {
            NOWHERE
        } else {
            frame.best_move
        };
        if bound == Bound::Lower && !frame.forced && mv != NOWHERE {
            let killers = &mut self.killers[self.frames.len()];
            if killers[0] != mv {
                *killers = [mv, killers[0]];
            }
        }
        let value = to_table(frame.best, ply);
        let depth = frame.depth.clamp(0, 100) as i8;
        let depth = depth - i8::from(frame.forced && ply > 0 && depth > 0);
        self.table.put(self.board.hash(), mv, value, depth, bound);
        Task::Return(frame.best)
    }
}

/// A bound moved on, to infinity if it is far.
fn wider(bound: i16, by: i16) -> i16 {
    if by.abs() > 2_000 {
        return INFINITE * by.signum();
    }
    bound.saturating_add(by).clamp(-INFINITE, INFINITE)
}

/// By how many plies a late move is reduced.
fn reduction(depth: i16, searched: u16) -> i16 {
    let late = match searched {
        0..=2 => 0,
        3..=6 => 1,
        7..=14 => 2,
        15..=30 => 3,
        _ => 4,
    };
    (late + depth / 6).min(depth - 1)
}

/// A win is so many plies from the position, not from the root.
fn to_table(value: i16, ply: Ply) -> i16 {
    match value {
        _ if value > WINNING => value + ply,
        _ if value < -WINNING => value - ply,
        _ => value,
    }
}

fn from_table(value: i16, ply: Ply) -> i16 {
    match value {
        _ if value > WINNING => value - ply,
        _ if value < -WINNING => value + ply,
        _ => value,
    }
}
