//! UCT with UCB1-tuned: random playouts, candidates within three steps of the dots, dynamic komi, and ladders if wanted.

use tochki_engine::{Candidate, Engine, Limits, Progress, Report, Rng, dots::ladders::Ladders};
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Point},
};

/// Steps from a dot to the candidates.
const RADIUS: i16 = 3;

/// Visits after which a leaf gets children.
const EXPAND: u32 = 2;

/// Nodes of the tree at most.
const NODES: usize = 600_000;

#[derive(Clone, Copy, Debug)]
struct Node {
    point: Point,
    first: u32,
    children: u32,
    visits: u32,
    wins: u32,
    draws: u32,
}

/// The bound UCB1-tuned of a child that was visited, which is larger the less is known about it: Auer, Cesa-Bianchi, Fischer,
/// *Finite-time Analysis of the Multiarmed Bandit Problem* (2002), section 4. A win is a reward of 1, a draw of 1/2.
fn ucb1_tuned(child: &Node, parent_visits: u32) -> f64 {
    let n = f64::from(child.visits);
    let log = f64::from(parent_visits.max(1)).ln();
    let (wins, draws) = (f64::from(child.wins), f64::from(child.draws));
    let mean = (wins + draws * 0.5) / n;
    let variance = (wins + draws * 0.25) / n - mean * mean;
    let bound = variance + (2.0 * log / n).sqrt();
    mean + (log / n * bound.min(0.25)).sqrt()
}

/// Upper confidence bounds applied to trees, with the bound UCB1-tuned.
#[derive(Clone, Debug)]
pub struct Uct {
    dots: Dots,
    seat: Seat,
    limits: Limits,
    rng: Rng,
    nodes: Vec<Node>,
    free: Vec<Point>,
    bag: Vec<Point>,
    /// Komi: the points taken from the mover's lead before a playout counts as won.
    komi: i32,
    recent: [u32; 3],
    playouts: u64,
    placed: u64,
}

impl Uct {
    fn node(point: Point) -> Node {
        Node {
            point,
            first: 0,
            children: 0,
            visits: 0,
            wins: 0,
            draws: 0,
        }
    }

    /// Playouts since the position was set.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// The free points near dots, which are the children of a node.
    fn expand(&mut self, at: usize) {
        let setup = *self.dots.setup();
        let first = self.nodes.len();
        let is_empty = setup.points().all(|point| self.dots.live(point).is_none());
        let mut near = [0_u64; 56];
        for point in setup.points() {
            if self.dots.live(point).is_some() {
                let bit = 1_u64 << point.x;
                let wide = (0..=RADIUS).fold(0, |sum, step| sum | bit << step | bit >> step);
                let y = i16::from(point.y);
                for row in (y - RADIUS).max(0)..=y + RADIUS {
                    near[row as usize] |= wide;
                }
            }
        }
        for point in self.dots.free_points() {
            if is_empty || near[usize::from(point.y)] >> point.x & 1 == 1 {
                self.nodes.push(Self::node(point));
            }
        }
        if self.nodes.len() == first {
            let all = self.dots.free_points().map(Self::node);
            self.nodes.extend(all);
        }
        self.nodes[at].first = first as u32;
        self.nodes[at].children = (self.nodes.len() - first) as u32;
    }

    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let mut best = (f64::MIN, 0);
        let range = node.first as usize..(node.first + node.children) as usize;
        for index in range {
            let child = &self.nodes[index];
            let value = if child.visits == 0 {
                // Each child once, in an order that does not depend on its place.
                1e6 + f64::from((index as u32).wrapping_mul(2_654_435_761) >> 16)
            } else {
                ucb1_tuned(child, node.visits)
            };
            if value > best.0 {
                best = (value, index);
            }
        }
        best.1
    }

    fn simulate(&mut self) {
        let mut path = vec![0];
        let mut at = 0;
        while let Some(seat) = self.dots.to_move() {
            let node = self.nodes[at];
            if node.children == 0 {
                if node.visits < EXPAND && at != 0 || self.nodes.len() > NODES {
                    break;
                }
                self.expand(at);
            }
            at = self.select(at);
            self.dots
                .play_as(seat, self.nodes[at].point)
                .expect("a child is legal");
            path.push(at);
        }
        let mut count = path.len() - 1;
        self.bag.clear();
        self.bag.extend_from_slice(&self.free);
        while let (Some(seat), false) = (self.dots.to_move(), self.bag.is_empty()) {
            let choice = self.rng.below(self.bag.len() as u32) as usize;
            let point = self.bag.swap_remove(choice);
            count += usize::from(self.dots.play_as(seat, point).is_ok());
        }
        let score = self.dots.score();
        let lead = score[self.seat.index()] as i32 - score[self.seat.other().index()] as i32;
        for _ in 0..count {
            self.dots.undo();
        }
        self.placed += count as u64;
        let margin = lead - self.komi;
        // The root is the other's move.
        let mut own = false;
        for &index in &path {
            let node = &mut self.nodes[index];
            node.visits += 1;
            node.wins += u32::from(if own { margin > 0 } else { margin < 0 });
            node.draws += u32::from(margin == 0);
            own = !own;
        }
        self.recent[0] += 1;
        self.recent[1] += u32::from(margin > 0) * 2 + u32::from(margin == 0);
        self.playouts += 1;
        if self.recent[0] == 300 {
            let share = f64::from(self.recent[1]) / 600.0;
            if share > 0.5 {
                self.komi += 1;
            } else if share < 0.45 {
                self.komi -= 1;
            }
            self.recent = [0; 3];
        }
    }
}

