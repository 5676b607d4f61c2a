//! Entering a position: its value is known at once, or its moves are listed.

use super::{
    PLIES, QUIET_FOURS, Search,
    frame::{Call, Frame, Ply, Ranked, Task, Wait},
    value::{INFINITE, MOST, WIN, WINNING, from_table},
};
use crate::gomoku::{board::NOWHERE, table::Bound, weights::Threat};

impl Search {
    /// The value of a position at once, or a new frame.
    pub(super) fn enter(&mut self, call: Call) -> Task {
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
}
