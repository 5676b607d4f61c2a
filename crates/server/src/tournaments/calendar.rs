//! Tournaments as a calendar that other programs subscribe to (RFC 5545).
//!
//! The entry of a tournament has the same `UID` for ever. Its `SEQUENCE` grows when the start moves and when it is cancelled; a
//! cancelled one stays for a while, so that programs take it away. The next dates of a series are tentative, until their tournaments
//! are made.

use super::calendar_cache::Entries;
use super::db::calendar::{CalendarEntry, EntryStatus, key_of_date};
use super::db::series::PlannedSeries;
use super::{Tournaments, db};
use crate::Error;
use icalendar::{Calendar, Component as _, Event, EventStatus, Property};
use tochki_play::{Millis, Timestamp};
use tochki_protocol::limits;
use tochki_rules::GameKind;
use tochki_tournaments::recurrence::Recurrence;

/// The entries of a calendar.
impl Tournaments {
    /// The tournaments of a game, or of all, as a calendar. Its links begin with the origin.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn calendar(&self, game: Option<GameKind>, origin: &str) -> Result<String, Error> {
        let calendar = self.calendars.of(game);
        let entries = calendar.get(async || self.entries(game).await).await?;
        let origin = origin.to_owned();
        // Hundreds of entries are written off the threads that answer requests.
        let written = tokio::task::spawn_blocking(move || write(&entries, game, &origin));
        written
            .await
            .map_err(|error| Error::invariant(format!("writing a calendar failed: {error}")))
    }

    async fn entries(&self, game: Option<GameKind>) -> Result<Entries, Error> {
        let mut entries = db::calendar::entries(&self.db, game).await?;
        let series = db::series::planned(&self.db, game).await?;
        entries.extend(series.iter().flat_map(planned));
        Ok(entries.into())
    }
}

fn write(entries: &[CalendarEntry], game: Option<GameKind>, origin: &str) -> String {
    let name = game.map_or_else(
        || "Tochki".to_owned(),
        |game| format!("Tochki: {}", game_name(game)),
    );
    let refresh = format!("PT{}M", limits::CALENDAR_REFRESH.as_secs() / 60);
    let mut calendar = Calendar::empty();
    calendar
        .append_property(("VERSION", "2.0"))
        .append_property(("PRODID", "-//Tochki//Tournaments//EN"))
        .append_property(("CALSCALE", "GREGORIAN"))
        .name(&name)
        .append_property(
            Property::new("REFRESH-INTERVAL", refresh.as_str())
                .add_parameter("VALUE", "DURATION")
                .done(),
        )
        .append_property(("X-PUBLISHED-TTL", refresh.as_str()));
    for entry in entries.iter().filter_map(|entry| event(entry, origin)) {
        calendar.push(entry);
    }
    calendar.to_string()
}

/// Returns the dates of a series for which no tournament is made yet.
fn planned(series: &PlannedSeries) -> Vec<CalendarEntry> {
    // A rule that this release does not know has none.
    let Ok(rule) = Recurrence::read(&series.rule, &series.zone) else {
        return Vec::new();
    };
    let dates = rule.after(series.local).take(limits::SERIES_PLANNED);
    let entries = dates.map(|date| CalendarEntry {
        key: key_of_date(series.id, date.local.0),
        tournament: None,
        name: series.name.clone(),
        description: String::new(),
        status: EntryStatus::Planned,
        starts_at: date.at,
        ends_at: date.at + Millis(series.duration),
        sequence: 0,
        changed_at: series.made_at,
    });
    entries.collect()
}

/// Returns a tournament as an event; `None` for times that no calendar has.
fn event(entry: &CalendarEntry, origin: &str) -> Option<Event> {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    let status = match entry.status {
        EntryStatus::Planned => EventStatus::Tentative,
        EntryStatus::Confirmed => EventStatus::Confirmed,
        EntryStatus::Cancelled => EventStatus::Cancelled,
    };
    let page = match entry.tournament {
        Some(id) => format!("{origin}/tournament/{id}"),
        None => format!("{origin}/tournaments"),
    };
    let mut event = Event::new();
    event
        .uid(&format!("{}@{host}", entry.key))
        .summary(&entry.name)
        .url(&page)
        .sequence(entry.sequence)
        .add_property("DTSTART", utc(entry.starts_at)?)
        .add_property("DTEND", utc(entry.ends_at)?)
        .add_property("DTSTAMP", utc(entry.changed_at)?)
        .add_property("LAST-MODIFIED", utc(entry.changed_at)?);
    if !entry.description.is_empty() {
        event.description(&shortened(&entry.description));
    }
    event.status(status);
    Some(event)
}

/// Returns a time as calendars have it: `20261127T190000Z`.
fn utc(at: Timestamp) -> Option<String> {
    let at = jiff::Timestamp::from_millisecond(at.0).ok()?;
    Some(at.strftime("%Y%m%dT%H%M%SZ").to_string())
}

