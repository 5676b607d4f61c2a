//! What is drawn of a position of Dots: one mark a dot, one outline an enclosure, as SVG markup.

use super::geometry::SQUARE;
use crate::rules::Seat;
use crate::rules::dots::{Dot, Dots, Enclosure, Point};
use crate::ui::words;
use std::fmt::Write;

/// A position as marks on paper. Each piece of markup is one element.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Picture {
    /// The captured areas, the latest last.
    pub(super) areas: Vec<String>,
    /// The dots in the order in which they were placed, so that a new one is the last.
    pub(super) dots: Vec<String>,
    /// The ring round the last dot.
    pub(super) ring: String,
}

impl Picture {
    /// Draws a position whose dots were placed in this order.
    pub(super) fn of(dots: &Dots, placed: impl Iterator<Item = Point>) -> Self {
        let mut picture = Self::default();
        for point in placed {
            if let Some(dot) = dots.at(point).dot {
                picture.dots.push(mark(point, dot));
                picture.ring = ring(point, dot.seat);
            }
        }
        picture.areas = dots
            .enclosures()
            .map(|enclosure| outline(r#"pathLength="1" class="area"#, enclosure))
            .collect();
        picture.areas.reverse();
        picture
    }
}

/// A dot, or the ghost of one.
fn mark(point: Point, dot: Dot) -> String {
    let fate = if dot.alive { "" } else { " dead" };
    circle(
        &format!("dot {}{fate}", words::side(dot.seat)),
        point,
        words::radius(dot.seat),
    )
}

/// A dot that is not there yet.
pub(super) fn ghost(point: Point, seat: Seat) -> String {
    circle(
        &format!("dot ghost {}", words::side(seat)),
        point,
        words::radius(seat),
    )
}

fn ring(point: Point, seat: Seat) -> String {
    circle(&format!("last {}", words::side(seat)), point, "4.9")
}

fn circle(class: &str, point: Point, radius: &str) -> String {
    let (x, y) = (along(point.x), along(point.y));
    format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#)
}

/// An enclosure: its closed line and what is inside. Its attributes end in a class, to which its side is added.
pub(super) fn outline(attributes: &str, enclosure: Enclosure<'_>) -> String {
    let side = words::side(enclosure.seat());
    let mut path = format!(r#"<path {attributes} {side}" d=""#);
    for (place, point) in enclosure.line().enumerate() {
        let step = if place == 0 { 'M' } else { 'L' };
        // Writing into a string cannot fail.
        let _ = write!(path, "{step}{} {}", along(point.x), along(point.y));
    }
    path.push_str(r#"Z"/>"#);
    path
}

/// Where a column or row lies on the paper.
pub(super) fn along(number: u8) -> i32 {
    i32::from(number) * SQUARE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;
    use crate::rules::dots::Setup;

    #[test]
    fn a_capture_is_one_outline_and_a_dead_mark() {
        let mut dots = Dots::new(&Setup::DEFAULT);
        let moves = ["4,5", "5,5", "6,5", "0,0", "5,4", "0,1", "5,6"].map(|mv| mv.parse().unwrap());
        for mv in moves {
            dots.play(mv).unwrap();
        }
        let picture = Picture::of(&dots, moves.into_iter());
        assert_eq!(picture.dots.len(), moves.len());
        assert_eq!(
            picture.dots[1],
            r#"<circle class="dot blue dead" cx="50" cy="50" r="2.6"/>"#
        );
        assert_eq!(
            picture.ring,
            r#"<circle class="last red" cx="50" cy="60" r="4.9"/>"#
        );
        let [area] = &picture.areas[..] else {
            panic!("{:?}", picture.areas)
        };
        assert!(area.contains(r#"class="area red""#), "{area}");
        let line = area.split("d=\"").nth(1).unwrap_or_default();
        assert_eq!(line.matches('L').count(), 3, "{line}");
    }
}