impl Engine for Uct {
    type Game = Dots;

    fn new(position: &Dots, limits: Limits, seed: u64) -> Self {
        let score = position.score();
        let seat = position.to_move().unwrap_or(Seat::First);
        Self {
            dots: position.clone(),
            seat,
            limits,
            rng: Rng::new(seed),
            nodes: vec![Self::node(Point::new(0, 0))],
            free: position.free_points().collect(),
            bag: Vec::new(),
            komi: score[seat.index()] as i32 - score[seat.other().index()] as i32,
            recent: [0; 3],
            playouts: 0,
            placed: 0,
        }
    }

    fn set_position(&mut self, position: &Dots, limits: Limits, seed: u64) {
        let nodes = std::mem::take(&mut self.nodes);
        let (komi, seat) = (self.komi, self.seat);
        *self = Self::new(position, limits, seed);
        let root = self.nodes[0];
        self.nodes = nodes;
        self.nodes.clear();
        self.nodes.push(root);
        self.komi = if self.seat == seat { komi } else { -komi };
    }

    fn step(&mut self, budget: u64) -> Progress {
        let end = (self.placed / 16).saturating_add(budget);
        while self.dots.to_move().is_some() && self.placed / 16 < self.limits.nodes {
            if self.placed / 16 >= end {
                return Progress::Running;
            }
            self.simulate();
        }
        Progress::Done
    }

    fn best(&self) -> Report<Point> {
        let root = self.nodes[0];
        let range = root.first as usize..(root.first + root.children) as usize;
        let mut children: Vec<Node> = self.nodes[range].to_vec();
        children.sort_by_key(|child| (std::cmp::Reverse(child.visits), child.point));
        let mut moves: Vec<Candidate<Point>> = children
            .iter()
            .map(|child| Candidate {
                mv: child.point,
                value: self.komi as f32,
                exact: false,
                visits: u64::from(child.visits),
                depth: 0,
                pv: vec![child.point],
            })
            .collect();
        if moves.is_empty() && self.dots.to_move().is_some() {
            moves.extend(self.dots.free_points().next().map(|mv| Candidate {
                mv,
                value: 0.0,
                exact: false,
                visits: 0,
                depth: 0,
                pv: vec![mv],
            }));
        }
        Report {
            choice: moves.first().map(|candidate| candidate.mv),
            moves,
            nodes: self.placed / 16,
            settled: false,
        }
    }
}

/// [`Uct`] that plays a ladder first if one works.
#[derive(Clone, Debug)]
pub struct LadderUct {
    uct: Uct,
    ladders: Ladders,
    choice: Option<Point>,
}

impl LadderUct {
    fn find(&mut self) {
        let dots = self.uct.dots.clone();
        self.choice = dots.to_move().and_then(|_| self.ladders.best_move(&dots));
    }
}

impl Engine for LadderUct {
    type Game = Dots;

    fn new(position: &Dots, limits: Limits, seed: u64) -> Self {
        let mut engine = Self {
            uct: Uct::new(position, limits, seed),
            ladders: Ladders::new(),
            choice: None,
        };
        engine.find();
        engine
    }

    fn set_position(&mut self, position: &Dots, limits: Limits, seed: u64) {
        self.uct.set_position(position, limits, seed);
        self.find();
    }

    fn step(&mut self, budget: u64) -> Progress {
        if self.choice.is_some() {
            return Progress::Done;
        }
        self.uct.step(budget)
    }

