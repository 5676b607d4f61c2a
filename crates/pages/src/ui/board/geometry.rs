//! The geometry of a board: the places of a game on the paper, and the place under a point of the screen.
//!
//! Paper is measured in its own units from the first crossing, or the middle of the first square; a square is ten wide.

use tochki_rules::Point;

/// The width of a square.
pub(crate) const SQUARE: i32 = 10;

/// Room for the coordinates, before the first crossing.
const LABELS: i32 = 13;

/// Room after the last crossing.
const MARGIN: i32 = 7;

/// Returns the position of a column or row on the paper.
pub(crate) fn along(number: u8) -> i32 {
    i32::from(number) * SQUARE
}

/// A position on the paper, in its units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoardCoords {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// A direction on the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Right,
    Down,
    Left,
}

impl Direction {
    /// Returns the direction on the paper that is this one on the screen, when the paper lies turned.
    pub(crate) const fn on_turned(self) -> Self {
        match self {
            Self::Up => Self::Left,
            Self::Right => Self::Up,
            Self::Down => Self::Right,
            Self::Left => Self::Down,
        }
    }
}

/// The size of a board, with margins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardSize {
    width: i32,
    height: i32,
}

/// The rectangle of the board on the screen, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl BoardSize {
    /// Returns the `viewBox` of the drawing.
    pub(crate) fn view_box(self) -> String {
        format!("-{LABELS} -{LABELS} {} {}", self.width, self.height)
    }

    /// Returns the `viewBox` of the drawing's frame when the board lies turned.
    pub(crate) fn turned_box(self) -> String {
        format!("0 0 {} {}", self.height, self.width)
    }

    /// Returns the size without the room for coordinates: from half a square before the first place to half a square after the
    /// last.
    pub(crate) fn inner(self) -> (i32, i32) {
        let inner = |side: i32| side - LABELS - MARGIN + SQUARE;
        (inner(self.width), inner(self.height))
    }

    /// Returns whether the board may lie turned: the style sheet turns wide boards on upright phones. A board that would gain no
    /// more than a fifth stays as it is, because its coordinates run backwards when it lies turned.
    pub(crate) fn can_rotate(self) -> bool {
        5 * self.width > 6 * self.height
    }

    /// Returns whether the board lies turned (a quarter clockwise) in this frame.
    pub(crate) fn is_turned(self, frame: Frame) -> bool {
        self.can_rotate() && frame.width < frame.height
    }

    /// Returns the position on the paper under a point of the screen.
    ///
    /// The drawing keeps its proportions and stays in the middle of its frame.
    pub(crate) fn under(self, frame: Frame, client_x: f64, client_y: f64) -> BoardCoords {
        let turned = self.is_turned(frame);
        let (own_width, own_height) = (f64::from(self.width), f64::from(self.height));
        let (width, height) = if turned {
            (own_height, own_width)
        } else {
            (own_width, own_height)
        };
        let scale = (frame.width / width).min(frame.height / height);
        let right = (client_x - frame.left - (frame.width - width * scale) / 2.0) / scale;
        let down = (client_y - frame.top - (frame.height - height * scale) / 2.0) / scale;
        let (x, y) = if turned {
            (down, own_height - right)
        } else {
            (right, down)
        };
        let labels = f64::from(LABELS);
        BoardCoords {
            x: x - labels,
            y: y - labels,
        }
    }
}

/// A place where a move is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveTarget {
    /// A crossing, or a square.
    At(u8, u8),
    /// The line from a crossing to the next one at its right.
    Across(u8, u8),
    /// The line from a crossing to the next one below it.
    Down(u8, u8),
}

impl MoveTarget {
    /// Returns the column and row; those of the crossing where a line begins.
    pub(crate) const fn xy(self) -> (u8, u8) {
        match self {
            Self::At(x, y) | Self::Across(x, y) | Self::Down(x, y) => (x, y),
        }
    }

    /// Returns the column and row as a point of the rules.
    pub(crate) const fn point(self) -> Point {
        let (x, y) = self.xy();
        Point::new(x, y)
    }

    /// Returns the middle of the place, in the units of the drawing.
    pub(crate) fn middle(self) -> (i32, i32) {
        let (x, y) = self.xy();
        let (x, y) = (along(x), along(y));
        match self {
            Self::At(..) => (x, y),
            Self::Across(..) => (x + SQUARE / 2, y),
            Self::Down(..) => (x, y + SQUARE / 2),
        }
    }