/// Returns the beginning of a long description.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(limits::CALENDAR_DESCRIPTION_CHARS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// Returns the name of a game: a calendar is read by programs, whose readers' language nobody knows.
const fn game_name(game: GameKind) -> &'static str {
    match game {
        GameKind::Dots => "Dots",
        GameKind::Boxes => "Dots and Boxes",
        GameKind::Gomoku => "Gomoku",
        GameKind::Reversi => "Reversi",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_protocol::TournamentId;
    use tochki_tournaments::recurrence::LocalTime;

    /// 2026-11-27 19:00 UTC.
    const EVENING: Timestamp = Timestamp(1_795_806_000_000);

    fn entry(name: &str, description: &str, status: EntryStatus) -> CalendarEntry {
        CalendarEntry {
            key: "tournament-7".to_owned(),
            tournament: Some(TournamentId(7)),
            name: name.to_owned(),
            description: description.to_owned(),
            status,
            starts_at: EVENING,
            ends_at: Timestamp(EVENING.0 + 45 * 60_000),
            sequence: 2,
            changed_at: Timestamp(EVENING.0 - 3_600_000),
        }
    }

    /// Returns the lines of a calendar, put together again where they were folded.
    fn lines(entries: &[CalendarEntry], game: Option<GameKind>) -> Vec<String> {
        let text = write(entries, game, "https://tochki.example");
        assert!(text.ends_with("END:VCALENDAR\r\n"));
        for line in text.split("\r\n") {
            assert!(line.len() <= 75, "{line}");
            assert!(!line.contains(['\r', '\n']), "{line:?}");
        }
        let whole = text.replace("\r\n ", "");
        whole.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_tournament_is_an_event() {
        let open = entry("Evening arena", "", EntryStatus::Confirmed);
        assert_eq!(
            lines(&[open], Some(GameKind::Boxes)),
            [
                "BEGIN:VCALENDAR",
                "VERSION:2.0",
                "PRODID:-//Tochki//Tournaments//EN",
                "CALSCALE:GREGORIAN",
                "NAME:Tochki: Dots and Boxes",
                "X-WR-CALNAME:Tochki: Dots and Boxes",
                "REFRESH-INTERVAL;VALUE=DURATION:PT60M",
                "X-PUBLISHED-TTL:PT60M",
                "BEGIN:VEVENT",
                "DTEND:20261127T194500Z",
                "DTSTAMP:20261127T180000Z",
                "DTSTART:20261127T190000Z",
                "LAST-MODIFIED:20261127T180000Z",
                "SEQUENCE:2",
                "STATUS:CONFIRMED",
                "SUMMARY:Evening arena",
                "UID:tournament-7@tochki.example",
                "URL:https://tochki.example/tournament/7",
                "END:VEVENT",
                "END:VCALENDAR",
            ]
        );
        let cancelled = entry("Evening arena", "", EntryStatus::Cancelled);
        assert!(lines(&[cancelled], None).contains(&"STATUS:CANCELLED".to_owned()));
        // An empty calendar is one, too.
        assert_eq!(lines(&[], None).len(), 9);
    }

    #[test]
    fn the_next_dates_of_a_series_are_tentative() {
        let series = PlannedSeries {
            id: 3,
            rule: "FREQ=DAILY".to_owned(),
            zone: "Europe/Prague".to_owned(),
            made_at: Timestamp(EVENING.0 - 3_600_000),
            local: LocalTime(EVENING.0 + 3_600_000),
            name: "Evening arena".to_owned(),
            duration: 45 * 60_000,
        };
        let entries = planned(&series);
        assert_eq!(entries.len(), limits::SERIES_PLANNED);
        let lines = lines(&entries[..1], None);
        let minutes = (series.local.0 + Millis::DAY.0) / 60_000;
        let uid = format!("UID:series-3-{minutes}@tochki.example");
        for line in [
            "DTSTART:20261128T190000Z",
            "DTEND:20261128T194500Z",
            "STATUS:TENTATIVE",
            "URL:https://tochki.example/tournaments",
            uid.as_str(),
        ] {
            assert!(lines.iter().any(|has| has == line), "{line}: {lines:?}");
        }
        let unknown = PlannedSeries {
            rule: "FREQ=YEARLY".to_owned(),
            ..series
        };
        assert!(planned(&unknown).is_empty());
    }

    #[test]
    fn no_text_ends_its_property() {
        let hostile = entry(
            r"a;b,c:d\n\",
            "one\nEND:VEVENT\nEND:VCALENDAR\n; last",
            EntryStatus::Confirmed,
        );
        let lines = lines(&[hostile], None);
        assert!(lines.contains(&r"SUMMARY:a\;b\,c:d\\n\\".to_owned()));
        let described = r"DESCRIPTION:one\nEND:VEVENT\nEND:VCALENDAR\n\; last";
        assert!(lines.contains(&described.to_owned()));
        let ends = lines.iter().filter(|line| *line == "END:VEVENT");
        assert_eq!(ends.count(), 1);
    }

    #[test]
    fn long_texts_are_shortened_and_folded_between_characters() {
        let long = "日本語の長い説明 ".repeat(60);
        let lines = lines(
            &[entry("五目並べの夕べ", &long, EntryStatus::Confirmed)],
            None,
        );
        let described = lines.iter().find(|line| line.starts_with("DESCRIPTION:"));
        let described = described.expect("a description");
        let text = described.trim_start_matches("DESCRIPTION:");
        assert!(long.starts_with(text.trim_end_matches('…')));
        assert!(text.chars().count() <= limits::CALENDAR_DESCRIPTION_CHARS + 1);
    }
}
