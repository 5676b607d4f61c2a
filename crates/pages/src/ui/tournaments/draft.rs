//! The form of a new arena: its fields, and what they say.

use crate::ui::forms::fields::{FieldValues, InvalidFields};
use crate::ui::games;
use crate::ui::lobby::read_clock;
use leptos_router::params::ParamsMap;
use tochki_play::{Millis, Terms, Timestamp, date};
use tochki_protocol::limits::{self, in_millis};
use tochki_protocol::{Code, EntryConditions};
use tochki_rules::GameKind;

/// The minutes until the start that are offered.
pub(super) const BEGINS_IN: [u32; 4] = [5, 15, 30, 60];

/// The longest difference between the time of a place and UTC, in minutes.
const MAX_OFFSET: i64 = 14 * 60;

/// An arena as its creator wants it.
#[derive(Clone, Debug, PartialEq)]
pub struct ArenaDraft {
    /// The name.
    pub name: String,
    /// The description, as plain text.
    pub description: String,
    /// Game, setup, clock, rated or not.
    pub terms: Terms,
    /// The duration.
    pub minutes: u32,
    /// The start.
    pub starts_at: Timestamp,
    /// Whether games count double after two wins in a row.
    pub streaks: bool,
    /// Whether games count that run at the end.
    pub last_games: bool,
    /// The conditions of entering, without the password.
    pub entry: EntryConditions,
    /// The password; empty without one.
    pub password: String,
}

/// The form as it was filled in. The server provides it as a context to the page that says what is wrong.
#[derive(Clone, Debug, Default)]
pub struct FilledForm {
    pub(super) values: ParamsMap,
    pub(super) invalid: InvalidFields,
    /// Why the server refused what reads well.
    pub(super) refused: Option<Code>,
}

impl FilledForm {
    /// Takes the fields of a form that was sent.
    pub fn of(fields: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut values = ParamsMap::new();
        for (name, value) in fields {
            values.replace(name, value);
        }
        Self {
            values,
            ..Self::default()
        }
    }

    /// Reads the fields, and notes those that are invalid.
    pub fn read(&mut self, now: Timestamp) -> Option<ArenaDraft> {
        let mut invalid = InvalidFields::new();
        let draft = read(&|field| self.values.get(field), now, &mut invalid);
        self.invalid = invalid;
        draft
    }

    /// Notes why the server refused the arena.
    pub fn refuse(&mut self, code: Code) {
        match code {
            Code::InvalidClock => self.invalid.push("clock"),
            code => self.refused = Some(code),
        }
    }

    /// Returns the game.
    pub(super) fn game(&self) -> GameKind {
        let game = self
            .values
            .get_str("game")
            .and_then(|game| game.parse().ok());
        game.unwrap_or(GameKind::DEFAULT)
    }

    /// Returns whether a switch is on. In a form that was not sent yet, `first` says so.
    pub(super) fn is_on(&self, field: &str, first: bool) -> bool {
        if self.values.get_str("sent").is_some() {
            self.values.get_str(field).is_some()
        } else {
            first
        }
    }
}

fn read(values: FieldValues, now: Timestamp, invalid: &mut InvalidFields) -> Option<ArenaDraft> {
    let text = |field: &str| values(field).unwrap_or_default().trim().to_owned();
    let game = text("game").parse().unwrap_or(GameKind::DEFAULT);
    let name = text("name");
    if !limits::TOURNAMENT_NAME_CHARS.contains(&name.chars().count()) {
        invalid.push("name");
    }
    // Browsers send the ends of lines as two characters.
    let description = text("description").replace("\r\n", "\n");
    if description.chars().count() > limits::TOURNAMENT_DESCRIPTION_MAX_CHARS {
        invalid.push("description");
    }
    let minutes = text("duration").parse().ok();
    let minutes = minutes.filter(|minutes| limits::ARENA_MINUTES.contains(minutes));
    if minutes.is_none() {
        invalid.push("duration");
    }
    let starts_at = read_start(&text, now);
    if starts_at.is_none() {
        invalid.push("starts_at");
    }
    let mut number = |field: &'static str| match text(field).as_str() {
        "" => None,
        digits => {
            let number: Option<i32> = digits.parse().ok().filter(|number| *number >= 0);
            if number.is_none() {
                invalid.push(field);
            }
            number
        }
    };
    let [min_rating, max_rating, min_games, min_age_days] =
        ["min_rating", "max_rating", "min_games", "min_age_days"].map(&mut number);
    if min_rating
        .zip(max_rating)
        .is_some_and(|(min, max)| min > max)
    {
        invalid.push("max_rating");
    }
    let setup = games::read_setup(game, values, invalid);
    let clock = read_clock(values, invalid);
    let is_on = |field: &str| values(field).is_some();
    let entry = EntryConditions {
        min_rating,
        max_rating,
        min_games,
        min_age_days,
        password: false,
        guests: is_on("guests"),
        bots: is_on("bots"),
    };
    let draft = ArenaDraft {
        name,
        description,
        terms: Terms {
            setup: setup?,
            clock: clock?,
            // With guests no game is.
            rated: is_on("is_rated") && !entry.guests,
        },
        minutes: minutes?,
        starts_at: starts_at?,
        streaks: is_on("streaks"),
        last_games: is_on("last_games"),
        entry,
        password: values("password").unwrap_or_default(),
    };
    invalid.is_empty().then_some(draft)
}

