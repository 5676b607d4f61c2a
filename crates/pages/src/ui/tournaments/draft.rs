//! The form of a new tournament: its fields, and what they say.

use crate::ui::forms::fields::{FieldValues, InvalidFields};
use crate::ui::games;
use crate::ui::lobby::read_clock;
use leptos_router::params::ParamsMap;
use tochki_play::{ClockRule, Millis, Terms, Timestamp, date};
use tochki_protocol::limits::{self, in_millis};
use tochki_protocol::{Code, EntryConditions, MissedGame, TournamentFormat};
use tochki_rules::GameKind;

/// The minutes until the start that are offered.
pub(super) const BEGINS_IN: [u32; 4] = [5, 15, 30, 60];

/// The breaks between rounds that are offered, in seconds.
pub(super) const BREAKS: [u32; 9] = [30, 60, 120, 180, 300, 600, 1200, 1800, 3600];

/// The choices that belong to one format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatDraft {
    /// An arena.
    Arena {
        /// The duration.
        minutes: u32,
        /// Whether games count double after two wins in a row.
        streaks: bool,
        /// Whether games count that run at the end.
        last_games: bool,
        /// Whether players may halve their clocks for a point more.
        berserk: bool,
    },
    /// A Swiss.
    Swiss {
        /// The number of rounds; without it, that which fits the number of players.
        rounds: Option<u32>,
        /// The time between two rounds.
        break_seconds: u32,
        /// The days of a round, instead.
        round_days: Option<u32>,
    },
    /// A round robin.
    RoundRobin {
        /// Whether each pair meets twice.
        double: bool,
        /// The time between two rounds.
        break_seconds: u32,
        /// The days of a round, instead.
        round_days: Option<u32>,
        /// The result of a game to which nobody comes, then.
        missed: MissedGame,
    },
    /// A knockout.
    Knockout {
        /// The games that each pair plays before a play-off.
        best_of: u32,
        /// The time between two rounds.
        break_seconds: u32,
    },
}

