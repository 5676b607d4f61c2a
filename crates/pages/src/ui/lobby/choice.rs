//! The choice of a game, its terms and the opponent's rating, for a challenge or table created on this page. The URL and a cookie carry
//! the choice, so it survives a reload and needs no scripts.

use crate::ui::forms::fields::{FieldValues, InvalidFields};
use crate::ui::games;
use crate::ui::lobby::clock;
use crate::ui::terms::describe_terms;
use crate::ui::text::{Language, t};
use tochki_play::Terms;
use tochki_protocol::RatingBounds;
use tochki_rules::GameKind;

/// The fields of the bounds of the opponent's rating.
pub(crate) const BOUNDS: [&str; 2] = ["min_rating", "max_rating"];

/// Valid terms, and the bounds of the rating of an opponent who is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    terms: Terms,
    ratings: RatingBounds,
}

impl Choice {
    /// Returns the fields of a choice of this game, besides the game itself.
    pub(crate) fn fields(game: GameKind) -> impl Iterator<Item = &'static str> {
        let of_game = games::field_names(game).iter().copied();
        of_game.chain(clock::FIELDS).chain(["rated"]).chain(BOUNDS)
    }

    /// Reads the fields. A missing field takes its default; a number out of range is invalid.
    pub(crate) fn read(game: GameKind, values: FieldValues) -> Result<Self, InvalidFields> {
        let mut invalid = InvalidFields::new();
        let setup = games::read_setup(game, values, &mut invalid);
        let clock = clock::read(values, &mut invalid);
        let ratings = read_bounds(values, &mut invalid);
        let (Some(setup), Some(clock), Some(ratings)) = (setup, clock, ratings) else {
            return Err(invalid);
        };
        let terms = Terms {
            setup,
            clock,
            rated: values("rated").as_deref() != Some("no"),
        };
        Ok(Self { terms, ratings })
    }

    /// Returns the setup, the time control, and whether the match is rated.
    pub(crate) const fn terms(self) -> Terms {
        self.terms
    }

    /// Returns the bounds of the opponent's rating.
    pub(crate) const fn ratings(self) -> RatingBounds {
        self.ratings
    }

    /// Describes the choice in one line.
    pub(crate) fn describe(self, language: Language) -> String {
        let Terms {
            setup,
            clock,
            rated,
        } = self.terms;
        let terms = describe_terms(language, setup, clock, rated);
        with_bounds(language, terms, self.ratings)
    }

    /// Returns the choice as a query string. The string is complete, so it never depends on the stored choice.
    pub(crate) fn query(self) -> String {
        let Terms {
            setup,
            clock,
            rated,
        } = self.terms;
        let (game, parts) = (setup.kind(), games::setup_fields(&setup).query());
        let rated = if rated { "yes" } else { "no" };
        let bounds = [self.ratings.min, self.ratings.max];
        let bounds = BOUNDS.into_iter().zip(bounds).filter_map(|(field, bound)| {
            let bound = bound?;
            Some(format!("&{field}={bound}"))
        });
        let bounds: String = bounds.collect();
        format!("game={game}{parts}&clock={clock}&rated={rated}{bounds}")
    }

    /// Returns the setup as JSON for the API.
    pub(crate) fn setup_text(self) -> String {
        games::setup_fields(&self.terms.setup).json()
    }
}

/// Reads the bounds of the rating. An empty field is none.
fn read_bounds(values: FieldValues, invalid: &mut InvalidFields) -> Option<RatingBounds> {
    let [min, max] = BOUNDS.map(|field| {
        let text = values(field).unwrap_or_default();
        let bound = match text.trim() {
            "" => Some(None),
            digits => digits.parse().ok().map(Some),
        };
        let fits = |bound: &Option<i32>| bound.is_none_or(|it| RatingBounds::RANGE.contains(&it));
        let bound = bound.filter(fits);
        if bound.is_none() {
            invalid.push(field);
        }
        bound
    });
    let bounds = RatingBounds::new(min?, max?).ok();
    if bounds.is_none() {
        invalid.extend(BOUNDS);
    }
    bounds
}

