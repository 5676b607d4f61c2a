//! The board of the search: for each free point the classes of its lines, kept up to date stone by stone.

use super::{
    classes::{Class, classes, reach},
    mixing::mix,
    weights::{PatternScore, PatternScores, THREATS, Threat, Weights, code},
};
use std::sync::Arc;
use tochki_rules::{
    Game, Point, Seat,
    gomoku::{Gomoku, Rule, Setup},
};

/// Cells of a row, with an edge as wide as the farthest look on both sides.
pub(super) const STRIDE: usize = 32;

const EDGE: usize = 5;

/// Cells of the board with its edges.
pub(super) const CELLS: usize = STRIDE * (Setup::LONGEST as usize + 2 * EDGE);

/// The tables that all boards of a rule share.
#[derive(Debug)]
pub(super) struct Tables {
    rule: Rule,
    classes: Vec<Class>,
    scores: PatternScores,
    threats: [[[i32; 3]; THREATS]; 2],
    tempo: i32,
    weights: Weights,
}

impl Tables {
    pub(super) fn new(rule: Rule, weights: &Weights) -> Self {
        let counted = |threats: [[i16; 2]; THREATS]| {
            threats.map(|[one, more]| [0, i32::from(one), i32::from(more)])
        };
        Self {
            rule,
            classes: classes(rule),
            scores: PatternScores::new(weights),
            threats: [
                counted(weights.threats_of_mover),
                counted(weights.threats_of_waiter),
            ],
            tempo: i32::from(weights.tempo),
            weights: weights.clone(),
        }
    }

    /// Tables of the same weights for a rule.
    pub(super) fn of_rule(self: &Arc<Self>, rule: Rule) -> Arc<Self> {
        if rule == self.rule {
            Arc::clone(self)
        } else {
            Arc::new(Self::new(rule, &self.weights))
        }
    }

    pub(super) const fn rule(&self) -> Rule {
        self.rule
    }
}

/// The steps of the four directions.
const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];

/// A point of the board as a cell.
pub(super) type Cell = u16;

/// No point.
pub(super) const NOWHERE: Cell = 0;

const FREE: u8 = 2;
const WALL: u8 = 3;

/// The state of a position in the search.
#[derive(Clone, Debug)]
pub(super) struct Board {
    setup: Setup,
    reach: usize,
    tables: Arc<Tables>,
    /// 0 and 1 for the colours, [`FREE`], [`WALL`].
    stones: Vec<u8>,
    /// The pattern of each direction, for each colour: see `classes`.
    patterns: Vec<[[u16; 4]; 2]>,
    /// The threat that a stone of each colour would make, on free points.
    threats: [Vec<Threat>; 2],
    scores: Vec<[PatternScore; 2]>,
    /// The number of stones near each point.
    near: Vec<u8>,
    around: Vec<isize>,
    counts: [[u16; THREATS]; 2],
    /// Sums of the weights of each colour's points: for a colour that is to move, and for one that is not.
    values: [[i32; 2]; 2],
    weights_of_cells: Vec<u16>,
    side: usize,
    history: Vec<Cell>,
    hash: u64,
}

/// The hash of the side to move, which is part of a position.
const SIDE_HASH: u64 = 0x9e37_79b9_7f4a_7c15;

impl Board {
    /// The stones of a position, and its side to move. The tables are those of its rule.
    pub(super) fn new(position: &Gomoku, tables: &Arc<Tables>) -> Self {
        debug_assert_eq!(position.setup().rule(), tables.rule);
        let setup = *position.setup();
        let reach = reach(setup.rule());
        let size = usize::from(setup.size());
        let nothing = *tables.scores.get([0; 4]);
        let mut board = Self {
            setup,
            reach,
            tables: Arc::clone(tables),
            stones: vec![WALL; CELLS],
            patterns: vec![[[0; 4]; 2]; CELLS],
            threats: [vec![Threat::Nothing; CELLS], vec![Threat::Nothing; CELLS]],
            scores: vec![[nothing; 2]; CELLS],
            near: vec![0; CELLS],
            around: around(),
            counts: [[0; THREATS]; 2],
            values: [[0; 2]; 2],
            weights_of_cells: (0..2 * reach as u32).map(|cell| 3u16.pow(cell)).collect(),
            side: position.to_move().map_or(0, Seat::index),
            history: Vec::with_capacity(CELLS),
            hash: 0,
        };
        for point in setup.points() {
            board.stones[usize::from(cell(point))] = FREE;
        }
        for y in 0..size {
            for x in 0..size {
                let at = (y + EDGE) * STRIDE + x + EDGE;
                board.look_around(at);
            }
        }
        for point in setup.points() {
            board.count_in(usize::from(cell(point)));
        }
        if board.side == 1 {
            board.hash = SIDE_HASH;
        }
        let mover = board.side;
        for point in setup.points() {
            if let Some(seat) = position.stone(point) {
                board.side = seat.index();
                board.hash ^= SIDE_HASH;
                board.place(cell(point));
            }
        }
        board.side = mover;
        board.history.clear();
        board
    }