/// A tournament as its creator wants it.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentDraft {
    /// The name.
    pub name: String,
    /// The description, as plain text.
    pub description: String,
    /// Game, setup, clock, rated or not.
    pub terms: Terms,
    /// The format, with its own choices.
    pub format: FormatDraft,
    /// The start.
    pub starts_at: Timestamp,
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
    pub fn read(&mut self, now: Timestamp) -> Option<TournamentDraft> {
        let mut invalid = InvalidFields::new();
        let draft = read(&|field| self.values.get(field), now, &mut invalid);
        self.invalid = invalid;
        draft
    }

    /// Notes why the server refused the tournament.
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

    /// Returns the format.
    pub(super) fn format(&self) -> TournamentFormat {
        read_format(self.values.get_str("format").unwrap_or_default())
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

/// Reads the format of the form. That of no form of ours is the first.
fn read_format(text: &str) -> TournamentFormat {
    TournamentFormat::read(text).unwrap_or(TournamentFormat::Arena)
}

fn read(
    values: FieldValues,
    now: Timestamp,
    invalid: &mut InvalidFields,
) -> Option<TournamentDraft> {
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
    let format = read_choices(&text, &|field| values(field).is_some(), invalid);
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
    let has_berserk = matches!(format, Some(FormatDraft::Arena { berserk: true, .. }));
    if has_berserk && clock.is_some_and(|clock| !matches!(clock, ClockRule::Fischer { .. })) {
        invalid.push("berserk");
    }
    let entry = EntryConditions {
        min_rating,
        max_rating,
        min_games,
        min_age_days,
        password: false,
        guests: is_on("guests"),
        bots: is_on("bots"),
    };
    let draft = TournamentDraft {
        name,
        description,
        terms: Terms {
            setup: setup?,
            clock: clock?,
            // With guests no game is.
            rated: is_on("is_rated") && !entry.guests,
        },
        format: format?,
        starts_at: starts_at?,
        entry,
        password: values("password").unwrap_or_default(),
    };
    invalid.is_empty().then_some(draft)
}

/// Reads the fields that one format has alone.
fn read_choices(
    text: &dyn Fn(&str) -> String,
    is_on: &dyn Fn(&str) -> bool,
    invalid: &mut InvalidFields,
) -> Option<FormatDraft> {
    let format = read_format(&text("format"));
    if format == TournamentFormat::Arena {
        let minutes = text("duration").parse().ok();
        let minutes = minutes.filter(|minutes| limits::ARENA_MINUTES.contains(minutes));
        if minutes.is_none() {
            invalid.push("duration");
        }
        return Some(FormatDraft::Arena {
            minutes: minutes?,
            streaks: is_on("streaks"),
            last_games: is_on("last_games"),
            berserk: is_on("berserk"),
        });
    }
    let break_seconds = text("break").parse().ok();
    let break_seconds = break_seconds.filter(|seconds| BREAKS.contains(seconds));
    if break_seconds.is_none() {
        invalid.push("break");
    }
    let has_days = matches!(
        format,
        TournamentFormat::Swiss | TournamentFormat::RoundRobin
    );
    let round_days = match text("round_days").as_str() {
        "" => None,
        digits if has_days => {
            let days = digits.parse().ok();
            let days = days.filter(|days| limits::ROUND_DAYS.contains(days));
            if days.is_none() {
                invalid.push("round_days");
            }
            days
        }
        _ => None,
    };
    if format == TournamentFormat::RoundRobin {
        return Some(FormatDraft::RoundRobin {
            double: is_on("double"),
            break_seconds: break_seconds?,
            round_days,
            missed: MissedGame::read(&text("missed")).unwrap_or_default(),
        });
    }
    if format == TournamentFormat::Knockout {
        let best_of = text("best_of").parse().ok();
        let best_of = best_of.filter(|games| limits::KNOCKOUT_BEST_OF.contains(games));
        if best_of.is_none() {
            invalid.push("best_of");
        }
        return Some(FormatDraft::Knockout {
            best_of: best_of?,
            break_seconds: break_seconds?,
        });
    }
    let rounds = match text("rounds").as_str() {
        "" => None,
        digits => {
            let rounds = digits.parse().ok();
            let rounds = rounds.filter(|rounds| limits::SWISS_ROUNDS.contains(rounds));
            if rounds.is_none() {
                invalid.push("rounds");
            }
            Some(rounds?)
        }
    };
    Some(FormatDraft::Swiss {
        rounds,
        break_seconds: break_seconds?,
        round_days,
    })
}

/// Reads the start: in some minutes, or at a time of the place that is `offset` minutes east of UTC.
fn read_start(text: &dyn Fn(&str) -> String, now: Timestamp) -> Option<Timestamp> {
    let begin = text("begin");
    // Without scripts nothing but the typed time says that it is meant.
    let at = if begin == "at" || !text("starts_at").is_empty() {
        let offset: i64 = text("offset").parse().unwrap_or(0);
        date::read_local_minute(&text("starts_at"), offset)?
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
    ![
        "name",
        "duration",
        "starts_at",
        "rounds",
        "break",
        "round_days",
        "best_of",
    ]
    .contains(&field)
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
        assert!(draft.terms.rated);
        let arena = FormatDraft::Arena {
            minutes: 45,
            streaks: true,
            last_games: false,
            berserk: false,
        };
        assert_eq!(draft.format, arena);
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
    fn each_format_has_its_own_fields() {
        let read = |fields: &str| {
            let mut filled = form(&format!("name=Evening&begin=5&{GOOD}&{fields}"));
            let format = filled.read(NOON).map(|draft| draft.format);
            format.ok_or_else(|| filled.invalid.clone())
        };
        assert_eq!(
            read("format=swiss&rounds=7&break=120"),
            Ok(FormatDraft::Swiss {
                rounds: Some(7),
                break_seconds: 120,
                round_days: None
            })
        );
        assert_eq!(
            read("format=swiss&rounds=&break=30"),
            Ok(FormatDraft::Swiss {
                rounds: None,
                break_seconds: 30,
                round_days: None
            })
        );
        assert_eq!(
            read("format=round_robin&double=yes&break=60"),
            Ok(FormatDraft::RoundRobin {
                double: true,
                break_seconds: 60,
                round_days: None,
                missed: MissedGame::Half
            })
        );
        assert_eq!(
            read("format=round_robin&break=60&round_days=4&missed=lot"),
            Ok(FormatDraft::RoundRobin {
                double: false,
                break_seconds: 60,
                round_days: Some(4),
                missed: MissedGame::Lot
            })
        );
        for days in ["0", "31", "x"] {
            let fields = format!("format=swiss&break=60&round_days={days}");
            assert_eq!(read(&fields), Err(vec!["round_days"]));
        }
        assert_eq!(
            read("format=swiss&rounds=16&break=7"),
            Err(vec!["break", "rounds"])
        );
        assert_eq!(read("format=swiss&rounds=x&break=60"), Err(vec!["rounds"]));
        assert_eq!(
            read("format=knockout&best_of=4&break=60"),
            Ok(FormatDraft::Knockout {
                best_of: 4,
                break_seconds: 60
            })
        );
        assert_eq!(
            read("format=knockout&best_of=3&break=60"),
            Err(vec!["best_of"])
        );
        // What is no format is an arena, whose duration is missing here.
        assert_eq!(read("format=tug_of_war"), Err(vec!["duration"]));
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
        wrong("berserk=yes&clock=25/300", &["berserk"]);
        let long = "x".repeat(limits::TOURNAMENT_DESCRIPTION_MAX_CHARS + 1);
        wrong(&format!("description={long}"), &["description"]);
        let mut refused = form(GOOD);
        refused.refuse(Code::InvalidClock);
        refused.refuse(Code::TooManyTournaments);
        assert_eq!(refused.invalid, ["clock"]);
        assert_eq!(refused.refused, Some(Code::TooManyTournaments));
    }
}