    /// Draws a frame of this class round the place, as SVG markup.
    pub(crate) fn frame(self, class: &str) -> String {
        let (x, y) = self.xy();
        let (x, y) = (along(x), along(y));
        let (x, y, width, height) = match self {
            Self::At(..) => (x - 5, y - 5, SQUARE, SQUARE),
            Self::Across(..) => (x, y - 3, SQUARE, 6),
            Self::Down(..) => (x - 3, y, 6, SQUARE),
        };
        format!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}" rx="2"/>"#
        )
    }
}

/// A grid of crossings or squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) columns: u8,
    pub(crate) rows: u8,
}

/// The kind of a game's places, and their grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Geometry {
    /// The crossings of a grid.
    Points(Grid),
    /// The squares of a grid. Their middles are where a grid of points has its crossings.
    Squares(Grid),
    /// The lines between the crossings of a grid. Rows of lines to the right and rows of lines down take turns.
    Edges(Grid),
}

impl Geometry {
    /// Returns the grid of crossings or squares.
    pub(crate) const fn grid(self) -> Grid {
        match self {
            Self::Points(grid) | Self::Squares(grid) | Self::Edges(grid) => grid,
        }
    }

    /// Returns the size of the board, with margins.
    pub(crate) fn size(self) -> BoardSize {
        let Grid { columns, rows } = self.grid();
        let side = |places: u8| along(places.saturating_sub(1)) + LABELS + MARGIN;
        BoardSize {
            width: side(columns),
            height: side(rows),
        }
    }

    /// Returns the place nearest to a position on the paper, if it is not too far outside.
    pub(crate) fn target_at(self, at: BoardCoords) -> Option<MoveTarget> {
        let Grid { columns, rows } = self.grid();
        let square = f64::from(SQUARE);
        let (x, y) = (at.x / square, at.y / square);
        let within = |place: f64, places: u8| {
            (place >= 0.0 && place < f64::from(places)).then_some(place as u8)
        };
        let Self::Edges(_) = self else {
            let (x, y) = (within(x.round(), columns)?, within(y.round(), rows)?);
            return Some(MoveTarget::At(x, y));
        };
        // Every position belongs to the side of its box that is nearest.
        let (off_x, off_y) = ((x - x.round()).abs(), (y - y.round()).abs());
        Some(if off_y < off_x {
            MoveTarget::Across(within(x.floor(), columns - 1)?, within(y.round(), rows)?)
        } else {
            MoveTarget::Down(within(x.round(), columns)?, within(y.floor(), rows - 1)?)
        })
    }

    /// Returns the place in the middle, or beside it.
    pub(crate) fn middle(self) -> MoveTarget {
        let Grid { columns, rows } = self.grid();
        let (x, y) = (columns / 2, rows / 2);
        match self {
            Self::Points(_) | Self::Squares(_) => MoveTarget::At(x, y),
            Self::Edges(_) => MoveTarget::Across(x.saturating_sub(1), y),
        }
    }

