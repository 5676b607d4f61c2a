//! What a dot would do, before it is placed.

use super::geometry::SQUARE;
use super::picture::{along, ghost, outline};
use crate::rules::dots::{Change, Dots, Point};
use crate::rules::{Game, Illegal, Seat};
use crate::ui::texts::{Language, say};
use crate::ui::words;
use std::fmt::Write;

/// What would happen at a point.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Preview {
    /// A dot would stand there.
    Dot {
        /// What would be captured then, and by whom.
        captures: Option<Captures>,
        /// A ghost of the dot, the chain dashed, the area lightly filled, the points beside it: as SVG markup.
        drawn: String,
    },
    /// Nothing: it may not be played. The reason is told beside the board, and nothing is drawn on it.
    Refused(Illegal),
}

/// The captures a dot would make, or fall to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Captures {
    /// The mover wins so many dots.
    Wins(u32),
    /// The dot steps into a house and is lost.
    Loses,
}

impl Preview {
    /// Tries the move on a copy.
    pub(super) fn of(dots: &Dots, seat: Seat, point: Point) -> Self {
        let mut after = dots.clone();
        match after.play_as(seat, point) {
            Ok(change) => Self::Dot {
                captures: change.captor.map(|by| {
                    if by == seat {
                        Captures::Wins(change.won)
                    } else {
                        Captures::Loses
                    }
                }),
                drawn: draw(&after, &change),
            },
            Err(illegal) => Self::Refused(illegal),
        }
    }

    /// The same in words, where there is something to say.
    pub(super) fn words(&self, language: Language) -> Option<String> {
        match self {
            Self::Refused(illegal) => Some(words::illegal(language, *illegal).to_owned()),
            Self::Dot { captures, .. } => Some(match (*captures)? {
                Captures::Wins(won) => say!(language, board.would_capture, count = won),
                Captures::Loses => say!(language, board.would_be_captured).to_owned(),
            }),
        }
    }

    /// The same on the board.
    pub(super) fn drawn(&self) -> &str {
        match self {
            Self::Dot { drawn, .. } => drawn,
            Self::Refused(_) => "",
        }
    }
}

fn draw(after: &Dots, change: &Change) -> String {
    let mut drawn: String = after
        .captures_of(change)
        .map(|enclosure| outline(r#"class="would"#, enclosure))
        .collect();
    drawn.push_str(&ghost(change.point, change.seat));
    if let Some(captor) = change.captor {
        let ((x, y), side, won) = (beside(after, change), words::side(captor), change.won);
        // Writing into a string cannot fail.
        let _ = write!(
            drawn,
            r#"<text class="points {side}" x="{x}" y="{y}">+{won}</text>"#
        );
    }
    drawn
}

/// A spot beside the dot, on the far side from the first of its captures as long as that is on the paper.
fn beside(after: &Dots, change: &Change) -> (i32, i32) {
    let (x, y) = (along(change.point.x), along(change.point.y));
    let line = after
        .captures_of(change)
        .take(1)
        .flat_map(|area| area.line());
    let (left, up) = line.fold((0, 0), |(left, up), point| {
        (left + along(point.x) - x, up + along(point.y) - y)
    });
    // A step away along each axis that the capture clearly lies on; above, if the dot is in the midst of it.
    let far = left.abs().max(up.abs());
    let away = |towards: i32| {
        if towards.abs() * 2 > far {
            -towards.signum()
        } else {
            0
        }
    };
    let first = if far > 2 * SQUARE {
        (away(left), away(up))
    } else {
        (0, -1)
    };
    let on_paper = |length: u8, spot: i32| spot > -SQUARE && spot < i32::from(length) * SQUARE;
    let setup = after.setup();
    [first, (1, 0), (-1, 0)]
        .map(|(right, down)| (x + right * 12, y + down * 11))
        .into_iter()
        .find(|(x, y)| on_paper(setup.width(), *x) && on_paper(setup.height(), *y))
        .unwrap_or((x, y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::dots::Setup;

    fn house() -> Dots {
        let mut dots = Dots::new(&Setup::DEFAULT);
        for mv in ["4,5", "6,5", "5,4", "5,6"] {
            dots.play_as(Seat::First, mv.parse().unwrap()).unwrap();
        }
        dots
    }

    #[track_caller]
    fn check(seat: Seat, point: &str, captures: Option<Captures>, pieces: [&str; 2]) {
        let Preview::Dot {
            captures: found,
            drawn,
        } = Preview::of(&house(), seat, point.parse().unwrap())
        else {
            panic!("refused")
        };
        assert_eq!(found, captures);
        for piece in pieces {
            assert!(drawn.contains(piece), "{drawn}");
        }
    }

    #[test]
    fn stepping_into_a_house_gives_the_dot_away() {
        let pieces = [r#"class="would red""#, r#"x="50" y="39">+1<"#];
        check(Seat::Second, "5,5", Some(Captures::Loses), pieces);
    }

    #[test]
    fn a_plain_dot_is_a_ghost() {
        check(
            Seat::Second,
            "9,9",
            None,
            ["ghost blue", r#"cx="90" cy="90""#],
        );
    }

    #[test]
    fn the_points_stand_away_from_the_capture() {
        let mut dots = Dots::new(&Setup::DEFAULT);
        for (seat, mv) in [
            (Seat::Second, "5,5"),
            (Seat::First, "4,5"),
            (Seat::First, "6,5"),
            (Seat::First, "5,4"),
        ] {
            dots.play_as(seat, mv.parse().unwrap()).unwrap();
        }
        let preview = Preview::of(&dots, Seat::First, Point::new(5, 6));
        assert!(
            preview.drawn().contains(r#"x="50" y="71">+1<"#),
            "{}",
            preview.drawn()
        );
    }

    #[test]
    fn a_taken_point_is_refused() {
        let refused = Preview::of(&house(), Seat::Second, Point::new(5, 4));
        assert_eq!(refused, Preview::Refused(Illegal::Occupied));
    }
}