    fn best(&self) -> Report<Point> {
        let mut report = self.uct.best();
        report.choice = self.choice.or(report.choice);
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::dots::{Opening, Setup};

    /// Dots of both sides in turn on an empty board, then red is to move.
    fn position(width: u8, height: u8, red: &[(u8, u8)], blue: &[(u8, u8)]) -> Dots {
        let setup = Setup::new(width, height, Opening::Empty).expect("a board");
        let mut dots = Dots::new(&setup);
        for (seat, places) in [(Seat::First, red), (Seat::Second, blue)] {
            for &(x, y) in places {
                dots.play_as(seat, Point::new(x, y)).expect("a free point");
            }
        }
        dots.give_turn(Seat::First);
        dots
    }

    #[track_caller]
    fn check_bound([visits, wins, draws]: [u32; 3], parent_visits: u32, expected: f64) {
        let child = Node {
            visits,
            wins,
            draws,
            ..Uct::node(Point::new(0, 0))
        };
        let bound = ucb1_tuned(&child, parent_visits);
        assert!((bound - expected).abs() < 1e-5, "{bound}");
    }

    /// With ln 100 = 4.605170, ln 20 = 2.995732 and ln 10000 = 9.210340.
    #[test]
    fn the_bound_is_that_of_ucb1_tuned() {
        // V = 0.16 + √(2 · 4.60517 / 50) is more than 1/4: 0.8 + √(4.60517 / 50 / 4).
        check_bound([50, 40, 0], 100, 0.951_743);
        // A draw is half a reward: 0.6 + √(2.995732 / 10 / 4).
        check_bound([10, 4, 4], 20, 0.873_666);
        // V = 0.0196 + √(2 · 9.21034 / 5000) = 0.080297: 0.98 + √(9.21034 / 5000 · 0.080297).
        check_bound([5000, 4900, 0], 10_000, 0.992_162);
        // V = 0.8 + 0.01 − 0.82² + 0.060697 = 0.198297: 0.82 + √(9.21034 / 5000 · 0.198297).
        check_bound([5000, 4000, 200], 10_000, 0.839_112);
    }

    /// Each free point at most three steps from a live dot, and no other.
    #[test]
    fn candidates_are_within_three_steps_of_the_dots() {
        for (width, height, red, blue) in [
            (20, 20, [(4, 4), (19, 0)], [(5, 4), (10, 15)]),
            (39, 32, [(0, 31), (38, 0)], [(20, 20), (38, 31)]),
            (50, 50, [(0, 0), (49, 49)], [(49, 0), (46, 49)]),
        ] {
            let dots = position(width, height, &red, &blue);
            let mut uct = Uct::new(&dots, Limits::NONE, 1);
            uct.expand(0);
            let found: Vec<Point> = uct.nodes[1..].iter().map(|node| node.point).collect();
            let is_near = |point: &Point| {
                red.iter()
                    .chain(&blue)
                    .any(|&(x, y)| point.x.abs_diff(x) <= 3 && point.y.abs_diff(y) <= 3)
            };
            let expected: Vec<Point> = dots.free_points().filter(is_near).collect();
            assert_eq!(found, expected, "{width} × {height}");
        }
    }

    #[test]
    fn on_an_empty_board_every_point_is_a_candidate() {
        let mut uct = Uct::new(&position(10, 10, &[], &[]), Limits::NONE, 1);
        uct.expand(0);
        assert_eq!(uct.nodes.len(), 101);
    }

    #[test]
    fn visits_and_wins_add_up() {
        let dots = position(10, 10, &[(4, 4)], &[(5, 4)]);
        let mut uct = Uct::new(&dots, Limits::NONE, 1);
        for _ in 0..299 {
            uct.simulate();
        }
        let root = uct.nodes[0];
        let children = &uct.nodes[1..=root.children as usize];
        let sum = |of: fn(&Node) -> u32| children.iter().map(of).sum::<u32>();
        assert_eq!((root.visits, sum(|node| node.visits)), (299, 299));
        // A won playout is one for the mover's candidates and none for the root, which is the other's move.
        assert_eq!(sum(|node| node.draws), root.draws);
        assert_eq!(root.wins + root.draws + sum(|node| node.wins), 299);
        assert_eq!(uct.recent[1], 2 * sum(|node| node.wins) + root.draws);
        assert_eq!(uct.dots, dots, "what was played is taken back");
    }

    fn searched(dots: &Dots, nodes: u64) -> Uct {
        let mut uct = Uct::new(dots, Limits::nodes(nodes), 1);
        assert_eq!(uct.komi, 0, "the lead so far");
        while uct.step(1000) == Progress::Running {}
        uct
    }

    /// Two groups of three dots, each enclosed but for one point.
    #[test]
    fn komi_follows_the_expected_lead() {
        let (mut walls, mut inside) = (Vec::new(), Vec::new());
        for y in [1, 5] {
            walls.extend(
                (2..5)
                    .flat_map(|x| [(x, y), (x, y + 2)])
                    .chain([(1, y + 1)]),
            );
            inside.extend((2..5).map(|x| (x, y + 1)));
        }
        // Red takes one of them, blue saves the other.
        let ahead = searched(&position(9, 9, &walls, &inside), 10_000);
        assert!(ahead.komi >= 2, "{}", ahead.komi);
        // Red saves one of them, blue takes the other.
        let behind = searched(&position(9, 9, &inside, &walls), 10_000);
        assert!(behind.komi <= -2, "{}", behind.komi);
    }

    #[test]
    fn komi_is_kept_for_the_side_it_is_for() {
        let mut dots = position(8, 8, &[(3, 3)], &[(4, 3)]);
        let mut uct = Uct::new(&dots, Limits::nodes(1), 1);
        uct.komi = 3;
        uct.set_position(&dots, Limits::nodes(1), 1);
        assert_eq!(uct.komi, 3);
        dots.give_turn(Seat::Second);
        uct.set_position(&dots, Limits::nodes(1), 1);
        assert_eq!(uct.komi, -3);
    }
}
