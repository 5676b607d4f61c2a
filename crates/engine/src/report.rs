//! Results of a search.

/// The state of a search: whether it has more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A limit is not reached yet, and more nodes may change the choice.
    Running,
    /// A limit is reached, or nothing is left to find out.
    Done,
}

/// The result of a search so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The move to play, which a weak level may take from further down the list; `None` when the game is over.
    pub choice: Option<M>,
    /// The moves that were looked at, the best first. The list is never empty while there is a choice.
    pub moves: Vec<Candidate<M>>,
    /// Nodes searched since this position was set.
    pub nodes: u64,
    /// Whether nothing that either side can still do changes the score, so that a side may offer to finish.
    pub settled: bool,
}

/// A move and its results.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// The mover's gain by the end of the game: the difference of points (own minus other's, those on the board included) in
    /// Dots, Boxes and Reversi; 1 for a win, 0 for a draw, −1 for a loss, or between, in Gomoku.
    pub value: f32,
    /// Whether the value is that of perfect play.
    pub exact: bool,
    /// The number of times the move was tried, in a search by playouts; otherwise 0.
    pub visits: u64,
    /// Plies the move was searched to, in a search by depth; otherwise 0.
    pub depth: u16,
    /// The expected line, this move first.
    pub pv: Vec<M>,
}

impl<M> Report<M> {
    /// Returns the report with its moves written in another way.
    pub fn map<N>(self, mut write: impl FnMut(M) -> N) -> Report<N> {
        let candidate = |write: &mut dyn FnMut(M) -> N, candidate: Candidate<M>| Candidate {
            mv: write(candidate.mv),
            value: candidate.value,
            exact: candidate.exact,
            visits: candidate.visits,
            depth: candidate.depth,
            pv: candidate.pv.into_iter().map(write).collect(),
        };
        Report {
            choice: self.choice.map(&mut write),
            moves: (self.moves.into_iter())
                .map(|one| candidate(&mut write, one))
                .collect(),
            nodes: self.nodes,
            settled: self.settled,
        }
    }
}
