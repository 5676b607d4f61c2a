//! The preview of a dot, before it is placed.

use crate::ui::board::{Mark, MoveTarget, Preview, SQUARE, Shape, along, outline};
use crate::ui::text::side;
use crate::ui::text::{Language, t};
use std::fmt::Write;
use tochki_rules::dots::{Change, Dots, Enclosure, Point};
use tochki_rules::{Game, Illegal, Seat};

/// Tries the move on a copy: a ghost of the dot, the chain dashed, the area lightly filled, the points beside it.
pub(crate) fn of(
    language: Language,
    dots: &Dots,
    seat: Seat,
    point: Point,
) -> Result<Preview, Illegal> {
    let mut after = dots.clone();
    let change = after.play_as(seat, point)?;
    Ok(Preview {
        markup: draw(&after, &change),
        words: change.captor.map(|by| {
            if by == seat {
                t!(language, board.would_capture, count = change.won)
            } else {
                t!(language, board.would_be_captured).to_owned()
            }
        }),
    })
}

/// Returns the corners of a captured area.
pub(crate) fn corners(enclosure: Enclosure<'_>) -> impl Iterator<Item = (u8, u8)> {
    enclosure.line().map(|point| (point.x, point.y))
}

fn draw(after: &Dots, change: &Change) -> String {
    let mut markup: String = after
        .captures_of(change)
        .map(|enclosure| {
            outline(
                r#"class="capture-preview"#,
                enclosure.seat(),
                corners(enclosure),
            )
        })
        .collect();
    let Change { point, seat, .. } = *change;
    let ghost = Mark {
        shape: Shape::Dot,
        seat,
        target: MoveTarget::At(point.x, point.y),
    };
    markup.push_str(&ghost.ghost());
    if let Some(captor) = change.captor {
        let ((x, y), side, won) = (beside(after, change), side::class(captor), change.won);
        // Writing into a string cannot fail.
        let _ = write!(
            markup,
            r#"<text class="points {side}" x="{x}" y="{y}">+{won}</text>"#
        );
    }
    markup
}

/// Returns a spot beside the dot, on the far side from the first of its captures as long as that is on the paper.
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
    use tochki_rules::dots::Setup;

    fn house() -> Dots {
        let mut dots = Dots::new(&Setup::DEFAULT);
        for mv in ["4,5", "6,5", "5,4", "5,6"] {
            dots.play_as(Seat::First, mv.parse().unwrap()).unwrap();
        }
        dots
    }

    #[track_caller]
    fn check(seat: Seat, point: &str, words: Option<&str>, pieces: [&str; 2]) {
        let preview = of(Language::En, &house(), seat, point.parse().unwrap()).unwrap();
        assert_eq!(preview.words.as_deref(), words);
        for piece in pieces {
            assert!(preview.markup.contains(piece), "{}", preview.markup);
        }
    }

    #[test]
    fn stepping_into_a_house_gives_the_dot_away() {
        let pieces = [r#"class="capture-preview red""#, r#"x="50" y="39">+1<"#];
        let words = "Careful: your dot would be captured here.";
        check(Seat::Second, "5,5", Some(words), pieces);
    }

    #[test]
    fn a_plain_dot_is_a_ghost() {
        let pieces = [r#"class="dot blue ghost""#, r#"cx="90" cy="90""#];
        check(Seat::Second, "9,9", None, pieces);
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
        let preview = of(Language::En, &dots, Seat::First, Point::new(5, 6));
        let markup = preview.unwrap().markup;
        assert!(markup.contains(r#"x="50" y="71">+1<"#), "{markup}");
    }

    #[test]
    fn a_taken_point_is_refused() {
        let refused = of(Language::En, &house(), Seat::Second, Point::new(5, 4));
        assert_eq!(refused, Err(Illegal::Occupied));
    }
}
