//! Statistics of players: profiles, standings, the history of matches, and the parameters of their pages.

use super::limits::{RANKED_MATCHES, RANKED_OPPONENTS};
use super::{ApiError, Code, LeagueTitle, MatchId, PlayerCard, PlayerId};
use serde::{Deserialize, Serialize};
use tochki_play::{Pace, RatingChange, Reason, Timestamp};
use tochki_rules::{GameKind, Seat};

/// The outcome of a match for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlayerOutcome {
    /// The player won.
    Won,
    /// The match was a draw.
    Drawn,
    /// The opponent won.
    Lost,
}

impl PlayerOutcome {
    /// All outcomes, the best first.
    pub const ALL: [Self; 3] = [Self::Won, Self::Drawn, Self::Lost];

    /// Returns the outcome for this seat of a match with this winner.
    pub fn of(winner: Option<Seat>, seat: Seat) -> Self {
        match winner {
            None => Self::Drawn,
            Some(winner) if winner == seat => Self::Won,
            Some(_) => Self::Lost,
        }
    }

    /// The name in JSON and in URLs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Drawn => "drawn",
            Self::Lost => "lost",
        }
    }

    /// The number in the database: 1, 0 or -1.
    pub const fn number(self) -> i16 {
        match self {
            Self::Won => 1,
            Self::Drawn => 0,
            Self::Lost => -1,
        }
    }

    /// Converts the number in the database.
    pub const fn from_number(number: i16) -> Self {
        match number {
            1.. => Self::Won,
            0 => Self::Drawn,
            ..0 => Self::Lost,
        }
    }
}

/// Numbers of matches by their outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResultCounts {
    /// The number of won matches.
    pub won: u32,
    /// The number of drawn matches.
    pub drawn: u32,
    /// The number of lost matches.
    pub lost: u32,
}

impl ResultCounts {
    /// Returns the number of all matches.
    pub const fn total(self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Returns whether no match was finished.
    pub const fn is_empty(&self) -> bool {
        self.total() == 0
    }

    /// Adds the counts of both.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
        }
    }
}

/// The latest matches of a player in a row with the same outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Streak {
    /// The outcome of these matches.
    pub outcome: PlayerOutcome,
    /// The number of these matches.
    pub length: u32,
}

/// The statistics of a game in a player's profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameStats {
    /// The game.
    pub game: GameKind,
    /// The rating; `None` for a guest.
    pub rating: Option<f64>,
    /// The number of rated matches.
    pub rated: u32,
    /// The matches and opponents missing until the rating is shown without a question mark; `None` once it is, and for a guest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ranked: Option<UntilRanked>,
    /// Finished matches, rated or not, with seat 1 and with seat 2.
    pub seats: [ResultCounts; 2],
    /// The current streak; `None` before the first match.
    pub streak: Option<Streak>,
    /// The most matches won in a row.
    pub best_streak: u32,
    /// The rating by correspondence. Omitted before the first rated match of that kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correspondence: Option<PaceRating>,
}

/// The rating of a game at a pace of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PaceRating {
    /// The rating.
    pub rating: f64,
    /// The number of rated matches.
    pub rated: u32,
    /// Whether the rating is shown with a question mark. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
}

impl GameStats {
    /// Returns the statistics of a game that the player has not played.
    pub const fn unplayed(game: GameKind, rating: Option<f64>) -> Self {
        const NONE: ResultCounts = ResultCounts {
            won: 0,
            drawn: 0,
            lost: 0,
        };
        Self {
            game,
            rating,
            rated: 0,
            until_ranked: match rating {
                Some(_) => Some(UntilRanked::NOTHING_PLAYED),
                None => None,
            },
            seats: [NONE; 2],
            streak: None,
            best_streak: 0,
            correspondence: None,
        }
    }

    /// Returns whether the rating is shown with a question mark.
    pub const fn is_provisional(&self) -> bool {
        self.until_ranked.is_some()
    }

    /// Returns the results with both seats.
    pub const fn counts(&self) -> ResultCounts {
        self.seats[0].plus(self.seats[1])
    }
}

/// The matches and opponents that a player still needs until their rating in a game is shown without a question mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UntilRanked {
    /// The number of rated matches that are missing.
    pub matches: u32,
    /// The number of opponents that are missing.
    pub opponents: u32,
}

impl UntilRanked {
    /// The requirement for a player without a rated match.
    pub const NOTHING_PLAYED: Self = Self {
        matches: RANKED_MATCHES,
        opponents: RANKED_OPPONENTS,
    };

    /// Returns the requirement after so many rated matches against so many opponents, where so many others play the game.
    pub fn after(matches: u32, opponents: u32, others: u32) -> Self {
        Self {
            matches: RANKED_MATCHES.saturating_sub(matches),
            opponents: RANKED_OPPONENTS.min(others).saturating_sub(opponents),
        }
    }
}

