//! The iterations at the root: deeper each time, within a window around the last value.

use super::{
    LINE, Search,
    frame::{Frame, Ranked, Task, Wait},
    value::{INFINITE, WINNING, wider},
};
use crate::gomoku::{
    board::{Cell, NOWHERE},
    weights::Threat,
};

impl Search {
    pub(super) fn iterate(&mut self) -> Task {
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
            evaluation: 0,
        });
        self.nodes += 1;
        Task::Advance
    }

    pub(super) fn finish_iteration(&mut self, value: i16) -> Task {
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
        self.note_line();
        // A win or a loss is as deep as the search can tell, and a single move needs no search.
        if value.abs() > WINNING || self.root.len() == 1 {
            self.done = true;
        }
        Task::Iterate
    }

    /// Keeps the line of play that the table expects after the best move.
    fn note_line(&mut self) {
        self.line.clear();
        let mut next = self.root[0].mv;
        while next != NOWHERE && self.board.is_free(next) && self.line.len() < LINE {
            let wins = self.board.threat(self.board.side(), next) == Threat::Five;
            self.line.push(next);
            self.board.place(next);
            let entry = self.table.get(self.board.hash());
            next = entry.map_or(NOWHERE, |entry| entry.mv);
            if wins {
                break;
            }
        }
        for _ in &self.line {
            self.board.take_back();
        }
    }

    /// Keeps the root's moves in order: a move that raises alpha becomes the first.
    pub(super) fn note_root(&mut self, mv: Cell, value: i16, raises: bool) {
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
}