    /// Returns the place one step further, or the same at the edge.
    pub(crate) fn step(self, from: MoveTarget, direction: Direction) -> MoveTarget {
        let Grid { columns, rows } = self.grid();
        // Rows of places: there are two of edges for each row of boxes.
        let (x, y) = from.xy();
        let (row, last) = match from {
            MoveTarget::At(..) => (y, rows - 1),
            MoveTarget::Across(..) => (2 * y, 2 * (rows - 1)),
            MoveTarget::Down(..) => (2 * y + 1, 2 * (rows - 1)),
        };
        let (row, x) = match direction {
            Direction::Up => (row.saturating_sub(1), x),
            Direction::Down => ((row + 1).min(last), x),
            Direction::Left => (row, x.saturating_sub(1)),
            Direction::Right => (row, x + 1),
        };
        match self {
            Self::Points(_) | Self::Squares(_) => MoveTarget::At(x.min(columns - 1), row),
            Self::Edges(_) if row.is_multiple_of(2) => {
                MoveTarget::Across(x.min(columns - 2), row / 2)
            }
            Self::Edges(_) => MoveTarget::Down(x.min(columns - 1), row / 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: Geometry = Geometry::Points(Grid {
        columns: 39,
        rows: 32,
    });

    /// The geometry of 3 × 3 boxes.
    const EDGES: Geometry = Geometry::Edges(Grid {
        columns: 4,
        rows: 4,
    });

    #[track_caller]
    fn check(frame: Frame, client: (f64, f64), place: Option<(u8, u8)>) {
        assert_eq!(
            POINTS.target_at(POINTS.size().under(frame, client.0, client.1)),
            place.map(|(x, y)| MoveTarget::At(x, y))
        );
    }

    #[test]
    fn a_board_lies_straight() {
        let frame = Frame {
            left: 100.0,
            top: 50.0,
            width: 800.0,
            height: 660.0,
        };
        check(frame, (100.0 + 26.0, 50.0 + 26.0), Some((0, 0)));
        check(
            frame,
            (
                100.0 + 26.0 + 380.0 * 2.0 + 9.0,
                50.0 + 26.0 + 310.0 * 2.0 - 9.0,
            ),
            Some((38, 31)),
        );
        check(frame, (101.0, 60.0), None);
    }

    #[test]
    fn a_board_keeps_its_proportions_in_a_wider_frame() {
        let frame = Frame {
            left: 0.0,
            top: 0.0,
            width: 1000.0,
            height: 660.0,
        };
        check(frame, (100.0 + 26.0, 26.0), Some((0, 0)));
    }

    #[test]
    fn a_turned_board_begins_at_the_upper_right() {
        let frame = Frame {
            left: 0.0,
            top: 0.0,
            width: 330.0,
            height: 400.0,
        };
        check(frame, (330.0 - 13.0, 13.0), Some((0, 0)));
        check(frame, (330.0 - 13.0, 23.0), Some((1, 0)));
        check(frame, (330.0 - 23.0, 13.0), Some((0, 1)));
    }

    #[test]
    fn steps_end_at_the_edge() {
        let step = |x, y, direction| POINTS.step(MoveTarget::At(x, y), direction);
        assert_eq!(step(38, 0, Direction::Right), MoveTarget::At(38, 0));
        assert_eq!(step(38, 0, Direction::Up), MoveTarget::At(38, 0));
        assert_eq!(step(38, 0, Direction::Left), MoveTarget::At(37, 0));
        assert_eq!(step(38, 31, Direction::Down), MoveTarget::At(38, 31));
    }

    #[test]
    fn every_position_belongs_to_the_nearest_edge() {
        let target_at = |x, y| EDGES.target_at(BoardCoords { x, y });
        assert_eq!(target_at(5.0, 1.0), Some(MoveTarget::Across(0, 0)));
        assert_eq!(target_at(5.0, -4.0), Some(MoveTarget::Across(0, 0)));
        assert_eq!(target_at(1.0, 5.0), Some(MoveTarget::Down(0, 0)));
        assert_eq!(target_at(9.0, 5.0), Some(MoveTarget::Down(1, 0)));
        assert_eq!(target_at(5.0, 9.0), Some(MoveTarget::Across(0, 1)));
        assert_eq!(target_at(31.0, 25.0), Some(MoveTarget::Down(3, 2)));
        assert_eq!(target_at(25.0, 31.0), Some(MoveTarget::Across(2, 3)));
        assert_eq!(target_at(-3.0, -3.0), None);
        assert_eq!(target_at(33.0, 33.0), None);
        assert_eq!(target_at(5.0, -6.0), None);
    }

    #[test]
    fn arrows_reach_every_edge() {
        let mut target = MoveTarget::Across(0, 0);
        let mut reached = Vec::new();
        for _ in 0..7 {
            for _ in 0..4 {
                reached.push(target);
                target = EDGES.step(target, Direction::Right);
            }
            for _ in 0..4 {
                target = EDGES.step(target, Direction::Left);
            }
            target = EDGES.step(target, Direction::Down);
        }
        for (x, y) in (0..4).flat_map(|y| (0..3).map(move |x| (x, y))) {
            assert!(reached.contains(&MoveTarget::Across(x, y)), "{x} {y}");
            assert!(reached.contains(&MoveTarget::Down(y, x)), "{y} {x}");
        }
        assert_eq!(target, MoveTarget::Across(0, 3), "the last row is the end");
    }
}
