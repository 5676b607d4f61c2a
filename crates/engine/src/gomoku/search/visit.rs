//! Visiting a position: its moves are tried one after the other.

use super::{
    Search,
    frame::{Call, Ply, Task, Wait},
    value::{WINNING, to_table},
};
use crate::gomoku::{board::NOWHERE, table::Bound, weights::Threat};

impl Search {
    /// The next move of the position on top of the stack, or its end.
    pub(super) fn advance(&mut self) -> Task {
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
            let limit = 4 + i32::from(frame.depth) * i32::from(frame.depth);
            let futile = frame.depth <= 3
                && frame.evaluation.saturating_add(150 + 130 * frame.depth) <= frame.alpha;
            if frame.depth <= 4
                && (i32::from(frame.searched) >= limit || futile && frame.searched > 2)
            {
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
    pub(super) fn receive(&mut self, value: i16) -> Task {
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

    /// Finishes the position on top of the stack.
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
            let own = self.board.side();
            self.counters[usize::from(self.board.last())][own] = mv;
        }
        let value = to_table(frame.best, ply);
        let depth = frame.depth.clamp(0, 100) as i8;
        let depth = depth - i8::from(frame.forced && ply > 0 && depth > 0);
        self.table.put(self.board.hash(), mv, value, depth, bound);
        Task::Return(frame.best)
    }
}

/// The number of plies by which a late move is reduced.
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