    /// The patterns of a point on the empty board: only the edge blocks.
    fn look_around(&mut self, at: usize) {
        for (direction, &step) in STEPS.iter().enumerate() {
            let mut pattern = 0;
            for place in 0..2 * self.reach {
                let cell = if place < self.reach {
                    at.wrapping_sub((self.reach - place) * step)
                } else {
                    at + (place - self.reach + 1) * step
                };
                // Beyond the first and the last row there are no cells at all.
                if self.stones.get(cell).is_none_or(|&stone| stone == WALL) {
                    pattern += 2 * self.weights_of_cells[place];
                }
            }
            self.patterns[at][0][direction] = pattern;
            self.patterns[at][1][direction] = pattern;
        }
        for colour in 0..2 {
            let score = self.look_up_score(at, colour);
            self.scores[at][colour] = score;
            self.threats[colour][at] = score.threat;
        }
    }

    #[inline]
    fn look_up_score(&self, at: usize, colour: usize) -> PatternScore {
        *self.tables.scores.get(self.classes_of(at, colour))
    }

    #[inline]
    fn classes_of(&self, at: usize, colour: usize) -> [Class; 4] {
        let patterns = self.patterns[at][colour];
        patterns.map(|pattern| self.tables.classes[usize::from(pattern)])
    }

    fn count_in(&mut self, at: usize) {
        for colour in 0..2 {
            let score = self.look_up_score(at, colour);
            self.scores[at][colour] = score;
            self.threats[colour][at] = score.threat;
            self.counts[colour][score.threat as usize] += 1;
            self.values[colour][0] += i32::from(score.mover);
            self.values[colour][1] += i32::from(score.waiter);
        }
    }

    fn count_out(&mut self, at: usize) {
        for colour in 0..2 {
            let score = self.scores[at][colour];
            self.counts[colour][score.threat as usize] -= 1;
            self.values[colour][0] -= i32::from(score.mover);
            self.values[colour][1] -= i32::from(score.waiter);
            self.threats[colour][at] = Threat::Nothing;
        }
    }

    /// Adds to the patterns around a point (or takes away) the digit of a stone of the colour there.
    fn change_patterns(&mut self, at: usize, colour: usize, placed: bool) {
        let reach = self.reach;
        for (direction, &step) in STEPS.iter().enumerate() {
            for distance in 1..=reach {
                // For the cell before, the stone is behind it, and the other way round.
                for (other, place) in [
                    (at - distance.min(at / step) * step, reach + distance - 1),
                    (at + distance * step, reach - distance),
                ] {
                    if self.stones.get(other).is_none_or(|&stone| stone == WALL) {
                        continue;
                    }
                    let weight = self.weights_of_cells[place];
                    let free = self.stones[other] == FREE;
                    for viewer in 0..2 {
                        let digit = if viewer == colour { weight } else { 2 * weight };
                        let pattern = &mut self.patterns[other][viewer][direction];
                        let before = self.tables.classes[usize::from(*pattern)];
                        if placed {
                            *pattern += digit;
                        } else {
                            *pattern -= digit;
                        }
                        if free && self.tables.classes[usize::from(*pattern)] != before {
                            let old = self.scores[other][viewer];
                            let new = self.look_up_score(other, viewer);
                            self.counts[viewer][old.threat as usize] -= 1;
                            self.counts[viewer][new.threat as usize] += 1;
                            let [mover, waiter] = &mut self.values[viewer];
                            *mover += i32::from(new.mover) - i32::from(old.mover);
                            *waiter += i32::from(new.waiter) - i32::from(old.waiter);
                            self.scores[other][viewer] = new;
                            self.threats[viewer][other] = new.threat;
                        }
                    }
                }
            }
        }
    }

    /// Places a stone of the side to move on a free point.
    pub(super) fn place(&mut self, point: Cell) {
        let at = usize::from(point);
        let colour = self.side;
        self.count_out(at);
        self.stones[at] = colour as u8;
        self.change_patterns(at, colour, true);
        for &offset in &self.around {
            self.near[at.wrapping_add_signed(offset)] += 1;
        }
        self.hash ^= key(point, colour) ^ SIDE_HASH;
        self.side = 1 - colour;
        self.history.push(point);
    }

    /// Takes the last stone back.
    pub(super) fn take_back(&mut self) {
        let Some(point) = self.history.pop() else {
            return;
        };
        let at = usize::from(point);
        let colour = 1 - self.side;
        self.side = colour;
        self.hash ^= key(point, colour) ^ SIDE_HASH;
        for &offset in &self.around {
            self.near[at.wrapping_add_signed(offset)] -= 1;
        }
        self.change_patterns(at, colour, false);
        self.stones[at] = FREE;
        self.count_in(at);
    }

    /// Lets the other side move.
    pub(super) fn pass(&mut self) {
        self.side = 1 - self.side;
        self.hash ^= SIDE_HASH;
    }

    pub(super) const fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(super) const fn side(&self) -> usize {
        self.side
    }

