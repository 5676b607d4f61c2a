//! The gains of each side by a line of moves, and the areas of Dots that it closes.

use crate::ui::board::outline;
use crate::ui::text::{Language, side};
use tochki_rules::{Change, GameKind, Position, Seat};

/// The gains by a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gains {
    /// The points that each side has more after the line.
    pub(crate) points: [u32; 2],
    /// The areas that the line closes, as SVG markup.
    pub(crate) areas: String,
}

impl Gains {
    /// Plays the line from a position, as far as the rules allow it.
    pub(crate) fn of_line(position: &Position, line: &[String]) -> Self {
        let mut position = position.clone();
        let before = position.score();
        let mut areas = String::new();
        for mv in line {
            let played = position.parse_move(mv).and_then(|mv| position.play(mv));
            let Ok(change) = played else { break };
            if let (Position::Dots(dots), Change::Dots(change)) = (&position, &change) {
                for area in dots.captures_of(change) {
                    let corners = area.line().map(|point| (point.x, point.y));
                    areas += &outline(r#"class="capture-preview"#, area.seat(), corners);
                }
            }
        }
        let after = position.score();
        Self {
            points: [0, 1].map(|seat| after[seat].saturating_sub(before[seat])),
            areas,
        }
    }

    /// Returns the gains in words, `Red +3, Blue +1`; `None` if there are none.
    pub(crate) fn words(&self, language: Language, game: GameKind) -> Option<String> {
        let won = Seat::BOTH.into_iter().filter_map(|seat| {
            let points = self.points[seat.index()];
            (points > 0).then(|| format!("{} +{points}", side::colour(language, game, seat)))
        });
        let won = won.collect::<Vec<_>>().join(", ");
        (!won.is_empty()).then_some(won)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gains(game: GameKind, played: &str, line: &str) -> Gains {
        let mut position = Position::new(&game.default_setup());
        for mv in played.split_ascii_whitespace() {
            let mv = position.parse_move(mv).unwrap();
            position.play(mv).unwrap();
        }
        let line: Vec<_> = line.split_ascii_whitespace().map(str::to_owned).collect();
        Gains::of_line(&position, &line)
    }

    #[test]
    fn both_sides_of_a_line_win_their_areas() {
        let red = "5,4 5,5 4,5 20,20 6,5 9,9";
        let found = gains(GameKind::Dots, red, "5,6 1,1 nonsense");
        assert_eq!(found.points, [1, 0]);
        assert_eq!(found.areas.matches("<path").count(), 1);
        assert!(
            found.areas.contains("capture-preview red"),
            "{}",
            found.areas
        );
        assert_eq!(
            found.words(Language::En, GameKind::Dots).as_deref(),
            Some("Red +1")
        );
        let both = "5,4 5,5 4,5 15,14 6,5 14,15 15,15 16,15";
        let found = gains(GameKind::Dots, both, "5,6 15,16");
        assert_eq!(
            found.words(Language::En, GameKind::Dots).as_deref(),
            Some("Red +1, Blue +1")
        );
        assert_eq!(found.areas.matches("<path").count(), 2);
    }

    #[test]
    fn a_variation_without_gain_has_no_description() {
        let found = gains(GameKind::Dots, "", "5,6 1,1");
        assert_eq!(
            (found.words(Language::En, GameKind::Dots), &*found.areas),
            (None, "")
        );
        let boxes = gains(GameKind::Boxes, "h:0,0 v:0,0 v:1,0", "h:0,1");
        assert_eq!((boxes.points, &*boxes.areas), ([0, 1], ""));
    }
}