/// Returns a text with bounds of the opponent's rating after it, such as `1200–1800`, if there are any.
pub(crate) fn with_bounds(language: Language, text: String, bounds: RatingBounds) -> String {
    let bounds = match (bounds.min, bounds.max) {
        (None, None) => return text,
        (Some(min), Some(max)) => format!("{min}–{max}"),
        (Some(min), None) => format!("≥ {min}"),
        (None, Some(max)) => format!("≤ {max}"),
    };
    format!("{text} · {}: {bounds}", t!(language, paces.bounds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_protocol::SetupText;

    fn read(query: &str) -> Result<Choice, InvalidFields> {
        let values = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.to_owned())
        };
        let game = values("game").map_or(GameKind::Dots, |game| game.parse().expect("a game"));
        Choice::read(game, &values)
    }

    #[track_caller]
    fn check(query: &str, reads_as: &str) {
        assert_eq!(
            read(query).map(Choice::query),
            Ok(reads_as.to_owned()),
            "{query}"
        );
    }

    #[track_caller]
    fn wrong(query: &str, fields: &[&str]) {
        assert_eq!(read(query).unwrap_err(), fields, "{query}");
    }

    const DEFAULT: &str = "game=dots&board=39x32&start=empty&clock=300+5&rated=yes";

    #[test]
    fn the_setup_of_a_challenge_reads() {
        for query in [
            "board=13x13&start=four_crosses",
            "game=boxes&board=2x10",
            "game=gomoku&size=15&rule=standard",
            "game=reversi",
        ] {
            let choice = read(query).unwrap();
            let setup = choice.terms().setup;
            let text = SetupText::from(choice.setup_text());
            assert_eq!(text.read(setup.kind()), Ok(setup), "{query}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for query in [
            DEFAULT,
            "game=dots&board=20x20&start=cross&clock=300+5&rated=no",
            "game=dots&board=5x50&start=empty&clock=10800+60&rated=yes",
            "game=dots&board=13x13&start=four_crosses&clock=10+0&rated=yes",
            "game=boxes&board=5x5&clock=none&rated=yes",
            "game=boxes&board=2x10&clock=180+2&rated=no",
            "game=gomoku&size=19&rule=freestyle&clock=none&rated=yes",
            "game=gomoku&size=15&rule=standard&clock=300+5&rated=yes",
            "game=reversi&clock=600+10&rated=no",
            "game=reversi&clock=25/300&rated=no",
            "game=reversi&clock=0~30x5&rated=yes",
            "game=reversi&clock=300+5&rated=yes&min_rating=1200",
            "game=reversi&clock=3d&rated=yes&min_rating=0&max_rating=9999",
        ] {
            check(query, query);
        }
        for &game in GameKind::ALL {
            assert!(
                Choice::fields(game).all(|field| field != "game"),
                "the game alone is no choice"
            );
            assert_eq!(
                Choice::read(game, &|_| None).map(|choice| choice.terms().setup),
                Ok(game.default_setup()),
                "what is offered first is the usual"
            );
        }
    }

    #[test]
    fn what_is_missing_takes_the_default() {
        check("", DEFAULT);
        check("board=big&start=x&rated=maybe", DEFAULT);
        check("width=7&minutes=3", DEFAULT);
        check("min_rating=&max_rating= ", DEFAULT);
        check(
            "game=gomoku&size=17&rule=renju&board=3x3",
            "game=gomoku&size=19&rule=freestyle&clock=300+5&rated=yes",
        );
    }

    #[test]
    fn a_size_and_a_clock_of_ones_own_are_typed() {
        check(
            "board=own&width= 8&height=50&clock=own&minutes=1&seconds=30&increment=0",
            "game=dots&board=8x50&start=empty&clock=90+0&rated=yes",
        );
        check(
            "clock=own&minutes=&seconds=10&increment=",
            "game=dots&board=39x32&start=empty&clock=10+0&rated=yes",
        );
        for (own, clock) in [
            ("own_bank&per_move=5&bank=", "5/0"),
            ("own_byo_yomi&main_time=10&period=30&periods=5", "600~30x5"),
        ] {
            check(
                &format!("clock={own}&minutes=x"),
                &format!("game=dots&board=39x32&start=empty&clock={clock}&rated=yes"),
            );
        }
        // A form encodes the plus as a space.
        check(
            "clock=180 2",
            "game=dots&board=39x32&start=empty&clock=180+2&rated=yes",
        );
    }

    #[test]
    fn mistakes_are_found_at_their_fields() {
        wrong("board=own&width=4&height=8", &["width"]);
        wrong("board=8x51", &["height"]);
        wrong("board=own&width=&height=eight", &["width", "height"]);
        wrong(
            "board=own&width=8&height=12&start=four_crosses",
            &["opening"],
        );
        wrong(
            "game=boxes&board=own&width=1&height=11",
            &["width", "height"],
        );
        wrong("clock=own&minutes=0&seconds=9&increment=0", &["minutes"]);
        wrong("clock=own&minutes=181&increment=0", &["minutes"]);
        wrong("clock=own&minutes=5&seconds=-1&increment=0", &["seconds"]);
        wrong("clock=own&minutes=99999999999", &["minutes"]);
        wrong("clock=own&minutes=4294967295&seconds=1", &["minutes"]);
        wrong("clock=own&minutes=5&increment=61", &["increment"]);
        wrong("clock=own&seconds=x&increment=x", &["seconds", "increment"]);
        wrong("clock=5", &["minutes"]);
        wrong("clock=own_bank&per_move=4&bank=181", &["per_move", "bank"]);
        wrong(
            "clock=own_byo_yomi&main_time=181&period=301&periods=0",
            &["main_time", "period", "periods"],
        );
        wrong("clock=own_days&days=4", &["days"]);
        wrong(
            "clock=own_fischer_days&first_days=29&added_hours=3&most_days=",
            &["first_days", "added_hours", "most_days"],
        );
        wrong(
            "board=4x9&clock=own&minutes=5&increment=99",
            &["width", "increment"],
        );
        wrong(
            "min_rating=x&max_rating=10000",
            &["min_rating", "max_rating"],
        );
        wrong("min_rating=-1", &["min_rating"]);
        wrong(
            "min_rating=1500&max_rating=1499",
            &["min_rating", "max_rating"],
        );
    }
}
