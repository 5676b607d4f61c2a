//! The picture of a position: a mark for each move, an outline for each area that somebody holds, as SVG markup.

use crate::ui::board::geometry::{MoveTarget, SQUARE, along};
use crate::ui::text::side;
use crate::ui::widgets::markup_list::MarkupItem;
use std::fmt::Write;
use tochki_rules::Seat;

/// Half a square.
const HALF: i32 = SQUARE / 2;

/// A position as marks on paper.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Picture {
    /// The areas that are held, the latest last.
    pub(crate) areas: Vec<Area>,
    /// The marks in the order in which they were made, so that a new one is the last.
    pub(crate) marks: Vec<Mark>,
    /// The mark of the last move, as SVG markup.
    pub(crate) last: String,
}

/// An area that a side holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) seat: Seat,
    /// The corners of its outline.
    pub(crate) line: Vec<(u8, u8)>,
    /// The letter of its owner, where there is room for one: then it is one square, and its first corner the upper left.
    pub(crate) initial: Option<char>,
}

/// A mark where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mark {
    pub(crate) shape: Shape,
    pub(crate) seat: Seat,
    pub(crate) target: MoveTarget,
}

/// The shape of a mark.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A dot on a crossing.
    Dot,
    /// A dot that has been captured.
    Dead,
    /// A stone, which fills more of its place than a dot.
    Stone,
    /// A disc that is turned over, so many steps after the move that turned it.
    Disc(u8),
    /// A line from one crossing to the next.
    Line,
}

/// Discs that look the same are the same, whenever they were turned.
impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl Picture {
    /// Returns the markup of areas and marks together.
    pub(crate) fn markup(&self) -> String {
        use crate::ui::widgets::markup_list::render;
        render(&self.areas) + &render(&self.marks)
    }
}

impl MarkupItem for Area {
    fn markup(&self) -> String {
        let Self { seat, line, .. } = self;
        let Some(initial) = self.initial else {
            return outline(r#"pathLength="1" class="area"#, *seat, line.iter().copied());
        };
        let (x, y) = line.first().map_or((0, 0), |(x, y)| (along(*x), along(*y)));
        let side = side::class(*seat);
        format!(
            r#"<g class="area box {side}"><path d="M{x} {y}h10v10h-10Z"/><text x="{}" y="{}">{initial}</text></g>"#,
            x + HALF,
            y + HALF
        )
    }
}

impl MarkupItem for Mark {
    fn markup(&self) -> String {
        match self.shape {
            Shape::Dead => self.with_class(" dead"),
            // A class and no style: the policy of the pages knows no style that stands in a page.
            Shape::Disc(step @ 1..) => self.with_class(&format!(" turned after{step}")),
            _ => self.with_class(""),
        }
    }
}

impl Mark {
    /// Draws a mark that is not there yet.
    pub(crate) fn ghost(self) -> String {
        self.with_class(" ghost")
    }

    /// Draws the ring round the mark, if it is the last. A line has the ring in its middle.
    pub(crate) fn ring(self) -> String {
        let (side, (x, y)) = (side::class(self.seat), self.origin());
        let (x, y, radius) = match self.target {
            MoveTarget::At(..) => (x, y, "4.9"),
            MoveTarget::Across(..) => (x + HALF, y, "2"),
            MoveTarget::Down(..) => (x, y + HALF, "2"),
        };
        format!(r#"<circle class="last {side}" cx="{x}" cy="{y}" r="{radius}"/>"#)
    }

    fn origin(self) -> (i32, i32) {
        let (x, y) = self.target.xy();
        (along(x), along(y))
    }

    /// Draws the mark with more classes. A blue mark has a light core, and so a part of its size from a thick line round it.
    fn with_class(self, more: &str) -> String {
        let (side, (x, y)) = (side::class(self.seat), self.origin());
        let (kind, radius) = match (self.shape, self.seat) {
            (Shape::Line, seat) => {
                let path = match self.target {
                    MoveTarget::Down(..) => format!("M{x} {}v6", y + 2),
                    _ => format!("M{} {y}h6", x + 2),
                };
                return bar(&format!("{side}{more}"), seat, &path);
            }
            (Shape::Dot | Shape::Dead, _) => ("dot", side::dot_radius(self.seat)),
            (Shape::Stone | Shape::Disc(_), Seat::First) => ("dot stone", "4.2"),
            (Shape::Stone | Shape::Disc(_), Seat::Second) => ("dot stone", "3.4"),
        };
        format!(r#"<circle class="{kind} {side}{more}" cx="{x}" cy="{y}" r="{radius}"/>"#)
    }
}

/// Draws a line.
fn bar(class: &str, seat: Seat, path: &str) -> String {
    let core = match seat {
        Seat::First => String::new(),
        Seat::Second => format!(r#"<path class="core" d="{path}"/>"#),
    };
    format!(r#"<g class="bar {class}"><path d="{path}"/>{core}</g>"#)
}

/// Draws a circle in each of these places.
pub(crate) fn circles(class: &str, radius: &str, places: impl Iterator<Item = (u8, u8)>) -> String {
    let mut circles = String::new();
    for (x, y) in places {
        let (x, y) = (along(x), along(y));
        // Writing into a string cannot fail.
        let _ = write!(
            circles,
            r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#
        );
    }
    circles
}

/// Draws a closed line and its inside. Its attributes end in a class, to which its side is added.
pub(crate) fn outline(
    attributes: &str,
    seat: Seat,
    line: impl Iterator<Item = (u8, u8)>,
) -> String {
    let side = side::class(seat);
    let mut path = format!(r#"<path {attributes} {side}" d=""#);
    for (place, (x, y)) in line.enumerate() {
        let step = if place == 0 { 'M' } else { 'L' };
        // Writing into a string cannot fail.
        let _ = write!(path, "{step}{} {}", along(x), along(y));
    }
    path.push_str(r#"Z"/>"#);
    path
}