/// A point of the rating graph.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatingPoint {
    /// When the rating changed.
    pub at: Timestamp,
    /// The new rating.
    pub rating: f64,
}

/// The results between two players, from the view of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeadToHead {
    /// The game.
    pub game: GameKind,
    /// The results of the caller.
    pub tally: ResultCounts,
}

/// A finished match from the view of one of its players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryEntry {
    /// The match.
    pub id: MatchId,
    /// The game.
    pub game: GameKind,
    /// The player's seat.
    pub seat: Seat,
    /// The opponent, with their rating at the start.
    pub opponent: PlayerCard,
    /// The outcome for the player.
    pub outcome: PlayerOutcome,
    /// The reason of the end.
    pub reason: Reason,
    /// Points of both seats.
    pub score: [u32; 2],
    /// The change of the player's rating; `None` if the match was not rated, or was annulled.
    pub rating: Option<RatingChange>,
    /// Whether an operator has annulled the match, which then counts for nothing. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub annulled: bool,
    /// When the match ended.
    pub finished_at: Timestamp,
}

/// A page of finished matches, the latest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryPage {
    /// The matches on this page.
    pub games: Vec<HistoryEntry>,
    /// The number of this page, from 1.
    pub page: u32,
    /// The number of pages, at least 1.
    pub pages: u32,
    /// The number of matches on all pages.
    pub total: u32,
}

/// The public profile of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Profile {
    /// The player.
    pub id: PlayerId,
    /// The name as the player wrote it.
    pub name: String,
    /// Whether the player is a guest. A guest's matches are never rated.
    pub guest: bool,
    /// Whether an engine plays for them. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// Whether an operator has closed the account.
    pub closed: bool,
    /// When the player registered.
    pub since: Timestamp,
    /// The running match of the player.
    pub playing: Option<MatchId>,
    /// The number of games of the last 30 days that were lost on time by correspondence and are unrated, because the player was not
    /// here since an earlier one. Omitted if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub spared: u32,
    /// When the vacation of the player ends at the latest, if one is on. Omitted otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vacation_until: Option<Timestamp>,
    /// The statistics of all games.
    pub games: Vec<GameStats>,
    /// The game of the graph.
    pub game: GameKind,
    /// The pace of the graph. Omitted if live.
    #[serde(default, skip_serializing_if = "Pace::is_live")]
    pub pace: Pace,
    /// The rating over time: after each match, or if these are too many, after the last match of a day; at most 200 points. The
    /// last match is always included.
    pub graph: Vec<RatingPoint>,
    /// Finished matches in all games.
    pub past: HistoryPage,
    /// The results against the caller, by game; `None` for callers without an account, and for the player themselves.
    pub between: Option<Vec<HeadToHead>>,
    /// The seasons of leagues that the player has won, the latest first. Omitted if none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub titles: Vec<LeagueTitle>,
}

// The form that serde calls.
#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A row of the standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StandingsEntry {
    /// The place, from 1. Places are not shared: of two players with the same rating the older account comes first.
    pub place: u32,
    /// The player.
    pub player: PlayerCard,
    /// The number of rated matches.
    pub games: u32,
    /// All finished matches of the game, rated or not.
    #[serde(default)]
    pub results: ResultCounts,
}

/// A page of the standings of a game, by rating: players with at least [`RANKED_MATCHES`] rated matches against
/// [`RANKED_OPPONENTS`] opponents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Standings {
    /// The game.
    pub game: GameKind,
    /// The pace of the ratings. Omitted if live.
    #[serde(default, skip_serializing_if = "Pace::is_live")]
    pub pace: Pace,
    /// The players on this page.
    pub players: Vec<StandingsEntry>,
    /// The number of this page, from 1.
    pub page: u32,
    /// The number of pages, at least 1.
    pub pages: u32,
    /// The number of players on all pages.
    pub total: u32,
    /// The caller's own row and its page, if they are in the standings.
    pub mine: Option<(StandingsEntry, u32)>,
}

/// The number of a page of a long list, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page(u32);

impl Page {
    /// The first page.
    pub const FIRST: Self = Self(1);

    /// The last page that can be requested, so that offsets cannot overflow in the database.
    const LAST: u32 = 1_000_000;

