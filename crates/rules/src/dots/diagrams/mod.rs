//! The rule of Dots in drawings: a board and a dot on the left, the board after it on the right.
//!
//! `R` and `B` are dots, in lower case dead ones; `*` is the move; `.` is a free point, `1` and `2` are closed ones, in red's and
//! in blue's area. The head of a drawing names the mover, its foot is the score. The dots of the left board are placed in
//! whatever order leads to it.

mod captures;
mod houses;
mod nested;
mod of_the_rule;
mod several_areas;

use super::{Dot, Dots, Opening, Point, PointState, Setup, reference::Reference};
use crate::{Game, Seat};

/// Plays the drawn move, compares the result, and takes the move back. Then does so with the drawing turned, mirrored and in the
/// other colours.
#[track_caller]
fn check(drawing: &str) {
    let mut drawing = Drawing::read(drawing);
    for _ in 0..2 {
        for _ in 0..2 {
            for _ in 0..4 {
                play(&drawing);
                drawing = drawing.turned();
            }
            drawing = drawing.mirrored();
        }
        drawing = drawing.recoloured();
    }
}

/// The position after the drawn move.
#[track_caller]
fn play(drawing: &Drawing) -> Dots {
    let (mut dots, mut reference) = set_up(&drawing.before);
    let start = dots.clone();

    dots.play_as(drawing.mover, drawing.mv)
        .expect("the drawn move is legal");
    let (played, drawn) = (draw(&dots).join("\n"), drawing.after.join("\n"));
    assert!(
        played == drawn && dots.score() == drawing.score,
        "drawn:\n{drawn}\nplayed, {:?}:\n{played}",
        dots.score()
    );

    reference.play(drawing.mover, drawing.mv);
    for point in dots.setup().points() {
        let PointState { dot, area } = dots.at(point);
        let fast = (dot.map(|Dot { seat, alive }| (seat, alive)), area);
        assert_eq!(
            fast,
            reference.point_state(point),
            "the reference at {point}"
        );
    }

    let played = dots.clone();
    assert_eq!(dots.undo(), Some(drawing.mv));
    assert_eq!(dots, start);
    played
}

struct Drawing {
    mover: Seat,
    before: Vec<String>,
    mv: Point,
    score: [u32; 2],
    after: Vec<String>,
}

impl Drawing {
    #[track_caller]
    fn read(drawing: &str) -> Self {
        let mut lines: Vec<_> = drawing
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let head = lines.remove(0);
        let mover = if head == "red" {
            Seat::First
        } else {
            Seat::Second
        };
        let foot = lines
            .pop()
            .unwrap()
            .strip_prefix("=> ")
            .expect("a drawing ends with its score");
        let score: Vec<_> = foot
            .split(':')
            .map(|points| points.parse().unwrap())
            .collect();

        let half = |line: &str, right: bool| {
            let marks: String = line.split_whitespace().collect();
            if right {
                marks[marks.len() / 2..].to_owned()
            } else {
                marks[..marks.len() / 2].to_owned()
            }
        };
        let mut before: Vec<_> = lines.iter().map(|line| half(line, false)).collect();
        let after = lines.iter().map(|line| half(line, true)).collect();
        let y = before
            .iter()
            .position(|row| row.contains('*'))
            .expect("a drawing has a move");
        let x = before[y].find('*').unwrap();
        before[y] = before[y].replace('*', ".");
        Self {
            mover,
            before,
            mv: Point::new(x as u8, y as u8),
            score: [score[0], score[1]],
            after,
        }
    }

    /// A quarter turn clockwise.
    fn turned(&self) -> Self {
        let turn = |board: &[String]| -> Vec<String> {
            let column = |x: usize| {
                board
                    .iter()
                    .rev()
                    .map(|row| char::from(row.as_bytes()[x]))
                    .collect()
            };
            (0..board[0].len()).map(column).collect()
        };
        let mv = Point::new(self.before.len() as u8 - 1 - self.mv.y, self.mv.x);
        Self {
            before: turn(&self.before),
            after: turn(&self.after),
            mv,
            ..*self
        }
    }