/// Reads the start: in some minutes, or at a time of the place that is `offset` minutes east of UTC.
fn read_start(text: &dyn Fn(&str) -> String, now: Timestamp) -> Option<Timestamp> {
    let begin = text("begin");
    // Without scripts nothing but the typed time says that it is meant.
    let at = if begin == "at" || !text("starts_at").is_empty() {
        let offset: i64 = text("offset").parse().unwrap_or(0);
        let at = date::read_minute(&text("starts_at"))?;
        at - Millis(offset.clamp(-MAX_OFFSET, MAX_OFFSET) * 60_000)
    } else {
        let minutes = begin
            .parse()
            .ok()
            .filter(|minutes| BEGINS_IN.contains(minutes));
        now + Millis::from_secs(minutes? * 60)
    };
    let lead = in_millis(limits::TOURNAMENT_MIN_LEAD)..=in_millis(limits::TOURNAMENT_MAX_LEAD);
    lead.contains(&(at - now)).then_some(at)
}

/// Returns whether a field behind *More* is invalid.
pub(super) fn is_behind_more(field: &str) -> bool {
    field != "name" && field != "duration" && field != "starts_at"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-21 12:00 UTC.
    const NOON: Timestamp = Timestamp(1_795_262_400_000);

    fn form(fields: &str) -> FilledForm {
        FilledForm::of(fields.split('&').filter_map(|pair| {
            let (name, value) = pair.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        }))
    }

    const GOOD: &str = "sent=yes&game=dots&board=20x20&clock=180+2&is_rated=yes&streaks=yes";

    #[track_caller]
    fn wrong(fields: &str, expected: &[&str]) {
        let mut form = form(&format!("name=Evening&duration=45&begin=5&{GOOD}&{fields}"));
        assert_eq!(form.read(NOON), None);
        assert_eq!(form.invalid, expected, "{fields}");
    }

    #[test]
    fn a_form_reads_as_an_arena() {
        let mut filled = form(&format!(
            "name= Evening &duration=45&begin=at&starts_at=2026-11-21T20:30&offset=180&min_games=5&{GOOD}"
        ));
        let draft = filled.read(NOON).unwrap();
        assert_eq!(draft.name, "Evening");
        assert_eq!(
            draft.starts_at - NOON,
            Millis::from_secs((5 * 60 + 30) * 60)
        );
        assert!(draft.streaks && draft.terms.rated && !draft.last_games);
        assert_eq!(draft.entry.min_games, Some(5));
        assert_eq!(draft.entry.min_rating, None);
        assert!(filled.invalid.is_empty() && filled.is_on("streaks", false));
        // Games with guests are unrated.
        let mut open = form(&format!(
            "name=Evening&duration=45&begin=15&guests=yes&{GOOD}"
        ));
        assert!(!open.read(NOON).unwrap().terms.rated);
    }

    #[test]
    fn mistakes_are_found_at_their_fields() {
        wrong("name=ab", &["name"]);
        wrong("duration=19", &["duration"]);
        wrong("duration=x", &["duration"]);
        wrong("begin=7", &["starts_at"]);
        wrong("begin=at&starts_at=2026-11-21T11:59", &["starts_at"]);
        wrong("begin=at&starts_at=2027-11-21T12:00", &["starts_at"]);
        wrong("begin=at&starts_at=tomorrow", &["starts_at"]);
        wrong("begin=5&starts_at=tomorrow", &["starts_at"]);
        wrong("min_rating=1700&max_rating=1600", &["max_rating"]);
        wrong(
            "min_games=-1&min_age_days=x",
            &["min_games", "min_age_days"],
        );
        wrong("clock=own&minutes=999", &["minutes"]);
        wrong("board=4x9", &["width"]);
        let long = "x".repeat(limits::TOURNAMENT_DESCRIPTION_MAX_CHARS + 1);
        wrong(&format!("description={long}"), &["description"]);
        let mut refused = form(GOOD);
        refused.refuse(Code::InvalidClock);
        refused.refuse(Code::TooManyTournaments);
        assert_eq!(refused.invalid, ["clock"]);
        assert_eq!(refused.refused, Some(Code::TooManyTournaments));
    }
}