    /// Parses the parameter of a URL; the first page if it is missing or empty.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidPage`] if it is not the number of a page.
    pub fn read(text: Option<&str>) -> Result<Self, ApiError> {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
            return Ok(Self::FIRST);
        };
        match text.parse() {
            Ok(number @ 1..=Self::LAST) => Ok(Self(number)),
            _ => Err(Code::InvalidPage.into()),
        }
    }

    /// Returns the page with this place; places are counted from 1.
    pub const fn of_place(place: u32, size: u32) -> Self {
        Self(place.saturating_sub(1) / size + 1)
    }

    /// Returns the number, from 1.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Returns the number of entries before this page.
    pub const fn offset(self, size: u32) -> i64 {
        (self.0 as i64 - 1) * size as i64
    }

    /// Returns the number of pages for this many entries, at least 1.
    pub const fn count(entries: u32, size: u32) -> u32 {
        let pages = entries.div_ceil(size);
        if pages == 0 { 1 } else { pages }
    }
}

/// A filter of the history of matches. A field that is `None` does not filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryFilter {
    /// The only game.
    pub game: Option<GameKind>,
    /// A part of the opponent's name, ignoring case.
    pub opponent: Option<String>,
    /// The only outcome.
    pub outcome: Option<PlayerOutcome>,
}

impl HistoryFilter {
    /// The longest search text, in bytes. No name is longer.
    const OPPONENT_MAX_BYTES: usize = 256;

    /// Reads the fields of a form or an address.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidFilter`] if a value is invalid; [`Code::UnknownGame`] for an unknown game.
    pub fn read(
        game: Option<&str>,
        opponent: Option<&str>,
        result: Option<&str>,
    ) -> Result<Self, ApiError> {
        let [game, opponent, result] = [game, opponent, result].map(non_empty);
        let game = game.map(|game| game.parse().map_err(|_| Code::UnknownGame));
        let outcome = result.map(|name| {
            let has_name = |outcome: &PlayerOutcome| outcome.as_str() == name;
            PlayerOutcome::ALL
                .into_iter()
                .find(has_name)
                .ok_or(Code::InvalidFilter)
        });
        if opponent.is_some_and(|name| name.len() > Self::OPPONENT_MAX_BYTES) {
            return Err(Code::InvalidFilter.into());
        }
        Ok(Self {
            game: game.transpose()?,
            opponent: opponent.map(str::to_owned),
            outcome: outcome.transpose()?,
        })
    }

    /// Returns whether the filter matches everything.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn non_empty(field: Option<&str>) -> Option<&str> {
    field.map(str::trim).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_from_one() {
        for (text, number) in [
            (None, 1),
            (Some(""), 1),
            (Some(" 7 "), 7),
            (Some("1000000"), 1_000_000),
        ] {
            assert_eq!(Page::read(text).unwrap().number(), number, "{text:?}");
        }
        for text in ["0", "-1", "x", "1.5", "1000001", "99999999999999999999"] {
            assert_eq!(
                Page::read(Some(text)).unwrap_err().code,
                Code::InvalidPage,
                "{text}"
            );
        }
    }

    #[test]
    fn places_and_entries_are_divided_into_pages() {
        for (place, page) in [(1, 1), (50, 1), (51, 2), (100, 2), (101, 3)] {
            assert_eq!(Page::of_place(place, 50), Page(page), "{place}");
        }
        for (entries, pages) in [(0, 1), (1, 1), (50, 1), (51, 2)] {
            assert_eq!(Page::count(entries, 50), pages, "{entries}");
        }
        assert_eq!((Page::FIRST.offset(50), Page(3).offset(50)), (0, 100));
    }

    #[test]
    fn empty_fields_do_not_filter() {
        assert!(
            HistoryFilter::read(None, Some("  "), Some(""))
                .unwrap()
                .is_empty()
        );
        let read = HistoryFilter::read(Some("boxes"), Some(" Ёж "), Some("lost")).unwrap();
        assert_eq!(
            read,
            HistoryFilter {
                game: Some(GameKind::Boxes),
                opponent: Some("Ёж".into()),
                outcome: Some(PlayerOutcome::Lost),
            }
        );
        let refused = |game, result| HistoryFilter::read(game, None, result).unwrap_err().code;
        assert_eq!(refused(Some("chess"), None), Code::UnknownGame);
        assert_eq!(refused(None, Some("win")), Code::InvalidFilter);
        let endless = "a".repeat(300);
        let refused = HistoryFilter::read(None, Some(&endless), None).unwrap_err();
        assert_eq!(refused.code, Code::InvalidFilter);
    }

    #[test]
    fn an_outcome_is_a_number_and_back() {
        for outcome in PlayerOutcome::ALL {
            assert_eq!(PlayerOutcome::from_number(outcome.number()), outcome);
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.as_str());
        }
        assert_eq!(
            PlayerOutcome::of(Some(Seat::First), Seat::First),
            PlayerOutcome::Won
        );
        assert_eq!(
            PlayerOutcome::of(Some(Seat::First), Seat::Second),
            PlayerOutcome::Lost
        );
        assert_eq!(PlayerOutcome::of(None, Seat::Second), PlayerOutcome::Drawn);
    }
}
