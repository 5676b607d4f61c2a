//! The moves of a position, and their order.

use super::{Search, WIDTH, frame::Ranked};
use crate::gomoku::{
    board::{self, Cell},
    weights::Threat,
};

impl Search {
    /// The moves of a position in which there is no five, on the stack, with their ranks.
    pub(super) fn list_moves(&mut self, first: Cell) {
        let Self {
            board,
            moves,
            killers,
            frames,
            counters,
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
        let counter = counters[usize::from(board.last())][own];
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
            let attack = i32::from(board.score(own, mv).attack);
            let defence = i32::from(board.score(other, mv).defence);
            let mut rank = attack + defence;
            if mv == first {
                rank += 1_000_000;
            } else if killers.contains(&mv) || mv == counter {
                rank += 15;
            }
            moves.push(Ranked { mv, rank });
        }
        if moves.len() == start {
            // An empty board, or stones with nothing free near them: the middle, or whatever is free.
            let size = board.setup().size();
            let middle = board::cell(tochki_rules::Point::new(size / 2, size / 2));
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
}