    pub(super) const fn hash(&self) -> u64 {
        self.hash
    }

    /// The number of free points of a colour with that threat.
    #[inline]
    pub(super) const fn count(&self, colour: usize, threat: Threat) -> u16 {
        self.counts[colour][threat as usize]
    }

    /// The number of free points of a colour with each threat.
    pub(super) const fn counts(&self, colour: usize) -> [u16; THREATS] {
        self.counts[colour]
    }

    /// The number of free points of a colour that make a four at least.
    #[inline]
    pub(super) fn fours(&self, colour: usize) -> u16 {
        self.counts[colour][Threat::Four as usize..].iter().sum()
    }

    /// The last stone, if the search placed it.
    pub(super) fn last(&self) -> Cell {
        self.history.last().copied().unwrap_or(NOWHERE)
    }

    /// The evaluation for the side to move.
    pub(super) fn evaluation(&self) -> i32 {
        let (own, other) = (self.side, 1 - self.side);
        let threats = |colour: usize, role: usize| -> i32 {
            let counted = self.counts[colour].iter().zip(&self.tables.threats[role]);
            counted
                .map(|(&count, weights)| weights[usize::from(count.min(2))])
                .sum()
        };
        self.values[own][0] - self.values[other][1] + threats(own, 0) - threats(other, 1)
            + self.tables.tempo
    }

    /// The codes of a free point for the side to move and for the other side.
    pub(super) fn codes(&self, point: Cell) -> [u16; 2] {
        let at = usize::from(point);
        [self.side, 1 - self.side].map(|colour| code(self.classes_of(at, colour)))
    }

    /// Returns whether no free point is left.
    pub(super) fn is_full(&self) -> bool {
        self.counts[0].iter().all(|&count| count == 0)
    }

    #[inline]
    pub(super) fn threat(&self, colour: usize, point: Cell) -> Threat {
        self.threats[colour][usize::from(point)]
    }

    #[inline]
    pub(super) fn score(&self, colour: usize, point: Cell) -> &PatternScore {
        &self.scores[usize::from(point)][colour]
    }

    pub(super) fn is_free(&self, point: Cell) -> bool {
        self.stones[usize::from(point)] == FREE
    }

    /// Returns whether a stone is near enough to make the point worth a look.
    #[inline]
    pub(super) fn is_near(&self, point: Cell) -> bool {
        self.near[usize::from(point)] > 0
    }

    /// The free points.
    pub(super) fn free_points(&self) -> impl Iterator<Item = Cell> + '_ {
        let size = usize::from(self.setup.size());
        (0..size).flat_map(move |y| {
            let first = (y + EDGE) * STRIDE + EDGE;
            let row = &self.stones[first..first + size];
            let free = row.iter().enumerate().filter(|&(_, &stone)| stone == FREE);
            free.map(move |(x, _)| (first + x) as Cell)
        })
    }

    /// The points where a stone of the colour threatens at least this.
    pub(super) fn threats(&self, colour: usize, least: Threat) -> impl Iterator<Item = Cell> + '_ {
        let size = usize::from(self.setup.size());
        (0..size).flat_map(move |y| {
            let first = (y + EDGE) * STRIDE + EDGE;
            let row = &self.threats[colour][first..first + size];
            // Points with a stone threaten nothing.
            let those = row
                .iter()
                .enumerate()
                .filter(move |&(_, &threat)| threat >= least);
            those.map(move |(x, _)| (first + x) as Cell)
        })
    }

    /// A point where the colour makes five.
    pub(super) fn five(&self, colour: usize) -> Option<Cell> {
        if self.count(colour, Threat::Five) == 0 {
            return None;
        }
        self.threats(colour, Threat::Five).next()
    }

    /// A point where the colour makes an open four.
    pub(super) fn open_four(&self, colour: usize) -> Option<Cell> {
        if self.count(colour, Threat::OpenFour) == 0 {
            return None;
        }
        self.threats(colour, Threat::OpenFour)
            .find(|&point| self.threat(colour, point) == Threat::OpenFour)
    }
}

/// The cell of a point.
pub(super) fn cell(point: Point) -> Cell {
    ((usize::from(point.y) + EDGE) * STRIDE + usize::from(point.x) + EDGE) as Cell
}

/// The point of a cell.
pub(super) fn point(cell: Cell) -> Point {
    let cell = usize::from(cell);
    Point::new((cell % STRIDE - EDGE) as u8, (cell / STRIDE - EDGE) as u8)
}

fn key(point: Cell, colour: usize) -> u64 {
    mix(0x51_7cc1 + 2 * u64::from(point) + colour as u64)
}

/// The neighbourhood in which moves are looked for: two steps in any way, and three in a straight line.
fn around() -> Vec<isize> {
    let stride = STRIDE as isize;
    let square = (-2..=2).flat_map(|y| (-2..=2).map(move |x| y * stride + x));
    let lines = STEPS
        .iter()
        .flat_map(|&step| [3 * step as isize, -3 * step as isize]);
    square.filter(|&offset| offset != 0).chain(lines).collect()
}
