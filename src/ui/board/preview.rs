//! What a dot would do, before it is placed.

use super::geometry::SQUARE;
use super::picture::{Area, along};
use crate::rules::dots::{Change, Dots, Point};
use crate::rules::{Game, Illegal, Seat};
use crate::ui::texts::{Language, say};
use crate::ui::words;
use leptos::prelude::*;

/// What would happen at a point.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Preview {
    /// A dot would stand there.
    Dot {
        /// Where.
        point: Point,
        /// Whose.
        seat: Seat,
        /// What would be captured then, and by whom.
        captures: Option<Captures>,
    },
    /// Nothing: it may not be played.
    Refused(Illegal),
}

/// The captures a dot would make, or fall to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Captures {
    /// Who would win dots: the mover, or the owner of the house stepped into.
    by: Seat,
    /// How many.
    won: u32,
    areas: Vec<Area>,
    /// Where the points are written: beside the dot, away from what is captured.
    beside: (f64, f64),
}

impl Preview {
    /// Tries the move on a copy.
    pub(super) fn of(dots: &Dots, seat: Seat, point: Point) -> Self {
        let mut after = dots.clone();
        match after.play_as(seat, point) {
            Ok(change) => {
                let captures = change.captor.map(|by| Captures {
                    by,
                    won: change.won,
                    areas: after.captures_of(&change).map(Area::of).collect(),
                    beside: beside(&after, &change),
                });
                Self::Dot {
                    point,
                    seat,
                    captures,
                }
            }
            Err(illegal) => Self::Refused(illegal),
        }
    }

    /// The same in words, where there is something to say.
    pub(super) fn words(&self, language: Language) -> Option<String> {
        match self {
            Self::Refused(illegal) => Some(words::illegal(language, *illegal).to_owned()),
            Self::Dot { captures: None, .. } => None,
            Self::Dot {
                seat,
                captures: Some(captures),
                ..
            } if captures.by == *seat => {
                Some(say!(language, board.would_capture, count = captures.won))
            }
            Self::Dot {
                captures: Some(_), ..
            } => Some(say!(language, board.would_be_captured).to_owned()),
        }
    }
}

/// A spot beside the dot, on the far side from the first of its captures as long as that is on the paper.
fn beside(after: &Dots, change: &Change) -> (f64, f64) {
    let place = |point: Point| (f64::from(along(point.x)), f64::from(along(point.y)));
    let (x, y) = place(change.point);
    let (mut left, mut up, mut count) = (0.0, 0.0, 0.0);
    for point in after
        .captures_of(change)
        .take(1)
        .flat_map(|area| area.line())
    {
        let (other_x, other_y) = place(point);
        (left, up, count) = (left + other_x - x, up + other_y - y, count + 1.0);
    }
    let far = f64::hypot(left, up);
    let away = if far > count {
        (-left / far, -up / far)
    } else {
        (0.0, -1.0)
    };
    let on_paper = |length: u8, spot: f64| spot > -SQUARE && spot < f64::from(length) * SQUARE;
    let setup = after.setup();
    [away, (1.0, 0.0), (-1.0, 0.0)]
        .map(|(right, down)| (x + right * SQUARE * 1.2, y + down * SQUARE * 1.1))
        .into_iter()
        .find(|(x, y)| on_paper(setup.width(), *x) && on_paper(setup.height(), *y))
        .unwrap_or((x, y))
}

/// The preview as it is drawn: a ghost of the dot, the chain dashed, the area lightly filled, the points beside it.
#[component]
pub(super) fn PreviewMarks(preview: Memo<Option<Preview>>) -> impl IntoView {
    move || match preview.get() {
        Some(Preview::Dot {
            point,
            seat,
            captures,
        }) => {
            let (x, y) = (along(point.x), along(point.y));
            let captured = captures.map(|captures| {
                let side = words::side(captures.by);
                let areas = captures
                    .areas
                    .into_iter()
                    .map(|area| view! { <path class=format!("would {side}") d=area.outline /> })
                    .collect_view();
                let (beside_x, beside_y) = captures.beside;
                view! {
                    {areas}
                    <text class=format!("points {side}") x=beside_x y=beside_y>
                        {format!("+{}", captures.won)}
                    </text>
                }
            });
            view! {
                {captured}
                <circle class=format!("dot ghost {}", words::side(seat)) cx=x cy=y r=words::radius(seat) />
            }
            .into_any()
        }
        // The reason stands beside the board, and nothing on it.
        Some(Preview::Refused(_)) | None => ().into_any(),
    }
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

    #[test]
    fn stepping_into_a_house_gives_the_dot_away() {
        let Preview::Dot {
            captures: Some(captures),
            ..
        } = Preview::of(&house(), Seat::Second, Point::new(5, 5))
        else {
            panic!("no capture")
        };
        assert_eq!(
            (captures.by, captures.won, captures.areas.len()),
            (Seat::First, 1, 1)
        );
    }

    #[test]
    fn a_taken_point_is_refused_and_an_empty_one_is_not() {
        assert_eq!(
            Preview::of(&house(), Seat::Second, Point::new(5, 4)),
            Preview::Refused(Illegal::Occupied)
        );
        let plain = Preview::of(&house(), Seat::Second, Point::new(9, 9));
        assert!(matches!(plain, Preview::Dot { captures: None, .. }));
    }
}
