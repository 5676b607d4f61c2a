//! Where the places of a game lie on the paper, and which place lies under a spot of the screen.
//!
//! Paper is measured in its own units from the first crossing, or the middle of the first square; a square is ten wide.

/// How wide a square is.
pub(crate) const SQUARE: i32 = 10;

/// Room for the coordinates, before the first crossing.
const LABELS: i32 = 13;

/// Room after the last crossing.
const MARGIN: i32 = 7;

/// Where a column or row lies on the paper.
pub(crate) fn along(number: u8) -> i32 {
    i32::from(number) * SQUARE
}

/// A spot on the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// A direction on the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heading {
    Up,
    Right,
    Down,
    Left,
}

impl Heading {
    /// The direction on paper that is this one on the screen, when the paper lies turned.
    pub(crate) const fn on_turned(self) -> Self {
        match self {
            Self::Up => Self::Left,
            Self::Right => Self::Up,
            Self::Down => Self::Right,
            Self::Left => Self::Down,
        }
    }
}

/// A sheet of paper: its size with margins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sheet {
    width: i32,
    height: i32,
}

/// Where the sheet lies on the screen, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Sheet {
    /// The `viewBox` of the drawing.
    pub(crate) fn view_box(self) -> String {
        format!("-{LABELS} -{LABELS} {} {}", self.width, self.height)
    }

    /// The same for the room that it takes when it lies turned.
    pub(crate) fn turned_box(self) -> String {
        format!("0 0 {} {}", self.height, self.width)
    }

    /// Its size without the room for coordinates: from half a square before the first place to half a square after the
    /// last.
    pub(crate) fn inner(self) -> (i32, i32) {
        let inner = |side: i32| side - LABELS - MARGIN + SQUARE;
        (inner(self.width), inner(self.height))
    }

    /// Whether the sheet may lie turned: the style sheet turns wide boards on upright phones.
    pub(crate) fn turns(self) -> bool {
        self.width > self.height
    }

    /// Whether it does lie turned (a quarter clockwise) in this frame.
    pub(crate) fn is_turned(self, frame: Frame) -> bool {
        self.turns() && frame.width < frame.height
    }

    /// What lies under a point of the screen.
    ///
    /// The drawing keeps its proportions and stays in the middle of its frame.
    pub(crate) fn under(self, frame: Frame, client_x: f64, client_y: f64) -> Spot {
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
        Spot {
            x: x - labels,
            y: y - labels,
        }
    }
}

/// So many places beside and below each other: crossings, or squares, which are meant by their middles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) columns: u8,
    pub(crate) rows: u8,
}

impl Grid {
    /// The paper under it, with its margins.
    pub(crate) fn sheet(self) -> Sheet {
        let side = |places: u8| along(places.saturating_sub(1)) + LABELS + MARGIN;
        Sheet {
            width: side(self.columns),
            height: side(self.rows),
        }
    }

    /// The place nearest to a spot, if it is not too far outside.
    pub(crate) fn place_at(self, spot: Spot) -> Option<(u8, u8)> {
        let nearest = |along: f64, places: u8| {
            let place = (along / f64::from(SQUARE)).round();
            (place >= 0.0 && place < f64::from(places)).then_some(place as u8)
        };
        nearest(spot.x, self.columns).zip(nearest(spot.y, self.rows))
    }

    /// The place in the middle.
    pub(crate) fn middle(self) -> (u8, u8) {
        (self.columns / 2, self.rows / 2)
    }

    /// The place one step further, or the same at the edge.
    pub(crate) fn step(self, (x, y): (u8, u8), heading: Heading) -> (u8, u8) {
        match heading {
            Heading::Up => (x, y.saturating_sub(1)),
            Heading::Right => ((x + 1).min(self.columns - 1), y),
            Heading::Down => (x, (y + 1).min(self.rows - 1)),
            Heading::Left => (x.saturating_sub(1), y),
        }
    }

    /// A frame round a place, as SVG markup.
    pub(crate) fn cursor((x, y): (u8, u8)) -> String {
        let (x, y) = (along(x) - 5, along(y) - 5);
        format!(r#"<rect class="cursor" x="{x}" y="{y}" width="10" height="10" rx="2"/>"#)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: Grid = Grid {
        columns: 39,
        rows: 32,
    };

    #[track_caller]
    fn check(frame: Frame, client: (f64, f64), place: Option<(u8, u8)>) {
        assert_eq!(
            POINTS.place_at(POINTS.sheet().under(frame, client.0, client.1)),
            place
        );
    }

    #[test]
    fn a_sheet_lies_straight() {
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
    fn a_sheet_keeps_its_proportions_in_a_wider_frame() {
        let frame = Frame {
            left: 0.0,
            top: 0.0,
            width: 1000.0,
            height: 660.0,
        };
        check(frame, (100.0 + 26.0, 26.0), Some((0, 0)));
    }

    #[test]
    fn a_turned_sheet_begins_at_the_upper_right() {
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
        assert_eq!(POINTS.step((38, 0), Heading::Right), (38, 0));
        assert_eq!(POINTS.step((38, 0), Heading::Up), (38, 0));
        assert_eq!(POINTS.step((38, 0), Heading::Left), (37, 0));
        assert_eq!(POINTS.step((38, 31), Heading::Down), (38, 31));
    }
}