    /// Left and right exchanged.
    fn mirrored(&self) -> Self {
        let mirror = |board: &[String]| {
            board
                .iter()
                .map(|row| row.chars().rev().collect())
                .collect()
        };
        let mv = Point::new(self.before[0].len() as u8 - 1 - self.mv.x, self.mv.y);
        Self {
            before: mirror(&self.before),
            after: mirror(&self.after),
            mv,
            ..*self
        }
    }

    /// Red and blue exchanged.
    fn recoloured(&self) -> Self {
        let other = |mark| match mark {
            'R' => 'B',
            'B' => 'R',
            'r' => 'b',
            'b' => 'r',
            '1' => '2',
            '2' => '1',
            mark => mark,
        };
        let recolour = |board: &[String]| {
            board
                .iter()
                .map(|row| row.chars().map(other).collect())
                .collect()
        };
        let [red, blue] = self.score;
        Self {
            mover: self.mover.other(),
            before: recolour(&self.before),
            after: recolour(&self.after),
            score: [blue, red],
            ..*self
        }
    }
}

/// Places the dots of a drawn board so that its dead are dead: dots die only if they stand there before they are
/// enclosed, so the order matters.
#[track_caller]
fn set_up(board: &[String]) -> (Dots, Reference) {
    let setup = Setup::new(board[0].len() as u8, board.len() as u8, Opening::Empty).unwrap();
    let mark = |point: Point| board[usize::from(point.y)].as_bytes()[usize::from(point.x)];
    let mut order: Vec<_> = setup
        .points()
        .filter(|&point| mark(point).is_ascii_alphabetic())
        .collect();
    // Rings on squared paper are square or slanting, so there are two ways from the middle outwards.
    let from_middle = |point: Point| {
        let (x, y) = (2 * i16::from(point.x) + 1, 2 * i16::from(point.y) + 1);
        (
            (x - i16::from(setup.width())).abs(),
            (y - i16::from(setup.height())).abs(),
        )
    };
    let mut chance = 1_u64;
    for attempt in 0..500 {
        match attempt {
            0 => order.sort_by_key(|&point| mark(point).is_ascii_uppercase()),
            1 => order.sort_by_key(|&point| mark(point).is_ascii_lowercase()),
            2 => order.sort_by_key(|&point| from_middle(point).0 + from_middle(point).1),
            3 => order.sort_by_key(|&point| from_middle(point).0.max(from_middle(point).1)),
            _ => order.sort_by_cached_key(|_| {
                chance = chance.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                chance >> 33
            }),
        }
        let mut dots = Dots::new(&setup);
        let mut reference = Reference::new(setup);
        let placed = order.iter().all(|&point| {
            let seat = if mark(point).eq_ignore_ascii_case(&b'r') {
                Seat::First
            } else {
                Seat::Second
            };
            let is_free = dots.play_as(seat, point).is_ok();
            if is_free {
                reference.play(seat, point);
            }
            is_free
        });
        if placed && draw(&dots) == board {
            return (dots, reference);
        }
    }
    panic!(
        "no order of dots leads to this board:\n{}",
        board.join("\n")
    );
}

fn draw(dots: &Dots) -> Vec<String> {
    let mark = |point| match dots.at(point) {
        PointState {
            dot: Some(Dot {
                seat: Seat::First,
                alive,
            }),
            ..
        } => {
            if alive {
                'R'
            } else {
                'r'
            }
        }
        PointState {
            dot:
                Some(Dot {
                    seat: Seat::Second,
                    alive,
                }),
            ..
        } => {
            if alive {
                'B'
            } else {
                'b'
            }
        }
        PointState {
            area: Some(seat), ..
        } => char::from(b'0' + seat.number()),
        PointState { area: None, .. } => '.',
    };
    let (width, height) = (dots.setup().width(), dots.setup().height());
    (0..height)
        .map(|y| (0..width).map(|x| mark(Point::new(x, y))).collect())
        .collect()
}
